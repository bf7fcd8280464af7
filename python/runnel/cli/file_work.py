# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Encryption and decryption of the files of a command, anyone who has read its command line."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from runnel._typing import TYPE_CHECKING
from runnel.cli.progress import Progress
from runnel.cli.streams import STANDARD, binary_output, new_file, opened_input
from runnel.inputs import Inputs
from runnel.sealed.files import Job
from runnel.sealed.io import PositionalSink, PositionalSource, SequentialSink, Sink, Source, source_of

if TYPE_CHECKING:
    from runnel.sealed.opening import Lock


class FileWork:
    """A file, or a standard stream, that is encrypted or decrypted to another. force, quiet: the options of those names."""

    def __init__(self, inputs: Inputs, source: str, target: str, *, aad: bytes, force: bool, quiet: bool) -> None:
        self._inputs = inputs
        self._source = source
        self._target = target
        self._aad = aad
        self._force = force
        self._quiet = quiet

    def encrypt(self, lock: Lock) -> None:
        """Encrypt with the keyset's primary key, or a passphrase."""
        with self._ends(text=False) as (source, sink, size), Progress(size, self._quiet) as progress:
            Job(lock, source, sink, aad=self._aad, progress=progress).encrypt()

    def decrypt(self, lock: Lock, start: int = 0, end: int | None = None) -> None:
        """Decrypt, or the range from start to end of the plaintext."""
        with self._ends(text=True) as (source, sink, size):
            if size is not None:
                size = max(0, (size if end is None else min(size, end)) - start)
            with Progress(size, self._quiet) as progress:
                Job(lock, source, sink, aad=self._aad, progress=progress).decrypt(start, end)

    @contextlib.contextmanager
    def _ends(self, *, text: bool) -> Iterator[tuple[Source, Sink, int | None]]:
        """Yield source, sink and the size of the source if it is known; commit the output when the body succeeds."""
        with opened_input(self._inputs, self._source) as (reader, name):
            origin = source_of(reader, name)
            size = origin.bytes if isinstance(origin, PositionalSource) else None
            if self._target == STANDARD:
                sink = SequentialSink(binary_output(self._inputs, self._force, text=text), "stdout")
                yield origin, sink, size
                return
            with new_file(self._inputs, self._target, self._force) as out:
                yield origin, PositionalSink(out.fileno(), self._target), size
                out.commit()
