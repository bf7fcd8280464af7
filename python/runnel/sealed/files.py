# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Encrypted files and streams: what the package exports. Keys, formats and threads are in the modules beside this one."""

from __future__ import annotations

import contextlib
import functools
import io
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO, Literal, overload

from runnel.inputs import Inputs, PathLike
from runnel.output import OutputFile
from runnel.sealed.engine import Progress
from runnel.sealed.io import PositionalSink, SequentialSink, SequentialSource, Source, source_of
from runnel.sealed.lock import locked, unlocked
from runnel.sealed.operations import decrypt, encrypt
from runnel.sealed.reader import EncryptedReader
from runnel.sealed.writer import EncryptedWriter

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from runnel.sealed.lock import Lock


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

    keyset: or a Passphrase: the file gets a new key, which is locked with that and written before it. aad: associated
    data, any C-contiguous buffer: not stored, but needed to decrypt. force: replace an existing target. threads: how
    many work at a time, from 1 to 16; None: one for each processor that this process may use. progress: called with the
    number of plaintext bytes done since it was called last.

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
        encrypt(keyset, origin, sink, aad=aad, threads=threads, progress=progress)


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
    """Decrypt the file source into the file target with whichever key of the keyset fits.

    keyset: or the Passphrase that the file was encrypted with. start, end: the range of the plaintext that is wanted,
    in bytes, end exclusive. A range needs a source that can seek; its segments and the file's last one are verified, and
    an end beyond the plaintext means its end. The other arguments are those of encrypt_file.

    Raises AuthenticationError (wrong key or associated data, changed, cut or extended), and as encrypt_file. The
    target is complete and verified, or absent; see encrypt_file. In Tink's formats a last segment without plaintext
    after a full one, which no writer makes, is accepted as Tink does.

        >>> keyset = runnel.Keyset.generate()
        >>> runnel.encrypt_file("photos.tar", "all.sealed", keyset)
        >>> runnel.decrypt_file("all.sealed", "part", keyset, start=1000, end=2000)
    """
    with _between(source, target, force) as (origin, sink):
        decrypt(keyset, origin, sink, aad=aad, start=start, end=end, threads=threads, progress=progress)


def encrypt_stream(
    source: BinaryIO, target: BinaryIO, keyset: Lock, *, aad: Buffer = b"", threads: int | None = None
) -> None:
    """Encrypt what the binary file source has until its end, and write it to target, which must not be the same file.

    Neither is closed. source has readinto or read, and target has write, which must return the number of bytes that it
    took: what returns None is not called again. What failed half-way lacks its last segment and does not decrypt. See
    encrypt_file.
    """
    encrypt(keyset, SequentialSource(source, "input"), SequentialSink(target, "output"), aad=aad, threads=threads)


def decrypt_stream(
    source: BinaryIO, target: BinaryIO, keyset: Lock, *, aad: Buffer = b"", threads: int | None = None
) -> None:
    """Decrypt what the binary file source has until its end to target, which must not be the same file.

    Only verified segments reach target, as they come from an unbuffered file (io.FileIO), and from any other when more
    has been read: whether they are all of them is known when this returns, so do not act on them before. Neither file is
    closed. See encrypt_stream and decrypt_file.
    """
    decrypt(keyset, SequentialSource(source, "input"), SequentialSink(target, "output"), aad=aad, threads=threads)


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

    file: a path, or a binary file (to be read, one that can seek and has readinto or read), which is not closed. aad:
    associated data; see encrypt_file. force: replace an existing file; for "wb" with a path alone.

    The reader verifies the file's end when it is opened, and each segment before it releases a byte of it. The writer
    gives the file its name when it is closed; if the with block fails, there is no such file.

    Raises AuthenticationError, OSError, ValueError (another mode), TypeError (as encrypt_file; no path and no such file).

        >>> keyset = runnel.Keyset.generate()
        >>> with runnel.open_encrypted("log.sealed", "wb", keyset) as log:
        ...     written = log.write(b"first line\\n") + log.write(b"second line\\n")
        >>> with runnel.open_encrypted("log.sealed", "rb", keyset) as log:
        ...     (log.seek(6), log.read(4))
        (6, b'line')
    """
    if mode == "rb":
        unlock = functools.partial(unlocked, keyset)
        if isinstance(file, (str, bytes, os.PathLike)):
            return EncryptedReader(open(file, "rb", buffering=0), aad, os.fsdecode(file), True, unlock)
        return EncryptedReader(file, aad, str(getattr(file, "name", "input")), False, unlock)
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
    keyset, preface = locked(lock)
    keys = keyset.primary.new_file(aad)
    sink.write_preface(preface)
    return EncryptedWriter(keys, sink, output)
