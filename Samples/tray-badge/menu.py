"""The menu of the sign, by com.canonical.dbusmenu: what the state is, and what can be done."""

import os

from gi.repository import GLib, Gio

INTERFACE = "com.canonical.dbusmenu"
ROOT, TITLE, REASON, LINE, RENEW, SIGN_IN = range(6)
COMMANDS = {RENEW: "renew", SIGN_IN: "sign-in"}


class Menu:
    PATH = "/MenuBar"

    def __init__(self, bus, run):
        self.bus, self.run, self.revision, self.items = bus, run, 0, {ROOT: {}}
        path = os.path.join(os.path.dirname(os.path.realpath(__file__)), "interfaces.xml")
        with open(path, encoding="utf-8") as file:
            interface = Gio.DBusNodeInfo.new_for_xml(file.read()).lookup_interface(INTERFACE)
        bus.register_object(self.PATH, interface, self.called, self.property, None)

    def show_state(self, title, why, needs_person):
        self.items = {
            ROOT: {"children-display": GLib.Variant("s", "submenu")},
            TITLE: self.entry(title, enabled=False),
            REASON: self.entry(why, enabled=False, visible=bool(why)),
            LINE: {"type": GLib.Variant("s", "separator")},
            RENEW: self.entry("Renew", enabled=not needs_person),
            SIGN_IN: self.entry("Sign in"),
        }
        self.revision += 1
        self.bus.emit_signal(None, self.PATH, INTERFACE, "LayoutUpdated",
                             GLib.Variant("(ui)", (self.revision, ROOT)))

    def entry(self, text, enabled=True, visible=True):
        # A single underscore would underline the letter behind it.
        return {"label": GLib.Variant("s", text.replace("_", "__")),
                "enabled": GLib.Variant("b", enabled), "visible": GLib.Variant("b", visible)}

    def layout(self, item, names):
        """An item with the properties that are asked for, all without names, and what is in it."""
        inside = [GLib.Variant("(ia{sv}av)", self.layout(child, names))
                  for child in self.items if item == ROOT and child != ROOT]
        return item, self.properties(item, names), inside

    def properties(self, item, names):
        return {name: value for name, value in self.items.get(item, {}).items()
                if not names or name in names}

    def act(self, item, event):
        if event == "clicked" and item in COMMANDS:
            self.run(COMMANDS[item])

    def called(self, _bus, _sender, _path, _interface, method, arguments, invocation):
        given = arguments.unpack()
        answer = None
        if method == "GetLayout":
            item, _, names = given
            answer = GLib.Variant("(u(ia{sv}av))", (self.revision, self.layout(item, names)))
        elif method == "GetGroupProperties":
            items, names = given
            found = [(item, self.properties(item, names)) for item in items or self.items]
            answer = GLib.Variant("(a(ia{sv}))", (found,))
        elif method == "GetProperty":
            value = self.items.get(given[0], {}).get(given[1], GLib.Variant("s", ""))
            answer = GLib.Variant("(v)", (value,))
        elif method == "Event":
            self.act(*given[:2])
        elif method == "EventGroup":
            for event in given[0]:
                self.act(*event[:2])
            answer = GLib.Variant("(ai)", ([],))
        elif method == "AboutToShow":
            answer = GLib.Variant("(b)", (False,))
        elif method == "AboutToShowGroup":
            answer = GLib.Variant("(aiai)", ([], []))
        invocation.return_value(answer)

    def property(self, _bus, _sender, _path, _interface, name):
        kinds = {"Version": ("u", 3), "TextDirection": ("s", "ltr"), "Status": ("s", "normal"),
                 "IconThemePath": ("as", [])}
        return GLib.Variant(*kinds[name])
