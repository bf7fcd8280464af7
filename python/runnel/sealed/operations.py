# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Encryption and decryption of a whole source, or of a range, to a sink."""

from __future__ import annotations

import operator

from runnel._typing import TYPE_CHECKING
from runnel.errors import AuthenticationError, Error
from runnel.sealed.engine import Progress, Run
from runnel.sealed.finder import find_at, find_in_stream
from runnel.sealed.io import PositionalSink, PositionalSource, Sink, Source, refuse_same_file
from runnel.sealed.jobs import Decryption, Encryption
from runnel.sealed.keyset import Keyset
from runnel.sealed.lock import locked, unlocked
from runnel.sealed.segments import FileKeys

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from runnel.sealed.lock import Lock


def encrypt(
    lock: Lock,
    source: Source,
    sink: Sink,
    *,
    aad: Buffer = b"",
    threads: int | None = None,
    progress: Progress | None = None,
    keys: FileKeys | None = None,
) -> None:
    """Encrypt source to sink with the keyset's primary key; keys are the file's, when they are not to be new.
    See runnel.encrypt_file."""
    refuse_same_file(source, sink)
    keyset, preface = locked(lock)
    keys = keys or keyset.primary.new_file(aad)
    run = Run(Encryption(keys, source, sink), threads, progress)
    sink.write_preface(preface)
    header = [memoryview(keys.header)]
    if isinstance(sink, PositionalSink):
        sink.write_at(header, 0)
    else:
        sink.write(header)
    if isinstance(source, PositionalSource):
        count = keys.parameters.segments(source.bytes)
        run.positional(0, count, count, source.bytes)
        source.check_unchanged()
    else:
        run.sequential()


def decrypt(
    lock: Lock,
    source: Source,
    sink: Sink,
    *,
    aad: Buffer = b"",
    start: int = 0,
    end: int | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Decrypt source, or the range from start to end of its plaintext, to sink. See runnel.decrypt_file."""
    refuse_same_file(source, sink)
    start, end = operator.index(start), None if end is None else operator.index(end)
    if start < 0 or (end is not None and end < start):
        raise ValueError("a range begins at 0 or later and does not end before it begins")
    if not isinstance(source, PositionalSource) and (start or end is not None):
        raise Error(f"{source.name}: a range needs a seekable file")
    keyset, before = unlocked(lock, source.name, source.peek)
    source.skip(before)
    if isinstance(source, PositionalSource):
        _decrypt_at(keyset, source, sink, aad, start, end, threads, progress)
    else:
        keys = find_in_stream(keyset, source, aad)
        Run(Decryption(keys, source, sink, 0, None), threads, progress).sequential()


def _decrypt_at(
    keyset: Keyset,
    source: PositionalSource,
    sink: Sink,
    aad: Buffer,
    start: int,
    end: int | None,
    threads: int | None,
    progress: Progress | None,
) -> None:
    whole = start == 0 and end is None
    keys = find_at(keyset, source, aad, last=not whole)
    p = keys.parameters
    try:
        count, size = p.opened(source.bytes)
    except AuthenticationError as error:
        raise AuthenticationError(f"{source.name}: {error}") from None
    if start > size:
        raise Error(f"{source.name}: the range begins at {start}, beyond the {size} bytes of plaintext")
    end = size if end is None else min(end, size)
    if whole:
        first, after = 0, count
    elif start == end:
        first, after = 0, 0  # the end of the file has been verified already
    else:
        first, after = p.segment_of(start), p.segment_of(end - 1) + 1
    Run(Decryption(keys, source, sink, start, end), threads, progress).positional(first, after, count, size)
    source.check_unchanged()
