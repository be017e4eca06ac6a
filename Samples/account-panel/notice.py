"""What is wrong with an account, and what to do about it."""

from gi.repository import Gtk, Pango

SEVERITIES = ("good", "idle", "warning", "critical")


def label(*classes, **properties):
    made = Gtk.Label(**{"xalign": 0, "wrap": True, "max_width_chars": 30} | properties)
    made.set_line_wrap_mode(Pango.WrapMode.WORD_CHAR)
    for name in classes:
        made.get_style_context().add_class(name)
    return made


def mark(part, severe):
    """Gives a part the colours of a severity."""
    style = part.get_style_context()
    for name in SEVERITIES:
        style.remove_class(name)
    style.add_class(severe)


class Notice(Gtk.Box):
    """One or two sentences behind a coloured line; nothing at all where nothing is wrong."""

    def __init__(self):
        super().__init__(orientation=Gtk.Orientation.VERTICAL, spacing=3)
        self.get_style_context().add_class("notice")
        self.reason, self.advice = label(), label("dim")
        for part in (self.reason, self.advice):
            part.set_no_show_all(True)
            self.add(part)

    def tell(self, severe, reason, advice=""):
        mark(self, severe)
        for part, text in ((self.reason, reason), (self.advice, advice)):
            part.set_text(text)
            part.set_visible(bool(text))
        self.set_visible(bool(reason or advice))
