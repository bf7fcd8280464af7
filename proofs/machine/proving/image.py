# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Linked programs: their bytes in memory, and their names."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection


@dataclass(frozen=True)
class Segment:
    """Bytes that the loader puts into memory."""

    address: int
    load_address: int
    """Where they lie in flash, if the start-up code copies them."""
    octets: bytes
    size: int
    writable: bool
    executable: bool


class Image:
    """A program as the linker made it."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            elf = ELFFile(file)
            self.machine: str = elf["e_machine"]
            self.bits: int = elf.elfclass
            self.segments = [
                Segment(
                    s["p_vaddr"], s["p_paddr"], s.data(), s["p_memsz"], bool(s["p_flags"] & 2), bool(s["p_flags"] & 1)
                )
                for s in elf.iter_segments("PT_LOAD")
                if s["p_memsz"]
            ]
            self.symbols: dict[str, int] = {}
            functions: list[tuple[int, int, str]] = []
            for section in elf.iter_sections():
                if isinstance(section, SymbolTableSection):
                    for symbol in section.iter_symbols():
                        if symbol["st_shndx"] == "SHN_UNDEF":
                            continue
                        self.symbols[symbol.name] = symbol["st_value"]
                        if symbol["st_info"]["type"] in ("STT_FUNC", "STT_NOTYPE") and not symbol.name.startswith("$"):
                            functions.append(
                                (
                                    symbol["st_value"] & ~1 if self.machine == "EM_ARM" else symbol["st_value"],
                                    symbol["st_size"],
                                    symbol.name,
                                )
                            )
        self.functions = sorted(functions)
        self._starts = [start for start, _, _ in self.functions]

    def function_at(self, address: int) -> str:
        """Return the name of what an address lies in."""
        place = bisect_right(self._starts, address) - 1
        return self.functions[place][2] if place >= 0 else "?"
