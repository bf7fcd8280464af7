# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Notes of the objects of a prefix that are done: lines of its journal, each with what was read and what was made,
authenticated with the key."""

from __future__ import annotations

import hmac
import json
import os
from collections.abc import Iterable, Iterator
from typing import Any

from runnel.errors import Error
from runnel.sealed.keyset import Key, Keyset

from runnel_store.catalog import Entry
from runnel_store.fingerprints import fingerprint, key_of
from runnel_store.readers import Listed
from runnel_store.resume import Journal

_VERSION = 2


class Notes:
    """plan: what is done, in which no other work may have part. keyset: any of its keys will do that the work was begun
    with. Nobody else can add to the notes; who removes some has their objects done again."""

    def __init__(self, journal: Journal, plan: dict[str, str], keyset: Keyset, aad: bytes) -> None:
        self._journal = journal
        self._plan = plan
        self._keyset = keyset
        self._aad = aad
        self._secret = b""

    def begin(self) -> None:
        plan = {**self._plan, "begun": os.urandom(16).hex()}
        key = self._keyset.primary
        self._journal.begin(_VERSION, {**plan, "check": fingerprint(key, _text(plan), self._aad).hex()})
        self._begun(plan, key)

    def _begun(self, plan: dict[str, str], key: Key) -> None:
        self._secret = fingerprint(key, _text(plan) + b" lines", self._aad)

    def read(self) -> list[dict[str, Any]] | None:
        """Return the notes in order; None: nothing was begun. Raises Error: they are not ours."""
        lines = self._journal.read(_VERSION, done=str, check=str)
        if not lines:
            return None
        plan = {name: value for name, value in lines[0].items() if name not in ("version", "check")}
        key = key_of(self._keyset, _bytes(lines[0].get("check")), _text(plan), self._aad)
        if key is not None and plan == {**self._plan, "begun": plan.get("begun")}:
            self._begun(plan, key)
            if all(hmac.compare_digest(self._check(line), _bytes(line["check"])) for line in lines[1:]):
                return lines[1:]
        raise Error(
            f"{self._plan['target']}: a part of it was made with another key or other associated data, or "
            f"{self._journal.path} was changed; --restart starts over"
        )

    def add(self, source: Listed, etag: str, entry: Entry | None = None, listed: Entry | None = None) -> None:
        """Note that an object was made of this one, its ETag, and, where a catalog needs it, which sealed object that is and
        which version the catalog listed."""
        line = {"done": source.name, "id": [source.size, source.etag], "made": _plain(etag)}
        self._append(line if listed is None else {**line, "listed": _fields(listed)}, entry)

    def announce(self, name: str, entry: Entry, listed: Entry) -> None:
        """Note, on disk, that this version is about to replace an object. listed: the version in the catalog. Any thread may
        do so."""
        self._append({"done": name, "listed": _fields(listed)}, entry, durable=True)

    def _append(self, line: dict[str, Any], entry: Entry | None, *, durable: bool = False) -> None:
        if entry is not None:
            line["sealed"] = _fields(entry)
        self._journal.append({**line, "check": self._check(line).hex()}, durable=durable)

    def _check(self, line: dict[str, Any]) -> bytes:
        fields = {name: value for name, value in line.items() if name != "check"}
        return hmac.digest(self._secret, _text(fields), "sha256")[:16]


def still_there(lines: list[dict[str, Any]], listed: Iterable[Listed]) -> dict[str, dict[str, Any]]:
    """Return the last note of each object whose target is still what was noted, by their names."""
    notes = {line["done"]: line for line in lines}
    return {
        each.name: notes[each.name]
        for each in listed
        if each.name in notes and each.etag is not None and notes[each.name]["made"] == _plain(each.etag)
    }


def noted_entry(line: dict[str, Any]) -> Entry | None:
    """Return the sealed object that a note is about, if it says which."""
    return _entry(line["sealed"]) if "sealed" in line else None


def noted_listed(line: dict[str, Any]) -> Entry | None:
    """Return the version that the catalog listed when a note was made, if it listed one."""
    return _entry(line["listed"]) if "listed" in line else None


def announcements(lines: Iterable[dict[str, Any]]) -> Iterator[tuple[str, Entry, Entry]]:
    """Yield (name, version, the version that the catalog listed then) of what was announced."""
    for line in lines:
        if "listed" in line:
            yield line["done"], _entry(line["sealed"]), _entry(line["listed"])


def _fields(entry: Entry) -> list[Any]:
    return [entry.size, entry.header.hex()]


def _entry(fields: list[Any]) -> Entry:
    size, header = fields
    return Entry(size, bytes.fromhex(header))


def _plain(etag: str) -> str:
    """Return an ETag without quotes: not every store has them in its lists."""
    return etag.removeprefix("W/").strip('"')


def _text(fields: dict[str, Any]) -> bytes:
    return json.dumps(fields, sort_keys=True).encode()


def _bytes(text: object) -> bytes:
    try:
        return bytes.fromhex(str(text))
    except ValueError:
        return b""
