# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The catalog of a prefix: its objects and their versions, sealed, as an object of its own beside them.

A store can neither change a catalog nor have one of another prefix taken for it. It can put back an older one, which is
noticed by its generation: see journal.py. docs/file-formats.md describes the format.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from runnel.errors import AuthenticationError, Error
from runnel.inputs import Inputs
from runnel.output import OutputFile, make_folders
from runnel.sealed.keyset import Key, Keyset

from runnel_store.executors import Options
from runnel_store.journal import Generations
from runnel_store.parts import Entry, Plaintext, encrypt_segments, open_object
from runnel_store.readers import LocalFile, Reader, StoredObject, reader_of
from runnel_store.stores import ChangedError
from runnel_store.uploads import put_sealed
from runnel_store.urls import Location

NAME = ".runnel-catalog"
BYTES_MAX = 1 << 30
"""Of a catalog. It is held in memory, and the store says how long it is."""
_LABEL = b"runnel catalog v1\0"
_VERSION = 1
_READ_BYTES = 4 << 20
_ENCODE = json.JSONEncoder(separators=(",", ":")).encode


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
    opened = open_object(reader, keyset, _LABEL + aad)
    if opened.size > BYTES_MAX:
        raise Error(f"{place}: {opened.size:,} bytes, more than a catalog may have")
    catalog = _parsed(place.text, _lines(opened))
    opened.check_unchanged()
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
    sealed = encrypt_segments(keys, 0, p.segments(len(text)), len(text), lambda start, end: view[start:end], True)
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


def _lines(opened: Plaintext) -> Iterator[bytes]:
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


# A run over a prefix: what each object has to be before it is used, and the catalog after the run

Use = Literal["check", "update", "add", "renew"]
"""check: objects have to be those of the catalog. update: and are written to it as they are after the run. add: what the run
makes is written to it; there need not have been one. renew: what the run finds is all that is in it."""
_ATTEMPTS = 5


@dataclass(frozen=True)
class Wanted:
    """Names the catalog that is accepted, and its use."""

    use: Use
    generation: int = 0
    """The least."""
    moved_from: Location | None = None
    """The prefix that the catalog is about, where all was moved or copied from there."""


class Catalogued:
    """The catalog of one run. Any thread may call expected; the rest is for one thread."""

    def __init__(self, prefix: Location, keyset: Keyset, options: Options, wanted: Wanted) -> None:
        """Read the catalog. Raises AuthenticationError: no such catalog, or one that is older than one that was seen."""
        self._prefix = prefix
        self._place = prefix.below(NAME)
        self._keyset = keyset
        self._aad = options.aad
        self._wanted = wanted
        self.checks = wanted.use in ("check", "update")
        self._generations = Generations(options.state, prefix.folder)
        self._generation_min = max(wanted.generation, self._generations.seen())
        self._stored = self._read()
        self._written: dict[str, Entry] = {}
        self._announced: dict[str, list[Entry]] = {}
        self._found: set[str] = set()
        if self.generation is not None and wanted.use != "renew":
            self._generations.remember(self.generation)

    @property
    def generation(self) -> int | None:
        """Return the generation of the catalog that was read, or that was written since; None: there is none."""
        return None if self._stored.catalog is None else self._stored.catalog.generation

    def announced(self, versions: Iterable[tuple[str, Entry, Entry]]) -> None:
        """Accept versions of objects that an earlier run, which did not finish, was about to make. versions: (name, version,
        the version that the catalog listed then). If it lists another one now, a later command has replaced the object, and
        the version that was announced is an older one."""
        for name, entry, listed in versions:
            if self.listed(name) == listed:
                self._announced.setdefault(name, []).append(entry)

    def found(self, name: str) -> None:
        """Note that the prefix has an object of this name."""
        if self.checks:
            self._found.add(name)

    def listed(self, name: str) -> Entry | None:
        """Return the version of an object that the catalog lists; None: it lists none, or is renewed whatever it lists."""
        stored = self._stored.catalog
        return None if stored is None or self._wanted.use == "renew" else stored.entries.get(name)

    def expected(self, name: str) -> frozenset[Entry] | None:
        """Return the versions that an object may have which is there already; None: any. Raises AuthenticationError: it is
        checked, and not in the catalog."""
        entry = self.listed(name)
        if entry is None:
            if not self.checks:
                return None
            raise AuthenticationError(f"{self._prefix.below(name)}: not listed in the catalog")
        return frozenset((entry, *self._announced.get(name, ())))

    def missing(self) -> Iterable[tuple[str, AuthenticationError]]:
        """Yield (name, error) of each object that the catalog lists and the prefix does not have."""
        if self.checks:
            assert self._stored.catalog is not None
            for name in self._stored.catalog.entries:
                if name not in self._found:
                    yield (name, AuthenticationError(f"{self._prefix.below(name)}: listed in the catalog, but missing"))

    def written(self, name: str, entry: Entry) -> None:
        """Note which version of an object there is after the run."""
        self._written[name] = entry

    def save(self, *, complete: bool) -> None:
        """Write the catalog, if it is to be written and has changed. complete: nothing failed, as renewing wants it.
        Raises AuthenticationError as __init__; Error, OSError."""
        if self._wanted.use == "check" or (self._wanted.use == "renew" and not complete):
            return
        for _ in range(_ATTEMPTS):
            next_catalog = self._next()
            if next_catalog is None:
                return
            try:
                write(self._prefix, next_catalog, self._keyset, self._aad, self._stored)
            except (ChangedError, FileExistsError):  # another command has written it: its objects are listed too
                self._stored = self._read()
                continue
            self._stored = Stored(next_catalog, self._keyset.primary, None)
            self._generations.remember(next_catalog.generation)
            return
        raise ChangedError(f"{self._place}: other commands keep changing it; give this command again")

    def _next(self) -> Catalog | None:
        """Return the catalog that is to be written; None: the one that is there needs no change."""
        before = self._stored.catalog
        listed = {} if before is None or self._wanted.use == "renew" else before.entries
        entries = {**listed, **self._written}
        if self._wanted.use != "renew":
            unchanged = {} if before is None else before.entries
            sealed_so = before is None or (
                self._stored.key == self._keyset.primary and before.prefix == self._prefix.folder
            )
            if entries == unchanged and sealed_so:
                return None
        return Catalog(self._prefix.folder, max(self._generation_min, self.generation or 0) + 1, entries)

    def _read(self) -> Stored:
        if self._wanted.use == "renew":
            try:
                return read(self._prefix, self._keyset, self._aad)
            except Error:  # of another key, or damaged: a new one takes its place
                return unread(self._prefix)
        stored = read(self._prefix, self._keyset, self._aad)
        if stored.catalog is None:
            if self.checks or self._generation_min:
                seen = f", and generation {self._generation_min} was seen" if self._generation_min else ""
                raise AuthenticationError(f"{self._place}: no catalog found{seen} (rotate --new-catalog writes one)")
            return stored
        prefix = (self._wanted.moved_from or self._prefix).folder
        if stored.catalog.prefix != prefix:
            raise AuthenticationError(f"{self._place}: catalog of {stored.catalog.prefix}, not of {prefix}")
        if stored.catalog.generation < self._generation_min:
            raise AuthenticationError(
                f"{self._place}: its generation is {stored.catalog.generation}, and {self._generation_min} was seen: the "
                "prefix, or its catalog, is not in its newest state"
            )
        return stored
