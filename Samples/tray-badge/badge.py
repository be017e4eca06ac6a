#!/usr/bin/python3
"""A sign in the tray of the desktop, by StatusNotifierItem: the state of an account, and a menu.

  badge.py [NAMESPACE]

A click signs in where that is needed, a middle click renews, and the menu has the state and both. It
registers again whenever a bar with a tray comes back. Needs python3-gi, libtokenvault.so.0, and
`tokenvault` in PATH."""

import os
import sys

from gi.repository import GLib, Gio

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(HERE, "../python-panel"))
from glibloop import follow  # noqa: E402
from menu import Menu  # noqa: E402
from sign import picture  # noqa: E402
from tokenvault import Monitor, Vault, needs_person, severity  # noqa: E402

PATH, INTERFACE = "/StatusNotifierItem", "org.kde.StatusNotifierItem"
WATCHER = "org.kde.StatusNotifierWatcher"


class Badge:
    def __init__(self, bus, namespace):
        self.bus, self.namespace, self.state = bus, namespace, None
        self.name = f"{INTERFACE}-{os.getpid()}-1"
        self.menu = Menu(bus, self.run)
        with open(os.path.join(HERE, "interfaces.xml"), encoding="utf-8") as file:
            interface = Gio.DBusNodeInfo.new_for_xml(file.read()).lookup_interface(INTERFACE)
        bus.register_object(PATH, interface, self.called, self.property, None)
        Gio.bus_own_name_on_connection(bus, self.name, 0, None, None)

    def register(self, *_):
        """Tells a watcher of the sign: each one that comes, as a bar may start later or again."""
        self.bus.call(
            WATCHER, "/StatusNotifierWatcher", WATCHER, "RegisterStatusNotifierItem",
            GLib.Variant("(s)", (self.name,)), None, 0, -1, None, self.registered)

    def registered(self, bus, result):
        try:
            bus.call_finish(result)
        except GLib.Error as failure:
            print(f"badge: the tray does not take the sign: {failure.message}", file=sys.stderr)

    def show_state(self, state):
        self.state = state
        self.menu.show_state(self.title(), self.why(), needs_person(state))
        for signal in ("NewTitle", "NewIcon", "NewAttentionIcon", "NewToolTip", "NewStatus"):
            given = GLib.Variant("(s)", (self.status(),)) if signal == "NewStatus" else None
            self.bus.emit_signal(None, PATH, INTERFACE, signal, given)

    def status(self):
        """Attention is for what nobody chose, as a sign-out is, and what does not mend itself."""
        alarming = severity(self.state) == "critical" and self.state["session_word"] != "expired"
        return "NeedsAttention" if alarming else "Active"

    def title(self):
        session, host = self.state["session_word"], self.state["host_word"]
        name = self.state.get("account", self.namespace)
        said = f"{name if len(name) <= 48 else name[:47] + '…'}: {session}"
        return said if host in ("ok", "unknown") else f"{said}, host {host}"

    def why(self):
        """What is wrong and what to do; not how much time is left, as nobody counts that here."""
        reason = self.state.get("reason", "")
        if self.state["session_word"] in ("expiring", "expired"):
            reason = reason.partition("; ")[2]
        return "; ".join(text for text in (reason, self.state.get("next_step")) if text)

    def tooltip(self):
        """Some trays take it for markup: it has none of the signs."""
        return [text.replace("&", "+").replace("<", "(") for text in (self.title(), self.why())]

    def property(self, _bus, _sender, _path, _interface, name):
        if name.endswith("IconPixmap"):
            return picture(severity(self.state))
        kinds = {
            "Category": ("s", "ApplicationStatus"), "Id": ("s", f"tokenvault-{self.namespace}"),
            "Title": ("s", self.tooltip()[0]), "Status": ("s", self.status()), "WindowId": ("i", 0),
            "IconName": ("s", ""), "AttentionIconName": ("s", ""), "OverlayIconName": ("s", ""),
            "ToolTip": ("(sa(iiay)ss)", ("", [], *self.tooltip())),
            "ItemIsMenu": ("b", False), "Menu": ("o", Menu.PATH)}
        return GLib.Variant(*kinds[name])

    def called(self, _bus, _sender, _path, _interface, method, _arguments, invocation):
        invocation.return_value(None)
        if method == "Activate" and needs_person(self.state):
            self.run("sign-in")
        elif method == "SecondaryActivate":
            self.run("renew")

    def run(self, command):
        """What comes of it is a state, and shows as one."""
        words = ["tokenvault", command, self.namespace]
        try:
            Gio.Subprocess.new(words, Gio.SubprocessFlags.STDOUT_SILENCE)
        except GLib.Error as failure:
            print(f"badge: {failure.message}", file=sys.stderr)


def main(namespace="primary"):
    loop, monitor = GLib.MainLoop(), Monitor(Vault(), namespace)
    badge = Badge(Gio.bus_get_sync(Gio.BusType.SESSION), namespace)
    follow(monitor, badge.show_state)
    Gio.bus_watch_name_on_connection(badge.bus, WATCHER, 0, badge.register, None)
    for signal in (2, 15):
        GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal, loop.quit)
    loop.run()


try:
    main(*sys.argv[1:2])
except (RuntimeError, GLib.Error) as failure:
    sys.exit(f"badge: {failure}")
