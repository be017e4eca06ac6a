"""The real programs on one machine: Glewlwyd, the host, the command of the people."""

import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests/Waiting"))
from waiting import Failed as Broken, wait_for  # noqa: E402

CLIENT, SECRET = "confidential", "client-secret"
# Where what opens the master key can be kept here.
KEYS = ("file", "credential")
KEPT = re.compile(r'made with keyStorage = "(\w+)"')


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Provider:
    """Glewlwyd with refresh tokens for one use."""

    def __init__(self, work):
        self.directory = work / "glewlwyd"
        self.directory.mkdir(mode=0o700)
        self.redirect = f"http://127.0.0.1:{free_port()}/callback"
        environment = dict(
            os.environ, PORT=str(free_port()), REDIRECTS=self.redirect,
            ACCESS_TOKEN_LIFETIME="3600", REFRESH_TOKEN_LIFETIME="86400")
        complaints = work / "glewlwyd.errors"
        with open(complaints, "w") as errors:
            self.process = subprocess.Popen(
                [ROOT / "Tests/Providers/glewlwyd", "run", self.directory], env=environment,
                text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors)
        line = self.process.stdout.readline()
        if not line.startswith("ready "):
            raise Broken(f"Glewlwyd does not start: {complaints.read_text()}")
        self.issuer = line.split()[1]

    def stop(self):
        self.process.stdin.close()
        self.process.wait()

    def sql(self, text):
        return subprocess.run(
            ["sqlite3", "-cmd", ".timeout 5000", self.directory / "glewlwyd.db", text], text=True,
            capture_output=True, check=True).stdout.strip()

    def live_grants(self):
        """How many refresh tokens it would still take."""
        return int(self.sql("SELECT count(*) FROM gpo_refresh_token WHERE gpor_enabled = 1"))

    def forget_grants(self):
        self.sql("UPDATE gpo_refresh_token SET gpor_enabled = 0")

    def takes(self, access_token):
        request = urllib.request.Request(
            self.issuer + "/userinfo", headers={"Authorization": "Bearer " + access_token})
        try:
            with urllib.request.urlopen(request, timeout=20) as response:
                return response.status == 200
        except urllib.error.HTTPError:
            return False

    def person(self, url):
        """Signs in at a URL and returns where the browser is sent back to."""
        result = subprocess.run(
            [ROOT / "Tests/Providers/person", "--no-deliver", url], text=True, capture_output=True,
            timeout=60)
        if result.returncode:
            raise Broken(result.stderr.strip())
        return result.stdout.split()[0]


class Machine:
    """A home in which the host and the command run."""

    def __init__(self, work, products, provider, gateway):
        self.work, self.products, self.provider = work, pathlib.Path(products), provider
        self.home = work / "home"
        self.home.mkdir(mode=0o700)
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.home),
            "TOKENVAULT_CONFIG": str(self.home / "config.toml"),
            "TOKENVAULT_STATE_DIR": str(self.home / "state"),
            "TOKENVAULT_KEY_DIR": str(self.home / "keys"),
            "TOKENVAULT_RUNTIME_DIR": str(self.home / "run"),
            "CREDENTIALS_DIRECTORY": str(self.home / "credentials"),
        }
        self.snapshot = self.home / "run/groups/default/ns/primary/session"
        self.namespace = f"""[namespaces.primary]
issuer = "{provider.issuer}"
clientId = "{CLIENT}"
clientSecret = "{SECRET}"
scopes = ["openid", "profile", "offline_access"]
redirect = "{provider.redirect}"
endpoints = {{ token = "{gateway.base}/token", revocation = "{gateway.base}/revoke" }}
"""
        (self.home / "credentials").mkdir(mode=0o700)
        key = subprocess.run(
            [self.products / "tokenvault-host", "new-key"], capture_output=True, check=True).stdout
        self.write("credentials/tokenvault-key", key)
        self.kept = "file"
        self.configure(self.kept)
        self.host = None

    def write(self, name, data):
        """Writes a file that only its owner reads."""
        (self.home / name).write_bytes(data)
        (self.home / name).chmod(0o600)

    def configure(self, key):
        """Says where what opens the key is to be kept."""
        self.write("config.toml", f'keyStorage = "{key}"\n{self.namespace}'.encode())

    def log(self):
        """What the last host has said."""
        return (self.work / "host.log").read_text()

    def start(self, environment=None):
        log = self.work / "host.log"
        with open(log, "w") as output:
            self.host = subprocess.Popen(
                [self.products / "tokenvault-host"], env=self.environment | (environment or {}),
                stdin=subprocess.DEVNULL, stdout=output, stderr=output)

        def is_ready():
            if self.host.poll() is not None:
                raise Broken(f"the host does not start: {log.read_text()}")
            return "ready\n" in log.read_text()
        wait_for(is_ready, 20, "the host's start")
        # A thread that has just begun bears the process's name still.
        wait_for(lambda: "control.1" in self.threads(), 20, "the host's threads")

    def wait_until_idle(self):
        """Waits until the host has nothing left to do: what a sign-in replaced is revoked, say."""
        main = pathlib.Path(f"/proc/{self.host.pid}/task/{self.host.pid}")

        def switches():
            if any(name.startswith("tv-transfer") for name in self.threads()):
                return None
            lines = (main / "status").read_text().splitlines()
            words = dict(line.split(":", 1) for line in lines)
            is_asleep = words["State"].strip().startswith("S")
            return words["voluntary_ctxt_switches"].strip() if is_asleep else None

        def has_slept():
            before = switches()
            time.sleep(0.03)
            return before is not None and before == switches()
        wait_for(has_slept, 20, "an idle host")

    def start_as_kept(self):
        """Starts the host where its key is kept; it refuses any other place and says which it is."""
        starting, named = [], []
        for key in KEYS:
            self.configure(key)
            try:
                self.start()
            except Broken as refusal:
                named += KEPT.findall(str(refusal))
            else:
                starting.append(key)
            self.kill()
        if len(starting) != 1 or named != starting:
            raise Broken(f"it starts with {starting}, and says that it was made with {named}")
        self.kept = starting[0]
        self.configure(self.kept)
        self.start()

    @property
    def is_running(self):
        return self.host is not None and self.host.poll() is None

    def kill(self):
        if self.is_running:
            self.host.kill()
            self.host.wait()

    def stop(self):
        self.host.terminate()
        try:
            return self.host.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()
            return None

    def rekey(self, *tracer):
        """Starts `tokenvault-host rekey`, which moves the key to where it is to be kept."""
        return subprocess.Popen(
            [*tracer, self.products / "tokenvault-host", "rekey"], env=self.environment, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def command(self, *arguments):
        """Starts `tokenvault`."""
        return subprocess.Popen(
            [self.products / "tokenvault", *arguments], env=self.environment, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, *arguments):
        """Runs `tokenvault` to its end: its status and its standard output."""
        command = self.command(*arguments)
        try:
            output, self.complaint = command.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            command.kill()
            command.communicate()
            raise Broken(f"tokenvault {' '.join(arguments)} does not end") from None
        return command.returncode, output

    def status(self):
        _, output = self.run("status", "--json")
        return json.loads(output)["namespaces"][0]

    def begin_sign_in(self):
        """Starts a sign-in up to its last step: the command, and the redirect to be delivered."""
        command = self.command("sign-in", "primary", "--json", "--no-browser")
        line = command.stdout.readline()
        if not line:
            raise Broken(f"no sign-in: {command.stderr.read()}")
        event = json.loads(line)
        if event["event"] != "authorize":
            raise Broken(f"no sign-in: {line}")
        return command, self.provider.person(event["url"])

    def sign_in(self):
        command, redirect = self.begin_sign_in()
        deliver(redirect, command)
        command.communicate(timeout=60)
        if command.returncode:
            raise Broken("the sign-in failed")

    def leftovers(self):
        """Temporary files of writes, and keys and stores of key changes, that were not completed."""
        patterns = ("state/**/.*.tmp", "run/**/.*.tmp", "keys/**/.*.tmp", "state/store.*",
                    "keys/master.key.*")
        return [str(path.relative_to(self.home))
                for pattern in patterns for path in self.home.glob(pattern)]

    def remove_leftovers(self):
        """Takes them away, so that they are not found again after the next point."""
        for name in self.leftovers():
            path = self.home / name
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)

    def threads(self):
        """The host's threads: name and number in the order of their start -> thread id."""
        found, seen = {}, {}
        tasks = pathlib.Path(f"/proc/{self.host.pid}/task")
        for tid in sorted(int(path.name) for path in tasks.iterdir()):
            try:
                name = (tasks / str(tid) / "comm").read_text().strip()
            except (FileNotFoundError, ProcessLookupError):
                continue
            seen[name] = seen.get(name, 0) + 1
            found[f"{name}.{seen[name]}"] = tid
        return found


def deliver(redirect, command):
    """Goes to a redirect's address, as the browser does, and once more where nothing answers."""
    while command.poll() is None:
        try:
            with urllib.request.urlopen(redirect, timeout=30) as response:
                response.read()
                return
        except urllib.error.HTTPError:
            # The host refused: its command says so too.
            return
        except OSError:
            time.sleep(0.3)
