# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every kernel of every block cipher on every micro-controller, under its simulator: all vectors, and random calls
against the host's portable kernel, with counters placed just before a carry at every byte."""

from __future__ import annotations

import random

import pytest
import selection
from lab_programs import BLOCK_CIPHERS, LAYOUTS, ROOT, Program, block_vectors, pairs, pieces, program
from runnel_lab import subjects
from runnel_lab.running import reference, session
from runnel_lab.subjects import Cipher, Mode

# Bytes of a block that each layout counts in, the one that changes fastest first; from the end where they are negative.
FIELDS = {
    "be128": range(-1, -17, -1),
    "be64": range(-1, -9, -1),
    "be32": range(-1, -5, -1),
    "be16": range(-1, -3, -1),
    "le128": range(16),
    "le64": range(8),
    "le32": range(4),
    "be32-left": range(7, 3, -1),
}

VECTORS = {family: block_vectors(family) for family in {cipher.split("-")[0] for cipher in BLOCK_CIPHERS}}


SIZES = (1, 15, 16, 17, 31, 32, 33, 100, 128, 129, 512, 1000, 4096)


def vectors_of(cipher: Cipher) -> list[dict]:
    """Return the vectors of all key lengths for the mode of the cipher."""
    family, mode = cipher.name.split("-")[0], cipher.name.rsplit("-", 1)[1]
    return [
        v for v in VECTORS[family] if ("ecb" if v.get("layout") == "ecb" else v["cipher"].rsplit("-", 1)[1]) == mode
    ]


def key_lengths(cipher: Cipher) -> dict[int, Cipher]:
    """List all ciphers that firmware for this one takes keys for."""
    return {n: c for c in subjects.ciphers().values() if c.family == cipher.family for n in c.key_bytes}


def text_of(vector: dict) -> bytes:
    text = vector["input"]
    return bytes(int(text.removeprefix("zeros "))) if text.startswith("zeros ") else bytes.fromhex(text)


def add_vector(run: Program, cipher: Cipher, vector: dict, rng: random.Random) -> None:
    text, output = text_of(vector), bytes.fromhex(vector["output"])
    name, limit = vector["name"], run.target.buffer // 16 * 16
    raw = cipher.mode == Mode.BLOCKS
    start = [session.key(bytes.fromhex(vector["key"]))]
    if not raw:
        start.append(session.iv(bytes.fromhex(vector["iv"]), LAYOUTS.index(vector.get("layout", "default"))))
    if int(vector.get("offset", 0)):
        start.append(session.seek(int(vector["offset"])))
    directions = [(session.encrypt, name, text, output)]
    if cipher.mode != Mode.COUNTER:
        directions.append((session.decrypt, "blocks_decrypt" if raw else name, output, text))
    for call, label, before, after in directions:
        for each in start:
            run.expect(each)
        sizes = pieces(rng, len(before), limit, [16 * n for n in SIZES] if raw else SIZES)
        run.expect_pieces(call, label, before, after, rng, sizes)


def counter_before_a_carry(rng: random.Random, cipher: Cipher, layout: str, boundary: int) -> bytes:
    """Return a counter whose low `boundary` bytes overflow within the next forty blocks."""
    block = bytearray(rng.randbytes(cipher.block_bytes))
    low = (1 << 8 * boundary) - rng.randrange(1, min(40, 1 << 8 * boundary))
    for place in FIELDS[layout][:boundary]:
        block[place] = low & 0xFF
        low >>= 8
    return bytes(block)


def add_random_calls(run: Program, cipher: Cipher, rng: random.Random) -> None:
    """Add random calls: with the last key a counter carries at every byte of every layout, with the others at some."""
    limit = min(run.target.buffer, 4096)
    lengths = key_lengths(cipher)
    carries = [(layout, n) for layout in cipher.layouts for n in range(1, len(FIELDS[layout]) + 1)]
    for number, key_bytes in enumerate([*lengths, min(lengths)]):
        key = rng.randbytes(key_bytes)
        run.expect(session.key(key))
        host = reference.host(lengths[key_bytes], key)
        if cipher.mode == Mode.COUNTER:
            add_counters(run, cipher, host, rng, limit, carries if number == len(lengths) else rng.sample(carries, 10))
            add_nonces(run, cipher, host, rng, limit)
            continue
        for _ in range(6):
            if cipher.mode == Mode.DIRECTIONAL:
                add_feedback(run, cipher, host, rng, limit)
            else:
                text = rng.randbytes(cipher.block_bytes * rng.randrange(1, limit // cipher.block_bytes))
                output = host.encrypt(text)
                run.expect(session.encrypt("blocks", text, rng.randrange(16)), output)
                run.expect(session.decrypt("blocks_decrypt", output, rng.randrange(16)), text)
    run.expect(session.wipe())


def add_feedback(run: Program, cipher: Cipher, host: reference.Host, rng: random.Random, limit: int) -> None:
    iv, text = rng.randbytes(cipher.block_bytes), rng.randbytes(rng.randrange(1, limit))
    host.iv(iv)
    output = host.encrypt(text)
    for call, before, after in ((session.encrypt, text, output), (session.decrypt, output, text)):
        run.expect(session.iv(iv))
        run.expect_pieces(call, "feedback", before, after, rng, pieces(rng, len(text), limit, SIZES))


def add_counters(
    run: Program, cipher: Cipher, host: reference.Host, rng: random.Random, limit: int, carries: list[tuple[str, int]]
) -> None:
    """Several nonces under one key, each with a carry ahead; the message is cut, left and gone back to."""
    for layout, boundary in carries:
        iv = counter_before_a_carry(rng, cipher, layout, boundary)
        run.expect(session.iv(iv, LAYOUTS.index(layout)))
        host.iv(iv, layout)
        for size in pieces(rng, rng.randrange(700, 1100), limit, SIZES):
            if rng.random() < 0.2:
                position = rng.choice((0, rng.randrange(700), rng.randrange(60000 * cipher.block_bytes)))
                run.expect(session.seek(position))
                host.seek(position)
            text = rng.randbytes(size)
            run.expect(session.encrypt(f"{layout}, carry {boundary}", text, rng.randrange(16)), host.encrypt(text))


def add_nonces(run: Program, cipher: Cipher, host: reference.Host, rng: random.Random, limit: int) -> None:
    """Messages whose IVs differ in one byte, every byte in turn: what a kernel keeps of one nonce, no other may see."""
    layout = f"be{8 * cipher.block_bytes}"
    iv = bytearray(rng.randbytes(cipher.block_bytes))
    for byte in range(cipher.block_bytes):
        iv[byte] ^= 1 << rng.randrange(8)
        run.expect(session.iv(bytes(iv), LAYOUTS.index(layout)))
        host.iv(bytes(iv), layout)
        text = rng.randbytes(rng.randrange(200, limit))
        run.expect(session.encrypt(f"IV byte {byte}", text, rng.randrange(16)), host.encrypt(text))


def check(run: Program, cipher: Cipher) -> None:
    rng = random.Random(f"{run.target.name} {cipher.name}")
    vectors = vectors_of(cipher)
    for vector in vectors:
        add_vector(run, cipher, vector, rng)
    add_random_calls(run, cipher, rng)
    assert run.run() > max(20, len(vectors))


def modes(*names: str) -> tuple[str, ...]:
    return tuple(f"{cipher}-{mode}" for cipher in BLOCK_CIPHERS for mode in names)


def papers(cipher: str) -> set[str]:
    """Return the kernels of the cipher's papers/ folder."""
    described = subjects.described(ROOT, subjects.folder_of(ROOT, subjects.cipher(cipher)))
    return {name for name, kernel in described.items() if kernel.paper}


def in_each_mode() -> list:
    """List every kernel in counter mode, two of three for the campaign; in the other modes, one in eight, not the
    papers', which are about counters."""
    others = [p for p in pairs(modes("ecb", "cfb")) if not p.values[2] or p.values[2] not in papers(p.values[1])]
    return selection.one_in(3, pairs(modes("ctr"))) + selection.one_in(8, others)


@pytest.mark.parametrize("target, cipher, kernel", in_each_mode())
def test_kernel(target, cipher, kernel, tmp_path):
    check(program(target, cipher, kernel, tmp_path), subjects.cipher(cipher))


@pytest.mark.parametrize("target, cipher, kernel", selection.one_in(4, pairs(("aes-256-ctr",))))
def test_kernel_without_memory_for_prefix_tables(target, cipher, kernel, tmp_path):
    """As firmware has it if nothing is configured."""
    run, chosen = program(target, cipher, kernel, tmp_path, prefix=False), subjects.cipher(cipher)
    add_random_calls(run, chosen, random.Random(f"{target} {kernel}"))
    assert run.run() > 20


@pytest.mark.parametrize("cipher", modes("ctr", "ecb", "cfb"))
def test_every_mode_has_vectors(cipher):
    assert len(vectors_of(subjects.cipher(cipher))) > 6
