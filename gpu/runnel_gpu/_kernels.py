# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The kernels for GPUs: their ciphers, and the source that each is compiled from."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import runnel
from runnel.errors import KernelError


class GPUKernel(NamedTuple):
    """One implementation technique of a cipher on GPUs. All kernels of a cipher make the same bytes."""

    cipher: str
    name: str
    timing_class: str
    """'constant-time', or 'secret-indexed': its time may tell other programs on the device of the key."""
    source: str
    """The file that it is compiled from."""
    defines: tuple[str, ...]
    block_bytes: int
    group_blocks: int
    """How many blocks a warp makes at once; a group begins at a multiple of it."""

    @property
    def group_bytes(self) -> int:
        return self.block_bytes * self.group_blocks


def _all() -> tuple[GPUKernel, ...]:
    found = []
    for family in ("aes", "aria"):
        for key_bytes in (16, 24, 32):
            defines = (f"KEY_BYTES={key_bytes}", *(["ARIA"] if family == "aria" else []))
            name = f"{family}-{8 * key_bytes}-ctr"
            found.append(GPUKernel(name, "bitsliced", "constant-time", "bitsliced.cu", defines, 16, 1024))
            if family == "aes":
                found.append(GPUKernel(name, "table", "secret-indexed", "aes_table.cu", defines, 16, 1024))
    found.append(GPUKernel("chacha20", "words", "constant-time", "chacha20.cu", (), 64, 32))
    return tuple(found)


_ALL = _all()


def kernels() -> tuple[GPUKernel, ...]:
    """Return the kernels for GPUs, of each cipher the one first that runs when none is named."""
    return _ALL


def find(name: str, kernel: str | None) -> GPUKernel:
    """Return the kernel of that name, or the cipher's first. Raises UnknownCipherError, KernelError, TypeError."""
    if not isinstance(kernel, str | None):
        raise TypeError(f"kernel must be a str or None, not {type(kernel).__name__}")
    known = runnel.cipher(name).name
    of_cipher = [each for each in _ALL if each.cipher == known]
    if not of_cipher:
        raise _error(known, f"{known}: not on a GPU; there are {', '.join(sorted({each.cipher for each in _ALL}))}")
    for each in of_cipher:
        if kernel is None or each.name == kernel.lower():
            return each
    raise _error(
        known, f"{known}: no kernel {kernel!r} on a GPU; there are {', '.join(each.name for each in of_cipher)}"
    )


def _error(name: str, text: str) -> KernelError:
    error = KernelError(text)
    error.cipher = name
    return error


@cache
def source(name: str) -> str:
    """Return a file of cuda/ with all that it includes, as often as it is included: each has a guard."""
    found = files("runnel_gpu").joinpath("cuda", name).read_text("utf-8")
    return re.sub(r'^#include "([a-z0-9_.]+)"$', lambda match: source(match[1]), found, flags=re.MULTILINE)
