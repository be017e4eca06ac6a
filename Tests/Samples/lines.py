"""The samples that print lines: api-widget and headless-agent, beside a real host."""

import json
import os
import signal
import subprocess
import time

from machine import RealMachine, expect, plain_user, sample, until

WIDGET, AGENT = sample("api-widget/widget.py"), sample("headless-agent/agent")


def answered(done, code, text):
    expect(done.returncode == code and text in done.stdout, done, "expected:", code, text)


def age(machine, seconds):
    """Makes the widget's kept answer older."""
    path = f"{machine.path}/cache/tokenvault-api-widget/primary"
    with open(path) as file:
        kept = json.load(file)
    expect(os.stat(path).st_mode & 0o777 == 0o600, "others may read the answer")
    kept["at"] -= seconds
    with open(path, "w") as file:
        json.dump(kept, file)


def watched_curl(machine):
    """Puts a curl in front that writes down what anybody can see of its process."""
    os.mkdir(f"{machine.path}/bin")
    path = f"{machine.path}/bin/curl"
    with open(path, "w") as file:
        file.write(f'#!/bin/bash\ntr "\\0" " " </proc/self/cmdline >>{machine.path}/seen\n'
                   f'env >>{machine.path}/seen\necho "$@" >>{machine.path}/seen\n'
                   f'exec /usr/bin/curl "$@"\n')
    os.chmod(path, 0o755)
    machine.environment["PATH"] = f"{machine.path}/bin:{machine.environment['PATH']}"


def widget_asks_once_a_minute():
    with RealMachine("--lifetime", "60s") as machine:
        watched_curl(machine)
        before = machine.asked("userinfo")
        answered(machine.run(WIDGET, machine.url), 0, "Alice (valid)\n")
        answered(machine.run(WIDGET, machine.url), 0, "Alice (valid)\n")
        expect(machine.asked("userinfo") == before + 1, "the second run has asked again")
        age(machine, 200)
        machine.outage()
        answered(machine.run(WIDGET, machine.url), 0, "Alice, 3 min old (")
        machine.outage()
        answered(machine.run(WIDGET, machine.url), 0, "Alice (valid)\n")
        token = machine.run("tokenvault", "token").stdout.strip()
        seen = machine.text("seen")
        expect("--config" in seen and token not in seen, "the token can be seen")
        expect(machine.run("tokenvault", "sign-out", "primary").returncode == 0, "sign-out")
        answered(machine.run(WIDGET, machine.url), 1, "run: tokenvault sign-in primary")
        expect(not os.path.exists(f"{machine.path}/cache/tokenvault-api-widget/primary"), "kept")


def widget_asks_twice_after_401():
    # The first request is the host's own, at the sign-in.
    with RealMachine("--lifetime", "8s", "--fault", "userinfo:2:401", "--fault", "userinfo:4-:401",
                     ) as machine:
        time.sleep(2.5)  # a quarter of the lifetime: so young a token is not renewed
        renewals = machine.asked("token refresh_token")
        answered(machine.run(WIDGET, machine.url), 0, "Alice (valid)\n")
        expect(machine.asked("userinfo 401") == 1 and machine.asked("userinfo 200") == 2, "requests")
        expect(machine.asked("token refresh_token") == renewals + 1, "renewals")
        age(machine, 200)
        answered(machine.run(WIDGET, machine.url), 1, "nothing to show: the API ")
        expect(machine.asked("userinfo") <= 5, "asked more than twice")


def agent_says_by_its_code_what_is_missing():
    with RealMachine("--lifetime", "60s", signs_in=False) as machine:
        answered(machine.run(AGENT, machine.url), 66, "")
        answered(machine.run(AGENT, "no-address"), 64, "")
        machine.sign_in()
        watched_curl(machine)
        answered(machine.run(AGENT, machine.url), 0, '"name":"Alice"')
        token = machine.run("tokenvault", "token").stdout.strip()
        expect(token not in machine.text("seen"), "the token can be seen")
        machine.environment["PATIENCE"] = "1"
        machine.outage()
        answered(machine.run(AGENT, machine.url), 69, "")
        machine.outage()
        expect(machine.asked("revoke") == 0, "the agent has signed somebody out")
        expect(machine.run("tokenvault", "sign-out", "primary").returncode == 0, "sign-out")
        answered(machine.run(AGENT, machine.url), 81, "")


def agent_asks_twice_after_401():
    with RealMachine("--lifetime", "60s", "--fault", "userinfo:2:401", "--fault", "userinfo:4-5:401",
                     ) as machine:
        time.sleep(1.5)  # a token of this second is not renewed
        answered(machine.run(AGENT, machine.url), 0, '"name":"Alice"')
        expect(machine.asked("token refresh_token") == 1, "renewals")
        answered(machine.run(AGENT, machine.url), 76, "")


def agent_waits_for_the_provider():
    with RealMachine("--lifetime", "8s") as machine:
        machine.outage()
        until(lambda: machine.run("tokenvault", "token", "--no-renew").returncode in (75, 80),
              "an end of the token")
        agent = machine.start("agent", AGENT, machine.url)
        # A wait is a sleep: what it has used of the processor stays as it is.
        time.sleep(8)
        expect(agent.poll() is None, "the agent did not wait", machine.text("agent.log"))
        before = processor_time(agent.pid)
        time.sleep(2)
        expect(processor_time(agent.pid) - before <= 0.2, "the agent is busy")
        machine.outage()
        until(lambda: machine.run("tokenvault", "renew").returncode == 0, "a renewal")
        expect(agent.wait(30) == 0, agent.returncode, machine.text("agent.log"))
        expect('"name":"Alice"' in machine.text("agent.out"), "no answer")


def agent_says_that_it_is_the_api_that_is_away():
    with RealMachine() as machine:
        for name, url, said in (
                ("away", "http://127.0.0.1:1/", "waiting: the API does not answer\n"),
                ("lost", f"{machine.issuer}/nowhere", "waiting: the API answered with status 404\n")):
            bot = machine.start(name, AGENT, "--every", "1", url)
            until(lambda: said in machine.text(f"{name}.out"), said)
            bot.terminate()
            expect(bot.wait(5) == 143, bot.returncode)


def processor_time(pid):
    with open(f"/proc/{pid}/stat") as file:
        return sum(map(int, file.read().rsplit(") ", 1)[1].split()[11:15])) / os.sysconf("SC_CLK_TCK")


def agent_is_a_bot_without_a_session_of_the_desktop():
    """As in cron: no XDG_RUNTIME_DIR and no variable of ours, neither for the host nor for the agent."""
    user = plain_user()
    has_runtime = os.path.exists(f"/run/user/{os.getuid() if user is None else user}")
    ours = ["TOKENVAULT_STATE_DIR", "TOKENVAULT_KEY_DIR", "TOKENVAULT_RUNTIME_DIR"]
    # Else the host would be one of this person's own.
    with RealMachine(user=user, without=[] if has_runtime else ours) as machine:
        names = ["PATH", "HOME", "LD_LIBRARY_PATH", *(ours if has_runtime else [])]
        bare = {name: machine.environment[name] for name in names}
        place = "run" if has_runtime else ".local/state/tokenvault/run"
        expect(os.path.exists(f"{machine.path}/{place}/host.sock"), "the host's place is elsewhere")
        bot = machine.start("bot", AGENT, "--every", "1", machine.url, env=bare)
        until(lambda: machine.text("bot.out").count("Alice") >= 2, "two answers")
        expect(machine.run("tokenvault", "sign-out", "primary").returncode == 0, "sign-out")
        until(lambda: "waiting: primary signed-out" in machine.text("bot.out"), "it waits")
        before = machine.text("bot.out").count("Alice")
        machine.sign_in()
        until(lambda: machine.text("bot.out").count("Alice") > before, "an answer again")
        found = subprocess.run(["pgrep", "-P", str(bot.pid)], capture_output=True, text=True)
        children = found.stdout.split()
        expect(children, "the bot has no watch")
        bot.send_signal(signal.SIGTERM)
        expect(bot.wait(5) == 143, bot.returncode)
        until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in children),
              "the end of what it has started", 3)


CASES = [widget_asks_once_a_minute, widget_asks_twice_after_401,
         agent_says_by_its_code_what_is_missing, agent_asks_twice_after_401,
         agent_waits_for_the_provider, agent_says_that_it_is_the_api_that_is_away,
         agent_is_a_bot_without_a_session_of_the_desktop]
