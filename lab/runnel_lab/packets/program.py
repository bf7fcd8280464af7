# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The measured program of a combination: which kernels may be its best, and what it is made of."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from runnel_lab import subjects
from runnel_lab.building import programs
from runnel_lab.building.kernels import kernels_in
from runnel_lab.building.ninja import Program
from runnel_lab.packets.combinations import Combination
from runnel_lab.subjects import CONSTANT_TIME, Mode, described
from runnel_lab.targets import Target

Kernels = Mapping[str, str]
"""The kernel of each folder that has several; of the others the linker takes what there is."""


def candidates(target: Target, combination: Combination) -> list[dict[str, str]]:
    """Return the kernels that may be the best ones for the combination on the target, or the best constant-time ones: without
    those of papers, and without the portable and the smallest where there is another; a tiny target may have room for no
    other than the smallest."""
    lists = [[(folder, kernel) for kernel in _worth_trying(target, folder)] for folder in combination.folders]
    return [dict(one) for one in itertools.product(*filter(None, lists))]


@lru_cache
def _worth_trying(target: Target, folder: str) -> list[str]:
    """Return none for a folder whose code is chosen without a knob: it is linked as it is."""
    place = target.tree / "src" / folder
    if not described(target.tree, place) or not _has_knob(place):
        return []
    here = kernels_in(target, place)
    ours = {name: timing for name, timing in _timings(target.tree, folder).items() if name in here}
    fast = [name for name in ours if name != "portable" and (target.tiny or not name.endswith("small"))]
    if not any(ours[name] == CONSTANT_TIME for name in fast):
        fast += [name for name, timing in ours.items() if timing == CONSTANT_TIME]
    return fast or list(ours)


def _has_knob(place: Path) -> bool:
    knob = re.compile(rf"\bRUNNEL_{place.name.upper()}_KERNEL\b")
    return any(knob.search(file.read_text(encoding="utf-8")) for file in place.glob("*.[ch]"))


@lru_cache
def _timings(tree: Path, folder: str) -> dict[str, str]:
    """Return what the kernels of a folder say of their time, without those of papers."""
    listed = described(tree, tree / "src" / folder).items()
    return {name: kernel.timing for name, kernel in listed if not kernel.paper and not kernel.batch}


def constant_time(target: Target, kernels: Kernels) -> bool:
    """Tell what the kernels say of themselves."""
    return all(_timings(target.tree, folder)[kernel] == CONSTANT_TIME for folder, kernel in kernels.items())


def program(target: Target, combination: Combination, kernels: Kernels) -> Program:
    knobs = [word for folder, kernel in kernels.items() for word in programs.knob(Path(folder).name, kernel, 128)]
    composed = _composition(combination) if combination.composed else []
    header, mode = f'-DBENCH_HEADER="{combination.header}"', f"-DBENCH_MODE={int(Mode.PACKETS)}"
    return Program(
        ("bench.c", "compose.c", "cmac.c") if composed else ("bench.c",),
        (*programs.room(target), header, f"-DBENCH_TYPE={combination.type}", mode, *composed),
        (*knobs, "-DRUNNEL_PREFIX=0", "-DRUNNEL_DECRYPT=0"),
        combination.folders,
        tuple(f for each in kernels.items() for f in programs.other_kernels(target.tree, *each)),
    )


def _composition(combination: Combination) -> list[str]:
    assert combination.cipher is not None and combination.mac is not None
    cipher, block = subjects.cipher(combination.cipher), combination.block
    own = 0 if combination.mac == "poly1305" else 16
    definitions = {
        "CIPHER_HEADER": f'"{Path(combination.folders[0]).name}.h"',
        "CIPHER": cipher.family,
        "CIPHER_KEY": combination.key - own,
        "NONCE": combination.nonces[0],
        "IV": combination.iv,
        "MAC": f"LAB_{combination.mac.upper()}",
    }
    if combination.layout is not None:
        definitions["LAYOUT"] = f"RUNNEL_{combination.layout.upper()}"
    if block is not None:
        definitions |= {
            "BLOCK_HEADER": f'"{Path(block.folder).name}.h"',
            "BLOCK": block.family,
            "BLOCK_BYTES": block.bytes,
        }
    return [f"-DCOMPOSE_{name}={value}" for name, value in definitions.items()]
