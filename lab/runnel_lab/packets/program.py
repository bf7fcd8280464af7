# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The measured program of a combination (lab/bench_packet.c): which files and knobs it is made of, and its sizes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from runnel_lab import LabError, subjects
from runnel_lab.building import firmware, objects
from runnel_lab.packets.combinations import Combination
from runnel_lab.source import source_tool
from runnel_lab.subjects import Mode
from runnel_lab.targets import Target

PROGRAM = "bench_packet.c"
Kernels = Mapping[str, str]
"""The kernel of each folder that has several; the others are linked whole."""

_HOSTS = {"x86", "aarch64", "armv7", "wasm", "papers"}
"""Folders of processors that no target of these programs has."""
_OF_AEADS = ("aead.c", "hchacha20.c")
"""Files of ciphers' folders that AEADs take, whatever the kernel."""


def candidates(target: Target, combination: Combination) -> Iterator[dict[str, str]]:
    """Yields the kernels that may be the best ones for the combination on the target, or the best constant-time ones: without
    those of papers, and without the portable and the smallest where there is another."""
    lists = [
        [(folder, kernel) for kernel in kernels]
        for folder in combination.folders
        if (kernels := _worth_trying(target, combination, folder))
    ]
    for one in itertools.product(*lists):
        yield dict(one)


def _worth_trying(target: Target, combination: Combination, folder: str) -> list[str]:
    """Returns none for a folder whose code is chosen without a knob: it is linked whole."""
    place = target.tree / "src" / folder
    knob = f"RUNNEL_{place.name.upper()}_KERNEL"
    if not (place / "kernels.inc").exists() or not any(
        knob in file.read_text(encoding="utf-8") for file in place.glob("*.[ch]")
    ):
        return []
    here = objects.kernels_in(target, place, *(target.tree / "src" / other for other in combination.folders))
    ours = [kernel for kernel in _listed(target.tree, folder) if kernel.name in here]
    fast = [kernel for kernel in ours if kernel.name != "portable" and not kernel.name.endswith("small")]
    if not any(kernel.constant_time for kernel in fast):
        fast += [kernel for kernel in ours if kernel.constant_time]
    return [kernel.name for kernel in fast or ours]


class _Kernel(NamedTuple):
    name: str
    constant_time: bool


def _listed(tree: Path, folder: str) -> list[_Kernel]:
    """The kernels of a folder without those of papers. Those of AEADs and MACs do not say how they take their time: all are
    constant-time."""
    place, tool = tree / "src" / folder, source_tool(tree, "kernel_list")
    if not folder.startswith("ciphers/"):
        rows = tool.ROW.findall((place / "kernels.inc").read_text(encoding="utf-8"))
        return [_Kernel(name.replace("_", "-"), True) for _, _, name in rows]
    try:
        return [_Kernel(k.name, k.timing == "constant-time") for k in tool.kernels(place) if not k.paper]
    except ValueError as error:
        raise LabError(str(error)) from None


def constant_time(target: Target, kernels: Kernels) -> bool:
    """Tells what the kernels say of themselves."""
    used = {folder: [k for k in _listed(target.tree, folder) if k.name == name] for folder, name in kernels.items()}
    return all(kernel.constant_time for found in used.values() for kernel in found)


def build(target: Target, combination: Combination | None, kernels: Kernels, elf: Path) -> None:
    """Compiles and links the program, or with None the empty one. Raises DoesNotFit, or LabError with the compiler's first
    error."""
    tree = target.tree
    told = [f"-DBENCH_BUFFER={target.buffer}"]
    parts: list[tuple[tuple[str, ...], list[Path]]] = []
    compiler = firmware.compiler(target)
    if combination is not None:
        told += _configuration(tree, combination, kernels)
        for_library = (*compiler, *(word for word in told if not word.startswith(("-DBENCH_", "-DCOMPOSE_"))))
        parts.append((for_library, firmware.core(tree)))
        for folder in combination.folders:
            parts.append((for_library, _files(target, combination, folder, kernels, for_library)))
        if combination.composed:
            parts.append(((*compiler, *told), [tree / "lab" / "compose.c", tree / "lab" / "cmac.c"]))
    parts.append(((*compiler, *told), [tree / "lab" / PROGRAM]))
    parts.append(((*compiler, *told[:1]), [target.folder / source for source in target.sources]))
    firmware.link(target, parts, elf)


def _configuration(tree: Path, combination: Combination, kernels: Kernels) -> list[str]:
    knobs = []
    for folder, kernel in kernels.items():
        name = Path(folder).name.upper()
        knobs += [f"-DRUNNEL_{name}_KERNEL={kernel.replace('-', '_')}", f"-DRUNNEL_{name}_KEY_BITS=128"]
    composed = _composition(combination) if combination.composed else []
    return [
        f'-DBENCH_HEADER="{combination.header}"',
        f"-DBENCH_TYPE={combination.type}",
        *knobs,
        *composed,
        "-DRUNNEL_PREFIX=0",
        "-DRUNNEL_DECRYPT=0",
        *objects.includes(tree, *(tree / "src" / folder for folder in combination.folders)),
    ]


def _composition(combination: Combination) -> list[str]:
    assert combination.cipher is not None and combination.mac is not None
    cipher, block = subjects.cipher(combination.cipher), combination.block
    own = 0 if combination.mac == "poly1305" else 16
    told = {
        "CIPHER_HEADER": f'"{Path(combination.folders[0]).name}.h"',
        "CIPHER": cipher.family,
        "CIPHER_KEY": combination.key - own,
        "NONCE": combination.nonces[0],
        "IV": combination.iv,
        "MAC": f"LAB_{combination.mac.upper()}",
    }
    if combination.layout is not None:
        assert cipher.mode == Mode.COUNTER
        told["LAYOUT"] = f"RUNNEL_{combination.layout.upper()}"
    if block is not None:
        told |= {"BLOCK_HEADER": f'"{Path(block.folder).name}.h"', "BLOCK": block.family, "BLOCK_BYTES": block.bytes}
    return [f"-DCOMPOSE_{name}={value}" for name, value in told.items()]


def _files(
    target: Target, combination: Combination, folder: str, kernels: Kernels, command: tuple[str, ...]
) -> list[Path]:
    """Of a cipher what its kernel needs; of other folders all files that are for this processor."""
    place = target.tree / "src" / folder
    if folder.startswith("ciphers/"):
        beside = [] if combination.composed else [name for name in _OF_AEADS if (place / name).exists()]
        family = next(c for c in subjects.ciphers().values() if subjects.folder_of(target.tree, c) == place)
        return objects.needed(target, family, kernels[folder], command, beside)
    return [file for file in sorted(place.rglob("*.[cS]")) if not _HOSTS.intersection(file.relative_to(place).parts)]


def context_bytes(target: Target, combination: Combination, kernels: Kernels) -> int:
    told = _configuration(target.tree, combination, kernels)
    return firmware.context_in(target, (*firmware.compiler(target), *told))
