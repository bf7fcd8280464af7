# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Shared by the tests of the Python package: streams to try, refusals, threads."""

import random
import threading

import pytest
import runnel
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

CIPHERS = runnel.ciphers()
DIRECTIONAL = [name for name, cipher in CIPHERS.items() if cipher.directional]
SEEKABLE = [name for name, cipher in CIPHERS.items() if cipher.seekable]
AES = "aes-128-ctr"
KEY, IV = bytes(range(16)), bytes(range(100, 116))
KEY32, NONCE = bytes(32), bytes(12)
"""For ChaCha20."""


def make(name: str, kernel: str | None = None, key_seed: int = 1, iv_seed: int = 2) -> runnel.Stream:
    cipher = CIPHERS[name]
    return runnel.new(
        name,
        random.Random(key_seed).randbytes(cipher.key_bytes[-1]),
        random.Random(iv_seed).randbytes(cipher.iv_bytes[-1]),
        kernel=kernel,
        allow_broken=True,
    )


def kernels() -> list[tuple[str, str]]:
    return [(c.name, k.name) for c in CIPHERS.values() for k in c.kernels if k.available]


def encrypted(name: str, key: bytes, iv: bytes, data: bytes) -> bytes:
    return runnel.new(name, key, iv, allow_broken=True).encrypt(data)


def peer(key: bytes, iv: bytes, data: bytes) -> bytes:
    return Cipher(algorithms.AES(key), modes.CTR(iv)).encryptor().update(data)


def refused(call, error, text):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == text, str(caught.value)
    return caught.value


def in_threads(*functions):
    """Runs each function in a thread of its own and gives their results; errors come out."""
    results = [None] * len(functions)

    def run(i):
        try:
            results[i] = functions[i]()
        except BaseException as error:
            results[i] = error

    threads = [threading.Thread(target=run, args=(i,)) for i in range(len(functions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return results
