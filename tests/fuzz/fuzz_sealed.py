# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Encrypted files of all formats: those of a writer, damaged as the input says, and the input's own bytes. A file that was
changed opens to nothing but an error of one line, whichever way it is opened; as a stream, nothing comes out before it but
a beginning of the plaintext, of whole segments."""

from __future__ import annotations

import io
import random
from unittest import mock

import runnel
from runnel import decrypt_stream, open_encrypted
from runnel.errors import AuthenticationError
from runnel.sealed.keyset import Key
from sealed_files import SMALL, seal

from fuzz.python_checks import Choices, damaged, result_or_line

_ERRORS = (AuthenticationError,)


def _keysets() -> dict[str, runnel.Keyset]:
    keysets = {}
    for number, (name, parameters) in enumerate(SMALL.items(), 1):
        key = Key(number, parameters, random.Random(number).randbytes(parameters.key_bytes))
        keysets[name] = runnel.Keyset(key, (key,))
    everything = tuple(keyset.primary for keyset in keysets.values())
    return keysets | {"several": runnel.Keyset(everything[0], everything)}


_KEYSETS = _keysets()


def _seal(own: Key, plain: bytes, aad: bytes, choices: Choices) -> bytes:
    with mock.patch("os.urandom", choices.bytes):
        return seal(runnel.Keyset(own, (own,)), plain, aad)


def _reader(keyset: runnel.Keyset, sealed: bytes, aad: bytes, start: int) -> bytes:
    with open_encrypted(io.BytesIO(sealed), "rb", keyset, aad=aad) as reader:
        reader.seek(start)
        return reader.read()


def one(data: bytes) -> None:
    choices = Choices(data)
    name = list(_KEYSETS)[choices.below(len(_KEYSETS))]
    keyset, aad = _KEYSETS[name], choices.bytes(choices.below(3))
    if choices.below(4) == 0:
        sealed, plain, same = choices.rest(), None, False
    else:
        plain = choices.bytes(choices.number(2) % 400)
        own = keyset.keys[choices.below(len(keyset.keys))]
        original = _seal(own, plain, aad, choices)
        sealed = damaged(choices, original)
        same = sealed == original
    out = io.BytesIO()
    done = result_or_line(lambda: (decrypt_stream(io.BytesIO(sealed), out, keyset, aad=aad, threads=1), 1)[1], *_ERRORS)
    released = out.getvalue()
    start = choices.number(2) % 500
    read = result_or_line(lambda: _reader(keyset, sealed, aad, start), *_ERRORS)
    if plain is None:
        assert done is None and not released and read is None, "a file that nobody made opens"
    elif same:
        assert done and released == plain and read == plain[start:], "a file does not open"
    else:
        # From within, what was changed before that place may never be read.
        assert done is None and (read is None or (start > 0 and read == plain[start:])), "a changed file opens"
        assert plain.startswith(released), "something comes out that is no beginning of the plaintext"
