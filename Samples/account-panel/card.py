"""One account in the panel: built once, and then only told of states."""

from countdown import Countdown
from gi.repository import GLib, Gio, Gtk, Pango
from tokenvault import needs_person, severity

SEVERITIES = ("good", "idle", "warning", "critical")
WORDS = {"valid": "Signed in", "expiring": "Ending soon", "expiry-unknown": "Signed in",
         "expired": "Expired", "signed-out": "Signed out", "absent": "Not signed in",
         "reauthentication-required": "Sign in again"}
HOSTS = {"renewing": "Renewing", "offline": "Offline", "waiting": "Waiting", "stale": "No host",
         "storage-failed": "Disk full", "locked": "Locked"}


def label(*classes, **properties):
    made = Gtk.Label(**{"xalign": 0, "wrap": True, "max_width_chars": 30} | properties)
    made.set_line_wrap_mode(Pango.WrapMode.WORD_CHAR)
    for name in classes:
        made.get_style_context().add_class(name)
    return made


class Card(Gtk.Box):
    def __init__(self, namespace):
        super().__init__(orientation=Gtk.Orientation.VERTICAL, spacing=9, width_request=360)
        self.get_style_context().add_class("card")
        self.namespace = namespace
        self.account, self.badge = label("account", wrap=False), label("badge", wrap=False)
        # A name that is broken into lines would get hyphens that are not in it.
        self.account.set_ellipsize(Pango.EllipsizeMode.MIDDLE)
        self.account.set_hexpand(True)
        self.countdown, self.problem = Countdown(), label("problem")
        self.sign_in = self.button("_Sign in", "sign-in", f"Sign in to {namespace}")
        self.renew = self.button("_Renew", "renew", f"Renew the token of {namespace}")
        self.sign_in.get_style_context().add_class("suggested-action")
        top = Gtk.Box(spacing=10)
        self.badge.set_valign(Gtk.Align.CENTER)
        names = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=2)
        names.add(self.account)
        names.add(label("dim", label=namespace))
        top.add(names)
        top.add(self.badge)
        buttons = Gtk.Box(spacing=8, halign=Gtk.Align.END)
        buttons.add(self.renew)
        buttons.add(self.sign_in)
        for part in (top, self.countdown, self.problem, buttons):
            self.add(part)
        for part in (self.countdown, self.problem, self.sign_in, self.renew):
            part.set_no_show_all(True)

    def button(self, text, command, name):
        made = Gtk.Button(label=text, use_underline=True)
        made.connect("clicked", lambda _: self.ask(command))
        self.name_for_readers(made, name, f"Runs tokenvault {command} {self.namespace}")
        return made

    def name_for_readers(self, part, name, description):
        part.get_accessible().set_name(name)
        part.get_accessible().set_description(description)

    def ask(self, command):
        """Runs the command beside us; what comes of it is a state, and a failure its own sentence."""
        def ended(process, result):
            _, _, error = process.communicate_utf8_finish(result)
            buttons_on(True)
            if not process.get_if_exited() or process.get_exit_status() != 0:
                lines = error.strip().splitlines() or [f"tokenvault {command} has failed"]
                self.tell(lines[-1].removeprefix("tokenvault: error: "), "warning")

        def buttons_on(on):
            self.renew.set_sensitive(on)
            self.sign_in.set_sensitive(on)
        try:
            process = Gio.Subprocess.new(
                ["tokenvault", command, self.namespace],
                Gio.SubprocessFlags.STDOUT_SILENCE | Gio.SubprocessFlags.STDERR_PIPE)
        except GLib.Error as failure:
            return self.tell(failure.message, "critical")
        buttons_on(False)
        process.communicate_utf8_async(None, None, ended)

    def tell(self, text, severe):
        self.problem.set_visible(bool(text))
        self.problem.set_text(text)
        self.mark(self.problem, severe)

    def sentence(self, text):
        """A sentence begins with a capital letter, a namespace has its own."""
        return text if text.startswith(self.namespace) else text[0].upper() + text[1:]

    def mark(self, part, severe):
        for name in SEVERITIES:
            part.get_style_context().remove_class(name)
        part.get_style_context().add_class(severe)

    def show_state(self, state):
        session, host, severe = state["session_word"], state["host_word"], severity(state)
        usable = session in ("valid", "expiring", "expiry-unknown")
        # Who has left is shown to nobody who comes to the desk afterwards.
        nobody = session in ("absent", "signed-out")
        self.account.set_text("No account" if nobody else state.get("account", "Unnamed account"))
        self.account.set_tooltip_text(self.account.get_text())
        word = WORDS.get(session, "Unreadable")
        self.badge.set_text(HOSTS.get(host, word) if usable else word)
        self.mark(self.badge, severe)
        self.mark(self.countdown.level, severe)
        # When an expiring token ends is counted above; what else there is stands behind it.
        reason = state.get("reason", "")
        why = [reason.partition("; ")[2] if session == "expiring" else reason,
               state.get("next_step", "")]
        self.tell("\n".join(self.sentence(text) for text in why if text), severe)
        self.sign_in.set_visible(needs_person(state))
        self.renew.set_visible(not needs_person(state))
        self.countdown.show_state(state)
