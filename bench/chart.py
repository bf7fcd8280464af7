# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The chart of README.md: six ciphers beside the best library for each, where a library wins first."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

import newest
from runnel_lab import speed
from tables import generated

import demo  # isort: skip  # tables puts tools/ on the path
import svg  # isort: skip

CIPHERS = demo.CIPHERS
CELL = ("message", 16384)
COLOURS = {"ours": ("#0969da", "#4493f8"), "best": ("#8c959f", "#6e7681")}
WIDTH, LEFT, RIGHT, TOP, ROW, BAR = 760, 122, 214, 38, 46, 15


class Line(NamedTuple):
    cipher: str
    ours: float
    """GB/s."""
    best: float
    library: str
    times: float


class Chart(NamedTuple):
    machine: dict
    lines: list[Line]

    def svg(self) -> str:
        """Returns the picture, on a ground of its own: light, or dark where the reader asks for that."""
        most = max(max(line.ours, line.best) for line in self.lines)
        scale = (WIDTH - LEFT - RIGHT) / most
        height = TOP + ROW * len(self.lines) + 6
        parts = [f'<text x="{LEFT}" y="22">GB/s on one core, messages of 16 KiB, a new IV for each</text>']
        for number, line in enumerate(self.lines):
            y = TOP + ROW * number
            parts.append(f'<text x="{LEFT - 8}" y="{y + 20}" text-anchor="end">{escape(line.cipher)}</text>')
            for name, style, value, top in (
                (f"runnel, {line.times:.2f} times", "ours", line.ours, y),
                (line.library, "best", line.best, y + BAR + 2),
            ):
                width = max(value * scale, 1)
                less = ' class="less"' if style == "ours" and line.times < 1 else ""
                parts.append(f'<rect class="{style}" x="{LEFT}" y="{top}" width="{width:.1f}" height="{BAR}"/>')
                parts.append(f'<text x="{LEFT + width + 6:.1f}" y="{top + 12}"{less}>{value:.2f} {escape(name)}</text>')
        return svg.page(WIDTH, height, self.text(), COLOURS, parts)

    def text(self) -> str:
        """Returns what the picture shows, in words."""
        each = (f"{line.cipher} {line.times:.2f} times {line.library}" for line in self.lines)
        return "Speed of messages of 16 KiB beside the best library: " + ", ".join(each)

    def markdown(self) -> str:
        machine = self.machine
        caption = (
            f"{machine['cpu']} ({machine['cpu_id']}), {machine['clock_ghz']:.2f} GHz, beside the best library that Debian 12 "
            "packages, or a newer one that was measured on such a machine. [All figures](docs/performance.md), what a "
            "library does faster first; yours: `runnel speed`."
        )
        return f"![{self.text()}](docs/speed.svg)\n\n{generated.wrapped(caption)}"


def chart(result: speed.Result) -> Chart:
    """Return the ciphers of a run that have a library beside them, in order of how many times as fast we are."""
    lines = []
    newer = newest.best(result, CELL)
    for name, comparison in speed.comparisons(result).items():
        best = comparison.best_peer(CELL)
        if name in CIPHERS and CELL in comparison.ours and best is not None:
            ours = comparison.ours[CELL]["gb_per_s"]
            library, times = best[0], comparison.ratio(CELL)
            if name in newer and newer[name].times < times:
                library, times = newer[name].by, newer[name].times
            lines.append(Line(name, ours, ours / times, library, times))
    return Chart(result["machine"], sorted(lines, key=lambda line: line.times))
