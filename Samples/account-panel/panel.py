#!/usr/bin/python3
"""A panel of the desktop: each account, its state, what is left of its token, and what to do.

  panel.py [--dark] [--light] [NAMESPACE]...    without names, those that are published

A layer of the desktop where there is gtk-layer-shell and a compositor that knows it, else a window.
Escape closes it, Alt with the underlined letter presses a button. Needs python3-gi, gir1.2-gtk-3.0,
gir1.2-gtklayershell-0.1, libtokenvault.so.0, and `tokenvault` in PATH."""

import json
import os
import subprocess
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(HERE, "../python-panel"))
from card import Card  # noqa: E402
from glibloop import follow  # noqa: E402
from notice import label  # noqa: E402
from tokenvault import Monitor, Vault  # noqa: E402


def published():
    """The namespaces that there are; primary where nobody has ever signed in."""
    try:
        told = subprocess.run(["tokenvault", "status", "--json"], capture_output=True, check=False)
        names = [of["namespace"] for of in json.loads(told.stdout)["namespaces"]]
    except (OSError, ValueError, KeyError):
        names = []
    return names or ["primary"]


def as_layer(window):
    """Makes the window a layer at the upper right; False where there are none, as under X."""
    try:
        gi.require_version("GtkLayerShell", "0.1")
        from gi.repository import GtkLayerShell as Layer
    except (ImportError, ValueError):
        return False
    if not Layer.is_supported():
        return False
    Layer.init_for_window(window)
    Layer.set_namespace(window, "tokenvault-panel")
    Layer.set_layer(window, Layer.Layer.TOP)
    Layer.set_keyboard_mode(window, Layer.KeyboardMode.ON_DEMAND)
    for edge in (Layer.Edge.TOP, Layer.Edge.RIGHT):
        Layer.set_anchor(window, edge, True)
        Layer.set_margin(window, edge, 12)
    return True


def style(words):
    settings = Gtk.Settings.get_default()
    if "--dark" in words or "--light" in words:
        settings.set_property("gtk-application-prefer-dark-theme", "--dark" in words)
    provider = Gtk.CssProvider()
    provider.load_from_path(os.path.join(HERE, "look.css"))
    Gtk.StyleContext.add_provider_for_screen(
        Gdk.Screen.get_default(), provider, Gtk.STYLE_PROVIDER_PRIORITY_APPLICATION)


def watch(vault, namespace, card):
    """Shows each change on the card."""
    monitor = Monitor(vault, namespace)
    follow(monitor, card.show_state)
    return monitor


def main(words):
    names = [word for word in words if not word.startswith("--")] or published()
    style(words)
    window = Gtk.Window(title="Accounts", resizable=False)
    window.set_icon_name("dialog-password")
    window.get_style_context().add_class("tokenvault")
    is_layer = as_layer(window)
    window.connect("destroy", Gtk.main_quit)
    window.connect("key-press-event", lambda _, event: (
        event.keyval == Gdk.KEY_Escape and (window.destroy() or True)))
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=10, margin=14)
    # A window has a title already.
    if is_layer:
        window.get_style_context().add_class("layer")
        box.add(label("heading", label="Accounts"))
    vault = Vault()
    monitors = []
    for name in names:
        card = Card(name)
        box.add(card)
        monitors.append(watch(vault, name, card))
    # Many accounts scroll; the height of few follows what they say.
    if len(names) > 4:
        scroll = Gtk.ScrolledWindow(hscrollbar_policy=Gtk.PolicyType.NEVER, min_content_height=640)
        scroll.add(box)
        box = scroll
    window.add(box)
    window.show_all()
    # A higher priority than GDK's would leave its read of the socket begun, and the end waiting.
    for signal in (2, 15):
        GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal, Gtk.main_quit)
    Gtk.main()
    for monitor in monitors:
        monitor.close()
    vault.close()


try:
    main(sys.argv[1:])
except RuntimeError as failure:
    sys.exit(f"panel: {failure}")
