# SPDX-License-Identifier: Apache-2.0 OR MIT
"""xor and keystream: raw ciphers, not authenticated."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Callable, Iterator
from typing import Any

import click

import runnel
from runnel.cli.names import find, suggestion
from runnel.cli.options import examples, force_option, pass_inputs, quiet_option
from runnel.cli.progress import Progress
from runnel.cli.raw_key import KeySource, key_options, key_source
from runnel.cli.streams import STANDARD, binary_output, check_one_reader, new_file, opened_input, standard_output
from runnel.cli.values import CIPHER, KERNEL, LAYOUT, FileName, HexBytes, Size
from runnel.inputs import Inputs
from runnel.sizes import size_of_file
from runnel.transfer import read_all, read_some, until_readable, write_all

_BLOCK_BYTES = 1 << 20
_NEAR_THE_END_BYTES = 16 << 20


def _shared(function: Any) -> Any:
    for decorator in (
        click.option("--allow-broken", is_flag=True, help="Permit a broken cipher, or a key of fewer than 16 bytes."),
        click.option("--counter", hidden=True),  # what --layout was called first
        click.option(
            "--layout",
            type=LAYOUT,
            metavar="NAME",
            help="The counter layout, where the counter sits in its block: be128, be32, le32 ...",
        ),
        click.option("--kernel", type=KERNEL, metavar="NAME", help="The implementation to run; see runnel ciphers."),
        click.option(
            "--offset", type=Size(), metavar="N", help="Begin at byte N of the keystream; 4K and 64M work too."
        ),
        click.option(
            "--iv", type=HexBytes(), metavar="HEX", required=True, help="The IV or nonce; '' where it has 0 bytes."
        ),
        key_options,
        click.option("--cipher", type=CIPHER, metavar="NAME", required=True, help="The cipher; see runnel ciphers."),
    ):
        function = decorator(function)
    return function


def _stream(inputs: Inputs, options: dict[str, Any]) -> runnel.Stream:
    """Return the stream at its offset. Of what may be wrong, the command line comes before files."""
    cipher, iv, offset, kernel = options["cipher"], options["iv"], options["offset"], options["kernel"]
    counter, layout = options["counter"], options["layout"]
    known = runnel.ciphers()[cipher]
    source = key_source(options["key"], options["key_hex"], options["variable"])
    if counter is not None and layout is not None:
        raise click.UsageError("--counter is the old name of --layout: use one of them", click.get_current_context())
    layout = _layout(known, counter if layout is None else layout)
    _check_kernel(known, kernel)
    if offset is not None and not known.seekable:
        raise runnel.SeekError(f"{cipher} does not support seeking (--offset)")

    def make(key_bytes: bytes) -> runnel.Stream:
        try:
            return runnel.new(cipher, key_bytes, iv, layout=layout, kernel=kernel, allow_broken=options["allow_broken"])
        except runnel.BrokenCipherError:
            why = (
                f"is broken: {known.remark}"
                if known.status == "broken"
                else f"with a key of {len(key_bytes)} bytes, which is too short to be safe"
            )
            raise runnel.BrokenCipherError(f"{cipher} {why}; use --allow-broken to override") from None

    stream = make(_key(inputs, source, known, iv, make))
    if offset:
        if offset >= 1 << 64:
            raise runnel.LimitError(f"{cipher}: the offset is past the end of the keystream")
        stream.seek(offset)
    return stream


def _key(
    inputs: Inputs, source: KeySource, cipher: runnel.Cipher, iv: bytes, make: Callable[[bytes], runnel.Stream]
) -> bytes:
    if isinstance(source, bytes):
        return source
    make(bytes(_key_length_for(cipher, iv)))
    return source(inputs, cipher)


def _layout(cipher: runnel.Cipher, layout: str | None) -> str | None:
    if layout is None:
        return None
    if not cipher.layouts:
        raise runnel.LayoutError(f"{cipher.name} is not a counter mode: no --layout")
    found = find(layout, cipher.layouts)
    if found is None:
        raise runnel.LayoutError(f"{cipher.name} has no layout {layout!r}; it has {', '.join(cipher.layouts)}")
    return found


def _check_kernel(cipher: runnel.Cipher, kernel: str | None) -> None:
    kernels = [each.name for each in cipher.kernels]
    if kernel is not None and kernel not in kernels:
        hint = suggestion(kernel, kernels, f"it has {', '.join(kernels)}")
        raise click.UsageError(f"{cipher.name} has no kernel {kernel!r}; {hint}", click.get_current_context())


def _key_length_for(cipher: runnel.Cipher, iv: bytes) -> int:
    """Return a length of key that goes with the IV, if one does; for a key that is still in its file."""
    if not cipher.iv_as_key:
        return cipher.key_bytes[-1]
    if len(iv) not in cipher.key_bytes:
        lengths = " or ".join(map(str, cipher.key_bytes))
        raise runnel.IVLengthError(f"{cipher.name}: iv has {len(iv)} bytes, must have {lengths} as the key has")
    return len(iv)


@click.command(
    short_help="XOR with raw keystream. NOT AUTHENTICATED.",
    epilog=examples("runnel xor --cipher chacha20 --key key.hex --iv 000000000000000000000001 photos.tar photos.raw"),
)
@_shared
@click.option("--decrypt", is_flag=True, help="Decrypt; only a few ciphers, such as aes-128-cfb, need it.")
@force_option
@quiet_option
@click.argument("source", type=FileName(), metavar="[IN]", default=STANDARD)
@click.argument("target", type=FileName(), metavar="[OUT]", default=STANDARD)
@pass_inputs
def xor(inputs: Inputs, /, decrypt: bool, force: bool, quiet: bool, source: str, target: str, **options: Any) -> None:
    """XOR IN (standard input) with the keystream to OUT (standard output). NOT AUTHENTICATED.

    Anyone who can change the ciphertext can change the plaintext, and an IV used twice under one key gives both messages
    away. Use runnel encrypt unless a format asks for the raw cipher.
    """
    key = options["key"]
    check_one_reader(key=key and key.removeprefix("@"), IN=source)
    stream = _stream(inputs, options)
    with opened_input(inputs, source) as (reader, name):
        size = size_of_file(reader.fileno(), name)
        if size is not None:
            size = max(0, size - os.lseek(reader.fileno(), 0, os.SEEK_CUR))
            if size > stream.left():
                raise _beyond(stream, name)
        with _written(inputs, target, force) as write, Progress(size, quiet) as progress:
            _crypt(stream, stream.decrypt_into if decrypt else stream.encrypt_into, reader, name, write, progress)


def _crypt(
    stream: runnel.Stream,
    verb: Callable[[memoryview, memoryview], int],
    reader: io.FileIO,
    name: str,
    write: Callable[[memoryview], None],
    progress: Progress,
) -> None:
    """XOR the input to the output. Near the keystream's end read all input first, so that too much of it is an error
    before any output."""
    near_the_end = stream.left() <= _NEAR_THE_END_BYTES
    room = memoryview(bytearray(stream.left() + 1 if near_the_end else _BLOCK_BYTES))
    read = read_all if near_the_end else read_some
    while count := read(reader.readinto, name, room, blocked=until_readable(reader.fileno())):
        if count > stream.left():
            raise _beyond(stream, name)
        verb(room[:count], room[:count])
        write(room[:count])
        progress(count)


def _beyond(stream: runnel.Stream, name: str) -> runnel.LimitError:
    return runnel.LimitError(
        f"{name}: longer than the {stream.left()} bytes of keystream that {stream.cipher} has left"
    )


@contextlib.contextmanager
def _written(inputs: Inputs, target: str, force: bool) -> Iterator[Callable[[memoryview], None]]:
    if target == STANDARD:
        file = binary_output(inputs, force, text=True)
        yield lambda view: write_all(file.write, "stdout", view)
        return
    with new_file(inputs, target, force) as out:
        yield lambda view: write_all(lambda rest: os.write(out.fileno(), rest), target, view)
        out.commit()


@click.command(
    short_help="Write raw keystream.",
    epilog=examples("runnel keystream --cipher chacha20 --key key.hex --iv 000000000000000000000001 --bytes 32 --hex"),
)
@_shared
@click.option("--bytes", "count", type=Size(), metavar="N", required=True, help="How many bytes; 4K and 64M work too.")
@click.option("--hex", "as_hex", is_flag=True, help="Write hexadecimal digits and a line's end.")
@click.option("-f", "--force", is_flag=True, help="Write binary data to a terminal.")
@pass_inputs
def keystream(inputs: Inputs, /, count: int, as_hex: bool, force: bool, **options: Any) -> None:
    """Write N bytes of keystream to the standard output."""
    cipher = runnel.ciphers()[options["cipher"]]
    if cipher.directional:
        raise runnel.DirectionError(f"{cipher.name} has no keystream: encryption and decryption differ")
    stream = _stream(inputs, options)
    if count > stream.left():
        raise runnel.LimitError(f"{stream.cipher} has {stream.left()} bytes of keystream left, not {count}")
    file = (
        standard_output(inputs) if as_hex else binary_output(inputs, force, instead="redirect it, print it with --hex")
    )

    def write(data: bytes) -> None:
        write_all(file.write, "stdout", memoryview(data))

    while count:
        part = stream.keystream(min(count, _BLOCK_BYTES))
        write(part.hex().encode() if as_hex else part)
        count -= len(part)
    if as_hex:
        write(b"\n")
