# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The MACs of src/macs/, measured on targets without an operating system by lab/bench_mac.c: key set-up, and the tag of 128
bytes and of a long message. What they must give comes from other implementations."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from runnel_lab import subjects
from runnel_lab.building import objects
from runnel_lab.running.session import Call, key
from runnel_lab.subjects import Cipher, Subject
from runnel_lab.targets import Target

PROGRAM = "bench_mac.c"


@dataclass(frozen=True)
class _Mac:
    folder: str
    tag: Callable[[bytes, bytes], bytes]


def kernels(target: Target, mac: Cipher) -> list[str]:
    """Returns the kernels of the block cipher below, or "portable", which stands for what is linked where there is no knob:
    on AVR assembly."""
    if target.hosted or target.kernels:
        return []
    return objects.kernels(target, subjects.cipher("aes-128-ctr")) if mac.name == "aes-cmac" else ["portable"]


def told(tree: Path, subject: Subject) -> list[str]:
    """Returns what the compiler is told of the subject, and the library's knobs."""
    folder = _MACS[subject.cipher.name].folder
    aes = (
        [
            f"-DRUNNEL_AES_KERNEL={subject.kernel.replace('-', '_')}",
            f"-DRUNNEL_AES_KEY_BITS={8 * subject.key_bytes}",
            "-I",
            str(tree / "src" / "ciphers" / "aes"),
        ]
        if subject.cipher.name == "aes-cmac"
        else []
    )
    tag_bytes = len(tag(subject.cipher.name, bytes(subject.key_bytes), b""))
    return [
        f'-DBENCH_HEADER="{folder}.h"',
        f"-DBENCH_FAMILY={subject.cipher.family}",
        f"-DBENCH_TAG={tag_bytes}",
        *aes,
        *objects.includes(tree, tree / "src" / "macs" / folder),
    ]


def needed(target: Target, subject: Subject, command: tuple[str, ...]) -> list[Path]:
    """Returns the files of the MAC's folder, and those of the block cipher below."""
    files = sorted((target.tree / "src" / "macs" / _MACS[subject.cipher.name].folder).rglob("*.[cS]"))
    if subject.cipher.name == "aes-cmac":
        files += objects.needed(target, subjects.cipher("aes-128-ctr"), subject.kernel, command)
    return files


def one_pass(target: Target, subject: Subject, number: int, packet: int) -> list[tuple[Call, bytes]]:
    """Returns key set-up and a message, for each length, with the bytes that must come back."""
    steps = []
    for label, length in (("packet", packet), *([("long", target.long)] if target.long else [])):
        secret = hashlib.shake_256(f"key {number} {label}".encode()).digest(subject.key_bytes)
        data = hashlib.shake_256(f"data {number} {label}".encode()).digest(length)
        right = tag(subject.cipher.name, secret, data)
        steps += [(key(secret), b""), (authenticate(label, data), right + data[len(right) :])]
    return steps


def tag(name: str, secret: bytes, data: bytes) -> bytes:
    """Returns the MAC's longest tag."""
    return _MACS[name].tag(secret, data)


def authenticate(label: str, data: bytes, offset: int = 0) -> Call:
    return Call(label, b"T" + offset.to_bytes(2, "little") + len(data).to_bytes(2, "little") + data, len(data))


def _poly1305(secret: bytes, data: bytes) -> bytes:
    r = int.from_bytes(secret[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    total = 0
    for at in range(0, len(data), 16):
        total = (total + int.from_bytes(data[at : at + 16] + b"\1", "little")) * r % (2**130 - 5)
    return ((total + int.from_bytes(secret[16:], "little")) % 2**128).to_bytes(16, "little")


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


def _siphash(secret: bytes, data: bytes, size: int = 8) -> bytes:
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


_MACS = {
    "aes-cmac": _Mac("aes_cmac", _aes_cmac),
    "ghash": _Mac("ghash", _ghash),
    "hmac-sha-1": _Mac("hmac_sha_1", lambda secret, data: hmac.digest(secret, data, "sha1")),
    "hmac-sha-256": _Mac("hmac_sha_256", lambda secret, data: hmac.digest(secret, data, "sha256")),
    "poly1305": _Mac("poly1305", _poly1305),
    "siphash": _Mac("siphash", _siphash),
    "siphash-128": _Mac("siphash", lambda secret, data: _siphash(secret, data, 16)),
}
