# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The MACs of src/macs/, measured on targets without an operating system. What they must give comes from other
implementations."""

from __future__ import annotations

import hmac

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
    """Return the MAC's longest tag."""
    if name.startswith("hmac-"):
        return hmac.digest(secret, data, name.removeprefix("hmac-").replace("-", ""))
    if name.startswith("siphash"):
        return _siphash(secret, data, 16 if name == "siphash-128" else 8)
    return {"aes-cmac": _aes_cmac, "ghash": _ghash, "poly1305": _poly1305}[name](secret, data)


def _poly1305(secret: bytes, data: bytes) -> bytes:
    from cryptography.hazmat.primitives.poly1305 import Poly1305

    return Poly1305.generate_tag(secret, data)


def _aes_cmac(secret: bytes, data: bytes) -> bytes:
    from cryptography.hazmat.primitives.ciphers.algorithms import AES
    from cryptography.hazmat.primitives.cmac import CMAC

    mac = CMAC(AES(secret))
    mac.update(data)
    return mac.finalize()


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


def _siphash(secret: bytes, data: bytes, size: int) -> bytes:
    k0, k1 = int.from_bytes(secret[:8], "little"), int.from_bytes(secret[8:], "little")
    v = [
        k0 ^ 0x736F6D6570736575,
        k1 ^ 0x646F72616E646F6D ^ (0xEE if size == 16 else 0),
        k0 ^ 0x6C7967656E657261,
        k1 ^ 0x7465646279746573,
    ]

    def rounds(count: int) -> None:
        for _ in range(count):
            for a, b, c, d in ((0, 1, 2, 3), (2, 1, 0, 3)):
                near, far, turn = (13, 16, 32) if a == 0 else (17, 21, 32)
                v[a] = (v[a] + v[b]) % 2**64
                v[c] = (v[c] + v[d]) % 2**64
                v[b] = _rotate(v[b], near) ^ v[a]
                v[d] = _rotate(v[d], far) ^ v[c]
                v[a] = _rotate(v[a], turn)

    padded = data + bytes(7 - len(data) % 8) + bytes([len(data) % 256])
    for at in range(0, len(padded), 8):
        word = int.from_bytes(padded[at : at + 8], "little")
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    tag = b""
    for place, value in ((2, 0xFF), (1, 0)) if size == 8 else ((2, 0xEE), (1, 0xDD)):
        v[place] ^= value
        rounds(4)
        tag += (v[0] ^ v[1] ^ v[2] ^ v[3]).to_bytes(8, "little")
    return tag[:size]


def _rotate(word: int, by: int) -> int:
    return (word << by | word >> 64 - by) % 2**64
