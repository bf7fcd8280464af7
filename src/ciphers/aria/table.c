/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ARIA with its four S-boxes as tables of bytes, which secrets index. On processors with words the diffusion layer
 * works on them: its sums inside a word take two rotations, which tables of words, four times as large, would save. */
#include "arch/common/bytes.h"
#include "arch/common/lookup.h"
#include "kernels.h"
#include "sboxes.h"

#define ROW(...) __VA_ARGS__,

static const uint8_t aria_s_box[4][256] RUNNEL_FLASH = {
    {RUNNEL_ARIA_S1(ROW)}, {RUNNEL_ARIA_S2(ROW)}, {RUNNEL_ARIA_S3(ROW)}, {RUNNEL_ARIA_S4(ROW)}};

static void aria_substitute(uint8_t block[16], int odd)
{
    for (unsigned i = 0; i < 16; i++)
        block[i] = runnel_flash8(aria_s_box[(i + (odd ? 0 : 2)) & 3] + block[i]);
}

static void aria_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aria_expand(state, key, key_bytes, aria_substitute);
}

#if RUNNEL_AVR

static void aria_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_aria_schedule *schedule = state;
    uint8_t x[16];
    for (; nblocks > 0; nblocks--, in += 16, out += 16) {
        runnel_xor_bytes(x, in, schedule->keys[0], 16);
        for (uint8_t r = 1; r <= schedule->rounds; r++) {
            aria_substitute(x, r & 1);
            if (r < schedule->rounds)
                runnel_aria_diffuse(x);
            runnel_xor_bytes(x, x, schedule->keys[r], 16);
        }
        memcpy(out, x, 16);
    }
    runnel_wipe(x, sizeof x);
}

#else

/* Words hold byte 0 in their lowest bits. */
static inline uint32_t aria_rotate(uint32_t v, unsigned n)
{
    return v >> n | v << (32 - n);
}

/* The four S-boxes from number `first` on. */
static inline uint32_t aria_substitute_word(uint32_t v, unsigned first)
{
    return (uint32_t)aria_s_box[first][v & 255] | (uint32_t)aria_s_box[(first + 1) & 3][v >> 8 & 255] << 8 |
           (uint32_t)aria_s_box[(first + 2) & 3][v >> 16 & 255] << 16 |
           (uint32_t)aria_s_box[(first + 3) & 3][v >> 24] << 24;
}

/* Each byte becomes the sum of the three others. */
static inline uint32_t aria_add_bytes(uint32_t v)
{
    const uint32_t pairs = v ^ aria_rotate(v, 16);
    return v ^ pairs ^ aria_rotate(pairs, 8);
}

/* Each word becomes the sum of the three others. */
static inline void aria_add_words(uint32_t x[4])
{
    const uint32_t a = x[0] ^ x[1], b = x[2] ^ x[3], x0 = x[0], x2 = x[2];
    x[0] = x[1] ^ b;
    x[1] = x0 ^ b;
    x[2] = x[3] ^ a;
    x[3] = x2 ^ a;
}

static inline uint32_t aria_swap_pairs(uint32_t v)
{
    return (v & 0x00ff00ff) << 8 | (v >> 8 & 0x00ff00ff);
}

/* A(SL1(x)) for first = 0, A(SL2(x)) for first = 2. */
static inline void aria_round_of_words(uint32_t x[4], unsigned first)
{
    for (unsigned w = 0; w < 4; w++)
        x[w] = aria_add_bytes(aria_substitute_word(x[w], first));
    aria_add_words(x);
    x[0] = aria_swap_pairs(aria_rotate(x[0], 16));
    x[1] = aria_swap_pairs(x[1]);
    x[2] = aria_rotate(x[2], 16);
    aria_add_words(x);
}

static inline void aria_add_key(uint32_t x[4], const uint8_t key[16])
{
    for (unsigned w = 0; w < 4; w++)
        x[w] ^= runnel_load32le(key + 4 * w);
}

static void aria_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_aria_schedule *schedule = state;
    uint32_t x[4];
    for (; nblocks > 0; nblocks--, in += 16, out += 16) {
        for (unsigned w = 0; w < 4; w++)
            x[w] = runnel_load32le(in + 4 * w);
        aria_add_key(x, schedule->keys[0]);
        for (unsigned r = 1;; r += 2) {
            aria_round_of_words(x, 0);
            aria_add_key(x, schedule->keys[r]);
            if (r + 1 == schedule->rounds)
                break;
            aria_round_of_words(x, 2);
            aria_add_key(x, schedule->keys[r + 1]);
        }
        for (unsigned w = 0; w < 4; w++)
            x[w] = aria_substitute_word(x[w], 2);
        aria_add_key(x, schedule->keys[schedule->rounds]);
        for (unsigned w = 0; w < 4; w++)
            runnel_store32le(out + 4 * w, x[w]);
    }
    runnel_wipe(x, sizeof x);
}

#endif

RUNNEL_DECRYPT_KEY(aria_set_decrypt_key, aria_set_key, runnel_aria_invert)

const runnel_kernel runnel_aria_table = {
    .name = RUNNEL_TEXT("table"),
    .citation = RUNNEL_TEXT("RFC 5794, with its S-boxes as tables"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = aria_set_key,
    .block = {.encrypt_blocks = aria_encrypt_blocks, RUNNEL_DECRYPTION(aria_set_decrypt_key, aria_encrypt_blocks)},
};
