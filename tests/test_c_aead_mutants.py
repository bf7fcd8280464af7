# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Break the AEADs on purpose, one bug at a time, and see their tests go red. A mutant whose text is no longer there fails:
it must follow the code."""

import json
import os
import subprocess

import pytest
import selection
from c_programs import ROOT, link_mutant
from suite_floor import processor_has
from test_c_aeads import PROGRAM, lines_of

pytestmark = pytest.mark.slow

CORE, GCM, CCM, CCM_BATCH = "core/aead.c", "aead/gcm/gcm.c", "aead/ccm/ccm.c", "aead/ccm/batch.c"
FUSED, GROUPS, PREFIX, CCM_KERNEL = (f"ciphers/aes/x86/{name}.h" for name in ("gcm", "gcm_group", "gcm_prefix", "ccm"))
SIV_KERNEL = "ciphers/aes/x86/gcm_siv.h"
AHEAD = "core/ahead.c"
POLY, SIV = "aead/chacha20_poly1305/chacha20_poly1305.c", "aead/gcm_siv/gcm_siv.c"
SPONGE, PORTABLE, BATCH = "aead/ascon/sponge.h", "aead/ascon/portable.c", "aead/ascon/x86/lanes.h"
STITCHED = "aead/chacha20_poly1305/x86/avx2.c"
WIDE, LANES, LIMBS44 = "macs/poly1305/wide.h", "macs/poly1305/x86/lanes.h", "macs/poly1305/limbs44.h"
IFMA = "macs/poly1305/x86/ifma.c"
# What is compiled for headers, and the CPU features that its code needs.
COMPILED = {
    SPONGE: ("aead/ascon/portable.c", set()),
    BATCH: ("aead/ascon/x86/batch_avx2.c", {"avx2"}),
    STITCHED: (STITCHED, {"avx2"}),
    WIDE: ("macs/poly1305/poly1305.c", set()),
    LANES: ("macs/poly1305/x86/avx2.c", {"avx2"}),
    LIMBS44: (IFMA, {"ifma"}),
    IFMA: (IFMA, {"ifma"}),
}
# What includes the code of fused kernels, by the CPU features that choose it: the first that this CPU has is broken.
GCM_WIDTHS = {
    "gcm_vaes512.c": {"vaes", "avx512", "clmul", "vclmul"},
    "gcm_vaes.c": {"vaes", "clmul", "vclmul"},
    "gcm_aesni.c": {"aes", "clmul"},
}
SIV_WIDTHS = {name.replace("gcm", "gcm_siv"): needed for name, needed in GCM_WIDTHS.items()}
CCM_WIDTHS = {"vaes512.c": {"vaes", "avx512"}, "vaes.c": {"vaes"}, "aesni.c": {"aes"}}
WIDTHS = {FUSED: GCM_WIDTHS, GROUPS: GCM_WIDTHS, PREFIX: GCM_WIDTHS, CCM_KERNEL: CCM_WIDTHS, SIV_KERNEL: SIV_WIDTHS}
# The AEADs and the vectors that a mutant of a file goes through.
RUNS = {
    CORE: (["aes-128-gcm", "aes-128-ccm"], []),
    GCM: (["aes-128-gcm"], ["wycheproof_seed_gcm", "aria_gcm_rfc8269"]),
    AHEAD: (["aes-128-gcm", "chacha20-poly1305"], []),
    CCM: (["aes-128-ccm"], ["aes_ccm_rfc3610", "aes_ccm_long_aad"]),
    CCM_BATCH: (["aes-128-ccm"], []),
    CCM_KERNEL: (["aes-128-ccm"], []),
    FUSED: (["aes-128-gcm"], ["aes_gcm_spec"]),
    GROUPS: (["aes-128-gcm"], []),
    PREFIX: (["aes-128-gcm"], []),
    POLY: (["chacha20-poly1305"], ["chacha20_poly1305_rfc8439", "xchacha20_draft"]),
    "macs/poly1305/poly1305.c": (["chacha20-poly1305"], []),
    **dict.fromkeys((SIV, SIV_KERNEL), (["aes-128-gcm-siv"], ["aes_gcm_siv_rfc8452"])),
    **dict.fromkeys((SPONGE, PORTABLE, BATCH), (["ascon-aead128"], ["ascon_aead128_kat"])),
    **dict.fromkeys((STITCHED, WIDE, LANES, LIMBS44, IFMA), (["chacha20-poly1305"], ["chacha20_poly1305_rfc8439"])),
}
# name: (file, text that is there exactly once, what replaces it)
MUTANTS = {
    "the tag's last byte is not compared": (CORE, "i < tag_bytes; i++)", "i + 1 < tag_bytes; i++)"),
    "what is not authentic is released": (CORE, "if (result != RUNNEL_OK && bytes > 0)", "if (0)"),
    "a batch forgets what was refused": (CORE, "                error = p->result;", "                ;"),
    "a message of any length": (CORE, "bytes > text_most(c->aead, nonce_bytes) ||", ""),
    "associated data of any length": (CORE, "|| aad_bytes > c->aead->aad_most)", ")"),
    "text over the tag": (CORE, " || touch(out, bytes, tag, tag_bytes)", ""),
    "text over the associated data": (CORE, " || touch(out, bytes, aad, aad_bytes)", ""),
    "pieces beyond the limit": (CORE, "if (bytes > c->text_total - c->text_bytes)", "if (0)"),
    "associated data beyond what was said": (CORE, "if (bytes > c->aad_total - c->aad_bytes)", "if (0)"),
    "text before the last associated data": (CORE, "if (c->has_lengths && c->aad_bytes != c->aad_total)", "if (0)"),
    "a tag before the last text": (CORE, "if (c->has_lengths && c->text_bytes != c->text_total)", "if (0)"),
    "verify after encrypt": (CORE, "return c->stage == stage ? RUNNEL_OK : RUNNEL_ERR_STATE;", "return RUNNEL_OK;"),
    "a tag of another length than was said": (CORE, "if (tag_bytes != c->tag_bytes)", "if (0)"),
    "a message ends twice": (CORE, "mode->tag(c, longest);\n    c->stage = IDLE;", "mode->tag(c, longest);"),
    "the MAC misses what has gathered": (AHEAD, "c->aead->mode->absorb(c, a->bytes, a->used);", ";"),
    "the MAC misses a whole buffer": (AHEAD, "c->aead->mode->absorb(c, a->bytes, a->made);", ";"),
    "opening authenticates the text": (AHEAD, "*p = decrypt ? text : made;", "*p = made;"),
    "opening authenticates the text of whole blocks": (
        AHEAD,
        "memcpy(p, decrypt ? &text : &made, 16);",
        "memcpy(p, &made, 16);",
    ),
    "keystream ahead begins within a block": (AHEAD, "if (room == 0 && make(c, a))", "if (make(c, a))"),
    "keystream is used twice": (AHEAD, "a->used = (uint16_t)(a->used + bytes);", ";"),
    "a message begins with keystream of the one before": (
        AHEAD,
        "a->used = a->made = a->before = 0;",
        "a->before = 0;",
    ),
    "keystream stays where its message has ended": (
        AHEAD,
        "    runnel_wipe(a->bytes + a->used, (size_t)(a->made - a->used));\n",
        "",
    ),
    "keystream stays where another key is set": (
        AHEAD,
        "runnel_wipe(ahead_of(c), sizeof(runnel_ahead));",
        "memset(ahead_of(c), 0, 16);",
    ),
    "what lay in the memory counts": (AHEAD, "runnel_wipe(ahead_of(c), sizeof(runnel_ahead));", ";"),
    "powers of another key": ("macs/poly1305/poly1305.c", "    c->keeper = NULL;\n", ""),
    "powers stay where their message has ended": (
        "macs/poly1305/poly1305.c",
        "        runnel_wipe(c->powers, sizeof c->powers);\n",
        "        ;\n",
    ),
    "lengths in bytes": (GCM, "first << 3", "first"),
    "the nonce's length in the wrong half": (
        GCM,
        "absorb_lengths(g, 0, nonce_bytes);",
        "absorb_lengths(g, nonce_bytes, 0);",
    ),
    "associated data run into the text": (
        GCM,
        "    pad(runnel_aead_part(c), (size_t)(c->aad_bytes % 16));",
        "    (void)c;",
    ),
    "the plaintext is hashed": (GCM, "if (decrypt)\n            absorb(", "if (!decrypt)\n            absorb("),
    "the counter stands still before a tail": (GCM, "(block + 12) + (uint32_t)nblocks)", "(block + 12))"),
    "the tag's length is coded wrongly": (CCM, "(tag_bytes - 2) / 2", "tag_bytes / 2"),
    "65,280 bytes of associated data in two": (CCM, "    if (aad_bytes < 0xff00) {", "    if (aad_bytes <= 0xff00) {"),
    "one byte too many for the length": (CCM, "((uint64_t)1 << bits) - 1", "((uint64_t)1 << bits)"),
    "whole blocks of text are not counted": (CCM, "        s->block += nblocks;\n", ""),
    "a block that is begun is not ended": (CCM, "room = (16 - at) % 16,", "room = 0,"),
    "a waiting block is forgotten": (CCM, "both, both, 2)", "m->mask, m->mask, 1)"),
    "the counter's carry is lost": (CCM, "p--, index >>= 8", "p--, index = 0"),
    "a message's tail has the counter of the block before": (CCM, "m, 1 + m->bytes / 16)", "m, m->bytes / 16)"),
    "a message's tail is not chained": (
        CCM,
        "    if (decrypt)\n        runnel_xor_bytes(mac,",
        "    if (0)\n        runnel_xor_bytes(mac,",
    ),
    "the mask is that of the first block": (
        CCM,
        "runnel_xor_bytes(longest, mac, mask, 16);",
        "memcpy(longest, mac, 16);",
    ),
    "a chain goes on with another's place": (CCM_BATCH, "memcpy(macs[i], macs[count], 16);", ";"),
    "a lane goes on with another's counter": (CCM_BATCH, "memcpy(b->l.counters[i], b->l.counters[last], 16);", ";"),
    "idle lanes write over a message": (CCM_BATCH, "b->l.out[i] = b->unused;", "b->l.out[i] = b->l.out[0];"),
    "a message that leaves its lane starts again": (CCM_BATCH, "done = m->bytes / 16 - left;", "done = 0;"),
    "the tail has the counter of the block before": (
        CCM_BATCH,
        ", 1 + messages[i].bytes / 16",
        ", messages[i].bytes / 16",
    ),
    "the tail is not chained": (
        CCM_BATCH,
        "        if (!m->decrypt)\n            runnel_xor_bytes(mac,",
        "        if (0)\n            runnel_xor_bytes(mac,",
    ),
    "the associated data are not all chained": (
        CCM_BATCH,
        "o->parts = in_lanes ? 2 : 3;",
        "o->parts = in_lanes ? 1 : 3;",
    ),
    "opening chains the ciphertext": (CCM_KERNEL, "_mm_and_si128(stream, opening)", "_mm_setzero_si128()"),
    "opening chains the ciphertext in lanes": (CCM_KERNEL, "decrypt ? result : text", "text"),
    "the counter stands still": (CCM_KERNEL, "    counter = _mm_add_epi32(counter, one);\n", ""),
    "the counters of lanes stand still": (CCM_KERNEL, "ADD32(count[i], one)", "count[i]"),
    "the next block comes without the first key": (
        CCM_KERNEL,
        "_mm_aesenclast_si128(x, _mm_xor_si128(last_and_first, load_one(blocks)))",
        "_mm_aesenclast_si128(x, _mm_xor_si128(load_one(last), load_one(blocks)))",
    ),
    "a group ends in the numbers it began with": (
        GROUPS,
        "return two_bases(base, at->base);",
        "return (bases){base, base};",
    ),
    "every group has the first one's counters": (GROUPS, "    at->counter = add_to_counter(at->counter, GROUP);\n", ""),
    "the second group of two takes the powers of the first": (
        GROUPS,
        "paired % 2 == 0 ? 2 * GROUP : GROUP;",
        "2 * GROUP;",
    ),
    "the last group takes powers that are not its own": (GROUPS, "return GROUP + at->behind;", "return 2 * GROUP;"),
    "a reduced sum is added to every group": (
        GROUPS,
        "    at->y = REPEAT_REGISTER(_mm_setzero_si128());\n    if (blocks",
        "    if (blocks",
    ),
    "a sum goes on after its reduction": (GROUPS, "    at->sum = no_products();\n}", "}"),
    "the rest has the counters of the block before": (GROUPS, "_mm_set_epi32(2, 0, 0, 0)", "_mm_set_epi32(1, 0, 0, 0)"),
    "the first vector is hashed without the sum before": (GROUPS, "XOR(at->y, HASHED(0))", "HASHED(0)"),
    "a period ends in one run": (PREFIX, "p->entry == PERIOD - GROUP ? two_bases(", "0 ? two_bases("),
    "the next period has the base of this one": (PREFIX, "    p->base = p->next;\n", ""),
    "another nonce's table": (PREFIX, "p->column_set && p->column == column", "p->column_set"),
    "the table of a key before": (PREFIX, "    p->filled = 0;\n", ""),
    "groups from the table are not counted": (PREFIX, "add_to_counter(at.counter, GROUP);", "at.counter;"),
    "the last group of a message is not hashed": (PREFIX, "        hash_group(at);\n", "        ;\n"),
    "lengths in bytes, by the kernel": (FUSED, "(uint64_t)m->aad_bytes << 3", "(uint64_t)m->aad_bytes"),
    "a vector's lengths over its text": (FUSED, "(__mmask16)(0xfu << 4 * lengths_at)", "(__mmask16)0xf"),
    "a vector without room for associated data": (FUSED, "m->bytes <= (m->aad_bytes > 0 ? 32 : 48)", "m->bytes <= 48"),
    "the powers' number is one too low": (FUSED, "(at->hash, (rest + 15) / 16 + 1);", "(at->hash, (rest + 15) / 16);"),
    "more behind the last group than powers": (FUSED, "return n <= GROUP ? n : 0;", "return n <= GROUP ? n : 1;"),
    "the first group has the base of the blocks before it": (
        FUSED,
        "        at.base = base_before_round_1(state, at.counter);\n",
        "",
    ),
    "a piece does not count its blocks": (
        FUSED,
        "    at->counter = add_to_counter(at->counter, (uint32_t)nblocks);\n",
        "",
    ),
    "no zeros behind the text": (POLY, "    pad(mac, text_bytes);\n", ""),
    "no zeros behind the text of a whole message": (POLY, "    if (rest > 0) {", "    if (0) {"),
    "the fused kernel's blocks are not counted": (POLY, "    s->block += nblocks;\n", ""),
    "a fused kernel in the middle of a block": (POLY, "if (s->leftover == 0 && mac->mac.filled == 0) {", "if (1) {"),
    "the last eight blocks are not authenticated": (
        STITCHED,
        "    runnel_poly1305_absorb(mac, out + (nblocks - BLOCKS) * CHACHA20_BLOCK, MAC_BLOCKS);\n",
        "",
    ),
    "the counter falls behind": (STITCHED, "        counter += BLOCKS;", "        counter += BLOCKS - 1;"),
    "the plaintext is authenticated": (STITCHED, "mac, out, in, in, nblocks);", "mac, out, in, out, nblocks);"),
    "blocks in words lack the bit above them": (WIDE, '"adcq $1, %[h2]', '"adcq $0, %[h2]'),
    "what stands above 2^130 stays": (WIDE, '"andq $3, %[h2]', '"andq $7, %[h2]'),
    "a limb is not carried": (LANES, "    CARRY(2, 3)\n", ""),
    "two sums go one sum's way": (LANES, "repeat_power(&powers[0])", "repeat_power(&powers[LANES])"),
    "the second sum is lost": (LANES, "    add_lanes(&a, &b);\n", ""),
    "2^130 is 4": (LIMBS44, "(uint64_t)(d2 >> 42) * 5", "(uint64_t)(d2 >> 42) * 4"),
    "the sum so far is lost": (IFMA, "limbs44_from_words(c->h, c->h[4])", "(limbs44){{0, 0, 0}}"),
    "nothing ends the text": (SPONGE, "    xor_end(s, c->head.text_bytes);\n", ""),
    "associated data run into Ascon's text": (SPONGE, "    s->x4 = XOR(s->x4, TO_WORD((uint64_t)1 << 63));\n", ""),
    "the tag does not need the key": (SPONGE, "    s->x2 = XOR(s->x2, k0);\n", ""),
    "decryption absorbs the plaintext": (SPONGE, "decrypt ? in1 : out1", "out1"),
    "a block in two pieces is not permuted": (
        SPONGE,
        "        if (at + n == ASCON_RATE)\n            eight_rounds(s);\n",
        "",
    ),
    "a rotation by 40": (PORTABLE, "ROTATE(t4, 41)", "ROTATE(t4, 40)"),
    "a message that has ended goes on": (BATCH, "s->x3 = BLEND(mask, a->x3, s->x3);", "s->x3 = a->x3;"),
    "the blocks of the last lanes are lost": (BATCH, "w->words[k][element(i)] = c->s[k];", ";"),
    "nothing ends a batch's texts": (BATCH, "    block[bytes] = 1;\n", ""),
    "a batch decrypts as it encrypts": (BATCH, "next.x1 = r.high;\n        }", "}"),
    "the MAC's key comes from block 1": (POLY, "(runnel_aead_part(c), first);", "(runnel_aead_part(c), first + 1);"),
    "the nonce's tail is in the wrong place": (
        POLY,
        "memcpy(rest + 4, nonce + 16, 8);",
        "memcpy(rest, nonce + 16, 8);",
    ),
    "the counter's bit is not set": (SIV, " | (uint64_t)1 << 63", ""),
    "the tag's bit is not cleared": (SIV, "tag[15] &= 0x7f;", ";"),
    "the key is not multiplied by x": (SIV, "hash_key[i] = (uint8_t)(byte >> 1 | carry << 7);", "hash_key[i] = byte;"),
    "the keys of every message are the first one's": (SIV, "g->own->begin(", "if (s->layout == 0) g->own->begin("),
    "another message's prefix table": (SIV, "memset((uint8_t *)s + s->cipher->prefix_offset, 0, 8);", ";"),
    "the tag's bit is not cleared by the kernel": (SIV_KERNEL, "_mm_set_epi64x(INT64_MAX, -1)", "_mm_set1_epi64x(-1)"),
    "the nonce's blocks have one number": (SIV_KERNEL, "_mm_insert_epi32(nonce, i, 0)", "nonce"),
    "a sum forgets the one before": (SIV_KERNEL, "XOR(p->y, BLOCKS(0))", "BLOCKS(0)"),
    "a part of a sum forgets the one before": (SIV_KERNEL, "XOR(p->y, blocks)", "blocks"),
    "a sum's powers begin one too low": (SIV_KERNEL, "(nblocks - 1) % GROUP + 1", "(nblocks - 2) % GROUP + 1"),
    "the sum before goes into every vector": (
        SIV_KERNEL,
        "    p->y = REPEAT_REGISTER(_mm_setzero_si128());\n    p->power",
        "    p->power",
    ),
    "a part does not count its blocks": (
        SIV_KERNEL,
        "add_vector(p, LOAD(data), LANES)",
        "add_vector(p, LOAD(data), 1)",
    ),
    "GCM-SIV's lengths the other way round": (SIV_KERNEL, "(uint64_t)m->bytes << 3", "(uint64_t)m->aad_bytes << 3"),
}


def compiled(file: str) -> str:
    """What is compiled for a mutant of a file."""
    has = processor_has()
    if file in COMPILED:
        source, needed = COMPILED[file]
        if not needed <= has:
            pytest.skip(f"this CPU lacks one of: {', '.join(sorted(needed))}")
        return source
    if file not in WIDTHS:
        return file
    for name, needed in WIDTHS[file].items():
        if needed <= has:
            return f"ciphers/aes/x86/{name}"
    pytest.skip(f"this CPU lacks one of: {', '.join(sorted(needed))}")


def survives(folder, file, old=None, new=None) -> bool:
    """Compile a changed copy of a file, link it before the library, and tell whether the tests are all green."""
    change = None if old is None else (old, new)
    program = link_mutant(folder, file, compiled(file), PROGRAM, "aead.c", change)
    aeads, vectors = RUNS[file]
    lines = [
        line for v in vectors for line in lines_of(json.loads((ROOT / "tests/vectors/aead" / f"{v}.json").read_text()))
    ]
    runs = [(["properties", "1", aead], "") for aead in aeads] + [(["vectors"], "\n".join(lines) + "\n")] * bool(lines)
    environment = {k: v for k, v in os.environ.items() if k != "RUNNEL_CPU"}
    return all(
        subprocess.run(
            [program, *arguments], env=environment, input=text, capture_output=True, text=True, timeout=60
        ).returncode
        == 0
        for arguments, text in runs
    )


@pytest.mark.parametrize("file", RUNS)
def test_the_unbroken_code_survives(file, tmp_path):
    assert survives(tmp_path, file)


@pytest.mark.parametrize("mutant", selection.one_in(8, MUTANTS))
def test_mutant_is_killed(mutant, tmp_path):
    assert not survives(tmp_path, *MUTANTS[mutant]), f"no test notices that {mutant}"
