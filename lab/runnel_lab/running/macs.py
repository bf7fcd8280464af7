# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The MACs of src/macs/, measured on targets without an operating system."""

from __future__ import annotations

import runnel

from runnel_lab import subjects
from runnel_lab.building.kernels import kernels as kernels_of
from runnel_lab.subjects import Cipher
from runnel_lab.targets import Target


def kernels(target: Target, mac: Cipher) -> list[str]:
    """Return the kernels of the block cipher below, or "portable", which stands for what is linked where there is no knob:
    on AVR assembly."""
    if target.hosted or target.kernels:
        return []
    return kernels_of(target, subjects.cipher("aes-128-ctr")) if mac.name == "aes-cmac" else ["portable"]


def folders(name: str) -> tuple[str, ...]:
    """Return the folders of src/ that have its code, its own first."""
    own = "macs/siphash" if name == "siphash-128" else f"macs/{name.replace('-', '_')}"
    return (own, "ciphers/aes") if name == "aes-cmac" else (own,)


def tag(name: str, secret: bytes, data: bytes) -> bytes:
    """Return the MAC's longest tag, as the host makes it; the published vectors are put to it by the tests."""
    return _ghash(secret, data) if name == "ghash" else bytes(runnel.mac(name, secret, data).tag())


def _ghash(secret: bytes, data: bytes) -> bytes:
    h, total = int.from_bytes(secret), 0
    for at in range(0, len(data), 16):
        total ^= int.from_bytes(data[at : at + 16].ljust(16, b"\0"))
        product, power = 0, h
        for bit in range(127, -1, -1):  # the highest bit belongs to 1
            product ^= power * (total >> bit & 1)
            power = power >> 1 ^ (power & 1) * (0xE1 << 120)
        total = product
    return total.to_bytes(16)
