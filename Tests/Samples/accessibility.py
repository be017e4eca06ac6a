"""What AT-SPI tells of the programs on a bus, as a screen reader hears it."""

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402


def parts(of):
    """A part and what is in it, as far as it is to be seen."""
    if of is None:
        return
    of.clear_cache()
    if of.get_state_set().contains(Atspi.StateType.SHOWING) or of.get_role_name() == "application":
        yield of
        for index in range(of.get_child_count()):
            yield from parts(of.get_child_at_index(index))


def all_parts():
    desktop = Atspi.get_desktop(0)
    desktop.clear_cache()
    for index in range(desktop.get_child_count()):
        yield from parts(desktop.get_child_at_index(index))
