"""The accounts in the panel, as many as there are."""

import contextlib

from card import Card
from gi.repository import Gtk
from glibloop import follow
from tokenvault import Monitor, Vault


class Cards(Gtk.Box):
    """A card for each account, which follows it."""

    def __init__(self):
        super().__init__(orientation=Gtk.Orientation.VERTICAL, spacing=10, margin=14)
        self.vault, self.monitors = Vault(), {}

    def add_card(self, name):
        if name in self.monitors:
            return
        # What is no namespace's name is no account.
        with contextlib.suppress(RuntimeError):
            self.monitors[name] = Monitor(self.vault, name)
            card = Card(name)
            self.add(card)
            card.show_all()
            follow(self.monitors[name], card.show_state)
            self.scroll_many()

    def scroll_many(self):
        """Many accounts scroll; the height of few follows what they say."""
        window = self.get_parent()
        if len(self.monitors) != 5 or window is None:
            return
        scroll = Gtk.ScrolledWindow(hscrollbar_policy=Gtk.PolicyType.NEVER, min_content_height=640)
        window.remove(self)
        scroll.add(self)
        window.add(scroll)
        scroll.show_all()

    def close(self):
        for monitor in self.monitors.values():
            monitor.close()
        self.vault.close()
