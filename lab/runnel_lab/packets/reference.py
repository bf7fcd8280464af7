# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The packets that the host makes, which every target's are compared with."""

from __future__ import annotations

from collections.abc import Callable

import runnel

from runnel_lab import subjects
from runnel_lab.packets.combinations import Combination
from runnel_lab.running import macs, reference


def seal(
    combination: Combination, key: bytes, nonce: bytes, header: bytes, text: bytes, tag_bytes: int
) -> tuple[bytes, bytes]:
    """Returns ciphertext and tag."""
    if combination.composed:
        return _composed(combination, key, nonce, header, text, tag_bytes)
    sealer = runnel.aead(combination.name, key, tag_bytes=tag_bytes, kernel="portable")
    sealed = sealer.seal(nonce, text, header)
    return sealed[: len(text)], sealed[len(text) :]


def _composed(
    combination: Combination, key: bytes, nonce: bytes, header: bytes, text: bytes, tag_bytes: int
) -> tuple[bytes, bytes]:
    """Compose cipher and MAC as lab/compose.h does, in Python."""
    assert combination.cipher is not None
    one_time = combination.mac == "poly1305"
    own = len(key) if one_time else len(key) - 16
    iv = nonce.ljust(combination.iv, b"\0")
    stream = runnel.new(
        combination.cipher, key[:own], iv, layout=combination.layout, kernel="portable", allow_broken=True
    )
    mac_key = stream.xor(bytes(32)) if one_time else key[own:]
    ciphertext = stream.xor(text)
    lengths = len(header).to_bytes(2, "little") + len(text).to_bytes(2, "little")
    covered = (b"" if one_time else nonce) + header + ciphertext + lengths
    if combination.block is None:
        assert combination.mac is not None
        return ciphertext, macs.tag(combination.mac, mac_key, covered)[:tag_bytes]
    blocks = reference.host(subjects.cipher(combination.block.cipher.replace("-ctr", "-ecb")), mac_key)
    return ciphertext, cmac(blocks.encrypt, combination.block.bytes, covered)[:tag_bytes]


def cmac(encrypt: Callable[[bytes], bytes], size: int, data: bytes) -> bytes:
    """CMAC (SP 800-38B) of any block cipher with blocks of 8 or 16 bytes."""

    def twice(block: int) -> int:
        shifted = block << 1
        return shifted % (1 << 8 * size) ^ (shifted >> 8 * size) * (0x1B if size == 8 else 0x87)

    subkey = twice(int.from_bytes(encrypt(bytes(size))))
    whole = (len(data) - 1) // size * size if data else 0
    last = data[whole:]
    if len(last) < size:
        subkey, last = twice(subkey), (last + b"\x80").ljust(size, b"\0")
    chain = 0
    for at in range(0, whole, size):
        chain = int.from_bytes(encrypt((chain ^ int.from_bytes(data[at : at + size])).to_bytes(size)))
    return encrypt((chain ^ int.from_bytes(last) ^ subkey).to_bytes(size))
