# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every kernel of AES on every target, under its simulator: all vectors, and random calls against the host's portable
kernel, with counters placed just before a carry at every byte."""

from __future__ import annotations

import random

import pytest

from lab_programs import AES, LAYOUTS, Program, aes_vectors, pairs, program
from runnel.lab import reference, session, subjects

VECTORS = aes_vectors()

# The bytes of each layout's counter, the one that changes fastest first.
FIELDS = {
    "be128": range(15, -1, -1), "be64": range(15, 7, -1), "be32": range(15, 11, -1), "be16": range(15, 13, -1),
    "le128": range(16), "le64": range(8), "le32": range(4),
}


def pieces(rng: random.Random, length: int, limit: int, multiple: int = 1) -> list[int]:
    """Cuts a message into calls that the target's buffer holds."""
    found = []
    while length > 0:
        size = min(length, limit, multiple * rng.choice((1, 15, 16, 17, 31, 32, 33, 100, 128, 129, 512, 1000, 4096)))
        found.append(size)
        length -= size
    return found


def vectors_of(cipher: str) -> list[dict]:
    """The vectors of all key lengths for the mode of the cipher."""
    mode = cipher.rsplit("-", 1)[1]
    return [v for v in VECTORS if ("ecb" if v.get("layout") == "ecb" else v["cipher"].rsplit("-", 1)[1]) == mode]


def text_of(vector: dict) -> bytes:
    text = vector["input"]
    return bytes(int(text.removeprefix("zeros "))) if text.startswith("zeros ") else bytes.fromhex(text)


def add_vector(run: Program, mode: str, vector: dict, rng: random.Random) -> None:
    text, output = text_of(vector), bytes.fromhex(vector["output"])
    name, limit = vector["name"], run.target.buffer // 16 * 16
    start = [session.key(bytes.fromhex(vector["key"]))]
    if mode != "ecb":
        start.append(session.iv(bytes.fromhex(vector["iv"]), LAYOUTS.index(vector.get("layout", "default"))))
    if int(vector.get("offset", 0)):
        start.append(session.seek(int(vector["offset"])))
    directions = [(session.encrypt, name, text, output)]
    if mode != "ctr":
        directions.append((session.decrypt, "raw decryption" if mode == "ecb" else name, output, text))
    for call, label, before, after in directions:
        for each in start:
            run.expect(each)
        at = 0
        for size in pieces(rng, len(before), limit, 16 if mode == "ecb" else 1):
            run.expect(call(label, before[at : at + size], rng.randrange(16)), after[at : at + size])
            at += size


def counter_before_a_carry(rng: random.Random, layout: str, boundary: int) -> bytes:
    """A counter whose low `boundary` bytes overflow within the next forty blocks."""
    block = bytearray(rng.randbytes(16))
    low = (1 << 8 * boundary) - rng.randrange(1, min(40, 1 << 8 * boundary))
    for place in FIELDS[layout][:boundary]:
        block[place] = low & 0xFF
        low >>= 8
    return bytes(block)


def add_random_calls(run: Program, cipher: str, rng: random.Random) -> None:
    mode = cipher.rsplit("-", 1)[1]
    limit = min(run.target.buffer, 4096)
    for bits in (128, 192, 256, 128):
        key = rng.randbytes(bits // 8)
        run.expect(session.key(key))
        host = reference.host(subjects.cipher(f"aes-{bits}-{mode}"), key)
        if mode == "ctr":
            add_counters(run, host, rng, limit)
            add_nonces(run, host, rng, limit)
            continue
        for _ in range(6):
            if mode == "cfb":
                add_feedback(run, host, rng, limit)
            else:
                text = rng.randbytes(16 * rng.randrange(1, limit // 16))
                output = host.encrypt(text)
                run.expect(session.encrypt("blocks", text, rng.randrange(16)), output)
                run.expect(session.decrypt("raw decryption", output, rng.randrange(16)), text)
    run.expect(session.wipe())


def add_feedback(run: Program, host: reference.Host, rng: random.Random, limit: int) -> None:
    iv, text = rng.randbytes(16), rng.randbytes(rng.randrange(1, limit))
    host.iv(iv)
    output = host.encrypt(text)
    for call, before, after in ((session.encrypt, text, output), (session.decrypt, output, text)):
        run.expect(session.iv(iv))
        at = 0
        for size in pieces(rng, len(text), limit):
            run.expect(call("feedback", before[at : at + size], rng.randrange(16)), after[at : at + size])
            at += size


def add_counters(run: Program, host: reference.Host, rng: random.Random, limit: int) -> None:
    """Several nonces under one key, each with a carry ahead; the message is cut, left and gone back to."""
    for layout, field in FIELDS.items():
        for boundary in range(1, len(field) + 1):
            iv = counter_before_a_carry(rng, layout, boundary)
            run.expect(session.iv(iv, LAYOUTS.index(layout)))
            host.iv(iv, layout)
            for size in pieces(rng, rng.randrange(700, 1100), limit):
                if rng.random() < 0.2:
                    position = rng.choice((0, rng.randrange(700), rng.randrange(60000 * 16)))
                    run.expect(session.seek(position))
                    host.seek(position)
                text = rng.randbytes(size)
                run.expect(session.encrypt(f"{layout}, carry {boundary}", text, rng.randrange(16)), host.encrypt(text))


def add_nonces(run: Program, host: reference.Host, rng: random.Random, limit: int) -> None:
    """Messages whose IVs differ in one byte, every byte in turn: what a kernel keeps of one nonce, no other may see."""
    iv = bytearray(rng.randbytes(16))
    for byte in range(16):
        iv[byte] ^= 1 << rng.randrange(8)
        run.expect(session.iv(bytes(iv), LAYOUTS.index("be128")))
        host.iv(bytes(iv), "be128")
        text = rng.randbytes(rng.randrange(200, limit))
        run.expect(session.encrypt(f"IV byte {byte}", text, rng.randrange(16)), host.encrypt(text))


def check(run: Program, cipher: str) -> None:
    rng = random.Random(f"{run.target.name} {cipher}")
    mode = cipher.rsplit("-", 1)[1]
    vectors = vectors_of(cipher)
    assert len(vectors) > 20
    for vector in vectors:
        add_vector(run, mode, vector, rng)
    add_random_calls(run, cipher, rng)
    assert run.run() > len(vectors)


@pytest.mark.parametrize("target, cipher, kernel", pairs(AES))
def test_kernel(target, cipher, kernel, tmp_path):
    check(program(target, cipher, kernel, tmp_path), cipher)


@pytest.mark.parametrize("target, cipher, kernel", pairs(AES[:1]))
def test_kernel_without_memory_for_prefix_tables(target, cipher, kernel, tmp_path):
    """As firmware has it if nothing is configured."""
    check(program(target, cipher, kernel, tmp_path, prefix=False), cipher)
