# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measured figures, as JSON: <folder>/<target>.json for simulated targets, <folder>/<machine>/<target>.json where a clock
measures. What is kept is in lab/results; `runnel lab run` without --record writes to build/lab/results.

{"target", "title", "clock_hz", "rows": [row, …]}, a row a line, sorted by cipher, kernel and lengths. A row:
    cipher, kernel, key_bits, iv_bits   what was measured; aes-128-ecb stands for raw blocks
    constant_time   what the kernel says of itself: no address and no branch depends on a secret; missing for MACs and peers
    kind        of the cycles: exact, model, mca, measured; instructions, loads and stores are always counted
    compiler, flags, simulator          what made and ran it; simulator is null where there is none of another project
    machine, hz the part that is simulated, or the machine that measured; how fast its clock runs, in core cycles a second,
                null where no time is known
    commit, date    of the tree that was measured (-dirty: with changes besides), and the day in UTC
    figures     by label: key (set-up), iv (set-up, with the tables that a kernel builds there), packet (128 bytes after a
                fresh IV), long (the same with more), stream (as much again, continued), message_N (N bytes after a fresh
                IV), more_N (as many, continued), left (as long, in the layout be32-left, where a cipher has it), chain (each
                block waits for the one before); …_decrypt of all of these where encryption is something else. Each has
                cycles (of the core), instructions, loads, stores, as far as the target knows them, and bytes; noisy
                is true where the two lowest of a clock's runs differ by more than 3 %.
    cold        the same of the first pass; figures are warm (simulators: the second pass; host: the mean of
                the middle half, in the quarter of the passes that took the least time)
    rom         bytes of code and constant data that the cipher adds to an empty program; rom_program: all of the program's
    ram         context: its size; static: bytes that the cipher adds to an empty program, the context among them; stack: the
                most that one call used; program: a whole program's, with key, IV, a packet of 128 bytes and the stack
    output_sha256   of all bytes of one pass, after comparison with the host's
    code        a hash of the machine code that was measured, of kernel and driver (building/code.py): the row is fresh while
                the build still makes that code
    mca         what llvm-mca makes of a trace, which ranks kernels and is no measurement: {"tool", "label" (long), "bytes",
                "cycles": {core: cycles}}, and "left" with the same; may be missing
    counts      figures that were counted on the code or on a trace: {"loads_per_block": 182}; may be missing
    builds      {compiler and flags: {label: cycles}}: the same code compiled in other ways, in one run; may be missing
    peer        true: another project's code, measured beside ours; may be missing
A row of what does not fit a target has does_not_fit, the linker's own words, instead of figures, and of the memory
the context alone.

A row of authenticated packets, behind the others, sorted by name:
    aead        the combination's name
    kernels     by folder of src/ the kernel that was the best of those that were tried; other folders are linked as they are
    constant_time   what the kernels say of themselves; a combination whose best kernels are not also has a row of the best of
                those that are
    kind, compiler, flags, simulator, machine, commit    as above
    code        of all kernels that were tried
    key         cycles of key set-up
    cycles      by setting ("nonce 13, header 14, tag 8", bytes) and bytes of payload: [seal, open, open a forged packet], key
                kept; missing: lengths that the memory has no room for, and all above 32 where that takes too long
    rom, ram, output_sha256, does_not_fit   as above, of all bytes that came back"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from runnel.inputs import Inputs
from runnel.output import OutputFile

from runnel_lab import LabError
from runnel_lab.targets import Target

Row = dict[str, Any]


def recorded(tree: Path) -> Path:
    """Return the folder of recorded results."""
    return tree / "lab" / "results"


def scratch(tree: Path) -> Path:
    """Return the folder of results that are not recorded."""
    return tree / "build" / "lab" / "results"


def file_of(folder: Path, target: Target, machine: str) -> Path:
    """Return the file of a target's rows; machine counts only where a clock measures."""
    return (folder / machine if target.measured else folder) / f"{target.name}.json"


def read(file: Path) -> list[Row]:
    """Return the rows of one file, none if there is none."""
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
    """Tell whether it says what was measured; figures are by label, with their units."""
    if not (isinstance(row, dict) and ("aead" in row or row.keys() >= set(IDENTITY))):
        return False
    figures = row.get("figures", {})
    return isinstance(figures, dict) and all(isinstance(each, dict) for each in figures.values())


IDENTITY = "cipher", "kernel", "key_bits", "iv_bits"


def read_all(folder: Path) -> list[Row]:
    """Return all rows of ciphers and MACs of all targets, each with its target's name, its title and its clock_hz. A table is
    of one machine: of those that measured a target, the one with the most rows, and of such the last."""
    texts: dict[str, dict[str, Any]] = {}
    for file in sorted([*folder.glob("*.json"), *folder.glob("*/*.json")]):
        text = _text(file)
        before = texts.get(file.stem)
        if before is None or _weight(before) < _weight(text):
            texts[file.stem] = text
    return [
        {"target": name, "title": text.get("title"), "clock_hz": text.get("clock_hz")} | row
        for name, text in texts.items()
        for row in text["rows"]
        if "cipher" in row
    ]


def read_packets(folder: Path) -> dict[str, list[Row]]:
    """Return the rows of packets of each target that has any."""
    found = {file.stem: read(file) for file in sorted(folder.glob("*.json"))}
    of_packets = {name: [row for row in rows if "aead" in row] for name, rows in found.items()}
    return {name: rows for name, rows in of_packets.items() if rows}


def _weight(text: dict[str, Any]) -> tuple[int, str]:
    return len(text["rows"]), max((str(row.get("date") or "") for row in text["rows"]), default="")


def record(file: Path, target: Target, rows: list[Row]) -> None:
    """Put the rows in the place of the last ones of the same cipher, kernel and lengths, or of the same packets."""
    same = set(map(what, rows))
    _change(file, target, lambda before: [*(row for row in before if what(row) not in same), *rows])


def merge(file: Path, target: Target, row: Row) -> None:
    """Put what was measured besides into the row of the same cipher, kernel and lengths."""

    def merged(before: list[Row]) -> list[Row]:
        old = next((each for each in before if what(each) == what(row)), {})
        whole = old | row | {"figures": old.get("figures", {}) | row.get("figures", {})}
        return [*(each for each in before if what(each) != what(row)), whole]

    _change(file, target, merged)


def keep(file: Path, target: Target, wanted: Callable[[Row], bool]) -> None:
    """Drop the other rows."""
    if file.exists():
        _change(file, target, lambda before: list(filter(wanted, before)))


def _change(file: Path, target: Target, how: Callable[[list[Row]], list[Row]]) -> None:
    """Write what becomes of a file's rows, read under the lock; several labs may run at a time."""
    file.parent.mkdir(parents=True, exist_ok=True)
    fd = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        before = read(file)
        if (after := how(before)) != before:
            about = {"target": target.name, "title": target.title, "clock_hz": target.clock_hz}
            write(file, about, sorted(after, key=_order))
    finally:
        os.close(fd)


def what(row: Row) -> tuple[Any, ...]:
    """Return what a row is of: cipher, kernel and lengths, or packets by an AEAD."""
    return ("packets", row["aead"]) if "aead" in row else tuple(row[name] for name in IDENTITY)


def _order(row: Row) -> tuple[Any, ...]:
    return "aead" in row, what(row), bool(row.get("constant_time"))


def write(file: Path, about: dict[str, Any], rows: list[Row]) -> None:
    """Write a file of rows, whole or not at all."""
    lines = ",\n".join("  " + json.dumps(row) for row in rows)
    head = "".join(f" {json.dumps(name)}: {json.dumps(value)},\n" for name, value in about.items())
    with OutputFile(file, inputs=Inputs(), force=True) as output:  # what it held has been read and is in rows
        output.write_all(f'{{\n{head} "rows": [\n{lines}\n ]\n}}\n'.encode())
        output.commit()
