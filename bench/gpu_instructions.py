# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Count the instructions of the GPU kernels, and compute the bound that follows: no device is needed.

    .venv/bin/python bench/gpu_instructions.py [--architecture sm_90]

The compiled code is 16 bytes an instruction; its low 9 bits say which. The loop over groups has at most one long loop in it,
that of the rounds, whose passes are known. Everything else is once a group.
"""

from __future__ import annotations

import argparse
import collections
import struct
from typing import NamedTuple

from runnel_gpu import GPUKernel, kernels
from runnel_gpu._compile import cubin

# As nvdisasm names them; only what is counted by name.
NAMES = {
    0x012: "LOP3", 0x010: "IADD3", 0x036: "VIADD", 0x016: "PRMT", 0x019: "SHF", 0x011: "LEA", 0x00C: "ISETP", 0x007: "SEL",
    0x01C: "PLOP3", 0x024: "IMAD", 0x025: "IMAD.WIDE", 0x002: "MOV", 0x184: "LDS", 0x188: "STS", 0x181: "LDG",
    0x186: "STG", 0x183: "LDL", 0x187: "STL", 0x147: "BRA",
}  # fmt: skip
# The pipe for integers and logic: 16 lanes in each of a multiprocessor's four parts. IMAD is the other pipe's.
ALU = ("LOP3", "IADD3", "VIADD", "PRMT", "SHF", "LEA", "ISETP", "SEL", "PLOP3")
H200 = {"multiprocessors": 132, "lanes": 64, "hertz": 1.98e9}
ROUNDS_LOOP = 1000 * 16
"""A loop inside a group's that is longer than this is the rounds'."""


class Counts(NamedTuple):
    registers: int
    spills: int
    """Loads and stores of local memory, in the whole kernel."""
    per_byte: dict[str, float]
    """Instructions of a thread for each byte that it encrypts."""

    @property
    def alu(self) -> float:
        return sum(self.per_byte.get(name, 0) for name in ALU)

    @property
    def bound(self) -> float:
        """Return an estimate: bits a second of an H200 whose integer pipe is never idle."""
        return 8 * H200["multiprocessors"] * H200["lanes"] * H200["hertz"] / self.alu


def sections(code: bytes) -> dict[str, bytes]:
    """Return the bytes of each section of an ELF file of 64 bits."""
    (start,) = struct.unpack_from("<Q", code, 40)
    size, count, names = struct.unpack_from("<3H", code, 58)
    headers = [struct.unpack_from("<2I4Q2I", code, start + size * i) for i in range(count)]
    texts = code[headers[names][4] :]
    return {
        texts[header[0] : texts.index(b"\0", header[0])].decode(): code[header[4] :][: header[5]]
        for header in headers
        if header[1] != 8  # without bytes
    }


def registers(found: dict[str, bytes], function: str) -> int:
    """Return a function's attributes in the file: number 0x2f, its symbol and its registers."""
    symbols = [struct.unpack_from("<I", found[".symtab"], at)[0] for at in range(0, len(found[".symtab"]), 24)]
    info, at = found[".nv.info"], 0
    while at < len(info):
        form, attribute, size = struct.unpack_from("<2BH", info, at)
        if attribute == 0x2F:
            symbol, value = struct.unpack_from("<2I", info, at + 4)
            if found[".strtab"][symbols[symbol] :].split(b"\0")[0].decode() == function:
                return int(value)
        at += 4 + (size if form == 4 else 0)
    raise ValueError(f"no register count of {function}")


def loops(instructions: list[int]) -> list[tuple[int, int]]:
    """Return where loops begin and end. A backward branch ends a loop; a branch to itself is padding at the program's end."""
    found = []
    for i, word in enumerate(instructions):
        if word & 0x1FF == 0x147:
            offset = (word >> 34 & 0x3FFFFFFF) << 8 | word >> 16 & 0xFF
            target = i + 1 + (offset - (1 << 38) if offset >> 37 else offset) // 4
            if target < i:
                found.append((target, i))
    return found


def passes(kernel: GPUKernel) -> int:
    """Return how often the loop over rounds runs for a group."""
    if kernel.source != "bitsliced.cu":
        return 1
    rounds = {"aes": 6, "aria": 8}[kernel.cipher[:-8]] + int(kernel.cipher[-7:-4]) // 32
    return rounds - 3 if kernel.cipher.startswith("aes") else (rounds - 2) // 2


def group_of_thread(kernel: GPUKernel) -> int:
    """Return the bytes that a thread makes in one pass of the outer loop."""
    return 16 if kernel.name == "table" else kernel.group_bytes // 32


def counts(kernel: GPUKernel, architecture: str = "sm_90") -> Counts:
    """Compile the kernel and count."""
    parts = sections(cubin(kernel.source, kernel.defines, architecture))
    words = [low for low, _ in struct.iter_unpack("<2Q", parts[".text.xor_groups"])]
    # Other loops only copy or clear shared memory, and far code for warps that are not in step branches back later.
    stores = [i for i, word in enumerate(words) if word & 0x1FF == 0x186]
    outer = min(each for each in loops(words) if any(each[0] <= i <= each[1] for i in stores))
    inner = [
        (first, last)
        for first, last in loops(words)
        if outer[0] < first and last < outer[1] and 16 * (last - first) > ROUNDS_LOOP
    ]
    total: collections.Counter[str] = collections.Counter()
    for i in range(outer[0], outer[1] + 1):
        again = passes(kernel) if any(first <= i <= last for first, last in inner) else 1
        total[NAMES.get(words[i] & 0x1FF, "other")] += again
    size = group_of_thread(kernel)
    spills = sum(NAMES.get(word & 0x1FF) in ("LDL", "STL") for word in words)
    return Counts(registers(parts, "xor_groups"), spills, {name: count / size for name, count in sorted(total.items())})


COLUMNS = (
    "cipher",
    "kernel",
    "registers",
    "spills",
    "LOP3",
    "shifts, PRMT",
    "others",
    "IMAD",
    "LDS, STS",
    "LDG, STG",
    "bound",
)


def row(kernel: GPUKernel, found: Counts) -> str:
    """Return the counts as a row of docs/gpu.md."""

    def of(*names: str) -> str:
        return f"{sum(found.per_byte.get(name, 0) for name in names):.2f}"

    shifts = of("SHF", "PRMT")
    others = of(*(name for name in ALU if name not in ("LOP3", "SHF", "PRMT")))
    moved = f"{of('LDS', 'STS')} | {of('LDG', 'STG')}"
    return (
        f"| {kernel.cipher} | {kernel.name} | {found.registers} | {found.spills} | {of('LOP3')} | {shifts} | {others} | "
        f"{of('IMAD', 'IMAD.WIDE')} | {moved} | {found.bound / 1e12:.1f} |"
    )


def table(architecture: str) -> str:
    """Return the counts as a table of Markdown."""
    lines = [f"| {' | '.join(COLUMNS)} |", "|---|---" + "|--:" * (len(COLUMNS) - 2) + "|"]
    return "\n".join([*lines, *(row(kernel, counts(kernel, architecture)) for kernel in kernels())])


def main() -> None:
    parser = argparse.ArgumentParser(description="What the GPU kernels are compiled to.")
    parser.add_argument("--architecture", default="sm_90")
    print(table(parser.parse_args().architecture))


if __name__ == "__main__":
    main()
