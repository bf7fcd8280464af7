# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Results of `runnel speed` as one HTML file with charts, this machine beside those whose figures the package brings. The
file needs nothing else: no script, no other host."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

import runnel

from runnel_lab import pictures, speed
from runnel_lab.choose import rules

_STYLE = """\
:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:62rem;margin:1rem auto;padding:0 1rem;
background:#fff;color:#1f2328}table{border-collapse:collapse}th,td{padding:.25rem .7rem;border-bottom:1px solid #d1d9e0;
text-align:right;font-variant-numeric:tabular-nums}th:first-child,td:first-child,th:nth-child(2),td:nth-child(2){text-align:left}
div{overflow-x:auto}
@media(prefers-color-scheme:dark){body{background:#0d1117;color:#e6edf3}th,td{border-color:#3d444d}}
"""
_CELL = ("message", 16384)
_CURVES = 8


def page(result: speed.Result) -> str:
    """Return the file's text. result: as speed.measure gives it."""
    compared = [each for each in speed.comparisons(result).values() if _CELL in each.ours]
    compared.sort(key=lambda each: -float(each.ours[_CELL]["gb_per_s"]))
    machine = result["machine"]
    title = f"Runnel {runnel.__version__} on {machine.get('cpu', 'this machine')}"
    parts = [
        f"<h1>{escape(title)}</h1><p>{escape(speed.describe(machine))}; {escape(str(machine.get('date', '')))}.</p>"
    ]
    if compared:
        parts += [f"<h2>Messages of 16 KiB, a new IV for each</h2>{_bars(compared)}", _figures_of_results()]
        parts += [f"<h2>Cost by length</h2>{_lines(compared)}"]
    parts += [f"<h2>All figures</h2><p>{escape(speed.LEGEND)}</p>", _table(speed.comparisons(result).values())]
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
        f'content="width=device-width,initial-scale=1"><title>{escape(title)}</title>'
        f"<style>{_STYLE}{pictures.STYLE}</style></head><body><main>\n" + "\n".join(parts) + "\n</main></body></html>\n"
    )


def recorded() -> list[dict[str, Any]]:
    """Return the machines whose figures the package brings: {"title", "date", "gb_per_s": {cipher: …}}."""
    found: list[dict[str, Any]] = rules.load()["machines"]
    return found


def _bars(compared: Sequence[speed.Comparison]) -> str:
    rows = []
    for each in compared:
        ours, best = float(each.ours[_CELL]["gb_per_s"]), each.best_peer(_CELL)
        values = [("here", ours, f"{ours:.2f}")]
        if best is not None and (ratio := each.ratio(_CELL)):
            values.append(("the best library here", ours / ratio, f"{ours / ratio:.2f}"))
        for machine in recorded():
            if (there := machine["gb_per_s"].get(each.cipher)) is not None:
                values.append((machine["title"], there, f"{there:.2f}"))
        rows.append(pictures.Bar(each.cipher, values))
    words = "; ".join(f"{row.name} {row.values[0][2]} GB/s" for row in rows)
    return pictures.bars(f"GB/s on one core: {words}", rows, "GB/s on one core")


def _figures_of_results() -> str:
    machines = "; ".join(f"{machine['title']}, {machine['date']}" for machine in recorded())
    return f"<p>Beside it, recorded with this version: {escape(machines)}.</p>"


def _lines(compared: Sequence[speed.Comparison]) -> str:
    series = []
    for each in compared[:_CURVES]:
        cells = sorted((n, float(row["cycles"])) for (what, n), row in each.ours.items() if what == "message" and n)
        series.append(pictures.Series(each.cipher, cells))
    words = ", ".join(f"{each.name} {each.points[0][1]:.0f} at {each.points[0][0]:.0f} bytes" for each in series)
    return pictures.lines(f"Cycles of a message by its bytes: {words}", series, "bytes of the message", "cycles")


def _table(compared: Iterable[speed.Comparison]) -> str:
    head = ["cipher", "implementation", *speed.COLUMNS.values(), "GB/s"]
    lines = ["<tr>" + "".join(f'<th scope="col">{escape(name)}</th>' for name in head) + "</tr>"]
    for each in compared:
        for (implementation, kernel), cells in each.cells.items():
            figures = [speed.figure(cells[cell]) if cell in cells else "" for cell in speed.COLUMNS]
            rate = cells.get(_CELL)
            row = [
                each.cipher,
                f"{implementation} {kernel}".strip(),
                *figures,
                f"{rate['gb_per_s']:.2f}" if rate else "",
            ]
            lines.append("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>")
    return f'<div tabindex="0" role="region" aria-label="All figures"><table>{"".join(lines)}</table></div>'
