# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Plan the launches for a message: whole groups of blocks in place, and the rest in memory of its own.

A run is a sequence of blocks in which one 32-bit word moves, without a carry out of it: kernels see nothing else. In it,
groups begin at multiples of their number of blocks, whatever the message's first block is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from ._kernels import GPUKernel

SCRATCH_GROUPS = 1024
"""The most groups that are made beside the data at once."""


class Layout(NamedTuple):
    bits: int
    first: int
    """Where the counter field begins in the block."""
    little: bool


LAYOUTS = {
    "be128": Layout(128, 0, False),
    "be64": Layout(64, 8, False),
    "be32": Layout(32, 12, False),
    "be16": Layout(16, 14, False),
    "le128": Layout(128, 0, True),
    "le64": Layout(64, 0, True),
    "le32": Layout(32, 0, True),
}


class Run(NamedTuple):
    block: bytes
    """The counter block with zeros for the word that moves."""
    word: int
    """That word's number."""
    little: bool
    counter: int
    """The word in the first block."""
    blocks: int


class Piece(NamedTuple):
    """One launch."""

    run: Run
    counter: int
    """The word in the first block of the first group."""
    groups: int
    offset: int
    """Where in the data."""
    bytes: int
    skip: int
    """How many bytes of the first group's keystream come before these."""
    in_place: bool


def runs(iv: bytes, layout: str | None, index: int, blocks: int) -> Iterator[Run]:
    """Split blocks, the first of which has this number from the IV, into runs. Without a layout: ChaCha20's counter."""
    if layout is None:
        yield Run(iv + bytes(4), 3, False, index, blocks)
        return
    bits, first, little = LAYOUTS[layout]
    last = first + bits // 8
    order: Literal["little", "big"] = "little" if little else "big"
    word = 0 if little else 3
    start = int.from_bytes(iv[first:last], order)
    moving = (1 << min(bits, 32)) - 1
    while blocks > 0:
        field = (start + index) % (1 << bits)
        block = iv[:first] + field.to_bytes(bits // 8, order) + iv[last:]
        counter = int.from_bytes(block[4 * word : 4 * word + 4], order)
        count = min(blocks, moving + 1 - (counter & moving))
        yield Run(block[: 4 * word] + bytes(4) + block[4 * word + 4 :], word, little, counter, count)
        index += count
        blocks -= count


def pieces(
    kernel: GPUKernel, iv: bytes, layout: str | None, position: int, length: int, address: int
) -> Iterator[Piece]:
    """Return the launches for `length` bytes at `address` whose first is at `position` of the keystream."""
    size, group = kernel.block_bytes, kernel.group_bytes
    if length == 0:
        return
    index = position // size
    at = index * size  # where the run begins in the keystream
    for run in runs(iv, layout, index, (position + length - 1) // size - index + 1):
        before = run.counter % kernel.group_blocks * size  # of the first group
        grid = at - before
        low, high = max(position, at), min(position + length, at + run.blocks * size)
        at += run.blocks * size
        aligned = (address + grid - position) % 16 == 0
        while low < high:
            number = (low - grid) // group
            begin = grid + number * group
            whole = (high - low) // group if aligned and low == begin else 0
            if whole:
                end = low + whole * group
            elif aligned:
                end = min(high, begin + group)
            else:
                end = min(high, begin + SCRATCH_GROUPS * group)
            counter = run.counter - before // size + number * kernel.group_blocks
            groups = whole or (end - 1 - begin) // group + 1
            yield Piece(run, counter, groups, low - position, end - low, low - begin, whole > 0)
            low = end
