# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Kernels in C as several compilers make them: their machine code differs, and each may be wrong in its own way."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .building import HOST, Subject

COMPILERS = ("gcc-12", "clang-14", "clang-19")
LEVELS = ("-O2", "-O3", "-Os")
KEPT = ("proved", "code", "compiler", "refusals", "seconds")


def of(subjects: Iterable[Subject]) -> list[Subject]:
    """Return kernels of this processor by every compiler at every level."""
    return [
        Subject(each.folder, each.kernel, HOST, (compiler, level))
        for each in subjects
        if each.target == HOST
        for compiler in COMPILERS
        for level in LEVELS
    ]


def file_of(folder: Path) -> Path:
    """Return where it is kept what was proved."""
    return folder / "compilers.json"


def read(folder: Path) -> dict[str, dict[str, Any]]:
    """Return what was proved: by kernel, then by compiler and level."""
    file = file_of(folder)
    return dict(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else {}


def results_in(folder: Path) -> list[dict[str, Any]]:
    """Return what was proved as results of kernels, each with its compiler."""
    found = []
    for name, rows in read(folder).items():
        cipher, _, kernel = name.partition("/")
        for by, row in rows.items():
            found.append({"cipher": cipher, "kernel": kernel, "target": HOST, "by": by.split(), **row})
    return found


def write(subject: Subject, result: dict[str, Any], folder: Path) -> None:
    """Keep what came of a proof, beside those of other compilers."""
    rows = read(folder)
    row = {name: result.get(name) for name in KEPT} | {"calls": len(result["claims"])}
    rows.setdefault(f"{subject.folder}/{subject.kernel}", {})[" ".join(subject.compiler)] = row
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps({name: dict(sorted(rows[name].items())) for name in sorted(rows)}, indent=1)
    file_of(folder).write_text(text + "\n", encoding="utf-8")
