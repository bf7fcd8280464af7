# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sealed files for whatever takes a file system of fsspec: pandas, pyarrow, zarr. It needs pip install 'runnel[fsspec]'.

    import fsspec, runnel, runnel.fsspec

    keyset = runnel.Keyset.load("key.json")
    sealed = runnel.fsspec.SealedFileSystem(fsspec.filesystem("s3"), keyset)
    table = pandas.read_csv(sealed.open("bucket/table.csv.sealed"))
    table = pandas.read_csv("runnel::s3://bucket/table.csv.sealed", storage_options={"runnel": {"key": "key.json"}})

Names are those of the file system below, and so is all but what is in the files.
"""

from __future__ import annotations

import importlib
import io
import os
import shutil
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from functools import partial
from typing import Any

from runnel.errors import AuthenticationError
from runnel.sealed.formats import bound
from runnel.sealed.keyset import KeyPlace as KeyPlace
from runnel.sealed.keyset import Keyset
from runnel.sealed.open_files import EncryptedReader

from runnel_store.fsspec_files import Compressor, TextWriter, Writer, complete_or_absent, is_local, new_file
from runnel_store.fsspec_sizes import PlaintextSizes
from runnel_store.stores import need

BLOCK_BYTES = 1 << 20
"""Read ahead below: the last segment, which shows the end, and those that are asked for come in requests of this size."""


_LINES_BYTES = 1 << 16
_NO_PICKLE = """\
a runnel.fsspec.SealedFileSystem of a keyset cannot be pickled: its key would be in clear text; give it a \
runnel.fsspec.KeyPlace, as KeyPlace('key.json') or KeyPlace(variable='NAME')"""


def _chained() -> Any:
    """Return the class whose file systems take a path from the one below in a URL such as runnel::s3://bucket/key, which
    fsspec has from 2025.10 on."""
    base = need("fsspec.spec", "fsspec").AbstractFileSystem
    with suppress(ImportError):
        base = importlib.import_module("fsspec.implementations.chained").ChainedFileSystem
    return base


_Base: Any = _chained()
_BufferedFile: Any = need("fsspec.spec", "fsspec").AbstractBufferedFile
_NO_CALLBACK: Any = need("fsspec.callbacks", "fsspec").DEFAULT_CALLBACK


class SealedFileSystem(_Base):  # type: ignore[misc]  # it has no types
    """The plaintext of the sealed files in another file system.

    below: an instance of any file system of fsspec. keyset, aad: as for runnel.encrypt_file; or keyset is a KeyPlace, from
    which this process and those that it is sent to, by dask or Ray for instance, read it for themselves. In their place,
    for URLs and storage_options: target_protocol and target_options, which a chained URL brings, for below; key, the
    path of a keyset, or key_env, the name of a variable, for a KeyPlace.

    plaintext_sizes: info and listings tell the size of the plaintext, by the file's last segment, which is read and
    verified, once as long as the file system below tells the same of the file: a request for each file, two if it is
    longer than 64 KiB. It is None for a file that does not open, and sealed_size has the size of the sealed file. With
    False they tell that size, and nothing is read. The argument plaintext of info, ls and find decides for one call.

    bind_names: bind each file to its name below the folder root, or insist that it is bound to it, as `runnel store
    --bind-names` does; a file that stands under another name is refused with AuthenticationError. Files are then copied
    and moved by sealing them anew; what was moved in the file system below does not open. root: such as
    "bucket/prefix"; files outside of it are refused with ValueError.

    Raises TypeError: neither a keyset nor a KeyPlace; no file system below; or several of either. ValueError: bind_names
    without root, or root without bind_names. And what KeyPlace.load raises.
    """

    protocol = "runnel"
    cachable = False  # an instance holds a key
    _strip_tokenize_options = ("fo",)

    def __init__(
        self,
        below: Any = None,
        keyset: Keyset | KeyPlace | None = None,
        aad: bytes = b"",
        bind_names: bool = False,
        root: str | None = None,
        *,
        plaintext_sizes: bool = True,
        key: str | None = None,
        key_env: str | None = None,
        fs: Any = None,
        fo: str | None = None,
        target_protocol: str | None = None,
        target_options: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        if fo is not None and _Base.__name__ != "ChainedFileSystem":
            raise ValueError("a chained URL needs fsspec 2025.10 or later")
        keyset = _only_one("keyset, key and key_env", keyset, _place(path=key), _place(variable=key_env))
        self._place = keyset.absolute() if isinstance(keyset, KeyPlace) else None
        loaded = keyset.load() if isinstance(keyset, KeyPlace) else keyset
        if not isinstance(loaded, Keyset):
            raise TypeError(f"the keyset must be a runnel.Keyset or a KeyPlace, not {type(keyset).__name__}")
        self._below = below = _only_one(
            "below, fs and target_protocol", below, fs, _filesystem(target_protocol, target_options)
        )
        if below is None:
            raise TypeError("the file system of the sealed files is missing: below, or target_protocol")
        self._keyset = loaded
        self._aad = aad
        if bind_names and root is None:
            raise ValueError("bind_names needs root, the folder that names are relative to")
        if root is not None and not bind_names:
            raise ValueError("root has no effect without bind_names")
        self._root: str | None = None if root is None else below._strip_protocol(self._strip_protocol(root)).strip("/")
        self._plaintext_sizes = plaintext_sizes
        self._sizes = PlaintextSizes(below, loaded, self._aad_of)
        self._options = {**options, "bind_names": bind_names, "root": root, "plaintext_sizes": plaintext_sizes}

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what pickle keeps: where the key is, never the key."""
        if self._place is None:
            raise TypeError(_NO_PICKLE)
        return partial(type(self), **self._options), (self._below, self._place, self._aad)

    def __copy__(self) -> SealedFileSystem:
        return type(self)(self._below, self._place or self._keyset, self._aad, **self._options)

    def __deepcopy__(self, memo: dict[int, Any]) -> SealedFileSystem:
        below, options = deepcopy((self._below, self._options), memo)
        return type(self)(below, self._place or self._keyset, self._aad, **options)

    def _aad_of(self, path: str) -> bytes:
        """Return the associated data of a file. Raises ValueError: it is bound to a name, and has none below the root."""
        if self._root is None:
            return self._aad
        place = self._below._strip_protocol(path).lstrip("/")
        above = f"{self._root}/" if self._root else ""
        name = place.removeprefix(above)
        if not place.startswith(above) or any(part in ("", ".", "..") for part in name.split("/")):
            raise ValueError(
                f"{path}: not the name of a file below {self._root or '/'}, so it cannot be bound to its name"
            )
        return bound(self._aad, name)

    @classmethod
    def _strip_protocol(cls, path: Any) -> Any:
        if isinstance(path, list):
            return [cls._strip_protocol(each) for each in path]
        return os.fsdecode(path).removeprefix("runnel://")

    def open(
        self,
        path: str,
        mode: str = "rb",
        block_size: int | None = None,
        cache_options: Any = None,
        compression: str | None = None,
        **options: Any,
    ) -> Any:
        """Open as fsspec does: a file to be read, which can seek, or to be written ("xb": that does not exist yet),
        both also as text or through a compression. block_size, cache_type, cache_options: of the cache of plaintext
        of a file to be read. What is written appears when it is closed, or at the end of the transaction, and not
        after an exception: S3, SMB and Google's store hold it back until then, elsewhere it has another name in the
        same folder, .NAME.*.tmp, and is moved.

        Raises ValueError: another mode, or a compression that fsspec does not know. The end of a with block raises Error
        where a write in it failed and the program continued.
        """
        path = self._strip_protocol(path)
        packed = need("fsspec.core", "fsspec").get_compression(path, compression)
        if "r" in mode:
            return super().open(path, mode, block_size, cache_options, packed, **options)
        text = {name: options.pop(name) for name in ("encoding", "errors", "newline") if name in options}
        at_once = options.pop("autocommit", not self._intrans)
        file = self._open(path, mode.replace("t", "").replace("b", "") + "b", block_size, at_once, **options)
        if packed is not None:
            file = Compressor(file, need("fsspec.compression", "fsspec").compr[packed])
        if "b" not in mode:
            file = TextWriter(file, **text)
        if not at_once:
            self.transaction.files.append(file)
        return file

    def _open(
        self,
        path: str,
        mode: str = "rb",
        block_size: int | None = None,
        autocommit: bool = True,
        cache_options: Any = None,
        **options: Any,
    ) -> Any:
        if mode == "rb":
            options.pop("size", None)  # one that a caller has kept may be that of an earlier file
            reader = self._reader(path)
            return _Plaintext(reader, self, path, mode, block_size, autocommit, cache_options=cache_options, **options)
        if mode not in ("wb", "xb"):
            raise ValueError(f"{path}: a sealed file is opened as 'rb', 'wb' or 'xb', not {mode!r}")
        aad = self._aad_of(path)
        file = new_file(self._below, path, exclusive=mode == "xb")
        writer = Writer(file, self._keyset.primary.new_file(aad))
        # The attributes of fsspec's own files.
        writer.fs, writer.path, writer.mode, writer.kwargs = self, path, mode, options
        writer.blocksize, writer.autocommit = block_size or BLOCK_BYTES, autocommit
        return writer

    def _reader(self, path: str) -> EncryptedReader:
        """Return the plaintext of a file, which closes the file below with itself."""
        aad = self._aad_of(path)
        file = self._below.open(path, "rb", block_size=BLOCK_BYTES)  # caches on disk refuse a cache_type
        return EncryptedReader(file, self._keyset, aad, path, close=True)

    def cat_file(self, path: str, start: int | None = None, end: int | None = None, **options: Any) -> bytes:
        path = self._strip_protocol(path)
        with self._reader(path) as file:
            low, high, _ = slice(start, end).indices(file.size)
            file.seek(low)
            data = bytearray(max(0, high - low))
            file.readinto(data)
            return bytes(data)

    def cat_ranges(
        self, paths: Any, starts: Any, ends: Any, max_gap: Any = None, on_error: str = "raise", **options: Any
    ) -> Any:
        """Return the ranges as fsspec does, and raise an error unless on_error is "return": its block cache would take
        one that is returned for bytes."""
        return super().cat_ranges(paths, starts, ends, max_gap, on_error, **options)

    def get_file(
        self, rpath: str, lpath: Any = None, callback: Any = _NO_CALLBACK, outfile: Any = None, **options: Any
    ) -> None:
        """Copy a file to this machine, complete or not at all: fsspec's caches of whole files take what is there."""
        if outfile is not None or hasattr(lpath, "write") or self.isdir(rpath):
            super().get_file(rpath, lpath, callback, outfile, **options)
        else:
            with complete_or_absent(lpath) as place:
                super().get_file(rpath, place, callback, **options)

    def info(self, path: str, plaintext: bool | None = None, **options: Any) -> Any:
        """Return what the file system below tells of a file, with the plaintext's size where plaintext_sizes says so.
        plaintext=True: raise AuthenticationError where there is none."""
        path = self._strip_protocol(path)
        [found] = self._told([self._below.info(path)], plaintext)
        if plaintext and "sealed_size" in found and found["size"] is None:
            with self._reader(path) as file:
                found["size"] = file.size
        return found

    def _told(self, entries: Sequence[dict[str, Any]], plaintext: bool | None) -> list[dict[str, Any]]:
        """Return the entries of a listing below, with the plaintext's sizes where these are wanted."""
        told = [dict(each) for each in entries]  # the file system below may keep its own
        if self._plaintext_sizes if plaintext is None else plaintext:
            files = [each for each in told if self._is_file(each)]
            for each, size in zip(files, self._sizes.of(files), strict=True):
                each["sealed_size"], each["size"] = each.get("size"), size
        return told

    def _is_file(self, entry: dict[str, Any]) -> bool:
        """Return whether there is a file, perhaps where a link leads: a pipe would wait for a writer."""
        is_link = entry.get("type") == "link" or entry.get("islink")
        return entry.get("type") == "file" or bool(is_link and self._below.isfile(entry["name"]))

    def size(self, path: str) -> int:
        """Return the size of the plaintext. Raises AuthenticationError."""
        size: int = self.info(path, plaintext=True)["size"]
        return size

    def ls(self, path: str, detail: bool = True, plaintext: bool | None = None, **options: Any) -> Any:
        found = self._below.ls(self._strip_protocol(path), detail=detail)
        return self._told(found, plaintext) if detail else found

    # fsspec's own list with details also where names are asked for, whose files are then not read.

    def walk(self, path: str, maxdepth: int | None = None, *, detail: bool = False, **options: Any) -> Iterator[Any]:
        walked: Iterator[Any] = super().walk(path, maxdepth, detail=detail, **_names_only(detail, options))
        return walked

    def find(
        self, path: str, maxdepth: int | None = None, withdirs: bool = False, detail: bool = False, **options: Any
    ) -> Any:
        return super().find(path, maxdepth, withdirs, detail, **_names_only(detail, options))

    def glob(self, path: str, maxdepth: int | None = None, *, detail: bool = False, **options: Any) -> Any:
        return super().glob(path, maxdepth, detail=detail, **_names_only(detail, options))

    def du(
        self, path: str, total: bool = True, maxdepth: int | None = None, withdirs: bool = False, **options: Any
    ) -> Any:
        """Return the bytes of plaintext below a path. Raises AuthenticationError: a file does not open."""
        found = self.find(path, maxdepth, withdirs, detail=True, plaintext=True, **options)
        sizes = {name: each["size"] if "size" in each else self.size(name) for name, each in found.items()}
        for name, size in sizes.items():
            if size is None and "sealed_size" in found[name]:
                raise AuthenticationError(f"{name}: does not open, so that the size of its plaintext is not known")
        return sum(size or 0 for size in sizes.values()) if total else sizes

    def exists(self, path: str, **options: Any) -> bool:
        there: bool = self._below.exists(self._strip_protocol(path))
        return there

    def isfile(self, path: str) -> bool:
        there: bool = self._below.isfile(self._strip_protocol(path))
        return there

    def isdir(self, path: str) -> bool:
        there: bool = self._below.isdir(self._strip_protocol(path))
        return there

    def ukey(self, path: str) -> Any:
        return self._below.ukey(self._strip_protocol(path))

    def checksum(self, path: str) -> Any:
        return self._below.checksum(self._strip_protocol(path))

    def _rm(self, path: str) -> None:
        self._below.rm_file(self._strip_protocol(path))

    def rm(self, path: Any, recursive: bool = False, maxdepth: int | None = None) -> None:
        self._below.rm(self._strip_protocol(path), recursive=recursive, maxdepth=maxdepth)

    def mkdir(self, path: str, create_parents: bool = True, **options: Any) -> None:
        self._below.mkdir(self._strip_protocol(path), create_parents=create_parents)

    def makedirs(self, path: str, exist_ok: bool = False) -> None:
        self._below.makedirs(self._strip_protocol(path), exist_ok=exist_ok)

    def rmdir(self, path: str) -> None:
        self._below.rmdir(self._strip_protocol(path))

    def cp_file(self, path1: str, path2: str, **options: Any) -> None:
        path1, path2 = self._strip_protocol(path1), self._strip_protocol(path2)
        if self._is_same(path1, path2):  # mv would remove it next
            raise shutil.SameFileError(f"{path1!r} and {path2!r} are the same file")
        if self._root is None or self._below.isdir(path1):
            self._below.cp_file(path1, path2)
            return
        with self._open(path1) as source, self._open(path2, "wb") as target:
            shutil.copyfileobj(source, target, BLOCK_BYTES)

    def _is_same(self, path1: str, path2: str) -> bool:
        """Return whether two paths are spellings of one, or on this machine names of one file."""
        if self._place_of(path1) == self._place_of(path2):
            return True
        with suppress(OSError):
            return is_local(self._below) and os.path.samefile(*map(self._below._strip_protocol, (path1, path2)))
        return False

    def _place_of(self, path: str) -> str:
        place: str = self._below._strip_protocol(self._strip_protocol(path)).strip("/")
        return place

    def mv(self, path1: str, path2: str, recursive: bool = False, maxdepth: int | None = None, **options: Any) -> None:
        """Move a file or, recursive, a folder. Raises ValueError: the target is within the folder, which is then removed
        with all copies; SameFileError: the target is a link to the file, or another name of it."""
        source, target = self._place_of(path1), self._place_of(path2)
        if source == target:
            return
        if target.startswith(f"{source}/" if source else ""):
            raise ValueError(f"{path1}: cannot be moved into itself, to {path2}")
        super().mv(path1, path2, recursive=recursive, maxdepth=maxdepth, **options)

    def invalidate_cache(self, path: str | None = None) -> None:
        self._sizes.forget()
        self._below.invalidate_cache(None if path is None else self._strip_protocol(path))

    def created(self, path: str) -> Any:
        return self._below.created(self._strip_protocol(path))

    def modified(self, path: str) -> Any:
        return self._below.modified(self._strip_protocol(path))


def _place(**where: str | None) -> KeyPlace | None:
    return KeyPlace(**where) if any(each is not None for each in where.values()) else None


def _filesystem(protocol: str | None, options: dict[str, Any] | None) -> Any:
    return None if protocol is None else need("fsspec", "fsspec").filesystem(protocol, **(options or {}))


def _only_one(what: str, *given: Any) -> Any:
    """Return the one that is given, or None. Raises TypeError: several are."""
    [*found] = (each for each in given if each is not None)
    if len(found) > 1:
        raise TypeError(f"more than one is given of {what}")
    return found[0] if found else None


def _names_only(detail: bool, options: dict[str, Any]) -> dict[str, Any]:
    return options if detail else {"plaintext": False, **options}


class _Plaintext(_BufferedFile):  # type: ignore[misc]  # it has no types
    """A file that is read, of fsspec's own kind, with a cache of plaintext that the caller chooses or replaces."""

    DEFAULT_BLOCK_SIZE = BLOCK_BYTES
    loc: int
    _details: dict[str, Any] | None = None
    _lines = io.BytesIO()
    """The bytes after the last line that was read; the cache has them too."""
    _lines_at = -1
    """Where that is."""

    def __init__(self, reader: EncryptedReader, *arguments: Any, **options: Any) -> None:
        self._reader = reader
        self._one_at_a_time = threading.Lock()  # some caches fetch in a thread of their own
        try:
            super().__init__(*arguments, size=reader.size, **options)
        except BaseException:
            reader.close()
            raise

    @property
    def details(self) -> Any:
        """Return what the file system below tells, with the size of the plaintext."""
        if self._details is None:
            found = self.fs.info(self.path, plaintext=False)
            self._details = {**found, "sealed_size": found.get("size"), "size": self.size}
        return self._details

    def _fetch_range(self, start: int, end: int) -> bytes:
        data = bytearray(max(0, min(end, self.size) - start))
        with self._one_at_a_time:
            self._reader.seek(start)
            self._reader.readinto(data)
        return bytes(data)

    def read(self, length: int = -1) -> bytes:
        try:
            data: bytes = super().read(length)
        except BaseException:
            # fsspec's mmap cache, which its blockcache gives a file, counts blocks as there before they are: their place
            # is full of zeros.
            if isinstance(blocks := getattr(self.cache, "blocks", None), set):
                blocks.clear()
            raise
        return data

    def readline(self, size: int | None = -1) -> bytes:
        """Read to the end of the line, at most size bytes. fsspec's own reads a whole block for each line."""
        limit = -1 if size is None or size < 0 else size
        if self._lines_at != self.loc:
            self._lines = io.BytesIO()
        line = self._lines.readline(limit)
        if not line.endswith(b"\n") and len(line) != limit:
            line = self._rest_of_line(line, limit)
        self.loc = self._lines_at = self.loc + len(line)
        return line

    def _rest_of_line(self, line: bytes, limit: int) -> bytes:
        """Return the line that begins here; line: what was ahead of it. The position stays."""
        pieces, start, count = [line], self.loc, len(line)
        while count != limit and not pieces[-1].endswith(b"\n"):
            self.loc = start + count
            self._lines = io.BytesIO(self.read(_LINES_BYTES))
            pieces.append(self._lines.readline(limit if limit < 0 else limit - count))
            if not pieces[-1]:
                break
            count += len(pieces[-1])
        self.loc = start
        return b"".join(pieces)

    def readlines(self, hint: int | None = -1) -> list[bytes]:
        return io.IOBase.readlines(self, -1 if hint is None else hint)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what pickle keeps: a copy opens the file again. Old versions of fsspec have nothing for this."""
        cache_type = self.cache.name if self.cache else "none"
        return _reopened, (self.fs, self.path, self.blocksize, cache_type, self.tell(), self.kwargs)

    def close(self) -> None:
        super().close()
        self._lines_at = -1
        self._reader.close()


def _reopened(
    system: SealedFileSystem, path: str, blocksize: int, cache_type: str, at: int, options: Any
) -> _Plaintext:
    file: _Plaintext = system.open(path, block_size=blocksize, cache_type=cache_type, **options)
    file.seek(at)
    return file
