# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The 2022 paper's table for fixsliced AES on RV32: made once for a key and a nonce, it serves every counter."""

from __future__ import annotations

import random

import pytest
from lab_programs import LAYOUTS, Program, program
from runnel_lab import subjects
from runnel_lab.running import reference, session

KERNELS = ("rv32-fixslice-semi-table4k", "rv32-fixslice-full-table4k")
CIPHER = subjects.cipher("aes-256-ctr")
WORDS = 4 * 256
NONCE = {"le32": range(4, 16), "be32": range(12)}

pytestmark = pytest.mark.of("aes")


class Run:
    """A script whose answers are compared with the host's, and with how many stores they may take."""

    def __init__(self, made: Program) -> None:
        self.made = made
        self.rng = random.Random(str(made.elf.parent.name))
        self.steps: list[tuple[session.Call, bytes, str]] = []

    def key(self, data: bytes) -> None:
        self.steps.append((session.key(data), b"", ""))
        self.host = reference.host(CIPHER, data)

    def iv(self, data: bytes, layout: str) -> None:
        self.steps.append((session.iv(data, LAYOUTS.index(layout)), b"", ""))
        self.host.iv(data, layout)

    def seek(self, block: int) -> None:
        self.steps.append((session.seek(16 * block), b"", ""))
        self.host.seek(16 * block)

    def encrypt(self, blocks: int, makes: str) -> None:
        text = self.rng.randbytes(16 * blocks)
        self.steps.append((session.encrypt(makes, text), self.host.encrypt(text), makes))

    def check(self) -> None:
        calls = [call for call, _, _ in self.steps]
        answers = session.run(self.made.target, self.made.runner, self.made.elf, calls)
        for number, (answer, (_, expected, makes)) in enumerate(zip(answers, self.steps, strict=True)):
            assert answer.status == 0
            assert answer.output == expected, f"call {number}"
            assert answer.cost.stores is not None
            if makes == "a table":
                assert WORDS < answer.cost.stores < 2 * WORDS, f"call {number}"
            else:
                assert answer.cost.stores < WORDS, f"call {number}"


@pytest.fixture(params=KERNELS)
def run(request, tmp_path):
    return Run(program("rv32", CIPHER.name, request.param, tmp_path))


@pytest.mark.parametrize("layout", NONCE)
def test_one_table_serves_all_counters_of_a_nonce(run, layout):
    run.key(run.rng.randbytes(32))
    iv = bytearray(run.rng.randbytes(16))
    for place in set(range(16)) - set(NONCE[layout]):
        iv[place] = 0
    run.iv(bytes(iv), layout)
    run.encrypt(1, "a table")
    for bits in (8, 16, 24):  # a carry out of each byte of the counter but the last
        run.seek((1 << bits) - 3)
        run.encrypt(6, "no table")
    run.seek((1 << 32) - 4)
    run.encrypt(3, "no table")  # firmware counts no further
    for _ in range(40):
        run.seek(run.rng.randrange((1 << 32) - 9))
        run.encrypt(run.rng.randrange(1, 10), "no table")
    run.iv(bytes(iv), layout)
    run.encrypt(4, "no table")
    run.check()


@pytest.mark.parametrize("layout", NONCE)
def test_another_nonce_or_key_has_a_table_of_its_own(run, layout):
    key, iv = run.rng.randbytes(32), bytearray(run.rng.randbytes(16))
    run.key(key)
    for place in NONCE[layout]:
        iv[place] ^= 1 << run.rng.randrange(8)
        run.iv(bytes(iv), layout)
        run.encrypt(3, "a table")
        run.encrypt(3, "no table")
    run.key(run.rng.randbytes(32))
    run.iv(bytes(iv), layout)
    run.encrypt(3, "a table")
    run.check()


def test_where_the_counter_is_belongs_to_the_nonce(run):
    run.key(run.rng.randbytes(32))
    for layout in ("le32", "be32", "le32"):
        run.iv(bytes(16), layout)  # the twelve bytes beside the counter are the same in both
        run.encrypt(4, "a table")
        run.encrypt(4, "no table")
    run.check()
