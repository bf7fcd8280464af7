/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEX with the S-box as a table of bytes and MixColumns on bytes, for processors with 8-bit registers or little memory.
 * Secrets index the table. */
#include "kernels.h"

#include "arch/common/aes_s_box.h"
#include "arch/common/lookup.h"

#define BYTE(s) 0x##s,
static const uint8_t lex_s_box[256] RUNNEL_FLASH = {RUNNEL_AES_S_BOX(BYTE)};

static inline uint8_t lex_substitute(uint8_t x)
{
    return runnel_flash8(&lex_s_box[x]);
}

static inline uint8_t lex_times_2(uint8_t x)
{
    return (uint8_t)(x << 1) ^ ((int8_t)x >> 7 & 0x1b);
}

static inline void lex_sub_word(uint8_t w[4])
{
    w[0] = lex_substitute(w[0]);
    w[1] = lex_substitute(w[1]);
    w[2] = lex_substitute(w[2]);
    w[3] = lex_substitute(w[3]);
}

static inline void lex_final_round(uint8_t to[16], const uint8_t from[16], const uint8_t key[16])
{
    for (uint8_t i = 0; i < 16; i++)
        to[i] = lex_substitute(from[(i + i % 4 * 4) % 16]) ^ key[i];
}

static inline void lex_mixed_column(uint8_t to[4], uint8_t a, uint8_t b, uint8_t c, uint8_t d, const uint8_t key[4])
{
    const uint8_t s = lex_substitute(a), t = lex_substitute(b), u = lex_substitute(c), v = lex_substitute(d);
    const uint8_t all = s ^ t ^ u ^ v;
    to[0] = s ^ all ^ lex_times_2(s ^ t) ^ key[0];
    to[1] = t ^ all ^ lex_times_2(t ^ u) ^ key[1];
    to[2] = u ^ all ^ lex_times_2(u ^ v) ^ key[2];
    to[3] = v ^ all ^ lex_times_2(v ^ s) ^ key[3];
}

static inline void lex_full_round(uint8_t to[16], const uint8_t from[16], const uint8_t key[16])
{
    lex_mixed_column(to, from[0], from[5], from[10], from[15], key);
    lex_mixed_column(to + 4, from[4], from[9], from[14], from[3], key + 4);
    lex_mixed_column(to + 8, from[8], from[13], from[2], from[7], key + 8);
    lex_mixed_column(to + 12, from[12], from[1], from[6], from[11], key + 12);
}

#include "steps.h"

const runnel_kernel runnel_lex_table = {
    .name = RUNNEL_TEXT("table"),
    .citation = RUNNEL_TEXT("own: S-box of 256 bytes, MixColumns on bytes"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = lex_set_key,
    .stream = {.iv = lex_set_iv, .xor_blocks = lex_xor_blocks},
};
