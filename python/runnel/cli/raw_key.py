# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A raw cipher's key: --key FILE, --key-env NAME or --key-hex HEX."""

from __future__ import annotations

import contextlib
import os
import string
from collections.abc import Callable
from typing import Any, TypeAlias

import click

import runnel
from runnel import environment
from runnel.cli.streams import STANDARD, file_of
from runnel.cli.values import HexBytes, KeyOrFileName, bytes_of_hex
from runnel.inputs import Inputs

_FILE_BYTES_MAX = 1 << 16
_KEY_CHARACTERS_MIN = 20
"""A shorter word that is wrong is taken for a file's name and shown."""

KeySource: TypeAlias = "bytes | Callable[[Inputs, runnel.Cipher], bytes]"  # which is loaded late
"""The key, or what reads it from its file when the cipher is known."""


def key_options(function: Any) -> Any:
    for decorator in (
        click.option(
            "--key-env",
            "variable",
            metavar="NAME",
            help="The environment variable that holds the key in hexadecimal; child processes do not inherit it.",
        ),
        click.option(
            "--key-hex", type=HexBytes(), metavar="HEX", help="The key itself; others may see it: prefer --key."
        ),
        click.option(
            "-k",
            "--key",
            type=KeyOrFileName(),
            metavar="FILE",
            help="The file with the key, - for the standard input: in hexadecimal (white space is ignored) or, where that "
            "has no length of a key, as the bytes themselves.",
        ),
    ):
        function = decorator(function)
    return function


def raw_key_in_environment(variable: str) -> bytes:
    """Return the key that an environment variable holds in hexadecimal; white space does not count. Raises ValueError,
    whose message does not contain the key."""
    text = environment.secret_in(variable)
    try:
        return bytes_of_hex("".join(text.split()))
    except ValueError as error:
        raise ValueError(f"{environment.shown(variable)}: not a key in hexadecimal: {error}") from None


def key_source(key: str | None, key_hex: bytes | None, variable: str | None = None) -> KeySource:
    """Return the key that the three options name. --key takes hexadecimal digits too, if no file has that name, and
    @FILE for FILE."""
    context = click.get_current_context()
    if sum(given is not None for given in (key, key_hex, variable)) != 1:
        raise click.UsageError("use either --key FILE, --key-env NAME or --key-hex HEX", context)
    if variable is not None:
        return lambda inputs, cipher: raw_key_in_environment(variable)
    if key_hex is not None or key is None:
        return key_hex or b""
    if key.startswith("@"):
        return _reader(file_of(key, "--key"))
    if key == STANDARD or (key and os.path.exists(key)):
        return _reader(key)
    try:
        return bytes_of_hex(key)
    except ValueError as error:
        if not set(key) <= set(string.hexdigits) and not _may_be_a_key(key):
            return _reader(key)
        message = f"neither a file nor a hexadecimal key: {error}"
        raise click.BadParameter(message, context, param_hint="'--key'") from None


def _may_be_a_key(text: str) -> bool:
    """Return whether the text might be a mistyped key, which no message may show."""
    return len(text) >= _KEY_CHARACTERS_MIN and "." not in text and not os.path.isdir(os.path.dirname(text))


def _reader(path: str) -> KeySource:
    return lambda inputs, cipher: _key_in_file(inputs, path, cipher)


def _key_in_file(inputs: Inputs, path: str, cipher: runnel.Cipher) -> bytes:
    """Return hexadecimal text where that has a length the cipher knows, else the bytes as they are."""
    data = inputs.read(path, _FILE_BYTES_MAX + 1)
    with contextlib.suppress(ValueError):  # UnicodeDecodeError is one
        key = bytes_of_hex("".join(data.decode("ascii").split()))
        if len(key) in cipher.key_bytes:
            return key
    if len(data) in cipher.key_bytes:
        return data
    if not data:
        raise ValueError(f"{path}: not a key for {cipher.name}: the file is empty")
    lengths = " or ".join(map(str, cipher.key_bytes))
    raise ValueError(f"{path}: not a key for {cipher.name}: must have {lengths} bytes, binary or in hexadecimal")
