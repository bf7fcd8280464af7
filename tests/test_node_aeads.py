# SPDX-License-Identifier: Apache-2.0 OR MIT
"""AEADs in firmware for AVR, RV32 and Cortex-M4, through the kernels made for them: published vectors; every byte is the
host's, at any alignment, whole and in pieces; forgeries are refused and leave zeros; what is executed does not depend on
secrets, on AVR by its cycles, since memory is equally fast there; and nothing secret stays on AVR's stack."""

from __future__ import annotations

import dataclasses
import json
import random
import struct
from dataclasses import dataclass
from pathlib import Path

import pytest
import runnel
import selection
from lab_programs import ROOT, built, runner, target
from runnel_lab.running import session
from runnel_lab.running.session import Call, Step
from test_lab_constant_time import QEMU, plugin  # noqa: F401

ERR_TAG = -13  # RUNNEL_ERR_TAG of <runnel/stream.h>
LONGEST = {"avr": 290}  # bytes of text and of associated data; elsewhere 1,200
STACK = 1000
"""Bytes of the stack that the firmware sends back."""


@dataclass(frozen=True)
class Firmware:
    """An AEAD for a target, and the kernels that it is made of."""

    target: str
    aead: str
    family: str
    folders: tuple[str, ...]  # of src/, the one of the header first
    kernels: tuple[str, ...] = ()  # RUNNEL_…_KERNEL=…

    @property
    def about(self) -> runnel.AEAD:
        return runnel.aeads()[self.aead]

    @property
    def longest(self) -> int:
        return LONGEST.get(self.target, 1200)

    def __str__(self) -> str:
        return "-".join((self.target, self.aead, *(knob.partition("=")[2] for knob in self.kernels)))


OVER_BLOCKS = ("modes/ccm", "modes/gcm", "modes/gcm_siv", "macs/ghash")
CHACHA20 = ("aead/chacha20_poly1305", "macs/poly1305", "ciphers/chacha20")
AES = {"rv32": "rv32_prefix", "cortex-m4": "thumb2_fixslice", "avr": "avr_sram"}
PROCESSOR = {"rv32": "rv32", "cortex-m4": "thumb2", "avr": "avr"}
VECTORS = {
    "aes-128-ccm": ("aes_ccm_rfc3610", "wycheproof_aes_ccm"),
    "aes-128-gcm": ("aes_gcm_cavp", "aes_gcm_spec", "wycheproof_aes_gcm"),
    "aes-128-gcm-siv": ("aes_gcm_siv_lengths", "aes_gcm_siv_rfc8452", "wycheproof_aes_gcm_siv"),
    "ascon-aead128": ("ascon_aead128_kat", "ascon_aead128_options", "wycheproof_ascon_aead128"),
    "chacha20-poly1305": ("chacha20_poly1305_rfc8439", "wycheproof_chacha20_poly1305"),
    "grain-128aead-v2": ("grain128aeadv2_kat", "grain128aeadv2_lengths"),
    "seed-ccm": ("seed_ccm_rfc5669", "seed_ccm_lengths", "wycheproof_seed_ccm"),
}
"""Files of tests/vectors/aead."""


def firmware(name: str) -> list[Firmware]:
    own, aes = PROCESSOR[name], (f"AES_KERNEL={AES[name]}",)
    found = [
        Firmware(name, "ascon-aead128", "ascon_aead128", ("aead/ascon",), (f"ASCON_KERNEL={own}",)),
        Firmware(name, "aes-128-ccm", "aes_ccm", ("ciphers/aes", *OVER_BLOCKS), aes),
        Firmware(name, "aes-128-gcm", "aes_gcm", ("ciphers/aes", *OVER_BLOCKS), aes),
        Firmware(name, "chacha20-poly1305", "chacha20_poly1305", CHACHA20, (f"CHACHA20_KERNEL={own}",)),
        Firmware(name, "grain-128aead-v2", "grain128aead", ("aead/grain128aead",)),
    ]
    if name == "avr":
        found += [
            Firmware(name, "ascon-aead128", "ascon_aead128", ("aead/ascon",), ("ASCON_KERNEL=avr_small",)),
            Firmware(name, "aes-128-gcm-siv", "aes_gcm_siv", ("ciphers/aes", *OVER_BLOCKS), aes),
            Firmware(
                name, "seed-ccm", "seed_ccm", ("ciphers/seed", *OVER_BLOCKS[:2], "macs/ghash"), ("SEED_KERNEL=avr",)
            ),
        ]
    return found


def params(found: list[Firmware]) -> list:
    lab = {"avr": [pytest.mark.lab]}  # where a simulator has to be built
    return [pytest.param(f, id=str(f), marks=[pytest.mark.of(f.aead), *lab.get(f.target, [])]) for f in found]


ON_AVR = params(firmware("avr"))
ALL = ON_AVR + selection.one_in(2, params([*firmware("rv32"), *firmware("cortex-m4")]))


def build(f: Firmware, elf: Path) -> None:
    """Build with every file of the folders for all processors or this one; the linker drops what is not needed."""
    definitions = [f'-DAEAD_HEADER="{Path(f.folders[0]).name}.h"', f"-DAEAD_FAMILY={f.family}", "-I."]
    definitions += [f"-DAEAD_LONGEST={f.longest}", f"-DAEAD_ONE_SHOT={int(not f.about.multipart)}"]
    knobs = ["-DRUNNEL_PREFIX=0", *(f"-DRUNNEL_{knob}" for knob in f.kernels)]
    built(f.target, ROOT / "tests" / "c" / "node_aead.c", elf, f.folders, definitions, knobs)


def request(
    letter: str, nonce: bytes, aad: bytes, text: bytes, tag: bytes | int, offset: int = 0, piece: int = 0
) -> Call:
    tag_bytes, sent = (tag, b"") if isinstance(tag, int) else (len(tag), tag)
    numbers = struct.pack("<6H", offset, len(nonce), len(aad), len(text), tag_bytes, piece)
    back = len(text) + (tag_bytes if letter == "S" else 0)
    return Call(letter, letter.encode() + numbers + nonce + aad + text + sent, back)


def check(f: Firmware, folder: Path, steps: list[Step]) -> None:
    build(f, folder / "firmware.elf")
    calls = [step.call for step in steps]
    answers = session.run(target(f.target), runner(f.target), folder / "firmware.elf", calls, quick=True)
    assert len(session.taken(steps, answers)) == len(steps)


@pytest.mark.parametrize("f", ALL)
def test_the_bytes_are_the_hosts(f, tmp_path):
    rng, about, steps = random.Random(str(f)), f.about, list[Step]()
    for number in range(120):
        if number % 10 == 0:
            key = rng.randbytes(about.key_bytes)
            host = runnel.aead(f.aead, key)
            steps.append(Step(session.key(key)))
        nonce = rng.randbytes(about.nonce_bytes)
        aad = rng.randbytes(rng.choice([0, 0, 14, 16, rng.randrange(70)]))
        longer = [95, 128, 129, 255, 256, 257, f.longest, rng.randrange(f.longest)]
        text = rng.randbytes(number if number < 70 else rng.choice(longer))
        sealed = host.seal(nonce, text, aad)
        ciphertext, tag = sealed[: len(text)], sealed[len(text) :]
        offset, piece = rng.randrange(16) * rng.randrange(2), rng.choice([0, 0, 1, 3, 7, 16, 17, 31, 32, 50, 100])
        piece *= about.multipart
        steps.append(Step(request("S", nonce, aad, text, len(tag), offset, piece), sealed))
        steps.append(Step(request("O", nonce, aad, ciphertext, tag, offset, piece), text))
        wrong = bytearray(tag)
        wrong[rng.randrange(len(tag))] ^= 1 << rng.randrange(8)
        steps.append(Step(request("O", nonce, aad, ciphertext, bytes(wrong), offset, piece), status=ERR_TAG))
    check(f, tmp_path, steps)


@pytest.mark.parametrize("f", ALL)
def test_vectors(f, tmp_path):
    """Published ones, as far as the program's buffers have room, sealed and opened; invalid ones are refused."""
    about, steps, last, fields = f.about, list[Step](), None, ("key", "iv", "aad", "plaintext", "ciphertext", "tag")
    nonces = range(about.nonce_min, min(about.nonce_max or 32, 32) + 1)
    for name in VECTORS[f.aead]:
        for vector in json.loads((selection.AEAD_VECTORS / f"{name}.json").read_text())["vectors"]:
            if vector["name"].startswith("masked") or "aad_rule" in vector:
                continue  # an option of Ascon's standard that the library has not; data that are not written out
            key, nonce, aad, text, sealed, tag = (bytes.fromhex(vector[field]) for field in fields)
            if len(key) != about.key_bytes or len(nonce) not in nonces or len(tag) not in about.tag_lengths:
                continue
            if max(map(len, (aad, text, sealed))) > f.longest:
                continue
            steps += [Step(session.key(key))] if key != last else []
            last, right = key, vector["result"] == "valid"
            steps += [Step(request("S", nonce, aad, text, len(tag)), sealed + tag)] if right else []
            opened = request("O", nonce, aad, sealed, tag)
            steps.append(Step(opened, text) if right else Step(opened, status=ERR_TAG))
    assert sum(step.call.label == "O" for step in steps) > (20 if len(VECTORS[f.aead]) > 1 else 0)
    check(f, tmp_path, steps)


@pytest.mark.parametrize("f", ALL)
def test_secrets_leave_no_trace(f, plugin, tmp_path):  # noqa: F811
    """Key, text and tag are secret, nonce and associated data are not."""
    rng, about, sets = random.Random(1), f.about, 5
    build(f, tmp_path / "firmware.elf")
    nonce, aad = rng.randbytes(about.nonce_bytes), rng.randbytes(20)
    calls = []
    for _ in range(sets):  # the first one detects the CPU's features
        key = rng.randbytes(about.key_bytes)
        host = runnel.aead(f.aead, key)
        calls.append(session.key(key))
        for size, piece in ((0, 0), (16, 0), (45, 0), (128, 0), (290, 0), (290, 23)):
            text = rng.randbytes(size)
            sealed = host.seal(nonce, text, aad)
            calls.append(request("S", nonce, aad, text, about.tag_bytes, 0, piece * about.multipart))
            calls.append(request("O", nonce, aad, sealed[:size], sealed[size:], 1, piece * about.multipart))
    watched, by = target(f.target), runner(f.target)
    if f.target in QEMU:
        command = [*QEMU[f.target], "-plugin", f"{plugin},marks={{marks}},hash={tmp_path / 'hash'}", "{elf}"]
        watched, by = dataclasses.replace(watched, command=command), plugin
    answers = session.run(watched, by, tmp_path / "firmware.elf", calls)
    assert all(answer.status == 0 for answer in answers)
    in_qemu = f.target in QEMU
    traces = (tmp_path / "hash").read_text().splitlines() if in_qemu else [answer.cost for answer in answers]
    each = len(calls) // sets
    assert len(traces) == len(calls)
    for start in range(2 * each, len(traces), each):
        assert traces[start : start + each] == traces[each : 2 * each]


@pytest.mark.parametrize("f", ON_AVR)
def test_nothing_secret_stays_on_the_stack(f, tmp_path):
    """Whatever key and text were, the stack below the caller holds the same bytes after a message was opened: what is
    public of it lies elsewhere, since the program's buffers are static."""
    build(f, tmp_path / "firmware.elf")
    nonce, aad, left = bytes(range(f.about.nonce_bytes)), bytes(14), set()
    for seed in range(3):
        rng = random.Random(seed)
        key, text = rng.randbytes(f.about.key_bytes), rng.randbytes(57)
        sealed = runnel.aead(f.aead, key).seal(nonce, text, aad)
        opened = request("O", nonce, aad, sealed[: len(text)], sealed[len(text) :])
        calls = [session.key(key), opened, Call("D", b"D", STACK, measured=False)]
        answers = session.run(target("avr"), runner("avr"), tmp_path / "firmware.elf", calls)
        assert [answer.status for answer in answers] == [0, 0, 0] and answers[1].output == text
        left.add(answers[2].output)
    assert len(left) == 1
