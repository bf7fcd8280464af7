/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SOSEMANUK on 256-bit registers; IV set-up on the integer units, which rotate. */
#include "arch/x86/target.h"
#include "ciphers/sosemanuk/kernels.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx2")

#define XOR128(a, b) _mm_xor_si128(a, b)
#define XOR256(a, b) _mm256_xor_si256(a, b)
#define XOR3(size, a, b, c) XOR##size(XOR##size(a, b), c)
#define AND_OR(a, b, c) _mm256_or_si256(_mm256_and_si256(a, b), c)
#define S2(y0, y1, y2, y3) SERPENT_S2(__m256i, y0, y1, y2, y3)

#include "key.h"
#include "serpent_words.h"
#include "stream.h"

/* The output of S-box `box` for zero, after Serpent's linear transformation: word number i. The arguments are
 * constants. */
RUNNEL_INLINE uint32_t sosemanuk_of_zero(unsigned box, unsigned i)
{
    const uint32_t nibble = SERPENT_OF_ZERO >> 4 * box;
    const uint32_t x0 = 0u - (nibble & 1), x1 = 0u - (nibble >> 1 & 1);
    const uint32_t x2 = 0u - (nibble >> 2 & 1), x3 = 0u - (nibble >> 3 & 1);
    const uint32_t y1 = x1 ^ x0 ^ x2, y3 = runnel_rotl32(x3 ^ x2 ^ x0 << 3, 7);
    const uint32_t y0 = runnel_rotl32(x0 ^ y1 ^ y3, 5), y2 = runnel_rotl32(x2 ^ y3 ^ y1 << 7, 22);
    return i == 0 ? y0 : i == 1 ? y1 : i == 2 ? y2 : y3;
}

/* Word number i of the subkey after round `number`, with what its S-box has left out. Behind a barrier, or compilers would
 * add one of both where it makes the round longer. */
RUNNEL_INLINE uint32_t sosemanuk_next_key(const uint32_t *k, unsigned number, unsigned i)
{
    uint32_t word = k[4 * number + 4 + i] ^ sosemanuk_of_zero(number % 8, i);
    RUNNEL_VALUE_BARRIER(word);
    return word;
}

/* Round `number`: an S-box, Serpent's linear transformation and the next subkey. Words 0 and 2 are the last to be ready,
 * and wait for their rotations: their keys are added before, rotated the other way. */
#define ROUND(number, box)                                                                                             \
    do {                                                                                                               \
        box(y0, y1, y2, y3);                                                                                           \
        y0 = runnel_rotl32(y0, 13);                                                                                    \
        y2 = runnel_rotl32(y2, 3);                                                                                     \
        y1 = runnel_rotl32(y1 ^ (y0 ^ y2), 1);                                                                         \
        y3 = runnel_rotl32((y3 ^ y2) ^ y0 << 3, 7);                                                                    \
        y0 ^= runnel_rotl32(sosemanuk_next_key(k, number, 0), 27);                                                     \
        y2 ^= runnel_rotl32(sosemanuk_next_key(k, number, 2), 10);                                                     \
        RUNNEL_VALUE_BARRIER(y0);                                                                                      \
        RUNNEL_VALUE_BARRIER(y2);                                                                                      \
        y0 = runnel_rotl32(y0 ^ (y1 ^ y3), 5);                                                                         \
        y2 = runnel_rotl32((y2 ^ y3) ^ y1 << 7, 22);                                                                   \
        y1 ^= sosemanuk_next_key(k, number, 1);                                                                        \
        y3 ^= sosemanuk_next_key(k, number, 3);                                                                        \
    } while (0)

/* Half of the S-boxes each. */
#define FOUR_ROUNDS(number)                                                                                            \
    do {                                                                                                               \
        ROUND(number, SERPENT_WORDS_S0);                                                                               \
        ROUND((number) + 1, SERPENT_WORDS_S1);                                                                         \
        ROUND((number) + 2, SERPENT_WORDS_S2);                                                                         \
        ROUND((number) + 3, SERPENT_WORDS_S3);                                                                         \
    } while (0)
#define OTHER_FOUR_ROUNDS(number)                                                                                      \
    do {                                                                                                               \
        ROUND(number, SERPENT_WORDS_S4);                                                                               \
        ROUND((number) + 1, SERPENT_WORDS_S5);                                                                         \
        ROUND((number) + 2, SERPENT_WORDS_S6);                                                                         \
        ROUND((number) + 3, SERPENT_WORDS_S7);                                                                         \
    } while (0)

/* Four words in the order of memory, in one store: see load_register. */
TARGET RUNNEL_INLINE void sosemanuk_store_four(uint32_t *p, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const uint64_t low = a | (uint64_t)b << 32, high = c | (uint64_t)d << 32;
    _mm_storeu_si128((void *)p, _mm_set_epi64x((long long)high, (long long)low));
}

/* As runnel_sosemanuk_set_iv. */
TARGET static void sosemanuk_set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    runnel_sosemanuk_state *s = state;
    const uint32_t *k = s->subkeys;
    uint8_t padded[16] = {0};
    if (iv_bytes < sizeof padded) {
        if (iv_bytes > 0)
            memcpy(padded, iv, iv_bytes);
        iv = padded;
    }
    uint32_t y0 = runnel_load32le(iv) ^ k[0], y1 = runnel_load32le(iv + 4) ^ k[1];
    uint32_t y2 = runnel_load32le(iv + 8) ^ k[2], y3 = runnel_load32le(iv + 12) ^ k[3];
    FOUR_ROUNDS(0);
    OTHER_FOUR_ROUNDS(4);
    FOUR_ROUNDS(8);
    sosemanuk_store_four(s->s + 6, y3 ^ k[51], y2 ^ k[50], y1 ^ k[49], y0 ^ k[48]);
    OTHER_FOUR_ROUNDS(12);
    ROUND(16, SERPENT_WORDS_S0);
    ROUND(17, SERPENT_WORDS_S1);
    s->r1 = y0 ^ k[72];
    s->r2 = y2 ^ k[74];
    runnel_store64le((uint8_t *)(s->s + 4), (y1 ^ k[73]) | (uint64_t)(y3 ^ k[75]) << 32);
    ROUND(18, SERPENT_WORDS_S2);
    ROUND(19, SERPENT_WORDS_S3);
    OTHER_FOUR_ROUNDS(20);
    sosemanuk_store_four(s->s, y3, y2, y1, y0);
}

const runnel_kernel runnel_sosemanuk_avx2 = {
    .name = RUNNEL_TEXT("avx2"),
    .citation = RUNNEL_TEXT("own: the shift register and the S-box in vectors, the registers on the integer units"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_AVX2,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = sosemanuk_set_key,
    .stream = {.iv = sosemanuk_set_iv, .xor_blocks = sosemanuk_xor_blocks, .xor_tail = sosemanuk_xor_tail},
    RUNNEL_BATCH_ON_X86_64(runnel_sosemanuk_batch_of_four)};

#endif
