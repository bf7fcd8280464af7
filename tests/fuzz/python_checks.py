# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Shared by the fuzz targets in Python: choices that are read off an input, and the form of an error."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


class Choices:
    """The rest of an input. Behind its end all choices are 0."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def left(self) -> int:
        return len(self._data) - self._at

    def number(self, count: int = 1) -> int:
        """Return a number of so many bytes."""
        part = self._data[self._at : self._at + count]
        self._at = min(len(self._data), self._at + count)
        return int.from_bytes(part.ljust(count, b"\0"), "big")

    def below(self, most: int) -> int:
        return self.number(1 if most <= 256 else 4) % most

    def bytes(self, count: int) -> bytes:
        """Random ones, from a seed of two bytes."""
        return random.Random(self.number(2)).randbytes(count)

    def text(self, count: int) -> bytes:
        """Return bytes of the input itself, at most so many."""
        part = self._data[self._at : self._at + count]
        self._at += len(part)
        return part

    def rest(self) -> bytes:
        return self.text(self.left())


def result_or_line(call: Callable[[], Result], *errors: type[Exception]) -> Result | None:
    """Return the result of call, or None where it raises one of the errors, whose text then is one line that can be
    printed. Any other exception is a finding."""
    try:
        return call()
    except errors as error:
        text = str(error)
        assert text.strip(), f"{type(error).__name__} without a text"
        assert "\n" not in text and "\r" not in text, f"more than one line: {text!r}"
        assert not any(ord(c) < 32 or 127 <= ord(c) < 160 for c in text), f"control characters: {text!r}"
        return None


def damaged(choices: Choices, data: bytes) -> bytes:
    """Damage data by some of: bytes changed, left out, put in, taken from elsewhere in it."""
    out = bytearray(data)
    for _ in range(choices.below(4)):
        how, at = choices.below(6), choices.number(2) % (len(out) + 1)
        if how == 0 and at < len(out):
            out[at] ^= 1 << choices.below(8)
        elif how == 1:
            del out[at:]
        elif how == 2:
            del out[at : at + choices.number(1)]
        elif how == 3:
            out[at:at] = choices.bytes(choices.number(1))
        elif how == 4:
            start = choices.number(2) % (len(out) + 1)
            out[at:at] = out[start : start + choices.number(1)]
        elif at < len(out):
            out[at] = choices.number(1)
    return bytes(out)
