"""Snapshots with an account's name that no host would publish: who can write the directory can seal
one, as the group's key is there too."""

import ctypes
import os
import struct
import sys
import time

from vault import ROOT, Failed

sys.path.append(str(ROOT / "Tests/SnapshotStoreTests/IndependentReader"))
import snapshot  # noqa: E402


def seal(data, plaintext, key):
    """A reader box behind the bytes that it vouches for."""
    nonce, associated = os.urandom(24), data + b"reader"
    ciphertext = ctypes.create_string_buffer(len(plaintext) + 16)
    snapshot.sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(
        ciphertext, None, plaintext, ctypes.c_ulonglong(len(plaintext)), associated,
        ctypes.c_ulonglong(len(associated)), None, nonce, key)
    return data + struct.pack("<I", len(nonce) + len(ciphertext)) + nonce + ciphertext.raw


def renamed(data, key_file, name):
    """The snapshot once more, of another life and published now, with another name (bytes)."""
    key, _ = snapshot.group_key(key_file)
    length = struct.unpack_from("<I", data, 8)[0]
    fields = data[12:12 + length]
    rest = snapshot.Source(data[12 + length:])
    snapshot.box(rest)
    host_box = data[12 + length:len(data) - len(rest.left)]
    associated = data[:len(data) - len(rest.left)] + b"reader"
    content = snapshot.opened(snapshot.box(rest), associated, key) + b"\x80"
    plaintext = content + bytes(-len(content) % 1024)
    found = snapshot.header(fields)
    account = found["account-name"].encode()
    now = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    changes = (
        (found["life"], os.urandom(16)),
        (struct.pack("<Q", found["published-boot"]), struct.pack("<Q", now)),
        (optional_text(account), optional_text(name)),
    )
    for old, new in changes:
        if fields.count(old) != 1:
            raise Failed(f"the snapshot has {old!r} {fields.count(old)} times")
        fields = fields.replace(old, new)
    return seal(data[:8] + struct.pack("<I", len(fields)) + fields + host_box, plaintext, key)


def optional_text(text):
    return b"\1" + struct.pack("<H", len(text)) + text


def forge(machine, name):
    """Puts such a snapshot in the place of the machine's own, until the host publishes again."""
    group = machine.root / "run/groups/default"
    place = group / "ns/primary/session"
    data = renamed(place.read_bytes(), (group / "key").read_bytes(), name)
    new = place.with_name(".forged")
    new.write_bytes(data)
    new.chmod(0o600)
    machine.own(new)
    new.rename(place)
