"""A provider, a host and a home of their own, in which one bar is shown."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests/Waiting"))
from waiting import Failed, wait_for  # noqa: E402

PROGRAMS = ("tokenvault", "tokenvault-host", "development-provider")
# Nothing ends by itself while a screen is read.
LIFETIME = "10m"
LIBRARY = "libtokenvault.so.0"
ACCOUNT = "Amanda"


def copy(products, library, to):
    """Puts the programs where everybody reaches them, by a path that no shell takes apart."""
    to.mkdir(mode=0o755)
    for name in PROGRAMS:
        shutil.copy(products / name, to / name)
        (to / name).chmod(0o755)
    shutil.copy(library, to / LIBRARY)
    (to / LIBRARY).chmod(0o644)


class Machine:
    """A home of one bar; sway runs for no root, so that then everything here is nobody's."""

    def __init__(self, root, programs, samples):
        self.root = root
        self.samples = samples
        self.owner = {}
        if os.getuid() == 0:
            self.owner = {"user": 65534, "group": 65534, "extra_groups": []}
        self.children = []
        self.is_over = False
        self.port = 0
        self.provider = self.host = None
        for name in ("", "bin", "home", "xdg"):
            self.own_directory(name)
        for name in (*PROGRAMS, LIBRARY):
            os.link(programs / name, self.root / "bin" / name)
        self.vault = self.root / "bin/tokenvault"
        self.windows, self.trap = self.root / "home/windows", self.root / "home/trapped"
        self.script("browser", (ROOT / "Samples/demo/browser").read_text())
        self.script("terminal", f'#!/bin/sh\necho "$@" >>{self.windows}\n')
        # What a name would have to run: nobody else does.
        self.script("pwn", f"#!/bin/sh\ntouch {self.trap}\n")
        self.environment = {
            "PATH": f"{self.root}/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
            "HOME": f"{self.root}/home", "TMPDIR": f"{self.root}/home", "LC_ALL": "C.UTF-8",
            "LD_LIBRARY_PATH": f"{self.root}/bin:{os.environ.get('LD_LIBRARY_PATH', '')}",
            "SHELL": "/bin/sh", "BROWSER": f"{self.root}/bin/browser",
            "TERMINAL": f"{self.root}/bin/terminal", "TMUX_TMPDIR": f"{self.root}/xdg",
            "XDG_RUNTIME_DIR": f"{self.root}/xdg", "XDG_CONFIG_HOME": f"{self.root}/home/.config",
            "XDG_CACHE_HOME": f"{self.root}/home/.cache",
            "XDG_DATA_HOME": f"{self.root}/home/.local/share",
            "NO_AT_BRIDGE": "1", "GSETTINGS_BACKEND": "memory",
            "TOKENVAULT_CONFIG": f"{self.root}/config.toml",
            "TOKENVAULT_STATE_DIR": f"{self.root}/state",
            "TOKENVAULT_KEY_DIR": f"{self.root}/keys", "TOKENVAULT_RUNTIME_DIR": f"{self.root}/run",
        }

    # Files

    def own(self, path):
        if self.owner:
            os.chown(path, self.owner["user"], self.owner["group"])
        return path

    def own_directory(self, name):
        path = self.root / name
        missing = [path] + [parent for parent in path.parents if not parent.exists()]
        path.mkdir(parents=True, exist_ok=True)
        for made in missing:
            made.chmod(0o700)
            self.own(made)
        return path

    def write(self, name, text, mode=0o600):
        path = self.root / name
        self.own_directory(path.parent)
        path.write_text(text)
        path.chmod(mode)
        return self.own(path)

    def script(self, name, text):
        return self.write(f"bin/{name}", text, 0o755)

    def configure(self, sample, to, replace=()):
        """Puts a sample where a bar reads it; only the program's path is another one."""
        text = self.samples.text(sample, self.vault)
        for old, new in replace:
            if old not in text:
                raise Failed(f"Samples/bars/{sample} has no {old!r}")
            text = text.replace(old, new)
        return self.write(to, text)

    def copy_samples(self, *names):
        """Puts samples where the owner of this machine reaches them."""
        for name in names:
            shutil.copytree(ROOT / "Samples" / name, self.root / "samples" / name)
        for path in (self.root / "samples").rglob("*"):
            self.own(path)
        return self.root / "samples"

    # Processes

    def start(self, words, log, environment=None, **streams):
        """Starts a process, which leads a group of its own and ends with the machine at last."""
        self.require_time()
        streams = {"stdin": subprocess.DEVNULL} | streams
        with open(self.root / f"{log}.log", "ab") as output:
            streams = {"stdout": output, "stderr": output} | streams
            child = subprocess.Popen(
                [str(word) for word in words], env=self.environment | (environment or {}),
                cwd=self.root / "home", start_new_session=True, **streams, **self.owner)
        self.children.append(child)
        return child

    def run(self, words, input=None, limit=20):
        """Runs a process to its end; its output is bytes."""
        self.require_time()
        return subprocess.run(
            [str(word) for word in words], env=self.environment, cwd=self.root / "home",
            capture_output=True, timeout=limit, **self.owner,
            **({"stdin": subprocess.DEVNULL} if input is None else {"input": input}))

    def require_time(self):
        if self.is_over:
            raise Failed("everything is to end")

    def log(self, name):
        """What a process has written, or nothing."""
        path = self.root / f"{name}.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def processes(self, text):
        """The numbers of those whose command line has the text, and that belong to this machine."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode("latin1")
                if text not in line:
                    continue
                home = f"HOME={self.root}/".encode()
                if str(self.root) not in line and home not in (entry / "environ").read_bytes():
                    continue
                found.append(int(entry.name))
            except OSError:
                continue
        return found

    def watchers(self):
        """The readers that a bar has started."""
        return self.processes(f"{self.vault} watch --format ")

    @staticmethod
    def is_alive(pid):
        """Whether a process is there and has not ended."""
        try:
            stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            return False
        return stat.rpartition(") ")[2][0] not in "ZX"

    def kill(self, pid):
        """Takes the bar away as no bar expects it."""
        os.kill(pid, signal.SIGKILL)
        for child in self.children:
            if child.pid == pid:
                child.wait()

    def stop(self):
        """Ends what was started here, and what that has started."""
        for child in reversed(self.children):
            if child.poll() is None:
                try:
                    os.killpg(child.pid, signal.SIGTERM)
                except ProcessLookupError:
                    pass
        for child in self.children:
            try:
                child.wait(2)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
        for pid in self.processes(""):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def remove(self):
        """Leaves nothing running and nothing on disk."""
        self.stop()
        shutil.rmtree(self.root, ignore_errors=True)

    def start_bus(self):
        """Starts a session bus; what the bus starts has the environment of this moment."""
        bus = self.root / "xdg/bus"
        self.start(
            ["dbus-daemon", "--session", "--nofork", f"--address=unix:path={bus}"], "dbus")
        wait_for(bus.exists, 20, "the session bus")
        self.environment |= {"DBUS_SESSION_BUS_ADDRESS": f"unix:path={bus}"}

    # Provider, host and session

    def start_provider(self):
        log = self.root / "provider.log"
        log.write_text("")
        self.provider = self.start(
            [self.root / "bin/development-provider", "--lifetime", LIFETIME, "--auto-approve",
             "--port", str(self.port)], "provider")
        line = re.compile(r'^issuer = "(http://127\.0\.0\.1:(\d+))"$', re.M)
        issuer = wait_for(lambda: line.search(self.log("provider")), 20, "the provider's start")
        self.issuer, self.port = issuer[1], int(issuer[2])

    def stop_provider(self):
        self.provider.terminate()
        self.provider.wait()

    def name(self, account):
        """Gives the account a name, which a running host takes over at once."""
        escaped = "".join(
            character if character.isprintable() and character not in '"\\'
            else f"\\U{ord(character):08X}" for character in account)
        self.write("config.toml", f"""[namespaces.primary]
issuer = "{self.issuer}"
clientId = "desktop"
scopes = ["openid", "profile", "offline_access"]
account = "{escaped}"
""")
        if self.host:
            self.host.send_signal(signal.SIGHUP)

    def start_host(self):
        self.name(ACCOUNT)
        self.host = self.start([self.root / "bin/tokenvault-host"], "host")
        wait_for(lambda: "ready" in self.log("host"), 20, "the host's start")

    def expect(self, words, codes):
        """Has the program do something, which ends with one of the codes."""
        result = self.run([self.vault, *words])
        if result.returncode not in codes:
            text = result.stderr.decode(errors="replace").strip()
            raise Failed(f"tokenvault {' '.join(words)} ended with {result.returncode}: {text}")
        return result.returncode

    def sign_in(self):
        self.expect(["sign-in", "primary"], [0])

    def sign_out(self):
        # 75: the provider, which is away, is to hear of it later.
        self.expect(["sign-out", "primary"], [0, 75])

    def go_offline(self):
        """Takes the provider away and asks until the host has noticed."""
        self.stop_provider()
        wait_for(lambda: self.expect(["renew", "primary"], [0, 75]) == 75, 30, "offline")
