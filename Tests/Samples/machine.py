"""What is run here, and beside it a provider and a host, or a simulated host, in a directory."""

import atexit
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
sys.path.append(f"{ROOT}/Tests/Waiting")
from waiting import wait_for  # noqa: E402

PROGRAMS = os.environ.get("TOKENVAULT_PROGRAMS", f"{ROOT}/.build/debug")
LIBRARY = os.environ.get("TOKENVAULT_LIBRARY", f"{ROOT}/.build/library/release/libtokenvault-c.so")
NAMES = ("tokenvault", "tokenvault-host", "tokenvault-simulate", "development-provider")
HERE = os.path.dirname(os.path.realpath(__file__))
SHOTS = f"{ROOT}/.build/screenshots"


for needed in NAMES:
    if not os.path.exists(f"{PROGRAMS}/{needed}"):
        sys.exit(f"{PROGRAMS}/{needed} is not there; make build")
# Whatever ends this ends, on its way out, what was started.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


def reachable():
    """Where samples, programs and library are for all users: root's own tree may be shut to others."""
    if os.getuid() != 0:
        return f"{ROOT}/Samples", PROGRAMS, LIBRARY
    stage = tempfile.mkdtemp(prefix="tokenvault-samples.")
    atexit.register(shutil.rmtree, stage, ignore_errors=True)
    os.chmod(stage, 0o755)
    shutil.copytree(f"{ROOT}/Samples", f"{stage}/Samples")
    os.mkdir(f"{stage}/bin", 0o755)
    for name in NAMES:
        shutil.copy(f"{PROGRAMS}/{name}", f"{stage}/bin/{name}")
    if os.path.exists(LIBRARY):
        shutil.copy(LIBRARY, f"{stage}/libtokenvault.so.0")
    return f"{stage}/Samples", f"{stage}/bin", f"{stage}/libtokenvault.so.0"


SAMPLES, PROGRAMS, LIBRARY = reachable()


def sample(path):
    return f"{SAMPLES}/{path}"


def expect(truth, *told):
    if not truth:
        raise AssertionError(" ".join(str(part) for part in told))


def until(question, what, seconds=20):
    """Asks until the answer is yes; the samples run beside this one and have no gate to wait at."""
    return wait_for(question, seconds, what, pause=0.05)


def run_cases(cases):
    """Runs cases, or those whose names have one of the command line's words, and ends the program."""
    failed, count = [], 0
    for case in cases:
        name = case.__name__.replace("_", " ")
        if sys.argv[1:] and not any(word in name for word in sys.argv[1:]):
            continue
        began, count = time.monotonic(), count + 1
        try:
            case()
            print(f"ok   {name} ({time.monotonic() - began:.1f} s)", flush=True)
        except Exception:
            failed.append(name)
            traceback.print_exc()
            print(f"FAIL {name}", flush=True)
    if failed:
        print(f"failed: {'; '.join(failed)}", file=sys.stderr)
    if not count:
        print(f"no case has one of these in its name: {' '.join(sys.argv[1:])}", file=sys.stderr)
        sys.exit(64)
    sys.exit(1 if failed else 0)


def plain_user():
    """A user who is not root, as sway does not run as root; None where we are one."""
    return None if os.getuid() != 0 else 65534


class Machine:
    """A private directory, an environment that knows nothing of the person's own, and children."""

    def __init__(self, user=None):
        self.prefix = [] if user is None else [
            "setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--inh-caps=-all"]
        self.path = tempfile.mkdtemp(prefix="tokenvault-samples.")
        os.symlink(os.path.realpath(LIBRARY), f"{self.path}/libtokenvault.so.0")
        if user is not None:
            os.chown(self.path, user, user)
        self.children = []
        self.environment = {
            "PATH": f"{PROGRAMS}:{os.environ['PATH']}", "HOME": self.path,
            "LD_LIBRARY_PATH": ":".join([self.path, os.environ.get("LD_LIBRARY_PATH", "")]),
            "LC_ALL": "C.UTF-8", "XDG_CACHE_HOME": f"{self.path}/cache",
            "TOKENVAULT_RUNTIME_DIR": f"{self.path}/run", "PYTHONDONTWRITEBYTECODE": "1"}

    def __enter__(self):
        return self

    @contextlib.contextmanager
    def making(self):
        """Leaves nothing behind where a machine is not made to the end, so that nobody has it."""
        try:
            yield
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_):
        for child in reversed(self.children):
            if child.poll() is None:
                child.send_signal(signal.SIGTERM)
                try:
                    child.wait(5)
                except subprocess.TimeoutExpired:
                    child.kill()
        if sys.exc_info()[0]:
            for name in sorted(os.listdir(self.path)):
                if name.endswith(".log"):
                    print(f"--- {name}\n{self.text(name)[-2000:]}", file=sys.stderr)
        shutil.rmtree(self.path, ignore_errors=True)

    def start(self, name, *words, **more):
        """A child with its output in NAME.out and NAME.log."""
        with open(f"{self.path}/{name}.out", "w") as out, open(f"{self.path}/{name}.log", "a") as log:
            child = subprocess.Popen(
                [*self.prefix, *words],
                **{"env": self.environment, "stdout": out, "stderr": log,
                   "stdin": subprocess.DEVNULL} | more)
        self.children.append(child)
        return child

    def run(self, *words, seconds=30, env=None):
        return subprocess.run([*self.prefix, *words], capture_output=True, text=True, check=False,
                              timeout=seconds, env=env or self.environment, stdin=subprocess.DEVNULL)

    def text(self, name):
        with open(f"{self.path}/{name}", errors="replace") as file:
            return file.read()


class RealMachine(Machine):
    """The development provider and a host, where alice is signed in."""

    def __init__(self, *options, signs_in=True, user=None, without=()):
        super().__init__(user)
        with self.making():
            self.provider = self.start("provider", "development-provider", "--auto-approve", "-v", *options)
            until(lambda: "scopes" in self.text("provider.out"), "a provider")
            self.issuer = self.text("provider.out").split('issuer = "')[1].split('"')[0]
            self.url = f"{self.issuer}/userinfo"
            self.environment |= {
                "TOKENVAULT_CONFIG": f"{self.path}/provider.out",
                "TOKENVAULT_STATE_DIR": f"{self.path}/state", "TOKENVAULT_KEY_DIR": f"{self.path}/keys",
                "BROWSER": sample("demo/browser")}
            for name in without:
                del self.environment[name]
            self.start_host()
            if signs_in:
                self.sign_in()

    def start_host(self):
        before = self.text("host.log").count("ready") if hasattr(self, "host") else 0
        self.host = self.start("host", "tokenvault-host")
        until(lambda: self.text("host.log").count("ready") > before, "a host")

    def restart_host(self):
        """Has a host that renews at once when it is asked: what it did before counts no more."""
        self.host.send_signal(signal.SIGTERM)
        expect(self.host.wait(20) == 0, "the host's end")
        self.start_host()

    def sign_in(self):
        done = self.run("tokenvault", "sign-in", "primary", "--flow", "browser")
        expect(done.returncode == 0, done.stderr)

    def outage(self):
        """Begins an outage of the provider, or ends it."""
        self.provider.send_signal(signal.SIGUSR1)
        time.sleep(0.2)

    def asked(self, what):
        """How often the provider was asked for something so far, such as `userinfo`."""
        return sum(f" {what} " in f"{line} " for line in self.text("provider.log").splitlines())


class SimulatedMachine(Machine):
    """A host that is played: no provider, and made-up tokens."""

    def __init__(self, user=None):
        super().__init__(user)
        os.mkdir(f"{self.path}/run", 0o700)
        if user is not None:
            os.chown(f"{self.path}/run", user, user)
        with self.making():
            self.simulation = self.start(
                "simulate", "tokenvault", "simulate", "set", "--in", f"{self.path}/run", "valid",
                stdin=subprocess.PIPE)
            until(lambda: "primary: valid" in self.text("simulate.log"), "a simulated host")

    def show(self, *states):
        for state in states:
            self.simulation.stdin.write(f"{state}\n".encode())
            self.simulation.stdin.flush()
