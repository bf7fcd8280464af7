# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Charts as SVG, of figures alone: lines over length, points with their Pareto edge, bars. They have classes and no colours:
STYLE has these, for light and dark, for the page or, in a file of its own, for the picture. Each series has a mark or a name
beside it, so that colour never tells alone, and a title that says in words what is shown."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

WIDTH, HEIGHT = 640, 380
LEFT, TOP, BOTTOM = 66, 14, 46
_MARGIN, _ROW, _LETTER = 24, 18, 7.6
"""Right of a plot without names there; height of a line of a legend; width of a letter of a name, at the most."""
_MARKS = 8
_TICKS = 9

_LIGHT = (
    "--ink:#1f2328;--grid:#d1d9e0;--edge:#57606a;--c0:#0550ae;--c1:#a40e26;--c2:#116329;--c3:#8a4600;"
    "--c4:#6639ba;--c5:#0a6270;--c6:#9c1f72;--c7:#57606a"
)
_DARK = (
    "--ink:#e6edf3;--grid:#3d444d;--edge:#9198a1;--c0:#79c0ff;--c1:#ff9492;--c2:#6fdd8b;--c3:#f0b072;"
    "--c4:#d2a8ff;--c5:#76e3ea;--c6:#ff9bce;--c7:#9198a1"
)
_RULES = (
    """\
.chart{max-width:100%;height:auto;font:12px system-ui,sans-serif}.chart text{fill:var(--ink)}
.chart .axis,.chart .grid{stroke:var(--grid);fill:none}.chart .grid{stroke-dasharray:2 3}
.chart .edge{stroke:var(--edge);fill:none;stroke-dasharray:5 3}.chart .line{fill:none;stroke-width:2;stroke:var(--c)}
"""
    + "".join(f".chart .c{n}{{--c:var(--c{n})}}" for n in range(8))
    + """
.chart .dot,.chart .bar{fill:var(--c)}.chart text.name{fill:var(--c)}
@media print{.chart{break-inside:avoid}}
"""
)
STYLE = f"""\
.chart{{{_LIGHT};color-scheme:light dark}}
@media(prefers-color-scheme:dark){{.chart{{{_DARK}}}}}
{_RULES}"""
"""Of a file of its own, which follows the reader's setting."""
SITE_STYLE = f"""\
body{{{_LIGHT}}}
@media not print{{body[data-theme="dark"]{{{_DARK}}}
@media(prefers-color-scheme:dark){{body:not([data-theme="light"]){{{_DARK}}}}}}}
{_RULES}"""
"""Of the site, where a button chooses light or dark; its other pages' colours are these too."""

Point = tuple[float, float]


class Series(NamedTuple):
    name: str
    points: Sequence[Point]


class Bar(NamedTuple):
    name: str
    values: Sequence[tuple[str, float, str]]
    """(what, value, its text), a bar each."""


class _Scale:
    """Turns values into places, by logarithms."""

    def __init__(self, values: Iterable[float], begin: float, end: float) -> None:
        found = [value for value in values if value > 0]
        steps = [step * 10.0**power for power in range(-6, 19) for step in (1, 2, 5)]
        first = max(n for n, step in enumerate(steps) if step <= min(found) * (1 + 1e-9))
        last = min(n for n, step in enumerate(steps) if step >= max(found) * (1 - 1e-9))
        last = max(last, first + 1)
        self.low, self.high = steps[first], steps[last]
        self._steps = steps[first : last + 1]
        self.begin, self.end = begin, end

    def at(self, value: float) -> float:
        part = math.log10(max(value, self.low) / self.low) / math.log10(self.high / self.low)
        return self.begin + (self.end - self.begin) * part

    def ticks(self) -> list[float]:
        """Return 1, 2, 5, 10 …, or 1, 10, 100 … where these are too many."""
        if len(self._steps) <= _TICKS:
            return self._steps
        return [step for step in self._steps if f"{step:e}".startswith("1.0000")]


def short(value: float) -> str:
    """Return 1, 10, 1k, 10k, 1M …"""
    for unit, size in (("P", 10**15), ("T", 10**12), ("G", 10**9), ("M", 10**6), ("k", 1000)):
        if value >= size:
            return f"{value / size:g}{unit}"
    return f"{value:g}"


def lines(title: str, series: Sequence[Series], across: str, up: str) -> str:
    """Return curves in axes by logarithms, each with its name at its end."""
    right = WIDTH - _MARGIN - _LETTER * max((len(each.name) for each in series), default=0)
    x = _Scale((p[0] for each in series for p in each.points), LEFT, right)
    y = _Scale((p[1] for each in series for p in each.points), HEIGHT - BOTTOM, TOP)
    parts = _axes(x, y, across, up)
    places = _spread([y.at(each.points[-1][1]) for each in series])
    for number, each in enumerate(series):
        way = " ".join(f"{x.at(a):.1f},{y.at(b):.1f}" for a, b in each.points)
        parts.append(f'<g class="c{number % _MARKS}"><polyline class="line" points="{way}"/>')
        parts += [_mark(number, x.at(a), y.at(b)) for a, b in each.points]
        parts.append(_mark(number, right + 12, places[number]))
        parts.append(
            f'<text class="name" x="{right + 20:.1f}" y="{places[number] + 4:.1f}">{escape(each.name)}</text></g>'
        )
    return _svg(title, parts, HEIGHT)


def scatter(title: str, points: Sequence[tuple[str, float, float]], across: str, up: str) -> str:
    """Return points (name, x, y) with the edge of those that none beats in both; these are numbered, and named below."""
    right = WIDTH - _MARGIN
    x = _Scale((p[1] for p in points), LEFT, right)
    y = _Scale((p[2] for p in points), HEIGHT - BOTTOM, TOP)
    parts = _axes(x, y, across, up)
    edge = pareto(points)
    way = " ".join(f"{x.at(a):.1f},{y.at(b):.1f}" for _, a, b in edge)
    parts.append(f'<polyline class="edge" points="{way}"/>')
    for name, a, b in points:
        best = (name, a, b) in edge
        colour = "c0" if best else "c7"
        shown = f"<title>{escape(name)}: {short(a)}, {short(b)}</title>"
        parts.append(
            f'<circle class="dot {colour}" cx="{x.at(a):.1f}" cy="{y.at(b):.1f}" r="{5 if best else 3}">{shown}</circle>'
        )
    for number, (name, a, b) in enumerate(edge, 1):
        parts.append(
            f'<text class="name c0" x="{x.at(a) - 5:.1f}" y="{y.at(b) + 18:.1f}" text-anchor="end">{number}</text>'
        )
        below = HEIGHT + _ROW * number - 4
        parts.append(f'<text class="c0" x="{LEFT}" y="{below}">{number}  {escape(name)}: {short(a)}, {short(b)}</text>')
    return _svg(title, parts, HEIGHT + _ROW * len(edge) + 8)


def pareto(points: Sequence[tuple[str, float, float]]) -> list[tuple[str, float, float]]:
    """Return those that no other point beats in both, from the least x on."""
    edge: list[tuple[str, float, float]] = []
    for each in sorted(points, key=lambda point: (point[1], point[2], point[0])):
        if not edge or each[2] < edge[-1][2]:
            edge.append(each)
    return edge


def bars(title: str, rows: Sequence[Bar], note: str) -> str:
    """Return horizontal bars, some for each name, from zero, with their values behind them and a legend above."""
    height, letters = 15, max((len(row.name) for row in rows), default=0)
    left = round(_LETTER * letters) + 16
    room = 16 + _LETTER * max((len(text) for row in rows for _, _, text in row.values), default=0)
    most = max((abs(value) for row in rows for _, value, _ in row.values), default=1) or 1
    colours = list(dict.fromkeys(what for row in rows for what, _, _ in row.values))
    parts, y = _legend(colours, f"{note}:")
    for row in rows:
        middle = y + height * len(row.values) / 2
        parts.append(f'<text x="{left - 8}" y="{middle + 2:.1f}" text-anchor="end">{escape(row.name)}</text>')
        for what, value, text in row.values:
            wide = max(1.0, abs(value) / most * (WIDTH - left - room))
            parts.append(
                f'<g class="c{colours.index(what) % _MARKS}">'
                f'<rect class="bar" x="{left}" y="{y}" width="{wide:.1f}" height="{height - 3}"/></g>'
                f'<text x="{left + wide + 6:.1f}" y="{y + 10}">{escape(text)}</text>'
            )
            y += height
        y += 9
    return _svg(title, parts, y)


def _legend(names: Sequence[str], note: str) -> tuple[list[str], int]:
    """Return names with their colours, as many in a line as there is room for, and where the next line would be."""
    parts, x, y = [f'<text x="8" y="16">{escape(note)}</text>'], 24 + _LETTER * len(note), 16
    for number, name in enumerate(names):
        wide = 28 + _LETTER * len(name)
        if x + wide > WIDTH and x > 8:
            x, y = 8.0, y + _ROW
        parts.append(
            f'<g class="c{number % _MARKS}"><rect class="bar" x="{x:.1f}" y="{y - 10}" width="11" height="11"/></g>'
        )
        parts.append(f'<text x="{x + 16:.1f}" y="{y}">{escape(name)}</text>')
        x += wide
    return parts, y + 14


def figure(svg: str) -> str:
    """Return the picture as a part of a page, wide enough to be read where the page is narrow: it scrolls there."""
    return f'<div class="figure" tabindex="0">{svg}</div>'


def standalone(svg: str) -> str:
    """Return the picture as a file of its own, with its colours."""
    head, _, rest = svg.partition(">")
    return f'{head} xmlns="http://www.w3.org/2000/svg"><style>{STYLE}</style>{rest}\n'


def _svg(title: str, parts: Sequence[str], height: int) -> str:
    words = escape(title)
    return (
        f'<svg class="chart" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{words}">'
        + "".join(parts)
        + "</svg>"
    )


def _axes(x: _Scale, y: _Scale, across: str, up: str) -> list[str]:
    bottom, right = HEIGHT - BOTTOM, x.end
    parts = []
    for tick in x.ticks():
        at = f"{x.at(tick):.1f}"
        parts.append(f'<path class="grid" d="M{at} {TOP}V{bottom}"/>')
        parts.append(f'<text x="{at}" y="{bottom + 16}" text-anchor="middle">{short(tick)}</text>')
    for tick in y.ticks():
        at = f"{y.at(tick):.1f}"
        parts.append(f'<path class="grid" d="M{LEFT} {at}H{right}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y.at(tick) + 4:.1f}" text-anchor="end">{short(tick)}</text>')
    parts.append(f'<path class="axis" d="M{LEFT} {TOP}V{bottom}H{right:.1f}"/>')
    parts.append(f'<text x="{(LEFT + right) / 2:.1f}" y="{HEIGHT - 10}" text-anchor="middle">{escape(across)}</text>')
    middle = (TOP + bottom) / 2
    parts.append(
        f'<text x="14" y="{middle:.1f}" text-anchor="middle" transform="rotate(-90 14 {middle:.1f})">{escape(up)}</text>'
    )
    return parts


def _mark(number: int, x: float, y: float) -> str:
    """Return a dot, a square, a triangle or a rhombus."""
    shape = number % 4
    if shape == 0:
        return f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>'
    ways = {
        1: f"M{x - 3:.1f} {y - 3:.1f}h6v6h-6z",
        2: f"M{x:.1f} {y - 4:.1f}l4 7h-8z",
        3: f"M{x:.1f} {y - 4.5:.1f}l4.5 4.5l-4.5 4.5l-4.5 -4.5z",
    }
    return f'<path class="dot" d="{ways[shape]}"/>'


def _spread(places: Sequence[float], least: float = 14) -> list[float]:
    """Separate names that would overlap: move them down, and up again where they would leave the picture."""
    order = sorted(range(len(places)), key=lambda n: places[n])
    found = list(places)
    for before, here in itertools.pairwise(order):
        found[here] = max(found[here], found[before] + least)
    lowest = HEIGHT - 8.0
    for here in reversed(order):
        found[here] = min(found[here], lowest)
        lowest = found[here] - least
    return found
