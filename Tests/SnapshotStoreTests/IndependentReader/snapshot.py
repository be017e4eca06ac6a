"""Reads a snapshot by FORMAT.md and nothing else of the project, to show that it is enough."""

import ctypes
import hashlib
import json
import math
import re
import struct

sodium = ctypes.CDLL("libsodium.so.23")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
# The header's fields in their order, each with how it is read (see Source.take).
HEADER = """
    life=16s generation=Q kind=H namespace=text64 access-group=text64 key-identifier=8s
    published-wall=q published-boot=Q published-boot-identifier=16s
    next-publication-wall=q next-publication-boot=Q access-token-expiry=?q issued-at=?q
    host-state=H host-state-time=?q account-name=?text256 account-fingerprint=?16s
    reauthentication-reason=?text64 extension=bytes"""
REQUIRED = ("issuer", "clientId", "accessToken", "tokenType")
OPTIONAL = ("refreshToken", "idToken", "scope")
MEMBERS = ("version", *REQUIRED, *OPTIONAL, "expiresAt")


class Refused(Exception):
    """Why a snapshot is not read, in the words of the golden vectors."""


def require(condition, word="corrupt"):
    if not condition:
        raise Refused(word)


def fit(value, condition):
    require(condition)
    return value


class Source:
    """Bytes, taken from the front."""

    def __init__(self, data):
        self.left = data

    def take(self, form):
        """A value as `struct` has it, bytes or a text behind its length; `?`: it may be absent."""
        if form[0] == "?":
            is_present = self.take("B")
            require(is_present <= 1)
            return self.take(form[1:]) if is_present else None
        if form == "bytes":
            return self.take(f"{self.take('I')}s")
        if form.startswith("text"):
            length = self.take("H")
            return fit(self.take(f"{length}s"), length <= int(form[4:])).decode()
        size = struct.calcsize("<" + form)
        require(size <= len(self.left))
        taken, self.left = self.left[:size], self.left[size:]
        return struct.unpack("<" + form, taken)[0]


def group_key(data):
    """The key of a key file, and its identifier."""
    require(data[:8] == b"TVGKEY\1\0" and len(data) == 48, "key-unavailable")
    digest = hashlib.blake2b(b"TokenVault key id", key=data[8:40], digest_size=16).digest()
    require(digest[:8] == data[40:], "key-unavailable")
    return data[8:40], data[40:]


def header(data):
    """The fields, in their order."""
    source = Source(data)
    fields = (field.split("=") for field in HEADER.split())
    found = {name: source.take(form) for name, form in fields}
    kind, expiry, issued, reason = map(
        found.get, ("kind", "access-token-expiry", "issued-at", "reauthentication-reason"))
    require(not source.left and found["generation"] >= 1 and kind >= 1)
    require(NAME.fullmatch(found["namespace"]) and NAME.fullmatch(found["access-group"]))
    if not 1 <= found["host-state"] <= 6:
        found["host-state"], found["host-state-time"] = 1, None
    require((found["host-state"] == 4) == (found["host-state-time"] is not None))
    require(kind > 3 or (issued is not None if kind == 1 else expiry is None and issued is None))
    require(kind > 3 or (reason if kind == 3 else reason is None))
    return found


def box(source):
    """The nonce and the ciphertext of a box; nothing where there is none."""
    sealed = source.take("bytes")
    return fit(sealed, not sealed or len(sealed) > 40 and len(sealed) % 1024 == 40)


def opened(sealed, associated, key):
    """What the reader box holds, without its padding."""
    padded = ctypes.create_string_buffer(len(sealed) - 40)
    require(0 == sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(
        padded, None, None, sealed[24:], ctypes.c_ulonglong(len(sealed) - 24),
        associated, ctypes.c_ulonglong(len(associated)), sealed[:24], key))
    content = padded.raw.rstrip(b"\0")
    return fit(content[:-1], content[-1:] == b"\x80" and len(padded) - len(content) < 1024)


def depth(value):
    inside = value.values() if isinstance(value, dict) else value
    return 1 + max(map(depth, inside), default=0) if isinstance(value, (dict, list)) else 0


def members(pairs):
    return fit(dict(pairs), len(dict(pairs)) == len(pairs) and "\0" not in "".join(dict(pairs)))


def record(text, expiry):
    """The record of a session; its optional members only where they are there."""
    left = json.loads(
        text, object_pairs_hook=members, parse_constant=lambda _: require(False),
        parse_int=lambda digits: fit(int(digits), -(2**63) <= int(digits) < 2**63),
        parse_float=lambda digits: fit(float(digits), math.isfinite(float(digits))))
    json.dumps(left, ensure_ascii=False).encode()  # Python takes half a surrogate pair.
    require(depth(left) <= 16 and isinstance(left, dict) and type(left.get("version")) is int)
    require(left["version"] == 1, f"unsupported-record-version {left['version']}")
    kept = {name: left.pop(name) for name in MEMBERS if left.get(name) is not None}
    end = kept.get("expiresAt")
    require(set(left) <= {*OPTIONAL, "expiresAt"} and all(map(kept.get, REQUIRED)))
    for name in kept.keys() - {"version", "expiresAt"}:
        require(isinstance(kept[name], str))
        require(not name.endswith("Token") or len(kept[name].encode()) <= 65536)
    require(end == expiry and (end is None or type(end) is int and end >= 0))
    return kept


def checked(data, key_file, group, namespace):
    require(len(data) <= 262144, "too-large")
    source = Source(data)
    require(source.take("6s") == b"TVSNAP")
    version = source.take("H")
    require(version == 1, f"unsupported-version {version}")
    found = header(source.take("bytes"))
    box(source)  # The host's, for nobody else.
    associated = data[:len(data) - len(source.left)] + b"reader"
    sealed = box(source)
    require(sealed and not source.left)
    key, identifier = group_key(key_file)
    require(identifier == found["key-identifier"], "key-unavailable")
    content = opened(sealed, associated, key)
    require((found["access-group"], found["namespace"]) == (group, namespace))
    if found["kind"] == 1:
        return found, record(content.decode(), found["access-token-expiry"])
    require(found["kind"] > 3 or not content)
    return found, None


def read(data, key_file, group, namespace):
    """The header and the record, which is None for what is no session."""
    try:
        return checked(data, key_file, group, namespace)
    except (ValueError, RecursionError):  # What is no UTF-8, and what is no JSON.
        raise Refused("corrupt") from None
