# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Google Tink's streaming AEAD "AES-CTR-HMAC": keysets, key derivation, lengths and segments.

The format: a header (its own length, a salt, a nonce prefix of 7 bytes), then segments of equal length, each
ciphertext followed by its tag; the last may be shorter. Every file has its own keys, derived from the keyset's by
HKDF over the salt and the associated data. The cipher is this package's; HKDF, HMAC and randomness are OpenSSL's,
through pyca/cryptography and the operating system. Files and streams are in :mod:`runnel.files`.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import os
import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.hmac import HMAC
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

import runnel
from runnel.errors import AuthenticationError, Error, KeysetError

TYPE_URL = "type.googleapis.com/google.crypto.tink.AesCtrHmacStreamingKey"
PREFIX_BYTES = 7
HMAC_KEY_BYTES = 32
IV_BYTES = 16
SEGMENTS_MAX = 1 << 32

_HASHES = {1: "SHA1", 3: "SHA256", 4: "SHA512"}  # the numbers of Tink's HashType
_DIGESTS: dict[str, type[hashes.HashAlgorithm]] = {
    "SHA1": hashes.SHA1,
    "SHA256": hashes.SHA256,
    "SHA512": hashes.SHA512,
}
_OTHER_HASHES = {2: "SHA384", 5: "SHA224"}
_STATUSES = {"UNKNOWN_STATUS": 0, "ENABLED": 1, "DISABLED": 2, "DESTROYED": 3}


TinkError = Error
DamagedError = AuthenticationError


# Keys and lengths


@dataclass(frozen=True)
class Parameters:
    """What a key fixes of the files written with it. All lengths in bytes."""

    segment_bytes: int  # of a whole segment on disk, tag included, and the header too in the first
    derived_key_bytes: int  # 16 or 32: AES-128 or AES-256
    hkdf_hash: str = "SHA256"  # or SHA1, SHA512
    hmac_hash: str = "SHA256"
    tag_bytes: int = 32

    def __post_init__(self) -> None:
        if self.derived_key_bytes not in (16, 32):
            raise KeysetError(f"the derived key size is {self.derived_key_bytes} bytes, not 16 or 32")
        for name in (self.hkdf_hash, self.hmac_hash):
            if name not in _DIGESTS:
                raise KeysetError(f"the hash is {name}, not SHA1, SHA256 or SHA512")
        largest = _DIGESTS[self.hmac_hash]().digest_size
        if not 10 <= self.tag_bytes <= largest:
            raise KeysetError(f"the tag size is {self.tag_bytes} bytes, not 10 to {largest} ({self.hmac_hash})")
        if not self.header_bytes + self.tag_bytes < self.segment_bytes < 1 << 31:
            least = self.header_bytes + self.tag_bytes + 1
            raise KeysetError(f"the segment size is {self.segment_bytes} bytes, not {least} to {2**31 - 1}")

    @property
    def header_bytes(self) -> int:
        return 1 + self.derived_key_bytes + PREFIX_BYTES

    @property
    def first_bytes(self) -> int:
        """Plaintext bytes in the first segment when it is full."""
        return self.segment_bytes - self.header_bytes - self.tag_bytes

    @property
    def rest_bytes(self) -> int:
        """Plaintext bytes in any later segment when it is full."""
        return self.segment_bytes - self.tag_bytes

    def capacity(self, index: int) -> int:
        """Plaintext bytes in segment number index (from 0) when it is full."""
        return self.rest_bytes if index else self.first_bytes

    def segments(self, plaintext_bytes: int) -> int:
        """The number of segments that a plaintext makes. At least 1."""
        return 1 + max(0, -((self.first_bytes - plaintext_bytes) // self.rest_bytes))

    def sealed_bytes(self, plaintext_bytes: int) -> int:
        """The length of the file that a plaintext makes."""
        return self.header_bytes + plaintext_bytes + self.segments(plaintext_bytes) * self.tag_bytes

    def opened(self, sealed_bytes: int) -> tuple[int, int]:
        """(number of segments, plaintext bytes) of a file of this length. Raises DamagedError: no such length."""
        count = max(1, -(-sealed_bytes // self.segment_bytes))
        last = sealed_bytes - (count - 1) * self.segment_bytes - (self.header_bytes if count == 1 else 0)
        if last < self.tag_bytes:
            raise DamagedError(f"cut: {sealed_bytes} bytes end inside {'the header or ' if count == 1 else ''}a tag")
        return count, sealed_bytes - self.header_bytes - count * self.tag_bytes

    def segment_of(self, position: int) -> int:
        """The number of the segment that holds the plaintext byte at this position."""
        return 0 if position < self.first_bytes else 1 + (position - self.first_bytes) // self.rest_bytes

    def plaintext_at(self, index: int) -> int:
        """The plaintext position at which segment number index begins."""
        return 0 if index == 0 else self.first_bytes + (index - 1) * self.rest_bytes

    def sealed_at(self, index: int) -> int:
        """The file position at which the ciphertext of segment number index begins."""
        return index * self.segment_bytes if index else self.header_bytes


TEMPLATES = {
    "AES128_CTR_HMAC_SHA256_4KB": Parameters(4096, 16),
    "AES128_CTR_HMAC_SHA256_1MB": Parameters(1 << 20, 16),
    "AES256_CTR_HMAC_SHA256_4KB": Parameters(4096, 32),
    "AES256_CTR_HMAC_SHA256_1MB": Parameters(1 << 20, 32),
}
DEFAULT_TEMPLATE = "AES256_CTR_HMAC_SHA256_1MB"


@dataclass(frozen=True)
class Key:
    """One streaming key of a keyset. secret is Tink's key_value, the input of HKDF: never printed."""

    key_id: int
    parameters: Parameters
    secret: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.secret) < self.parameters.derived_key_bytes:
            needed = self.parameters.derived_key_bytes
            raise KeysetError(f"the key has {len(self.secret)} bytes, fewer than the {needed} derived from it")


@dataclass(frozen=True)
class Keyset:
    """The enabled keys of a Tink keyset; primary is the one that encrypts, any of them may decrypt."""

    primary: Key
    keys: Sequence[Key]

    @classmethod
    def generate(cls, template: str = DEFAULT_TEMPLATE) -> Keyset:
        """Makes a keyset of one new random key. template is a name in TEMPLATES. Raises KeysetError: no such name."""
        if template not in TEMPLATES:
            raise KeysetError(f"no template is called {template!r}; there are {', '.join(TEMPLATES)}")
        parameters = TEMPLATES[template]
        key_id = 0
        while not key_id:
            key_id = int.from_bytes(os.urandom(4), "big")
        key = Key(key_id, parameters, os.urandom(parameters.derived_key_bytes))
        return cls(key, (key,))

    @classmethod
    def from_json(cls, text: str | bytes) -> Keyset:
        """Reads a cleartext keyset in Tink's JSON. Raises KeysetError, which says what is wrong and in which key."""
        return _read_keyset(text)

    def to_json(self) -> str:
        """Writes the keyset, secrets included, as Tink's cleartext JSON."""
        keys = [
            {
                "keyData": {
                    "typeUrl": TYPE_URL,
                    "value": base64.b64encode(_write_key(key)).decode(),
                    "keyMaterialType": "SYMMETRIC",
                },
                "status": "ENABLED",
                "keyId": key.key_id,
                "outputPrefixType": "RAW",
            }
            for key in self.keys
        ]
        return json.dumps({"primaryKeyId": self.primary.key_id, "key": keys}, indent=2) + "\n"


# Keysets in JSON: the mapping of protocol buffers to JSON, as far as keysets use it


def _read_keyset(text: str | bytes) -> Keyset:
    try:
        keyset = json.loads(text, object_pairs_hook=_members)
    except KeysetError:  # a ValueError, as those of JSON are
        raise
    except UnicodeDecodeError:
        raise KeysetError("not a keyset: neither UTF-8 nor JSON (a binary keyset?)") from None
    except (ValueError, RecursionError) as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        where = where if text else " (it is empty)"
        raise KeysetError(f"not a keyset: malformed JSON{where}") from None
    if not isinstance(keyset, dict):
        raise KeysetError("not a keyset: the JSON is not an object")
    if _member(keyset, "encryptedKeyset") is not None:
        raise KeysetError("the keyset is encrypted; a cleartext keyset is needed")
    entries = _member(keyset, "key")
    if not isinstance(entries, list) or not entries:
        raise KeysetError("not a keyset: no list called key, or an empty one")
    primary_id = _uint32(_member(keyset, "primaryKeyId"), "primaryKeyId")
    keys = []
    for number, entry in enumerate(entries, 1):
        try:
            key = _read_entry(entry)
        except KeysetError as error:
            raise KeysetError(f"key {number} of {len(entries)}: {error}") from None
        if key is not None:
            keys.append(key)
    if not keys:
        raise KeysetError("no key of the keyset is enabled")
    primaries = [key for key in keys if key.key_id == primary_id]
    if len(primaries) != 1:
        raise KeysetError(f"{len(primaries)} enabled keys have the primary key's number {primary_id}, not one")
    return Keyset(primaries[0], tuple(keys))


def _read_entry(entry: Any) -> Key | None:
    """The key of one entry of a keyset; None: not enabled."""
    if not isinstance(entry, dict):
        raise KeysetError("not an object")
    status = _member(entry, "status")
    if not isinstance(status, int) or isinstance(status, bool):
        if not isinstance(status, str) or status not in _STATUSES:
            raise KeysetError("its status is not ENABLED, DISABLED or DESTROYED")
        status = _STATUSES[status]
    if status in (2, 3):
        return None
    if status != 1:
        raise KeysetError("its status is not ENABLED, DISABLED or DESTROYED")
    key_id = _uint32(_member(entry, "keyId"), "keyId")
    data = _member(entry, "keyData")
    if not isinstance(data, dict):
        raise KeysetError("it has no keyData")
    type_url = _member(data, "typeUrl")
    if not isinstance(type_url, str):
        raise KeysetError("it has no typeUrl")
    if type_url != TYPE_URL:
        shown = "".join(c if c.isprintable() else "?" for c in type_url.rpartition("/")[2])
        raise KeysetError(f"its type is {shown[:200] or 'empty'}, not AesCtrHmacStreamingKey")
    if _member(data, "keyMaterialType") not in ("SYMMETRIC", 1):
        raise KeysetError("its keyMaterialType is not SYMMETRIC")
    value = _member(data, "value")
    if not isinstance(value, str):
        raise KeysetError("it has no value")
    try:
        wire = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        raise KeysetError("its value is not base64") from None
    return _read_key(wire, key_id)


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, in which no field may occur twice, by whichever of its two names (see _member)."""
    members: dict[str, Any] = {}
    fields = set()
    for name, value in pairs:
        field_name = re.sub("_([a-z])", lambda letter: letter[1].upper(), name)
        if field_name in fields:
            shown = "".join(c if c.isprintable() else "?" for c in field_name)
            raise KeysetError(f"not a keyset: the member {shown[:200]} occurs twice")
        fields.add(field_name)
        members[name] = value
    return members


def _member(record: dict[str, Any], name: str) -> Any:
    """A field by its JSON name or, as protocol buffers allow, by its original one (key_data)."""
    if name in record:
        return record[name]
    return record.get("".join("_" + c.lower() if c.isupper() else c for c in name))


def _uint32(value: Any, name: str) -> int:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 10:
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << 32:
        raise KeysetError(f"{name} is missing or is not a number from 0 to {2**32 - 1}")
    return value


# Keys on the wire: protocol buffers, of which a key needs two kinds of field (numbers and bytes)


def _read_key(wire: bytes, key_id: int) -> Key:
    """Message AesCtrHmacStreamingKey: 1 version, 2 params, 3 key_value."""
    key = dict(_fields(wire))
    if _number(key, 1):
        raise KeysetError(f"its version is {_number(key, 1)}, not 0")
    params = dict(_fields(_bytes(key, 2, "params")))
    hmac_params = dict(_fields(_bytes(params, 4, "hmac_params")))
    parameters = Parameters(
        segment_bytes=_number(params, 1),
        derived_key_bytes=_number(params, 2),
        hkdf_hash=_hash(_number(params, 3)),
        hmac_hash=_hash(_number(hmac_params, 1)),
        tag_bytes=_number(hmac_params, 2),
    )
    return Key(key_id, parameters, _bytes(key, 3, "key_value"))


def _write_key(key: Key) -> bytes:
    numbers = {name: number for number, name in _HASHES.items()}
    p = key.parameters
    hmac_params = _field(1, numbers[p.hmac_hash]) + _field(2, p.tag_bytes)
    params = _field(1, p.segment_bytes) + _field(2, p.derived_key_bytes) + _field(3, numbers[p.hkdf_hash])
    return _field(2, params + _field(4, hmac_params)) + _field(3, key.secret)


def _hash(number: int) -> str:
    return _HASHES.get(number) or _OTHER_HASHES.get(number) or f"number {number}"


def _number(message: dict[int, int | bytes], number: int) -> int:
    value = message.get(number, 0)
    if not isinstance(value, int):
        raise KeysetError("its value is malformed: a number is missing")
    return value


def _bytes(message: dict[int, int | bytes], number: int, name: str) -> bytes:
    value = message.get(number)
    if not isinstance(value, bytes):
        raise KeysetError(f"its value is malformed: {name} is missing")
    return value


def _fields(wire: bytes) -> Iterator[tuple[int, int | bytes]]:
    """The fields of a message in order: (number, value). Of a field that is repeated the last counts."""
    at = 0
    while at < len(wire):
        tag, at = _varint(wire, at)
        number, kind = tag >> 3, tag & 7
        if number == 0:
            raise KeysetError("its value is malformed: a field has number 0")
        if kind == 0:
            value, at = _varint(wire, at)
            yield number, value
            continue
        if kind == 2:
            length, at = _varint(wire, at)
        elif kind in (1, 5):  # fixed 64 or 32 bits: no field of ours, skipped
            length = 8 if kind == 1 else 4
        else:
            raise KeysetError(f"its value is malformed: wire type {kind}")
        if length > len(wire) - at:
            raise KeysetError("its value is malformed: a field ends beyond its message")
        if kind == 2:
            yield number, wire[at : at + length]
        at += length


def _varint(wire: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(wire):
            raise KeysetError("its value is malformed: it ends inside a number")
        value |= (wire[at] & 0x7F) << shift
        at += 1
        if wire[at - 1] < 0x80:
            return value, at
    raise KeysetError("its value is malformed: a number has more than 10 bytes")


def _field(number: int, value: int | bytes) -> bytes:
    if isinstance(value, bytes):
        return _varint_bytes(number << 3 | 2) + _varint_bytes(len(value)) + value
    return _varint_bytes(number << 3) + _varint_bytes(value)


def _varint_bytes(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


# One file's keys, and its segments

Segment = tuple[memoryview, memoryview, memoryview, memoryview, memoryview]
"""One segment in memory, as views into IV (16) | body | tag: (IV, body, IV and body, tag, body and tag)."""


class FileKeys:
    """The keys of one file, derived from a keyset's key, the file's salt and the associated data."""

    def __init__(self, key: Key, salt: bytes, prefix: bytes, aad: bytes) -> None:
        p = key.parameters
        if len(salt) != p.derived_key_bytes or len(prefix) != PREFIX_BYTES:
            raise ValueError(f"the salt has {p.derived_key_bytes} bytes and the prefix {PREFIX_BYTES}")
        hkdf = HKDF(_DIGESTS[p.hkdf_hash](), p.derived_key_bytes + HMAC_KEY_BYTES, salt, aad)
        derived = hkdf.derive(key.secret)
        self.parameters = p
        self.header = bytes([p.header_bytes]) + salt + prefix
        self.prefix = prefix
        self.aes_key = derived[: p.derived_key_bytes]
        self.hmac_key = derived[p.derived_key_bytes :]

    @classmethod
    def new(cls, key: Key, aad: bytes) -> FileKeys:
        """Keys for a new file: salt and prefix are random."""
        return cls(key, os.urandom(key.parameters.derived_key_bytes), os.urandom(PREFIX_BYTES), aad)

    @classmethod
    def from_header(cls, key: Key, header: bytes, aad: bytes) -> FileKeys:
        """Keys of the file with this header. Raises DamagedError: not a header for this key."""
        p = key.parameters
        if len(header) != p.header_bytes or header[0] != p.header_bytes:
            raise DamagedError(f"not a file for this key: its header does not say {p.header_bytes} bytes")
        return cls(key, header[1:-PREFIX_BYTES], header[-PREFIX_BYTES:], aad)

    def cipher(self) -> SegmentCipher:
        """What one thread needs to work on segments."""
        return SegmentCipher(self)


class SegmentCipher:
    """Seals and opens segments in place. To be used by one thread at a time."""

    def __init__(self, keys: FileKeys) -> None:
        p = keys.parameters
        self._stream = runnel.new(f"aes-{8 * p.derived_key_bytes}-ctr", keys.aes_key, bytes(IV_BYTES))
        self._hmac = HMAC(keys.hmac_key, _DIGESTS[p.hmac_hash]())
        self._prefix = keys.prefix
        self._tag_bytes = p.tag_bytes
        # prefix, number of the segment, whether it is the last, and the counter, which starts at 0
        self._pack_iv = struct.Struct(">7sIB4x").pack_into

    def seal(self, segments: Sequence[Segment], start: int, last: bool) -> None:
        """Encrypts the bodies in place and writes IVs and tags. start is the number of the first segment; last
        says whether the final one ends the file."""
        pack_iv, prefix, tag_bytes = self._pack_iv, self._prefix, self._tag_bytes
        reset, xor_into, copy_hmac = self._stream.reset, self._stream.xor_into, self._hmac.copy
        end = start + len(segments) - 1 if last else -1
        for index, (iv, body, signed, tag, _) in enumerate(segments, start):
            pack_iv(iv, 0, prefix, index, index == end)
            reset(iv)
            xor_into(body, body)
            mac = copy_hmac()
            mac.update(signed)
            tag[:] = mac.finalize()[:tag_bytes]

    def open(self, segments: Sequence[Segment], start: int, last: bool) -> int:
        """Verifies the segments in order and decrypts each in place. Returns how many verified: when it is fewer
        than there are, the next one did not, and neither it nor any after it was decrypted."""
        pack_iv, prefix, tag_bytes = self._pack_iv, self._prefix, self._tag_bytes
        reset, xor_into, copy_hmac = self._stream.reset, self._stream.xor_into, self._hmac.copy
        equal = hmac.compare_digest
        end = start + len(segments) - 1 if last else -1
        for index, (iv, body, signed, tag, _) in enumerate(segments, start):
            pack_iv(iv, 0, prefix, index, index == end)
            mac = copy_hmac()
            mac.update(signed)
            if not equal(mac.finalize()[:tag_bytes], tag):
                return index - start
            reset(iv)
            xor_into(body, body)
        return len(segments)
