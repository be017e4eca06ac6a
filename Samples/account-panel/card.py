"""One account in the panel: built once, and then only told of states."""

from countdown import Countdown
from gi.repository import GLib, Gio, Gtk, Pango
from notice import Notice, label, mark
from tokenvault import needs_person, severity

WORDS = {"valid": "Signed in", "expiring": "Ending soon", "expiry-unknown": "Signed in",
         "expired": "Expired", "signed-out": "Signed out", "absent": "Not signed in",
         "reauthentication-required": "Sign in again"}
HOSTS = {"renewing": "Renewing", "offline": "Offline", "waiting": "Waiting", "stale": "No host",
         "storage-failed": "Disk full", "locked": "Locked"}


class Card(Gtk.Box):
    def __init__(self, namespace):
        super().__init__(orientation=Gtk.Orientation.VERTICAL, spacing=12, width_request=420)
        self.get_style_context().add_class("card")
        self.namespace = namespace
        self.countdown, self.notice = Countdown(), Notice()
        self.sign_in = self.button("_Sign in", "sign-in", f"Sign in to {namespace}")
        self.renew = self.button("_Renew", "renew", f"Renew the token of {namespace}")
        self.sign_in.get_style_context().add_class("suggested-action")
        buttons = Gtk.Box(spacing=8, halign=Gtk.Align.END)
        buttons.add(self.renew)
        buttons.add(self.sign_in)
        for part in (self.head(), self.countdown, self.notice, buttons):
            self.add(part)
        for part in (self.countdown, self.notice, self.sign_in, self.renew):
            part.set_no_show_all(True)

    def head(self):
        """The account's picture and name, and in one word how it is."""
        self.account, self.badge = label("account", wrap=False), label("badge", wrap=False)
        namespace = label("dim", wrap=False, label=self.namespace)
        # A name that is broken into lines would get hyphens that are not in it. What it asks for is
        # little, so that each state has the same width.
        for name in (self.account, namespace):
            name.set_properties(ellipsize=Pango.EllipsizeMode.MIDDLE, max_width_chars=16, hexpand=True)
        picture = Gtk.Image.new_from_icon_name("avatar-default-symbolic", Gtk.IconSize.BUTTON)
        for part in (picture, self.badge):
            part.set_valign(Gtk.Align.CENTER)
        picture.get_style_context().add_class("picture")
        names = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=2)
        names.add(self.account)
        names.add(namespace)
        head = Gtk.Box(spacing=12)
        for part in (picture, names, self.badge):
            head.add(part)
        return head

    def button(self, text, command, name):
        made = Gtk.Button(label=text, use_underline=True)
        made.connect("clicked", lambda _: self.ask(command))
        made.get_accessible().set_name(name)
        made.get_accessible().set_description(f"Runs tokenvault {command} {self.namespace}")
        return made

    def ask(self, command):
        """Runs the command beside us; what comes of it is a state, and a failure its own sentence."""
        def ended(process, result):
            _, _, error = process.communicate_utf8_finish(result)
            buttons_on(True)
            if not process.get_if_exited() or process.get_exit_status() != 0:
                lines = error.strip().splitlines() or [f"tokenvault {command} has failed"]
                said = lines[-1].removeprefix("tokenvault: error: ")
                self.notice.tell("warning", self.sentence(said))

        def buttons_on(on):
            self.renew.set_sensitive(on)
            self.sign_in.set_sensitive(on)
        try:
            process = Gio.Subprocess.new(
                ["tokenvault", command, self.namespace],
                Gio.SubprocessFlags.STDOUT_SILENCE | Gio.SubprocessFlags.STDERR_PIPE)
        except GLib.Error as failure:
            return self.notice.tell("critical", failure.message)
        buttons_on(False)
        process.communicate_utf8_async(None, None, ended)

    def sentence(self, text):
        """A sentence begins with a capital letter, a namespace has its own."""
        return text if text.startswith(self.namespace) else text[:1].upper() + text[1:]

    def show_state(self, state):
        session, host, severe = state["session_word"], state["host_word"], severity(state)
        usable = session in ("valid", "expiring", "expiry-unknown")
        nobody = session in ("absent", "signed-out")
        self.account.set_text(state.get("account", "No account" if nobody else "Unnamed account"))
        self.account.set_tooltip_text(self.account.get_text())
        # A renewal is over in a moment and needs nobody: no alarm, and no other height.
        renews = session == "valid" and host == "renewing"
        word = WORDS.get(session, "Unreadable")
        self.badge.set_text(HOSTS.get(host, word) if usable else word)
        mark(self.badge, "idle" if renews else severe)
        mark(self.countdown.level, "good" if renews else severe)
        reason, advice = state.get("reason", ""), state.get("next_step", "")
        # When a token ends is counted above; what else there is stands behind it.
        if session in ("expiring", "expired"):
            reason = reason.partition("; ")[2]
        # Where the snapshot is does not help who sees this.
        if reason.startswith("/"):
            reason = reason.partition(": ")[2]
        if renews or nobody:
            reason = ""
        # The buttons say it already.
        if advice.startswith(("run: tokenvault sign-in ", "run: tokenvault renew ")):
            advice = ""
        self.notice.tell(severe, self.sentence(reason), self.sentence(advice))
        self.sign_in.set_visible(needs_person(state))
        self.renew.set_visible(not needs_person(state))
        self.renew.set_sensitive(host != "locked")
        self.countdown.show_state(state)
