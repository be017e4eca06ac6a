"""A monitor of tokenvault.py in a loop of GLib, as GTK has one."""

from gi.repository import GLib


def follow(monitor, show):
    """Shows the present state at once and then each change; nothing polls."""
    def take_all(*_):
        for state in monitor.news():
            show(state)
        return GLib.SOURCE_CONTINUE

    # All that is new has to be taken before the first wait.
    take_all()
    GLib.io_add_watch(monitor.fileno(), GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN, take_all)
