"""Reads a snapshot by FORMAT.md and nothing else of the project, to show that it is enough."""

import ctypes
import json
import math
import re
import struct

sodium = ctypes.CDLL("libsodium.so.23")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class Refused(Exception):
    """Why a snapshot is not read, in the words of the golden vectors."""


def require(condition, word="corrupt"):
    if not condition:
        raise Refused(word)


def utf8(data):
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Refused("corrupt") from None


class Source:
    """Bytes, taken from the front."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        require(count <= len(self.data) - self.at)
        self.at += count
        return self.data[self.at - count:self.at]

    def number(self, form):
        return struct.unpack("<" + form, self.take(struct.calcsize(form)))[0]

    def text(self, limit=64):
        length = self.number("H")
        require(length <= limit)
        return utf8(self.take(length))

    def optional(self, read, *arguments):
        is_present = self.number("B")
        require(is_present <= 1)
        return read(*arguments) if is_present else None


def group_key(data):
    """The key of a key file, and its identifier."""
    require(data[:8] == b"TVGKEY\1\0" and len(data) == 48, "key-unavailable")
    text, digest = b"TokenVault key id", ctypes.create_string_buffer(16)
    sodium.crypto_generichash(
        digest, ctypes.c_size_t(16), text, ctypes.c_ulonglong(len(text)),
        data[8:40], ctypes.c_size_t(32))
    require(digest.raw[:8] == data[40:], "key-unavailable")
    return data[8:40], data[40:]


def header(data):
    """The fields, in their order."""
    source, found = Source(data), {}
    found["life"] = source.take(16)
    found["generation"] = source.number("Q")
    found["kind"] = kind = source.number("H")
    require(found["generation"] >= 1 and kind >= 1)
    for field in ("namespace", "access-group"):
        found[field] = source.text()
        require(NAME.fullmatch(found[field]))
    found["key-identifier"] = source.take(8)
    found["published-wall"] = source.number("q")
    found["published-boot"] = source.number("Q")
    found["published-boot-identifier"] = source.take(16)
    found["next-publication-wall"] = source.number("q")
    found["next-publication-boot"] = source.number("Q")
    found["access-token-expiry"] = expiry = source.optional(source.number, "q")
    found["issued-at"] = issued = source.optional(source.number, "q")
    state, until = source.number("H"), source.optional(source.number, "q")
    is_known = 1 <= state <= 6
    require(not is_known or (state == 4) == (until is not None))
    found["host-state"], found["host-state-time"] = (state, until) if is_known else (1, None)
    found["account-name"] = source.optional(source.text, 256)
    found["account-fingerprint"] = source.optional(source.take, 16)
    found["reauthentication-reason"] = reason = source.optional(source.text)
    found["extension"] = source.take(source.number("I"))
    require(source.at == len(data))
    require(kind != 1 or issued is not None and reason is None)
    require(kind != 2 or expiry is None and issued is None and reason is None)
    require(kind != 3 or expiry is None and issued is None and reason)
    return found


def box(source):
    """Where a box begins, its nonce, its ciphertext; None where there is none."""
    start, length = source.at, source.number("I")
    require(length == 0 or length > 40 and (length - 40) % 1024 == 0)
    return (start, source.take(24), source.take(length - 24)) if length else None


def opened(data, sealed, key):
    """The plaintext of the reader box, without its padding."""
    start, nonce, ciphertext = sealed
    associated = data[:start] + b"reader"
    plaintext = ctypes.create_string_buffer(len(ciphertext) - 16)
    require(0 == sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(
        plaintext, None, None, ciphertext, ctypes.c_ulonglong(len(ciphertext)),
        associated, ctypes.c_ulonglong(len(associated)), nonce, key))
    return plaintext.raw


def unpadded(padded):
    end = len(padded.rstrip(b"\0")) - 1
    require(end >= len(padded) - 1024 and padded[end] == 0x80)
    return padded[:end]


def members(pairs):
    require(len(dict(pairs)) == len(pairs) and not any("\0" in name for name, _ in pairs))
    return dict(pairs)


def integer(text):
    require(-(2**63) <= int(text) < 2**63)
    return int(text)


def real(text):
    require(math.isfinite(float(text)))
    return float(text)


def depth(value):
    inside = value.values() if isinstance(value, dict) else value
    return 1 + max(map(depth, inside), default=0) if isinstance(value, (dict, list)) else 0


def record(text, expiry):
    """The record of a session; its optional members only where they are there."""
    try:
        left = json.loads(
            utf8(text), object_pairs_hook=members, parse_int=integer, parse_float=real,
            parse_constant=lambda _: require(False))
        require(depth(left) <= 16)
        json.dumps(left, ensure_ascii=False).encode()  # Python takes half a surrogate pair.
    except (ValueError, RecursionError):
        raise Refused("corrupt") from None
    require(isinstance(left, dict) and type(left.get("version")) is int)
    kept = {"version": left.pop("version")}
    require(kept["version"] == 1, f"unsupported-record-version {kept['version']}")
    for name in ("issuer", "clientId", "accessToken", "tokenType", "refreshToken", "idToken", "scope"):
        value = left.pop(name, None)
        if value is None and name in ("refreshToken", "idToken", "scope"):
            continue
        require(isinstance(value, str) and (value or name in ("refreshToken", "idToken", "scope")))
        require(not name.endswith("Token") or len(value.encode()) <= 65536)
        kept[name] = value
    end = left.pop("expiresAt", None)
    require(end is None or type(end) is int and end >= 0)
    require(not left and end == expiry)
    return kept if end is None else kept | {"expiresAt": end}


def read(data, key_file, group, namespace):
    """The header and the record, which is None for what is no session."""
    require(len(data) <= 262144, "too-large")
    source = Source(data)
    require(source.take(6) == b"TVSNAP")
    version = source.number("H")
    require(version == 1, f"unsupported-version {version}")
    found = header(source.take(source.number("I")))
    box(source)
    sealed = box(source)
    require(sealed and source.at == len(data))
    key, identifier = group_key(key_file)
    require(identifier == found["key-identifier"], "key-unavailable")
    padded = opened(data, sealed, key)
    require((found["access-group"], found["namespace"]) == (group, namespace))
    content = unpadded(padded)
    if found["kind"] == 1:
        return found, record(content, found["access-token-expiry"])
    require(found["kind"] > 3 or content == b"")
    return found, None
