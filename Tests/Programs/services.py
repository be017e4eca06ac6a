"""A unit of systemd's that has the token as a credential, with a real manager."""

import os
import shutil

from documented import lines
from machine import PROGRAMS, ROOT, RealMachine, expect, until
from steps import token_of

# systemd wants to see that it has booted the machine, and mounts credentials where others see them.
MANAGER = """
mount --make-rshared /
mount -t tmpfs tmpfs /run/systemd
mkdir /run/systemd/system
mount -t cgroup2 none /sys/fs/cgroup
/lib/systemd/systemd --user --log-target=console &
wait
find /sys/fs/cgroup/{app.slice,init.scope} -depth -type d -exec rmdir {} \; || :
"""


class DesktopMachine(RealMachine):
    """With a runtime directory of the session, in which the host has its own."""

    def start_host(self):
        runtime = f"{self.path}/xdg"
        os.makedirs(runtime, 0o700, exist_ok=True)
        self.environment["XDG_RUNTIME_DIR"] = runtime
        self.environment.pop("TOKENVAULT_RUNTIME_DIR", None)
        super().start_host()


class Manager:
    """`systemd --user` in name spaces of its own, with the units that `make install-units` installs."""

    def __init__(self, machine):
        self.machine = machine
        local = f"{machine.path}/.local"
        os.makedirs(f"{local}/bin")
        shutil.copy(f"{PROGRAMS}/tokenvault", f"{local}/bin")
        made = machine.run("make", "-s", "-C", ROOT, "install-units", f"PREFIX={local}")
        expect(made.returncode == 0, made)
        unit = lines("[Service]", "file=%d/token", {
            "/usr/local/bin/report --token-file=": f"/bin/cp --target-directory={machine.path} "})
        os.makedirs(f"{machine.path}/.config/systemd/user")
        with open(f"{machine.path}/.config/systemd/user/report.service", "w") as file:
            file.write(f"{unit}\nType=oneshot\n")
        self.manager = machine.start(
            "manager", "unshare", "--mount", "--pid", "--fork", "--mount-proc", "--cgroup",
            "--kill-child", "bash", "-ec", MANAGER, cwd=machine.path)
        pid = self.manager.pid
        path = f"/proc/{pid}/task/{pid}/children"
        self.first = until(lambda: open(path).read().split(), "the first process of a name space")[0]
        try:
            until(lambda: self.run("systemctl", "--user", "is-system-running").stdout == "running\n",
                  "a manager")
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Ends the manager, and then its first process, which takes the control groups away."""
        def has_ended():
            # Said again to one that had not come up yet.
            self.run("systemctl", "--user", "exit")
            return self.manager.poll() is not None

        until(has_ended, "the manager's end")

    def run(self, *words):
        """Runs a program where it sees that systemd has booted the machine."""
        return self.machine.run("nsenter", f"--target={self.first}", "--mount", "--pid", *words)

    def report(self):
        """Starts the unit, and returns the token that it has found; None where it has failed."""
        path = f"{self.machine.path}/token"
        if os.path.exists(path):
            os.unlink(path)
        done = self.run("systemctl", "--user", "start", "report.service")
        if done.returncode != 0:
            return None
        with open(path) as file:
            return file.read().rstrip("\n")


def systemd_gives_a_unit_the_token_as_a_credential():
    expect(os.getuid() == 0, "name spaces for systemd are for root to make")
    with DesktopMachine("--lifetime", "60s") as machine, Manager(machine) as manager:
        enabled = manager.run("bash", "-c", lines("systemctl --user enable", "token.socket", {}))
        expect(enabled.returncode == 0, enabled)
        socket = os.stat(f"{machine.environment['XDG_RUNTIME_DIR']}/tokenvault/token.sock")
        expect(socket.st_mode & 0o777 == 0o600, oct(socket.st_mode))
        first = token_of(machine)
        expect(manager.report() == first, "another token", machine.text("manager.log"))
        machine.restart_host()
        expect(machine.run("tokenvault", "renew").returncode == 0, "a renewal")
        expect(manager.report() == token_of(machine) != first, "another token after a renewal")
        expect("token.sock" not in machine.run("tokenvault", "doctor").stdout, "doctor complains")
        expect(machine.run("tokenvault", "sign-out", "primary").returncode == 0, "sign-out")
        expect(manager.report() is None, "a unit was started without a token")
        machine.sign_in()
        expect(manager.report() == token_of(machine), "another token after a sign-in")


CASES = [systemd_gives_a_unit_the_token_as_a_credential]
