# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The catalog of a prefix: its objects and their versions, sealed, as an object of its own beside them.

A store can neither change a catalog nor have one of another prefix taken for it. It can put back an older one, which is
noticed by its generation: see generations.py. docs/file-formats.md describes the format.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from runnel.errors import Error
from runnel.inputs import Inputs
from runnel.output import OutputFile, make_folders
from runnel.sealed.keyset import Key, Keyset

from runnel_store.errors import ChangedError
from runnel_store.opened import Opened, open_sealed
from runnel_store.parts import seal
from runnel_store.readers import LocalFile, Reader, StoredObject, reader_of
from runnel_store.uploads import put_sealed
from runnel_store.urls import Location

NAME = ".runnel-catalog"
BYTES_MAX = 1 << 30
"""Of a catalog. It is held in memory, and the store says how long it is."""
_LABEL = b"runnel catalog v1\0"
_VERSION = 1
_READ_BYTES = 4 << 20
_ENCODE = json.JSONEncoder(separators=(",", ":")).encode


class Entry(NamedTuple):
    """A version of an object. Its header has a random salt and, under authentic tags, belongs to no other version."""

    size: int
    """Of the sealed object."""
    header: bytes


@dataclass
class Catalog:
    """The objects of a prefix by their names."""

    prefix: str
    """Location.folder of the prefix that it is about."""
    generation: int = 0
    """Counts the catalogs of the prefix: 0 is none yet."""
    entries: dict[str, Entry] = field(default_factory=dict)


class Stored(NamedTuple):
    """A catalog as it was read, and the key that it is sealed with; both None: it was not read."""

    catalog: Catalog | None
    key: Key | None
    mark: str | None
    """Identifies the bytes that were there; None: there were none; empty: the store gives no ETag."""


def is_catalog(name: str) -> bool:
    """Return whether an object of this name below a prefix is a catalog: of the prefix, or of one within it."""
    return name.rpartition("/")[2] == NAME


def read(prefix: Location, keyset: Keyset, aad: bytes) -> Stored:
    """Return the catalog of a prefix. Raises AuthenticationError: not sealed as a catalog with one of these keys and this
    associated data, or damaged; Error: of another version of Runnel, or too long."""
    place = prefix.below(NAME)
    try:
        reader = reader_of(place)
    except FileNotFoundError:
        return Stored(None, None, None)
    opened = open_sealed(reader, keyset, _LABEL + aad)
    if opened.size > BYTES_MAX:
        raise Error(f"{place}: {opened.size:,} bytes, more than a catalog may have")
    catalog = _parsed(place.text, _lines(opened))
    opened.check(authenticated=True)
    return Stored(catalog, opened.key, _mark(reader))


def unread(prefix: Location) -> Stored:
    """Return what is needed to replace a catalog, whatever is in it."""
    try:
        return Stored(None, None, _mark(reader_of(prefix.below(NAME))))
    except FileNotFoundError:
        return Stored(None, None, None)


def write(prefix: Location, catalog: Catalog, keyset: Keyset, aad: bytes, replaced: Stored) -> None:
    """Seal a catalog with the primary key, as an object beside those that it lists. replaced: the one that it may replace.
    Raises ChangedError, FileExistsError: another one is there by now; Error: too many objects for one catalog."""
    place = prefix.below(NAME)
    text = bytearray()
    for line in _text(catalog):
        text += line
    if len(text) > BYTES_MAX:
        raise Error(
            f"{place}: {len(catalog.entries):,} objects are more than a catalog of {BYTES_MAX >> 30} GiB can list"
        )
    key = keyset.primary
    keys, p = key.new_file(_LABEL + aad), key.parameters
    view = memoryview(text)
    sealed = seal(keys, 0, p.segments(len(text)), len(text), lambda start, end: view[start:end], True)
    if not place.local:
        put_sealed(place, sealed, replaced.mark is not None, replaced.mark or None)
        return
    make_folders(prefix.key)
    with OutputFile(place.key, inputs=Inputs(), force=replaced.mark is not None) as out:
        out.write_all(sealed)
        if unread(prefix).mark != replaced.mark:
            raise ChangedError(f"{place}: it was changed meanwhile")
        out.commit()


def _mark(reader: Reader) -> str:
    identity = reader.identity()
    if isinstance(reader, StoredObject):
        return "" if identity is None else str(identity[1])
    assert isinstance(reader, LocalFile)
    return repr(identity)


def _text(catalog: Catalog) -> Iterator[bytes]:
    yield _head(catalog.prefix, catalog.generation, len(catalog.entries))
    for name in sorted(catalog.entries):
        yield _line(name, catalog.entries[name])


def _head(prefix: str, generation: int, objects: int) -> bytes:
    return _json({"catalog": _VERSION, "prefix": prefix, "generation": generation, "objects": objects})


def _line(name: str, entry: Entry) -> bytes:
    return _json([name, entry.size, entry.header.hex()])


def _json(value: object) -> bytes:
    return _ENCODE(value).encode() + b"\n"


def _lines(opened: Opened) -> Iterator[bytes]:
    """Yield the lines of the text with their line ends; only a piece of it is in memory at a time."""
    rest = b""
    for at in range(0, opened.size, _READ_BYTES):
        piece = rest + bytes(opened.read(at, min(at + _READ_BYTES, opened.size)))
        *lines, rest = piece.splitlines(keepends=True)
        yield from lines
    yield rest


def _parsed(name: str, lines: Iterator[bytes]) -> Catalog:
    """Return the catalog with these lines, which are authentic. Raises Error: write does not write such a text."""
    try:
        line = next(lines)
        head = json.loads(line)
        if head["catalog"] != _VERSION:
            raise Error(f"{name}: a catalog of another version of Runnel")
        prefix, generation, objects = _checked(head["prefix"], str), _checked(head["generation"], int), head["objects"]
        _same(line, _head(prefix, generation, _checked(objects, int)))
        catalog = Catalog(prefix, generation)
        last = ""
        for line in lines:
            object_name, size, header = json.loads(line)
            entry = Entry(_checked(size, int), bytes.fromhex(header))
            _same(line, _line(_checked(object_name, str), entry))
            if not last < object_name:
                raise ValueError
            catalog.entries[object_name] = entry
            last = object_name
        if generation < 1 or len(catalog.entries) != objects:
            raise ValueError
    except Error:
        raise
    except (ValueError, LookupError, TypeError, RecursionError, StopIteration):
        raise Error(f"{name}: not a catalog as this version of Runnel writes it") from None
    return catalog


def _checked(value: Any, kind: type) -> Any:
    if type(value) is not kind:  # True is an int to isinstance
        raise ValueError
    return value


def _same(line: bytes, written: bytes) -> None:
    if line != written:
        raise ValueError
