# SPDX-License-Identifier: Apache-2.0 OR MIT
"""AEADs with code of their own for 8-bit AVR, on the simulated ATmega128: messages of all lengths, whole and in pieces,
sealed and opened as on the host; forgeries are refused and leave zeros; what a message costs does not depend on secrets,
since memory is equally fast everywhere, and nothing secret stays on the stack."""

from __future__ import annotations

import functools
import json
import random
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
import runnel
from lab_programs import ROOT, built, runner

TOOLS = ["avr-gcc", "avr-size", "gcc"]
pytestmark = pytest.mark.skipif(any(shutil.which(t) is None for t in TOOLS), reason=f"needs {', '.join(TOOLS)}")
LONGEST = 290  # bytes of text
LONGEST_AAD = 255
ERR_TAG = 256 - 13  # RUNNEL_ERR_TAG, as a byte


@dataclass(frozen=True)
class Subject:
    aead: str
    kernel: str
    folder: str  # of src/
    family: str
    nonce_bytes: int
    tag_bytes: int = 16
    nonces: tuple[int, ...] = ()  # lengths that it takes, if more than one
    tags: tuple[int, ...] = (16,)
    vectors: tuple[str, ...] = ()  # files of tests/vectors/aead
    folders: tuple[str, ...] = ()  # what else it is made of
    one_shot: bool = False  # no pieces

    def __str__(self) -> str:
        return f"{self.aead}-{self.kernel}"


OVER_BLOCKS = ("aead/ccm", "aead/gcm", "aead/gcm_siv", "macs/ghash")
ASCON = ("ascon_aead128_kat", "ascon_aead128_options", "wycheproof_ascon_aead128")
SUBJECTS = [
    *(
        Subject("ascon-aead128", kernel, "aead/ascon", "ascon_aead128", 16, tags=tuple(range(4, 17)), vectors=ASCON)
        for kernel in ("avr", "avr-small")
    ),
    Subject(
        "aes-128-gcm",
        "avr-sram",
        "ciphers/aes",
        "aes_gcm",
        12,
        nonces=tuple(range(1, 33)),
        tags=(4, 8, *range(12, 17)),
        vectors=("aes_gcm_cavp", "aes_gcm_spec", "wycheproof_aes_gcm"),
        folders=OVER_BLOCKS,
    ),
    Subject(
        "aes-128-ccm",
        "avr-sram",
        "ciphers/aes",
        "aes_ccm",
        13,
        nonces=tuple(range(7, 14)),
        tags=tuple(range(4, 17, 2)),
        vectors=("aes_ccm_rfc3610", "wycheproof_aes_ccm"),
        folders=OVER_BLOCKS,
    ),
    Subject(
        "aes-128-gcm-siv",
        "avr-sram",
        "ciphers/aes",
        "aes_gcm_siv",
        12,
        vectors=("aes_gcm_siv_lengths", "aes_gcm_siv_rfc8452", "wycheproof_aes_gcm_siv"),
        folders=OVER_BLOCKS,
        one_shot=True,
    ),
    Subject(
        "seed-ccm",
        "avr",
        "ciphers/seed",
        "seed_ccm",
        12,
        nonces=tuple(range(7, 14)),
        tags=tuple(range(4, 17, 2)),
        vectors=("seed_ccm_rfc5669", "seed_ccm_lengths", "wycheproof_seed_ccm"),
        folders=("aead/ccm", "aead/gcm", "macs/ghash"),
    ),
    Subject(
        "grain-128aead-v2",
        "avr",
        "aead/grain128aead",
        "grain128aead",
        12,
        tag_bytes=8,
        tags=(8,),
        vectors=("grain128aeadv2_kat", "grain128aeadv2_lengths"),
    ),
]
subjects = pytest.mark.parametrize(
    "subject", [pytest.param(s, marks=pytest.mark.of(s.aead), id=str(s)) for s in SUBJECTS]
)


@functools.cache
def program(subject: Subject, folder: Path) -> Path:
    """Builds tests/c/bare_aead.c with this kernel alone."""
    name = Path(subject.folder).name
    told = [f'-DBARE_HEADER="{name}.h"', f"-DBARE_FAMILY={subject.family}", "-DBARE_KEY=16", f"-DBARE_TEXT={LONGEST}"]
    told += ["-DBARE_ONE_SHOT"] * subject.one_shot
    knob = f"-DRUNNEL_{name.upper()}_KERNEL={subject.kernel.replace('-', '_')}"
    source = ROOT / "tests" / "c" / "bare_aead.c"
    return built("avr", source, folder / f"{subject}.elf", (subject.folder, *subject.folders), told, [knob])


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("avr")


def lengths_of(nonce: bytes, aad: bytes, text: bytes, tag: bytes) -> bytes:
    return bytes([len(nonce), len(aad), *len(text).to_bytes(2, "little"), len(tag)])


class Script:
    """What the program is to do, and what it must answer."""

    def __init__(self, subject: Subject, folder: Path):
        self.subject, self.elf, self.marks = subject, program(subject, folder), folder / "marks"
        self.sent = self.expected = b""

    def key(self, key: bytes) -> None:
        self.aead = runnel.aead(self.subject.aead, key)
        self.key_only(key)

    def key_only(self, key: bytes) -> None:
        self.sent += b"K" + key
        self.expected += b"\0"

    def message(
        self, letter: bytes, nonce: bytes, aad: bytes, text: bytes, *, cut: int | None = None, damaged: bool = False
    ) -> None:
        """letter: S to seal, O to open; in pieces of `cut` bytes."""
        sealed = self.aead.seal(nonce, text, aad)
        how = letter if cut is None else {b"S": b"P", b"O": b"Q"}[letter] + bytes([cut])
        tag = sealed[len(text) :]
        lengths = lengths_of(nonce, aad, text, tag)
        if letter == b"S":
            self.sent += how + lengths + nonce + aad + text
            self.expected += b"\0" + sealed
        elif not damaged:
            self.sent += how + lengths + nonce + aad + sealed
            self.expected += b"\0" + text + tag
        else:
            tag = bytes([*tag[:-1], tag[-1] ^ 0x40])
            self.sent += how + lengths + nonce + aad + sealed[: len(text)] + tag
            self.expected += bytes([ERR_TAG]) + bytes(len(text)) + tag

    def run(self) -> tuple[bytes, list[str]]:
        """Returns what was sent back, and the lines of the simulator."""
        command = [runner("avr"), "atmega128", self.elf, self.marks]
        done = subprocess.run(command, input=self.sent, capture_output=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return done.stdout, self.marks.read_text().splitlines()


@subjects
def test_vectors(subject, folder):
    """Published ones, as far as the program's buffers have room, sealed and opened; invalid ones are refused."""
    script, seen, last = Script(subject, folder), 0, None
    for name in subject.vectors:
        for vector in json.loads((ROOT / "tests" / "vectors" / "aead" / f"{name}.json").read_text())["vectors"]:
            key, nonce, aad, text, sealed, tag = (
                bytes.fromhex(vector[field]) for field in ("key", "iv", "aad", "plaintext", "ciphertext", "tag")
            )
            if vector["name"].startswith("masked") or "aad_rule" in vector:
                continue  # an option of Ascon's standard that the library has not; data that are not written out
            right = vector["result"] == "valid"
            if len(key) != 16 or len(nonce) > 32 or max(len(text), len(sealed)) > LONGEST or len(aad) > LONGEST_AAD:
                continue
            if len(nonce) not in (subject.nonces or (subject.nonce_bytes,)) or len(tag) not in subject.tags:
                continue
            if key != last:
                script.key_only(key)
                last = key
            lengths = lengths_of(nonce, aad, sealed, tag)
            if right:
                script.sent += b"S" + lengths + nonce + aad + text
                script.expected += b"\0" + sealed + tag
            script.sent += b"O" + lengths + nonce + aad + sealed + tag
            script.expected += (b"\0" + text if right else bytes([ERR_TAG]) + bytes(len(sealed))) + tag
            seen += 1
    answer, _ = script.run()
    assert seen > 20 and answer == script.expected


@subjects
def test_messages(subject, folder):
    """As on the host, for all lengths about the blocks' and random ones."""
    rng, script = random.Random(str(subject)), Script(subject, folder)
    lengths = [0, 1, 7, 8, 15, 16, 17, 31, 32, 33, 48, 64, 255, 256, 257, LONGEST]
    for number, n in enumerate([*lengths, *(rng.randrange(100) for _ in range(20))]):
        if number % 5 == 0:
            script.key(rng.randbytes(16))
        nonce, aad, text = (
            rng.randbytes(subject.nonce_bytes),
            rng.randbytes(rng.choice([*lengths[:12], 130])),
            rng.randbytes(n),
        )
        script.message(b"S", nonce, aad, text)
        script.message(b"O", nonce, aad, text)
        script.message(b"O", nonce, aad, text, damaged=True)
        for cut in (rng.randrange(1, 16), rng.randrange(16, 40)) if not subject.one_shot else ():
            script.message(b"S", nonce, aad, text, cut=cut)
            script.message(b"O", nonce, aad, text, cut=cut)
    answer, _ = script.run()
    assert answer == script.expected


@subjects
def test_secrets_take_no_time(subject, folder):
    """Other keys and texts take the same cycles, instructions, loads, stores and stack."""
    costs = set()
    for seed in range(4):
        rng, script = random.Random(seed), Script(subject, folder)
        script.key(rng.randbytes(16))
        for n, aad in ((0, 0), (5, 20), (40, 14), (100, 3)):
            nonce, text = bytes(range(subject.nonce_bytes)), rng.randbytes(n)
            script.message(b"S", nonce, bytes(aad), text)
            script.message(b"O", nonce, bytes(aad), text)
            script.message(b"S", nonce, bytes(aad), text, cut=None if subject.one_shot else 9)
        answer, lines = script.run()
        assert answer == script.expected
        costs.add(tuple(lines))
    assert len(costs) == 1


@subjects
def test_nothing_secret_stays_on_the_stack(subject, folder):
    """Whatever key and text were, the stack below the caller holds the same bytes after a message was opened: what is
    public of it lies elsewhere, since the program's buffers are static."""
    left = set()
    for seed in range(3):
        rng, script = random.Random(seed), Script(subject, folder)
        script.key(rng.randbytes(16))
        script.message(b"O", bytes(range(subject.nonce_bytes)), bytes(14), rng.randbytes(57))
        script.sent += b"D"
        answer, _ = script.run()
        assert answer.startswith(script.expected)
        left.add(answer[len(script.expected) :])
    assert len(left) == 1 and len(left.pop()) > 1000
