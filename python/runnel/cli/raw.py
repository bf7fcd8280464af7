# SPDX-License-Identifier: Apache-2.0 OR MIT
"""xor and keystream: raw ciphers, not authenticated."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

import click

import runnel
from runnel.cli.options import (
    STANDARD,
    Progress,
    bytes_of_hex,
    hex_option,
    inputs_of,
    opened_input,
    pass_inputs,
    standard_output,
)
from runnel.inputs import Inputs
from runnel.output import OutputFile
from runnel.transfer import naming, read_all, write_all

_BLOCK_BYTES = 1 << 20
_NEAR_THE_END_BYTES = 16 << 20
_KEYFILE_BYTES_MAX = 1 << 16


KeyInFile = Callable[[runnel.Cipher], bytes]


def _key(context: click.Context, option: click.Parameter, value: str) -> bytes | KeyInFile:
    """The key, or what reads it from its file when the cipher is known."""
    if value.startswith("@"):
        inputs = inputs_of(context)
        return lambda cipher: _key_in_file(inputs, value[1:], cipher)
    return hex_option(context, option, value)


def _key_in_file(inputs: Inputs, path: str, cipher: runnel.Cipher) -> bytes:
    """Hexadecimal text where that has a length the cipher knows, else the bytes as they are."""
    data = inputs.read(path, _KEYFILE_BYTES_MAX + 1)
    with contextlib.suppress(ValueError):  # UnicodeDecodeError is one
        key = bytes_of_hex("".join(data.decode("ascii").split()))
        if len(key) in cipher.key_bytes:
            return key
    if len(data) in cipher.key_bytes:
        return data
    if not data:
        raise ValueError(f"{path}: no key for {cipher.name}: the file is empty")
    lengths = " or ".join(map(str, cipher.key_bytes))
    raise ValueError(f"{path}: no key for {cipher.name}: neither {lengths} bytes nor as many in hexadecimal")


def _shared(function: Any) -> Any:
    for decorator in (
        click.option("--allow-broken", is_flag=True, help="Permit a broken cipher, or a key of fewer than 16 bytes."),
        click.option("--counter", metavar="LAYOUT", help="Where the counter sits in its block: be128, be32, le32 ..."),
        click.option("--kernel", metavar="K", help="The implementation to run; see runnel ciphers."),
        click.option("--offset", type=click.IntRange(0), metavar="N", help="Begin at byte N of the keystream."),
        click.option(
            "--iv", callback=hex_option, metavar="HEX", required=True, help="The IV or nonce; '' where it has 0 bytes."
        ),
        click.option(
            "--key",
            callback=_key,
            metavar="HEX|@FILE",
            required=True,
            help="The key in hexadecimal, or a file that holds it: in hexadecimal (white space is ignored) or, where "
            "that has no length of a key, as the bytes themselves. Other users may see your command line: prefer @FILE.",
        ),
        click.option("--cipher", metavar="NAME", required=True, help="The cipher; see runnel ciphers."),
    ):
        function = decorator(function)
    return function


def _stream(
    cipher: str,
    key: bytes | KeyInFile,
    iv: bytes,
    offset: int | None,
    kernel: str | None,
    counter: str | None,
    allow_broken: bool,
) -> runnel.Stream:
    """The stream at its offset. Of what may be wrong, the command line comes before files."""
    known = runnel.ciphers().get(cipher)
    if known is None:
        raise runnel.UnknownCipherError(f"no cipher is called {cipher!r}; runnel ciphers lists them")
    kernels = {each.name: each for each in known.kernels}
    if kernel is not None and kernel not in kernels:
        raise click.UsageError(
            f"{cipher} has no kernel {kernel!r}; it has {', '.join(kernels)}", click.get_current_context()
        )
    if offset is not None and not known.seekable:
        raise runnel.SeekError(f"{cipher} cannot seek: no --offset")

    def make(key_bytes: bytes) -> runnel.Stream:
        return runnel.new(cipher, key_bytes, iv, layout=counter, kernel=kernel, allow_broken=allow_broken)

    if isinstance(key, bytes):
        stream = make(key)
    else:
        make(bytes(_key_length_for(known, iv)))
        stream = make(key(known))
    if offset:
        if offset >= 1 << 64:
            raise runnel.LimitError(f"{cipher}: the offset {offset} is beyond the end of the keystream")
        stream.seek(offset)
    return stream


def _key_length_for(cipher: runnel.Cipher, iv: bytes) -> int:
    """A length of key that goes with the IV, if one does; for a key that is still in its file."""
    if not cipher.iv_as_key:
        return cipher.key_bytes[-1]
    if len(iv) not in cipher.key_bytes:
        lengths = " or ".join(map(str, cipher.key_bytes))
        raise runnel.IVLengthError(f"{cipher.name}: iv has {len(iv)} bytes, must have {lengths} as the key has")
    return len(iv)


@click.command(short_help="XOR with raw keystream. NOT AUTHENTICATED.")
@_shared
@click.option("--decrypt", is_flag=True, help="Decrypt; only a few ciphers, such as aes-128-cfb, need it.")
@click.option("--force", is_flag=True, help="Replace OUT if it exists.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
@click.argument("source", metavar="[IN]", default=STANDARD)
@click.argument("target", metavar="[OUT]", default=STANDARD)
@pass_inputs
def xor(inputs: Inputs, /, decrypt: bool, force: bool, quiet: bool, source: str, target: str, **options: Any) -> None:
    """XOR IN (standard input) with the keystream to OUT (standard output). NOT AUTHENTICATED.

    Whoever can change the ciphertext can change the plaintext, and an IV used twice under one key gives both messages
    away. Use runnel encrypt unless a format asks for the raw cipher.
    """
    stream = _stream(**options)
    with opened_input(inputs, source) as (reader, name):
        status = os.fstat(reader.fileno())
        size = None
        if stat.S_ISREG(status.st_mode) and status.st_size:
            size = max(0, status.st_size - os.lseek(reader.fileno(), 0, os.SEEK_CUR))
            if size > stream.left():
                raise _beyond(stream, name)
        with _written(inputs, target, force) as write, Progress(size, quiet) as progress:
            _crypt(stream, stream.decrypt_into if decrypt else stream.encrypt_into, reader, name, write, progress)


def _crypt(
    stream: runnel.Stream,
    verb: Callable[[memoryview, memoryview], int],
    reader: BinaryIO,
    name: str,
    write: Callable[[memoryview], None],
    progress: Progress,
) -> None:
    """Near the keystream's end all input is read first, so that too much of it is found before any output."""
    near_the_end = stream.left() <= _NEAR_THE_END_BYTES
    room = memoryview(bytearray(stream.left() + 1 if near_the_end else _BLOCK_BYTES))
    while True:
        count = _read(reader, name, room, whole=near_the_end)
        if not count:
            return
        if count > stream.left():
            raise _beyond(stream, name)
        verb(room[:count], room[:count])
        write(room[:count])
        progress(count)


def _read(reader: BinaryIO, name: str, room: memoryview, whole: bool) -> int:
    if whole:
        return read_all(reader.readinto, name, room)  # type: ignore[attr-defined]
    with naming(name):
        return reader.readinto(room) or 0  # type: ignore[attr-defined]


def _beyond(stream: runnel.Stream, name: str) -> runnel.LimitError:
    return runnel.LimitError(
        f"{name}: longer than the {stream.left()} bytes of keystream that {stream.cipher} has left"
    )


@contextlib.contextmanager
def _written(inputs: Inputs, target: str, force: bool) -> Iterator[Callable[[memoryview], None]]:
    if target == STANDARD:
        file = standard_output(inputs)
        yield lambda view: write_all(file.write, "stdout", view)
        return
    with OutputFile(target, inputs=inputs, force=force) as out:
        yield lambda view: write_all(lambda rest: os.write(out.fileno(), rest), target, view)
        out.commit()


@click.command(short_help="Write raw keystream.")
@_shared
@click.option("--bytes", "count", type=click.IntRange(0), metavar="N", required=True, help="How many bytes.")
@click.option("--hex", "as_hex", is_flag=True, help="Write hexadecimal digits and a line's end.")
@pass_inputs
def keystream(inputs: Inputs, /, count: int, as_hex: bool, **options: Any) -> None:
    """Write N bytes of keystream to the standard output."""
    cipher = runnel.ciphers().get(options["cipher"])
    if cipher is not None and cipher.directional:
        raise runnel.DirectionError(f"{cipher.name} has no keystream: encryption and decryption differ")
    stream = _stream(**options)
    if count > stream.left():
        raise runnel.LimitError(f"{stream.cipher} has {stream.left()} bytes of keystream left, not {count}")
    with _written(inputs, STANDARD, False) as write:
        while count:
            part = stream.keystream(min(count, _BLOCK_BYTES))
            write(memoryview(part.hex().encode() if as_hex else part))
            count -= len(part)
        if as_hex:
            write(memoryview(b"\n"))
