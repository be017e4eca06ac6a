"""A session bus and an X server for one machine."""

import os

from machine import until


def bus_for(machine):
    """A session bus without the person's own services."""
    bus = machine.start("bus", "dbus-daemon", "--session", "--nofork", "--print-address")
    address = until(lambda: machine.text("bus.out").strip(), "a bus")
    machine.environment |= {"DBUS_SESSION_BUS_ADDRESS": address, "GSETTINGS_BACKEND": "memory",
                            "XDG_RUNTIME_DIR": machine.path}
    return bus


def display_for(machine):
    read, write = os.pipe()
    server = machine.start("xvfb", "Xvfb", "-displayfd", str(write), "-screen", "0", "480x330x24",
                           "-nolisten", "tcp", "-noreset", pass_fds=[write])
    os.close(write)
    with os.fdopen(read) as file:
        machine.environment |= {"DISPLAY": f":{file.readline().strip()}", "GDK_BACKEND": "x11"}
    return server
