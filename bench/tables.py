# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Results as Markdown, for the site."""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
import generated
from runnel_lab.speed import (
    COLUMNS,
    MODES,
    SIZES,
    Cell,
    Comparison,
    Result,
    comparisons,
    describe,
    figure,
    size_name,
    slug,
)

RESULTS = Path(__file__).resolve().parent.parent / "results"


def machine_line(machine: Mapping[str, Any]) -> str:
    return "; ".join(str(machine[name]) for name in ("cpu", "cpu_id", "os", "kernel") if name in machine)


def keep(name: str, result: Mapping[str, Any], text: str) -> None:
    """Writes a bench's result, with its "machine", to results/<machine>/NAME.json and what it printed to NAME.txt."""
    folder = RESULTS / slug(result["machine"])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    lines = "".join(f"{line.rstrip()}\n" for line in text.splitlines())
    (folder / f"{name}.txt").write_text(lines, encoding="utf-8")


def newest_first() -> list[Path]:
    """Returns the folders of results/ that hold a whole run of `runnel speed`."""
    folders = [path.parent for path in sorted(RESULTS.glob("*/speed.json"))]
    return sorted(folders, key=lambda folder: str(load(folder / "speed.json")["machine"]["date"]), reverse=True)


def load(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def newest(name: str) -> Path:
    """Return, of all machines' files of this name, the one measured last."""
    return max(RESULTS.glob(f"*/{name}"), key=lambda path: str(load(path)["machine"]["date"]))


def is_full(comparison: Comparison) -> bool:
    """Tells whether all sizes were measured in all modes, as they are since 2026-11-23."""
    return any(operation == "new-key" for operation, _ in comparison.ours)


def ratios(comparison: Comparison, cells: Iterable[Cell], newest: bool | None = None) -> list[str]:
    return [f"{ratio:.2f}" if (ratio := comparison.ratio(cell, newest=newest)) else "" for cell in cells]


def cipher_table(comparison: Comparison) -> str:
    """Returns one cipher's table: implementations down, what was measured across, ratios below."""
    if is_full(comparison):
        return full_cipher_table(comparison)
    order: list[Cell] = [(mode, size) for mode in ("message", "stream") for size in SIZES] + [("key", 0), ("iv", 0)]
    columns = [cell for cell in order if cell in comparison.ours]
    rows = []
    for name, cells in named(comparison):
        speed = cells.get(("message", 16384))
        figures = [figure(cells[cell]) if cell in cells else "" for cell in columns]
        rows.append([name, *figures, f"{speed['gb_per_s']:.2f}" if speed else ""])
    times = ratios(comparison, columns)
    if any(times):
        rows.append(["times the best library", *times, ""])
    titles = [COLUMNS.get(cell) or size_name(cell[1]) for cell in columns]
    return generated.table([f"`{comparison.cipher}`", *titles, "GB/s"], rows)


def full_cipher_table(comparison: Comparison) -> str:
    """Return the same with all sizes, for each mode; setting a key and an IV stands with the new IV."""
    rows = []
    for mode, title in MODES.items():
        cells: list[Cell] = [(mode, size) for size in SIZES]
        cells += [("key", 0), ("iv", 0)] if mode == "message" else []
        for name, found in named(comparison):
            figures = [figure(found[cell]) if cell in found else "" for cell in cells]
            if any(figures):
                rows.append([title, name, *figures])
        times = ratios(comparison, cells)
        if any(times):
            rows.append([title, "times the best library", *times])
    width = 2 + len(SIZES) + 2
    rows = [row + [""] * (width - len(row)) for row in rows]
    header = [f"`{comparison.cipher}`", "", *map(size_name, SIZES), "key", "IV"]
    return generated.table(header, rows, left=2)


def named(comparison: Comparison) -> Iterator[tuple[str, Mapping[Cell, Mapping[str, Any]]]]:
    """Yields the implementations, as they are called in a table, with their rows."""
    for (implementation, kernel), cells in comparison.cells.items():
        yield f"**runnel** `{kernel}`" if implementation == "runnel" else implementation, cells


def one_table(result: Result) -> str:
    """Returns every cipher of a full run that has a library beside it: in each mode our figures and how many times as fast
    as the best library of the system and the newest that is."""
    rows = []
    for name, comparison in comparisons(result).items():
        for mode, title in MODES.items():
            cells: list[Cell] = [(mode, size) for size in SIZES]
            system, newest = (ratios(comparison, cells, newest) for newest in (False, True))
            if not any(system + newest):
                continue
            ours = [figure(comparison.ours[cell]) if cell in comparison.ours else "" for cell in cells]
            rows.append([f"`{name}`", title, "cycles/byte", *ours])
            rows += [["", "", "times the system's best", *system]] if any(system) else []
            rows += [["", "", "times the newest's best", *newest]] if any(newest) else []
    return generated.table(["cipher", "", "", *map(size_name, SIZES)], rows, left=3)


def libraries(machine: Mapping[str, Any]) -> str:
    """Says which libraries were measured, and which could not be."""
    if "libraries" not in machine:
        return ""
    parts = [f"Libraries of the system: {', '.join(machine['libraries']) or 'none'}."]
    if machine["libraries_absent"]:
        parts.append(f"Not installed, or not to be loaded: {', '.join(machine['libraries_absent'])}.")
    parts.append(f"Newest releases: {', '.join(machine['newest']) or 'none'}.")
    if machine["newest_absent"]:
        why = machine.get("newest_absent_because", "`make bench-newest` has not built them")
        parts.append(f"Not measured: {', '.join(machine['newest_absent'])}, because {why}.")
    return generated.wrapped(" ".join(parts))


def batch_rows(result: Result, streams: int) -> list[list[str]]:
    """Returns a row for each kernel that bench/batch.py measured: alone, at once and the gain, for packets, messages, IVs."""
    rows = []
    for comparison in comparisons(result).values():
        kernels: dict[str, list[Mapping[Any, Any]]] = {}
        for (_, kernel), cells in comparison.cells.items():
            kernels.setdefault(kernel, []).append(cells)
        for kernel, (single, at_once) in kernels.items():
            row = [comparison.cipher, f"`{kernel}`"]
            for cell in (("message", 128 * streams), ("message", 16384 * streams), ("iv", 0)):
                pair = [cells[cell] for cells in (single, at_once) if cell in cells]
                each = [{**one, "cycles": one["cycles"] / (1 if one["bytes"] else streams)} for one in pair]
                row += [*map(figure, each), f"{pair[0]['cycles'] / pair[1]['cycles']:.2f}"] if pair else [""] * 3
            rows.append(row)
    return rows


LEGEND = """\
Cycles per byte of a message of so many bytes under a new IV, of so many bytes more of one stream (of an AEAD, of one
message), and of a message under a new key and a new IV; cycles for setting a key and for setting an IV. The first line of
ours is the kernel that runs by default, the others are reached by name and are measured at fewer sizes; "times" says how
many times as fast as the best library the first one is. Where a library takes whole blocks until a message ends, it has no
figure for continuing by less. All implementations run in one process on one core, in turn, in windows of about 0.1 ms; the
core clock is read on both sides of every window, and the fewest cycles of all windows count. Every library's bytes were
compared with ours first."""


SHORT_LEGEND = """\
Cycles per byte for a message of so many bytes under a new IV, and for 64 KiB more of one stream; cycles for setting a key
and for setting an IV. GB/s: messages of 16 KiB at the median clock. The first line of ours is the kernel that runs by
default, the others are reached by name; the last line says how many times as fast as the best library the first one is. All
implementations run in one process on one core, in turn, in windows of about 0.1 ms; the core clock is read on both sides of
every window, and the fewest cycles of all windows count. Every library's bytes were compared with ours first."""
"""Of a run from before all sizes were measured in all modes."""


def legend(result: Result) -> str:
    return LEGEND if any(map(is_full, comparisons(result).values())) else SHORT_LEGEND


def document(title: str, result: Result) -> str:
    """Returns a page with all tables of one run."""
    about = describe(result["machine"]) + f"; {result['machine']['date']}."
    parts = [f"## {title}", about, *filter(None, [libraries(result["machine"])])]
    compared = comparisons(result)
    if any(map(is_full, compared.values())):
        parts += ["### Every cipher beside the best library", one_table(result), "### Every implementation"]
    return "\n\n".join(parts + [cipher_table(comparison) for comparison in compared.values()])
