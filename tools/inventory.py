# SPDX-License-Identifier: Apache-2.0 OR MIT
"""build/inventory.json: everything that exists, in one list that the build writes and tools, lab, site and tests read.

inventory.py REGISTRY OUT   writes it, from what tools/registry.c printed of this build and from the sources

A library has only the kernels of the processor that it is built for. Those of the others are read from their rows in
kernels.inc and from their descriptors; where the library has a kernel, both have to agree.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

TREE = Path(__file__).resolve().parent.parent
ROW = re.compile(r"^(KERNEL|PAPER|BATCH)\((\w+), (\w+)\)", re.MULTILINE)
GUARD = re.compile(r"^#define (RUNNEL_\w+)_NAME \"(.*)\"$", re.MULTILINE)
STRING = r'"(?:[^"\\]|\\.)*"'
TIMING = {"RUNNEL_CONSTANT_TIME": "constant-time", "RUNNEL_SECRET_INDEXED": "secret-indexed"}


class Kernel(NamedTuple):
    """A kernel of a cipher, a MAC or an AEAD. Paths are relative to src/."""

    folder: str
    name: str
    guard: str
    """The macro that is 1 where the kernel exists."""
    processor: str
    """The guard in words."""
    features: list[str]
    """Of the CPU, found at run time, besides the processor."""
    timing: str
    citation: str
    lanes: int | None
    """How many messages it works on side by side; None: of another processor, and not read."""
    paper: bool
    batch: bool
    """It is one for several messages beside kernels for one."""
    file: str
    sources: list[str]
    """That file, and its assembly."""


class Inventory(NamedTuple):
    ciphers: list[dict[str, Any]]
    aeads: list[dict[str, Any]]
    macs: list[dict[str, Any]]
    families: dict[str, str]
    """The folder that declares each family: of runnel_aes_ctr, ciphers/aes."""
    guards: dict[str, dict[str, str]]
    """Of each guard its name in words as "processor", and as "header" where it is defined."""
    kernels: list[Kernel]
    """In order of folders, and in each of preference."""

    def of(self, folder: str) -> list[Kernel]:
        """Return the kernels of a folder: ciphers/aes."""
        return [kernel for kernel in self.kernels if kernel.folder == folder]

    def mac(self, name: str) -> dict[str, Any]:
        return next(mac for mac in self.macs if mac["name"] == name)


def load(tree: Path = TREE) -> Inventory:
    """Read the inventory that the build of a tree has written. Raises ValueError where there is none, or one older than a
    list of kernels."""
    file = Path(os.environ.get("RUNNEL_BUILD_DIR") or tree / "build") / "inventory.json"
    if not file.exists():
        raise ValueError(f"{file} is missing: `make inventory` writes it")
    written = file.stat().st_mtime_ns
    if newer := [rows for rows in (tree / "src").glob("*/*/kernels.inc") if rows.stat().st_mtime_ns > written]:
        raise ValueError(f"{newer[0]} is newer than {file}: run `make inventory`")
    return _read(file, written)


@cache
def _read(file: Path, _written: int) -> Inventory:
    found = json.loads(file.read_text(encoding="utf-8"))
    return Inventory(**found | {"kernels": [Kernel(**each) for each in found["kernels"]]})


def take(tree: Path, registry: dict[str, Any]) -> dict[str, Any]:
    """Return the inventory of a tree and of the registry of its library. Raises ValueError where they disagree."""
    src = tree / "src"
    families = _families(src)
    guards = _guards(src)
    there: dict[tuple[str, str], dict[str, Any]] = {}
    for kind in ("ciphers", "aeads", "macs"):
        for each in registry[kind]:
            folder = each["folder"] = families[each.get("family", each["name"].replace("-", "_"))]
            there |= {(folder, kernel["name"]): kernel for kernel in each["kernels"]}
            each["kernels"] = [kernel["name"] for kernel in each["kernels"]]
    rows = [row for file in sorted(src.glob("*/*/kernels.inc")) for row in kernels(file.parent, guards)]
    checked = [_checked(row, there.pop((row.folder, row.name), None)) for row in rows]
    checked += [_only(src, folder, reported, guards) for (folder, _), reported in sorted(there.items())]
    return registry | {"families": families, "guards": guards, "kernels": [row._asdict() for row in checked]}


def _checked(row: Kernel, reported: dict[str, Any] | None) -> Kernel:
    """Return the row with what the library's descriptor says, if the library has the kernel."""
    if reported is None:
        return row
    read = {"features": sorted(row.features), "timing": row.timing, "citation": row.citation}
    right = {field: reported[field] for field in read} | {"features": sorted(reported["features"])}
    for field in read:
        if read[field] != right[field]:
            raise ValueError(f"src/{row.file}: {field} is read as {read[field]}, the library says {right[field]}")
    return row._replace(lanes=reported["lanes"])


def _only(src: Path, folder: str, reported: dict[str, Any], guards: dict[str, dict[str, str]]) -> Kernel:
    """Return the one implementation of a folder without a list. Raises ValueError for a kernel that a list lacks."""
    if (src / folder / "kernels.inc").exists():
        raise ValueError(f"src/{folder}/kernels.inc lacks {reported['name']}, which the library has")
    file = f"{folder}/{Path(folder).name}.c"
    where = {"guard": "RUNNEL_ANYWHERE", "processor": guards["RUNNEL_ANYWHERE"]["processor"]}
    return Kernel(folder=folder, **where, **reported, paper=False, batch=False, file=file, sources=[file])


def _families(src: Path) -> dict[str, str]:
    return {
        family: str(header.parent.relative_to(src))
        for parent in ("ciphers", "historic", "macs", "aead", "modes")
        for header in sorted((src / parent).glob("*/*.h"))
        if header.stem == header.parent.name
        for family in re.findall(r"\brunnel_(\w+);", header.read_text(encoding="utf-8"))
    }


def _guards(src: Path) -> dict[str, dict[str, str]]:
    headers = [src / "arch" / "arch.h", *sorted(src.glob("*/*/kernels.h"))]
    return {
        guard: {"processor": name, "header": str(header.relative_to(src))}
        for header in headers
        for guard, name in GUARD.findall(header.read_text(encoding="utf-8"))
    }


def kernels(folder: Path, guards: dict[str, dict[str, str]]) -> Iterator[Kernel]:
    """Yield what a folder's kernels.inc lists, in its order. Raises ValueError for a row without a descriptor or with a guard
    that has no name."""
    sources = {file: file.read_text(encoding="utf-8") for file in sorted(folder.rglob("*.[ch]"))}
    for kind, guard, name in ROW.findall((folder / "kernels.inc").read_text(encoding="utf-8")):
        if guard not in guards:
            raise ValueError(f"{folder}/kernels.inc: no {guard}_NAME beside the definition of {guard}")
        yield _kernel(folder, sources, kind, guard, guards[guard]["processor"], name)


def _kernel(folder: Path, sources: dict[Path, str], kind: str, guard: str, processor: str, name: str) -> Kernel:
    src = folder.parent.parent
    for file, text in sources.items():
        for descriptor in _descriptors(folder, sources, file, text, name):
            cpu = re.findall(r"RUNNEL_CPU_(\w+)", _field(descriptor, "cpu") or "")
            assembly = sorted(file.parent.glob(f"{file.stem}_*.S"))
            return Kernel(
                folder=str(folder.relative_to(src)),
                name=_text(sources, file, _required(descriptor, "name", file)),
                guard=guard,
                processor=processor,
                features=[feature.lower() for feature in cpu],
                timing=TIMING[_field(descriptor, "timing") or "RUNNEL_CONSTANT_TIME"],
                citation=_text(sources, file, _required(descriptor, "citation", file)),
                lanes=_number(text, _field(descriptor, "lanes")) if kind == "BATCH" else None,
                paper=kind == "PAPER",
                batch=kind == "BATCH",
                file=str(file.relative_to(src)),
                sources=[str(each.relative_to(src)) for each in (file, *assembly)],
            )
    raise ValueError(f"no descriptor of the kernel {name} in {folder}")


def _descriptors(folder: Path, sources: dict[Path, str], file: Path, text: str, name: str) -> Iterator[str]:
    """Yield the descriptor, if it is in this file: written out, or by a macro KERNEL of a header of its folder."""
    if file.suffix != ".c":
        return
    if found := re.search(
        rf"const runnel_\w+ runnel_{folder.name}_{name} = {{(.*?)^\s*}};", text + "\n};", re.DOTALL | re.MULTILINE
    ):
        yield found[1]
    if call := re.search(rf"^KERNEL\({name}, (.*)\)$", text, re.MULTILINE):
        arguments = re.findall(STRING, call[1])
        for header in (s for f, s in sources.items() if f.parent == file.parent and f.suffix == ".h"):
            if macro := re.search(
                r"#define KERNEL\((\w+(?:, \w+)*)\).*?(const runnel_kernel.*?)\n(?!.*\\\n)", header, re.DOTALL
            ):
                body = macro[2]
                for parameter, argument in zip(macro[1].split(", ")[1:], arguments, strict=False):
                    body = re.sub(rf"\({parameter}\)", lambda _, a=argument: f"({a})", body)
                yield body


def _field(descriptor: str, field: str) -> str | None:
    found = re.search(rf"\.{field} =\s*(.*?),\s*\\?\s*(?:\.|RUNNEL_|\w+_FUNCTIONS|$)", descriptor, re.DOTALL)
    return found[1].strip() if found else None


def _required(descriptor: str, field: str, file: Path) -> str:
    found = _field(descriptor, field)
    if found is None:
        raise ValueError(f"{file}: a descriptor without .{field}")
    return found


def _number(text: str, value: str | None) -> int | None:
    """Return a number, or what a macro of the same file stands for."""
    found = re.search(rf"#define {value} (\d+)$", text, re.MULTILINE) if value else None
    return int(found[1]) if found else int(value) if value and value.isdigit() else None


def _text(sources: dict[Path, str], file: Path, value: str) -> str:
    """Return the string that an expression is: literals, and macros for them, one after another."""
    text = ""
    for part in re.findall(rf"{STRING}|\w+", value.replace("RUNNEL_TEXT", "")):
        if part.startswith('"'):
            text += part[1:-1]
            continue
        near = (sources[other] for other in sources if other.parent == file.parent)
        macro = next(filter(None, (re.search(rf"#define {part}\b((?:.*\\\n)*.*)", source) for source in near)), None)
        if macro is None:
            raise ValueError(f"{file}: what is {part}?")
        text += _text(sources, file, macro[1])
    return text


def main() -> int:
    registry, out = map(Path, sys.argv[1:])
    try:
        inventory = take(TREE, json.loads(registry.read_text(encoding="utf-8")))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    out.write_text(json.dumps(inventory, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
