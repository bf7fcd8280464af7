# SPDX-License-Identifier: Apache-2.0 OR MIT
"""AEADs in firmware for processors without vectors, through the kernels made for them: every byte is the host's, at any
alignment, whole and in pieces; forgeries are refused; and what is executed does not depend on secrets."""

from __future__ import annotations

import dataclasses
import random
import struct
from dataclasses import dataclass
from pathlib import Path

import pytest
import runnel
import selection
from lab_programs import ROOT, built, runner, target
from runnel_lab.running import session
from runnel_lab.running.session import Call
from test_lab_constant_time import QEMU, plugin  # noqa: F401

ERR_TAG = -13  # RUNNEL_ERR_TAG of <runnel/stream.h>


@dataclass(frozen=True)
class Firmware:
    """An AEAD for a target, and the kernels that it is made of."""

    target: str
    aead: str
    header: str
    family: str
    folders: tuple[str, ...]  # of src/
    kernels: tuple[str, ...]  # RUNNEL_…_KERNEL=…

    def __str__(self) -> str:
        return "-".join((self.target, self.aead, *(knob.partition("=")[2] for knob in self.kernels)))


PROCESSOR = {"rv32": "rv32", "cortex-m4": "thumb2"}


AES = {"rv32": "rv32_prefix", "cortex-m4": "thumb2_fixslice"}


def firmware() -> list[Firmware]:
    found = []
    for name, processor in PROCESSOR.items():
        ascon = f"ASCON_KERNEL={processor}"
        aes = f"AES_KERNEL={AES[name]}"
        found += [
            Firmware(name, "ascon-aead128", "ascon.h", "ascon_aead128", ("aead/ascon",), (ascon,)),
            Firmware(
                name, "aes-128-ccm", "aes.h", "aes_ccm", ("aead/ccm", "aead/gcm", "macs/ghash", "ciphers/aes"), (aes,)
            ),
            Firmware(
                name, "aes-128-gcm", "aes.h", "aes_gcm", ("aead/ccm", "aead/gcm", "macs/ghash", "ciphers/aes"), (aes,)
            ),
            Firmware(
                name,
                "chacha20-poly1305",
                "chacha20_poly1305.h",
                "chacha20_poly1305",
                ("aead/chacha20_poly1305", "macs/poly1305", "ciphers/chacha20"),
                (f"CHACHA20_KERNEL={processor}",),
            ),
            Firmware(name, "grain-128aead-v2", "grain128aead.h", "grain128aead", ("aead/grain128aead",), ()),
        ]
    return found


ALL = [pytest.param(f, id=str(f)) for f in firmware()]


def build(f: Firmware, elf: Path) -> None:
    """With every file of the folders for all processors or this one; the linker drops what is not needed."""
    told = [f'-DAEAD_HEADER="{f.header}"', f"-DAEAD_FAMILY={f.family}", "-I."]
    knobs = ["-DRUNNEL_PREFIX=0", *(f"-DRUNNEL_{knob}" for knob in f.kernels)]
    built(f.target, ROOT / "tests" / "c" / "node_aead.c", elf, f.folders, told, knobs)


def request(letter: str, nonce: bytes, aad: bytes, text: bytes, tag: bytes | int, offset: int, piece: int) -> Call:
    tag_bytes, sent = (tag, b"") if isinstance(tag, int) else (len(tag), tag)
    numbers = struct.pack("<6H", offset, len(nonce), len(aad), len(text), tag_bytes, piece)
    back = len(text) + (tag_bytes if letter == "S" else 0)
    return Call(letter, letter.encode() + numbers + nonce + aad + text + sent, back)


@pytest.mark.parametrize("f", selection.one_in(2, ALL))
def test_the_bytes_are_the_hosts(f, tmp_path):
    rng = random.Random(str(f))
    about = runnel.aeads()[f.aead]
    build(f, tmp_path / "firmware.elf")
    calls: list[Call] = []
    expected: list[tuple[int, bytes]] = []

    def expect(call: Call, status: int, output: bytes = b"") -> None:
        calls.append(call)
        expected.append((status, output))

    for number in range(120):
        if number % 10 == 0:
            key = rng.randbytes(about.key_bytes)
            host = runnel.aead(f.aead, key)
            expect(session.key(key), 0)
        nonce = rng.randbytes(about.nonce_bytes)
        aad = rng.randbytes(rng.choice([0, 0, 14, 16, rng.randrange(70)]))
        text = rng.randbytes(number if number < 70 else rng.choice([95, 128, 129, 255, 256, rng.randrange(1100)]))
        sealed = host.seal(nonce, text, aad)
        ciphertext, tag = sealed[: len(text)], sealed[len(text) :]
        offset, piece = rng.randrange(16) * rng.randrange(2), rng.choice([0, 0, 1, 3, 7, 16, 17, 31, 32, 50, 100])
        expect(request("S", nonce, aad, text, len(tag), offset, piece), 0, sealed)
        expect(request("O", nonce, aad, ciphertext, tag, offset, piece), 0, text)
        wrong = bytearray(tag)
        wrong[rng.randrange(len(tag))] ^= 1 << rng.randrange(8)
        expect(request("O", nonce, aad, ciphertext, bytes(wrong), offset, piece), ERR_TAG)
    answers = session.run(target(f.target), runner(f.target), tmp_path / "firmware.elf", calls, quick=True)
    for answer, (status, output) in zip(answers, expected):
        assert (answer.status, answer.output) == (status, output), answer.call.label


@pytest.mark.parametrize("f", selection.one_in(2, ALL))
def test_secrets_leave_no_trace(f, plugin, tmp_path):  # noqa: F811
    """Key, text and tag are secret, nonce and associated data are not."""
    rng = random.Random(1)
    about = runnel.aeads()[f.aead]
    build(f, tmp_path / "firmware.elf")
    nonce, aad = rng.randbytes(about.nonce_bytes), rng.randbytes(20)
    calls = []
    for _ in range(5):  # the first one detects the CPU's features
        key = rng.randbytes(about.key_bytes)
        host = runnel.aead(f.aead, key)
        calls.append(session.key(key))
        for size, piece in ((0, 0), (16, 0), (45, 0), (128, 0), (300, 0), (300, 23)):
            text = rng.randbytes(size)
            sealed = host.seal(nonce, text, aad)
            calls.append(request("S", nonce, aad, text, about.tag_bytes, 0, piece))
            calls.append(request("O", nonce, aad, sealed[:size], sealed[size:], 1, piece))
    command = [*QEMU[f.target], "-plugin", f"{plugin},marks={{marks}},hash={tmp_path / 'hash'}", "{elf}"]
    watched = dataclasses.replace(target(f.target), command=command)
    answers = session.run(watched, plugin, tmp_path / "firmware.elf", calls)
    assert all(answer.status == 0 for answer in answers)
    lines = (tmp_path / "hash").read_text().splitlines()
    each = len(calls) // 5
    assert len(lines) == len(calls)
    for start in range(2 * each, len(lines), each):
        assert lines[start : start + each] == lines[each : 2 * each]
