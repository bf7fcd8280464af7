# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keysets: text as it is, keys' values in the wire format of protocol buffers, keysets that are locked with a passphrase, and
saved nonce counters. What is read is written and read again the same; an error is one line."""

from __future__ import annotations

import base64
import json

import runnel
from runnel.errors import AuthenticationError, KeysetError
from runnel.sealed.formats import BY_TYPE_URL, TEMPLATES
from runnel.sealed.keyset import WRAPPED_MAGIC, Keyset

from fuzz.python_checks import Choices, damaged, result_or_line

_URLS = list(BY_TYPE_URL)
_PASSPHRASE = runnel.Passphrase("fuzz")


def _check(text: str | bytes) -> None:
    keyset = result_or_line(lambda: Keyset.from_json(text), KeysetError)
    any_form = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    result_or_line(lambda: Keyset.from_bytes(any_form, kms=None), KeysetError)
    if keyset is not None:
        assert Keyset.from_json(keyset.to_json()) == keyset
        assert keyset.primary in keyset.keys


def _value(choices: Choices) -> None:
    """Return a keyset around the input's bytes as a key's value."""
    entry = {"typeUrl": _URLS[choices.below(len(_URLS))], "keyMaterialType": "SYMMETRIC"}
    if choices.below(2):
        parameters = list(TEMPLATES.values())[choices.below(len(TEMPLATES))]
        wire = damaged(choices, parameters.write_key(choices.bytes(parameters.key_bytes)))
        entry["typeUrl"] = parameters.type_url
    else:
        wire = choices.rest()
    entry["value"] = base64.b64encode(wire).decode()
    key = {"keyData": entry, "status": "ENABLED", "keyId": 7, "outputPrefixType": "RAW"}
    _check(json.dumps({"primaryKeyId": 7, "key": [key]}))


def _locked(choices: Choices) -> None:
    """Return a head with parameters of scrypt that take no time, or that scrypt does not have."""
    log2_n, r, p = choices.number(), choices.number(), choices.number()
    if 16 * r > log2_n and r * p << log2_n <= 1 << 23:
        log2_n, r, p = 1 + log2_n % 6, 1 + r % 4, 1 + p % 2
    head = WRAPPED_MAGIC + bytes([log2_n, r, p]) + choices.number(4).to_bytes(4, "big") + choices.bytes(32)
    text = damaged(choices, head + choices.rest())
    parameters = text[len(WRAPPED_MAGIC) : len(WRAPPED_MAGIC) + 3]
    if len(parameters) == 3 and 16 * parameters[1] > parameters[0] and parameters[0] > 6 and parameters != head[16:19]:
        return  # it would take long
    read = lambda position, count: text[position : position + count]  # noqa: E731
    opened = result_or_line(lambda: _PASSPHRASE.unwrap("input", read), AuthenticationError)
    assert opened is None, "a locked keyset that nobody made"


def _damaged_json(choices: Choices) -> None:
    """Return a keyset of a template, damaged."""
    parameters = list(TEMPLATES.values())[choices.below(len(TEMPLATES))]
    key = runnel.sealed.keyset.Key(1 + choices.number(4) % 2**31, parameters, choices.bytes(parameters.key_bytes))
    _check(damaged(choices, Keyset(key, (key,)).to_json().encode()))


def _counter(choices: Choices) -> None:
    text = choices.rest().decode("utf-8", "surrogateescape")
    counter = result_or_line(lambda: runnel.NonceCounter.restore(text), ValueError)
    if counter is not None:
        assert runnel.NonceCounter.restore(counter.save()).save() == counter.save()


def one(data: bytes) -> None:
    choices = Choices(data)
    how = choices.below(8)
    if how < 3:
        _check(choices.rest())
    else:
        (_value, _value, _locked, _damaged_json, _counter)[how - 3](choices)
