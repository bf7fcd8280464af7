# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every kernel of every stream cipher on every micro-controller, under its simulator: a selection of the vectors, 512 bytes
of each (`runnel lab verify` takes all of them), and random messages against the host's portable kernel: cut
anywhere, in place, at any alignment, with other IVs under one key. What claims constant time takes the same time whatever
the secrets are."""

from __future__ import annotations

import random
import re

import pytest
from lab_programs import ROOT, Program, claims_constant_time, pairs, target
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
    """The program with as much room for messages as the target has, for keys of at most 32 bytes where memory is short."""
    chosen = target(name)
    keys = cipher.key_bytes if chosen.ram is None else [n for n in cipher.key_bytes if n <= 32]
    subject = Subject(cipher, kernel, keys[-1], cipher.iv_bytes[-1])
    why: Exception = LabError("there is always a room")
    for room in filter(None, (chosen, chosen.smaller())):
        try:
            programs.build_one(room, programs.program(room, subject), folder / "bench.elf")
            program = Program(room, runner_of(name), folder / "bench.elf", [])
            program.expect(session.key(bytes(keys[-1])))  # a first call tells whether the stack has room
            session.run(
                room,
                program.runner,
                program.elf,
                [call for call, _ in program.steps]
                + [session.iv(bytes(usable_ivs(cipher, keys[-1], room)[-1])), session.encrypt("room", bytes(128))],
            )
            program.steps.clear()
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
    at = 0
    while at < len(text):
        size = min(len(text) - at, run.target.buffer, rng.choice((1, 2, 7, 16, 31, 64, 65, 128, 300, 1000)))
        run.expect(call("a random message", text[at : at + size], rng.randrange(16)), output[at : at + size])
        at += size


@pytest.mark.parametrize("name, cipher, kernel", pairs(STREAMS))
def test_kernel(name, cipher, kernel, tmp_path):
    chosen = subjects.cipher(cipher)
    run = build(name, chosen, kernel, tmp_path)
    rng = random.Random(f"{name} {cipher} {kernel}")
    vectors = some_vectors(chosen, run.target, rng)
    assert vectors
    calls = known_answers.script(chosen, vectors, run.target.buffer, rng)
    if (taken := known_answers.check(run.target, run.runner, run.elf, calls)) == 0 and run.target.hosted:
        pytest.skip("this processor cannot run it")
    assert taken == len(vectors)
    add_random_messages(run, chosen, rng)
    assert run.run() > 10


def test_what_does_not_fit_the_node_runs_on_a_larger_one(tmp_path):
    small, large = target("avr"), target("avr-1284p")
    try:
        small.require()
    except Skipped as why:
        pytest.skip(str(why))
    cipher = subjects.cipher("hc-128")
    kernel = kernels(small, cipher)[0]
    subject = Subject(cipher, kernel, 16, 16)
    with pytest.raises(DoesNotFit, match="is not within region .data., [0-9]+ bytes too many"):
        programs.build_one(small.smaller(), programs.program(small.smaller(), subject), tmp_path / "bench.elf")
    programs.build_one(large, programs.program(large, subject), tmp_path / "bench.elf")
    rng = random.Random(1)
    vectors = known_answers.read(FILES, "hc-128")[:1]
    calls = known_answers.script(cipher, vectors, large.buffer, rng)
    assert known_answers.check(large, runner_of("avr-1284p"), tmp_path / "bench.elf", calls) == 1


# In plain C nobody promises it: avr-gcc makes branches of sums and products.
IN_ASSEMBLY = [p for p in pairs(STREAMS) if p.values[0] == "avr" and re.match("avr(?!-c-)", p.values[2])]


@pytest.mark.parametrize("name, cipher, kernel", IN_ASSEMBLY)
def test_secrets_take_no_time_on_the_node(name, cipher, kernel, tmp_path):
    """Cycles are exact there, and memory is equally fast everywhere: the same calls with other secrets take the same."""
    chosen = subjects.cipher(cipher)
    if not claims_constant_time(chosen, kernel):
        pytest.skip("looks up tables by secrets and says so")
    run = build(name, chosen, kernel, tmp_path)
    rng = random.Random(2)
    key_bytes = max(n for n in chosen.key_bytes if n <= 32)
    iv_bytes = usable_ivs(chosen, key_bytes, run.target)[-1]
    costs = set()
    for _ in range(3):
        calls = [
            session.key(rng.randbytes(key_bytes)),
            session.iv(rng.randbytes(iv_bytes)),
            session.encrypt("packet", rng.randbytes(128)),
            session.encrypt("rest", rng.randbytes(45)),
        ]
        answers = session.run(run.target, run.runner, run.elf, calls)
        assert all(answer.status == 0 for answer in answers)
        costs.add(tuple(answer.cost for answer in answers))
    assert len(costs) == 1, costs
