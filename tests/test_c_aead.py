# SPDX-License-Identifier: Apache-2.0 OR MIT
"""GCM and CCM, written here for the test alone on top of the library's counter mode, against AEAD vectors (Wycheproof,
NIST CAVP, RFC 3610, RFC 5669, RFC 8269): their counters wrap, and their lengths are odd ones. A selection of each file
is in vectors/aead; the complete files are taken where they are at hand."""

import ctypes
import json
import re

import pytest
from c_programs import BUILD, build, kernels
from test_vectors import ROOT, collection, complete_collection, of_the_collection

CIPHERS = {"AES": "aes-{}-ctr", "ARIA": "aria-{}-ctr", "LEA": "lea-{}-ctr", "SEED-128": "seed-ctr"}  # {}: key's bits


class Library:
    """The shared library by ctypes; the Python package is tested elsewhere."""

    def __init__(self):
        build(BUILD)
        self.lib = ctypes.CDLL(str(BUILD / "librunnel.so"))
        self.lib.runnel_cpu_mask(ctypes.c_uint32(0xFFFFFFFF))  # every kernel, whatever RUNNEL_CPU says
        self.lib.runnel_cipher_find.restype = ctypes.c_void_p
        for name, *types in (
            ("cipher_find", "s"),
            ("cipher_key", "p", "p", "s", "n", "s"),
            ("stream_iv", "p", "s", "n", "i"),
            ("stream_xor", "p", "p", "s", "n"),
            ("layout_find", "s"),
        ):
            getattr(self.lib, f"runnel_{name}").argtypes = [
                {"s": ctypes.c_char_p, "p": ctypes.c_void_p, "n": ctypes.c_size_t, "i": ctypes.c_int}[t] for t in types
            ]


class Counter:
    """One key of one cipher through one kernel."""

    def __init__(self, library: Library, cipher: str, kernel: str, key: bytes):
        self.lib = library.lib
        self.context = ctypes.create_string_buffer(65536)
        self.pointer = (ctypes.addressof(self.context) + 63) // 64 * 64
        found = self.lib.runnel_cipher_find(cipher.encode())
        assert self.lib.runnel_cipher_key(found, self.pointer, key, len(key), kernel.encode()) == 0

    def xor(self, first: bytes, layout: str, data: bytes) -> bytes:
        number = self.lib.runnel_layout_find(layout.encode())
        assert number > 0 and self.lib.runnel_stream_iv(self.pointer, first, 16, number) == 0
        out = ctypes.create_string_buffer(len(data) + 1)
        assert self.lib.runnel_stream_xor(self.pointer, out, data, len(data)) == 0
        return out.raw[: len(data)]

    def block(self, block: bytes) -> bytes:
        return self.xor(block, "be128", bytes(16))


def padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 16)


def ghash(h: int, data: bytes) -> bytes:
    y = 0
    for i in range(0, len(data), 16):
        x, y, v = y ^ int.from_bytes(data[i : i + 16], "big"), 0, h
        for bit in range(127, -1, -1):
            if x >> bit & 1:
                y ^= v
            v = v >> 1 ^ (0xE1 << 120 if v & 1 else 0)
    return y.to_bytes(16, "big")


def gcm(counter: Counter, iv: bytes, aad: bytes, plaintext: bytes, tag_bytes: int) -> tuple[bytes, bytes]:
    if not iv:
        raise ValueError("no IV")
    h = int.from_bytes(counter.block(bytes(16)), "big")
    first = iv + b"\0\0\0\1" if len(iv) == 12 else ghash(h, padded(iv) + bytes(8) + (8 * len(iv)).to_bytes(8, "big"))
    stream = counter.xor(first, "be32", bytes(16) + plaintext)
    ciphertext = stream[16:]
    lengths = (8 * len(aad)).to_bytes(8, "big") + (8 * len(plaintext)).to_bytes(8, "big")
    tag = bytes(a ^ b for a, b in zip(stream, ghash(h, padded(aad) + padded(ciphertext) + lengths)))
    return ciphertext, tag[:tag_bytes]


def ccm(counter: Counter, iv: bytes, aad: bytes, plaintext: bytes, tag_bytes: int) -> tuple[bytes, bytes]:
    width = 15 - len(iv)
    if not 2 <= width <= 8 or tag_bytes not in range(4, 17, 2) or len(plaintext) >> 8 * width:
        raise ValueError("no such parameters")
    flags = (64 if aad else 0) + (tag_bytes - 2) // 2 * 8 + width - 1
    text = bytes([flags]) + iv + len(plaintext).to_bytes(width, "big")
    if aad:
        long_form = len(aad) >= 0xFF00
        text += padded((b"\xff\xfe" + len(aad).to_bytes(4, "big") if long_form else len(aad).to_bytes(2, "big")) + aad)
    text += padded(plaintext)
    mac = bytes(16)
    for i in range(0, len(text), 16):
        mac = counter.block(bytes(a ^ b for a, b in zip(mac, text[i : i + 16])))
    first = bytes([width - 1]) + iv + bytes(width)
    layout = {2: "be16", 4: "be32", 8: "be64"}.get(width, "be128")
    stream = counter.xor(first, layout, mac + plaintext)
    return stream[16:], stream[:tag_bytes]


@pytest.fixture(scope="module")
def library():
    return Library()


def check_file(library, name, data):
    """Check every vector through every kernel that this CPU runs."""
    mode = gcm if data["mode"] == "GCM" else ccm
    valid = invalid = 0
    for v in data["vectors"]:
        key, iv, plaintext, ciphertext, tag = (
            bytes.fromhex(v[f]) for f in ("key", "iv", "plaintext", "ciphertext", "tag")
        )
        aad = bytes(i % 256 for i in range(v["aad_len"])) if "aad_rule" in v else bytes.fromhex(v["aad"])
        cipher = CIPHERS[data["cipher"]].format(8 * len(key))
        for kernel in kernels():
            if kernel.cipher != cipher or not kernel.available:
                continue
            counter = Counter(library, cipher, kernel.name, key)
            try:
                same = mode(counter, iv, aad, plaintext, len(tag)) == (ciphertext, tag)
            except ValueError:
                same = False
            assert same == (v["result"] != "invalid"), f"{v['name']} ({v['comment']}) through {kernel}"
            valid, invalid = valid + same, invalid + (not same)
    assert valid > 0 and (invalid > 0 or not name.startswith("wycheproof"))


NAMES = [name for name in collection.AEAD if ("_gcm" in name or "_ccm" in name) and not re.search("gcm_siv|xaes", name)]


def selected(name: str) -> dict:
    return json.loads((ROOT / "tests" / "vectors" / "aead" / f"{name}.json").read_text())


def folder_of(name: str) -> str:
    """Return the folder of the block cipher in src/."""
    return CIPHERS[selected(name)["cipher"]].split("-")[0]


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.of(folder_of(n))) for n in NAMES])
def test_selection(name, library):
    check_file(library, name, selected(name))


@of_the_collection
@pytest.mark.slow
def test_complete_collection(library):
    base = complete_collection()
    for name in NAMES:
        check_file(library, name, collection.aead_file(base, name))
