"""The sign of Samples/tray-badge in the trays of waybar and of xfce4-panel."""

import contextlib
import json
import time

from checks import Check
from displays import SEEN, Sway, XServer
from kinds import PANEL, PANEL_FILE, Bar
from vault import ACCOUNT, Failed, wait_for

# Room for the menu below the bar.
HEIGHT = 260
GREEN, AMBER, GREY = "#26a269", "#c88800", "#77767b"


class Tray(Bar):
    """A bar with a tray, and the sign, which is there first."""

    def start(self):
        self.display = self.make_display()
        self.machine.start_bus()
        samples = self.machine.copy_samples("tray-badge", "python-panel")
        self.badge = self.machine.start([samples / "tray-badge/badge.py"], "badge")
        self.start_bar()

    def start_bar(self):
        """Starts the bar, the first time or again."""
        raise NotImplementedError


class WaybarTray(Tray):
    name = "waybar-tray"
    needs = ("sway", "waybar", "grim", "convert", "tesseract", "dbus-daemon")

    def make_display(self):
        return Sway(self.machine, height=HEIGHT)

    def start_bar(self):
        configuration = self.machine.write("home/.config/waybar/config", json.dumps({
            "layer": "top", "height": 30, "modules-right": ["tray"], "tray": {"icon-size": 22}}))
        style = self.machine.configure("waybar/style.css", "home/.config/waybar/style.css")
        self.process = self.machine.start(
            ["waybar", "-c", configuration, "-s", style], "waybar-tray")


class XfceTray(Tray):
    name = "xfce-tray"
    needs = ("Xvfb", "import", "convert", "tesseract", "xdotool", "xfce4-panel", "dbus-daemon")

    def make_display(self):
        self.machine.write(PANEL_FILE, PANEL.replace('"genmon"', '"systray"'))
        return XServer(self.machine, height=HEIGHT)

    def start_bar(self):
        self.process = self.machine.start(["xfce4-panel", "--disable-wm-check"], "xfce-tray")


class TrayCheck(Check):
    """The steps of a bar, looked for in a sign's colour, its tooltip and its menu."""

    def sign(self, color, name):
        """Waits until the sign has a colour; returns where it is."""
        seen = {}

        def place():
            seen["picture"] = self.bar.display.look()
            return seen["picture"].place(color)

        try:
            return wait_for(place, 20, f"a sign of {color}")
        except Failed as error:
            badge = self.machine.log("badge").strip().splitlines()[-3:]
            raise Failed(f"{error}; {self.said()}; the sign says {badge}") from None
        finally:
            if "picture" in seen:
                self.keep(seen["picture"], name)

    def keep(self, picture, name):
        picture.save(self.pictures / f"{self.bar.name}-{name}.png")

    def read(self, words, name, meanwhile=lambda: None):
        """Waits for words below the bar; returns the first one's place."""
        seen = {}

        def found():
            meanwhile()
            picture = self.bar.display.look(SEEN, HEIGHT)
            if picture.data == seen.get("data"):
                return None
            seen["data"], seen["picture"] = picture.data, picture
            seen["words"] = picture.words(is_one_line=False)
            places = [self.find(word, seen["words"]) for word in words]
            return all(places) and places[0]._replace(y=places[0].y + SEEN)

        try:
            return wait_for(found, 20, f"{' '.join(words)!r} below the bar")
        except Failed as error:
            text = " ".join(word.text for word in seen.get("words", []))
            raise Failed(f"{error}; there was {text!r}; {self.said()}") from None
        finally:
            # Where nothing can be looked at, that is what is told.
            with contextlib.suppress(Failed):
                self.keep(self.bar.display.look(0, HEIGHT), name)

    def tooltip(self, words, name):
        """Reads what is shown while the pointer rests on the sign."""
        pause, again = 1, 0

        def rest():
            nonlocal pause, again
            if time.monotonic() > again:
                # A tooltip is drawn half a second later, and anew only after the pointer has left.
                self.bar.display.point(0, HEIGHT - 1)
                self.bar.display.point(*self.place)
                again, pause = time.monotonic() + pause, pause * 1.5

        self.read(words, name, rest)
        self.bar.display.point(0, HEIGHT - 1)

    def menu(self, words, name):
        """Opens the menu and reads it; returns the place of the first word."""
        again = 0

        def open_it():
            nonlocal again
            if time.monotonic() > again:
                # Where one is still open, the first click closes it.
                self.bar.display.click(*self.place, 3)
                again = time.monotonic() + 5

        return self.read(words, name, open_it)

    # The steps

    def see_account(self):
        self.place = self.sign(GREEN, "valid")
        self.tooltip([ACCOUNT, "valid"], "tooltip")

    def see_name(self, number, word, name):
        is_text = word.encode() in (name if isinstance(name, bytes) else name.encode())
        self.tooltip([word] + ["valid"] * is_text, f"name-{number}")

    def offline(self):
        self.machine.go_offline()
        self.sign(AMBER, "offline")
        self.tooltip(["offline"], "offline-tooltip")

    def signed_out(self):
        self.machine.sign_out()
        self.sign(GREY, "signed-out")
        self.tooltip(["signed-out"], "signed-out-tooltip")

    def click(self):
        """A click signs in, and an item of the menu renews."""
        self.machine.start_provider()
        self.bar.display.click(*self.place, 1)
        self.sign(GREEN, "again")
        before = self.generation()
        time.sleep(1.2)  # a token of this second is not renewed
        place = self.menu(["Renew", "Sign"], "menu")
        self.bar.display.click(place.x, place.y, 1)
        wait_for(lambda: self.generation() > before, 20, "a renewal by the menu")

    def killed(self):
        """The sign outlives the bar and is in the tray of the next one."""
        self.machine.kill(self.bar.pid())
        self.gone()
        if self.bar.badge.poll() is not None:
            raise Failed("the sign has ended with the bar")
        began = time.monotonic()
        self.bar.start_bar()
        self.sign(GREEN, "back")
        return f"back {time.monotonic() - began:.1f} s"

    def gone(self):
        wait_for(lambda: not self.bar.display.look().place(GREEN), 20, "the sign's end with the bar")


TRAYS = (WaybarTray, XfceTray)
