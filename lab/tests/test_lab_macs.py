# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The MACs on the simulated targets: messages of many lengths at any address, one after the other under one key, against
the host; and that against the published vectors."""

from __future__ import annotations

import random

import pytest
from lab_programs import ROOT, Program, require, runner, target
from runnel_lab import subjects, targets
from runnel_lab.building import programs
from runnel_lab.running import macs, session

TARGETS = [
    pytest.param(name, marks=pytest.mark.campaign if target(name).like else [])
    for name in targets.find(ROOT)
    if not (target(name).hosted or target(name).packets_only or target(name).kernels)
]


def vectors(name: str) -> list[tuple[bytes, bytes, bytes]]:
    """Returns key, message and tag of all vectors of a MAC."""
    found, fields = [], {}
    for path in sorted((ROOT / "src" / "macs").glob("*/vectors.txt")):
        for line in path.read_text().splitlines():
            field, _, value = line.partition(": ")
            fields[field] = value
            if field == "tag" and fields["mac"] == name:
                found.append(tuple(bytes.fromhex(fields[x].removeprefix("-")) for x in ("key", "message", "tag")))
    return found


@pytest.mark.parametrize("name", subjects.macs())
def test_expected_tags_are_those_of_the_vectors(name):
    assert vectors(name)
    for key, message, tag in vectors(name):
        assert macs.tag(name, key, message)[: len(tag)] == tag


@pytest.mark.parametrize("name", subjects.macs())
@pytest.mark.parametrize("where", TARGETS)
def test_tags(where, name, tmp_path):
    mac, rng = subjects.cipher(name), random.Random(name)
    kernel = macs.kernels(require(where), mac)[-1]
    mac_program = programs.program(target(where), subjects.variants(mac, kernel)[0])
    programs.build_one(target(where), mac_program, tmp_path / "bench.elf")
    run = Program(target(where), runner(where), tmp_path / "bench.elf")
    for _ in range(4):
        key = rng.randbytes(mac.key_bytes[0])
        for number in range(6):
            message = rng.randbytes(rng.choice([32, 33, 47, 48, 49, 55, 56, 63, 64, 65, 119, 120, 127, 128]))
            if number == 0 or name == "poly1305":
                run.expect(session.key(key))
            tag = macs.tag(name, key, message)
            run.expect(session.authenticate("packet", message, rng.randrange(16)), tag + message[len(tag) :])
    assert run.run() == len(run.steps)
