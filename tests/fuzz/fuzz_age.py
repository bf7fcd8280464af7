# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Files in age's format, armored or not, damaged as the input says; the input's own bytes as such a file, and as a file of
recipients or identities. A file that was changed opens to nothing but an error of one line; what armor allows to differ
opens to the same."""

from __future__ import annotations

import io
from unittest import mock

import runnel
from runnel import decrypt_stream
from runnel.errors import AuthenticationError, KeysetError
from runnel.sealed.age import bech32, people, stanzas

from fuzz.python_checks import Choices, damaged, result_or_line

_IDENTITIES = runnel.Identities([bech32.encode("age-secret-key-", bytes(range(32))).upper()])
_PASSPHRASE = runnel.Passphrase("fuzz")


def _sealed(lock: runnel.Recipients, plain: bytes, choices: Choices) -> bytes:
    out = io.BytesIO()
    with mock.patch("os.urandom", choices.bytes):
        runnel.encrypt_stream(io.BytesIO(plain), out, lock, threads=1)
    return out.getvalue()


def _opened(lock: runnel.Identities | runnel.Passphrase, sealed: bytes) -> bytes | None:
    def opened() -> bytes:
        out = io.BytesIO()
        decrypt_stream(io.BytesIO(sealed), out, lock, threads=1)
        return out.getvalue()

    return result_or_line(opened, AuthenticationError)


def _texts(data: bytes) -> None:
    for check in (people.recipient_in, people._secret_in):
        lines = result_or_line(lambda check=check: people._texts(data, "input", check), KeysetError)
        assert lines is None or all(lines)


def one(data: bytes) -> None:
    choices = Choices(data)
    how = choices.below(6)
    if how == 0:
        _texts(choices.rest())
        return
    with mock.patch.multiple(stanzas, LOG2_N=4, LOG2_N_MAX=6):
        lock = _PASSPHRASE if how == 1 else _IDENTITIES
        if how == 2:
            assert _opened(_IDENTITIES, choices.rest()) is None, "a file that nobody made opens"
            return
        armor = bool(choices.below(2))
        recipients = runnel.Recipients(_PASSPHRASE if how == 1 else _IDENTITIES.recipients, armor=armor)
        plain = choices.bytes(choices.number(2) % 400)
        original = _sealed(recipients, plain, choices)
        sealed = damaged(choices, original)
        opened = _opened(lock, sealed)
        if sealed == original:
            assert opened == plain, "a file does not open"
        elif armor:
            assert opened in (None, plain), "a changed file opens to something else"
        else:
            assert opened is None, "a changed file opens"
