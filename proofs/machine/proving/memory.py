# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Memory as regions, each with what the contract allows."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from .refusal import MemoryAccessError
from .words import UNDEFINED_BYTE, Word, is_defined, of_octets

BYTE = 32  # bytes of a word for each byte of memory


@dataclass
class Region:
    """A part of memory, with 32 bytes of content for each of its bytes."""

    name: str
    base: int
    content: bytearray
    readable: bool = True
    writable: bool = True
    constant: bool = False
    """It has the same content in every call."""
    lowest_write: int = 1 << 64
    highest_write: int = -1
    snapshot: bytes = field(default=b"", repr=False)

    @property
    def size(self) -> int:
        """Return the number of its bytes."""
        return len(self.content) // BYTE

    @property
    def end(self) -> int:
        """Return the address after it."""
        return self.base + self.size

    def fill(self, word: Word, at: int = 0) -> None:
        """Put a word into it, whatever the contract says."""
        self.content[BYTE * at : BYTE * at + len(word)] = word

    def word(self, at: int = 0, size: int | None = None) -> Word:
        """Return its content, whatever the contract says."""
        return bytes(self.content[BYTE * at : None if size is None else BYTE * (at + size)])


class Memory:
    """All that a machine may address. Regions do not overlap."""

    def __init__(self) -> None:
        self.regions: list[Region] = []
        self.bases: list[int] = []

    def add(
        self,
        name: str,
        base: int,
        size: int,
        *,
        octets: bytes | None = None,
        readable: bool = True,
        writable: bool = True,
        constant: bool = False,
    ) -> Region:
        """Add a region, undefined or with constants."""
        content = UNDEFINED_BYTE * size if octets is None else of_octets(octets.ljust(size, b"\0"))
        region = Region(name, base, bytearray(content), readable, writable, constant)
        place = bisect_right(self.bases, base)
        before, after = self.regions[:place], self.regions[place:]
        if (before and before[-1].end > base) or (after and region.end > after[0].base):
            raise ValueError(f"region {name} overlaps another")
        self.regions.insert(place, region)
        self.bases.insert(place, base)
        return region

    def remove(self, region: Region) -> None:
        """Remove a region."""
        place = self.regions.index(region)
        del self.regions[place], self.bases[place]

    def find(self, address: int, size: int) -> Region:
        """Return the region that holds so many bytes from an address on."""
        place = bisect_right(self.bases, address) - 1
        if place >= 0:
            region = self.regions[place]
            if address + size <= region.base + len(region.content) // BYTE:
                return region
        raise MemoryAccessError(f"{size} bytes at {address:#x} are in no region")

    def is_constant(self, address: int) -> bool:
        """Tell whether a byte is the same in every call."""
        return self.find(address, 1).constant

    def load(self, address: int, size: int) -> Word:
        """Read bytes, as the contract allows."""
        region = self.find(address, size)
        if not region.readable:
            raise MemoryAccessError(f"{region.name} is read at {address:#x}")
        at = BYTE * (address - region.base)
        word = bytes(region.content[at : at + BYTE * size])
        if not is_defined(word):
            raise MemoryAccessError(f"{region.name}+{address - region.base:#x} is read before it is written")
        return word

    def store(self, address: int, word: Word) -> None:
        """Write bytes, as the contract allows."""
        size = len(word) // BYTE
        region = self.find(address, size)
        if not region.writable:
            raise MemoryAccessError(f"{region.name} is written at {address:#x}")
        at = address - region.base
        region.content[BYTE * at : BYTE * at + len(word)] = word
        if at < region.lowest_write:
            region.lowest_write = at
        if at + size > region.highest_write:
            region.highest_write = at + size
