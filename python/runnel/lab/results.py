# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What was measured, as JSON in lab/results/<target>/<file>.json; the lab itself writes a file for each cipher:

{"target", "title", "clock_hz", "rows": [row, …]}, sorted by kernel and lengths. A row:
    cipher, kernel, key_bits, iv_bits   what was measured; aes-128-ecb stands for raw blocks
    kind        of the cycles: exact, model, mca, measured; instructions, loads and stores are always counted
    compiler, flags, simulator          what made and ran it; simulator is null where there is none of another project
    figures     by label: key (set-up), iv (set-up, with the tables that a kernel builds there), packet (128 bytes after a
                fresh IV), long (the same with more), stream (as much again, going on), message_N (N bytes after a fresh
                IV), more_N (as many, going on), left (as long, in the layout be32-left, where a cipher has it); …_decrypt of
                all of these where encryption is something else. Each has cycles, instructions, loads, stores, as far as
                the target knows them, and bytes.
    cold        the same of the first pass; figures are warm (simulators: the second pass; host: the mean of
                the middle half, in the quarter of the passes that took the least time)
    rom         bytes of code and constant data that the cipher adds to an empty program; rom_program: all of the program's
    ram         static: bytes that it adds (the context); stack: the most that one call used; program: a whole program's,
                with key, IV, a packet of 128 bytes and the stack
    output_sha256   of all bytes of one pass, after comparison with the host's
    mca         what llvm-mca makes of a trace, which ranks kernels and is no measurement: {"tool", "label" (the message),
                "bytes", "cycles": {core: cycles}}; may be missing
    counts      figures that were counted on the code or on a trace: {"loads_per_block": 182}; may be missing
    peer        true: another project's code, measured beside ours; may be missing
    machine, hz what machine measured, and how fast its clock runs; where a clock measures
A row of what does not fit a target has does_not_fit, the linker's own words, instead of figures."""

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

from . import LabError
from .targets import Target

Row = dict[str, Any]


def folder(tree: Path, target: str) -> Path:
    return tree / "lab" / "results" / target


def read(file: Path) -> list[Row]:
    """Returns the rows of one file, none if there is none."""
    try:
        rows: list[Row] = json.loads(file.read_text())["rows"]
    except FileNotFoundError:
        return []
    except (ValueError, KeyError, TypeError):
        raise LabError(f"{file}: is no file of results; delete it and measure again") from None
    return rows


def read_all(tree: Path) -> list[Row]:
    """Returns all rows of all targets, each with its target's name, its title and its clock_hz."""
    rows = []
    for file in sorted((tree / "lab" / "results").glob("*/*.json")):
        about = json.loads(file.read_text()) if read(file) else {}
        rows += [
            {"target": file.parent.name, "title": about.get("title"), "clock_hz": about.get("clock_hz")} | row
            for row in about.get("rows", [])
        ]
    return rows


def record(target: Target, row: Row, *, merge: bool = False) -> None:
    """Puts the row in the place of the last one of the same kernel and lengths, or into it."""
    file = folder(target.tree, target.name) / f"{row['cipher']}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    with _locked(file.parent):
        before = read(file)
        if merge:
            for old in (r for r in before if _identity(r) == _identity(row)):
                row = old | row | {"figures": old.get("figures", {}) | row.get("figures", {})}
        rows = sorted([*(r for r in before if _identity(r) != _identity(row)), row], key=_identity)
        text = {"target": target.name, "title": target.title, "clock_hz": target.clock_hz, "rows": rows}
        _write(file, text)


def forget(target: Target, cipher: str, kernels: list[str]) -> None:
    """Drops the rows of kernels that exist no more, of ours."""
    file = folder(target.tree, target.name) / f"{cipher}.json"
    if not file.exists():
        return
    with _locked(file.parent):
        text = json.loads(file.read_text())
        kept = [r for r in text["rows"] if r.get("peer") or r["kernel"] in kernels]
        if len(kept) != len(text["rows"]):
            _write(file, text | {"rows": kept})


def _identity(row: Row) -> tuple[str, int, int]:
    return row["kernel"], row["key_bits"], row["iv_bits"]


def _write(file: Path, text: dict[str, Any]) -> None:
    with OutputFile(file, inputs=Inputs(), force=True) as output:  # what it held has been read and is in text
        with open(output.fileno(), "wb", closefd=False) as opened:
            opened.write((json.dumps(text, indent=1) + "\n").encode())
        output.commit()


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Several labs may run at a time."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)
