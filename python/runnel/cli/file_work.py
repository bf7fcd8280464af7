# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Encryption and decryption of the files of a command, whoever has read its command line."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from runnel._typing import TYPE_CHECKING
from runnel.cli.progress import Progress
from runnel.cli.streams import STANDARD, binary_output, new_file, opened_input
from runnel.inputs import Inputs
from runnel.sealed import operations
from runnel.sealed.io import PositionalSink, PositionalSource, SequentialSink, Sink, Source, source_of

if TYPE_CHECKING:
    from runnel.sealed.lock import Lock


def encrypt(inputs: Inputs, lock: Lock, source: str, target: str, *, aad: bytes, force: bool, quiet: bool) -> None:
    """Encrypt source to target."""
    with _ends(inputs, source, target, force, text=False) as (origin, sink, size), Progress(size, quiet) as progress:
        operations.encrypt(lock, origin, sink, aad=aad, progress=progress)


def decrypt(
    inputs: Inputs,
    lock: Lock,
    source: str,
    target: str,
    *,
    aad: bytes,
    force: bool,
    quiet: bool,
    start: int = 0,
    end: int | None = None,
) -> None:
    """Decrypt source, or the range from start to end of its plaintext, to target."""
    with _ends(inputs, source, target, force, text=True) as (origin, sink, size):
        if size is not None:
            size = max(0, (size if end is None else min(size, end)) - start)
        with Progress(size, quiet) as progress:
            operations.decrypt(lock, origin, sink, aad=aad, start=start, end=end, progress=progress)


@contextlib.contextmanager
def _ends(
    inputs: Inputs, source: str, target: str, force: bool, *, text: bool
) -> Iterator[tuple[Source, Sink, int | None]]:
    """Yield source, sink and the size of the source if it is known; commit the output when the body succeeds."""
    with opened_input(inputs, source) as (reader, name):
        origin = source_of(reader, name)
        size = origin.bytes if isinstance(origin, PositionalSource) else None
        if target == STANDARD:
            yield origin, SequentialSink(binary_output(inputs, force, text=text), "stdout"), size
            return
        with new_file(inputs, target, force) as out:
            yield origin, PositionalSink(out.fileno(), target), size
            out.commit()
