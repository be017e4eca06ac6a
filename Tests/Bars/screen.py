"""What is to be seen on a screen: words, where they stand, and colours."""

import collections
import os
import re
import subprocess

Word = collections.namedtuple("Word", "text x y")


class Picture:
    """A screenshot in the portable pixmap format, as grim and ImageMagick write it."""

    is_drawn = True
    SCALE = 3
    MARGIN = 6

    def __init__(self, data):
        self.data = data
        header = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", data)
        if not header:
            raise ValueError("no portable pixmap")
        self.width, self.height = int(header[1]), int(header[2])
        self.pixels = data[header.end():]
        if len(self.pixels) != 3 * self.width * self.height:
            raise ValueError("a pixmap of another size")

    def count(self, color):
        """How many pixels have a colour, such as #e5a50a, or nearly so."""
        wanted = bytes.fromhex(color[1:])
        colors = collections.Counter(zip(*[iter(self.pixels)] * 3))
        return sum(
            count for pixel, count in colors.items()
            if all(abs(a - b) <= 6 for a, b in zip(pixel, wanted)))

    def place(self, color):
        """The middle of what has a colour, where that is more than a letter; else None."""
        wanted, found = tuple(bytes.fromhex(color[1:])), []
        for index, pixel in enumerate(zip(*[iter(self.pixels)] * 3)):
            if pixel == wanted:
                found.append((index % self.width, index // self.width))
        if len(found) < 40:
            return None
        return tuple(sorted(axis)[len(found) // 2] for axis in zip(*found))

    def box(self):
        """Where anything stands out against what is behind it; none on an empty screen."""
        colors = collections.Counter(zip(*[iter(self.pixels)] * 3))
        background = colors.most_common(1)[0][0]
        standing = {color for color in colors
                    if any(abs(a - b) > 60 for a, b in zip(color, background))}
        step = 3 * self.width
        xs, ys = [], []
        for y in range(self.height):
            row = self.pixels[y * step:(y + 1) * step]
            found = [x for x, pixel in enumerate(zip(*[iter(row)] * 3)) if pixel in standing]
            if found:
                xs += (found[0], found[-1])
                ys.append(y)
        return (min(xs), ys[0], max(xs), ys[-1], sum(background) < 384) if xs else None

    def words(self, is_one_line=True):
        """What tesseract reads, each word with the place to click at."""
        box = self.box()
        if not box:
            return []
        left, top = max(box[0] - self.MARGIN, 0), max(box[1] - self.MARGIN, 0)
        size = f"{box[2] - left + self.MARGIN}x{box[3] - top + self.MARGIN}+{left}+{top}"
        image = subprocess.run(
            ["convert", "ppm:-", "-crop", size, "+repage", "-colorspace", "Gray",
             *(["-negate"] if box[4] else []), "-resize", f"{self.SCALE}00%", "-normalize",
             "-bordercolor", "white", "-border", "10", "pgm:-"],
            input=self.data, capture_output=True, check=True).stdout
        table = subprocess.run(
            ["tesseract", "-", "-", "--psm", "7" if is_one_line else "11", "tsv"], input=image, capture_output=True,
            # Its threads wait for one another beside other bars.
            env=os.environ | {"OMP_THREAD_LIMIT": "1"}, check=True).stdout.decode()
        found = []
        for line in table.splitlines()[1:]:
            fields = line.split("\t")
            if len(fields) == 12 and fields[11].strip():
                x, y, width, height = map(int, fields[6:10])
                found.append(Word(
                    fields[11], left + (x - 10 + width // 2) // self.SCALE,
                    top + (y - 10 + height // 2) // self.SCALE))
        return found

    def save(self, path):
        subprocess.run(["convert", "ppm:-", f"png:{path}"], input=self.data, check=True)


class TerminalText:
    """The cells of a terminal, as tmux prints them."""

    is_drawn = False

    def __init__(self, data):
        self.data = data

    def count(self, color):
        """How many changes of colour there are: a terminal has its own shades."""
        return len(re.findall(rb"\x1b\[[0-9;]*38;[25];[0-9;]+m", self.data))

    def words(self):
        text = re.sub(r"\x1b(\[[0-9;]*m|\(B|[\x0e\x0f])", "", self.data.decode(errors="replace"))
        return [Word(word, 0, 0) for word in text.split()]

    def save(self, path):
        path.with_suffix(".txt").write_bytes(self.data)
