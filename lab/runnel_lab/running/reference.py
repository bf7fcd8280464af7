# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The bytes that the host makes, with the portable kernel: what every target is compared with."""

from __future__ import annotations

from typing import Protocol

import runnel

from runnel_lab.subjects import Cipher, Mode


class Host(Protocol):
    """One key; iv starts a message."""

    def iv(self, iv: bytes, layout: str | None = None) -> None: ...
    def encrypt(self, data: bytes) -> bytes: ...
    def decrypt(self, data: bytes) -> bytes: ...
    def seek(self, position: int) -> None: ...


def host(cipher: Cipher, key: bytes) -> Host:
    return _Blocks(cipher, key) if cipher.mode == Mode.BLOCKS else _Stream(cipher, key)


class _Stream:
    def __init__(self, cipher: Cipher, key: bytes) -> None:
        self._cipher = cipher
        self._key = key
        self._stream: runnel.Stream | None = None

    def iv(self, iv: bytes, layout: str | None = None) -> None:
        if self._stream is None:
            self._stream = runnel.new(
                self._cipher.name, self._key, iv, layout=layout, kernel="portable", allow_broken=True
            )
        else:
            self._stream.reset(iv, layout)

    def encrypt(self, data: bytes) -> bytes:
        assert self._stream is not None
        return self._stream.encrypt(data) if self._cipher.mode == Mode.DIRECTIONAL else self._stream.xor(data)

    def decrypt(self, data: bytes) -> bytes:
        assert self._stream is not None
        return self._stream.decrypt(data) if self._cipher.mode == Mode.DIRECTIONAL else self._stream.xor(data)

    def seek(self, position: int) -> None:
        assert self._stream is not None
        self._stream.seek(position)


class _Blocks:
    """A block encrypted is the keystream of one block whose IV it is. Decrypted can only be what was encrypted here
    before."""

    def __init__(self, cipher: Cipher, key: bytes) -> None:
        self._name = cipher.name.replace("-ecb", "-ctr")
        self._key = key
        self._bytes = cipher.block_bytes
        self._inverse: dict[bytes, bytes] = {}

    def iv(self, iv: bytes, layout: str | None = None) -> None:
        raise NotImplementedError("raw blocks have no IV")

    def encrypt(self, data: bytes) -> bytes:
        return b"".join(map(self._encrypt, self._blocks(data)))

    def _encrypt(self, block: bytes) -> bytes:
        encrypted = runnel.xor(self._name, self._key, block, bytes(self._bytes), kernel="portable")
        self._inverse[encrypted] = block
        return encrypted

    def decrypt(self, data: bytes) -> bytes:
        return b"".join(self._inverse[block] for block in self._blocks(data))

    def _blocks(self, data: bytes) -> list[bytes]:
        return [data[at : at + self._bytes] for at in range(0, len(data), self._bytes)]

    def seek(self, position: int) -> None:
        raise NotImplementedError("raw blocks have no position")
