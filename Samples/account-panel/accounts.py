"""Which accounts there are, and which come later."""

import json
import os
import subprocess

from gi.repository import Gio


def published():
    """The namespaces that there are; primary where nobody has ever signed in."""
    try:
        told = subprocess.run(["tokenvault", "status", "--json"], capture_output=True, check=False)
        names = [of["namespace"] for of in json.loads(told.stdout)["namespaces"]]
    except (OSError, ValueError, KeyError):
        names = []
    return names or ["primary"]


def place():
    """The directory with one for each namespace, in the first runtime directory that there is."""
    of = os.environ.get
    home = of("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    state = of("TOKENVAULT_STATE_DIR") or f"{home}/tokenvault"
    own = of("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}"
    runtime = [f"{own}/tokenvault", f"{state}/run", "/run/tokenvault"]
    if of("TOKENVAULT_RUNTIME_DIR"):
        runtime = [of("TOKENVAULT_RUNTIME_DIR")]
    found = next((path for path in runtime if os.path.isdir(path)), runtime[0])
    return f"{found}/groups/default/ns"


class Newcomers:
    """Tells of each namespace that has a directory, at once and when one comes; nothing polls."""

    def __init__(self, found):
        self.found, self.place = found, place()
        self.watched = self.monitor = None
        self.look()

    def look(self, _monitor=None, file=None, _other=None, event=None):
        # A directory that has gone is watched for where it was, and so is one that is not there yet.
        if event == Gio.FileMonitorEvent.DELETED and file.get_path() == self.watched:
            self.watched = None
        while self.watched != (path := self.nearest()):
            if self.monitor:
                self.monitor.cancel()
            self.watched = path
            self.monitor = Gio.File.new_for_path(path).monitor_directory(Gio.FileMonitorFlags.NONE)
            self.monitor.connect("changed", self.look)
        if self.watched == self.place:
            for name in sorted(os.listdir(self.place)):
                self.found(name)

    def nearest(self):
        path = self.place
        while not os.path.isdir(path):
            path = os.path.dirname(path)
        return path
