# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Encryption and decryption, as the engine sees them: what a task reads, does and writes."""

from __future__ import annotations

from runnel.errors import AuthenticationError
from runnel.sealed.blocks import Task
from runnel.sealed.io import Sink, Source, parts
from runnel.sealed.segments import FileKeys, SegmentCipher, Segments, describe_damage


class Encryption:
    def __init__(self, keys: FileKeys, source: Source, sink: Sink) -> None:
        self.keys = keys
        self.parameters = keys.parameters
        self.source = source
        self.sink = sink

    def input(self, segments: Segments) -> list[memoryview]:
        return segments.bodies

    def read_at(self, start: int) -> int:
        return self.parameters.plaintext_at(start)

    def body_bytes(self, start: int, taken: int) -> tuple[int, int]:
        """Return (segments, plaintext bytes) in the task that begins with segment start and has this much input."""
        return self.parameters.segments(self.parameters.plaintext_at(start) + taken) - start, taken

    def work(self, cipher: SegmentCipher, task: Task) -> None:
        cipher.seal(task.segments, task.start, task.last)

    def output(self, task: Task) -> list[memoryview]:
        return task.segments.sealed

    def write_at(self, task: Task) -> int:
        return self.parameters.sealed_at(task.start)


class Decryption:
    def __init__(self, keys: FileKeys, source: Source, sink: Sink, low: int, high: int | None) -> None:
        self.keys = keys
        self.parameters = keys.parameters
        self.source = source
        self.sink = sink
        self._low = low
        self._high = high

    def input(self, segments: Segments) -> list[memoryview]:
        return segments.sealed

    def read_at(self, start: int) -> int:
        return self.parameters.sealed_at(start)

    def body_bytes(self, start: int, taken: int) -> tuple[int, int]:
        p = self.parameters
        try:
            count, end = p.opened(p.sealed_at(start) + taken)
        except AuthenticationError as error:
            raise AuthenticationError(f"{self.source.name}: {error}") from None
        return count - start, end - p.plaintext_at(start)

    def work(self, cipher: SegmentCipher, task: Task) -> None:
        good = cipher.open(task.segments, task.start, task.last)
        if good < len(task.segments.each):
            raise AuthenticationError(f"{self.source.name}: {describe_damage(self.keys, task.start + good)}")

    def output(self, task: Task) -> list[memoryview]:
        bodies = task.segments.bodies
        position = self.parameters.plaintext_at(task.start)
        before = max(0, self._low - position)
        behind = 0 if self._high is None else max(0, position + task.body_bytes - self._high)
        return parts(bodies, before, behind) if before or behind else bodies

    def write_at(self, task: Task) -> int:
        return max(self._low, self.parameters.plaintext_at(task.start)) - self._low


Job = Encryption | Decryption
