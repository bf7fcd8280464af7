# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sealed files for whatever takes a file system of fsspec: pandas, pyarrow, zarr. It needs pip install 'runnel[fsspec]'.

    import fsspec, runnel, runnel.fsspec

    keyset = runnel.Keyset.load("key.json")
    sealed = runnel.fsspec.SealedFileSystem(fsspec.filesystem("s3"), keyset)
    table = pandas.read_csv(sealed.open("bucket/table.csv.sealed"))

Names are those of the file system below, and so is all but what is in the files.
"""

from __future__ import annotations

import io
import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from copy import deepcopy
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

from runnel.process import this_process
from runnel.sealed.binding import bound
from runnel.sealed.io import SequentialSink
from runnel.sealed.keyset import Keyset
from runnel.sealed.lock import unlocked
from runnel.sealed.place import KeyPlace as KeyPlace
from runnel.sealed.reader import EncryptedReader
from runnel.sealed.writer import CompleteOrAbsent, EncryptedWriter

from runnel_store.fsspec_files import NewFile, is_local, new_file
from runnel_store.needs import need

if TYPE_CHECKING:
    from typing_extensions import Buffer

BLOCK_BYTES = 1 << 20
"""Read ahead below: the last segment, which shows the end, and those that are asked for come in requests of this size."""


_LINES_BYTES = 1 << 16
_NO_PICKLE = """\
a runnel.fsspec.SealedFileSystem of a keyset cannot be pickled: its key would be in clear text; give it a \
runnel.fsspec.KeyPlace, as KeyPlace('key.json') or KeyPlace(variable='NAME')"""


_Base: Any = need("fsspec.spec", "fsspec").AbstractFileSystem
_BufferedFile: Any = need("fsspec.spec", "fsspec").AbstractBufferedFile


class SealedFileSystem(_Base):  # type: ignore[misc]  # it has no types
    """The plaintext of the sealed files in another file system.

    below: an instance of any file system of fsspec. keyset, aad: as for runnel.encrypt_file; or keyset is a KeyPlace, from
    which this process and those that it is sent to, by dask or Ray for instance, read it for themselves. info and ls tell
    the sizes of the sealed files; info(path, plaintext=True) opens the file and tells the plaintext's.

    bind_names: bind each file to its name below the folder root, or insist that it is bound to it, as `runnel store
    --bind-names` does; a file that stands under another name is refused with AuthenticationError. Files are then copied
    and moved by sealing them anew; what was moved in the file system below does not open. root: such as
    "bucket/prefix"; files outside of it are refused with ValueError.

    Raises TypeError: neither a keyset nor a KeyPlace. ValueError: bind_names without root, or root without bind_names. And
    what KeyPlace.load raises.
    """

    protocol = "runnel"
    cachable = False  # an instance holds a key

    def __init__(
        self,
        below: Any,
        keyset: Keyset | KeyPlace,
        aad: bytes = b"",
        bind_names: bool = False,
        root: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self._place = keyset.absolute() if isinstance(keyset, KeyPlace) else None
        loaded = keyset.load() if isinstance(keyset, KeyPlace) else keyset
        if not isinstance(loaded, Keyset):
            raise TypeError(f"the keyset must be a runnel.Keyset or a KeyPlace, not {type(keyset).__name__}")
        self._below = below
        self._keyset = loaded
        self._aad = aad
        if bind_names and root is None:
            raise ValueError("bind_names needs root, the folder that names are relative to")
        if root is not None and not bind_names:
            raise ValueError("root has no effect without bind_names")
        self._root: str | None = None if root is None else below._strip_protocol(self._strip_protocol(root)).strip("/")
        self._options = {**options, "bind_names": bind_names, "root": root}

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
            file = _Compressor(file, need("fsspec.compression", "fsspec").compr[packed])
        if "b" not in mode:
            file = _Text(file, **text)
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
            reader = _Reader(self._below, path, self._keyset, self._aad_of(path))
            return _Plaintext(reader, self, path, mode, block_size, autocommit, cache_options=cache_options, **options)
        if mode not in ("wb", "xb"):
            raise ValueError(f"{path}: a sealed file is opened as 'rb', 'wb' or 'xb', not {mode!r}")
        aad = self._aad_of(path)
        file = new_file(self._below, path, exclusive=mode == "xb")
        return _Writer(file, self, aad, path, mode, block_size or BLOCK_BYTES, autocommit, options)

    def cat_file(self, path: str, start: int | None = None, end: int | None = None, **options: Any) -> bytes:
        path = self._strip_protocol(path)
        with _Reader(self._below, path, self._keyset, self._aad_of(path)) as file:
            low, high, _ = slice(start, end).indices(file.size)
            file.seek(low)
            data = bytearray(max(0, high - low))
            file.readinto(data)
            return bytes(data)

    def info(self, path: str, plaintext: bool = False, **options: Any) -> Any:
        path = self._strip_protocol(path)
        found = dict(self._below.info(path))
        if plaintext and found.get("type") == "file":
            with _Reader(self._below, path, self._keyset, self._aad_of(path)) as file:
                found["size"] = file.size
        return found

    def size(self, path: str) -> int:
        """Return the size of the plaintext."""
        size: int = self.info(path, plaintext=True)["size"]
        return size

    def ls(self, path: str, detail: bool = True, **options: Any) -> Any:
        return self._below.ls(self._strip_protocol(path), detail=detail)

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
        self._below.invalidate_cache(None if path is None else self._strip_protocol(path))

    def created(self, path: str) -> Any:
        return self._below.created(self._strip_protocol(path))

    def modified(self, path: str) -> Any:
        return self._below.modified(self._strip_protocol(path))


class _Plaintext(_BufferedFile):  # type: ignore[misc]  # it has no types
    """A file that is read, of fsspec's own kind, with a cache of plaintext that the caller chooses or replaces."""

    DEFAULT_BLOCK_SIZE = BLOCK_BYTES
    loc: int
    _details: dict[str, Any] | None = None
    _lines = io.BytesIO()
    """The bytes after the last line that was read; the cache has them too."""
    _lines_at = -1
    """Where that is."""

    def __init__(self, reader: _Reader, *arguments: Any, **options: Any) -> None:
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
            self._details = {**self.fs.info(self.path), "size": self.size}
        return self._details

    def _fetch_range(self, start: int, end: int) -> bytes:
        data = bytearray(max(0, min(end, self.size) - start))
        with self._one_at_a_time:
            self._reader.seek(start)
            self._reader.readinto(data)
        return bytes(data)

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


class _Reader(io.RawIOBase):
    """The plaintext, and the file below it, which it closes."""

    def __init__(self, below: Any, path: str, keyset: Keyset, aad: bytes) -> None:
        super().__init__()
        self._file = below.open(path, "rb", block_size=BLOCK_BYTES, cache_type="readahead")
        try:
            self._plain = EncryptedReader(self._file, aad, path, False, partial(unlocked, keyset))
        except BaseException:
            self._file.close()
            raise
        self.size = self._plain.size

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._plain.tell()

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._plain.seek(offset, whence)

    def readinto(self, buffer: Buffer) -> int:
        return self._plain.readinto(buffer)

    def close(self) -> None:
        if not self.closed:
            self._plain.close()
            self._file.close()
        super().close()


class _Whole(CompleteOrAbsent):
    """A new file, complete or absent: committed when it is closed, or by fsspec when a transaction ends, and discarded
    after an error."""

    def __del__(self: Any) -> None:
        """Discard an unfinished file; io's own would close it."""
        self.discard()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a file that is being written cannot be copied or pickled: its copy would finish it")

    @contextmanager
    def _discarding(self: Any) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self._given_up = True
            self.discard()
            raise


class _Writer(_Whole, io.RawIOBase):
    """A file that is sealed as it is written, with the attributes of fsspec's own files."""

    _ended = True  # as long as there is nothing to discard

    def __init__(
        self,
        file: NewFile,
        fs: SealedFileSystem,
        aad: bytes,
        path: str,
        mode: str,
        blocksize: int,
        autocommit: bool,
        kwargs: dict[str, Any],
    ) -> None:
        super().__init__()
        self.name = file.name
        self.fs = fs
        self.path = path
        self.mode = mode
        self.blocksize = blocksize
        self.autocommit = autocommit
        self.kwargs = kwargs
        self._file = file
        self._process = this_process()
        only_written: Any = file
        try:
            keys = fs._keyset.primary.new_file(aad)
            self._sealed = EncryptedWriter(keys, SequentialSink(only_written, self.name), None)
        except BaseException:
            file.discard()
            raise
        self._ended = False

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._sealed.tell()

    @property
    def loc(self) -> int:
        return self.tell()

    @property
    def full_name(self) -> str:
        name: str = self.fs.unstrip_protocol(self.path)
        return name

    def info(self) -> NoReturn:
        raise ValueError(f"{self.name}: a file that is being written has no metadata")

    def write(self, data: Buffer) -> int:
        with self._discarding():
            return self._sealed.write(data)

    def close(self) -> None:
        if self.closed:
            return
        super().close()
        with self._discarding():
            self._sealed.close()
            self._file.close()
        if self.autocommit:
            self.commit()

    def commit(self) -> None:
        """Give the file its name, unless it was discarded."""
        self.close()
        if not self._ended:
            with self._discarding():
                self._file.commit()
            self._ended = True

    def discard(self) -> None:
        """Close the file without its final name: what was written is gone. Another process leaves it to the one that
        opened it."""
        if not self._ended:
            self._ended = True
            super().close()
            self._sealed.discard()
            if this_process() == self._process:
                self._file.discard()


class _LeftOpen(io.RawIOBase):
    """A writer for a compressor. Some close what they write to, also when it is to be discarded."""

    def __init__(self, writer: _Writer) -> None:
        super().__init__()
        self.name = writer.name
        self._writer = writer

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._writer.tell()

    def write(self, data: Buffer) -> int:
        return self._writer.write(data)


class _Compressor(_Whole, io.RawIOBase):
    """Compress what is written, to a writer."""

    def __init__(self, writer: _Writer, compress: Any) -> None:
        super().__init__()
        self.name = writer.name
        self._writer = writer
        self._file = compress(_LeftOpen(writer), mode="w")

    def writable(self) -> bool:
        return True

    def write(self, data: Buffer) -> int:
        with self._discarding():
            self._file.write(data)
        return memoryview(data).nbytes

    def close(self) -> None:
        if self.closed:
            return
        super().close()
        with self._discarding():
            self._file.close()
            self._writer.close()

    def commit(self) -> None:
        self.close()
        self._writer.commit()

    def discard(self) -> None:
        super().close()
        with suppress(Exception):  # of a compressor that has a rest to write, and can not
            self._file.close()
        self._writer.discard()


class _Text(_Whole, io.TextIOWrapper):
    """Encode text that is written, to a writer, perhaps through a compressor."""

    def __init__(self, file: Any, **options: Any) -> None:
        self._file: _Writer | _Compressor = file
        super().__init__(file, **options)

    def write(self, text: str) -> int:
        with self._discarding():
            return super().write(text)

    def flush(self) -> None:
        if self.closed:  # which is an error, and no reason to give up what is complete
            super().flush()
        with self._discarding():
            super().flush()

    def commit(self) -> None:
        self.close()
        self._file.commit()

    def discard(self) -> None:
        self._file.discard()
