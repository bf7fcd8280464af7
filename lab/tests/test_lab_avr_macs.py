# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The MACs in AVR assembly on the ATmega128: every published vector, messages in pieces, sums at the edges of Poly1305's
prime, and cycles that do not depend on secrets."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import poly1305_model
import pytest
from lab_programs import built, runner, target
from runnel_lab import subjects
from runnel_lab.running import macs, session
from test_lab_macs import vectors

TOOLS = ["avr-gcc", "avr-size", "gcc"]
pytestmark = pytest.mark.skipif(any(shutil.which(t) is None for t in TOOLS), reason=f"needs {', '.join(TOOLS)}")
MACS = {
    "poly1305": "poly1305",
    "siphash": "siphash",
    "siphash-128": "siphash",
    "hmac-sha-1": "hmac_sha_1",
    "hmac-sha-256": "hmac_sha_256",
}
"""Each MAC that has assembly, and its folder."""
MOST = 1024

PIECES = """
#include HEADER
#include "channel.h"
#include "mark.h"
#define PASTE_(a, b, c) a##b##c
#define PASTE(a, b, c) PASTE_(a, b, c)
#define VERB(verb) PASTE(runnel_, FAMILY, verb)

static VERB() context;
static uint8_t data[MOST], tag[TAG];

static unsigned read_data(void)
{
    uint8_t bytes[2];
    lab_read(bytes, 2);
    const unsigned n = bytes[0] | (unsigned)bytes[1] << 8;
    lab_read(data, n);
    return n;
}

int main(void) /* key, number of pieces, pieces: back come the errors and the tag */
{
    for (;;) {
        uint8_t error = 0, pieces;
        const unsigned key_bytes = read_data();
        LAB_BEGIN();
        error |= (uint8_t)VERB(_key)(&context, data, key_bytes);
        for (lab_read(&pieces, 1); pieces > 0; pieces--) {
            const unsigned bytes = read_data();
            error |= (uint8_t)VERB(_update)(&context, data, bytes);
        }
        error |= (uint8_t)VERB(_tag)(&context, tag, TAG);
        LAB_END();
        lab_write(&error, 1);
        lab_write(tag, TAG);
    }
}
"""


def build_mac(name: str, out: Path) -> Path:
    """Builds the program with the C and the assembly of the MAC."""
    mac, source = subjects.cipher(name), out / "program.c"
    source.write_text(PIECES)
    tag_bytes = len(macs.tag(name, bytes(mac.key_bytes[0]), b""))
    definitions = [f'-DHEADER="{MACS[name]}.h"', f"-DFAMILY={mac.family}", f"-DTAG={tag_bytes}", f"-DMOST={MOST}"]
    return built("avr", source, out / "program.elf", (f"macs/{MACS[name]}",), definitions)


def answers(name: str, out: Path, calls: list[session.Call]) -> list[session.Answer]:
    return session.run(target("avr"), runner("avr"), build_mac(name, out), calls)


def counted(data: bytes) -> bytes:
    return len(data).to_bytes(2, "little") + data


def call(name: str, key: bytes, message: bytes, cuts: Iterable[int]) -> session.Call:
    """Return a message in pieces, some of them empty."""
    cuts = sorted([*cuts, 0, *range(MOST, len(message), MOST), len(message)])
    pieces = [message[a:b] for a, b in pairwise(cuts)]
    request = counted(key) + bytes([len(pieces)]) + b"".join(map(counted, pieces))
    return session.Call("tag", request, len(macs.tag(name, key, b"")))


@pytest.mark.parametrize("name", MACS)
def test_tags(name, tmp_path):
    """Every vector, and messages of every length around a block and of random ones, in one piece and in several."""
    rng = random.Random(name)
    mac = subjects.cipher(name)
    cases = vectors(name)
    for length in (*range(70), *(rng.randrange(2000) for _ in range(20))):
        key, message = rng.randbytes(mac.key_bytes[0]), rng.randbytes(length)
        cases.append((key, message, macs.tag(name, key, message)))
    if name == "poly1305":
        cases += [(*case, poly1305_model.tag(*case)) for case in poly1305_model.extremes()]
    calls = []
    for key, message, _ in cases:
        cuts = [rng.randint(0, len(message)) for _ in range(rng.choice([0, 0, 1, 2, 5]))]
        calls.append(call(name, key, message, cuts))
    for answer, (_, message, tag) in zip(answers(name, tmp_path, calls), cases, strict=True):
        assert (answer.status, answer.output[: len(tag)]) == (0, tag), len(message)


@pytest.mark.parametrize("name", MACS)
def test_secrets_take_no_time(name, tmp_path):
    """Other keys and messages of the same length take the same cycles, instructions, loads and stores; so do keys and
    messages of ones, in which everything is carried."""
    rng, size = random.Random(3), subjects.cipher(name).key_bytes[0]
    secrets = [(rng.randbytes(size), rng.randbytes(150)) for _ in range(4)]
    secrets += [(bytes(size), bytes(150)), (b"\xff" * size, b"\xff" * 150)]
    found = answers(name, tmp_path, [call(name, *secret, (50, 100)) for secret in secrets])
    assert all(answer.status == 0 for answer in found)
    assert len({answer.cost for answer in found}) == 1, found
