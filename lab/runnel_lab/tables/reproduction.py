# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A paper reproduced: what is to be measured for it, and one's own figures beside those that are recorded."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from runnel.columns import columns, exactly, number

from runnel_lab import targets
from runnel_lab.tables import comparison, papers, published
from runnel_lab.tables.papers import Cell, Lab
from runnel_lab.tables.values import ResultSet, read

Kernels = tuple[str, ...]
"""None stand for all, with other projects' code beside them."""


@dataclass(frozen=True)
class Figure:
    """One figure of ours, as it is recorded and as it was measured now."""

    table: str
    row: str | None
    column: str | None
    bytes: int | None
    unit: str
    kind: str
    target: str
    kernel: str
    paper: float | None
    recorded: float
    yours: float | None

    @property
    def ratio(self) -> float | None:
        return self.yours / self.recorded if self.yours is not None and self.recorded else None

    @property
    def place(self) -> str:
        return "/".join(str(each) for each in (self.table, self.row, self.column, self.bytes) if each is not None)


@dataclass(frozen=True)
class Plan:
    """A plan of measurements: ciphers by target and kernels."""

    ciphers: dict[tuple[str, Kernels], list[str]]
    minutes: dict[str, float]
    """By target, about."""


def _cells(tree: Path, paper: str, tables: Collection[str]) -> Iterator[tuple[Cell, float | None, ResultSet]]:
    """Yield the cells that stand for a technique of the paper, with its figure, and the recorded results."""
    text, about = published.read(tree, paper), papers.describe(tree, paper)
    result_set = comparison.sources(tree)[0].result_set
    for table in about.tables:
        if not tables or table.name in tables:
            for cell in table.cells(Lab(result_set, text)):
                if cell.technique is not None:
                    yield cell, text.figures.get(cell.beside or cell.place), result_set


def plan(tree: Path, paper: str, tables: Collection[str] = (), wanted: Collection[str] = ()) -> Plan:
    """Return what the paper's tables need, of these tables and targets or of all: on simulators the kernels that they name,
    where a clock measures all kernels of their ciphers, since other projects' code runs beside them."""
    all_of_it, chosen = _needed(tree, paper, ()), _needed(tree, paper, tables)
    minutes = papers.describe(tree, paper).minutes
    ciphers: dict[tuple[str, Kernels], list[str]] = {}
    for target in dict.fromkeys(name for name, _ in chosen):
        if wanted and target not in wanted:
            continue
        clocked = targets.load(tree, target).measured
        for (name, cipher), kernels in chosen.items():
            if name == target:
                ciphers.setdefault((target, () if clocked else tuple(sorted(kernels))), []).append(cipher)
    here = {target for target, _ in ciphers}
    share = {target: _rows(chosen, target) / _rows(all_of_it, target) for target in here}
    return Plan(ciphers, {target: minutes.get(target, 0) * share[target] for target in sorted(here)})


def _needed(tree: Path, paper: str, tables: Collection[str]) -> dict[tuple[str, str], set[str]]:
    """Return the kernels by target and cipher."""
    needed: dict[tuple[str, str], set[str]] = {}
    for cell, _, result_set in _cells(tree, paper, tables):
        seen = {(cell.target or "", cell.cipher, cell.technique or "")}
        for case in filter(None, comparison.cases(cell, result_set)):
            seen |= read(cell.value, case).kernels
        for target, cipher, kernel in seen:
            needed.setdefault((target, cipher), set()).add(kernel)
    return needed


def _rows(needed: dict[tuple[str, str], set[str]], target: str) -> int:
    return sum(len(kernels) for (name, _), kernels in needed.items() if name == target)


def figures(
    tree: Path, paper: str, place: Path, tables: Collection[str] = (), wanted: Collection[str] = ()
) -> list[Figure]:
    """Return the recorded figures of the paper's techniques and of our best kernels beside those of a folder."""
    yours, found = comparison.sources(tree, [place])[0].result_set, list[Figure]()
    for cell, theirs, result_set in _cells(tree, paper, tables):
        for case in dict.fromkeys(comparison.cases(cell, result_set)):
            if case is None or (wanted and case.target not in wanted):
                continue
            recorded, mine = (read(cell.value, each).value for each in (case, replace(case, result_set=yours)))
            if case.row is not None and recorded is not None:
                found.append(Figure(
                    cell.place.table, cell.row, cell.column, cell.bytes, cell.unit or "", cell.kind or case.row["kind"],
                    case.target, case.kernel, theirs, recorded, mine,
                ))  # fmt: skip
    return found


def text(found: Sequence[Figure]) -> str:
    """Return the figures table by table for people, and what differs most."""
    parts = []
    for table in dict.fromkeys(each.table for each in found):
        lines = [["row", "column", "bytes", "unit", "paper", "kernel", "recorded", "yours", "times"]]
        for each in found:
            if each.table == table:
                ratio = "-" if each.ratio is None else f"{each.ratio:.3f}"
                place = [str(part) if part is not None else "" for part in (each.row, each.column, each.bytes)]
                paper = "-" if each.paper is None else exactly(each.paper)
                figures_ = [number(each.recorded), "-" if each.yours is None else number(each.yours), ratio]
                lines.append([*place, each.unit, paper, each.kernel, *figures_])
        parts.append(f"{table}\n{columns(lines, right=(2, 4, 6, 7, 8), indent='  ')}")
    return "\n".join([*parts, *summary(found)]) + "\n"


_NAMED = 20
"""Figures that differ and are named."""


def _deviation(figure: Figure) -> float:
    """Return how many times the larger of both figures is the smaller."""
    ratio = abs(figure.ratio or 0)
    return max(ratio, 1 / ratio) if ratio else float("inf")


def summary(found: Sequence[Figure]) -> list[str]:
    """Return what differs: the counted figures that are others, and the measured one that differs most."""
    here = [each for each in found if each.yours is not None]
    counted = [each for each in here if each.kind != "measured"]
    differ = [each for each in counted if each.yours != each.recorded]
    lines = [f"{len(here)} of {len(found)} figures measured."]
    if counted:
        lines.append(f"Counted or modelled: {len(counted) - len(differ)} of {len(counted)} are those recorded.")
    differ.sort(key=_deviation, reverse=True)
    for each in differ[:_NAMED]:
        lines.append(f"  {each.place} by {each.kernel}: {each.recorded:,.10g}, now {each.yours:,.10g}")
    lines += [f"  and {len(differ) - _NAMED} more, which differ less"] if len(differ) > _NAMED else []
    clocked = [each for each in here if each.kind == "measured" and each.ratio]
    if clocked:
        most = max(clocked, key=_deviation)
        lines.append(
            f"Measured by a clock: the largest difference is {most.ratio:.2f} times what is recorded, {most.place} by "
            f"{most.kernel}."
        )
    return lines
