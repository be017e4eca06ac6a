"""libtokenvault for Python: tokens, states, and a monitor that any event loop can wait for."""

import ctypes
from ctypes import POINTER, byref, c_char_p, c_int, c_int64, c_void_p

library = ctypes.CDLL("libtokenvault.so.0")
OK, UNKNOWN, MARGIN, USABLE = 0, -(2**63), -0.001, ("valid", "expiring", "expiry-unknown")


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
state_read = declare("state_read", c_int, c_void_p, c_char_p, POINTER(c_void_p))
state_free = declare("state_free", None, c_void_p)
texts = {
    name: declare("state_" + name, c_char_p, c_void_p)
    for name in ("session_word", "host_word", "account", "issuer", "reason", "next_step")}
times = {name: declare("state_" + name, c_int64, c_void_p)
         for name in ("expires_at", "published_at", "next_publication_by")}
expires_in = declare("state_expires_in", c_int64, c_void_p)


def check(status, message=None):
    if status != OK:
        raise RuntimeError(message or strerror(status).decode())


def take(address):
    """A text of the library's as Python's own; the library's is overwritten and freed."""
    text = ctypes.string_at(address).decode() if address else None
    free(address)
    return text


def read(state):
    """A state as a dictionary without what is not known; times are in seconds. Frees the state."""
    told = {name: function(state) for name, function in texts.items()}
    found = {name: text.decode() for name, text in told.items() if text}
    known = {name: function(state) for name, function in times.items()}
    found |= {name: time for name, time in known.items() if time != UNKNOWN}
    left = expires_in(state)
    state_free(state)
    return found if left == UNKNOWN else found | {"expires_in": left / 1000}


class Vault:
    """The sessions of the default access group."""

    def __init__(self):
        self.handle = c_void_p()
        check(vault_open(None, byref(self.handle)))

    def close(self):
        vault_close(self.handle)

    def token(self, namespace, seconds=MARGIN):
        """An access token that is good for so many seconds, or for the margin."""
        token, message = c_void_p(), c_void_p()
        status = vault_token(
            self.handle, namespace.encode(), round(seconds * 1000), byref(token), byref(message))
        token, message = take(token.value), take(message.value)
        check(status, message)
        return token

    def state(self, namespace):
        """The state as it is now."""
        state = c_void_p()
        check(state_read(self.handle, namespace.encode(), byref(state)))
        return read(state)


class Monitor:
    """What hears of changes of a namespace: wait until `fileno()` is readable, then take `news()`."""

    def __init__(self, vault, namespace):
        self.handle = c_void_p()
        check(monitor_open(vault.handle, namespace.encode(), byref(self.handle)))

    def fileno(self):
        return monitor_descriptor(self.handle)

    def news(self):
        """The present state at first, then those that are new. To be exhausted before each wait."""
        state = c_void_p()
        while monitor_next(self.handle, 0, byref(state)) == OK:
            yield read(state)

    def close(self):
        monitor_close(self.handle)


def needs_person(state):
    """Whether nothing gets better before somebody signs in."""
    return state["session_word"] in ("absent", "signed-out", "reauthentication-required")


def severity(state):
    """good, idle, warning or critical, as `tokenvault watch --format waybar` has them as classes."""
    session, host = state["session_word"], state["host_word"]
    if session in ("absent", "signed-out"):
        return "idle"
    if session in ("valid", "expiry-unknown") and host in ("ok", "renewing", "unknown"):
        return "good"
    mends = session in USABLE or (session, host) == ("expired", "renewing")
    return "warning" if mends and host != "storage-failed" else "critical"
