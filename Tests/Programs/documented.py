"""The lines of README, which are what is run here; only servers and users are other ones."""

import pathlib
import re

from machine import ROOT, expect

TITLE = "## Programs that already exist"
TEXT = pathlib.Path(ROOT, "README.md").read_text().split(f"{TITLE}\n", 1)[-1].split("\n## ", 1)[0]


def lines(first, last, others):
    """The lines of README's section from one that begins so to one that ends so.

    others: what stands there -> what it is here."""
    found = re.search(
        rf"^{re.escape(first)}.*?{re.escape(last)}$", TEXT, re.MULTILINE | re.DOTALL)
    expect(found, f"README has no lines from {first!r} to {last!r}")
    text = re.sub(r"  +# .*$", "", found[0], flags=re.MULTILINE)
    for name, other in others.items():
        expect(name in text, f"README names no {name!r} there")
        text = text.replace(name, other)
    return text
