# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Results as Markdown, for results/ and the documents."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
import generated
from runnel.speed import COLUMNS, Comparison, Result, comparisons, describe, figure, slug

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
    """Of all machines' files of this name the one measured last."""
    return max(RESULTS.glob(f"*/{name}"), key=lambda path: str(load(path)["machine"]["date"]))


def cipher_table(comparison: Comparison) -> str:
    """Returns one cipher's table: implementations down, what was measured across, ratios below."""
    columns = [cell for cell in COLUMNS if cell in comparison.ours]
    rows = []
    for (implementation, kernel), cells in comparison.cells.items():
        name = f"**runnel** `{kernel}`" if implementation == "runnel" else implementation
        speed = cells.get(("message", 16384))
        figures = [figure(cells[cell]) if cell in cells else "" for cell in columns]
        rows.append([name, *figures, f"{speed['gb_per_s']:.2f}" if speed else ""])
    ratios = [comparison.ratio(cell) for cell in columns]
    if any(ratios):
        rows.append(["times the best library", *(f"{ratio:.2f}" if ratio else "" for ratio in ratios), ""])
    return generated.table([f"`{comparison.cipher}`", *(COLUMNS[cell] for cell in columns), "GB/s"], rows)


def batch_rows(result: Result, streams: int) -> list[list[str]]:
    """Returns a row for each kernel that bench/batch.py measured: alone, at once and the gain, for packets, messages, IVs."""
    rows = []
    for comparison in comparisons(result).values():
        kernels: dict[str, list[Mapping[Any, Any]]] = {}
        for (_, kernel), cells in comparison.cells.items():
            kernels.setdefault(kernel, []).append(cells)
        for kernel, (alone, at_once) in kernels.items():
            row = [comparison.cipher, f"`{kernel}`"]
            for cell in (("message", 128 * streams), ("message", 16384 * streams), ("iv", 0)):
                pair = [cells[cell] for cells in (alone, at_once) if cell in cells]
                each = [{**one, "cycles": one["cycles"] / (1 if one["bytes"] else streams)} for one in pair]
                row += [*map(figure, each), f"{pair[0]['cycles'] / pair[1]['cycles']:.2f}"] if pair else [""] * 3
            rows.append(row)
    return rows


LEGEND = """\
Cycles per byte for a message of so many bytes under a new IV, and for 64 KiB more of one stream; cycles for setting a
key and for setting an IV. GB/s: messages of 16 KiB at the median clock. The first line of ours is the kernel that runs
by default, the others are reached by name; the last line says how many times as fast as the best library the first one
is. All implementations run in one process on one core, in turn, in windows of about 0.1 ms; the core clock is read on
both sides of every window, and the fewest cycles of all windows count. Every library's bytes were compared with ours
first."""


def document(title: str, result: Result) -> str:
    """Returns a page with all tables of one run."""
    parts = [f"## {title}", describe(result["machine"]) + f"; {result['machine']['date']}."]
    return "\n\n".join(parts + [cipher_table(comparison) for comparison in comparisons(result).values()])
