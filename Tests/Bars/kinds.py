"""The bars: how each is started with its sample's configuration, and what it can do."""

import pathlib
import shlex

from displays import Sway, Terminal, XServer
from vault import wait_for

AMBER, GREY = "#e5a50a", "#8a8f98"


class Bar:
    """What bars have in common."""

    name = ""
    # Programs without which it cannot be run.
    needs = ("Xvfb", "import", "convert", "tesseract", "xdotool", "xprop")
    # The mouse buttons for the status's window, for signing in and for a renewal; 0 where a bar has
    # none.
    status_button, sign_in_button, renew_button = 1, 1, 2
    # Whether each record is a program's whole life, so that there is no reader to be left behind.
    polls = False

    def __init__(self, machine):
        self.machine = machine
        self.display = None

    def start(self):
        """Starts display and bar."""
        raise NotImplementedError

    def pid(self):
        """The process that is the bar."""
        return self.process.pid

    def child(self, name):
        """The one process of a name that something here has started."""
        def is_it(pid):
            try:
                return pathlib.Path(f"/proc/{pid}/comm").read_text() == f"{name}\n"
            except OSError:
                return False  # a shell that has ended meanwhile

        def found():
            return [pid for pid in self.machine.processes(name) if is_it(pid)]

        return wait_for(found, 20, f"{name}'s start")[0]

    def stop(self):
        if self.display:
            self.display.stop()


class Waybar(Bar):
    name = "waybar"
    needs = ("sway", "waybar", "grim", "convert", "tesseract")
    sign_in_button = 3

    def start(self):
        self.display = Sway(self.machine)
        configuration = self.machine.configure("waybar/config.jsonc", "home/.config/waybar/config")
        style = self.machine.configure("waybar/style.css", "home/.config/waybar/style.css")
        self.process = self.machine.start(
            ["waybar", "-c", configuration, "-s", style], "waybar")


class WaybarOnce(Waybar):
    """A module that is run at a signal, and a program beside it that signals each change."""

    name = "waybar-once"
    polls = True

    def start(self):
        self.display = Sway(self.machine)
        configuration = self.machine.configure(
            "waybar/config.jsonc", "home/.config/waybar/config",
            [(" watch --format waybar ", " watch --once --format waybar "),
             ('"restart-interval": 5', '"interval": "once", "signal": 8')])
        style = self.machine.configure("waybar/style.css", "home/.config/waybar/style.css")
        self.process = self.machine.start(
            ["waybar", "-c", configuration, "-s", style], "waybar-once")
        # By its number: others of this user have bars with the same name.
        self.machine.start(
            [self.machine.vault, "watch", "--signal", f"{self.process.pid}:RTMIN+8"], "signals")


class Swaybar(Bar):
    name = "swaybar"
    needs = ("sway", "swaybar", "grim", "convert", "tesseract")

    def start(self):
        self.display = Sway(
            self.machine, self.machine.samples.text("sway/config", self.machine.vault))
        self.bar = self.child("swaybar")

    def pid(self):
        return self.bar


class I3bar(Bar):
    name = "i3bar"
    needs = Bar.needs + ("i3", "i3bar")

    def start(self):
        self.display = XServer(
            self.machine, self.machine.configure("i3/config", "home/.config/i3/config"))
        self.bar = self.child("i3bar")

    def pid(self):
        return self.bar


class I3blocks(Bar):
    """i3blocks in i3bar: the reader is i3blocks' own, and so it is i3blocks that gets killed."""

    name = "i3blocks"
    needs = I3bar.needs + ("i3blocks",)
    # Debian's 1.4 tells a program that stays of no click.
    status_button = sign_in_button = 0

    def start(self):
        blocks = self.machine.configure("i3blocks/config", "home/.config/i3blocks/config")
        watching = f"exec {self.machine.vault} watch --format i3bar -n primary"
        configuration = self.machine.configure(
            "i3/config", "home/.config/i3/config", [(watching, f"exec i3blocks -c {blocks}")])
        self.display = XServer(self.machine, configuration)
        self.bar = self.child("i3blocks")

    def pid(self):
        return self.bar


class Polybar(Bar):
    name = "polybar"
    needs = Bar.needs + ("polybar",)

    def start(self):
        self.display = XServer(self.machine)
        configuration = self.machine.configure(
            "polybar/config.ini", "home/.config/polybar/config.ini")
        self.process = self.machine.start(["polybar", "-c", configuration, "main"], "polybar")


class Genmon(Bar):
    name = "genmon"
    needs = Bar.needs + ("xfce4-panel", "dbus-daemon", "dbus-send")
    polls = True
    # It knows of one button only.
    renew_button = 0

    def start(self):
        self.display = XServer(self.machine)
        self.machine.start_bus()
        self.machine.write(PANEL_FILE, PANEL)
        self.machine.configure("genmon/genmon-1.rc", "home/.config/xfce4/panel/genmon-1.rc")
        self.process = self.machine.start(["xfce4-panel", "--disable-wm-check"], "xfce4-panel")
        entry = self.machine.samples.text("genmon/tokenvault-genmon.desktop", self.machine.vault)
        command = next(line for line in entry.splitlines() if line.startswith("Exec="))
        self.machine.start(shlex.split(command.removeprefix("Exec=")), "events")


class Tint2(Bar):
    name = "tint2"
    needs = Bar.needs + ("tint2", "i3")
    sign_in_button = 3

    def start(self):
        # Without a window manager it waits for one.
        self.display = XServer(self.machine, self.machine.write(
            "i3.conf", "# i3 config file (v4)\nfont pango:DejaVu Sans Mono 8\n"))
        configuration = self.machine.configure("tint2/tint2rc", "home/.config/tint2/tint2rc")
        self.process = self.machine.start(["tint2", "-c", configuration], "tint2")


class Conky(Bar):
    name = "conky"
    needs = Bar.needs + ("conky",)
    status_button = sign_in_button = 0
    polls = True

    def start(self):
        self.display = XServer(self.machine)
        # It asks each 30 s, too seldom to wait for.
        configuration = self.machine.configure(
            "conky/conky.conf", "home/.config/conky/conky.conf", [("execpi 30 ", "execpi 1 ")])
        self.process = self.machine.start(["conky", "-c", configuration], "conky")


class Lemonbar(Bar):
    name = "lemonbar"
    needs = Bar.needs + ("lemonbar",)

    def start(self):
        self.display = XServer(self.machine)
        script = self.machine.configure(
            "lemonbar/bar", "home/bar", [("lemonbar -p", f"lemonbar -p -f '{FONT}'")])
        self.machine.start(["sh", script], "lemonbar")
        self.bar = self.child("lemonbar")

    def pid(self):
        return self.bar


class Tmux(Bar):
    name = "tmux"
    needs = ("tmux",)
    status_button = sign_in_button = 0

    def start(self):
        self.display = Terminal(self.machine)
        configuration = self.machine.configure("tmux/tmux.conf", "home/.tmux.conf")
        self.machine.run(
            ["tmux", "-L", "outer", "-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "6",
             f"TMUX= exec tmux -L inner -f {configuration} new-session 'exec sleep 600'"])
        asking = ["tmux", "-L", "inner", "display-message", "-p", "#{pid}"]
        self.server = int(wait_for(
            lambda: self.machine.run(asking).stdout, 20, "tmux's start"))

    def pid(self):
        return self.server


BARS = (Waybar, WaybarOnce, Swaybar, I3bar, I3blocks, Polybar, Genmon, Tint2, Conky, Lemonbar, Tmux)
# With code points beyond Latin 1; the X server's built-in font has none.
FONT = "-misc-fixed-medium-r-normal--20-*-*-*-*-*-iso10646-1"
PANEL_FILE = "home/.config/xfce4/xfconf/xfce-perchannel-xml/xfce4-panel.xml"
PANEL = """<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="dark-mode" type="bool" value="true"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=6;x=0;y=0"/>
      <property name="length" type="uint" value="100"/>
      <property name="position-locked" type="bool" value="true"/>
      <property name="size" type="uint" value="30"/>
      <property name="plugin-ids" type="array">
        <value type="int" value="1"/>
        <value type="int" value="2"/>
      </property>
    </property>
  </property>
  <property name="plugins" type="empty">
    <property name="plugin-1" type="string" value="genmon"/>
    <property name="plugin-2" type="string" value="separator"/>
  </property>
</channel>
"""
