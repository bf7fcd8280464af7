# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Break src/core on purpose, one bug at a time, and see the properties go red. Most of these bugs were published ones of
other libraries. A mutant whose text is no longer there fails: it must follow the code."""

import os
import shutil
import subprocess

import pytest
import selection
from c_programs import BUILD, ROOT, break_once, build

pytestmark = pytest.mark.slow

COMPILER = os.environ.get("CC") or "cc"
# name: (file, text that is there exactly once, what replaces it)
MUTANTS = {
    "left-over bytes survive a new IV": (
        "driver.h",
        "    s->block = 0;\n    s->leftover = 0;\n    s->stage",
        "    s->block = 0;\n    s->stage",
    ),
    "left-over bytes survive a seek": (
        "driver.c",
        "(runnel_count)block;\n    s->leftover = 0;\n",
        "(runnel_count)block;\n",
    ),
    "a seek forgets the rest of its block": (
        "driver.c",
        "s->leftover = (uint16_t)(block_bytes - used);",
        "s->leftover = 0;",
    ),
    "a seek goes beyond the end": (
        "driver.c",
        "block > s->blocks || (block == s->blocks && used > 0)",
        "block > s->blocks",
    ),
    "the limit is not checked": (
        "driver.h",
        "if (s->blocks != 0 && bytes > s->leftover &&",
        "if (0 && s->blocks != 0 &&",
    ),
    "the limit is one byte late": ("driver.h", ">= s->blocks - s->block)", "> s->blocks - s->block)"),
    "the last byte cannot be used": (
        "driver.h",
        "bytes - s->leftover - 1, s->cipher",
        "bytes - s->leftover, s->cipher",
    ),
    "the limit is checked after the first output": (
        "driver.h",
        "s->blocks - s->block)\n        return RUNNEL_ERR_LIMIT;",
        "s->blocks - s->block) {\n        *(uint8_t *)(uintptr_t)out ^= 1;\n        return RUNNEL_ERR_LIMIT;\n    }",
    ),
    "the limit changes the context": (
        "driver.h",
        ">= s->blocks - s->block)",
        ">= s->blocks - s->block && ++((runnel_stream *)(uintptr_t)s)->layout)",
    ),
    "overlaps are not refused": ("driver.h", "if (in != NULL && runnel_overlap(out, in, bytes))", "if (0)"),
    "one byte of the tail is lost": (
        "driver.c",
        "s->leftover = (uint16_t)(block_bytes - bytes);",
        "s->leftover = (uint16_t)(block_bytes - bytes - (bytes < block_bytes - 1));",
    ),
    "a tail's block is not counted": ("driver.c", "s->block += nblocks + 1;", "s->block += nblocks;"),
    "what is left over of a tail's block is the wrong end": (
        "driver.c",
        "s->leftover = (uint16_t)(s->cipher->block_bytes - tail);",
        "s->leftover = (uint16_t)tail;",
    ),
    "a tail's block is the wrong one where the counter wraps": (
        "ctr.c",
        "if (nblocks > (blocks_before_wrap(counter, l) & run_mask(kernel)))",
        "if (nblocks > 1 + (blocks_before_wrap(counter, l) & run_mask(kernel)))",
    ),
    "a tail is made from the message's first block on": ("ctr.c", "add_to_field(counter, l, index);", ""),
    "a tail is made in a layout that counts elsewhere": (
        "ctr.c",
        "    if (l->place == FROM_OFFSET)\n        return 0;\n",
        "",
    ),
    "a packet's limit is not checked": (
        "packet.c",
        "bytes == 0 ? RUNNEL_OK : runnel_check_call(&at_start, out, in, bytes)",
        "RUNNEL_OK",
    ),
    "a packet's limit is not counted from its IV on": (
        "packet.c",
        "{.cipher = cipher, .blocks = blocks};",
        "{.cipher = cipher, .blocks = blocks, .block = 1};",
    ),
    "a packet keeps the last IV": (
        "packet.c",
        "    runnel_begin(s, iv, iv_bytes, layout, &blocks);\n    return",
        "    return",
    ),
    "a packet may overlap by a part": ("packet.c", "!runnel_overlap(out, in, bytes)", "1"),
    "a packet in one call wraps inside a run": (
        "driver.h",
        "return word + (bytes - 1) / 16 <= UINT32_MAX;",
        "return 1;",
    ),
    "a packet in one call counts in any layout": (
        "driver.h",
        "return (unsigned)layout - RUNNEL_BE128 <= 2;",
        "return 1;",
    ),
    "a short piece begins where the message did": ("driver.h", "if (s->block > 0) { /* stored", "if (0) { /* stored"),
    "a short piece is not counted": ("driver.h", "    s->block += (bytes + 15) / 16;\n", ""),
    "a short piece leaves nothing over": ("driver.h", "    s->leftover = (uint16_t)(-bytes % 16);\n", ""),
    "a packet in one call takes an IV of any length": ("packet.c", "iv_bytes == 16 &&", ""),
    "a packet in one call is not counted": ("packet.c", "    s->block = (bytes + 15) / 16;\n", ""),
    "a packet in one call has no limit": ("packet.c", "layout == RUNNEL_BE32 ? (uint64_t)1 << 32 : 0", "0"),
    "a packet in one call leaves nothing over": ("packet.c", "    s->leftover = (uint16_t)(-bytes % 16);\n", ""),
    "a packet in one call loses its tail": ("packet.c", "(tail > 0 && f->ctr32_tail == NULL) ||", ""),
    "a packet to encrypt is decrypted": (
        "packet.c",
        "return crypt_packet(s, iv, iv_bytes, layout, out, in, bytes, 0);",
        "return crypt_packet(s, iv, iv_bytes, layout, out, in, bytes, 1);",
    ),
    "a packet to encrypt is not checked": (
        "packet.c",
        "    error = check_message(s->cipher, blocks, out, in, bytes);\n",
        "",
    ),
    "tell counts what is left over": (
        "driver.c",
        "block_bytes, block_bytes - s->leftover);",
        "block_bytes, s->leftover);",
    ),
    "wiping does nothing": ("driver.c", "        runnel_wipe(s, s->cipher->context_bytes);", "        s->stage = 0;"),
    "wiping stops early": (
        "driver.c",
        "        runnel_wipe(s, s->cipher->context_bytes);",
        "        runnel_wipe(s, sizeof *s + 32);",
    ),
    "the one-shot call leaves the key behind": (
        "driver.c",
        "runnel_wipe(s, used_bytes(s));",
        "runnel_wipe(s, sizeof *s + 16);",
    ),
    "a new key keeps the old key's prefix tables": (
        "driver.h",
        "memset((uint8_t *)s + cipher->prefix_offset, 0, 8);",
        ";",
    ),
    "a kernel runs that the CPU lacks": (
        "choose.c",
        "&& runnel_kernel_available(*k))\n            return",
        ")\n            return",
    ),
    "a kernel that indexes by secrets is chosen by default": ("choose.c", ": runnel_kernel_by_default(*k);", ": 1;"),
    "any IV length is accepted": (
        "driver.h",
        "if (!runnel_has_length(&cipher->iv_bytes, iv_bytes) ||",
        "if (iv_bytes > 256 ||",
    ),
    "any layout is accepted": ("driver.h", "|| !(cipher->layouts >> *layout & 1))", ")"),
    "be128 loses the carry between its halves": ("ctr.c", "runnel_store64be(p, runnel_load64be(p) + (low < n));", ";"),
    "le128 loses the carry between its halves": (
        "ctr.c",
        "runnel_store64le(p + 8, runnel_load64le(p + 8) + (low < n));",
        ";",
    ),
    "le128 made block by block loses it": ("ctr.c", "high += l->bits == 128 && low == 0;", ";"),
    "le32 carries into the nonce": ("ctr.c", "l->bits == 32 ? add_to_low_half(old, n) : low", "low"),
    "le32 made block by block carries into the nonce": (
        "ctr.c",
        "l->bits == 32 ? add_to_low_half(low, 1) : low + 1",
        "low + 1",
    ),
    "a little-endian word wraps inside a run": (
        "ctr.c",
        "return UINT32_MAX - runnel_load32le(p);",
        "return UINT32_MAX - runnel_load32le(p) + 1;",
    ),
    "a little-endian word wraps inside a message's first run": (
        "ctr.c",
        "if (l->little && stays_in_run(kernel, runnel_load32le(first), nblocks))",
        "if (l->little)",
    ),
    "a little-endian word wraps inside a packet": (
        "packet.c",
        "place & in_first_word && bytes / 16 - 1 <= UINT32_MAX - runnel_load32le(iv)",
        "place & in_first_word",
    ),
    "be64 carries into the nonce": ("ctr.c", '{RUNNEL_TEXT("be64"), 64,', '{RUNNEL_TEXT("be64"), 128,'),
    "be16 runs past its wrap": ("ctr.c", "return 0xffff - ((uint32_t)p[0] << 8 | p[1]);", "return 0x10000;"),
    "the low word wraps inside a run": (
        "ctr.c",
        "return UINT32_MAX - runnel_load32be(p + l->bits / 8 - 4);",
        "return UINT32_MAX - runnel_load32be(p + l->bits / 8 - 4) + 1;",
    ),
    "the counter stands still between runs": ("ctr.c", "        add_to_field(field, l, (runnel_count)n);\n", ""),
    "the counter stands still between blocks": ("ctr.c", "        add_to_field(field, l, 1);\n", ""),
    "block numbers have 32 bits": (
        "ctr.c",
        "add_to_field(field, l, index);",
        "add_to_field(field, l, (uint32_t)index);",
    ),
    "be32 has no limit": ("ctr.c", "bits < 64 ? (uint64_t)1 << bits : 0", "bits < 32 ? (uint64_t)1 << bits : 0"),
    "the feedback register keeps what was left over": ("cfb.c", "reg[i] = decrypt ? given : made;", "reg[i] = made;"),
    "decryption in feedback mode reads what it has overwritten": (
        "cfb.c",
        "        memcpy(reg, in + bytes - block_bytes, block_bytes);\n        s->kernel",
        "        s->kernel",
    ),
    "the position of feedback mode forgets whole blocks": ("cfb.c", "        s->block += (runnel_count)nblocks;\n", ""),
    "encryption and decryption are the same": (
        "direction.c",
        "(decrypt ? directions->decrypt : directions->encrypt)",
        "(directions->encrypt)",
    ),
    "xor works where there is none": ("driver.c", "if (s->cipher->directions != NULL)", "if (0)"),
    "a keystream is asked of a cipher that has none": (
        "direction.c",
        "    if (in == NULL)\n        return RUNNEL_ERR_NULL;\n",
        "    if (in == NULL)\n        in = out;\n",
    ),
    "raw blocks may overlap by a part": ("blocks.c", "runnel_overlap(out, in, nblocks * block_bytes)", "0"),
    "raw blocks are decrypted by a kernel that cannot": (
        "blocks.c",
        "        error = RUNNEL_ERR_KERNEL;",
        "        return RUNNEL_OK;",
    ),
    "a stream may be given twice": (
        "batch.c",
        "if (s->stage != RUNNEL_IV_SET)",
        "if ((s->stage & ~WAITING) != RUNNEL_IV_SET)",
    ),
    "an IV is taken for one of the cipher before": (
        "batch.c",
        "s->cipher != cipher || cipher->iv_as_key",
        "cipher == NULL",
    ),
    "a message has the limit of the cipher before": ("batch.c", "if (first->cipher != cipher)", "if (cipher == NULL)"),
    "feedback mode forgets its own kernel's blocks": ("cfb.c", "            s->block += nblocks;\n", ""),
    "an error leaves streams waiting": ("batch.c", "        release(stream_at(streams, i));\n", "        ;\n"),
    "streams of two kernels share lanes": ("batch.c", "s->kernel == first->kernel && ", ""),
    "a lane that is done loses the last one's stream": ("batch.c", "lanes[k] = lanes[--n];", "--n;"),
    "a lane forgets what is left over": (
        "batch.c",
        "    l->s->leftover = (uint16_t)(l->s->cipher->block_bytes - l->tail);\n",
        "",
    ),
    "a lane forgets the position": ("batch.c", "    l->s->block += nblocks;\n", ""),
    "all lanes of a batch of keys have the first": ("batch.c", "done + (k < n ? k : 0)", "done"),
    "a batch of keys changes contexts before an error": (
        "batch.c",
        "        if (stream_at(streams, i) == NULL || (keys[i]",
        "        if (stream_at(streams, i) == NULL || ++stream_at(streams, i)->stage == 0 || (keys[i]",
    ),
    "in place is refused": ("driver.h", "return o != i && (o - i", "return (o - i"),
    "in place gives the keystream": ("bytes.h", "    if (in == NULL) {", "    if (in == NULL || in == out) {"),
    "XOR loses the last byte of an odd length": ("bytes.h", "for (; i < bytes; i++)", "for (; i + 1 < bytes; i++)"),
}
RUNS = [
    ("all", "--cipher", "aes-128-ctr", "--scale", "40"),
    ("all", "--cipher", "chacha20", "--scale", "40"),
    ("all", "--cipher", "aes-128-cfb", "--scale", "40"),
    ("batch", "--cipher", "rabbit", "--scale", "10"),
    ("tails", "--cipher", "seed-ctr", "--scale", "10"),
    ("dispatch",),
]
SOURCES = ["driver.c", "choose.c", "ctr.c", "cfb.c", "direction.c", "blocks.c", "batch.c", "packet.c"]
FLAGS = ["-std=c11", "-O1", "-w", "-I", BUILD / "generated", "-I", ROOT / "include"]


def call(*command) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]


def compiled(folder, names) -> list:
    """The objects of files of the core, as they are in the folder."""
    for name in names:
        call(COMPILER, *FLAGS, "-I", folder, "-c", folder / "core" / name, "-o", folder / f"{name}.o")
    return [folder / f"{name}.o" for name in names]


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    """A copy of the core, compiled."""
    build(BUILD)
    folder = tmp_path_factory.mktemp("core")
    for name in ("core", "arch"):
        shutil.copytree(ROOT / "src" / name, folder / name)
    compiled(folder, SOURCES)
    return folder


def survives(unbroken, folder, file=None, old=None, new=None) -> bool:
    """Build the properties on a changed copy of the core, of which only what includes the change is compiled; tell whether
    they are all green."""
    broken = []
    if file is not None:
        for name in ("core", "arch"):
            shutil.copytree(ROOT / "src" / name, folder / name)
        (path,) = folder.rglob(file)
        break_once(path, old, new)
        broken = [file] if file in SOURCES else SOURCES
    made = compiled(folder, broken) + [unbroken / f"{name}.o" for name in SOURCES if name not in broken]
    parts = BUILD / "tests" / "librunnel_properties_parts.a"
    call(COMPILER, *made, parts, BUILD / "librunnel.a", "-o", folder / "properties")
    environment = {k: v for k, v in os.environ.items() if k != "RUNNEL_CPU"}
    for run in RUNS:
        try:
            if subprocess.run(
                [folder / "properties", *run], env=environment, capture_output=True, timeout=60
            ).returncode:
                return False
        except subprocess.TimeoutExpired:
            return False
    return True


def test_the_unbroken_core_survives(unbroken, tmp_path):
    assert survives(unbroken, tmp_path)


@pytest.mark.parametrize("mutant", selection.one_in(5, MUTANTS))
def test_mutant_is_killed(mutant, unbroken, tmp_path):
    assert not survives(unbroken, tmp_path, *MUTANTS[mutant]), f"no property notices that {mutant}"
