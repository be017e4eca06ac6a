"""What is left of a token's life, as a bar and in words."""

import math
import time

from gi.repository import GLib, Gtk
from tokenvault import needs_person


def span(seconds):
    """A time as people say it: in seconds only where less than a minute is left."""
    if seconds < 60:
        return f"{math.ceil(seconds)} s"
    minutes = math.ceil(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"


def clock(seconds):
    return time.strftime("%H:%M", time.localtime(seconds))


def renewed_by(state):
    """When another token is there at the latest: at the host's next publication, unless that is only to
    show, six hours after the last one, that it still runs."""
    due, end = state.get("next_publication_by"), state["expires_at"]
    return end if due is None or due - state["published_at"] >= 6 * 3600 else min(due, end)


class Countdown(Gtk.Box):
    def __init__(self):
        super().__init__(orientation=Gtk.Orientation.VERTICAL, spacing=6)
        self.level = Gtk.LevelBar(max_value=1)
        for offset in ("low", "high", "full"):
            self.level.remove_offset_value(offset)
        self.level.get_accessible().set_name("What is left of the token's life")
        self.time = Gtk.Label(xalign=0)
        self.time.get_style_context().add_class("dim")
        self.end = self.start = self.deadline = None
        self.renewal, self.timer = None, 0
        for part in (self.level, self.time):
            part.show()
            self.add(part)
        self.connect("map", lambda _: self.tick())

    def show_state(self, state):
        # A snapshot of the same token is published anew when the host's condition changes.
        if state.get("expires_at") != self.end:
            self.end, self.start = state.get("expires_at"), state.get("published_at")
        left = state.get("expires_in")
        self.deadline = None if left is None else time.monotonic() + left
        renews = left is not None and state["host_word"] == "ok"
        self.renewal = renewed_by(state) if renews else None
        self.set_visible(left is not None and not needs_person(state))
        self.tick()

    def tick(self):
        """Shows what is left, and comes again when that is another text: each minute, in the last one
        each second, and never while the window does not show it."""
        if self.timer:
            GLib.source_remove(self.timer)
            self.timer = 0
        if self.deadline is None:
            return
        left = self.deadline - time.monotonic()
        self.level.set_value(min(1, max(0, left / max(1, self.end - self.start))))
        if left <= 0:
            self.time.set_text(f"The token ended at {clock(self.end)}")
            return
        then = f"ends at {clock(self.end)}" if self.renewal is None else (
            f"renewed by {clock(self.renewal)}")
        self.time.set_text(f"{span(left)} left, {then}")
        if self.get_mapped():
            pause = left % 1 if left < 60 else left % 60
            self.timer = GLib.timeout_add(int(pause * 1000) + 10, self.again)

    def again(self):
        self.timer = 0
        self.tick()
        return GLib.SOURCE_REMOVE
