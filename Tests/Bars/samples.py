"""The configurations in Samples/bars, which have to say what `--example` says."""

import subprocess

from vault import ROOT, Failed

INSTALLED = "/usr/local/bin/tokenvault"
# The file that shows the lines of each format, eww and Argos among them, which no Debian has.
FILES = {
    "waybar": "waybar/config.jsonc", "swaybar": "sway/config", "i3bar": "i3/config",
    "i3blocks": "i3blocks/config", "polybar": "polybar/config.ini", "genmon": "genmon/genmon-1.rc",
    "tint2": "tint2/tint2rc", "conky": "conky/conky.conf", "lemonbar": "lemonbar/bar",
    "tmux": "tmux/tmux.conf", "eww": "eww/eww.yuck", "argos": "argos/tokenvault.r.30s.sh",
}
COMMENTS = ("#", "//", ";", "--")


class Samples:
    """The files, and the program that they are compared with."""

    def __init__(self, products):
        self.directory = ROOT / "Samples/bars"
        self.program = products / "tokenvault"

    def text(self, name, program):
        """A sample with the program where it is."""
        return (self.directory / name).read_text().replace(INSTALLED, str(program))

    def check(self, bar):
        """Fails when a sample does not have the example's lines, one behind the other."""
        result = subprocess.run(
            [self.program, "watch", "--format", bar, "--example"], text=True, capture_output=True)
        if result.returncode:
            raise Failed(f"{bar}: --example: {result.stderr.strip()}")
        example = self.lines(result.stdout)
        sample = self.lines(self.text(FILES[bar], self.program))
        count = len(example)
        starts = range(len(sample) - count + 1)
        if not example or not any(sample[start:start + count] == example for start in starts):
            raise Failed(
                f"Samples/bars/{FILES[bar]} is not what `--format {bar} --example` prints:\n"
                + "\n".join(f"  {line}" for line in example if line not in sample))

    @staticmethod
    def lines(text):
        """The lines that count: no comments, and the place in a file is the sample's business."""
        stripped = (line.strip() for line in text.splitlines())
        return ["}" if line == "}," else line for line in stripped
                if line and not line.startswith(COMMENTS)]
