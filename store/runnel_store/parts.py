# SPDX-License-Identifier: Apache-2.0 OR MIT
"""An object cut into parts of whole segments, and a part encrypted or decrypted, by whichever process.

Nothing in a Work is secret, and the same part gives the same bytes.
"""

from __future__ import annotations

import functools
import hashlib
import hmac
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from runnel.errors import AuthenticationError, Error
from runnel.sealed.engine import Block, segments_in_a_block
from runnel.sealed.formats import FileKeys, Parameters, Segments, describe_damage, segment_in
from runnel.sealed.keyset import Key, KeyPlace, Keyset
from runnel.sealed.opening import Opened, open_sealed

from runnel_store.readers import Identity, Reader, reader_of
from runnel_store.stores import ChangedError, retried
from runnel_store.uploads import PARTS_MAX
from runnel_store.urls import Location

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from runnel_store.journal import Commitments


Verb = Literal["encrypt", "decrypt", "verify", "rotate"]
PART_BYTES = 16 << 20
"""A compromise: fewer requests, more of a part to repeat after a failure, more memory a thread."""
PART_BYTES_MIN = 5 << 20
PART_BYTES_MAX = 5 << 30


class Part(NamedTuple):
    number: int
    """From 1."""
    first: int
    after: int
    """Its segments are number first to after - 1."""


@dataclass(frozen=True)
class Cut:
    """The segments of an object in parts of the same number of them; the last may have fewer."""

    segments: int
    per_part: int

    @property
    def parts(self) -> int:
        return -(-self.segments // self.per_part)

    def part(self, number: int) -> Part:
        first = (number - 1) * self.per_part
        return Part(number, first, min(first + self.per_part, self.segments))

    def __iter__(self) -> Iterator[Part]:
        return map(self.part, range(1, self.parts + 1))


def cut(
    p: Parameters, size: int, part_bytes: int = PART_BYTES, *, segments: int = 0, plain: bool = False, name: str = ""
) -> Cut:
    """Return parts of about part_bytes, and more where there would be too many; none longer than a store takes.

    size: of the plaintext. segments: those of an object that is there already. plain: what is uploaded is the
    plaintext, so that its parts have to be long enough.
    Raises Error: the object is too long for its format or for a store.
    """
    count = segments or p.segments(size)
    if count > p.segments_max:
        raise Error(f"{name}: {p.too_long()}")
    whole = size if plain else p.sealed_bytes(size)
    unit = p.rest_bytes if plain else p.segment_bytes
    wanted = max(part_bytes, PART_BYTES_MIN, -(-whole // PARTS_MAX))
    # Rounded up, and one more in plaintext, of which the first segment may hold less than the others.
    per_part = -(-wanted // unit) + (1 if plain and p.header_in_first else 0)
    division = Cut(count, max(1, min(per_part, (PART_BYTES_MAX - p.header_bytes) // unit)))
    if division.parts > PARTS_MAX:
        most = f"{PARTS_MAX} parts of {PART_BYTES_MAX >> 30} GiB"
        raise Error(f"{name}: {whole} bytes are more than an object may have, {most}")
    return division


# Keys, told to other processes and to later ones. The number of a key does not identify it: two may have one.


def fingerprint(key: Key, what: bytes, aad: bytes) -> bytes:
    """Return a fingerprint, by which others see that they have the same key and associated data; it reveals nothing
    of them."""
    p = key.parameters
    whole = f"runnel store fingerprint {p.type_url} ".encode() + p.write_key(key.secret)
    return hmac.digest(hashlib.sha512(whole).digest(), len(what).to_bytes(8, "big") + what + aad, "sha256")[:16]


def key_of(keyset: Keyset, wanted: bytes, what: bytes, aad: bytes) -> Key | None:
    """Return the key that has this fingerprint."""
    keys = (keyset.primary, *keyset.keys)
    return next((key for key in keys if hmac.compare_digest(fingerprint(key, what, aad), wanted)), None)


# Segments encrypted and decrypted in memory, for parts and for whole small objects

Read = Callable[[int, int], "Buffer"]
"""(start, end): exactly these bytes."""
_AT_ONCE_BYTES = 8 << 20
_FEW = 4


def encrypt_segments(
    keys: FileKeys, first: int, after: int, size: int, read: Read, in_blocks: bool = False
) -> bytearray:
    """Encrypt segments first to after - 1 of the file that size bytes of plaintext make, its header before number 0.

    read is asked for all plaintext of them at once, or in_blocks."""
    p = keys.parameters
    count = p.segments(size)
    before = keys.header if first == 0 else b""
    at = p.sealed_at(first) - len(before)
    out = bytearray((p.sealed_bytes(size) if after == count else p.sealed_at(after)) - at)
    out[: len(before)] = before
    target = memoryview(out)[len(before) :]
    fetch = read if in_blocks else _fetched(read, *p.plaintext_range(first, after, size))
    cipher = keys.cipher()
    for start, end, segments in _blocks(p, first, after, size):
        data = memoryview(fetch(*p.plaintext_range(start, end, size)))
        for body in segments.bodies:
            body[:] = data[: len(body)]
            data = data[len(body) :]
        cipher.encrypt(segments, start, end == count)
        for piece in segments.sealed:
            target[: len(piece)] = piece
            target = target[len(piece) :]
    return out


def _fetched(read: Read, start: int, end: int) -> Read:
    """Read once, and return a function that slices."""
    whole = memoryview(read(start, end))
    return lambda low, high: whole[low - start : high - start]


def _blocks(p: Parameters, first: int, after: int, size: int) -> Iterator[tuple[int, int, Segments]]:
    """Yield (start, end, memory) of as many segments at a time as the format's cipher works well on."""
    if after - first <= _FEW:  # small objects in large numbers: a block of pages would cost more than the rest
        for index in range(first, after):
            low, high = p.plaintext_range(index, index + 1, size)
            memory = memoryview(bytearray(p.lead_bytes + high - low + p.tag_bytes))
            yield index, index + 1, Segments.one(segment_in(memory, p, high - low))
        return
    step = max(segments_in_a_block(p), min(p.segments_at_once, _AT_ONCE_BYTES // p.segment_bytes))
    step = min(step, after - first)
    block = Block(p, step)
    for start in range(first, after, step):
        end = min(start + step, after)
        low, high = p.plaintext_range(start, end, size)
        yield start, end, block.holding(start, end - start, high - low)


# A sealed object that is read


class Entry(NamedTuple):
    """A version of an object. Its header has a random salt and, under authentic tags, belongs to no other version."""

    size: int
    """Of the sealed object."""
    header: bytes


class Opening(NamedTuple):
    """Everything that another process needs to read the same object; nothing secret."""

    header: bytes
    key_fingerprint: bytes
    aad: bytes


class Plaintext(Opened):
    """The plaintext of a sealed object, itself to be read in ranges. Nothing unverified is returned."""

    in_blocks = False

    def __init__(self, reader: Reader, key: Key, keys: FileKeys, aad: bytes) -> None:
        super().__init__(reader.name, key, keys, reader.size)
        self.reader = reader
        self._aad = aad

    @property
    def opening(self) -> Opening:
        return Opening(self.keys.header, fingerprint(self.key, self.keys.header, self._aad), self._aad)

    @property
    def entry(self) -> Entry:
        return Entry(self.reader.size, self.keys.header)

    def identity(self) -> Identity | None:
        return self.reader.identity()

    def check_unchanged(self, *, authenticated: bool = True) -> None:
        self.reader.check_unchanged(authenticated=authenticated)

    def read(self, start: int, end: int) -> Buffer:
        if start >= end:
            return b""
        first, after = self.segments_in(start, end)
        low, high = self.plaintext_of(first, after)
        out = memoryview(bytearray(high - low))
        self.decrypt_segments(first, after, out)
        return out[start - low : end - low]

    def decrypt_segments(self, first: int, after: int, out: memoryview | None) -> None:
        """Read segments first to after - 1, verify them, and decrypt them into out, if there is one. Raises
        AuthenticationError."""
        p = self.parameters
        data = memoryview(self.reader.read(p.sealed_at(first), min(self.reader.size, p.sealed_at(after))))
        cipher = self.keys.cipher()
        for start, end, segments in _blocks(p, first, after, self.size):
            for piece in segments.sealed:
                piece[:] = data[: len(piece)]
                data = data[len(piece) :]
            good = cipher.decrypt(segments, start, end == self.segments)
            if good < end - start:
                raise AuthenticationError(f"{self.name}: {describe_damage(self.keys, start + good)}")
            if out is not None:
                for body in segments.bodies:
                    out[: len(body)] = body
                    out = out[len(body) :]


def open_object(reader: Reader, keyset: Keyset, aad: bytes, *, verify_end: bool = True) -> Plaintext:
    """Open a sealed object as open_sealed opens any file. Raises AuthenticationError."""

    def read(position: int, count: int) -> bytes:
        stop = min(reader.size, position + count)
        return bytes(reader.read(position, stop)) if position < stop else b""

    opened = open_sealed(keyset, aad, reader.name, read, reader.size, verify_end=verify_end)
    return Plaintext(reader, opened.key, opened.keys, aad)


def reopen(reader: Reader, keyset: Keyset, opening: Opening) -> Plaintext:
    """Open the same object as another process has. Raises Error: its key is not in the keyset."""
    header, aad = opening.header, opening.aad
    key = key_of(keyset, opening.key_fingerprint, header, aad)
    if key is None:
        raise Error(f"{reader.name}: the key that opens it is not in this process's keyset")
    return Plaintext(reader, key, key.parameters.file_keys(key.secret, header, aad), aad)


# The work on a part


class Done(NamedTuple):
    part: Part
    etag: str
    plaintext_bytes: int


@dataclass(frozen=True)
class Work:
    """The work on an object. rotate: from one key to another; verify: no output."""

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
    key_fingerprint: bytes = b""
    """Of the key of a keyset that encrypts."""


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
        self._opened: Plaintext | None = None
        if work.opening is not None:
            self._opened = self._source = reopen(reader, keyset, work.opening)
            self.keys = self._opened.keys
        if work.header:
            key = key_of(keyset, work.key_fingerprint, work.header, work.aad)
            if key is None:
                raise Error(f"{work.source}: another key or other associated data than this work was begun with")
            self.keys = key.parameters.file_keys(key.secret, work.header, work.aad)
            self._committing = fingerprint(key, work.header + b" parts", work.aad)

    def make(self, part: Part) -> bytearray:
        """Return the part's bytes: sealed, or the plaintext."""
        work = self.work
        if work.verb in ("encrypt", "rotate"):
            source = self._source
            if source.in_blocks:
                source.check_unchanged()
            sealed = encrypt_segments(self.keys, part.first, part.after, work.size, source.read, source.in_blocks)
            if source.in_blocks:
                # Before a byte of it leaves: other plaintext under the same keystream gives both away.
                source.check_unchanged()
            return sealed
        assert self._opened is not None
        low, high = self.keys.parameters.plaintext_range(part.first, part.after, work.size)
        out = bytearray(0 if work.verb == "verify" else high - low)
        self._opened.decrypt_segments(part.first, part.after, None if work.verb == "verify" else memoryview(out))
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
        low, high = self.keys.parameters.plaintext_range(part.first, part.after, self.work.size)
        return Done(part, etag, high - low)

    def _send(self, part: Part, data: Buffer) -> str:
        etag: str = retried(lambda: self.upload.put(part.number, self.begin(part), data))
        return etag

    def check_unchanged(self) -> None:
        """Raise ChangedError where the source has changed."""
        self._source.check_unchanged()

    def begin(self, part: Part) -> int:
        """Return where the part's bytes begin in the result."""
        p = self.keys.parameters
        if self.work.verb == "decrypt":
            return p.plaintext_at(part.first)
        return p.sealed_at(part.first) if part.first else 0


@functools.lru_cache(4)
def worker_of(work: Work, place: KeyPlace, upload: Any) -> Worker:
    """Return a worker that reads the key itself, for other processes."""
    return Worker(work, place.load(), upload=upload)


def commitment(secret: bytes, p: Parameters, part: Part, sealed: Buffer) -> bytes:
    """Return the MAC of a sealed part (32 bytes). sealed: the part as it lies in the object, the header included in the
    first."""
    data = memoryview(sealed)
    mac = hmac.new(secret, b"%d %d " % (part.number, len(data)), "sha256")
    begin = p.sealed_at(part.first) if part.first else 0
    ends = [p.sealed_at(index) - begin for index in range(part.first + 1, part.after)]
    for end in (*ends, len(data)):
        mac.update(data[end - p.tag_bytes : end])
    return mac.digest()
