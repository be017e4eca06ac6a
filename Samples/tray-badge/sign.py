"""The sign itself, drawn here, as icon themes have none for it: a disc that has a colour and a mark
for each severity, so that it says the same to those who see no colours."""

import functools
import math
import struct

from gi.repository import GLib

# The colour, and the strokes of the mark: x and y of both ends, from the middle, in parts of the radius.
SIGNS = {
    "good": (0x26A269, [(-0.45, 0.05, -0.12, 0.38), (-0.12, 0.38, 0.45, -0.3)]),
    "idle": (0x77767B, [(-0.4, 0, 0.4, 0)]),
    "warning": (0xC88800, [(0, -0.5, 0, 0.05), (0, 0.05, 0.35, 0.3)]),
    "critical": (0xC01C28, [(0, -0.5, 0, 0.1), (0, 0.45, 0, 0.47)]),
}
SIZE = 44  # pixels; trays make it smaller


def to_stroke(x, y, stroke):
    """How far a point is from a stroke."""
    ax, ay, bx, by = stroke
    along = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2)
    along = min(1, max(0, along))
    return math.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay))


def pixels(severity):
    """The sign as ARGB32 in network byte order, row by row."""
    color, strokes = SIGNS[severity]
    middle, radius = (SIZE - 1) / 2, SIZE / 2 - 3
    drawn = bytearray()
    for row in range(SIZE):
        for column in range(SIZE):
            x, y = (column - middle) / radius, (row - middle) / radius
            inside = min(1, max(0, (1 - math.hypot(x, y)) * radius + 0.5))
            far = min(to_stroke(x, y, stroke) for stroke in strokes)
            white = min(1, max(0, (0.13 - far) * radius + 0.5))
            parts = [round(part + (255 - part) * white) for part in struct.pack(">I", color)[1:]]
            drawn += bytes([round(255 * inside), *parts])
    return bytes(drawn)


@functools.cache
def picture(severity):
    """What the specification of the item wants, `a(iiay)`. Bytes that are taken over as a whole cost
    nothing; as a list they would be thousands of objects at each question of a tray."""
    data = GLib.Variant.new_from_bytes(
        GLib.VariantType("ay"), GLib.Bytes.new(pixels(severity)), True)
    size = GLib.Variant("i", SIZE)
    return GLib.Variant.new_array(None, [GLib.Variant.new_tuple(size, size, data)])
