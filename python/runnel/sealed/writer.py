# SPDX-License-Identifier: Apache-2.0 OR MIT
"""An encrypted file that is written piece by piece."""

from __future__ import annotations

import io
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn, Self

from runnel.buffers import flat
from runnel.errors import Error, StateError
from runnel.output import OutputFile
from runnel.process import this_process
from runnel.sealed.blocks import Block, segments_in_a_block
from runnel.sealed.io import SequentialSink
from runnel.sealed.segments import FileKeys, Segments

if TYPE_CHECKING:
    from typing_extensions import Buffer


class CompleteOrAbsent:
    """A with block whose file is complete or absent."""

    _given_up = False
    """True after a failed write, which discards the file."""

    def __exit__(
        self: Any, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self.discard()
        elif self._given_up:
            raise Error(f"{self.name}: discarded, because a write failed")
        else:
            self.close()


class EncryptedWriter(CompleteOrAbsent, io.RawIOBase):
    """Encrypts what is written to it. Made by open_encrypted.

    close(), or the end of a with block, writes the last segment and gives a file its name: until then, and where the
    block ends in an exception, there is no file of that name. discard() gives it up, and so does a write that fails: the
    end of a with block, if the program has gone on in it, then raises Error. A stream that was given up lacks its last
    segment and does not decrypt. Not for several threads at a time.

    io.BufferedWriter and io.TextIOWrapper close what they wrap also after an exception, and half a file gets its name:
    call their close() as the last thing in the writer's with block.

    It is not copied and not pickled, and belongs to the process that made it: two of them would encrypt different
    plaintext under one key and nonce. In a process that was forked write() and close() raise StateError.
    """

    def __init__(self, keys: FileKeys, sink: SequentialSink, output: OutputFile | None) -> None:
        super().__init__()
        self._sink = sink
        self._output = output
        self._cipher = keys.cipher()
        self._parameters = p = keys.parameters
        self._per_block = segments_in_a_block(p)
        self._block = Block(p, self._per_block)
        self._first = 0  # number of the block's first segment
        self._at = 0  # of the segment that is filled next, in the block
        self._filled = 0  # bytes in it
        self._position = 0
        self._process = this_process()
        self._views = self._block.whole(0).bodies
        self.name = sink.name
        sink.write([memoryview(keys.header)])

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        """Return how many bytes of plaintext were written."""
        self._check_open()
        return self._position

    def write(self, data: Buffer) -> int:
        """Write all of data, any C-contiguous buffer, and return its size in bytes. Raises OSError, Error (more
        than 2^32 segments); the file is given up then. Raises StateError in a process that was forked."""
        self._check_open()
        self._check_process()
        with flat(data) as rest:
            done = 0
            try:
                while done < len(rest):
                    done += self._fill(rest[done:])
                self._position += done
            except BaseException:
                self._given_up = True
                self.discard()
                raise
        return done

    def _fill(self, rest: memoryview) -> int:
        """Take as much as fits into one segment. A full block is sealed when more comes: a last segment is sealed as such."""
        if self._filled == len(self._views[self._at]):
            self._at, self._filled = self._at + 1, 0
            if self._at == self._per_block:
                self._seal(self._block.whole(self._first), last=False)
        body = self._views[self._at]
        count = min(len(rest), len(body) - self._filled)
        body[self._filled : self._filled + count] = rest[:count]
        self._filled += count
        return count

    def _seal(self, segments: Segments, last: bool) -> None:
        count = len(segments.each)
        if self._first + count > self._parameters.segments_max:
            raise Error(f"{self.name}: {self._parameters.too_long()}")
        self._cipher.seal(segments, self._first, last)
        self._sink.write(segments.sealed)
        self._first += count
        self._at = 0
        self._views = self._block.whole(self._first).bodies

    def close(self) -> None:
        """Complete the file. Raises OSError; then there is no file of that name, or the error says that there is. Raises
        StateError in a process that was forked, which leaves the file to the other."""
        if self.closed:
            return
        try:
            self._check_process()
            p = self._parameters
            if p.segments(self._position) > self._first + self._per_block:  # the block is full, and no last one may be
                self._seal(self._block.whole(self._first), last=False)
            count = p.segments(self._position) - self._first
            body_bytes = self._position - p.plaintext_at(self._first)
            self._seal(self._block.holding(self._first, count, body_bytes), last=True)
            if self._output is not None:
                self._output.commit()
        finally:
            self.discard()

    def discard(self) -> None:
        """Abandon the file and leave nothing of it behind. Do nothing after close()."""
        if not self.closed:
            super().close()
            if self._output is not None:
                self._output.close()

    def _check_open(self) -> None:
        if self.closed:
            raise ValueError("the file is closed")

    def _check_process(self) -> None:
        if this_process() != self._process:
            raise StateError(
                f"{self.name}: this file belongs to the process that forked this one, which would encrypt other "
                "plaintext under the same nonces"
            )

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a runnel.EncryptedWriter cannot be copied or pickled: two would encrypt different plaintext under one nonce"
        )

    def __enter__(self) -> Self:
        self._check_open()
        return self

    def __del__(self) -> None:
        """Discard an unfinished file; io's own would close it."""
        if getattr(self, "_output", None) is not None:
            self.discard()
