# SPDX-License-Identifier: Apache-2.0 OR MIT
"""One part of an object, done by whichever process: nothing in a Work is secret, and the same part gives the same bytes."""

from __future__ import annotations

import functools
import hmac
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from runnel.errors import Error
from runnel.sealed.keyset import Keyset
from runnel.sealed.place import KeyPlace

from runnel_store.commitments import Commitments, commitment
from runnel_store.errors import ChangedError, retried
from runnel_store.fingerprints import fingerprint, key_of
from runnel_store.opened import Opened, Opening, reopen
from runnel_store.parts import plaintext_range, seal
from runnel_store.plan import Part
from runnel_store.readers import Identity, Reader, reader_of
from runnel_store.urls import Location

if TYPE_CHECKING:
    from typing_extensions import Buffer

Verb = Literal["seal", "open", "reseal", "verify"]


class Done(NamedTuple):
    part: Part
    etag: str
    plaintext_bytes: int


@dataclass(frozen=True)
class Work:
    """The work on an object. seal: encrypt; open: decrypt; reseal: from one key to another; verify: no output."""

    verb: Verb
    source: Location
    identity: Identity | None
    """The identity that the source must still have; None where nothing tells, and only what is authenticated is read."""
    size: int
    """Of the plaintext."""
    aad: bytes
    """Of what is made; the source's is in opening."""
    opening: Opening | None = None
    """How the source is opened, where it is sealed."""
    header: bytes = b""
    """Of the object that is made, where that is sealed: drawn once."""
    check: bytes = b""
    """The key of a keyset that seals: its fingerprint."""


class Worker:
    """Does parts of one object, from any thread."""

    def __init__(
        self,
        work: Work,
        keyset: Keyset,
        reader: Reader | None = None,
        upload: Any = None,
        commitments: Commitments | None = None,
    ) -> None:
        """Prepare the work. commitments: of an upload that may be resumed under the header that it has; only the
        process with its journal has them."""
        self.work = work
        self.upload = upload
        self.commitments = commitments
        reader = reader_of(work.source, work.identity) if reader is None else reader
        self._source: Reader = reader
        self._opened: Opened | None = None
        if work.opening is not None:
            self._opened = self._source = reopen(reader, keyset, work.opening)
            self.keys = self._opened.keys
        if work.header:
            key = key_of(keyset, work.check, work.header, work.aad)
            if key is None:
                raise Error(f"{work.source}: another key or other associated data than this work was begun with")
            self.keys = key.parameters.file_keys(key.secret, work.header, work.aad)
            self._committing = fingerprint(key, work.header + b" parts", work.aad)

    def make(self, part: Part) -> bytearray:
        """Return the part's bytes: sealed, or the plaintext."""
        work = self.work
        if work.verb in ("seal", "reseal"):
            source = self._source
            if source.in_blocks:
                source.check()
            sealed = seal(self.keys, part.first, part.after, work.size, source.read, source.in_blocks)
            if source.in_blocks:
                source.check()  # before a byte of it leaves: other plaintext under the same keystream gives both away
            return sealed
        assert self._opened is not None
        low, high = plaintext_range(self.keys.parameters, part.first, part.after, work.size)
        out = bytearray(0 if work.verb == "verify" else high - low)
        self._opened.work(part.first, part.after, None if work.verb == "verify" else memoryview(out))
        return out

    def do(self, part: Part) -> Done:
        """Make the part and hand it to the upload."""
        data = self.make(part)
        if self.commitments is not None:
            self.commitments.commit(part, self.commitment(part, data))
            if (etag := self.commitments.sent.get(part.number)) is not None:
                return self.done(part, etag)
        return self.done(part, "" if self.upload is None else self._send(part, data))

    def commitment(self, part: Part, sealed: Buffer) -> bytes:
        """Return what is recorded of a sealed part before it is sent."""
        return commitment(self._committing, self.keys.parameters, part, sealed)

    def send_committed(self, part: Part, sealed: Buffer, committed: bytes) -> Done:
        """Send a sealed part that another process may have made, and may have made again since its commitment was recorded.
        Raises ChangedError if it is not the one that was committed to."""
        if not hmac.compare_digest(self.commitment(part, sealed), committed):
            raise ChangedError(f"{self.work.source}: it was changed while it was read")
        return self.done(part, self._send(part, sealed))

    def done(self, part: Part, etag: str) -> Done:
        """Return what is reported of a part."""
        low, high = plaintext_range(self.keys.parameters, part.first, part.after, self.work.size)
        return Done(part, etag, high - low)

    def _send(self, part: Part, data: Buffer) -> str:
        etag: str = retried(lambda: self.upload.put(part.number, self.begin(part), data))
        return etag

    def check(self) -> None:
        """Raise ChangedError where the source has changed."""
        self._source.check()

    def begin(self, part: Part) -> int:
        """Return where the part's bytes begin in the result."""
        p = self.keys.parameters
        if self.work.verb == "open":
            return p.plaintext_at(part.first)
        return p.sealed_at(part.first) if part.first else 0


@functools.lru_cache(4)
def worker_of(work: Work, place: KeyPlace, upload: Any) -> Worker:
    """Return a worker that reads the key itself, for other processes."""
    return Worker(work, place.load(), upload=upload)
