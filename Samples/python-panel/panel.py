#!/usr/bin/env python3
"""A panel in a terminal: one line for each state of a session.

  panel.py [NAMESPACE]              shows each change, until nobody reads its output any more
  panel.py --token [NAMESPACE]      prints an access token that is good for 30 s, or says why not

Needs libtokenvault.so.0, which `make install` installs."""

import contextlib
import ctypes
import select
import sys
from ctypes import POINTER, byref, c_char_p, c_int, c_int64, c_void_p

library = ctypes.CDLL("libtokenvault.so.0")
OK, UNKNOWN = 0, -(2**63)


def declare(name, result, *arguments):
    function = getattr(library, "tokenvault_" + name)
    function.restype, function.argtypes = result, arguments
    return function


# A text that has to be freed stays an address: c_char_p would copy it and forget where it was.
vault_open = declare("open", c_int, c_char_p, POINTER(c_void_p))
vault_close = declare("close", None, c_void_p)
vault_token = declare(
    "token", c_int, c_void_p, c_char_p, c_int64, POINTER(c_void_p), POINTER(c_void_p))
free = declare("free", None, c_void_p)
strerror = declare("strerror", c_char_p, c_int)
monitor_open = declare("monitor_open", c_int, c_void_p, c_char_p, POINTER(c_void_p))
monitor_descriptor = declare("monitor_descriptor", c_int, c_void_p)
monitor_next = declare("monitor_next", c_int, c_void_p, c_int64, POINTER(c_void_p))
monitor_close = declare("monitor_close", None, c_void_p)
state_free = declare("state_free", None, c_void_p)
texts = {
    name: declare("state_" + name, c_char_p, c_void_p)
    for name in ("session_word", "host_word", "account", "reason", "next_step")}
expires_in = declare("state_expires_in", c_int64, c_void_p)


def check(status, message=None):
    if status != OK:
        raise RuntimeError(message or strerror(status).decode())


def take(address):
    """A text of the library's as Python's own; the library's is overwritten and freed."""
    text = ctypes.string_at(address).decode() if address else None
    free(address)
    return text


class Vault:
    """The sessions of the default access group."""

    def __init__(self):
        self.handle = c_void_p()
        check(vault_open(None, byref(self.handle)))

    def close(self):
        vault_close(self.handle)

    def token(self, namespace, seconds):
        """An access token that is good for so many seconds."""
        token, message = c_void_p(), c_void_p()
        status = vault_token(
            self.handle, namespace.encode(), int(seconds * 1000), byref(token), byref(message))
        token, message = take(token.value), take(message.value)
        check(status, message)
        return token

    def states(self, namespace):
        """The present state, then each that is new: a dictionary of texts, `expires_in` in seconds."""
        monitor = c_void_p()
        check(monitor_open(self.handle, namespace.encode(), byref(monitor)))
        poll = select.poll()
        poll.register(monitor_descriptor(monitor), select.POLLIN)
        poll.register(sys.stdout, 0)
        try:
            while True:
                state = c_void_p()
                while monitor_next(monitor, 0, byref(state)) == OK:
                    told = {name: read(state) for name, read in texts.items()}
                    found = {name: text.decode() for name, text in told.items() if text}
                    left = expires_in(state)
                    state_free(state)
                    yield found if left == UNKNOWN else found | {"expires_in": left / 1000}
                if any(event == select.POLLERR for _, event in poll.poll()):
                    return
        finally:
            monitor_close(monitor)


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
        for state in vault.states(namespace):
            print(line(state), flush=True)


try:
    main(sys.argv[1:])
except RuntimeError as failure:
    sys.exit(f"panel: {failure}")
except (BrokenPipeError, KeyboardInterrupt):
    pass
