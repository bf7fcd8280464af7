# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Linked programs: their bytes in memory, and their names."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import ARMAttributesSection, SymbolTableSection


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
            sets: list[tuple[int, bool]] = []
            self.arm_profile = ""
            """Of 32-bit ARM: A for application processors, M for microcontrollers."""
            for section in elf.iter_sections():
                if isinstance(section, ARMAttributesSection):
                    self.arm_profile = _profile(section)
                if isinstance(section, SymbolTableSection):
                    for symbol in section.iter_symbols():
                        if symbol["st_shndx"] == "SHN_UNDEF":
                            continue
                        self.symbols[symbol.name] = symbol["st_value"]
                        if symbol.name[:2] in ("$a", "$t"):
                            sets.append((symbol["st_value"], symbol.name[1] == "t"))
                        if symbol["st_info"]["type"] in ("STT_FUNC", "STT_NOTYPE") and not symbol.name.startswith("$"):
                            functions.append(
                                (
                                    symbol["st_value"] & ~1 if self.machine == "EM_ARM" else symbol["st_value"],
                                    symbol["st_size"],
                                    symbol.name,
                                )
                            )
        self.functions = sorted(functions)
        self._sets = sorted(sets)
        self._starts = [start for start, _, _ in self.functions]

    def function_at(self, address: int) -> str:
        """Return the name of what an address lies in."""
        place = bisect_right(self._starts, address) - 1
        return self.functions[place][2] if place >= 0 else "?"

    def is_thumb(self, address: int) -> bool:
        """Tell whether code at an address of 32-bit ARM is Thumb: the assembler marks where each set begins."""
        place = bisect_right(self._sets, (address, True)) - 1
        return place >= 0 and self._sets[place][1]


def _profile(section: ARMAttributesSection) -> str:
    for part in section.iter_subsections():
        for scope in part.iter_subsubsections():
            for attribute in scope.iter_attributes():
                if attribute.tag == "TAG_CPU_ARCH_PROFILE":
                    return chr(attribute.value)
    return ""
