# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The papers' curves: what bytes cost by the length of a message, as pictures of their own."""

from __future__ import annotations

import re
from pathlib import Path

from runnel_lab import pictures
from runnel_lab.pictures import Series
from runnel_lab.tables.papers import Curve
from runnel_lab.tables.values import Case, ResultSet, Value, figure, measured, throughput


def going_on(name: str, case: Case, what: str) -> Series:
    """Return the cost of calls that continue a message, by their length; what: MB/s, or cycles or instructions a byte."""
    return _series(name, case, "more", ("stream",), what)


def fresh(name: str, case: Case, what: str) -> Series:
    """Return the cost of whole messages, each under a new IV; what: cycles or instructions a byte."""
    return _series(name, case, "message", ("packet", "long"), what)


def _series(name: str, case: Case, label: str, otherwise: tuple[str, ...], what: str) -> Series:
    def cost(at: str) -> Value:
        if what == "MB/s":
            return throughput(at)
        start = (lambda case: 0.0) if label == "more" else figure("iv", what)
        return lambda case: (start(case) + case.figure(at, what)) / case.get("figures", at, "bytes")

    figures = (case.row or {}).get("figures", {})
    labels = [at for at in figures if re.fullmatch(rf"{label}_\d+", at)]
    points = {
        float(figures[at]["bytes"]): value
        for at in [*otherwise, *labels]
        if at in figures and (value := measured(cost(at), case)) is not None
    }
    return Series(name, sorted(points.items()))


def picture(curve: Curve, result_set: ResultSet) -> str | None:
    """Return a curve as an SVG file, None where too little was measured."""
    series = [each for each in curve.make(result_set) if len(each.points) > 1]
    if not series:
        return None
    last = "; ".join(f"{each.name} {each.points[-1][1]:,.4g}" for each in series)
    return pictures.standalone(
        pictures.lines(f"{curve.title}, {curve.up}; at the last: {last}", series, "bytes", curve.up)
    )


def write(curves: list[Curve], result_set: ResultSet, place: Path) -> list[Path]:
    """Write each curve to the folder, or the one there is to a file that ends in .svg. Return the files."""
    found = {curve.name: text for curve in curves if (text := picture(curve, result_set)) is not None}
    if place.suffix == ".svg":
        (text,) = found.values()
        place.write_text(text, encoding="utf-8")
        return [place]
    place.mkdir(parents=True, exist_ok=True)
    files = {place / f"{name}.svg": text for name, text in found.items()}
    for file, text in files.items():
        file.write_text(text, encoding="utf-8")
    return list(files)
