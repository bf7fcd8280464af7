# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A file system of fsspec such as a store's: its files are fsspec's buffered ones, and its requests are counted."""

import hashlib
from typing import ClassVar

from fsspec.implementations.memory import MemoryFileSystem
from fsspec.spec import AbstractBufferedFile


class BufferedStore(MemoryFileSystem):
    protocol = "buffered"
    store: ClassVar[dict] = {}
    pseudo_dirs: ClassVar[list] = [""]
    requests: ClassVar[list] = []
    """(path, start, end) of each range that was read."""

    @classmethod
    def _strip_protocol(cls, path):
        return super()._strip_protocol(str(path).removeprefix("buffered://"))

    def _open(self, path, mode="rb", block_size=None, **options):
        if mode != "rb":
            return super()._open(path, mode, block_size, **options)
        return _Buffered(self, path, mode, block_size, **options)

    def cat_file(self, path, start=None, end=None, **options):
        data = self.store[self._strip_protocol(path)].getvalue()
        start, end, _ = slice(start, end).indices(len(data))
        self.requests.append((path, start, end))
        return data[start:end]

    def _tagged(self, entry):
        """Return an entry with what stores have beside the size."""
        if entry["type"] != "file":
            return entry
        data = self.store[self._strip_protocol(entry["name"])].getvalue()
        return {**entry, "ETag": hashlib.sha256(data).hexdigest()}

    def info(self, path, **options):
        return self._tagged(super().info(path, **options))

    def ls(self, path, detail=True, **options):
        found = super().ls(path, detail=detail, **options)
        return [self._tagged(each) for each in found] if detail else found

    @classmethod
    def emptied(cls):
        cls.store.clear()
        cls.pseudo_dirs[:] = [""]
        cls.requests.clear()


class _Buffered(AbstractBufferedFile):
    def _fetch_range(self, start, end):
        return self.fs.cat_file(self.path, start, end)
