/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEX without tables. Each round needs the one before, so there is only one block to take bit planes from: its 16
 * bytes are in two 64-bit words, and a plane has two bits of each byte position. MixColumns works on words. */
#include "kernels.h"

#define PLANE uint64_t
#include "arch/common/aes_sub_bytes.h"

#define EVEN_BITS 0x5555555555555555u
#define PAIRS 0x0303030303030303u

/* SubBytes of the 16 bytes of two words. The even bits of both are collected in one word, the odd bits in the other. A
 * plane is two bits of each byte; the other six bits are ignored. */
static inline void lex_sub_bytes(uint64_t *low, uint64_t *high)
{
    uint64_t even = (*low & EVEN_BITS) | (*high & EVEN_BITS) << 1;
    uint64_t odd = (*low >> 1 & EVEN_BITS) | (*high & ~EVEN_BITS);
    uint64_t q[8] = {even, odd, even >> 2, odd >> 2, even >> 4, odd >> 4, even >> 6, odd >> 6};
    aes_sub_bytes_without_nots(q);
    even = (q[0] & PAIRS) | (q[2] & PAIRS) << 2 | (q[4] & PAIRS) << 4 | (q[6] & PAIRS) << 6;
    odd = (q[1] & PAIRS) | (q[3] & PAIRS) << 2 | (q[5] & PAIRS) << 4 | (q[7] & PAIRS) << 6;
    *low = ((even & EVEN_BITS) | (odd & EVEN_BITS) << 1) ^ UINT64_C(0x0101010101010101) * NOTS;
    *high = ((even >> 1 & EVEN_BITS) | (odd & ~EVEN_BITS)) ^ UINT64_C(0x0101010101010101) * NOTS;
}

static inline void lex_sub_word(uint8_t w[4])
{
    uint64_t low = runnel_load32le(w), high = 0;
    lex_sub_bytes(&low, &high);
    runnel_store32le(w, (uint32_t)low);
}

/* One column after ShiftRows, from the four columns that begin with its own, row by row. */
static inline uint32_t lex_shifted(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return (a & 0xff) | (b & 0xff00) | (c & 0xff0000) | (d & 0xff000000);
}

static inline uint32_t lex_mix_column(uint32_t w)
{
    const uint32_t below = runnel_rotl32(w, 24), sum = w ^ below;
    return (sum & 0x7f7f7f7f) << 1 ^ (sum >> 7 & 0x01010101) * 0x1b ^ below ^ runnel_rotl32(sum, 16);
}

static inline void lex_final_round(uint8_t to[16], const uint8_t from[16], const uint8_t key[16])
{
    uint64_t low = runnel_load64le(from), high = runnel_load64le(from + 8);
    lex_sub_bytes(&low, &high);
    const uint32_t a = (uint32_t)low, b = (uint32_t)(low >> 32), c = (uint32_t)high, d = (uint32_t)(high >> 32);
    runnel_store32le(to, lex_shifted(a, b, c, d) ^ runnel_load32le(key));
    runnel_store32le(to + 4, lex_shifted(b, c, d, a) ^ runnel_load32le(key + 4));
    runnel_store32le(to + 8, lex_shifted(c, d, a, b) ^ runnel_load32le(key + 8));
    runnel_store32le(to + 12, lex_shifted(d, a, b, c) ^ runnel_load32le(key + 12));
}

static inline void lex_full_round(uint8_t to[16], const uint8_t from[16], const uint8_t key[16])
{
    static const uint8_t no_key[16];
    lex_final_round(to, from, no_key);
    for (unsigned i = 0; i < 16; i += 4)
        runnel_store32le(to + i, lex_mix_column(runnel_load32le(to + i)) ^ runnel_load32le(key + i));
}

#include "steps.h"

const runnel_kernel runnel_lex_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("S-box: Boyar, Peralta; one block in bit planes of 64-bit words"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = lex_set_key,
    .stream = {.iv = lex_set_iv, .xor_blocks = lex_xor_blocks},
};
