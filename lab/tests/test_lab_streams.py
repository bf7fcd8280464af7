# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every kernel of every stream cipher on every micro-controller, under its simulator: a selection of the vectors, 512 bytes
of each (`runnel lab verify` takes all of them), and random messages against the host's portable kernel: cut
anywhere, in place, at any alignment, with other IVs under one key."""

from __future__ import annotations

import random

import pytest
import selection
from lab_programs import ROOT, Program, pairs, pieces, require, target
from lab_programs import runner as runner_of
from runnel_lab import DoesNotFit, LabError, Skipped, subjects
from runnel_lab.building import programs
from runnel_lab.building.kernels import kernels
from runnel_lab.running import known_answers, reference, session
from runnel_lab.subjects import Cipher, Mode, Subject

STREAMS = tuple(known_answers.with_vectors())
FILES = known_answers.selection(ROOT)
MOST_VECTORS = 3


def build(name: str, cipher: Cipher, kernel: str, folder) -> Program:
    """Return the program with as much room for messages as the target has, for keys of at most 32 bytes where memory is
    short."""
    chosen = target(name)
    keys = cipher.key_bytes if chosen.ram is None else [n for n in cipher.key_bytes if n <= 32]
    subject = Subject(cipher, kernel, keys[-1], cipher.iv_bytes[-1])
    why: Exception = LabError("there is always a room")
    for room in filter(None, (chosen, chosen.smaller())):
        try:
            programs.build_one(room, programs.program(room, subject), folder / "bench.elf")
            program = Program(room, runner_of(name), folder / "bench.elf")
            iv = bytes(usable_ivs(cipher, keys[-1], room)[-1])
            first = [session.key(bytes(keys[-1])), session.iv(iv), session.encrypt("room", bytes(128))]
            session.run(room, program.runner, program.elf, first)  # tells whether the stack has room
            return program
        except DoesNotFit as error:
            why = error
        except Skipped as error:
            pytest.skip(str(error))
    pytest.skip(str(why))


def usable_ivs(cipher: Cipher, key_bytes: int, room) -> list[int]:
    if cipher.iv_as_key:
        return [key_bytes]
    return [n for n in cipher.iv_bytes if n <= (16 if room.ram is not None else room.argument)]


def some_vectors(cipher: Cipher, room, rng: random.Random) -> list[known_answers.Vector]:
    found = [
        v
        for v in known_answers.read(FILES, cipher.name)
        if len(v.key) <= (32 if room.ram is not None else room.argument)
        and len(v.iv) in usable_ivs(cipher, len(v.key), room)
    ]
    return rng.sample(found, min(MOST_VECTORS, len(found)))


def add_random_messages(run: Program, cipher: Cipher, rng: random.Random) -> None:
    limit = min(run.target.buffer, 2000)
    for _ in range(3):
        key = rng.randbytes(
            rng.choice([n for n in cipher.key_bytes if n <= (32 if run.target.ram is not None else 256)])
        )
        host = reference.host(cipher, key)
        run.expect(session.key(key))
        for _ in range(2):
            iv = rng.randbytes(rng.choice(usable_ivs(cipher, len(key), run.target)))
            text = rng.randbytes(rng.randrange(1, limit))
            host.iv(iv)
            output = host.encrypt(text)
            add_message(run, iv, text, output, session.encrypt, rng)
            if cipher.mode == Mode.DIRECTIONAL:
                add_message(run, iv, output, text, session.decrypt, rng)
    run.expect(session.wipe())


def add_message(run: Program, iv: bytes, text: bytes, output: bytes, call, rng: random.Random) -> None:
    run.expect(session.iv(iv))
    sizes = pieces(rng, len(text), run.target.buffer, (1, 2, 7, 16, 31, 64, 65, 128, 300, 1000))
    run.expect_pieces(call, "a random message", text, output, rng, sizes)


@pytest.mark.parametrize("name, cipher, kernel", selection.one_in(3, pairs(STREAMS)))
def test_kernel(name, cipher, kernel, tmp_path):
    chosen = subjects.cipher(cipher)
    run = build(name, chosen, kernel, tmp_path)
    rng = random.Random(f"{name} {cipher} {kernel}")
    vectors = some_vectors(chosen, run.target, rng)
    assert vectors
    run.steps += known_answers.script(chosen, vectors, run.target.buffer, rng)
    add_random_messages(run, chosen, rng)
    assert run.run() == len(run.steps)


def test_what_does_not_fit_the_node_runs_on_a_larger_one(tmp_path):
    small, large = require("avr"), target("avr-1284p")
    cipher = subjects.cipher("hc-128")
    kernel = kernels(small, cipher)[0]
    subject = Subject(cipher, kernel, 16, 16)
    with pytest.raises(DoesNotFit, match="is not within region .data., [0-9]+ bytes too many"):
        programs.build_one(small.smaller(), programs.program(small.smaller(), subject), tmp_path / "bench.elf")
    programs.build_one(large, programs.program(large, subject), tmp_path / "bench.elf")
    rng = random.Random(1)
    vectors = known_answers.read(FILES, "hc-128")[:1]
    run = Program(large, runner_of("avr-1284p"), tmp_path / "bench.elf")
    run.steps += known_answers.script(cipher, vectors, large.buffer, rng)
    assert run.run() == len(run.steps) > 2
