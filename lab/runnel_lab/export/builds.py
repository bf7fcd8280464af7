# SPDX-License-Identifier: Apache-2.0 OR MIT
"""How what was measured on a target without an operating system was built: which kernel of a folder is linked, and the
library's knobs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

Macros = dict[str, str | int]

_ARCHITECTURES = {"avr": "avr", "attiny": "avr", "cortex-m0": "thumb1", "cortex-m": "thumb2", "rv32": "rv32"}
"""The folder of a target's own code, by how the target's name begins."""


def linked(tree: Path, target: str, folder: str, chosen: Mapping[str, str]) -> str:
    """Return the kernel of a folder of src/. The results name those that a knob has chosen; without one the processor's own
    code, where there is some, is the only one."""
    if folder in chosen:
        return chosen[folder]
    architecture = next((own for begin, own in _ARCHITECTURES.items() if target.startswith(begin)), "")
    return architecture if architecture and (tree / "src" / folder / architecture).is_dir() else "portable"


def macros(tree: Path, chosen: Mapping[str, str], key_bits: int, prefix: bool) -> Macros:
    """Return the knobs of a build that differ from firmware's defaults. chosen: kernels by folder; prefix: with memory for
    prefix tables."""
    found: Macros = {}
    for folder, kernel in chosen.items():
        family, known = Path(folder).name.upper(), _knobs(tree / "src" / folder)
        found[f"RUNNEL_{family}_KERNEL"] = kernel.replace("-", "_")
        if f"RUNNEL_{family}_KEY_BITS" in known:
            found[f"RUNNEL_{family}_KEY_BITS"] = key_bits
        if prefix and "RUNNEL_PREFIX" in known:
            found["RUNNEL_PREFIX"] = 1
    return found


@lru_cache
def _knobs(folder: Path) -> frozenset[str]:
    return frozenset(
        word for file in folder.rglob("*.[ch]") for word in re.findall(r"RUNNEL_\w+", file.read_text(encoding="utf-8"))
    )
