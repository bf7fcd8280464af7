/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Salsa20 on 256-bit registers: eight blocks with one register a state word, and a ninth in general registers; two
 * blocks a set of four registers, one a diagonal, if there are few. */
#include "arch/common/salsa_state.h"
#include "arch/x86/words.h"
#include "ciphers/salsa20/kernels.h"

#if RUNNEL_X86_64

#include "setup.h"

typedef runnel_words256 salsa20_words;

#define TARGET RUNNEL_TARGET("avx2")

#define SHUFFLE(a, order) ((salsa20_words)_mm256_shuffle_epi32((__m256i)(a), order))
#define BLEND(a, b, mask) _mm256_blend_epi32((__m256i)(a), (__m256i)(b), mask)
#define PICK(a, b, c, d) ((salsa20_words)BLEND(BLEND(a, b, 0x22), BLEND(c, d, 0x88), 0xcc))

#include "rounds.h"

static const salsa20_words salsa20_lanes = {0, 1, 2, 3, 4, 5, 6, 7};

/* Eight blocks after their rounds. */
TARGET RUNNEL_INLINE void salsa20_put_words(const uint32_t *w, uint64_t index, uint8_t *out, const uint8_t *in,
                                            size_t nblocks, uint8_t *leftover, salsa20_words x[16],
                                            volatile salsa20_words parked[2])
{
    RUNNEL_VALUE_BARRIER(w);
    RUNNEL_VALUE_BARRIER(index);
    ADD_WORDS_8_TO_15(x, w, LOW(index), HIGH(index));
    runnel_put_half_words256(out, in, nblocks, leftover, 32, x + 8);
    UNPARK(x, parked);
    RUNNEL_VALUE_BARRIER(w);
    ADD_WORDS_0_TO_7(x, w);
    runnel_put_half_words256(out, in, nblocks, leftover, 0, x);
}

#define LANES 8
#include "parked.h"

/* 1 to 4 blocks. */
TARGET static void salsa20_xor_rows(const runnel_salsa20_state *s, uint64_t index, uint8_t *out, const uint8_t *in,
                                    size_t nblocks, uint8_t *leftover)
{
    const uint32_t *w = s->words;
    /* The IV is loaded with the width of its recent store, 8 bytes, for store-forwarding. */
    const __m128i iv = _mm_loadl_epi64((const void *)(w + 6)), counter = _mm_cvtsi64_si128((long long)index);
    const salsa20_words r0 = (salsa20_words)_mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)w));
    const salsa20_words r1 =
        (salsa20_words)_mm256_broadcastsi128_si256(_mm_unpacklo_epi64(_mm_loadl_epi64((const void *)(w + 4)), iv));
    const salsa20_words r2 = (salsa20_words)_mm256_add_epi64(
        _mm256_broadcastsi128_si256(_mm_unpacklo_epi64(counter, _mm_loadl_epi64((const void *)(w + 10)))),
        _mm256_set_epi64x(0, 1, 0, 0));
    const salsa20_words r3 = (salsa20_words)_mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)(w + 12)));
    salsa20_words a = DIAGONAL0(r0, r1, r2, r3), b = DIAGONAL1(r0, r1, r2, r3);
    salsa20_words c = DIAGONAL2(r0, r1, r2, r3), d = DIAGONAL3(r0, r1, r2, r3);
    if (nblocks + (leftover != NULL) <= 2) {
        for (uint32_t round = s->rounds; round > 0; round--) {
            QUARTER_ROUND(a, b, c, d);
            TURN(b, c, d);
        }
    } else {
        const salsa20_words r2_next = (salsa20_words)_mm256_add_epi64((__m256i)r2, _mm256_set_epi64x(0, 2, 0, 2));
        salsa20_words e = a, f = DIAGONAL1(r0, r1, r2_next, r3), g = DIAGONAL2(r0, r1, r2_next, r3), h = d;
        for (uint32_t round = s->rounds; round > 0; round--) {
            QUARTER_ROUND(a, b, c, d);
            QUARTER_ROUND(e, f, g, h);
            TURN(b, c, d);
            TURN(f, g, h);
        }
        runnel_put_rows256(out, in, 2, 1, nblocks, leftover, ROW0(e, f, g, h) + r0, ROW1(e, f, g, h) + r1,
                           ROW2(e, f, g, h) + r2_next, ROW3(e, f, g, h) + r3);
    }
    runnel_put_rows256(out, in, 0, 1, nblocks, leftover, ROW0(a, b, c, d) + r0, ROW1(a, b, c, d) + r1,
                       ROW2(a, b, c, d) + r2, ROW3(a, b, c, d) + r3);
}

RUNNEL_DEFINE_XOR_BATCH(salsa20_xor_batch, 4, salsa20_xor_rows, 8, salsa20_xor_words, salsa20_xor_one_more)
RUNNEL_DEFINE_XOR_LOOP(salsa20_xor_blocks, salsa20_xor_tail, salsa20_xor_batch, 4, 8)

const runnel_kernel runnel_salsa20_avx2 = {
    .name = RUNNEL_TEXT("avx2"),
    .citation =
        RUNNEL_TEXT("eight blocks in parallel, a ninth in general registers; diagonals as in Bernstein's own x86 code"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_AVX2,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = salsa20_set_key,
    .stream = {.iv = salsa20_set_iv, .xor_blocks = salsa20_xor_blocks, .xor_tail = salsa20_xor_tail},
    .stack_bytes = 1024,
};

#endif
