/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEX with the S-box as a table of bytes and MixColumns on bytes, for processors with 8-bit registers or little memory.
 * Secrets index the table. */
#include "kernels.h"

#include "arch/common/aes_s_box.h"
#include "arch/common/lookup.h"

#define BYTE(s) 0x##s,
static const uint8_t s_box[256] RUNNEL_FLASH = {RUNNEL_AES_S_BOX(BYTE)};

static inline uint8_t substitute(uint8_t x)
{
    return runnel_flash8(&s_box[x]);
}

static inline uint8_t times_2(uint8_t x)
{
    return (uint8_t)(x << 1) ^ ((int8_t)x >> 7 & 0x1b);
}

static inline void sub_word(uint8_t w[4])
{
    w[0] = substitute(w[0]);
    w[1] = substitute(w[1]);
    w[2] = substitute(w[2]);
    w[3] = substitute(w[3]);
}

static inline void final_round(uint8_t to[16], const uint8_t from[16], const uint8_t key[16])
{
    for (uint8_t i = 0; i < 16; i++)
        to[i] = substitute(from[(i + i % 4 * 4) % 16]) ^ key[i];
}

static inline void mixed_column(uint8_t to[4], uint8_t a, uint8_t b, uint8_t c, uint8_t d, const uint8_t key[4])
{
    const uint8_t s = substitute(a), t = substitute(b), u = substitute(c), v = substitute(d);
    const uint8_t all = s ^ t ^ u ^ v;
    to[0] = s ^ all ^ times_2(s ^ t) ^ key[0];
    to[1] = t ^ all ^ times_2(t ^ u) ^ key[1];
    to[2] = u ^ all ^ times_2(u ^ v) ^ key[2];
    to[3] = v ^ all ^ times_2(v ^ s) ^ key[3];
}

static inline void full_round(uint8_t to[16], const uint8_t from[16], const uint8_t key[16])
{
    mixed_column(to, from[0], from[5], from[10], from[15], key);
    mixed_column(to + 4, from[4], from[9], from[14], from[3], key + 4);
    mixed_column(to + 8, from[8], from[13], from[2], from[7], key + 8);
    mixed_column(to + 12, from[12], from[1], from[6], from[11], key + 12);
}

#include "steps.h"

const runnel_kernel runnel_lex_table = {
    .name = RUNNEL_TEXT("table"),
    .citation = RUNNEL_TEXT("own: S-box of 256 bytes, MixColumns on bytes"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = set_key,
    .stream = {.iv = set_iv, .xor_blocks = xor_blocks},
};
