#!/usr/bin/env python3
"""Shows in one line what an API says of the person: the sample to copy.

  widget.py URL [NAMESPACE]            prints the line and ends: for a bar that asks again and again
  widget.py --follow URL [NAMESPACE]   prints a line at once and at each change

URL answers with JSON that has a `name`, as the userinfo endpoint of an OpenID provider does. Needs
libtokenvault.so.0, `tokenvault` in PATH, and curl. An answer is good for a minute, and one that is
older is shown, with its age, while the API or the token is away. Exit codes: 0 shown, 1 not, 2 usage."""

import contextlib
import json
import os
import select
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../python-panel"))
from answers import Answers  # noqa: E402
from request import Refused, Unreachable, authorized_get  # noqa: E402
from tokenvault import Monitor, Vault, needs_person  # noqa: E402

FRESH = 60  # seconds


def name_in(body):
    """The name of an answer, harmless for a terminal or a bar: it comes from elsewhere."""
    try:
        name = json.loads(body)["name"]
    except (ValueError, KeyError, TypeError):
        raise Unreachable("the API's answer has no name") from None
    return "".join(c if c.isprintable() else " " for c in str(name))[:80]


def line(vault, answers, url, namespace):
    """What is to be shown now, and whether it is an answer."""
    state = vault.state(namespace)
    if needs_person(state):
        answers.forget()
    kept = answers.newest(state)
    if kept and kept[1] < FRESH and state["session_word"] in ("valid", "expiring"):
        return f"{kept[0]} ({state['session_word']})", True
    try:
        name = name_in(authorized_get(vault, namespace, url))
        # Who has signed in meanwhile is not the one who was asked about.
        if vault.state(namespace).get("account") == state.get("account"):
            answers.keep(state, name)
        return f"{name} ({state['session_word']})", True
    except (RuntimeError, Unreachable, Refused) as failure:
        if kept and not isinstance(failure, Refused):
            return f"{kept[0]}, {kept[1] / 60:.0f} min old ({failure})", True
        return f"nothing to show: {failure}", False


def follow(vault, answers, url, namespace):
    """A line at once, at each change and when the answer is old, until nobody reads any more."""
    shown = None
    with contextlib.closing(Monitor(vault, namespace)) as monitor:
        poll = select.poll()
        poll.register(monitor, select.POLLIN)
        poll.register(sys.stdout, 0)
        while True:
            for _ in monitor.news():
                pass
            text, _ = line(vault, answers, url, namespace)
            if text != shown:
                print(text, flush=True)
                shown = text
            if any(event == select.POLLERR for _, event in poll.poll(FRESH * 1000)):
                return


def main(words):
    follows = words[:1] == ["--follow"]
    if len(words) - follows not in (1, 2):
        print(__doc__, file=sys.stderr)
        return 2
    url, namespace = (words[follows:] + ["primary"])[:2]
    with contextlib.closing(Vault()) as vault:
        answers = Answers(url, namespace)
        if follows:
            return follow(vault, answers, url, namespace)
        text, is_answer = line(vault, answers, url, namespace)
        print(text)
        return 0 if is_answer else 1


try:
    sys.exit(main(sys.argv[1:]))
except RuntimeError as failure:
    sys.exit(f"widget: {failure}")
except (BrokenPipeError, KeyboardInterrupt):
    pass
