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

    def __init__(self, program: Program) -> None:
        self.program = program
        self.rng = random.Random(str(program.elf.parent.name))

    def key(self, data: bytes) -> None:
        self.program.expect(session.key(data))
        self.host = reference.host(CIPHER, data)

    def iv(self, data: bytes, layout: str) -> None:
        self.program.expect(session.iv(data, LAYOUTS.index(layout)))
        self.host.iv(data, layout)

    def seek(self, block: int) -> None:
        self.program.expect(session.seek(16 * block))
        self.host.seek(16 * block)

    def encrypt(self, blocks: int, makes: str) -> None:
        text = self.rng.randbytes(16 * blocks)
        self.program.expect(session.encrypt(makes, text), self.host.encrypt(text))

    def check(self) -> None:
        steps = self.program.steps
        answers = session.run(self.program.target, self.program.runner, self.program.elf, [step.call for step in steps])
        assert len(session.taken(steps, answers)) == len(steps)
        for number, answer in enumerate(answers):
            least, most = (WORDS, 2 * WORDS) if answer.call.label == "a table" else (-1, WORDS)
            assert answer.cost.stores is not None and least < answer.cost.stores < most, f"call {number}"


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
