# SPDX-License-Identifier: Apache-2.0 OR MIT
"""An object cut into parts of whole segments, by the rules of multipart uploads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from runnel.errors import Error
from runnel.sealed.parameters import Parameters

PART_BYTES = 16 << 20
"""A compromise: fewer requests, more of a part to repeat after a failure, more memory a thread."""
PART_BYTES_MIN = 5 << 20
PART_BYTES_MAX = 5 << 30
PARTS_MAX = 10_000
"""These are S3's, since December 2025 also of its longest object; other stores say so when theirs are less."""


class Part(NamedTuple):
    number: int
    """From 1."""
    first: int
    after: int
    """Its segments are number first to after - 1."""


@dataclass(frozen=True)
class Cut:
    """The segments of an object in parts of the same number of them; the last may have fewer."""

    segments: int
    per_part: int

    @property
    def parts(self) -> int:
        return -(-self.segments // self.per_part)

    def part(self, number: int) -> Part:
        first = (number - 1) * self.per_part
        return Part(number, first, min(first + self.per_part, self.segments))

    def __iter__(self) -> Iterator[Part]:
        return map(self.part, range(1, self.parts + 1))


def cut(
    p: Parameters, size: int, part_bytes: int = PART_BYTES, *, segments: int = 0, plain: bool = False, name: str = ""
) -> Cut:
    """Return parts of about part_bytes, and more where there would be too many; none longer than a store takes.

    size: of the plaintext. segments: those of an object that is there already. plain: what is uploaded is the
    plaintext, so that its parts have to be long enough.
    Raises Error: the object is too long for its format or for a store.
    """
    count = segments or p.segments(size)
    if count > p.segments_max:
        raise Error(f"{name}: {p.too_long()}")
    whole = size if plain else p.sealed_bytes(size)
    unit = p.rest_bytes if plain else p.segment_bytes
    wanted = max(part_bytes, PART_BYTES_MIN, -(-whole // PARTS_MAX))
    # Rounded up, and one more in plaintext, of which the first segment may hold less than the others.
    per_part = -(-wanted // unit) + (1 if plain and p.header_in_first else 0)
    division = Cut(count, max(1, min(per_part, (PART_BYTES_MAX - p.header_bytes) // unit)))
    if division.parts > PARTS_MAX:
        most = f"{PARTS_MAX} parts of {PART_BYTES_MAX >> 30} GiB"
        raise Error(f"{name}: {whole} bytes are more than an object may have, {most}")
    return division
