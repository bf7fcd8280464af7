/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 on 128-bit registers: four blocks with one register a state word, and a last single block in the integer
 * registers. For CPUs without AVX2. */
#include "arch/x86/words.h"
#include "ciphers/chacha20/kernels.h"

#if RUNNEL_X86_64

#include "rounds.h"

typedef runnel_words128 words;

#define TARGET RUNNEL_TARGET("ssse3")

/* Rotations by whole bytes are byte shuffles. Their patterns stay in memory, two registers fewer, which compilers only
 * leave them if they cannot know that it is the same pattern each time. */
#define ROTL(x, n)                                                                                                     \
    ((n) == 16  ? (words)_mm_shuffle_epi8((__m128i)(x), forget(&rotations)[0])                                         \
     : (n) == 8 ? (words)_mm_shuffle_epi8((__m128i)(x), forget(&rotations)[1])                                         \
                : RUNNEL_ROTL_WORDS(x, n))

static const union {
    uint8_t bytes[2][16];
    __m128i patterns[2];
} rotate = {
    {{2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13}, {3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14}}};

RUNNEL_INLINE const __m128i *forget(const __m128i **pointer)
{
    RUNNEL_FORGET(*pointer);
    return *pointer;
}

/* 1 to 4 blocks. */
TARGET static void xor_words(const uint32_t *w, uint32_t counter, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const __m128i *rotations = rotate.patterns;
    const words lanes = {0, 1, 2, 3};
    words x[16] = WORDS(counter + lanes);
    ROUNDS_PARKED(x);
    RUNNEL_FORGET(w);
    RUNNEL_FORGET(counter);
    ADD_WORDS(x, counter + lanes);
    runnel_put_words128(out, in, nblocks, x);
}

static void xor_batch(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    if (nblocks > 1)
        xor_words(state, (uint32_t)index, out, in, nblocks);
    else
        runnel_chacha20_xor_blocks(state, index, out, in, 1);
}

static void xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_xor_by_batches(xor_batch, 4, state, index, out, in, nblocks);
}

const runnel_kernel runnel_chacha20_ssse3 = {
    .name = RUNNEL_TEXT("ssse3"),
    .citation = RUNNEL_TEXT("four blocks in parallel"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_SSSE3,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_chacha20_set_key,
    .stream = {
        .iv = runnel_chacha20_set_iv,
        .xor_blocks = xor_blocks,
    },
};

#endif
