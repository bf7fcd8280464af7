# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The kernels of a cipher on every processor, read from its kernels.inc and from the descriptors in its sources: the
registry of a library has only those of the processor that it is built for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PROCESSORS = {
    "RUNNEL_ANYWHERE": "any",
    "RUNNEL_NOT_AVR": "any but AVR",
    "RUNNEL_HOSTED": "any with an operating system",
    "RUNNEL_X86_64": "x86-64",
    "RUNNEL_X86_64_ASSEMBLY": "x86-64",
    "RUNNEL_AARCH64": "AArch64",
    "RUNNEL_ARMV7_NEON": "Armv7-A",
    "RUNNEL_AES_ARMV7_NEON": "Armv7-A",
    "RUNNEL_POLY1305_ARMV7_NEON": "Armv7-A",
    "RUNNEL_ROTATES_32": "32-bit, with rotations",
    "RUNNEL_THUMB2": "Thumb-2",
    "RUNNEL_THUMB2_DSP": "Thumb-2 with DSP",
    "RUNNEL_RV32": "RV32",
    "RUNNEL_RV32_MUL": "RV32 with M",
    "RUNNEL_RV32_ZKNE": "RV32 with Zkne",
    "RUNNEL_RV64_ZKNE": "RV64 with Zkne",
    "RUNNEL_RV64_ZBKB": "RV64 with Zbkb or Zbb",
    "RUNNEL_AVR": "AVR",
    "RUNNEL_AVR_MUL": "AVR with MUL",
    "RUNNEL_WASM_SIMD128": "WebAssembly, with -msimd128",
}
ROW = re.compile(r"^(KERNEL|PAPER)\((\w+), (\w+)\)", re.MULTILINE)
STRING = r'"(?:[^"\\]|\\.)*"'
TIMING = {"RUNNEL_CONSTANT_TIME": "constant-time", "RUNNEL_SECRET_INDEXED": "secret-indexed"}


class Kernel(NamedTuple):
    name: str
    file: Path
    processor: str
    features: list[str]
    """Of the CPU, found at run time, besides the processor."""
    timing: str
    """The kernels of a MAC do not say: all are constant-time."""
    citation: str
    paper: bool


def kernels(folder: Path) -> list[Kernel]:
    """Returns what kernels.inc lists, in its order. Raises ValueError for a row without a descriptor."""
    sources = {file: file.read_text(encoding="utf-8") for file in sorted(folder.rglob("*.[ch]"))}
    rows = ROW.findall((folder / "kernels.inc").read_text(encoding="utf-8"))
    return [_kernel(folder, sources, kind == "PAPER", PROCESSORS[guard], name) for kind, guard, name in rows]


def _kernel(folder: Path, sources: dict[Path, str], paper: bool, processor: str, name: str) -> Kernel:
    for file, text in sources.items():
        for descriptor in _descriptors(folder, sources, file, text, name):
            cpu = re.findall(r"RUNNEL_CPU_(\w+)", _field(descriptor, "cpu") or "")
            return Kernel(
                _text(sources, file, _required(descriptor, "name", file)),
                file,
                processor,
                [feature.lower() for feature in cpu],
                TIMING[_field(descriptor, "timing") or "RUNNEL_CONSTANT_TIME"],
                _text(sources, file, _required(descriptor, "citation", file)),
                paper,
            )
    raise ValueError(f"no descriptor of the kernel {name} in {folder}")


def _descriptors(folder: Path, sources: dict[Path, str], file: Path, text: str, name: str) -> Iterator[str]:
    """Yields the descriptor, if it is in this file: written out, or by a macro KERNEL of a header of its folder."""
    if file.suffix != ".c":
        return
    if found := re.search(
        rf"const runnel_(?:\w+_)?kernel runnel_{folder.name}_{name} = {{(.*?)^\s*}};", text + "\n};", re.S | re.M
    ):
        yield found[1]
    if call := re.search(rf"^KERNEL\({name}, (.*)\)$", text, re.MULTILINE):
        arguments = re.findall(STRING, call[1])
        for header in (s for f, s in sources.items() if f.parent == file.parent and f.suffix == ".h"):
            if macro := re.search(
                r"#define KERNEL\((\w+(?:, \w+)*)\).*?(const runnel_kernel.*?)\n(?!.*\\\n)", header, re.S
            ):
                body = macro[2]
                for parameter, argument in zip(macro[1].split(", ")[1:], arguments):
                    body = re.sub(rf"\({parameter}\)", lambda _, a=argument: f"({a})", body)
                yield body


def _field(descriptor: str, field: str) -> str | None:
    found = re.search(rf"\.{field} =\s*(.*?),\s*\\?\s*(?:\.|RUNNEL_|$)", descriptor, re.DOTALL)
    return found[1].strip() if found else None


def _required(descriptor: str, field: str, file: Path) -> str:
    found = _field(descriptor, field)
    if found is None:
        raise ValueError(f"{file}: a descriptor without .{field}")
    return found


def _text(sources: dict[Path, str], file: Path, value: str) -> str:
    """Returns the string that an expression is: literals, and macros for them, one after another."""
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
