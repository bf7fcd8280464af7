# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The parts of each subject's program: folders of the library, its knobs, and what lab/bench.c is told."""

from __future__ import annotations

import shutil
from pathlib import Path

from runnel_lab.building.ninja import Program, build
from runnel_lab.running import macs
from runnel_lab.subjects import Mode, Subject, described, folder_of
from runnel_lab.targets import Target


def room(target: Target) -> tuple[str, ...]:
    """Return how long messages may be, and how the stack is seen."""
    painted = (f"-DBENCH_PAINT={target.painted}",) if target.painted else ()
    return (f"-DBENCH_BUFFER={target.buffer}", f"-DBENCH_ARGUMENT={target.argument}", *painted)


def empty(target: Target, mode: Mode) -> Program:
    """Return the program without a subject, as large as all of the same mode are around theirs."""
    return Program(definitions=(*room(target), *((f"-DBENCH_MODE={int(mode)}",) if mode >= Mode.MAC else ())))


def program(target: Target, subject: Subject, *, prefix: bool = True) -> Program:
    """Return the program of a cipher's kernel or of a MAC, for keys up to the subject's length, with memory for prefix tables
    or without."""
    cipher, bits = subject.cipher, 8 * subject.key_bytes
    definitions = [*room(target), f"-DBENCH_MODE={int(cipher.mode)}", f"-DBENCH_TYPE=runnel_{cipher.family}"]
    if cipher.mode == Mode.MAC:
        folders = macs.folders(cipher.name)
        definitions.append(f"-DBENCH_TAG={len(macs.tag(cipher.name, bytes(subject.key_bytes), b''))}")
        knobs = knob("aes", subject.kernel, bits) if "ciphers/aes" in folders else []
    else:
        folder = folder_of(target.tree, cipher)
        folders = (f"{folder.parent.name}/{folder.name}",)
        definitions.append(f"-DBENCH_BLOCK={cipher.block_bytes}")
        if target.hosted:
            definitions.append(f'-DBENCH_KERNEL="{subject.kernel}"')
        knobs = [*knob(folder.name, subject.kernel, bits), f"-DRUNNEL_DECRYPT={int(cipher.mode == Mode.BLOCKS)}"]
    definitions.append(f'-DBENCH_HEADER="{Path(folders[0]).name}.h"')
    return Program(
        definitions=tuple(definitions),
        knobs=(*knobs, f"-DRUNNEL_PREFIX={int(prefix)}"),
        folders=folders,
        without=tuple(other_kernels(target.tree, folders[-1], subject.kernel)),
    )


def other_kernels(tree: Path, folder: str, kernel: str) -> list[Path]:
    """Return the files of a cipher's kernels that are not this one, and those of a mode that are named after such a kernel."""
    if not folder.startswith(("ciphers/", "historic/")):
        return []
    files = {name: tree / "src" / each.file for name, each in described(tree, tree / "src" / folder).items()}
    others = {file for file in files.values() if file != files.get(kernel)}
    others |= {beside for file in others for beside in file.parent.glob(f"*_{file.stem}.c")}
    return sorted(others - {files.get(kernel)})


def knob(folder: str, kernel: str, key_bits: int) -> list[str]:
    """Return the macros that name the one kernel of a folder, and its longest key."""
    name = folder.upper()
    return [f"-DRUNNEL_{name}_KERNEL={kernel.replace('-', '_')}", f"-DRUNNEL_{name}_KEY_BITS={key_bits}"]


def build_one(target: Target, program: Program, elf: Path) -> None:
    """Build a program as this file. Raise DoesNotFit, or LabError with the compiler's first error."""
    (built,) = build(target, [program])
    shutil.copy(built.linked, elf)
