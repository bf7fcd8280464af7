# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Assembly kernels on the ATmega128: the cycles of ciphers do not depend on secrets, since memory is equally fast everywhere;
nothing of a key stays in SRAM, of MACs neither; and a call may be longer than a run of the counter's last byte. (Of AEADs:
test_node_aeads.py; the cycles of MACs: test_lab_avr_macs.py.)"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import runnel
import selection
from lab_programs import built, claims_constant_time, pairs, runner
from runnel_lab import subjects
from runnel_lab.running import session
from test_lab_streams import STREAMS, build, usable_ivs

TOOLS = ["avr-gcc", "avr-size", "gcc"]
pytestmark = pytest.mark.skipif(any(shutil.which(t) is None for t in TOOLS), reason=f"needs {', '.join(TOOLS)}")
BLOCKS = [
    ("seed-ctr", "avr"),
    ("seed-ctr", "avr-small"),
    ("aria-256-ctr", "avr"),
    ("lea-256-ctr", "avr"),
    ("lea-256-ctr", "avr-small"),
    ("hight-ctr", "avr"),
    ("hight-ctr", "avr-small"),
]
# In plain C nobody promises it: avr-gcc makes branches of sums and products.
OF_STREAMS = [
    each
    for name, *each in (p.values for p in pairs(STREAMS))
    if name == "avr" and re.match("avr(?!-c-)", each[1]) and claims_constant_time(subjects.cipher(each[0]), each[1])
]
SECRETS = 3


@pytest.mark.parametrize("cipher, kernel", BLOCKS + OF_STREAMS)
def test_secrets_take_no_time(cipher, kernel, tmp_path):
    """The same calls with other keys and messages take the same cycles, through a carry of the counter too."""
    chosen = subjects.cipher(cipher)
    run = build("avr", chosen, kernel, tmp_path)
    rng = random.Random(5)
    longest = max(n for n in chosen.key_bytes if n <= 32)
    iv_bytes = usable_ivs(chosen, longest, run.target)[-1]
    for key_bytes in {longest, 16} if chosen.block_bytes else {longest}:
        costs = set()
        for _ in range(SECRETS):
            iv = bytes(iv_bytes - 1) + b"\xfa" if chosen.block_bytes else rng.randbytes(iv_bytes)
            calls = [
                session.key(rng.randbytes(key_bytes)),
                session.iv(iv),
                session.encrypt("packet", rng.randbytes(128)),
                session.encrypt("rest", rng.randbytes(45)),
            ]
            answers = session.run(run.target, run.runner, run.elf, calls)
            assert all(answer.status == 0 for answer in answers)
            costs.add(tuple(answer.cost for answer in answers))
        assert len(costs) == 1, costs


ONCE = """
#include "{header}.h"
#include "channel.h"
int main(void)
{{
    static uint8_t key[{key_bytes}], aside[32], text[{text_bytes}];
    lab_read(key, sizeof key);
    lab_read(text, sizeof text);
    int error = runnel_{call};
    lab_write({sent});
    return error;
}}
"""
SRAM = "(const uint8_t *)0x600, 0x1100 - 0x600"
"""From above the static data up."""


def once(
    folder: Path, place: str, knobs: list[str], call: str, secret: bytes, text_bytes: int, sent: str = SRAM
) -> bytes:
    """Return what is sent of a program of one call, whose key and text this is."""
    elf, key_bytes = folder / "once.elf", len(secret) - text_bytes
    if not elf.exists():
        source = folder / "once.c"
        header = Path(place).name
        source.write_text(ONCE.format(header=header, key_bytes=key_bytes, text_bytes=text_bytes, call=call, sent=sent))
        built("avr", source, elf, (place,), knobs=[f"-DRUNNEL_{knob}" for knob in knobs])
    command = [runner("avr"), "atmega128", elf, folder / "marks"]
    return subprocess.run(command, input=secret, capture_output=True, timeout=60).stdout


def ctr(family: str, iv_bytes: int) -> str:
    return f"{family}_ctr_once(text, text, sizeof text, key, sizeof key, aside, {iv_bytes}, 0)"


AES = [("aes-256-ctr", kernel) for kernel in ("avr-sram", "avr-sram-512", "avr-flash", "avr-small")]


@pytest.mark.parametrize(
    "cipher, kernel, prefix",
    selection.one_in(
        3,
        [
            *(pytest.param(*each, prefix) for each in AES for prefix in (0, 1)),
            *(pytest.param(*each, 0) for each in BLOCKS),
        ],
    ),
)
def test_nothing_of_a_key_stays_on_the_stack(cipher, kernel, prefix, tmp_path):
    """Whatever the key, the SRAM above the static data holds the same bytes after the call."""
    chosen, rng = subjects.cipher(cipher), random.Random(6)
    family = chosen.family.removesuffix("_ctr")
    knobs = [f"{family.upper()}_KERNEL={kernel.replace('-', '_')}", f"PREFIX={prefix}"]
    call = ctr(family, chosen.block_bytes)
    text = bytes(100)
    left = {
        once(tmp_path, f"ciphers/{family}", knobs, call, rng.randbytes(chosen.key_bytes[-1]) + text, len(text))
        for _ in range(SECRETS)
    }
    assert len(left) == 1 and len(left.pop()) == 0xB00


@pytest.mark.parametrize("name, place", [
    ("poly1305", "poly1305"), ("siphash", "siphash"), ("siphash-128", "siphash"), ("hmac-sha-1", "hmac_sha_1"),
    ("hmac-sha-256", "hmac_sha_256"),
])  # fmt: skip
def test_nothing_of_a_secret_stays_in_memory(name, place, tmp_path):
    """Whatever key and message are."""
    mac, rng = subjects.cipher(name), random.Random(6)
    tag_bytes = runnel.macs()[name].tag_bytes[-1]
    call = f"{mac.family}_once(aside, {tag_bytes}, text, sizeof text, key, sizeof key)"
    left = {
        once(tmp_path, f"macs/{place}", [], call, rng.randbytes(mac.key_bytes[0] + 100), 100) for _ in range(SECRETS)
    }
    assert len(left) == 1 and len(left.pop()) == 0xB00


@pytest.mark.of("hight")
@pytest.mark.parametrize("kernel", ["avr", "avr-small"])
def test_a_call_of_more_than_256_blocks(kernel, tmp_path):
    """Values that 256 blocks share are computed anew for the next ones, and the first run may be a whole one."""
    key, text = bytes(range(16)), bytes(2400)
    knobs = [f"HIGHT_KERNEL={kernel.replace('-', '_')}"]
    program = once(tmp_path, "ciphers/hight", knobs, ctr("hight", 8), key + text, len(text), "text, sizeof text")
    assert program == runnel.new("hight-ctr", key, bytes(8)).xor(text)
