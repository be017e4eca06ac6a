"""A mouse for a compositor without one: zwlr_virtual_pointer_v1, spoken by hand."""

import socket
import struct
import time

BUTTONS = {1: 0x110, 2: 0x112, 3: 0x111}


class Pointer:
    """One pointer; as long as there is none, the seat has no pointer and clients ask for none."""

    def __init__(self, path, width, height):
        self.size = (width, height)
        self.began = time.monotonic()
        self.last = 1
        self.buffer = b""
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(10)
        self.socket.connect(str(path))
        # wl_display.get_registry, wl_registry.bind, create_virtual_pointer
        registry = self.new()
        self.send(1, 1, struct.pack("<I", registry))
        names = {}
        self.synchronize(lambda sender, opcode, body: sender == registry and opcode == 0
                         and names.update(self.announced(body)))
        name = names["zwlr_virtual_pointer_manager_v1"]
        manager = self.new()
        interface = b"zwlr_virtual_pointer_manager_v1\0"
        self.send(registry, 0, struct.pack("<II", name, len(interface)) + interface
                  + b"\0" * (-len(interface) % 4) + struct.pack("<II", 1, manager))
        self.pointer = self.new()
        self.send(manager, 0, struct.pack("<II", 0, self.pointer))
        self.synchronize()

    def new(self):
        self.last += 1
        return self.last

    def send(self, receiver, opcode, body=b""):
        self.socket.sendall(struct.pack("<IHH", receiver, opcode, len(body) + 8) + body)

    @staticmethod
    def announced(body):
        name, length = struct.unpack("<II", body[:8])
        return {body[8:8 + length - 1].decode(): name}

    def synchronize(self, hear=lambda *event: None):
        """Waits until the compositor has seen everything (wl_display.sync)."""
        callback = self.new()
        self.send(1, 0, struct.pack("<I", callback))
        while True:
            while len(self.buffer) >= 8:
                sender, head = struct.unpack("<II", self.buffer[:8])
                length, opcode = head >> 16, head & 0xFFFF
                if len(self.buffer) < length:
                    break
                body, self.buffer = self.buffer[8:length], self.buffer[length:]
                if (sender, opcode) == (1, 0):
                    raise OSError(f"the compositor refuses: {body!r}")
                if sender == callback:
                    return
                hear(sender, opcode, body)
            data = self.socket.recv(65536)
            if not data:
                raise OSError("the compositor has gone")
            self.buffer += data

    def time(self):
        return int((time.monotonic() - self.began) * 1000)

    def move(self, x, y):
        self.send(self.pointer, 1, struct.pack("<IIIII", self.time(), x, y, *self.size))
        self.send(self.pointer, 4)
        self.synchronize()

    def click(self, x, y, button):
        self.move(x, y)
        for state in (1, 0):
            self.send(self.pointer, 2, struct.pack("<III", self.time(), BUTTONS[button], state))
            self.send(self.pointer, 4)
            self.synchronize()

    def close(self):
        self.socket.close()
