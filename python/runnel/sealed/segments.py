# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Segments in memory, and what seals and opens them there."""

from __future__ import annotations

from runnel._typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from runnel.sealed.parameters import Parameters


class Segment:
    """One segment in memory, as views into lead | body | tag; the lead is the format's own."""

    __slots__ = ("body", "sealed", "whole")

    def __init__(self, body: memoryview, sealed: memoryview, whole: memoryview) -> None:
        self.body = body
        self.sealed = sealed
        """Body and tag, as they lie in the file."""
        self.whole = whole


def segment_in(memory: memoryview, p: Parameters, body_bytes: int) -> Segment:
    """Return the views of one segment, whose lead begins where memory does."""
    body, tag = p.lead_bytes, p.lead_bytes + body_bytes
    end = tag + p.tag_bytes
    return Segment(memory[body:tag], memory[body:end], memory[:end])


class Segments:
    """Segments with successive numbers."""

    def __init__(self, each: Sequence[Segment], sealed: list[memoryview], memory: memoryview) -> None:
        self.each = each
        self.sealed = sealed
        """Their ciphertext with the tags, in as few pieces as it lies in memory: one where there is no lead."""
        self.memory = memory
        """All of them, leads too, one behind another."""

    @classmethod
    def one(cls, segment: Segment) -> Segments:
        return cls([segment], [segment.sealed], segment.whole)

    @property
    def bodies(self) -> list[memoryview]:
        return [segment.body for segment in self.each]


class SegmentCipher(Protocol):
    """Seals and opens segments in place. To be used by one thread at a time.

    start is the number of the first segment; last says whether the final one ends the file. seal encrypts the bodies and
    writes the tags. open verifies and decrypts, and returns how many segments are authentic before the first that is
    not; what is in that one and behind it must not be used.
    """

    def seal(self, segments: Segments, start: int, last: bool) -> None: ...

    def open(self, segments: Segments, start: int, last: bool) -> int: ...


class FileKeys(Protocol):
    """The keys of one file, derived from a keyset's key, the file's header and the associated data.

    cipher makes what one thread needs to work on segments.
    """

    @property
    def parameters(self) -> Parameters: ...

    @property
    def header(self) -> bytes: ...

    def cipher(self) -> SegmentCipher: ...


def describe_damage(keys: FileKeys, index: int) -> str:
    """Return the message for a segment that does not verify."""
    p = keys.parameters
    if index == 0 and p.header_in_first:  # a header that stands apart has been verified before
        return "authentication failed: wrong key or associated data, or damaged (first segment)"
    return f"authentication failed: damaged, truncated or extended (segment {index}, at byte {p.sealed_at(index)})"
