# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Encrypted files and streams: what the package exports, and how a whole source, or a range of it, gets to a sink."""

from __future__ import annotations

import contextlib
import io
import operator
import os
from collections.abc import Iterator

from runnel._typing import TYPE_CHECKING, overload
from runnel.errors import AuthenticationError, Error
from runnel.imports import imported
from runnel.inputs import Inputs, PathLike
from runnel.output import OutputFile
from runnel.sealed.engine import Progress, Run, Task, Transform
from runnel.sealed.formats import FileKeys, SegmentCipher, Segments, describe_damage
from runnel.sealed.io import (
    PositionalSink,
    PositionalSource,
    SequentialSink,
    SequentialSource,
    Sink,
    Source,
    parts,
    refuse_same_file,
    source_of,
)
from runnel.sealed.opening import (
    keys_of_file,
    keys_of_stream,
    keyset_for_new_file,
    open_sealed,
    sink_through,
    source_in,
)

if TYPE_CHECKING:
    from typing import BinaryIO, Literal

    from typing_extensions import Buffer

    from runnel.sealed.keyset import Keys
    from runnel.sealed.open_files import EncryptedReader, EncryptedWriter
    from runnel.sealed.opening import Lock


@contextlib.contextmanager
def _between(source: PathLike, target: PathLike, force: bool) -> Iterator[tuple[Source, PositionalSink]]:
    """Yield the file source, and the new file target, which is complete when the body succeeds."""
    inputs = Inputs()
    with inputs.open(source) as reader, OutputFile(target, inputs=inputs, force=force) as out:
        yield source_of(reader, os.fsdecode(source)), PositionalSink(out.fileno(), out.name)
        out.commit()


def encrypt_file(
    source: PathLike,
    target: PathLike,
    keyset: Lock,
    *,
    aad: Buffer = b"",
    force: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Encrypt the file source into the file target with the primary key of the keyset, in that key's format.

    keyset: a Keyset, or a Passphrase: then the file gets a new key, locked with the passphrase and stored in front of it.
    aad: associated data, any C-contiguous buffer; it is not stored, but decryption needs it. force: replace an existing
    target. threads: the number of threads, from 1 to 16; None: one for each processor that this process may use.
    progress: called with the number of plaintext bytes processed since the last call.

    All processors work on the segments. Memory depends on the segment size and the number of threads, not on the file:
    below 100 MiB with the keys that Keyset.generate makes.

    Raises FileExistsError, other OSErrors, ValueError (source and target are one file; no such number of threads),
    TypeError (a keyset that is neither, associated data that is no buffer), Error. The target is
    complete or absent; complete also after the OSError that says that it is in place but its folder could not be
    flushed to disk.

        >>> keyset = runnel.Keyset.generate()
        >>> runnel.encrypt_file("photos.tar", "photos.sealed", keyset, aad=b"for Ann")
    """
    with _between(source, target, force) as (origin, sink):
        Job(keyset, origin, sink, aad=aad, threads=threads, progress=progress).encrypt()


def decrypt_file(
    source: PathLike,
    target: PathLike,
    keyset: Lock,
    *,
    aad: Buffer = b"",
    start: int = 0,
    end: int | None = None,
    force: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Decrypt the file source into the file target with the matching key of the keyset.

    keyset: a Keyset, or the Passphrase that the file was encrypted with. start, end: decrypt only this range of the
    plaintext, in bytes, end exclusive. A range needs a seekable source; its segments and the file's last one are
    verified, and an end beyond the plaintext means its end. The other arguments are those of encrypt_file.

    Raises AuthenticationError (wrong key or associated data, changed, cut or extended), and as encrypt_file. The
    target is complete and verified, or absent; see encrypt_file. In Tink's formats a last segment without plaintext
    after a full one, which no writer makes, is accepted as Tink does.

        >>> keyset = runnel.Keyset.generate()
        >>> runnel.encrypt_file("photos.tar", "all.sealed", keyset)
        >>> runnel.decrypt_file("all.sealed", "part", keyset, start=1000, end=2000)
    """
    with _between(source, target, force) as (origin, sink):
        Job(keyset, origin, sink, aad=aad, threads=threads, progress=progress).decrypt(start, end)


def encrypt_stream(
    source: BinaryIO, target: BinaryIO, keyset: Lock, *, aad: Buffer = b"", threads: int | None = None
) -> None:
    """Encrypt the binary file source, up to its end, and write the result to target, which must be another file.

    Neither is closed. source needs readinto or read, and target needs write, which must return the number of bytes
    written; a method that returns None is not called again. After a failure the output lacks its last segment and does
    not decrypt. See encrypt_file.
    """
    ends = SequentialSource(source, "input"), SequentialSink(target, "output")
    Job(keyset, *ends, aad=aad, threads=threads).encrypt()


def decrypt_stream(
    source: BinaryIO, target: BinaryIO, keyset: Lock, *, aad: Buffer = b"", threads: int | None = None
) -> None:
    """Decrypt the binary file source, up to its end, and write the result to target, which must be another file.

    Only verified segments are written to target: at once if source is unbuffered (io.FileIO), otherwise when more has
    been read. Whether any segment is missing is known only when this returns, so do not act on the output before.
    Neither file is closed. See encrypt_stream and decrypt_file.
    """
    ends = SequentialSource(source, "input"), SequentialSink(target, "output")
    Job(keyset, *ends, aad=aad, threads=threads).decrypt()


@overload
def open_encrypted(
    file: PathLike | BinaryIO, mode: Literal["rb"], keyset: Lock, *, aad: Buffer = b""
) -> EncryptedReader: ...
@overload
def open_encrypted(
    file: PathLike | BinaryIO, mode: Literal["wb"], keyset: Lock, *, aad: Buffer = b"", force: bool = False
) -> EncryptedWriter: ...
def open_encrypted(
    file: PathLike | BinaryIO, mode: str, keyset: Lock, *, aad: Buffer = b"", force: bool = False
) -> EncryptedReader | EncryptedWriter:
    """Open an encrypted file, to read any part of its plaintext ("rb") or to write it from the start ("wb").

    file: a path, or an open binary file, which is not closed; for "rb" it must be seekable and have readinto or read.
    aad: associated data; see encrypt_file. force: replace an existing file; only for "wb" with a path.

    The reader verifies the file's end when it opens the file, and each segment before it releases any byte of it. The
    writer gives the file its name when it is closed; if the with block fails, no file is left.

    Raises AuthenticationError, OSError, ValueError (another mode), TypeError (as encrypt_file; no path and no such file).

        >>> keyset = runnel.Keyset.generate()
        >>> with runnel.open_encrypted("log.sealed", "wb", keyset) as log:
        ...     written = log.write(b"first line\\n") + log.write(b"second line\\n")
        >>> with runnel.open_encrypted("log.sealed", "rb", keyset) as log:
        ...     (log.seek(6), log.read(4))
        (6, b'line')
    """
    if mode == "rb":
        # Imported here: decrypt_file and the command have no use for it.
        reader: type[EncryptedReader] = imported("runnel.sealed.open_files").EncryptedReader
        if isinstance(file, (str, bytes, os.PathLike)):
            return reader(open(file, "rb", buffering=0), keyset, aad, os.fsdecode(file), close=True)
        return reader(file, keyset, aad, str(getattr(file, "name", "input")))
    if mode != "wb":
        raise ValueError(f"the mode is 'rb' or 'wb', not {mode!r}")
    if not isinstance(file, (str, bytes, os.PathLike)):
        return _writer(keyset, aad, SequentialSink(file, str(getattr(file, "name", "output"))), None)
    with contextlib.ExitStack() as unfinished:
        output = unfinished.enter_context(OutputFile(file, inputs=Inputs(), force=force))
        sink = SequentialSink(io.FileIO(output.fileno(), "wb", closefd=False), output.name)
        writer = _writer(keyset, aad, sink, output)
        unfinished.pop_all()  # now the writer's
        return writer


def _writer(lock: Lock, aad: Buffer, sink: SequentialSink, output: OutputFile | None) -> EncryptedWriter:
    keyset, preface = keyset_for_new_file(lock)
    keys = keyset.primary.new_file(aad)
    through = sink_through(lock, sink)
    assert isinstance(through, SequentialSink)
    through.write_preface(preface)
    writer: type[EncryptedWriter] = imported("runnel.sealed.open_files").EncryptedWriter
    return writer(keys, through, output)


# From a source to a sink

_GROWING = "from a pipe it is read to its end, as by cat FILE | runnel encrypt - OUT, and by encrypt_stream in Python"


class Job:
    """A source that is encrypted or decrypted to a sink. lock: a keyset or a passphrase; the rest as for encrypt_file."""

    def __init__(
        self,
        lock: Lock,
        source: Source,
        sink: Sink,
        *,
        aad: Buffer = b"",
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        refuse_same_file(source, sink)
        self._lock = lock
        self._source = source
        self._sink = sink
        self._aad = aad
        self._threads = threads
        self._progress = progress

    def encrypt(self, keys: FileKeys | None = None) -> None:
        """Encrypt with the keyset's primary key; keys are the file's, when they are not to be new. See
        runnel.encrypt_file."""
        keyset, preface = keyset_for_new_file(self._lock)
        keys = keys or keyset.primary.new_file(self._aad)
        sink = sink_through(self._lock, self._sink)
        run = self._run(Encryption(keys, self._source, sink))
        sink.write_preface(preface)
        header = [memoryview(keys.header)]
        if isinstance(sink, PositionalSink):
            sink.write_at(header, 0)
        else:
            sink.write(header)
        if isinstance(self._source, PositionalSource):
            count = keys.parameters.segments(self._source.bytes)
            run.positional(0, count, count, self._source.bytes)
            self._source.check_unchanged(_GROWING)
        else:
            run.sequential()
        sink.finish()

    def decrypt(self, start: int = 0, end: int | None = None) -> None:
        """Decrypt, or the range from start to end of the plaintext. See runnel.decrypt_file."""
        source = source_in(self._lock, self._source)
        start, end = operator.index(start), None if end is None else operator.index(end)
        if start < 0 or (end is not None and end < start):
            raise ValueError("a range begins at 0 or later and does not end before it begins")
        if not isinstance(source, PositionalSource) and (start or end is not None):
            raise Error(f"{source.name}: a range needs a seekable file")
        if isinstance(self._sink, PositionalSink):
            self._sink.leave_holes()
        keyset, before = keys_of_file(self._lock, source.name, source.peek)
        source.skip(before)
        if isinstance(source, PositionalSource):
            self._decrypt_range(keyset, source, start, end)
        else:
            keys = keys_of_stream(keyset, self._aad, source.name, source.peek)
            source.skip(len(keys.header))
            self._run(Decryption(keys, source, self._sink, 0, None)).sequential()
        self._sink.finish()

    def _decrypt_range(self, keyset: Keys, source: PositionalSource, start: int, end: int | None) -> None:
        """Decrypt the segments that hold the range; Decryption writes what of them is in it."""
        whole = start == 0 and end is None
        opened = open_sealed(keyset, self._aad, source.name, source.peek, source.bytes, verify_end=not whole)
        if start > opened.size:
            raise Error(f"{source.name}: the range begins at {start}, beyond the {opened.size} bytes of plaintext")
        end = opened.size if end is None else min(end, opened.size)
        # An empty range has no segments: the end of the file has been verified already.
        first, after = (0, opened.segments) if whole else opened.segments_in(start, end)
        run = self._run(Decryption(opened.keys, source, self._sink, start, end))
        run.positional(first, after, opened.segments, opened.size)
        source.check_unchanged("it is decrypted when it is complete")

    def _run(self, transform: Transform) -> Run:
        return Run(transform, self._threads, self._progress)


class Encryption:
    """What the engine reads, does and writes for a task of an encryption."""

    def __init__(self, keys: FileKeys, source: Source, sink: Sink) -> None:
        self.keys = keys
        self.parameters = keys.parameters
        self.source = source
        self.sink = sink

    def input(self, segments: Segments) -> list[memoryview]:
        return segments.bodies

    def read_at(self, start: int) -> int:
        return self.parameters.plaintext_at(start)

    def body_bytes(self, start: int, taken: int) -> tuple[int, int]:
        """Return (segments, plaintext bytes) in the task that begins with segment start and has this much input."""
        return self.parameters.segments(self.parameters.plaintext_at(start) + taken) - start, taken

    def work(self, cipher: SegmentCipher, task: Task) -> None:
        cipher.encrypt(task.segments, task.start, task.last)

    def output(self, task: Task) -> list[memoryview]:
        return task.segments.sealed

    def write_at(self, task: Task) -> int:
        return self.parameters.sealed_at(task.start)


class Decryption:
    """The same for a decryption, of a range of the plaintext."""

    def __init__(self, keys: FileKeys, source: Source, sink: Sink, low: int, high: int | None) -> None:
        """low, high: the range of the plaintext that is written; None: to its end."""
        self.keys = keys
        self.parameters = keys.parameters
        self.source = source
        self.sink = sink
        self._low = low
        self._high = high

    def input(self, segments: Segments) -> list[memoryview]:
        return segments.sealed

    def read_at(self, start: int) -> int:
        return self.parameters.sealed_at(start)

    def body_bytes(self, start: int, taken: int) -> tuple[int, int]:
        p = self.parameters
        try:
            count, end = p.opened(p.sealed_at(start) + taken)
        except AuthenticationError as error:
            raise AuthenticationError(f"{self.source.name}: {error}") from None
        return count - start, end - p.plaintext_at(start)

    def work(self, cipher: SegmentCipher, task: Task) -> None:
        good = cipher.decrypt(task.segments, task.start, task.last)
        if good < len(task.segments.each):
            raise AuthenticationError(f"{self.source.name}: {describe_damage(self.keys, task.start + good)}")

    def output(self, task: Task) -> list[memoryview]:
        bodies = task.segments.bodies
        position = self.parameters.plaintext_at(task.start)
        before = max(0, self._low - position)
        behind = 0 if self._high is None else max(0, position + task.body_bytes - self._high)
        return parts(bodies, before, behind) if before or behind else bodies

    def write_at(self, task: Task) -> int:
        return max(self._low, self.parameters.plaintext_at(task.start)) - self._low
