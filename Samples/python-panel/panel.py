#!/usr/bin/env python3
"""A panel in a terminal: one line for each state of a session.

  panel.py [NAMESPACE]              shows each change, until nobody reads its output any more
  panel.py --token [NAMESPACE]      prints an access token that is good for 30 s, or says why not

Needs libtokenvault.so.0, which `make install` installs."""

import contextlib
import select
import sys

from tokenvault import Monitor, Vault


def states(vault, namespace):
    """The present state, then each that is new, until nobody reads our output."""
    with contextlib.closing(Monitor(vault, namespace)) as monitor:
        poll = select.poll()
        poll.register(monitor, select.POLLIN)
        poll.register(sys.stdout, 0)
        while True:
            yield from monitor.news()
            if any(event == select.POLLERR for _, event in poll.poll()):
                return


def line(state):
    left = f", {state['expires_in'] / 60:.0f} min" if "expires_in" in state else ""
    who = f"{state.get('account', 'nobody')}, host {state['host_word']}"
    why = "; ".join(state[name] for name in ("reason", "next_step") if name in state)
    return f"{state['session_word']}{left} ({who}) {why}".rstrip()


def main(words):
    wants_token = words[:1] == ["--token"]
    namespace = (words[wants_token:] or ["primary"])[0]
    with contextlib.closing(Vault()) as vault:
        if wants_token:
            print(vault.token(namespace, 30))
            return
        for state in states(vault, namespace):
            print(line(state), flush=True)


try:
    main(sys.argv[1:])
except RuntimeError as failure:
    sys.exit(f"panel: {failure}")
except (BrokenPipeError, KeyboardInterrupt):
    pass
