# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The kernels of a target: those of the inventory whose guard is 1 there."""

from __future__ import annotations

import subprocess
from functools import lru_cache
from pathlib import Path

from runnel_lab import LabError
from runnel_lab.source import inventory
from runnel_lab.subjects import Cipher, folder_of
from runnel_lab.targets import Target


def kernels(target: Target, cipher: Cipher) -> list[str]:
    """Return the names of the kernels that exist for the target and are measured there."""
    folder = folder_of(target.tree, cipher)
    names = kernels_in(target, folder)
    return [name for name in names if not target.kernels or f"{folder.name}/{name}" in target.kernels]


def kernels_in(target: Target, folder: Path) -> list[str]:
    """Return the same of any folder that has a list, whatever the target measures."""
    compiler = (target.compiler, *(flag for flag in target.expand(target.flags) if not flag.startswith("-DLAB_")))
    hold = _guards(target.tree, compiler)
    listed = inventory(target.tree).of(str(folder.relative_to(target.tree / "src")))
    return sorted(kernel.name for kernel in listed if kernel.guard in hold and not kernel.batch)


@lru_cache
def _guards(tree: Path, compiler: tuple[str, ...]) -> frozenset[str]:
    """Return the guards of kernels that are 1 for a compiler, which alone knows."""
    guards = inventory(tree).guards
    lines = [f'#include "{header}"' for header in dict.fromkeys(each["header"] for each in guards.values())]
    lines += [f"#if {guard}\nholds_{guard}\n#endif" for guard in guards]
    places = [tree / "include", tree / "src", *(tree / "src" / kernel.folder for kernel in inventory(tree).kernels)]
    command = [*compiler, "-std=c11", "-w", "-E", "-P", *(f"-I{place}" for place in dict.fromkeys(places))]
    try:
        done = subprocess.run([*command, "-x", "c", "-"], input="\n".join(lines) + "\n", text=True, capture_output=True)
    except OSError as error:
        raise LabError(f"{compiler[0]}: {error.strerror}") from None
    if done.returncode != 0:
        raise LabError(f"{compiler[0]}: {done.stderr.strip().splitlines()[0]}")
    defined = set(done.stdout.split())
    return frozenset(guard for guard in guards if f"holds_{guard}" in defined)
