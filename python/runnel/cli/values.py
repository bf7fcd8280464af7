# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The kinds of values that options take."""

from __future__ import annotations

import codecs
import math
import os
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click

import runnel
from runnel.cli.names import find, suggestion

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_UNITS = "KMGT"
_DIGITS_MAX = 60  # Python converts thousands at most


class _Type(click.ParamType):  # type: ignore[type-arg]  # it takes one since a later click than we ask for
    """A kind of value."""


class Names(_Type):
    """A name that the shell completes, of any case; one that is not known is left to the command."""

    name = "name"

    def __init__(self, known: Callable[[], Iterable[str]]) -> None:
        self._known = known

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return find(value, self._known()) or value

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(name) for name in self._known() if name.lower().startswith(incomplete.lower())]


class KnownName(Names):
    """The same, refused with a suggestion where it is not known.

    what: "cipher". otherwise: what to say where nothing resembles it; None: the names.
    """

    def __init__(self, what: str, known: Callable[[], Iterable[str]], otherwise: str | None = None) -> None:
        super().__init__(known)
        self._what = what
        self._otherwise = otherwise

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        names = list(self._known())
        name = find(value, names)
        if name is None:
            hint = suggestion(value, names, self._otherwise or f"choose from {', '.join(names)}")
            self.fail(f"unknown {self._what} {value!r}; {hint}", param, ctx)
        return name


CIPHER = KnownName("cipher", lambda: runnel.ciphers(), "runnel ciphers lists them")
AEAD = KnownName("AEAD", lambda: runnel.aeads(), "runnel aeads lists them")
CIPHER_OR_AEAD = KnownName(
    "cipher", lambda: [*runnel.ciphers(), *runnel.aeads()], "runnel ciphers and runnel aeads list them"
)
KERNEL = Names(lambda: sorted(_kernels()))
LAYOUT = Names(lambda: dict.fromkeys(name for cipher in runnel.ciphers().values() for name in cipher.layouts))
"""The command checks whether the cipher has it."""


def _kernels() -> set[str]:
    of_ciphers = (kernel.name for cipher in runnel.ciphers().values() for kernel in cipher.kernels)
    return {*of_ciphers, *(kernel.name for aead in runnel.aeads().values() for kernel in aead.kernels)}


class FileName(_Type):
    """A file's name or -, which the shell completes."""

    name = "file"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not value:  # often a variable of a script that is not set
            self.fail("empty file name", param, ctx)
        return value

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]


class ObjectName(_Type):
    """A name that an object can be bound to."""

    name = "name"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not value:  # often a variable of a script that is not set
            self.fail("cannot bind to an empty name", param, ctx)
        return value


class KeyOrFileName(FileName):
    """A raw key in hexadecimal in its place; without a digit it is the key of no bytes, which Phelix takes."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return value


class KeyFileName(FileName):
    """The name of a keyset's file. A keyset in its place, or a raw key in hexadecimal, is never shown."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value.removeprefix(codecs.BOM_UTF8.decode()).lstrip().startswith("{") and not os.path.exists(value):
            self.fail("a keyset, not a file name", param, ctx)
        if re.fullmatch("(0x)?[0-9a-fA-F]{32,}", value) and not os.path.exists(value):
            self.fail("a raw key, not the name of a keyset file", param, ctx)
        return super().convert(value, param, ctx)


class Command(_Type):
    """A program and its arguments, run without a shell."""

    name = "command"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from runnel.cli.kms import words_of

        try:
            words_of(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)
        return value


class Recipient(_Type):
    """A recipient of age's format."""

    name = "recipient"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from runnel.sealed.age.people import recipient_in

        try:
            recipient_in(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)
        return value


class HexBytes(_Type):
    """Bytes in hexadecimal. The value never appears in an error: it may be a key."""

    name = "hex"

    def convert(self, value: str | bytes, param: click.Parameter | None, ctx: click.Context | None) -> bytes:
        try:
            return value if isinstance(value, bytes) else bytes_of_hex(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


class Size(_Type):
    """A number of bytes: 4096, 4K, 64M; K, M, G and T are powers of 1024."""

    name = "size"

    def __init__(self, maximum: int | None = None) -> None:
        self._max = maximum

    def convert(self, value: str | int, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        size = size_of(value)
        if size is None:
            self.fail(f"{value!r} is not a number of bytes, such as 4096, 4K or 64M", param, ctx)
        if self._max is not None and size > self._max:
            self.fail(f"{value!r} is more than {self._max:,} bytes", param, ctx)
        return size


class Number(click.FloatRange):
    """A number within limits. nan is below none of them."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number", param, ctx)
        return number


class Extent(_Type):
    """START:END in bytes; either may be empty."""

    name = "range"

    def convert(
        self, value: str | tuple[int, int | None], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int | None]:
        if not isinstance(value, str):
            return value
        words = value.split(":")
        sizes = [size_of(word) if word else None for word in words]
        if len(words) != 2 or any(word and size is None for word, size in zip(words, sizes)):
            self.fail("not START:END, two sizes in bytes of which either may be empty", param, ctx)
        start, end = sizes[0] or 0, sizes[1]
        if end is not None and end < start:
            self.fail("END is less than START", param, ctx)
        return start, end


def size_of(text: str) -> int | None:
    """Return the bytes that "4096", "4K" or "4KiB" stand for; None: it is no such text. A number of more than 60 digits
    counts as 10 to the 60th, which is beyond whatever there is."""
    match = re.fullmatch(rf"0*([0-9]+)(?:([{_UNITS}])(?:iB)?)?", text, re.IGNORECASE | re.ASCII)
    if match is None:
        return None
    count = int(match[1]) if len(match[1]) <= _DIGITS_MAX else 10**_DIGITS_MAX
    return count << (10 * (1 + _UNITS.index(match[2].upper())) if match[2] else 0)


def bytes_of_hex(text: str) -> bytes:
    """Return the bytes. Raises ValueError, without the text."""
    for number, character in enumerate(text, 1):
        if character not in "0123456789abcdefABCDEF":
            raise ValueError(f"character {number} is not a hexadecimal digit")
    if len(text) % 2:
        raise ValueError(f"odd number of hexadecimal digits ({len(text)})")
    return bytes.fromhex(text)
