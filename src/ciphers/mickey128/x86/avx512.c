/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* MICKEY-128 with each register in one vector, and ternary logic. A step waits for the bits of the step before that clock
 * the registers: each is brought to the sign of all elements, of which a shift makes the mask. */
#include "ciphers/mickey128/kernels.h"

#include "arch/x86/target.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx512f,avx512bw,avx512dq,avx512vl")

_Static_assert(sizeof(runnel_mickey128_word) == 8, "three words of the state, and an empty one, are a vector");

#define LIST(a, b, c, d, e)                                                                                            \
    _mm256_setr_epi64x((int64_t)((uint64_t)(b) << 32 | (a)), (int64_t)((uint64_t)(d) << 32 | (c)), (int64_t)(e), 0)

/* The fourth element is empty. Bits above stage 159 mean nothing. */
typedef struct mickey128_registers {
    __m256i r, s;
} mickey128_registers;

/* Stage i of a register at the sign of all elements; the bits below mean nothing. */
#define SIGN(reg, i) _mm256_slli_epi64(_mm256_permute4x64_epi64(reg, (i) / 64 * 0x55), 63 - (i) % 64)

/* All ones or zero, as the sign says. */
TARGET RUNNEL_INLINE __m256i mickey128_mask(__m256i sign)
{
    return _mm256_srai_epi64(sign, 63);
}

/* a ^ (b & c) */
TARGET RUNNEL_INLINE __m256i mickey128_xor_and(__m256i a, __m256i b, __m256i c)
{
    return _mm256_xor_si256(a, _mm256_and_si256(b, c)); /* compilers make one instruction of it */
}

/* Every stage's neighbour: that before it, or that after it. Nothing comes out of the fourth element. */
TARGET RUNNEL_INLINE __m256i mickey128_stages_before(__m256i x)
{
    const __m256i carries = _mm256_maskz_permutex_epi64(6, _mm256_srli_epi64(x, 63), _MM_SHUFFLE(2, 1, 0, 0));
    return _mm256_or_si256(_mm256_slli_epi64(x, 1), carries);
}

TARGET RUNNEL_INLINE __m256i mickey128_stages_after(__m256i x)
{
    const __m256i carries = _mm256_maskz_permutex_epi64(3, _mm256_slli_epi64(x, 63), _MM_SHUFFLE(3, 3, 2, 1));
    return _mm256_or_si256(_mm256_srli_epi64(x, 1), carries);
}

/* One step, as in mickey128.c; mixing: 0 or 1, input: the input bit at the sign of all elements, or NULL. Returns the
 * output bit lowest, and above it meaningless bits. */
TARGET RUNNEL_INLINE uint32_t mickey128_step(mickey128_registers *g, int mixing, const __m256i *input)
{
    const __m256i r = g->r, s = g->s;
    const __m256i feedback0 = MICKEY128_FB0(LIST), feedback1 = MICKEY128_FB1(LIST);
    const __m256i control_r = mickey128_mask(_mm256_xor_si256(SIGN(s, 54), SIGN(r, 106)));
    const __m256i control_s = mickey128_mask(_mm256_xor_si256(SIGN(s, 106), SIGN(r, 53)));
    __m256i feed_r = SIGN(r, 159), feed_s = SIGN(s, 159);
    if (mixing)
        feed_r = _mm256_xor_si256(feed_r, SIGN(s, 80));
    if (input != NULL) {
        feed_r = _mm256_xor_si256(feed_r, *input);
        feed_s = _mm256_xor_si256(feed_s, *input);
    }
    const __m256i output = _mm256_xor_si256(r, s);
    const __m256i products =
        _mm256_and_si256(_mm256_and_si256(_mm256_xor_si256(s, MICKEY128_COMP0(LIST)), MICKEY128_INNER(LIST)),
                         _mm256_xor_si256(mickey128_stages_after(s), MICKEY128_COMP1(LIST)));
    const __m256i feedback = mickey128_xor_and(feedback0, _mm256_xor_si256(feedback0, feedback1), control_s);
    g->r = mickey128_xor_and(mickey128_xor_and(mickey128_stages_before(r), MICKEY128_R(LIST), mickey128_mask(feed_r)),
                             r, control_r);
    g->s = mickey128_xor_and(_mm256_xor_si256(mickey128_stages_before(s), products), mickey128_mask(feed_s), feedback);
    return (uint32_t)_mm_cvtsi128_si32(_mm256_castsi256_si128(output));
}

/* Steps with the bits of some bytes as input. */
TARGET RUNNEL_INLINE void mickey128_mix(mickey128_registers *g, const uint8_t *bytes, size_t count)
{
    for (; count > 0; count--, bytes++)
        for (unsigned i = 0; i < 8; i++) {
            const __m256i input = _mm256_set1_epi64x((int64_t)((uint64_t)*bytes << (56 + i)));
            (void)mickey128_step(g, 1, &input);
        }
}

TARGET RUNNEL_INLINE __m256i mickey128_load(const uint64_t *reg)
{
    return _mm256_maskz_loadu_epi64(7, reg);
}

TARGET RUNNEL_INLINE void mickey128_store(runnel_mickey128_registers *now, const mickey128_registers *g)
{
    _mm256_mask_storeu_epi64(now->r, 7, g->r);
    _mm256_mask_storeu_epi64(now->s, 7, g->s);
}

TARGET static void mickey128_set_iv(void *states, const uint8_t *iv, size_t iv_bytes)
{
    runnel_mickey128_state *state = states;
    mickey128_registers g = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    mickey128_mix(&g, iv, iv_bytes);
    mickey128_mix(&g, state->key, MICKEY128_KEY);
    for (unsigned i = 0; i < MICKEY128_SETUP_STEPS; i++)
        (void)mickey128_step(&g, 1, NULL);
    mickey128_store(&state->now, &g);
}

TARGET static void mickey128_xor_blocks(void *states, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_mickey128_state *state = states;
    mickey128_registers g = {mickey128_load(state->now.r), mickey128_load(state->now.s)};
    (void)index;
    for (size_t n = nblocks * MICKEY128_BLOCK; n > 0; n--) {
        uint32_t keystream = 0;
        for (unsigned i = 0; i < 8; i++)
            keystream = keystream << 1 | (mickey128_step(&g, 0, NULL) & 1);
        *out++ = in == NULL ? (uint8_t)keystream : (uint8_t)(keystream ^ *in++);
    }
    mickey128_store(&state->now, &g);
}

const runnel_kernel runnel_mickey128_avx512 = {
    .name = RUNNEL_TEXT("avx512"),
    .citation = RUNNEL_TEXT("own: the specification, a register in a vector, masks from signs"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_AVX512,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_mickey128_set_key,
    .stream = {.iv = mickey128_set_iv, .xor_blocks = mickey128_xor_blocks},
};

#endif
