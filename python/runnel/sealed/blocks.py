# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Memory for whole segments, and the work that is done in it."""

from __future__ import annotations

import mmap

from runnel.sealed.parameters import Parameters
from runnel.sealed.segments import IV_BYTES, Segment, segment_in

BLOCK_BYTES = 1 << 20
BLOCK_SEGMENTS_MAX = 512  # one system call reads or writes a block; Linux takes at most 1024 pieces


def segments_in_a_block(parameters: Parameters) -> int:
    return max(1, min(BLOCK_BYTES // parameters.segment_bytes, BLOCK_SEGMENTS_MAX))


class Block:
    """Memory for a number of whole segments, each as IV | body | tag. Untouched pages cost nothing."""

    def __init__(self, parameters: Parameters, count: int) -> None:
        self._parameters = parameters
        self._stride = IV_BYTES + parameters.segment_bytes
        self._memory = memoryview(mmap.mmap(-1, count * self._stride))
        self._whole = [self._segment(slot, parameters.rest_bytes) for slot in range(count)]

    def _segment(self, slot: int, body_bytes: int) -> Segment:
        return segment_in(self._memory[slot * self._stride :], body_bytes, self._parameters.tag_bytes)

    def whole(self, start: int) -> list[Segment]:
        """Views of whole segments, of which the first has number start."""
        if start:
            return self._whole
        return [self._segment(0, self._parameters.first_bytes), *self._whole[1:]]

    def holding(self, start: int, count: int, body_bytes: int) -> list[Segment]:
        """Views of count segments from number start on, with body_bytes bytes of plaintext together."""
        segments = self.whole(start)[:count]
        short = sum(len(segment[1]) for segment in segments) - body_bytes
        if short:
            segments[-1] = self._segment(count - 1, len(segments[-1][1]) - short)
        return segments


class Task:
    def __init__(self, block: Block, segments: list[Segment], start: int, last: bool, body_bytes: int) -> None:
        self.block = block
        self.segments = segments
        self.start = start
        self.last = last
        self.body_bytes = body_bytes
        self.done = False
        self.error: BaseException | None = None
