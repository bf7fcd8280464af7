# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A paper's tables with ours beside them: each figure of the paper, the paper's technique in our code, our best kernel. What
cannot be filled says why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runnel_lab import LabError, results
from runnel_lab.results import Row
from runnel_lab.tables import papers, published
from runnel_lab.tables.papers import Cell, Lab, PaperDescription, Table
from runnel_lab.tables.published import Paper, Place
from runnel_lab.tables.values import Case, Reading, ResultSet, read

Line = dict[str, Any]
Stale = Callable[[Row], bool]
"""Tells whether a row is not of the code that the build makes now."""


def is_unnamed(row: Row) -> bool:
    """Tell whether a row does not say of which code it is: it cannot be fresh."""
    return not row.get("code") and not row.get("peer")


@dataclass(frozen=True)
class Source:
    """Results that are shown as one column: a folder's, with those of one machine where a clock measures."""

    label: str
    result_set: ResultSet
    date: str = ""


def sources(tree: Path, folders: Sequence[Path] = ()) -> list[Source]:
    """Return the results of these folders, or of those kept, each machine's apart; in each folder the newest first."""
    found: list[Source] = []
    for folder in folders or [results.recorded(tree)]:
        machines = {each.parent: results.read_all(each.parent) for each in sorted(folder.glob("*/*.json"))}
        clocked = {row["target"] for rows in machines.values() for row in rows}
        common = [row for row in results.read_all(folder) if row["target"] not in clocked]
        named = f"{folder.name or folder}: " if len(folders) > 1 else ""
        of_folder = [
            Source(
                named + place.name,
                ResultSet([*common, *rows]),
                max((str(r.get("date") or "") for r in rows), default=""),
            )
            for place, rows in machines.items()
        ]
        found += sorted(of_folder, key=lambda each: each.date, reverse=True) or [
            Source(named + "results", ResultSet(common))
        ]
    return found


def rows(tree: Path, paper: str, folders: Sequence[Path] | Path | None = None, stale: Stale = is_unnamed) -> list[Line]:
    """Return {"table", "row", "column", "unit", "paper", "technique", "ours", "kind", "target", "cipher", "key_bits",
    "iv_bits", "kernel", "technique_kernel", "machine"}, table by table: the paper's figure, the one of its technique in our
    code, that of our best kernel. Where they apply also "bytes", of a cell that is a list; "elsewhere", another project's
    figure; "does_not_fit", the linker's words; "reason", why technique or ours is null beside a figure of the paper; "after",
    in what the technique's kernel differs from the paper's; "noisy" and "stale", of what no verdict may use; "own", the
    target is of the paper's class of processor; and "others", [{"source", "machine", "technique", "ours", "kernel"}], the
    same cell of other folders and machines. Each table is of the source that fills most of it. folders: results that are not
    those kept. Raise LabError for a table that mixes units or machines."""
    text, about = published.read(tree, paper), papers.describe(tree, paper)
    given = [folders] if isinstance(folders, Path) else folders or []
    found = [(source, _of(source, text, about, stale)) for source in sources(tree, given)]
    lines: list[Line] = []
    for name in dict.fromkeys(line["table"] for _, of_source in found for line in of_source):
        of_table = [(source, [line for line in all_ if line["table"] == name]) for source, all_ in found]
        main, first = max(of_table, key=lambda pair: sum(_filled(line) for line in pair[1]))
        lines += _with_others(first, [(source, each) for source, each in of_table if source is not main])
    return lines


def _of(source: Source, text: Paper, about: PaperDescription, stale: Stale) -> list[Line]:
    lab, figures, lines = Lab(source.result_set, text), dict(text.figures), list[Line]()
    for table in about.tables:
        cells = list(table.cells(lab))
        for place in [each for each in text.figures if each.table == table.name]:
            mine = [cell for cell in cells if cell.place == place]
            theirs = figures.pop(place)
            lines += [_line(cell, theirs, source.result_set, about, table, stale) for cell in mine] or [
                _unfilled(place, theirs, table)
            ]
        for cell in cells:
            if cell.place not in text.figures:
                theirs_elsewhere = text.figures.get(cell.beside) if cell.beside else None
                line = _line(cell, theirs_elsewhere, source.result_set, about, table, stale)
                unmeasured = line["technique_kernel"] is None and cell.technique is not None
                lines += [line] if _has_figure(line) and (theirs_elsewhere is not None or not unmeasured) else []
    lines += [_unfilled(place, theirs, Table(place.table)) for place, theirs in figures.items()]
    check(lines)
    return lines


def _with_others(lines: list[Line], others: list[tuple[Source, list[Line]]]) -> Iterator[Line]:
    """Yield the lines with the figures of other sources that are not the very same; what they alone have comes last."""
    by_place = [(source.label, {_place(line): line for line in of_source}) for source, of_source in others]
    theirs = {place: line for _, found in reversed(by_place) for place, line in found.items()}
    own = {_place(line) for line in lines}
    without_peers = [
        line | dict.fromkeys(("technique", "ours", "kernel")) for place, line in theirs.items() if place not in own
    ]
    for line in [*lines, *without_peers]:
        beside = [
            {"source": label, **{name: there[name] for name in _OF_OTHERS}}
            for label, found in by_place
            if (there := found.get(_place(line)))
            and _has_figure(there)
            and any(there[n] != line[n] for n in _OF_OTHERS)
        ]
        yield line | ({"others": beside} if beside else {})


_OF_OTHERS = ("machine", "technique", "ours", "kernel", "kind")


def _place(line: Line) -> tuple[Any, ...]:
    return line["table"], line["row"], line["column"], line.get("bytes")


def check(lines: list[Line]) -> None:
    """Raise LabError where a column has two units, or a table figures of two machines."""
    units: dict[tuple[str, str], str] = {}
    machines: dict[str, tuple[str, str | None]] = {}
    for line in lines:
        if line["column"] is not None:
            unit = units.setdefault((line["table"], line["column"]), line["unit"])
            if unit != line["unit"]:
                raise LabError(f"{line['table']}: the column {line['column']} mixes {unit} and {line['unit']}")
        if line["target"] is not None:
            machine = machines.setdefault(line["table"], (line["target"], line["machine"]))
            if machine != (line["target"], line["machine"]):
                raise LabError(f"{line['table']} mixes {machine[0]} and {line['target']}, {line['machine']}")


def _filled(line: Line) -> int:
    return sum(line.get(name) is not None for name in ("technique", "ours", "elsewhere", "does_not_fit"))


def _has_figure(line: Line) -> bool:
    return _filled(line) > 0


_OF_ROW = ("cipher", "key_bits", "iv_bits")
"""With target and kernel they tell which row of the results a figure is of."""


def _unfilled(place: Place, figure: float, table: Table) -> Line:
    names = ("technique", "ours", "kind", "target", *_OF_ROW, "kernel", "technique_kernel", "machine")
    head = _places(place) | {"unit": table.unit_of(place), "paper": figure}
    return head | dict.fromkeys(names) | {"reason": table.reason(place)}


def cases(cell: Cell, result_set: ResultSet) -> tuple[Case | None, Case | None]:
    """Return the paper's technique and our best kernel, as far as they have rows."""
    blank = Case(result_set, cell.target or "", cell.cipher, "", cell.lengths)
    if cell.ours is not None:
        best: Case | None = blank.by(cell.ours)
    else:
        best = blank.best(cell.by or cell.value, more=bool(cell.most), constant_time=cell.constant_time)
    technique = None if cell.technique is None else blank.by(cell.technique)
    return technique, best


def _line(
    cell: Cell, figure: float | None, result_set: ResultSet, about: PaperDescription, table: Table, stale: Stale
) -> Line:
    of_technique, of_ours = cases(cell, result_set)
    technique, ours = (read(cell.value, case) if case and case.row else Reading() for case in (of_technique, of_ours))
    used = [case.row for case in (of_ours, of_technique) if case and case.row]
    row = used[0] if used else None
    line = _places(cell.place) | {
        "unit": cell.unit,
        "paper": figure,
        "technique": technique.value,
        "ours": ours.value,
        "kind": row and (cell.kind or row["kind"]),
        "target": row and row["target"],
        **{name: row and row[name] for name in _OF_ROW},
        "kernel": row and _kernel(of_ours or of_technique),
        "technique_kernel": _kernel(of_technique),
        "machine": row and row.get("machine"),
    }
    if row is not None and row.get("peer"):
        line |= {"ours": None, "elsewhere": line["ours"]}
    if "does_not_fit" in (row or {}) and ours.value is None:
        line |= {"does_not_fit": row and row["does_not_fit"]}
    if figure is not None and (line["ours"] is None or technique.value is None):
        line["reason"] = table.reason(cell.place) or line.get("does_not_fit")
    if technique.value is not None and (differs := about.after(cell.cipher, cell.technique)):
        line["after"] = f"after the paper: differs in {differs}"
    line |= {"noisy": True} if technique.noisy or ours.noisy else {}
    line |= {"stale": True} if any(stale(each) for each in used) else {}
    return line | ({"own": True} if line["target"] in about.processors else {})


def _kernel(case: Case | None) -> str | None:
    return case.kernel if case and case.row else None


def _places(place: Place) -> Line:
    length = {} if place.bytes is None else {"bytes": place.bytes}
    return {"table": place.table, "row": place.row, "column": place.column} | length


def tables(lines: Iterable[Line]) -> dict[str, int]:
    """Return how many rows each table has."""
    return dict(Counter(line["table"] for line in lines))


MORE_IS_BETTER = {"%", "times as fast", "MB/s", "kbit/s", "Gbit/s", "instructions/cycle"}
"""Units; of all others less is better."""


def counts_in_a_verdict(line: Line, which: str = "ours") -> bool:
    """Tell whether a figure of ours may be set against the paper's: on the paper's class of processor, neither noisy nor
    stale."""
    usable = line.get("own") and not line.get("noisy") and not line.get("stale")
    return bool(usable and line["paper"] is not None and line[which] is not None)


def times(line: Line, which: str = "ours") -> float:
    """Return how many times as good the paper's figure is as ours."""
    above, below = line[which], line["paper"]
    if line["unit"] in MORE_IS_BETTER:
        above, below = below, above
    return float("inf") if below <= 0 < above else above / below if below else 1.0


def headline(lines: Iterable[Line]) -> str:
    """Return how often ours is the better figure, of those that a verdict may use; what llvm-mca ranks does not count."""
    both = [line for line in lines if counts_in_a_verdict(line) and line["kind"] != "mca"]
    if not both:
        return "No figure of the paper has a measured one of ours from its own class of processor beside it."
    better = sum(times(line) < 1 for line in both)
    where = ", ".join(dict.fromkeys(line["target"] for line in both))
    return f"Ours is the better in {better} of {len(both)} figures on the paper's class of processor ({where})."
