# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Memory for whole segments, and the work that is done in it."""

from __future__ import annotations

import contextlib
import mmap

from runnel.sealed.parameters import Parameters
from runnel.sealed.segments import Segment, Segments, segment_in

BLOCK_BYTES = 1 << 20
BLOCKS_BYTES_MAX = 49 << 20
HUGE_BYTES = 4 << 20  # from so many on huge pages save time
BLOCK_SEGMENTS_MAX = 512  # one system call reads or writes a block; Linux takes at most 1024 pieces


def segments_in_a_block(parameters: Parameters) -> int:
    return max(1, min(BLOCK_BYTES // parameters.segment_bytes, BLOCK_SEGMENTS_MAX))


def planned(parameters: Parameters, threads: int, total: int | None) -> tuple[int, int]:
    """Return (segments in a block, blocks at most) for so many threads; total: the number of segments, None where it is not
    known and nobody is to wait for many."""
    affordable = BLOCKS_BYTES_MAX // parameters.segment_bytes
    count = segments_in_a_block(parameters)
    if total is not None:
        at_once = max(count, min(parameters.segments_at_once, affordable // (threads + 1)))
        turns = -(-total // (at_once * threads))
        share = -(-total // (turns * threads))  # so that no thread has a block more than another
        count = min(max(share, count), total)
    return count, max(2, min(2 * threads + 1, affordable // count))


def affordable_threads(parameters: Parameters) -> int:
    """Return how many threads may have a block of the smallest size each, and one more block."""
    return max(1, BLOCKS_BYTES_MAX // (segments_in_a_block(parameters) * parameters.segment_bytes) - 1)


def _pages(size: int) -> mmap.mmap:
    # Python's own choice is shared memory, which does not get huge pages.
    pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if size >= HUGE_BYTES and hasattr(mmap, "MADV_HUGEPAGE"):
        with contextlib.suppress(OSError):  # a kernel without them
            pages.madvise(mmap.MADV_HUGEPAGE)
    return pages


class Block:
    """Memory for a number of whole segments, each as lead | body | tag. Untouched pages cost nothing."""

    def __init__(self, parameters: Parameters, count: int) -> None:
        self._parameters = parameters
        self._stride = parameters.lead_bytes + parameters.segment_bytes
        self._memory = memoryview(_pages(count * self._stride))
        self._rest = [self._segment(slot, False, parameters.rest_bytes) for slot in range(count)]
        self._whole = self._joined(self._rest, False)

    def _begin(self, slot: int, first: bool) -> int:
        """Return where a slot's segment begins. A file's first one may be shorter, and ends where the next one begins."""
        return slot * self._stride + (self._parameters.rest_bytes - self._parameters.first_bytes if first else 0)

    def _segment(self, slot: int, first: bool, body_bytes: int) -> Segment:
        return segment_in(self._memory[self._begin(slot, first) :], self._parameters, body_bytes)

    def _joined(self, each: list[Segment], first: bool) -> Segments:
        end = self._begin(len(each) - 1, first and len(each) == 1) + len(each[-1].whole)
        memory = self._memory[self._begin(0, first) : end]
        return Segments(each, [segment.sealed for segment in each] if self._parameters.lead_bytes else [memory], memory)

    def whole(self, start: int) -> Segments:
        """Return views of whole segments, of which the first has number start."""
        if start:
            return self._whole
        first = self._segment(0, True, self._parameters.first_bytes)
        return self._joined([first, *self._rest[1:]], True)

    def holding(self, start: int, count: int, body_bytes: int) -> Segments:
        """Return views of count segments from number start on, with body_bytes bytes of plaintext together."""
        p = self._parameters
        short = (p.first_bytes if start == 0 else p.rest_bytes) + (count - 1) * p.rest_bytes - body_bytes
        if not short and count == len(self._rest):
            return self.whole(start)
        each = list(self.whole(start).each[:count])
        if short:
            first = start == 0 and count == 1
            each[-1] = self._segment(count - 1, first, len(each[-1].body) - short)
        return self._joined(each, start == 0)


class Task:
    def __init__(self, block: Block, segments: Segments, start: int, last: bool, body_bytes: int) -> None:
        self.block = block
        self.segments = segments
        self.start = start
        self.last = last
        self.body_bytes = body_bytes
        self.done = False
        self.error: BaseException | None = None
