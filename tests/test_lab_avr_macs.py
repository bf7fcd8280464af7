# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The MACs in AVR assembly, and ChaCha20-Poly1305 around them, on the ATmega128: every published vector, messages in pieces,
sums at the edges of Poly1305's prime; cycles that do not depend on secrets, and nothing of them in SRAM afterwards."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

import poly1305_model
import pytest
import runnel
from lab_programs import ROOT, runner
from lab_programs import built as built_program
from runnel_lab import subjects
from runnel_lab.running import macs

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
FORGED = 256 - 13
"""RUNNEL_ERR_TAG in a byte."""

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

ONCE = """
#include HEADER
#include "channel.h"
#define PASTE_(a, b, c) a##b##c
#define PASTE(a, b, c) PASTE_(a, b, c)
#define VERB(verb) PASTE(runnel_, FAMILY, verb)
int main(void)
{
    static uint8_t key[KEY], message[100], tag[TAG];
    lab_read(key, sizeof key);
    lab_read(message, sizeof message);
    int error = VERB(_once)(tag, TAG, message, sizeof message, key, sizeof key);
    lab_write((const uint8_t *)0x600, 0x1100 - 0x600); /* from above the static data up */
    return error;
}
"""

SEALED = """
#include "chacha20_poly1305.h"
#include "channel.h"
#include "mark.h"

static runnel_chacha20_poly1305 context;
static uint8_t key[32], nonce[12], header[64], text[256], tag[16];

int main(void) /* key, nonce, lengths of header and text, both: back come errors, ciphertext, tag, and what is opened */
{
    for (;;) {
        uint8_t lengths[2], errors[3];
        lab_read(key, sizeof key);
        lab_read(nonce, sizeof nonce);
        lab_read(lengths, 2);
        lab_read(header, lengths[0]);
        lab_read(text, lengths[1]);
        LAB_BEGIN();
        errors[0] = (uint8_t)runnel_chacha20_poly1305_key(&context, key, 32);
        errors[0] |= (uint8_t)runnel_chacha20_poly1305_seal(&context, nonce, 12, header, lengths[0], text, text, lengths[1],
                                                            tag, 16);
        LAB_END();
        lab_write(text, lengths[1]);
        lab_write(tag, 16);
        errors[1] = (uint8_t)runnel_chacha20_poly1305_open(&context, nonce, 12, header, lengths[0], text, text, lengths[1],
                                                           tag, 16);
        lab_write(text, lengths[1]);
        tag[3] ^= 8;
        errors[2] = (uint8_t)runnel_chacha20_poly1305_open(&context, nonce, 12, header, lengths[0], text, text, lengths[1],
                                                           tag, 16);
        lab_write(text, lengths[1]);
        lab_write(errors, 3);
    }
}
"""


def built(text: str, folders: Iterable[str], told: Iterable[str], out: Path) -> Path:
    """A program with the C and the assembly of these folders of src/."""
    source = out / "program.c"
    source.write_text(text)
    return built_program("avr", source, out / "program.elf", tuple(folders), told)


def built_mac(text: str, name: str, out: Path) -> Path:
    mac = subjects.cipher(name)
    tag_bytes = len(macs.tag(name, bytes(mac.key_bytes[0]), b""))
    told = [
        f'-DHEADER="{MACS[name]}.h"',
        f"-DFAMILY={mac.family}",
        f"-DTAG={tag_bytes}",
        f"-DKEY={mac.key_bytes[0]}",
        f"-DMOST={MOST}",
    ]
    return built(text, [f"macs/{MACS[name]}"], told, out)


def execute(elf: Path, data: bytes) -> tuple[bytes, list[str]]:
    """Returns what the program writes, and the cost between each pair of marks."""
    marks = elf.with_suffix(".marks")
    done = subprocess.run(
        [runner("avr"), "atmega128", elf, marks], input=data, capture_output=True, timeout=300, check=False
    )
    return done.stdout, marks.read_text().splitlines()


def counted(data: bytes) -> bytes:
    return len(data).to_bytes(2, "little") + data


def call(rng: random.Random, key: bytes, message: bytes) -> bytes:
    """A message in pieces, some of them empty."""
    cuts = [rng.randint(0, len(message)) for _ in range(rng.choice([0, 0, 1, 2, 5]))]
    cuts = sorted([*cuts, 0, *range(MOST, len(message), MOST), len(message)])
    pieces = [message[a:b] for a, b in pairwise(cuts)]
    return counted(key) + bytes([len(pieces)]) + b"".join(map(counted, pieces))


def vectors(name: str) -> Iterator[tuple[bytes, bytes, bytes]]:
    fields = {}
    for line in (ROOT / "src" / "macs" / MACS[name] / "vectors.txt").read_text().splitlines():
        field, _, value = line.partition(": ")
        fields[field] = value
        if field == "tag" and fields["mac"] == name:
            yield tuple(bytes.fromhex(fields[x].removeprefix("-")) for x in ("key", "message", "tag"))


@pytest.mark.parametrize("name", MACS)
def test_tags(name, tmp_path):
    """Every vector, and messages of every length around a block and of random ones, in one piece and in several."""
    rng = random.Random(name)
    mac = subjects.cipher(name)
    cases = list(vectors(name))
    for length in (*range(70), *(rng.randrange(2000) for _ in range(20))):
        key, message = rng.randbytes(mac.key_bytes[0]), rng.randbytes(length)
        cases.append((key, message, macs.tag(name, key, message)))
    if name == "poly1305":
        cases += [(*case, poly1305_model.tag(*case)) for case in poly1305_model.extremes()]
    written, _ = execute(built_mac(PIECES, name, tmp_path), b"".join(call(rng, *case[:2]) for case in cases))
    size = len(macs.tag(name, bytes(mac.key_bytes[0]), b""))
    assert len(written) == len(cases) * (1 + size)
    for number, (_, message, tag) in enumerate(cases):
        answer = written[number * (1 + size) :][: 1 + size]
        assert answer[0] == 0 and answer[1 : 1 + len(tag)] == tag, (number, len(message))


@pytest.mark.parametrize("name", MACS)
def test_secrets_take_no_time(name, tmp_path):
    """Other keys and messages of the same length take the same cycles, instructions, loads and stores; so do keys and
    messages of ones, in which everything is carried."""
    mac, rng = subjects.cipher(name), random.Random(3)
    size = mac.key_bytes[0]
    secrets = [(rng.randbytes(size), rng.randbytes(150)) for _ in range(4)]
    secrets += [(bytes(size), bytes(150)), (b"\xff" * size, b"\xff" * 150)]
    data = [
        counted(key) + b"\3" + counted(text[:50]) + counted(text[50:100]) + counted(text[100:]) for key, text in secrets
    ]
    _, marks = execute(built_mac(PIECES, name, tmp_path), b"".join(data))
    assert len(marks) == len(secrets) and len(set(marks)) == 1, marks


@pytest.mark.parametrize("name", MACS)
def test_nothing_of_a_secret_stays_in_memory(name, tmp_path):
    """Whatever key and message are, the SRAM above the static data holds the same bytes after the call."""
    elf, rng = built_mac(ONCE, name, tmp_path), random.Random(6)
    left = {execute(elf, rng.randbytes(subjects.cipher(name).key_bytes[0] + 100))[0] for _ in range(3)}
    assert len(left) == 1 and len(left.pop()) == 0xB00


@pytest.mark.of("chacha20_poly1305")
def test_chacha20_poly1305(tmp_path):
    """Packets are the host's, open again and leave zeros when they are forged; their cycles depend on lengths alone."""
    folders = ("aead/chacha20_poly1305", "macs/poly1305", "ciphers/chacha20")
    elf = built(SEALED, folders, ["-DRUNNEL_CHACHA20_KERNEL=avr"], tmp_path)
    rng = random.Random(9)
    shapes = [(14, n) for n in (0, 1, 15, 16, 17, 32, 63, 64, 65, 95, 128, 129, 255)] + [(0, 40), (16, 64), (33, 7)]
    shapes += [(14, 100)] * 4
    data, expected = b"", b""
    for header_bytes, text_bytes in shapes:
        key, nonce, header, text = map(rng.randbytes, (32, 12, header_bytes, text_bytes))
        data += key + nonce + bytes([header_bytes, text_bytes]) + header + text
        sealed = runnel.aead("chacha20-poly1305", key).seal(nonce, text, header)
        expected += sealed + text + bytes(text_bytes) + bytes([0, 0, FORGED])
    written, marks = execute(elf, data)
    assert written == expected
    assert len(set(marks[-4:])) == 1, marks[-4:]
