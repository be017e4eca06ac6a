"""What is shown of one bar, from a good session to the bar's sudden end."""

import collections
import json
import re
import time
import traceback

from forgery import forge
from kinds import AMBER, GREY
from vault import ACCOUNT, Failed, wait_for

COLUMNS = ("valid", "names", "offline", "signed out", "click", "killed")
# An account's name may come from elsewhere. Each has a word that can be read on the screen; in each
# `pwn` would leave a file behind, and 32 characters are shown at most.
NAMES = (
    ("Walter", "%{A1:pwn:}Walter%{A} &<b>|`pwn`"),
    ("Hanna", "Hanna #(pwn)$(pwn)${exec pwn}"),
    ("Mario", "Mario \"],[{\\u0041</txt> %{F#f00}"),
    ("Emma", "Emma \U0001f469\u200d\U0001f4bb \u05e9\u05dc\u05d5\u05dd #[fg=red]"),
    ("Otto", "Otto " + "very long " * 1000),
)
# No host publishes these, but somebody who can write the directory may: they come in a snapshot that
# was sealed by hand.
FORGED = (
    ("Nelly", b"Nelly\npwn\r\n\t`pwn`\x1b]0;pwn\x07\x1b[31;5m\x00\xc2\x9b7m\xe2\x80\xa8|pwn"),
    ("Rita", "Rita \u202e\u2066\u200f\u05e9\u05dc\u05d5\u05dd\ufeff\U000e0001".encode()),
    # No reader takes what is no UTF-8, and each bar says so.
    ("corrupt", b"Ivan \xff\xfe\xc3(\xed\xa0\x80"),
)
LIMIT = 20

Row = collections.namedtuple("Row", "bar cells complaints seconds")


class Check:
    """One bar on one machine; each step says what became of it, and the next one goes on."""

    def __init__(self, kind, machine, pictures):
        self.bar, self.machine, self.pictures = kind(machine), machine, pictures
        self.cells = dict.fromkeys(COLUMNS, "not run")
        self.complaints = []
        # Where to click at.
        self.place = None

    def run(self):
        began = time.monotonic()
        if self.step("valid", self.begin):
            self.step("names", self.names)
            self.step("offline", self.offline)
            self.step("signed out", self.signed_out)
            self.step("click", self.click)
            self.step("killed", self.killed)
        try:
            self.bar.stop()
        finally:
            self.machine.stop()
        return Row(self.bar.name, self.cells, self.complaints, time.monotonic() - began)

    def step(self, column, body):
        try:
            self.cells[column] = body() or "ok"
        except Exception as error:  # noqa: whatever it is, this bar has failed and others go on
            self.cells[column] = "FAILED"
            known = isinstance(error, Failed)
            text = str(error) if known else "".join(traceback.format_exception(error))
            self.complaints.append(f"{self.bar.name}, {column}: {text}")
            return False
        return True

    # Looking

    def see(self, words, name, color=None):
        """Waits until all words are on the screen, and a colour; keeps what was seen.

        Returns the place of the first word.
        """
        seen = {}

        def is_shown():
            picture = self.bar.display.look()
            if picture.data == seen.get("data"):
                return None
            seen["data"], seen["picture"] = picture.data, picture
            seen["words"] = picture.words()
            found = [self.find(word, seen["words"]) for word in words]
            seen["color"] = picture.count(color) if color else None
            # An escape that a bar does not take out is no text for people.
            if any(re.search(r"\\?u25[0-9a-f]{2}", word.text) for word in seen["words"]):
                return None
            return all(found) and (not color or seen["color"] >= (12 if picture.is_drawn else 1)) \
                and found[0]

        try:
            return wait_for(is_shown, LIMIT, f"{' '.join(words)!r} on the screen")
        except Failed as error:
            text = " ".join(word.text for word in seen.get("words", []))
            colored = f", {seen['color']} pixels of {color}" if color else ""
            raise Failed(f"{error}; there was {text!r}{colored}; {self.said()}") from None
        finally:
            if "picture" in seen:
                seen["picture"].save(self.pictures / f"{self.bar.name}-{name}.png")

    @staticmethod
    def find(word, words):
        """A word, with a neighbour run into it or not."""
        return next((found for found in words if word.lower() in found.text.lower()), None)

    def said(self):
        """The last that the bar has said."""
        lines = self.machine.log(self.bar.name).strip().splitlines()
        return f"it says {lines[-3:]}" if lines else "it says nothing"

    def windows(self):
        """How often the status was shown in a terminal."""
        path = self.machine.windows
        return path.read_text().count(f"{self.machine.vault} status --namespace=primary") \
            if path.exists() else 0

    # The steps

    def begin(self):
        self.machine.start_provider()
        self.machine.start_host()
        self.machine.sign_in()
        self.bar.start()
        self.see_account()

    def names(self):
        """Names that would be commands somewhere do nothing, not even when they are clicked at."""
        try:
            for number, (word, name) in enumerate(FORGED + NAMES, 1):
                if isinstance(name, bytes):
                    forge(self.machine, name)
                else:
                    self.machine.name(name)
                self.name(number, word, name)
        finally:
            self.machine.name(ACCOUNT)
        self.see_account()

    def name(self, number, word, name):
        """One name is shown, or what is said instead, and runs nothing."""
        try:
            self.see_name(number, word, name)
        finally:
            if self.machine.trap.exists():
                raise Failed(f"a command has run of the name {name!r}, or the one before")
        if not self.machine.is_alive(self.bar.pid()):
            raise Failed(f"the bar has ended at the name {name!r}; {self.said()}")

    def see_name(self, number, word, name):
        is_text = word.encode() in (name if isinstance(name, bytes) else name.encode())
        place = self.see([word] + ["valid"] * is_text, f"name-{number}")
        if self.bar.status_button and is_text:
            self.press(place, self.bar.status_button)

    def see_account(self):
        self.see([ACCOUNT, "valid"], "valid")

    def press(self, place, button):
        """A click that shows the status."""
        before = self.windows()
        self.bar.display.click(place.x, place.y, button)
        wait_for(lambda: self.windows() > before, 10, "the status in a terminal")

    def offline(self):
        self.machine.go_offline()
        self.see([ACCOUNT, "offline"], "offline", AMBER)

    def signed_out(self):
        self.machine.sign_out()
        self.place = self.see(["primary", "signed", "out"], "signed-out", GREY)

    def click(self):
        """A click signs in, by way of the host, the browser and the provider; one more renews."""
        self.machine.start_provider()
        if not self.bar.sign_in_button:
            self.machine.sign_in()
            self.see([ACCOUNT, "valid"], "again")
            return "-"
        if not self.place:
            raise Failed("there is nothing to click at")
        self.bar.display.click(self.place.x, self.place.y, self.bar.sign_in_button)
        place = self.see([ACCOUNT, "valid"], "again")
        if self.bar.renew_button:
            before = self.generation()
            time.sleep(1.2)  # a token of this second is not renewed
            self.bar.display.click(place.x, place.y, self.bar.renew_button)
            wait_for(lambda: self.generation() > before, 20, "a renewal by a click")
        return None

    def generation(self):
        told = self.machine.run([self.machine.vault, "status", "--json"]).stdout
        return json.loads(told)["namespaces"][0]["generation"]

    def killed(self):
        watchers = self.machine.watchers()
        if not self.bar.polls and not watchers:
            raise Failed("there was no reader to begin with")
        began = time.monotonic()
        self.machine.kill(self.bar.pid())
        wait_for(lambda: not self.machine.watchers(), 1, "the reader's end behind the bar's")
        return "no reader" if self.bar.polls else f"{time.monotonic() - began:.2f} s"
