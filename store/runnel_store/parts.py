# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Segments sealed and opened in memory, for parts and for whole small objects. The same input gives the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from runnel.errors import AuthenticationError
from runnel.sealed.blocks import Block, segments_in_a_block
from runnel.sealed.parameters import Parameters
from runnel.sealed.segments import FileKeys, Segments, describe_damage, segment_in

if TYPE_CHECKING:
    from typing_extensions import Buffer

Read = Callable[[int, int], "Buffer"]
"""(start, end): exactly these bytes."""
_AT_ONCE_BYTES = 8 << 20
_FEW = 4


def seal(keys: FileKeys, first: int, after: int, size: int, read: Read, in_blocks: bool = False) -> bytearray:
    """Encrypt segments first to after - 1 of the file that size bytes of plaintext make, its header before number 0.

    read is asked for all plaintext of them at once, or in_blocks."""
    p = keys.parameters
    count = p.segments(size)
    before = keys.header if first == 0 else b""
    at = p.sealed_at(first) - len(before)
    out = bytearray((p.sealed_bytes(size) if after == count else p.sealed_at(after)) - at)
    out[: len(before)] = before
    target = memoryview(out)[len(before) :]
    fetch = read if in_blocks else _fetched(read, *plaintext_range(p, first, after, size))
    cipher = keys.cipher()
    for start, end, body_bytes, segments in _blocks(p, first, after, count, size):
        position = p.plaintext_at(start)
        data = memoryview(fetch(position, position + body_bytes))
        for body in segments.bodies:
            body[:] = data[: len(body)]
            data = data[len(body) :]
        cipher.seal(segments, start, end == count)
        for piece in segments.sealed:
            target[: len(piece)] = piece
            target = target[len(piece) :]
    return out


def unseal(
    keys: FileKeys, first: int, after: int, count: int, size: int, sealed: Buffer, name: str, out: memoryview | None
) -> None:
    """Verify these of the count segments of a file with size bytes of plaintext, and decrypt them into out, if there
    is one. sealed: they, as they lie in the file. Raises AuthenticationError."""
    p = keys.parameters
    data = memoryview(sealed)
    cipher = keys.cipher()
    for start, end, _, segments in _blocks(p, first, after, count, size):
        for piece in segments.sealed:
            piece[:] = data[: len(piece)]
            data = data[len(piece) :]
        good = cipher.open(segments, start, end == count)
        if good < end - start:
            raise AuthenticationError(f"{name}: {describe_damage(keys, start + good)}")
        if out is not None:
            for body in segments.bodies:
                out[: len(body)] = body
                out = out[len(body) :]


def plaintext_range(p: Parameters, first: int, after: int, size: int) -> tuple[int, int]:
    """Return where the plaintext of these segments lies in size bytes of it."""
    return p.plaintext_at(first), min(size, p.plaintext_at(after))


def _fetched(read: Read, start: int, end: int) -> Read:
    """Read once, and return a function that slices."""
    whole = memoryview(read(start, end))
    return lambda low, high: whole[low - start : high - start]


def _blocks(p: Parameters, first: int, after: int, count: int, size: int) -> Iterator[tuple[int, int, int, Segments]]:
    """Yield (start, end, plaintext bytes, memory) of as many segments at a time as the format's cipher works well on."""
    if after - first <= _FEW:  # small objects in large numbers: a block of pages would cost more than the rest
        for index in range(first, after):
            low, high = plaintext_range(p, index, index + 1, size)
            memory = memoryview(bytearray(p.lead_bytes + high - low + p.tag_bytes))
            yield index, index + 1, high - low, Segments.one(segment_in(memory, p, high - low))
        return
    step = max(segments_in_a_block(p), min(p.segments_at_once, _AT_ONCE_BYTES // p.segment_bytes))
    step = min(step, after - first)
    block = Block(p, step)
    for start in range(first, after, step):
        end = min(start + step, after)
        low, high = plaintext_range(p, start, end, size)
        yield start, end, high - low, block.holding(start, end - start, high - low)
