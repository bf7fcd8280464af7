# SPDX-License-Identifier: Apache-2.0 OR MIT
"""New files in a file system of fsspec, each of which appears under its name when it is complete, or not at all; and what is
written to them: sealed, perhaps compressed, perhaps as text."""

from __future__ import annotations

import errno
import io
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NoReturn

from runnel.inputs import Inputs
from runnel.output import OutputFile
from runnel.process import this_process
from runnel.sealed.formats import FileKeys
from runnel.sealed.io import SequentialSink
from runnel.sealed.open_files import CompleteOrAbsent, EncryptedWriter

from runnel_store.stores import need

if TYPE_CHECKING:
    from typing_extensions import Buffer

_NAME_CHARACTERS = 50
"""Of a file's name, in that of its temporary: 255 bytes are all that many systems take."""
_Base: Any = need("fsspec.spec", "fsspec").AbstractFileSystem


def new_file(system: Any, path: str, *, exclusive: bool) -> NewFile:
    """Open a new file in a file system, in the way in which that can commit or discard it.

    exclusive: it replaces none. Raises FileExistsError, IsADirectoryError, and what the file system raises.
    """
    kind = LocalFile if is_local(system) else HeldBackFile if _holds_back(system) else RenamedFile
    return kind(system, path, exclusive)


def is_local(below: Any) -> bool:
    local: Any = need("fsspec.implementations.local", "fsspec").LocalFileSystem
    return type(below) is local


def _holds_back(below: Any) -> bool:
    """Return whether its files, opened with autocommit=False, cannot be seen before commit(), and are gone after discard().

    All file systems take that option, and most ignore it, although their files have both methods: only known ones count.
    In S3 and Google's store a move would be a copy of everything, and a move in SMB replaces nothing.
    """
    known = {("s3fs", "S3FileSystem"), ("gcsfs", "GCSFileSystem"), ("fsspec", "SMBFileSystem")}
    return any((each.__module__.partition(".")[0], each.__name__) in known for each in type(below).__mro__)


@contextmanager
def complete_or_absent(name: str | os.PathLike[str]) -> Iterator[str]:
    """Give the name that a file of this machine is written under until the block ends; after an exception there is
    neither. A device or a pipe is written as it is."""
    place = os.path.realpath(os.fspath(name))
    if os.path.exists(place) and not os.path.isfile(place):
        yield place
        return
    folder, base = os.path.split(place)
    temporary = os.path.join(folder, f".{base[:_NAME_CHARACTERS]}.{os.urandom(8).hex()}.tmp")
    try:
        yield temporary
        os.replace(temporary, place)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


class FileBelow:
    """A new file in any file system; its kinds differ in how it gets its name."""

    def __init__(self, system: Any, path: str, place: str, exclusive: bool, **options: Any) -> None:
        """Open it. place: where it is until it has its name."""
        self.name = path
        self._system = system
        self._exclusive = exclusive
        self._check_absent()
        self._file = system.open(place, "wb", **options)

    def _check_absent(self) -> None:
        """Raise FileExistsError where a file must not be replaced; another one may still come before ours."""
        if self._exclusive and self._system.exists(self.name):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), self.name)

    def write(self, data: Buffer) -> int:
        self._file.write(bytes(data))  # some file systems take nothing else, and return no count
        return len(memoryview(data))

    def close(self) -> None:
        self._file.close()


class HeldBackFile(FileBelow):
    """One that its file system commits or discards."""

    def __init__(self, system: Any, path: str, exclusive: bool) -> None:
        super().__init__(system, path, path, exclusive, autocommit=False)

    def commit(self) -> None:
        self._check_absent()
        self._file.commit()

    def discard(self) -> None:
        self._file.discard()


class RenamedFile(FileBelow):
    """One under another name in the same folder, until it is moved to its own."""

    def __init__(self, system: Any, path: str, exclusive: bool) -> None:
        self._place = system._strip_protocol(path)
        folder, slash, name = self._place.rpartition("/")
        plain = re.sub(r"[*?\[]", "_", name[:_NAME_CHARACTERS])  # a wrapped system's mv may take them for patterns
        self._temporary = f"{folder}{slash}.{plain}.{os.urandom(8).hex()}.tmp"
        if system.isdir(self._place):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        super().__init__(system, path, self._temporary, exclusive)

    def commit(self) -> None:
        self._check_absent()
        if type(self._system).mv is _Base.mv:  # a copy, which takes * in a folder's name for a pattern too
            self._system.cp_file(self._temporary, self._place)
            self._system.rm_file(self._temporary)
        else:
            self._system.mv(self._temporary, self._place)

    def discard(self) -> None:
        with suppress(Exception):  # it may have failed to write, and does so again
            self._file.close()
        with suppress(FileNotFoundError):  # some have no file before its first bytes, or before it is closed
            self._system.rm_file(self._temporary)


class LocalFile:
    """A new file on this machine: fsspec would copy the finished one to its place, and not flush it to disk."""

    def __init__(self, system: Any, path: str, exclusive: bool) -> None:
        self.name = system._strip_protocol(path)
        if system.auto_mkdir:
            system.makedirs(os.path.dirname(self.name), exist_ok=True)
        self._output = OutputFile(self.name, inputs=Inputs(), force=not exclusive).__enter__()

    def write(self, data: Buffer) -> int:
        return os.write(self._output.fileno(), data)

    def close(self) -> None:
        """Do nothing: it stays open until it has its name."""

    def commit(self) -> None:
        self._output.commit()
        self._output.close()

    def discard(self) -> None:
        self._output.close()


NewFile = LocalFile | HeldBackFile | RenamedFile


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
            self._discarded_by_error = True
            self.discard()
            raise


class Writer(_Whole, io.RawIOBase):
    """A file that is sealed as it is written, with the attributes of fsspec's own files."""

    fs: Any
    path: str
    mode: str
    blocksize: int
    autocommit: bool
    kwargs: dict[str, Any]

    _ended = True  # as long as there is nothing to discard

    def __init__(self, file: NewFile, keys: FileKeys) -> None:
        super().__init__()
        self.name = file.name
        self._file = file
        self._process = this_process()
        only_written: Any = file
        try:
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

    def __init__(self, writer: Writer) -> None:
        super().__init__()
        self.name = writer.name
        self._writer = writer

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._writer.tell()

    def write(self, data: Buffer) -> int:
        return self._writer.write(data)


class Compressor(_Whole, io.RawIOBase):
    """Compress what is written, to a writer."""

    def __init__(self, writer: Writer, compress: Any) -> None:
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


class TextWriter(_Whole, io.TextIOWrapper):
    """Encode text that is written, to a writer, perhaps through a compressor."""

    def __init__(self, file: Any, **options: Any) -> None:
        self._file: Writer | Compressor = file
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
