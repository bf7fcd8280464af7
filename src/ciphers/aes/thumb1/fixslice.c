/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES without tables for Thumb-1 (Cortex-M0, M0+ and M23): two blocks at a time, bit planes in eight words, ShiftRows never
 * carried out (fixslicing). Bit i of every state byte is in word i; that in row r, column c of block b is bit 8 r + 2 c + b.
 *
 * As in portable.c, after round r the words hold SR^-r of the state (SR = ShiftRows, SR^4 = 1), MixColumns fetches "the byte
 * k rows below" k * r columns further right, and round keys are stored to match, with the four NOTs of the S-box. The rounds
 * are in assembly: fixslice_rounds.S. */
#include "arch/common/bytes.h"
#include "arch/common/wipe.h"
#include "ciphers/aes/expand.h"
#include "ciphers/aes/kernels.h"

#if RUNNEL_THUMB1

#define PLANE uint32_t
#include "arch/common/aes_sub_bytes.h"
#include "arch/common/transpose.h"

#define BLOCKS 2

typedef uint32_t __attribute__((may_alias)) aes_word_of_text;

/* All rounds between the first key and the last one, but for the last ShiftRows; `key` is that behind the first. */
void runnel_aes_thumb1_rounds(uint32_t planes[8], const uint32_t *key, const uint32_t *last);

static void aes_pack(uint32_t q[8], const uint8_t in[16 * BLOCKS])
{
    UNROLLED
    for (int j = 0; j < 8; j++)
        q[j] = runnel_load32le(in + 16 * (j % 2) + 4 * (j / 2));
    transpose_bits(q);
}

static void aes_unpack(uint8_t out[16 * BLOCKS], uint32_t q[8])
{
    transpose_bits(q);
    UNROLLED
    for (int j = 0; j < 8; j++)
        runnel_store32le(out + 16 * (j % 2) + 4 * (j / 2), q[j]);
}

/* SR^-v. */
static uint32_t aes_shift_rows_back(uint32_t w, unsigned v)
{
    uint32_t result = 0;
    for (unsigned row = 0; row < 4; row++) {
        const unsigned n = 2 * (v * row % 4);
        const uint32_t lane = w >> 8 * row & 0xff;
        result |= ((lane << n | lane >> (8 - n)) & 0xff) << 8 * row;
    }
    return result;
}

static uint32_t aes_sub_word(uint32_t w, uint32_t *scratch)
{
    uint32_t q[8];
    (void)scratch;
    for (int i = 0; i < 8; i++)
        q[i] = w >> i & 0x01010101;
    aes_sub_bytes_without_nots(q);
    w = 0;
    for (int i = 0; i < 8; i++)
        w |= (q[i] & 0x01010101) << i;
    runnel_wipe(q, sizeof q);
    return w ^ 0x01010101u * NOTS;
}

static void aes_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aes_schedule *s = state;
    uint32_t w[60];
    const unsigned rounds = aes_expand_key(w, key, key_bytes, aes_sub_word, NULL);
    s->rounds = (uint8_t)rounds;
    for (unsigned r = 0; r <= rounds; r++) {
        uint32_t *q = s->keys.words + 8 * r;
        for (int j = 0; j < 8; j++)
            q[j] = w[4 * r + (unsigned)j / 2];
        transpose_bits(q);
        for (int i = 0; i < 8; i++) {
            if (r < rounds)
                q[i] = aes_shift_rows_back(q[i], r % 4);
            if (r > 0 && (NOTS >> i & 1))
                q[i] = ~q[i];
        }
    }
    runnel_wipe(w, sizeof w);
}

/* ShiftRows twice: rows 1 and 3 by two columns. */
static inline uint32_t aes_shift_rows_twice(uint32_t w)
{
    const uint32_t t = (w ^ w >> 4) & 0x0f000f00;
    return w ^ t ^ t << 4;
}

static RUNNEL_NOINLINE void aes_encrypt_planes(uint32_t q[8], const runnel_aes_schedule *s)
{
    const uint32_t *key = s->keys.words, *const last = key + 8 * s->rounds;
    for (int i = 0; i < 8; i++)
        q[i] ^= key[i];
    runnel_aes_thumb1_rounds(q, key + 8, last);
    for (int i = 0; i < 8; i++)
        q[i] = (s->rounds % 4 == 2 ? aes_shift_rows_twice(q[i]) : q[i]) ^ last[i];
}

static void aes_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    uint32_t q[8];
    uint8_t pair[16 * BLOCKS];
    for (; nblocks > 0; in += 16 * BLOCKS, out += 16 * BLOCKS) {
        const size_t n = nblocks < BLOCKS ? nblocks : BLOCKS;
        memcpy(pair, in, 16 * n);
        if (n < BLOCKS)
            memcpy(pair + 16, in, 16);
        aes_pack(q, pair);
        aes_encrypt_planes(q, state);
        aes_unpack(pair, q);
        memcpy(out, pair, 16 * n);
        nblocks -= n;
    }
    runnel_wipe(q, sizeof q);
    runnel_wipe(pair, sizeof pair);
}

static void aes_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                      size_t nblocks)
{
    uint32_t words[4], q[8];
    uint8_t pair[16 * BLOCKS];
    (void)prefix;
    memcpy(words, block, sizeof words);
    for (uint32_t counter = runnel_load32be(block + 12); nblocks > 0; counter += BLOCKS, out += 16 * BLOCKS) {
        const size_t n = nblocks < BLOCKS ? nblocks : BLOCKS;
        for (int j = 0; j < 6; j++)
            q[j] = words[j / 2];
        runnel_store32be((uint8_t *)&q[6], counter);
        runnel_store32be((uint8_t *)&q[7], counter + 1);
        transpose_bits(q);
        aes_encrypt_planes(q, state);
        if (n == BLOCKS && in != NULL && ((uintptr_t)out | (uintptr_t)in) % 4 == 0) {
            transpose_bits(q);
            for (int j = 0; j < 8; j++)
                ((aes_word_of_text *)out)[j % 2 * 4 + j / 2] = ((const aes_word_of_text *)in)[j % 2 * 4 + j / 2] ^ q[j];
        } else {
            aes_unpack(pair, q);
            if (in == NULL)
                memcpy(out, pair, 16 * n);
            else
                runnel_xor_bytes(out, in, pair, 16 * n);
        }
        in = in == NULL ? NULL : in + 16 * BLOCKS;
        nblocks -= n;
    }
    runnel_wipe(q, sizeof q);
    runnel_wipe(pair, sizeof pair);
}

const runnel_kernel runnel_aes_thumb1_fixslice = {
    .name = RUNNEL_TEXT("thumb1-fixslice"),
    .citation = RUNNEL_TEXT("fixslicing: Adomnicai, Peyrin, TCHES 2021/1; S-box: Boyar, Peralta"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = aes_set_key,
    .block = {.encrypt_blocks = aes_encrypt_blocks, .ctr32 = aes_ctr32},
};

#endif
