# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The sizes of the plaintext of sealed files in a file system of fsspec, for listings: each is that of an end that was
verified."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from runnel.errors import AuthenticationError
from runnel.sealed.keyset import Keyset
from runnel.sealed.opening import open_sealed

from runnel_store.stores import need

_HEAD_BYTES = 1 << 16
"""Read first: the header, and all of a short file."""
_AT_ONCE = 32
"""Files whose last segments are in memory together."""
_REMEMBERED = 100_000

_Caching: Any = need("fsspec.implementations.cached", "fsspec").CachingFileSystem


class PlaintextSizes:
    """What the files of a listing hold, remembered for as long as the listing says the same of a file."""

    def __init__(self, below: Any, keyset: Keyset, aad_of: Callable[[str], bytes]) -> None:
        """below: the file system of the sealed files. aad_of: the associated data of a file; raises ValueError."""
        while isinstance(below, _Caching):  # it lists what is below it, and one of whole files would fetch them all
            below = below.fs
        self._below = below
        self._keyset = keyset
        self._aad_of = aad_of
        self._known: dict[bytes, int] = {}
        self._lock = threading.Lock()

    def of(self, entries: Sequence[dict[str, Any]]) -> list[int | None]:
        """Return the plaintext's size for each entry of a listing below. None: the file does not open, or cannot be
        read."""
        versions = [_version(each) for each in entries]
        found = dict.fromkeys(versions) | {each: self._known[each] for each in versions if each in self._known}
        left = iter(
            [_File(each, version) for each, version in zip(entries, versions, strict=True) if found[version] is None]
        )
        while batch := list(islice(left, _AT_ONCE)):
            new = dict(self._verified([file for file in batch if isinstance(file.sealed_bytes, int)]))
            found.update(new)
            self._remember(new)
        return [found[each] for each in versions]

    def forget(self) -> None:
        with self._lock:
            self._known.clear()

    def _remember(self, sizes: dict[bytes, int]) -> None:
        with self._lock:
            self._known.update(sizes)
            for oldest in list(islice(self._known, max(0, len(self._known) - _REMEMBERED))):
                del self._known[oldest]

    def _verified(self, files: list[_File]) -> Iterator[tuple[bytes, int]]:
        """Yield (version, size) of those that open. Most have one key in question, and are read once or twice."""
        wanted = [(file, 0, min(file.sealed_bytes, _HEAD_BYTES)) for file in files]
        while wanted:
            read = self._below.cat_ranges(
                [file.name for file, _, _ in wanted],
                [start for _, start, _ in wanted],
                [start + count for _, start, count in wanted],
                on_error="return",
            )
            again = []
            for (file, start, count), data in zip(wanted, read, strict=True):
                if isinstance(data, BaseException) or len(data) != count:
                    continue
                file.pieces.append((start, data))
                try:
                    opened = open_sealed(self._keyset, self._aad_of(file.name), file.name, file.read, file.sealed_bytes)
                    yield file.version, opened.size
                except _Unread as missing:
                    again.append((file, missing.position, missing.count))
                except (AuthenticationError, ValueError):
                    continue
            wanted = again


def _version(entry: dict[str, Any]) -> bytes:
    """Return what stands for a version of a file: its ETag, which listings and a file's own entry both have in most
    stores, or all that is told of it."""
    etag = entry.get("ETag") or entry.get("etag")
    told = entry if etag is None else (entry["name"], entry.get("size"), etag)
    return hashlib.sha256(repr(told).encode()).digest()


class _Unread(Exception):
    """Bytes of a file are needed that have not been read."""

    def __init__(self, position: int, count: int) -> None:
        super().__init__(position, count)
        self.position = position
        self.count = count


class _File:
    """A sealed file of which some pieces have been read."""

    def __init__(self, entry: dict[str, Any], version: bytes) -> None:
        self.name: str = entry["name"]
        self.sealed_bytes: int = entry.get("size")  # type: ignore[assignment]  # None: those are left out
        self.version = version
        self.pieces: list[tuple[int, bytes]] = []

    def read(self, position: int, count: int) -> bytes:
        """Return count bytes, fewer where the file ends. Raises _Unread."""
        count = max(0, min(count, self.sealed_bytes - position))
        for start, data in self.pieces:
            if start <= position and position + count <= start + len(data):
                return data[position - start : position - start + count]
        raise _Unread(position, count)
