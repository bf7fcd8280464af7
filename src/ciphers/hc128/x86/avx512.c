/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HC-128 in constant time with permutations of two registers, VPERMI2D: one looks 16 words up in 32 entries by their low
 * five bits, eight look them up in all 256, and three bits of each index choose among the eight. While P is updated, Q is
 * only looked up, by words of P that are 12 steps old: the updates of a block, in the integer units, run beside the
 * look-ups of the block before, in the vector units. IV set-up is in avx512_iv.c. */
#include "ciphers/hc128/x86/avx512.h"

#if RUNNEL_X86_64

#define TARGET HC128_AVX512

enum { HC128_WORDS = HC128_BLOCK / 4 };

/* A table with where it is updated: the words of a block and the 16 before them. */
typedef struct hc128_place {
    uint32_t *now;
    const uint32_t *before;
} hc128_place;

TARGET RUNNEL_INLINE hc128_place hc128_place_of(uint32_t *table, unsigned block)
{
    uint32_t *const now = table + block * HC128_WORDS;
    const hc128_place p = {now, block == 0 ? table + HC128_TABLE - HC128_WORDS : now - HC128_WORDS};
    return p;
}

/* The words after those of a block, rotated as z is. The last block's are followed by the first word of the table. */
TARGET RUNNEL_INLINE void hc128_rotated_after(uint32_t *z, uint32_t *table, unsigned block, int is_q)
{
    __m512i after =
        _mm512_maskz_loadu_epi32(block == HC128_TABLE_BLOCKS - 1 ? 0x7fff : 0xffff, table + block * HC128_WORDS + 1);
    if (block == HC128_TABLE_BLOCKS - 1)
        after = _mm512_mask_set1_epi32(after, 0x8000, (int)table[0]);
    _mm512_storeu_si512(z, is_q ? _mm512_rol_epi32(after, 23) : _mm512_rol_epi32(after, 9));
}

/* Stops compilers from making vectors of steps, which wait for each other. MSan would take it for a use. */
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define SCALAR(x) (void)0
#endif
#endif
#ifndef SCALAR
#define SCALAR(x) __asm__("" : "+r"(x))
#endif

/* Word i of a block, after x: the word three steps older. */
TARGET RUNNEL_INLINE uint32_t hc128_update(hc128_place p, unsigned i, uint32_t x, const uint32_t *z, int is_q)
{
    const uint32_t y = i >= 10 ? p.now[i - 10] : p.before[i + HC128_WORDS - 10];
    uint32_t word = (runnel_rotl32(x, is_q ? 10 : 22) ^ z[i]) + (p.now[i] + runnel_rotl32(y, is_q ? 8 : 24));
    SCALAR(word);
    return p.now[i] = word;
}

/* z: room for what hc128_rotated_after makes. */
TARGET RUNNEL_INLINE void hc128_update_block(uint32_t *table, unsigned block, uint32_t *z, int is_q)
{
    const hc128_place p = hc128_place_of(table, block);
    uint32_t a = p.before[HC128_WORDS - 3], b = p.before[HC128_WORDS - 2], c = p.before[HC128_WORDS - 1];
    hc128_rotated_after(z, table, block, is_q);
    RUNNEL_UNROLL
    for (unsigned i = 0; i < HC128_WORDS - 1; i += 3) {
        a = hc128_update(p, i, a, z, is_q);
        b = hc128_update(p, i + 1, b, z, is_q);
        c = hc128_update(p, i + 2, c, z, is_q);
    }
    (void)hc128_update(p, HC128_WORDS - 1, a, z, is_q);
}

/* The words that are 12 steps older than those of a block. */
TARGET RUNNEL_INLINE __m512i hc128_indices_of(uint32_t *table, unsigned block)
{
    const hc128_place p = hc128_place_of(table, block);
    if (block > 0)
        return _mm512_loadu_si512(p.now - 12);
    return _mm512_mask_loadu_epi32(_mm512_maskz_loadu_epi32(0x0fff, p.before + HC128_WORDS - 12), 0xf000, p.now - 12);
}

TARGET RUNNEL_INLINE void hc128_put(uint8_t *out, const uint8_t *in, uint32_t *table, unsigned block, __m512i found)
{
    __m512i words = _mm512_xor_si512(found, _mm512_loadu_si512(table + block * HC128_WORDS));
    if (in != NULL)
        words = _mm512_xor_si512(words, _mm512_loadu_si512(in));
    _mm512_storeu_si512(out, words);
}

/* Blocks that update the same table. */
TARGET RUNNEL_INLINE void hc128_xor_some(uint32_t *table, const uint32_t *other, unsigned block, unsigned nblocks,
                                         uint8_t *out, const uint8_t *in, int is_q)
{
    RUNNEL_LINE_ALIGNED uint32_t z[HC128_WORDS];
    hc128_update_block(table, block, z, is_q);
    for (const unsigned last = block + nblocks - 1; block < last; block++) {
        hc128_update_block(table, block + 1, z, is_q);
        hc128_put(out, in, table, block, hc128_look_up(other, hc128_indices_of(table, block)));
        out += HC128_BLOCK;
        if (in != NULL)
            in += HC128_BLOCK;
    }
    hc128_put(out, in, table, block, hc128_look_up(other, hc128_indices_of(table, block)));
    runnel_wipe(z, sizeof z);
}

TARGET static void hc128_xor_some_p(uint32_t *p, unsigned block, unsigned nblocks, uint8_t *out, const uint8_t *in)
{
    hc128_xor_some(p, p + HC128_TABLE, block, nblocks, out, in, 0);
}

TARGET static void hc128_xor_some_q(uint32_t *p, unsigned block, unsigned nblocks, uint8_t *out, const uint8_t *in)
{
    hc128_xor_some(p + HC128_TABLE, p, block, nblocks, out, in, 1);
}

TARGET static void hc128_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    uint32_t *p = ((runnel_hc128_state *)state)->words;
    while (nblocks > 0) {
        const unsigned block = (unsigned)(index % HC128_TABLE_BLOCKS), left = HC128_TABLE_BLOCKS - block;
        const unsigned some = nblocks < left ? (unsigned)nblocks : left;
        if (index / HC128_TABLE_BLOCKS % 2 == 0)
            hc128_xor_some_p(p, block, some, out, in);
        else
            hc128_xor_some_q(p, block, some, out, in);
        out += (size_t)some * HC128_BLOCK;
        if (in != NULL)
            in += (size_t)some * HC128_BLOCK;
        index += some;
        nblocks -= some;
    }
}

const runnel_kernel runnel_hc128_avx512 = {
    .name = RUNNEL_TEXT("avx512"),
    .citation = RUNNEL_TEXT("own: 16 look-ups at a time by permutations of register pairs that read the whole table"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_AVX512,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_hc128_set_key,
    .stream = {.iv = runnel_hc128_set_iv_avx512, .xor_blocks = hc128_xor_blocks},
};

#endif
