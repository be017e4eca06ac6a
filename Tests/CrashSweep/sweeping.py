"""One sweep: runs points one after another on one machine and judges what became of each."""

import collections
import os
import pathlib
import re
import subprocess
import time

import gateway
import key_change
import machine as machines
import reader
import tracing

Trace = collections.namedtuple("Trace", "calls threads held")
STORE = re.compile(r"renameat\([^)]*/store/session>[^)]*\) = 0$")
TEMPORARY = re.compile(r"^(?:\d+\s+)?fsync\(\d+<([^>]*\.tmp)>")


def stores(lines):
    """How often the canonical record was replaced in a log."""
    return sum(bool(STORE.search(line)) for line in lines)


def is_injected(lines):
    return any("(INJECTED)" in line for line in lines)


class Sweep:
    """A machine with its provider, and readers beside it."""

    def __init__(self, work, products):
        self.log = work / "strace.log"
        self.provider = machines.Provider(work)
        self.gateway = gateway.Gateway(self.provider.issuer)
        self.machine = machines.Machine(work, products, self.provider, self.gateway)
        self.machine.start()
        self.machine.sign_in()
        # Whether the last point left a session that was seen to be valid.
        self.is_valid = True
        self.reader = reader.FileReader(self.machine.snapshot)
        self.widget = reader.Widget(
            self.machine.products / "tokenvault", self.machine.environment)

    def stop(self):
        self.machine.kill()
        self.widget.stop()
        self.provider.stop()
        return {"reads": self.reader.reads, "lines": self.widget.lines,
                "faults": self.reader.faults + self.widget.faults}

    # Tracing

    def trace(self, operation):
        """Lists the calls of an operation that nothing happens to.

        The shorter of two runs: a slow provider makes the host publish once more, and what it then
        calls is not there in every run.
        """
        if operation.is_program:
            self.bring_up(operation)
            return Trace(key_change.trace(self.machine, self.log), {}, [])
        runs = []
        for _ in range(2):
            self.bring_up(operation)
            threads = self.machine.threads()
            tracer = self.tracer(self.machine.host.pid, follows=True)
            command = operation.trigger(self.machine)
            command.communicate(timeout=60)
            time.sleep(0.2)
            tracer.detach()
            runs.append(Trace(
                tracing.calls(tracer.lines()), {tid: name for name, tid in threads.items()}, []))
        shortest = min(runs, key=lambda each: len(each.calls))
        if not operation.held:
            return shortest
        self.bring_up(operation)
        command, tracer = self.trigger_held(operation, None)
        command.communicate(timeout=60)
        tracer.detach()
        return shortest._replace(held=tracing.calls(tracer.lines(), alone=0))

    def tracer(self, thread, inject=None, follows=False):
        return tracing.Tracer(thread, self.log, inject, follows)

    def trigger_held(self, operation, inject):
        """Begins an operation; traces the thread that waits for the provider while it waits."""
        self.gateway.hold(operation.held)
        command = operation.trigger(self.machine)
        try:
            if not self.gateway.reached.wait(30):
                raise machines.Broken(f"{operation.name}: no {operation.held} request came")
            # The thread of the request before has handed its answer over and may still be ending.
            machines.wait_for(lambda: len(self.transfers()) == 1, 5, "the end of other transfers")
            return command, self.tracer(self.transfers()[0], inject)
        finally:
            self.gateway.release()

    def transfers(self):
        """The host's threads that wait for the provider."""
        return [tid for name, tid in self.machine.threads().items()
                if name.startswith("tv-transfer")]

    def begin(self, operation, point):
        """Begins an operation in which something is to happen: its command and its tracer."""
        if point.mode == "held":
            return self.trigger_held(operation, point.inject)
        thread = self.machine.host.pid
        if point.mode == "thread":
            threads = self.machine.threads()
            if point.thread not in threads:
                raise machines.Broken(f"there is no thread {point.thread}")
            thread = threads[point.thread]
        tracer = self.tracer(thread, point.inject, follows=point.mode == "all")
        return operation.trigger(self.machine), tracer

    # One point

    def bring_up(self, operation):
        """A host that runs, with a session, where the operation begins."""
        if not self.is_valid:
            if not self.machine.is_running:
                self.machine.start_as_kept()
            if self.ending() != "valid":
                self.provider.forget_grants()
                self.machine.sign_in()
        self.is_valid = False
        # In a new process no renewal is too soon after the last.
        self.machine.kill()
        if not operation.is_program:
            self.machine.start()
            # What its start does would count as the operation's.
            self.machine.wait_until_idle()
        operation.prepare(self.machine)

    def run(self, operation, point):
        """Runs one point and says what became of it."""
        result = {"key": point.key, "hit": False, "ending": "none", "flagged": 0, "unseen": 0,
                  "failures": []}
        try:
            self.bring_up(operation)
            uses = len(self.gateway.uses)
            if operation.is_program:
                is_told = key_change.run(self.machine, operation, point, self.log, result)
                self.expect_readable(result)
            else:
                command, tracer = self.begin(operation, point)
                if point.fault == "KILL":
                    is_told = self.await_kill(command, tracer, result)
                else:
                    is_told = self.await_fault(operation, command, tracer, point, result)
            self.gateway.wait_until_idle()
            lines = self.log.read_text(errors="replace").splitlines()
            self.judge(operation, point, is_told, uses, lines, result)
        except (machines.Broken, subprocess.TimeoutExpired, RuntimeError) as error:
            result["failures"].append(str(error))
            self.gateway.release()
            self.machine.kill()
        return result

    def await_kill(self, command, tracer, result):
        """Waits for the host's death, then starts it anew."""
        end = time.monotonic() + 30
        while self.machine.is_running and time.monotonic() < end:
            if command.poll() is not None:
                # What comes after the answer takes no time worth the name.
                end = min(end, time.monotonic() + 1)
            time.sleep(0.005)
        result["hit"] = not self.machine.is_running and self.machine.host.returncode == -9
        if not self.machine.is_running and not result["hit"]:
            result["failures"].append(f"the host ended with {self.machine.host.returncode}")
        self.machine.kill()
        tracer.detach()
        command.communicate(timeout=60)
        self.gateway.wait_until_idle()
        # A reader without a host finds a whole snapshot, whatever it says.
        self.expect_readable(result)
        self.machine.start()
        return command.returncode == 0

    # Faults

    def await_fault(self, operation, command, tracer, point, result):
        """Waits for the operation's end, which the host must survive."""
        before = self.ticks()
        # It would happen to each thread that is still to come.
        while point.mode == "all" and command.poll() is None and not is_injected(tracer.lines()):
            time.sleep(0.02)
        if point.mode == "all":
            tracer.detach()
        command.communicate(timeout=60)
        if point.fault.endswith("+"):
            # A while with a disk that stays broken: it must wait between its tries.
            time.sleep(3)
            tries = sum("(INJECTED)" in line for line in tracer.lines())
            if tries > 60 or self.ticks() - before > 150:
                result["failures"].append(f"{tries} tries, {self.ticks() - before} ticks in 3 s")
            self.expect_storage_error(command, point, result)
        tracer.detach()
        lines = tracer.lines()
        result["hit"] = is_injected(lines)
        if not self.machine.is_running:
            result["failures"].append(f"the host ended with {self.machine.host.returncode}")
            self.machine.start()
            return False
        self.expect_readable(result)
        synchronized = [match.group(1) for match in map(TEMPORARY.match, lines) if match]
        if len(synchronized) != len(set(synchronized)):
            result["failures"].append("a failed fsync was repeated on the same file")
        if point.call != "unlinkat":
            self.expect_no_leftovers(result)
        # A sign-out that the provider is still to be told of is one.
        return command.returncode in ((0, 75) if operation.name == "sign-out" else (0,))

    def expect_storage_error(self, command, point, result):
        """People are told what is wrong while a disk is broken."""
        if point.operation != "publish" and command.returncode != 73:
            result["failures"].append(f"the command ends with {command.returncode} instead of 73")
        # Snapshots are written without fsync: this one can be.
        if point.call == "fsync" and (state := self.machine.status()["host"]) != "storage-failed":
            result["failures"].append(f"the host says of itself {state}")

    # Judging

    def ticks(self):
        """The processor time that the host has had, in hundredths of a second."""
        text = pathlib.Path(f"/proc/{self.machine.host.pid}/stat").read_text().rsplit(")")[-1]
        return sum(map(int, text.split()[11:13])) * 100 // os.sysconf("SC_CLK_TCK")

    def ending(self):
        """Where the host gets to: valid, reauthentication, signed-out, absent.

        A session is valid when the provider renews it and takes its access token.
        """
        end = time.monotonic() + 90
        while True:
            status, _ = self.machine.run("renew", "primary")
            session = self.machine.status()["session"]
            if status == 0:
                code, token = self.machine.run("token", "--no-renew")
                if code or not self.provider.takes(token.strip()):
                    raise machines.Broken(f"renewed, but the provider refuses the token ({code})")
                return "valid"
            if session.startswith("reauthentication"):
                return "reauthentication"
            if session in ("signed-out", "absent"):
                return session
            if time.monotonic() > end:
                raise machines.Broken(f"it ends nowhere: {session}, {self.machine.complaint}")
            time.sleep(0.3)

    def judge(self, operation, point, is_told, uses, lines, result):
        ending = result["ending"] = self.ending()
        failures = result["failures"]
        if not operation.is_fit(ending, is_told):
            failures.append(f"it ended as {ending}")
        seen = collections.Counter(use["token"] for use in self.gateway.uses[uses:])
        twice = sum(count > 1 for count in seen.values())
        if ending == "reauthentication":
            result["flagged"] = twice
            if not twice:
                failures.append("a session was given up whose token was not spent")
            # The intent is stored first, then, unless the answer was lost, the rotated token.
            is_kill = point.fault == "KILL"
            if operation.name == "renewal" and is_kill and stores(lines) >= 2:
                failures.append("a session was given up whose new token was stored")
        elif twice:
            failures.append(f"a refresh token was used {max(seen.values())} times")
        self.expect_no_leftovers(result)
        self.expect_no_grants(operation, point, 1 if ending == "valid" else 0, lines, result)
        if point.fault != "KILL" and self.machine.stop() != 0:
            failures.append("the host does not end well")
        self.is_valid = ending == "valid" and not failures

    def expect_readable(self, result):
        session = self.machine.status()["session"]
        if session.startswith(reader.Widget.BROKEN):
            result["failures"].append(f"a reader finds {session}")

    def expect_no_leftovers(self, result):
        try:
            machines.wait_for(lambda: not self.machine.leftovers(), 3, "leftovers")
        except machines.Broken:
            result["failures"].append(f"left behind: {self.machine.leftovers()}")
            self.machine.remove_leftovers()

    def expect_no_grants(self, operation, point, expected, lines, result):
        """The provider keeps no grant that the host could have revoked."""
        try:
            machines.wait_for(
                lambda: self.provider.live_grants() <= expected, 10, "revocation")
        except machines.Broken:
            left = self.provider.live_grants() - expected
            self.provider.forget_grants()
            # The first store is the intent, the second has the token. A grant whose answer was lost, or
            # was not stored yet at the kill, nobody can revoke: then the next start has to say so.
            can_be_lost = point.fault == "KILL" or point.mode == "held"
            if operation.name == "sign-in" and can_be_lost and stores(lines) < 2:
                result["unseen"] = left
                if point.fault == "KILL" and "a sign-in was cut off" not in self.machine.log():
                    result["failures"].append(f"nobody is told of {left} grants left behind")
            else:
                result["failures"].append(f"{left} grants are left behind")
