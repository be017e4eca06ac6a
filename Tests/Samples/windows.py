"""The samples with a face: account-panel on an X server and in sway, tray-badge on a bus of its own."""

import contextlib
import json
import os
import re
import shutil
import signal
import time

from displays import bus_for, display_for
from machine import (
    HERE, SHOTS, RealMachine, SimulatedMachine, expect, plain_user, sample, until)

PANEL, BADGE = sample("account-panel/panel.py"), sample("tray-badge/badge.py")

# What is typed to the simulation, the badge, its colour, and what else has to be read.
STATES = [
    ("valid", ["valid for 40m"], "Signed in", "#1C7A42", "40 min left"),
    ("renewing", ["valid for 30m", "renewing"], "Renewing", "#26A269", "30 min left"),
    ("offline", ["valid for 20m", "offline"], "Offline", "#F5C211", "Look at the network, or wait"),
    ("signed-out", ["signed-out"], "Signed out", None, "No account"),
    ("reauthentication-required", ["reauthentication-required"], "Sign in again", "#C01C28",
     "the provider has ended the session"),
]


def shot(machine, name):
    """Takes a screenshot that is kept: the picture's signature, and the colours in it."""
    path = f"{machine.path}/{name}.png"
    words = (["import", "-silent", "-window", "root"] if "DISPLAY" in machine.environment
             else ["grim"])
    done = machine.run(*words, path)
    expect(done.returncode == 0, done.stderr)
    shutil.copy(path, f"{SHOTS}/{name}.png")
    colors = machine.run("convert", path, "-depth", "8", "-format", "%c", "histogram:info:").stdout
    signature = machine.run("identify", "-format", "%#", path).stdout
    return signature, set(re.findall(r"#[0-9A-F]{6}", colors))


def screen_shows(machine, name, color, former):
    """Waits for a picture that is another one than before, is drawn whole, and has a colour in it."""
    seen = [former]

    def shows():
        signature, colors = shot(machine, name)
        seen.append(signature)
        return signature == seen[-2] != former and (color is None or color in colors)
    until(shows, f"{color} in {name}", 10)
    return seen[-1]


class Reader:
    """What a screen reader hears of the panel: a child, as it has to be on the panel's bus."""

    def __init__(self, machine):
        self.machine = machine

    def hear(self):
        done = self.machine.run(f"{HERE}/screen-reader")
        return done.stdout.splitlines()

    def press(self, name):
        done = self.machine.run(f"{HERE}/screen-reader", name)
        expect(done.returncode == 0, done.stderr)


@contextlib.contextmanager
def panel_on_x(machine):
    bus_for(machine)
    display_for(machine)
    panel = machine.start("panel", PANEL, "--light")
    reader = Reader(machine)
    until(lambda: any("frame: Accounts" in line for line in reader.hear()), "a panel")
    yield panel, reader


def panel_shows_each_state_to_eyes_and_to_readers():
    with SimulatedMachine() as machine, panel_on_x(machine) as (panel, reader):
        former = None
        for name, typed, badge, color, text in STATES:
            machine.show(*typed)
            until(lambda: f"label: {badge}" in reader.hear(), badge)
            heard = "\n".join(reader.hear())
            expect(text in heard, heard)
            expect(("ada@simulated.example" in heard) == (name != "signed-out"), heard)
            button = "Sign in to primary" if "ign" in badge and name != "valid" else "Renew the token"
            expect(f"push button: {button}" in heard, heard)
            level = "level bar: What is left of the token's life"
            expect((level in heard) == ("min left" in heard), heard)
            former = screen_shows(machine, f"account-panel-x-light-{name}", color, former)
        machine.show("valid for 40m")
        until(lambda: "label: Signed in" in reader.hear(), "valid")
        time.sleep(2)
        before = wakeups(panel.pid)
        time.sleep(4)
        expect(wakeups(panel.pid) - before <= 6, "it wakes", wakeups(panel.pid) - before, "times")
        panel.terminate()
        expect(panel.wait(5) == 0 and "Traceback" not in machine.text("panel.log"), "its end")
        show_states(machine, "x", "dark")


def show_states(machine, place, theme):
    """Keeps a picture of each state, in one theme."""
    panel, former = machine.start("panel", PANEL, f"--{theme}"), None
    for name, typed, _, color, _ in STATES:
        machine.show(*typed)
        former = screen_shows(machine, f"account-panel-{place}-{theme}-{name}", color, former)
    return panel


def wakeups(pid):
    """How often the threads of a process have gone to sleep."""
    total = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        # A thread may end meanwhile.
        with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/status") as file:
            total += int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", file.read(), re.M)[1])
    return total


def panel_renews_and_signs_in():
    with RealMachine("--lifetime", "120s") as machine, panel_on_x(machine) as (panel, reader):
        until(lambda: "label: Signed in" in reader.hear(), "valid")
        time.sleep(1.2)  # a token of this second is not renewed
        reader.press("Renew the token of primary")
        until(lambda: machine.asked("token refresh_token") == 1, "a renewal")
        expect(machine.run("tokenvault", "sign-out", "primary").returncode == 0, "sign-out")
        until(lambda: "label: Signed out" in reader.hear(), "signed out")
        reader.press("Sign in to primary")
        until(lambda: "label: Signed in" in reader.hear(), "signed in again")
        # By keys: Alt with the underlined letter presses the button, Escape closes.
        expect(machine.run("tokenvault", "sign-out", "primary").returncode == 0, "sign-out")
        until(lambda: "label: Signed out" in reader.hear(), "signed out")
        machine.run("xdotool", "mousemove", "100", "60", "key", "alt+s")
        until(lambda: "label: Signed in" in reader.hear(), "signed in by Alt+S")
        expect(machine.asked("token authorization_code") == 3, "sign-ins")
        machine.run("xdotool", "key", "Escape")
        expect(panel.wait(5) == 0, panel.returncode)


def panel_says_when_a_token_is_renewed():
    with RealMachine("--lifetime", "3600s") as machine:
        # A quarter of an hour before its end, and not when it ends.
        with open(f"{machine.path}/early.toml", "w") as file:
            file.write(machine.text("provider.out") + 'renewBefore = "15m"\n')
        machine.environment["TOKENVAULT_CONFIG"] = f"{machine.path}/early.toml"
        machine.restart_host()
        state = json.loads(machine.run("tokenvault", "status", "--json").stdout)["namespaces"][0]
        due = state["nextPublicationBy"]
        expect(840 <= state["expiresAt"] - due <= 1080, state)
        by = time.strftime("%H:%M", time.localtime(due))
        with panel_on_x(machine) as (_, reader):
            until(lambda: any(f"min left, renewed by {by}" in line for line in reader.hear()), by)


def panel_shows_accounts_that_come_later():
    with RealMachine(signs_in=False) as machine, panel_on_x(machine) as (_, reader):
        told = machine.text("provider.out")
        # A panel that is started now would show them: they are configured, and nobody is signed in.
        with open(f"{machine.path}/provider.out", "a") as file:
            for name in ("work", "play"):
                file.write(told[told.index("[namespaces.primary]"):].replace("primary", name))
        machine.host.send_signal(signal.SIGHUP)
        until(lambda: '"play"' in machine.run("tokenvault", "status", "--json").stdout, "a reload")
        for name in ("work", "primary", "play"):
            expect(name == "primary" or f"label: {name}" not in reader.hear(), name)
            done = machine.run("tokenvault", "sign-in", name, "--flow", "browser")
            expect(done.returncode == 0, done.stderr)
            until(lambda: f"label: {name}" in reader.hear(), name)
        until(lambda: reader.hear().count("label: Signed in") == 3, "three accounts")


def panel_is_a_layer_in_sway():
    with SimulatedMachine(plain_user()) as machine:
        place = machine.path
        machine.environment |= {
            "XDG_RUNTIME_DIR": place, "WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman",
            "WLR_LIBINPUT_NO_DEVICES": "1", "GSETTINGS_BACKEND": "memory", "NO_AT_BRIDGE": "1"}
        with open(f"{place}/sway.conf", "w") as file:
            file.write("xwayland disable\noutput HEADLESS-1 resolution 500x320 position 0,0\n"
                       "output * bg #3b5f8a solid_color\n")
        machine.start("sway", "sway", "-c", f"{place}/sway.conf")
        socket = until(lambda: [name for name in os.listdir(place)
                                if re.fullmatch(r"wayland-\d+", name)], "sway")[0]
        machine.environment["WAYLAND_DISPLAY"] = socket
        light = show_states(machine, "sway", "light")
        light.terminate()
        expect(light.wait(5) == 0, machine.text("panel.log"))
        panel = show_states(machine, "sway", "dark")
        # A layer and no window: sway manages none.
        ipc = [name for name in os.listdir(place) if name.startswith("sway-ipc")][0]
        machine.environment["SWAYSOCK"] = f"{place}/{ipc}"
        tree = machine.run("swaymsg", "-t", "get_tree").stdout
        expect(tree and "Accounts" not in tree, tree)
        panel.terminate()
        expect(panel.wait(5) == 0, machine.text("panel.log"))


def badge_registers_again_and_its_menu_acts():
    with RealMachine("--lifetime", "120s") as machine:
        bus_for(machine)
        time.sleep(1.2)  # a token of this second is not renewed
        badge = machine.start("badge", BADGE)
        done = machine.run(f"{HERE}/tray")
        expect(done.returncode == 0, done.stdout, done.stderr)
        expect(machine.asked("token refresh_token") >= 1, "Renew has renewed nothing")
        expect(machine.asked("token authorization_code") == 2, "Sign in has signed nobody in")
        expect(badge.poll() is None and "Traceback" not in machine.text("badge.log"),
               machine.text("badge.log"))
        badge.terminate()
        expect(badge.wait(5) == 0, badge.returncode)


CASES = [panel_shows_each_state_to_eyes_and_to_readers, panel_renews_and_signs_in,
         panel_says_when_a_token_is_renewed, panel_shows_accounts_that_come_later,
         panel_is_a_layer_in_sway, badge_registers_again_and_its_menu_acts]
