# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What was measured, as JSON: <folder>/<target>.json for simulated targets, <folder>/<machine>/<target>.json where a clock
measures. What is kept is in lab/results; `runnel lab run` without --record writes to build/lab/results.

{"target", "title", "clock_hz", "rows": [row, …]}, a row a line, sorted by cipher, kernel and lengths. A row:
    cipher, kernel, key_bits, iv_bits   what was measured; aes-128-ecb stands for raw blocks
    constant_time   what the kernel says of itself: no address and no branch depends on a secret; missing for MACs and peers
    kind        of the cycles: exact, model, mca, measured; instructions, loads and stores are always counted
    compiler, flags, simulator          what made and ran it; simulator is null where there is none of another project
    machine, hz the part that is simulated, or the machine that measured; how fast its clock runs, in core cycles a second,
                null where nothing is said of time
    commit, date    of the tree that was measured (-dirty: with changes besides), and the day in UTC
    figures     by label: key (set-up), iv (set-up, with the tables that a kernel builds there), packet (128 bytes after a
                fresh IV), long (the same with more), stream (as much again, going on), message_N (N bytes after a fresh
                IV), more_N (as many, going on), left (as long, in the layout be32-left, where a cipher has it), chain (each
                block waits for the one before); …_decrypt of all of these where encryption is something else. Each has
                cycles (of the core), instructions, loads, stores, as far as the target knows them, and bytes.
    cold        the same of the first pass; figures are warm (simulators: the second pass; host: the mean of
                the middle half, in the quarter of the passes that took the least time)
    rom         bytes of code and constant data that the cipher adds to an empty program; rom_program: all of the program's
    ram         context: its size; static: bytes that the cipher adds to an empty program, the context among them; stack: the
                most that one call used; program: a whole program's, with key, IV, a packet of 128 bytes and the stack
    output_sha256   of all bytes of one pass, after comparison with the host's
    mca         what llvm-mca makes of a trace, which ranks kernels and is no measurement: {"tool", "label" (long), "bytes",
                "cycles": {core: cycles}}, and "left" with the same; may be missing
    counts      figures that were counted on the code or on a trace: {"loads_per_block": 182}; may be missing
    builds      {compiler and flags: {label: cycles}}: the same code compiled in other ways, in one run; may be missing
    peer        true: another project's code, measured beside ours; may be missing
A row of what does not fit a target has does_not_fit, the linker's own words, instead of figures, and of the memory
the context alone."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from runnel.inputs import Inputs
from runnel.output import OutputFile

from runnel_lab import LabError
from runnel_lab.targets import Target

Row = dict[str, Any]


def recorded(tree: Path) -> Path:
    """Returns the folder of what is kept."""
    return tree / "lab" / "results"


def scratch(tree: Path) -> Path:
    """Returns the folder of what is tried out."""
    return tree / "build" / "lab" / "results"


def file_of(folder: Path, target: Target, machine: str) -> Path:
    """Returns the file of a target's rows; machine counts only where a clock measures."""
    return (folder / machine if target.measured else folder) / f"{target.name}.json"


def read(file: Path) -> list[Row]:
    """Returns the rows of one file, none if there is none."""
    return list(_text(file).get("rows", []))


def _text(file: Path) -> dict[str, Any]:
    try:
        text: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        if isinstance(text["rows"], list) and all(map(_is_row, text["rows"])):
            return text
    except FileNotFoundError:
        return {}
    except (ValueError, LookupError, TypeError, RecursionError):
        pass
    raise LabError(f"{file}: is no file of results; delete it and measure again")


def _is_row(row: Any) -> bool:
    """Whether it says what was measured; figures are by label, with their units."""
    if not (isinstance(row, dict) and {"cipher", "kernel", "key_bits", "iv_bits"} <= row.keys()):
        return False
    figures = row.get("figures", {})
    return isinstance(figures, dict) and all(isinstance(each, dict) for each in figures.values())


def read_all(folder: Path) -> list[Row]:
    """Returns all rows of all targets, each with its target's name, its title and its clock_hz. Of a target that several
    machines measured, the rows of the one that did so last: a table is of one machine."""
    texts: dict[str, dict[str, Any]] = {}
    for file in sorted([*folder.glob("*.json"), *folder.glob("*/*.json")]):
        text = _text(file)
        before = texts.get(file.stem)
        if before is None or _newest(before) < _newest(text):
            texts[file.stem] = text
    return [
        {"target": name, "title": text.get("title"), "clock_hz": text.get("clock_hz")} | row
        for name, text in texts.items()
        for row in text["rows"]
    ]


def _newest(text: dict[str, Any]) -> str:
    return max((str(row.get("date") or "") for row in text["rows"]), default="")


def record(file: Path, target: Target, row: Row, *, merge: bool = False) -> None:
    """Puts the row in the place of the last one of the same cipher, kernel and lengths, or into it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with locked(file.parent):
        before = read(file)
        if merge:
            for old in (r for r in before if _identity(r) == _identity(row)):
                row = old | row | {"figures": old.get("figures", {}) | row.get("figures", {})}
        rows = [*(r for r in before if _identity(r) != _identity(row)), row]
        about = {"target": target.name, "title": target.title, "clock_hz": target.clock_hz}
        write(file, about, sorted(rows, key=_identity))


def forget(file: Path, cipher: str, kernels: list[str]) -> None:
    """Drops the rows of a cipher's kernels that exist no more, of ours."""
    if not file.exists():
        return
    with locked(file.parent):
        text = _text(file)
        kept = [r for r in text["rows"] if r["cipher"] != cipher or r.get("peer") or r["kernel"] in kernels]
        if len(kept) != len(text["rows"]):
            write(file, {name: value for name, value in text.items() if name != "rows"}, sorted(kept, key=_identity))


def _identity(row: Row) -> tuple[str, str, int, int]:
    return row["cipher"], row["kernel"], row["key_bits"], row["iv_bits"]


def write(file: Path, about: dict[str, Any], rows: list[Row]) -> None:
    """Writes a file of rows, whole or not at all."""
    lines = ",\n".join("  " + json.dumps(row) for row in rows)
    head = "".join(f" {json.dumps(name)}: {json.dumps(value)},\n" for name, value in about.items())
    with OutputFile(file, inputs=Inputs(), force=True) as output:  # what it held has been read and is in rows
        output.write_all(f'{{\n{head} "rows": [\n{lines}\n ]\n}}\n'.encode())
        output.commit()


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Several labs may run at a time."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)
