"""Readers beside a sweep: they must find each snapshot whole, and no generation before another."""

import json
import struct
import subprocess
import threading
import time

MAGIC = b"TVSNAP\x01\x00"


def fault(data):
    """Why bytes are no whole snapshot (FORMAT.md); None if they are one."""
    if data[:8] != MAGIC:
        return "magic"
    try:
        end = 12 + struct.unpack_from("<I", data, 8)[0]
        for _ in ("host box", "reader box"):
            end += 4 + struct.unpack_from("<I", data, end)[0]
    except struct.error:
        return "short"
    return None if end == len(data) else "length"


def account(data):
    """The fingerprint of a whole snapshot's account; None where it has none."""
    at = 12 + 16 + 8 + 2
    for _ in ("namespace", "access group"):
        at += 2 + struct.unpack_from("<H", data, at)[0]
    # The key's identifier, three times on two clocks, a boot.
    at += 8 + 8 + 8 + 16 + 8 + 8
    for _ in ("expiry", "issued at"):
        at += 1 + 8 * data[at]
    at += 2
    at += 1 + 8 * data[at]
    if data[at]:
        at += 2 + struct.unpack_from("<H", data, at + 1)[0]
    at += 1
    return data[at + 1:at + 17] if data[at] else None


class FileReader:
    """Reads the snapshot's bytes again and again."""

    def __init__(self, path):
        self.path = path
        self.reads = 0
        self.faults = []
        self.last = (b"", 0)
        self.account = None
        threading.Thread(target=self.loop, daemon=True).start()

    def loop(self):
        while True:
            self.read()
            time.sleep(0.002)

    def read(self):
        try:
            with open(self.path, "rb") as file:
                data = file.read()
        except FileNotFoundError:
            return
        self.reads += 1
        why = fault(data)
        if why:
            self.faults.append(f"torn: {why}")
            return
        life, generation = data[12:28], struct.unpack_from("<Q", data, 28)[0]
        if life == self.last[0] and generation < self.last[1]:
            self.faults.append(f"generation {generation} after {self.last[1]}")
        self.last = (life, generation)
        # One person signs in here, by one host: a lost key would give them another fingerprint.
        found = account(data)
        if found and self.account and found != self.account:
            self.faults.append("another account")
        self.account = found or self.account


class Widget:
    """`tokenvault watch`: opens and decrypts each snapshot as it comes."""

    BROKEN = ("corrupt", "unsupported", "permission", "key-unavailable", "storage")

    def __init__(self, program, environment):
        self.lines = 0
        self.faults = []
        self.process = subprocess.Popen(
            [program, "watch", "--format", "json"], env=environment, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        threading.Thread(target=self.loop, daemon=True).start()

    def loop(self):
        for line in self.process.stdout:
            self.lines += 1
            session = json.loads(line)["session"]
            if session.startswith(self.BROKEN):
                self.faults.append(f"a widget saw {session}")

    def stop(self):
        self.process.kill()
        self.process.wait()
