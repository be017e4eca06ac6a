#!/usr/bin/python3
"""A panel of the desktop: each account, its state, what is left of its token, and what to do.

  panel.py [--dark] [--light] [NAMESPACE]...    without names, those that are
                                                published, and those that come later

A layer of the desktop where there is gtk-layer-shell and a compositor that knows it, else a window.
Escape closes it, Alt with the underlined letter presses a button. Needs python3-gi, gir1.2-gtk-3.0,
gir1.2-gtklayershell-0.1, libtokenvault.so.0, and `tokenvault` in PATH."""

import os
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(HERE, "../python-panel"))
from accounts import Newcomers, published  # noqa: E402
from cards import Cards  # noqa: E402
from notice import label  # noqa: E402


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


def main(words):
    names = [word for word in words if not word.startswith("--")]
    style(words)
    window = Gtk.Window(title="Accounts", resizable=False)
    window.set_icon_name("dialog-password")
    window.get_style_context().add_class("tokenvault")
    is_layer = as_layer(window)
    window.connect("destroy", Gtk.main_quit)
    window.connect("key-press-event", lambda _, event: (
        event.keyval == Gdk.KEY_Escape and (window.destroy() or True)))
    cards = Cards()
    # A window has a title already.
    if is_layer:
        window.get_style_context().add_class("layer")
        cards.add(label("heading", label="Accounts"))
    window.add(cards)
    for name in names or published():
        cards.add_card(name)
    # Whoever names accounts wants no others.
    newcomers = None if names else Newcomers(cards.add_card)  # noqa: F841
    window.show_all()
    # A higher priority than GDK's would leave its read of the socket begun, and the end waiting.
    for signal in (2, 15):
        GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal, Gtk.main_quit)
    Gtk.main()
    cards.close()


try:
    main(sys.argv[1:])
except RuntimeError as failure:
    sys.exit(f"panel: {failure}")
