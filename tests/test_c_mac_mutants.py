# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Break the batches of HMAC-SHA-256 and their kernels on purpose, one bug at a time, and see the tests of MACs go red."""

import subprocess

import pytest
import selection
from c_programs import link_mutant
from suite_floor import processor_has

pytestmark = [pytest.mark.slow, pytest.mark.of("hmac-sha-256")]

FOLDER = "macs/hmac_sha_256"
BATCH, LANES, SHANI = f"{FOLDER}/batch.c", f"{FOLDER}/x86/lanes.h", f"{FOLDER}/x86/shani.h"
PAIR, WIDE = f"{FOLDER}/x86/shani_pair.c", f"{FOLDER}/x86/avx512.c"
# What is compiled for each, and the CPU features that its code needs.
COMPILED: dict[str, tuple[str, set[str]]] = {
    BATCH: (BATCH, set()),
    LANES: (f"{FOLDER}/x86/avx2.c", {"avx2"}),
    SHANI: (f"{FOLDER}/x86/shani.c", {"sha"}),
    PAIR: (PAIR, {"sha"}),
    WIDE: (WIDE, {"avx512"}),
}
# name: (file, text that is there exactly once, what replaces it)
MUTANTS = {
    "the block of the key is not counted": (BATCH, "(BLOCK + bytes) * 8", "bytes * 8"),
    "no second block where the length has no room": (BATCH, "rest < BLOCK - 8 ? 1 : 2", "rest <= BLOCK - 8 ? 1 : 2"),
    "the outer hash begins as the inner one": (BATCH, "memcpy(l->state, c->outer,", "memcpy(l->state, c->inner,"),
    "lanes go on as far as the last of them has blocks": (BATCH, "l->nblocks < nblocks ?", "1 ?"),
    "a tag is always written whole": (
        BATCH,
        "digest, l->m->tag_bytes);\n        l->m->result",
        "digest, 32);\n        l->m->result",
    ),
    "the last message alone is judged": (BATCH, "error |= messages[i].result", "error = messages[i].result"),
    "a context without a key is taken": (BATCH, "if (!c->mac.keyed)", "if (0)"),
    "lengths of tags are not checked": (BATCH, "return RUNNEL_ERR_TAG_LENGTH;", ";"),
    "another message's last bytes": (BATCH, "l->m->bytes - rest, rest);", "l->m->bytes / BLOCK, rest);"),
    "a message takes a lane that is not done": (BATCH, "lanes[i] = lanes[--n];", "lanes[n - 1] = lanes[i], --n;"),
    "a wrong rotation": (LANES, "ROTATING(e, 25)", "ROTATING(e, 26)"),
    "a wrong shift of the schedule": (LANES, "SHIFT(y, 10)", "SHIFT(y, 9)"),
    "a block's words of two messages are exchanged": (LANES, "UNPACK_LOW(r0, r1), low23", "UNPACK_LOW(r1, r0), low23"),
    "the state is not added": (LANES, "v[7] = ADD(v[7], h);", "v[7] = h;"),
    "the second block is the first again": (LANES, "nblocks--, at += 64", "nblocks--"),
    "the schedule ends early": (SHANI, "i >= 1 && i < 13", "i >= 1 && i < 12"),
    "SHA-NI's state in another order": (
        SHANI,
        "_mm_blend_epi16(efgh, cdab, 0xf0)",
        "_mm_blend_epi16(efgh, cdab, 0x0f)",
    ),
    "the second message gets the first one's state": (PAIR, "t.abef, before[1].abef", "t.abef, before[0].abef"),
    "both messages are one": (PAIR, "load_words(&t, q)", "load_words(&t, p)"),
    "lanes of AVX-512 are exchanged": (WIDE, "SIXTEEN_BYTES((p)[8] + (at)), 2)", "SIXTEEN_BYTES((p)[12] + (at)), 2)"),
}


def survives(folder, file: str, change: tuple[str, str] | None) -> bool:
    source, needed = COMPILED[file]
    if not needed <= processor_has():
        pytest.skip(f"this CPU lacks one of: {', '.join(sorted(needed))}")
    program = link_mutant(folder, file, source, "runnel-macs", "macs.c", change)
    return subprocess.run([program, "properties", "1"], capture_output=True, timeout=60).returncode == 0


@pytest.mark.parametrize("file", COMPILED)
def test_the_unbroken_code_survives(file, tmp_path):
    assert survives(tmp_path, file, None)


@pytest.mark.parametrize("mutant", selection.one_in(3, MUTANTS))
def test_mutant_is_killed(mutant, tmp_path):
    file, *change = MUTANTS[mutant]
    assert not survives(tmp_path, file, tuple(change)), f"no test notices that {mutant}"
