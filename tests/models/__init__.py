# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Models of ciphers for which there is no independent library, or one alone: written by this project from the
specifications, as slow and as close to their text as they can be, without anything of src/. They are no independent
implementations: who misread a specification could misread it twice. Each gives published bytes by itself."""

from collections.abc import Callable
from functools import partial
from importlib import import_module


def _keystream(module: str, function: str = "keystream") -> Callable[[bytes, bytes, bytes], bytes]:
    def encrypted(key: bytes, iv: bytes, data: bytes) -> bytes:
        stream = getattr(import_module(f"models.{module}"), function)(key, iv, len(data))
        return bytes(a ^ b for a, b in zip(data, stream, strict=True))

    return encrypted


def _encrypt(module: str, function: str, *first: object) -> Callable[[bytes, bytes, bytes], bytes]:
    return lambda key, iv, data: partial(getattr(import_module(f"models.{module}"), function), *first)(key, iv, data)


ENCRYPT: dict[str, Callable[[bytes, bytes, bytes], bytes]] = {
    "cryptmt": _keystream("cryptmt"),
    "decim": _keystream("decim"),
    "dragon": _keystream("dragon"),
    "edon80": _keystream("edon80"),
    "f-fcsr-16": _keystream("f_fcsr", "sixteen"),
    "f-fcsr-h": _keystream("f_fcsr", "h"),
    "f-fcsr-h-v1": _keystream("f_fcsr", "h_version_1"),
    "grain-128": _keystream("grain128"),
    "hight-cfb": _encrypt("hight", "feedback_mode"),
    "hight-ctr": _keystream("hight", "counter_mode"),
    "lex": _keystream("lex"),
    "mickey-128": _keystream("mickey128"),
    "nls": _keystream("nls"),
    "phelix": _encrypt("phelix", "encrypt", 128),
    "phelix-64": _encrypt("phelix", "encrypt", 64),
    "phelix-96": _encrypt("phelix", "encrypt", 96),
    "pomaranch-v1": _keystream("pomaranch"),
    "py": _keystream("py"),
    "trivium": _keystream("trivium"),
}
"""By the library's name of the cipher: of key, IV and data."""


def _seal(key: bytes, nonce: bytes, aad: bytes, text: bytes) -> tuple[bytes, bytes]:
    return import_module("models.grain128aead").seal(key, nonce, aad, text)


SEAL: dict[str, Callable[[bytes, bytes, bytes, bytes], tuple[bytes, bytes]]] = {"grain-128aead-v2": _seal}
"""By the library's name of the AEAD: of key, nonce, associated data and text; gives ciphertext and tag."""
