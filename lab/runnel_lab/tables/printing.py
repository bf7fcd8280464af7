# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A comparison for people: tables, and under each what its figures are."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path

from runnel.columns import columns, exactly, number

from runnel_lab.results import Row
from runnel_lab.tables import comparison, kernels, papers, published
from runnel_lab.tables.comparison import Line
from runnel_lab.tables.papers import PaperDescription
from runnel_lab.tables.values import ResultSet


def text(tree: Path, paper: str, lines: list[Line], lines_max: int | None = None, folders: Sequence[Path] = ()) -> str:
    """Return the same for people. lines_max: the tables that have no figure of the paper, and those of more lines than that,
    are only named at the end, and why cells are empty is left out. folders: as in rows."""
    about, platform = papers.describe(tree, paper), published.read(tree, paper).text.get("platform")
    result_sets = [source.result_set for source in comparison.sources(tree, folders)]
    source = [
        *filter(None, [about.authors, about.published, about.korean]),
        *([f"doi:{about.doi}"] if about.doi else []),
    ]
    parts = [about.title, _wrapped(". ".join(source)), *([f"Paper's machine: {platform}"] if platform else [])]
    parts += [_wrapped(f"- {note}", "  ") for note in [*about.notes, comparison.headline(lines)]]
    left_out, printed = [], set()
    for table in dict.fromkeys(line["table"] for line in lines):
        of_table = [line for line in lines if line["table"] == table]
        shown = _table(of_table)
        theirs = any(line["paper"] is not None for line in of_table)
        if lines_max is not None and (not theirs or shown.count("\n") > lines_max):
            left_out.append(["  " + table, f"{len(of_table):,} rows" + ("" if theirs else ", ours alone")])
        else:
            title = about.table(table).title
            parts += [f"\n{table}", *([_wrapped(title, "  ")] if title else []), shown.rstrip()]
            differs = [words for words in _differences(of_table) if words not in printed]
            printed.update(differs)
            remarks = [*_provenance(of_table, result_sets), *differs, *_remarks(of_table, about)]
            remarks += _reasons(of_table) if lines_max is None else []
            parts += [_wrapped(f"* {note}", "    ") for note in remarks]
    if left_out:
        parts.append(f"\nMore tables; --table NAME prints one, --all prints all:\n{columns(left_out).rstrip()}")
    return "\n".join(parts) + "\n"


def _wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(text, 118, initial_indent=indent, subsequent_indent=indent + "  " * bool(indent))


def _provenance(lines: list[Line], result_sets: Sequence[ResultSet]) -> list[str]:
    """Return of what kind our figures are, on which machine, and how their programs were made."""
    used = [line for line in lines if line["target"] is not None]
    kinds = ", ".join(sorted({str(line["kind"]) for line in used}))
    machine = f"{used[0]['target']}, {used[0]['machine']}" if used else ""
    return [
        f"{kinds}; {machine}; {built}"
        for built in _builds([row for line in used for row in _behind(line, result_sets)])
    ]


def _differences(lines: list[Line]) -> list[str]:
    """Return in what kernels differ from the paper's technique; printed once on a page."""
    return list(dict.fromkeys(f"{line['technique_kernel']}, {line['after']}" for line in lines if line.get("after")))


def _remarks(lines: list[Line], about: PaperDescription) -> list[str]:
    """Return what the columns and marks of a table mean, and what is wrong in the paper's."""
    remarks = [f"({number}): {source}" for source, number in _numbers(lines).items()]
    remarks += [words for mark, words in MARKS.items() if any(mark in _marks(line) for line in lines)]
    return [*remarks, *about.table(lines[0]["table"]).notes]


MARKS = {
    "~": "~: noisy, runs of the same instructions differed by more than 3 %; not used in a verdict",
    "!": "!: stale, not of the code that the build makes now; not used in a verdict",
}


def _marks(line: Line) -> str:
    return ("~" if line.get("noisy") else "") + ("!" if line.get("stale") else "")


def _numbers(lines: list[Line]) -> dict[str, int]:
    """Number the other sources that have cells of a table, from 2."""
    labels = dict.fromkeys(other["source"] for line in lines for other in line.get("others", ()))
    return {label: number for number, label in enumerate(labels, 2)}


def _reasons(lines: list[Line]) -> list[str]:
    reasons: dict[str, list[str]] = {}
    for line in lines:
        if reason := line.get("reason"):
            name = "/".join(str(part) for part in (line["row"], line["column"]) if part is not None)
            reasons.setdefault(reason, []).append(name)
    return [f"{_some(names)}: {reason}" for reason, names in reasons.items()]


def _behind(line: Line, result_sets: Sequence[ResultSet]) -> list[Row]:
    """Return the rows that a line's figures are of: our best kernel's and that of the paper's technique."""
    lengths = (line["key_bits"], line["iv_bits"])
    by = dict.fromkeys(filter(None, (line["kernel"], line["technique_kernel"])))
    found = [
        result_set.find(line["target"], line["cipher"], kernel, lengths) for result_set in result_sets for kernel in by
    ]
    return [row for row in found if row is not None and row.get("machine") == line["machine"]]


def _builds(found: list[Row]) -> list[str]:
    """Describe how programs were built, when, and by what they were run."""
    about: dict[str, set[str]] = {}
    for row in found:
        if row.get("peer"):
            continue
        parts = [f"{row['compiler']}, {' '.join(row['flags'])}"]
        parts += [row["simulator"]] if row.get("simulator") else []
        parts += [f"{row['hz'] / 1e6:,.0f} MHz"] if row.get("hz") else []
        about.setdefault("; ".join(parts), set()).add(f"{row['date']}, commit {row['commit']}")
    return [f"{how}; {'; '.join(sorted(when))}" for how, when in sorted(about.items())]


def _some(names: list[str]) -> str:
    names = list(dict.fromkeys(names))
    return ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")


HEAD = ("row", "column", "bytes", "unit", "paper", "technique", "ours", "elsewhere", "technique_kernel", "kernel")


def _table(lines: list[Line]) -> str:
    if sum("/" in str(line["row"]) for line in lines) > 12:
        return _wide(lines)
    one_unit = len({line["unit"] for line in lines}) == 1
    kept = [h for h in HEAD if any(line.get(h) is not None for line in lines) or h in ("paper", "ours")]
    kept = [h for h in kept if h != "unit" or not one_unit]
    right = [place for place, h in enumerate(kept) if h in ("bytes", "paper", "technique", "ours", "elsewhere")]
    names = [{"technique_kernel": "by", "kernel": "best by"}.get(h, h) for h in kept]
    unit = f"  {lines[0]['unit']}\n" if one_unit else ""
    cells = [[_cell(h, line.get(h)) + (_marks(line) if h in _OURS else "") for h in kept] for line in lines]
    for source, count in _numbers(lines).items():
        for name in (h for h in _OURS if h in kept):
            right.append(len(names))
            names.append(f"{name} ({count})")
            for row, line in zip(cells, lines, strict=True):
                row.append(_cell(name, _other(line, source).get(name)))
    return unit + columns([names, *cells], right=right, indent="  ")


_OURS = ("technique", "ours")


def _other(line: Line, source: str) -> Line:
    return next((other for other in line.get("others", ()) if other["source"] == source), {})


# Tables of many columns are printed in parts, by unit.
_PARTS = (("cycles", "cycles/byte", "instructions", "instructions/byte"), ("us",), ("bytes",))


def _wide(lines: list[Line]) -> str:
    """Return a line for each row. A cell is ours, or the paper's / its technique's in our code / ours."""
    parts = []
    width = max(2, 6 // (1 + len(_numbers(lines))))
    for units in _PARTS:
        found = list(dict.fromkeys((line["column"], line["unit"]) for line in lines if line["unit"] in units))
        for some in (found[at : at + width] for at in range(0, len(found), width)):
            wanted = [line for line in lines if (line["column"], line["unit"]) in some]
            parts.append(_part(wanted, some))
    return "\n".join(parts)


def _part(lines: list[Line], places: list[tuple[str, str]]) -> str:
    rows: dict[tuple[str, ...], dict[tuple[str, str], Line]] = {}
    for line in lines:
        rows.setdefault((line["row"], line["technique_kernel"] or "", line["kernel"] or "-"), {})[
            line["column"], line["unit"]
        ] = line
    theirs = any(line["technique_kernel"] for line in lines)
    names = [re.sub("_(cycles|instructions|us|bytes)$", "", column) for column, _ in places]
    cells = [["row", *(["by"] if theirs else []), "best by" if theirs else "kernel", *names]]
    cells.append([*[""] * (2 + theirs), *(unit for _, unit in places)])
    remarks = []
    for (row, technique, kernel), of_row in rows.items():
        figures = [_three(of_row.get(place), _numbers(lines)) for place in places]
        cells.append([row, *([technique] if theirs else []), kernel, *figures])
        words = next((line["does_not_fit"] for line in of_row.values() if "does_not_fit" in line), None)
        if words is not None:
            remarks.append(f"  {row} does not fit: {words}")
    right = range(2 + theirs, len(cells[0]))
    return columns(cells, right=right, indent="  ") + "".join(remark + "\n" for remark in dict.fromkeys(remarks))


def _three(line: Line | None, sources: Mapping[str, int]) -> str:
    if line is None:
        return ""
    technique = [_cell("technique", line["technique"])] if line["technique_kernel"] else []
    theirs = [_cell("paper", line["paper"])] if line["paper"] is not None else []
    others = [f"({count}) {_cell('ours', other['ours'])}" for s, count in sources.items() if (other := _other(line, s))]
    return " / ".join([*theirs, *technique, _cell("ours", line["ours"]) + _marks(line), *others])


def _cell(head: str, value: object) -> str:
    """Format a cell; the paper's figures have the digits that the paper prints."""
    if value is None:
        return "-"
    if not isinstance(value, (int, float)):
        return str(value)
    return exactly(value) if head == "paper" else number(value)


IN_CSV = (
    "table", "row", "column", "bytes", "unit", "paper", "technique", "ours", "elsewhere", "kind", "target", "machine",
    "cipher", "key_bits", "iv_bits", "technique_kernel", "kernel", "after", "noisy", "stale", "own", "does_not_fit", "reason",
)  # fmt: skip


def as_csv(lines: list[Line]) -> str:
    """Return the lines as CSV, with two columns more for each other source."""
    sources = _numbers(lines)
    head = [*IN_CSV, *(f"{name}, {source}" for source in sources for name in _OURS)]
    others = [[_other(line, source).get(name) for source in sources for name in _OURS] for line in lines]
    return kernels.csv_text([head, *([line.get(name) for name in IN_CSV] + more for line, more in zip(lines, others))])
