# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Encrypted files for tests, in every format: keys whose segments are small, and every way to open a file."""

from __future__ import annotations

import io
import json
import os
import random

import runnel
from runnel import decrypt_file, decrypt_stream, open_encrypted
from runnel.sealed import operations
from runnel.sealed.cobblestone import Cobblestone
from runnel.sealed.ctr_hmac import CtrHmac
from runnel.sealed.gcm_hkdf import GcmHkdf
from runnel.sealed.io import SequentialSink, SequentialSource
from runnel.sealed.keyset import Key
from runnel.sealed.parameters import Parameters
from tink_vectors import keyset_json


class SmallCobblestone(Cobblestone):
    """Its chunks have 48 bytes of plaintext."""

    segment_bytes = 64


SMALL: dict[str, Parameters] = {
    "ctr-hmac": CtrHmac(64, 16, tag_bytes=16),
    "ctr-hmac-sha512": CtrHmac(64, 16, hmac_hash="SHA512", tag_bytes=16),
    "gcm-hkdf": GcmHkdf(64, 16),
    "cobblestone": SmallCobblestone(16),
}
"""One key of each format, and of its code for other hashes, whose segments have 64 bytes, 48 of them plaintext."""

ONE_OF_EACH = ("AES128_CTR_HMAC_SHA256_4KB", "AES128_GCM_HKDF_4KB", "cobblestone-128")
"""A template of each format."""


def keyset_of(parameters: Parameters, count: int = 1) -> runnel.Keyset:
    keys = tuple(Key(n, parameters, random.randbytes(parameters.key_bytes)) for n in range(1, count + 1))
    return runnel.Keyset(keys[0], keys)


def replace(thing, **changes):
    """Return a key or keyset with other fields."""
    return type(thing)(**{**vars(thing), **changes})


def keyset_of_vector(vector: dict) -> runnel.Keyset:
    """Return the keyset of a vector of tink_vectors' selection."""
    return runnel.Keyset.from_json(json.dumps(keyset_json(vector["value"])))


def borders(p: Parameters, segments: int = 3) -> list[int]:
    """Lengths of plaintexts: nothing, one byte, and around the ends of segments."""
    ends = [p.plaintext_at(index) for index in range(1, segments + 1)]
    return [0, 1, *(end + d for end in ends for d in (-1, 0, 1))]


def seal(keyset: runnel.Keyset, plaintext: bytes, aad: bytes = b"", header: bytes | None = None) -> bytes:
    """Return the sealed file; header: its header, where it is not to be a new one."""
    out = io.BytesIO()
    source = SequentialSource(io.BytesIO(plaintext), "plaintext")
    key = keyset.primary
    keys = None if header is None else key.parameters.file_keys(key.secret, header, aad)
    operations.encrypt(keyset, source, SequentialSink(out, "sealed"), aad=aad, keys=keys)
    return out.getvalue()


def unseal(keyset, sealed: bytes, aad: bytes = b"") -> bytes:
    out = io.BytesIO()
    decrypt_stream(io.BytesIO(sealed), out, keyset, aad=aad)
    return out.getvalue()


def every_way_to_open(keyset, sealed, aad, folder):
    """Open it in every way: as a stream, as a file with positions, and by the reader that seeks."""
    (folder / "sealed").write_bytes(sealed)

    def as_file():
        try:
            decrypt_file(folder / "sealed", folder / "opened", keyset, aad=aad, force=True, threads=2)
            return (folder / "opened").read_bytes()
        finally:
            assert not list(folder.glob(".*"))

    def as_reader():
        with open_encrypted(folder / "sealed", "rb", keyset, aad=aad) as reader:
            return reader.read()

    return lambda: unseal(keyset, sealed, aad), as_file, as_reader


def in_a_child(call) -> str:
    """Runs call in a process that is forked; returns what it returned, or the name of the exception."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            message = str(call())
        except BaseException as error:
            message = type(error).__name__
        finally:
            os.write(theirs, message.encode())
            os._exit(0)
    os.close(theirs)
    os.waitpid(child, 0)
    with open(ours) as pipe:
        return pipe.read()
