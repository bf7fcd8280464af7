# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Segments that are messages of AES-GCM without associated data: all of a block in one call of this package's C."""

from __future__ import annotations

from collections.abc import Callable

from runnel import _native
from runnel.sealed.segments import Segments

NONCE_BYTES = 12
TAG_BYTES = 16

Nonces = Callable[[int, int, bool], bytes]
"""(start, count, last): the nonces of count segments from number start on, one after another; last: they end the file."""


class GcmCipher:
    """A SegmentCipher, for segments that lie in memory without anything between them."""

    def __init__(self, key: bytes, segment_bytes: int, nonces: Nonces) -> None:
        self._sealer = _native.aead(f"aes-{8 * len(key)}-gcm", key)
        self._segment_bytes = segment_bytes
        self._nonces = nonces

    def seal(self, segments: Segments, start: int, last: bool) -> None:
        self._work(self._sealer.seal_in_place, segments, start, last)

    def open(self, segments: Segments, start: int, last: bool) -> int:
        return self._work(self._sealer.open_in_place, segments, start, last)

    def _work(self, call: Callable[[bytes, memoryview, int], int], segments: Segments, start: int, last: bool) -> int:
        memory = segments.memory
        count = len(segments.each)
        nonces = self._nonces(start, count, last)
        first = len(segments.each[0].sealed)
        if count == 1 or first == self._segment_bytes:
            return call(nonces, memory, self._segment_bytes)
        if not call(nonces[:NONCE_BYTES], memory[:first], first):
            return 0
        return 1 + call(nonces[NONCE_BYTES:], memory[first:], self._segment_bytes)
