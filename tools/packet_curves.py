# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Curves of cycles against length, both axes logarithmic, for docs/packets-on-the-node.md."""

from __future__ import annotations

import math
from collections.abc import Mapping
from html import escape

import svg

Curve = Mapping[int, float]
"""Cycles by bytes of message."""

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 420, 84, 190, 40, 40
STROKES = ("#0969da", "#cf222e", "#1a7f37", "#8250df", "#bf8700", "#bf3989", "#57606a", "#1b7c83", "#bc4c00", "#6e7781")
LABEL = 15
"""Pixels from one curve's name to the next."""


def picture(title: str, curves: Mapping[str, Curve]) -> str:
    """Returns the picture; curves: by name, not more than there are strokes."""
    lengths = sorted({length for curve in curves.values() for length in curve})
    least = math.floor(math.log10(min(min(curve.values()) for curve in curves.values())) * 2) / 2
    most = math.log10(max(max(curve.values()) for curve in curves.values()))

    def x(length: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log(length / lengths[0]) / math.log(lengths[-1] / lengths[0])

    def y(cycles: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (math.log10(cycles) - least) / (most - least)

    parts = [f'<text x="{LEFT}" y="22">{escape(title)}</text>', *_axes(lengths, least, most, x, y)]
    ends = {name: y(curve[max(curve)]) for name, curve in curves.items()}
    for name, place in _apart(ends).items():
        number = list(curves).index(name)  # a name has its colour in every picture that has the same names
        points = " ".join(f"{x(length):.1f},{y(cycles):.1f}" for length, cycles in sorted(curves[name].items()))
        at = x(max(curves[name])) + 6
        parts.append(f'<polyline class="s{number}" points="{points}"/>')
        parts.append(f'<text class="t{number}" x="{at:.1f}" y="{place + 4:.1f}">{escape(name)}</text>')
    style = "polyline{fill:none;stroke-width:1.8}.grid{stroke:#8c959f;stroke-width:.4}" + "".join(
        f".s{number}{{stroke:{STROKES[number]}}}" for number in range(len(curves))
    )
    words = "; ".join(f"{name}: {curve[max(curve)]:,.0f} at {max(curve):,} bytes" for name, curve in curves.items())
    colours = {f"t{number}": (STROKES[number], STROKES[number]) for number in range(len(curves))}
    return svg.page(WIDTH, HEIGHT, f"{title}: {words}", colours, parts, style)


def _axes(lengths, least, most, x, y) -> list[str]:
    parts = []
    for power in range(math.ceil(least), math.floor(most) + 1):
        height = y(10**power)
        parts.append(f'<path class="grid" d="M{LEFT} {height:.1f}H{WIDTH - RIGHT}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{height + 4:.1f}" text-anchor="end">{10**power:,}</text>')
    for length in lengths:
        parts.append(f'<path class="grid" d="M{x(length):.1f} {TOP}V{HEIGHT - BOTTOM}"/>')
        parts.append(f'<text x="{x(length):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{length:,}</text>')
    return parts


def _apart(ends: Mapping[str, float]) -> dict[str, float]:
    """Returns where the names stand, in the order of the curves' ends, none upon another."""
    placed: dict[str, float] = {}
    before = -math.inf
    for name, height in sorted(ends.items(), key=lambda pair: pair[1]):
        before = placed[name] = max(height, before + LABEL)
    return placed
