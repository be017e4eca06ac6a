"""Attaches strace(1) to the host: to see what an operation calls, and to make one call fail.

strace counts calls for each thread by itself, from the moment that it was attached on: the N-th call
of a name in one thread is an address that stays the same from run to run.
"""

import re
import subprocess
import threading

CALL = re.compile(r"^(?:(\d+)\s+)?([a-z_0-9]+)\((.*)")
SIDES = re.compile(r"<(/[^>]*)>")


class Tracer:
    """strace on one thread of a process, or on all of them and those that are still to come."""

    def __init__(self, thread, log, inject=None, follows=False):
        arguments = ["strace", "-yy", "-s", "16", "-o", str(log), "-p", str(thread)]
        if follows:
            arguments.insert(1, "-f")
        if inject:
            arguments += ["-e", f"inject={inject}"]
        self.log = log
        self.attached = threading.Event()
        self.process = subprocess.Popen(
            arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            text=True)
        self.words = []
        self.thread = threading.Thread(target=self.listen, daemon=True)
        self.thread.start()
        if not self.attached.wait(20) or self.process.poll() not in (None, 0):
            raise RuntimeError(f"strace: {' '.join(self.words)}")

    def listen(self):
        for line in self.process.stderr:
            self.words.append(line.strip())
            if "attached" in line:
                self.attached.set()
        self.attached.set()

    def detach(self):
        """Leaves the process alone; the log is complete then."""
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait()
        self.thread.join()

    def lines(self):
        return self.log.read_text(errors="replace").splitlines()


def calls(lines, alone=None):
    """The calls of a log in the order of their begin: (thread id, name, the rest of the line).

    The log of one thread alone does not name it.
    """
    found = []
    for line in lines:
        match = CALL.match(line)
        if match:
            found.append((int(match.group(1) or alone), match.group(2), match.group(3)))
    return found


def place(rest, home):
    """The first file or socket that a call names, without what differs from run to run."""
    for path in SIDES.findall(rest):
        if path.startswith(home):
            path = re.sub(r"\.[0-9a-f]+\.tmp", ".*.tmp", path[len(home) + 1:])
            return path
    match = re.search(r"<(TCP|UNIX)", rest)
    return match.group(1).lower() if match else ""
