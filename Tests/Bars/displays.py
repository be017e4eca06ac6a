"""Screens without a monitor: a headless sway, an X server in memory, a terminal in a terminal."""

import os
import re

from pointer import Pointer
from screen import Picture, TerminalText
from vault import Failed, wait_for

# Bars are at the top; the pointer's arrow rests below what is looked at.
WIDTH, HEIGHT, SEEN = 900, 120, 36


class Sway:
    """sway with one output that exists nowhere."""

    def __init__(self, machine, configuration="", height=HEIGHT):
        self.machine, self.height = machine, height
        path = machine.write(
            "sway.conf",
            f"xwayland disable\noutput HEADLESS-1 resolution {WIDTH}x{height} position 0,0\n"
            f"output HEADLESS-1 background #000000 solid_color\n{configuration}")
        machine.start(["sway", "-c", path], "sway", {
            "WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1"})
        xdg = machine.root / "xdg"

        def socket():
            names = [name for name in os.listdir(xdg) if re.fullmatch(r"wayland-\d+", name)]
            return names[0] if names and list(xdg.glob("sway-ipc.*.sock")) else None

        name = wait_for(socket, 20, "sway's start")
        machine.environment |= {
            "WAYLAND_DISPLAY": name, "SWAYSOCK": str(next(xdg.glob("sway-ipc.*.sock"))),
            "GDK_BACKEND": "wayland", "XDG_SESSION_TYPE": "wayland"}
        self.pointer = Pointer(xdg / name, WIDTH, height)

    def look(self, top=0, bottom=SEEN):
        """What there is between two heights."""
        area = f"0,{top} {WIDTH}x{bottom - top}"
        shot = self.machine.run(["grim", "-g", area, "-t", "ppm", "-"])
        if shot.returncode:
            raise Failed(f"grim: {shot.stderr.decode(errors='replace').strip()}")
        return Picture(shot.stdout)

    def click(self, x, y, button):
        self.pointer.click(x, y, button)
        # Away from the text, where the arrow and a tooltip would hide some of it.
        self.point(0, self.height - 1)

    def point(self, x, y):
        self.pointer.move(x, y)

    def stop(self):
        self.pointer.close()


class XServer:
    """Xvfb, whose screen is memory; with a window manager where a bar waits for one."""

    def __init__(self, machine, manager=None, height=HEIGHT):
        self.machine, self.height = machine, height
        reading, writing = os.pipe()
        machine.start(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{WIDTH}x{height}x24", "-br",
             "-nolisten", "tcp", "-noreset"], "xvfb", pass_fds=[writing])
        os.close(writing)
        with os.fdopen(reading) as display:
            number = display.readline().strip()
        if not number:
            raise Failed(f"Xvfb does not start: {machine.log('xvfb').strip()}")
        machine.environment |= {"DISPLAY": f":{number}", "GDK_BACKEND": "x11"}
        if manager:
            machine.start(["i3", "-c", manager], "i3")
            wait_for(lambda: b"_NET" in machine.run(["xprop", "-root", "_NET_SUPPORTED"]).stdout,
                     20, "i3's start")

    def look(self, top=0, bottom=SEEN):
        """What there is between two heights."""
        area = f"{WIDTH}x{bottom - top}+0+{top}"
        shot = self.machine.run(["import", "-silent", "-window", "root", "-crop", area, "+repage",
                                 "-depth", "8", "ppm:-"])
        if shot.returncode:
            raise Failed(f"import: {shot.stderr.decode(errors='replace').strip()}")
        return Picture(shot.stdout)

    def click(self, x, y, button):
        self.machine.run(["xdotool", "mousemove", str(x), str(y), "click", str(button),
                          "mousemove", "0", str(self.height - 1)])

    def point(self, x, y):
        self.machine.run(["xdotool", "mousemove", str(x), str(y)])

    def stop(self):
        pass


class Terminal:
    """A tmux that nobody looks at; the one inside is what is shown."""

    def __init__(self, machine):
        self.machine = machine

    def look(self):
        shot = self.machine.run(["tmux", "-L", "outer", "capture-pane", "-p", "-e"])
        return TerminalText(shot.stdout)

    def stop(self):
        for name in ("inner", "outer"):
            self.machine.run(["tmux", "-L", name, "kill-server"])
