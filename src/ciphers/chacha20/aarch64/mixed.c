/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 on NEON and the integer registers at once: the four blocks of four_blocks.h and a fifth beside them, step by
 * step. The vectors of four blocks wait for each other, or for the one unit that shifts them, while the integer units have
 * nothing to do: the fifth block takes no time of its own where instructions run out of order. */
#include "arch/aarch64/words.h"
#include "ciphers/chacha20/kernels.h"

#if RUNNEL_AARCH64

#include "ciphers/chacha20/four_blocks.h"

/* Four quarter-rounds on the words x of four blocks and on s, those of another. */
RUNNEL_INLINE void chacha20_mixed_round(runnel_words *x, uint32_t *s, int shift_b, int shift_c, int shift_d)
{
#define A(x, i) x[i]
#define B(x, i) x[4 + ((i) + shift_b) % 4]
#define C(x, i) x[8 + ((i) + shift_c) % 4]
#define D(x, i) x[12 + ((i) + shift_d) % 4]
#define STEP(SUM, ADD, TO, n, rotated)                                                                                 \
    RUNNEL_EACH(i, 4) SUM(x, i) += ADD(x, i), SUM(s, i) += ADD(s, i);                                                  \
    RUNNEL_EACH(i, 4) TO(x, i) ^= SUM(x, i), TO(s, i) ^= SUM(s, i);                                                    \
    RUNNEL_EACH(i, 4) TO(x, i) = rotated, TO(s, i) = runnel_rotl32(TO(s, i), n)
    STEP(A, B, D, 16, runnel_rotl_words_16(D(x, i)));
    STEP(C, D, B, 12, RUNNEL_ROTL_WORDS(B(x, i), 12));
    STEP(A, B, D, 8, runnel_rotl_words_8(D(x, i)));
    STEP(C, D, B, 7, RUNNEL_ROTL_WORDS(B(x, i), 7));
#undef STEP
#undef A
#undef B
#undef C
#undef D
}

/* Groups of five blocks. */
static RUNNEL_NOINLINE void chacha20_xor_fives(const uint32_t *w, uint32_t counter, uint8_t *out, const uint8_t *in,
                                               size_t groups)
{
    runnel_words first = runnel_words_at(w), second = runnel_words_at(w + 4), third = runnel_words_at(w + 8);
    runnel_words fourth = runnel_words_at(w + 12);
    for (; groups > 0; groups--, counter += 5) {
        const runnel_words lanes = {0, 1, 2, 3};
        fourth[0] = counter;
        RUNNEL_WORDS_BARRIER(first);
        RUNNEL_WORDS_BARRIER(second);
        RUNNEL_WORDS_BARRIER(third);
        runnel_words x[16] = {RUNNEL_WORDS_OF(first), RUNNEL_WORDS_OF(second), RUNNEL_WORDS_OF(third),
                              RUNNEL_WORDS_OF(fourth)};
        uint32_t s[16];
        RUNNEL_EACH(i, 16) s[i] = w[i];
        x[12] += lanes;
        s[12] = counter + 4;
        for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {
            chacha20_mixed_round(x, s, 0, 0, 0);
            chacha20_mixed_round(x, s, 1, 2, 3);
        }
        runnel_words_to_rows(x);
        RUNNEL_EACH(i, 4)
        {
            const runnel_rows r = {x[i] + first, x[4 + i] + second, x[8 + i] + third,
                                   x[12 + i] + chacha20_last_row(fourth, (uint32_t)i)};
            runnel_put_rows(out + RUNNEL_WORDS_BLOCK * i, in == NULL ? NULL : in + RUNNEL_WORDS_BLOCK * i, r);
        }
        out += 4 * RUNNEL_WORDS_BLOCK;
        in = in == NULL ? NULL : in + 4 * RUNNEL_WORDS_BLOCK;
        s[12] += counter + 4; /* word 12 of the state itself is 0 */
        RUNNEL_EACH(i, 16) runnel_xor32le(out, in, (unsigned)i, s[i] + w[i]);
        out += RUNNEL_WORDS_BLOCK;
        in = in == NULL ? NULL : in + RUNNEL_WORDS_BLOCK;
    }
}

static void chacha20_xor_mixed(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const size_t fives = runnel_groups_of_five(nblocks), done = 5 * fives;
    if (fives > 0)
        chacha20_xor_fives(state, (uint32_t)index, out, in, fives);
    if (nblocks > done)
        chacha20_xor_blocks(state, index + done, out + RUNNEL_WORDS_BLOCK * done,
                            in == NULL ? NULL : in + RUNNEL_WORDS_BLOCK * done, nblocks - done);
}

const runnel_kernel runnel_chacha20_aarch64_mixed = {
    .name = RUNNEL_TEXT("aarch64-mixed"),
    .citation = RUNNEL_TEXT("four blocks in vectors, a fifth in integer registers; Goll, Gueron 2014 (rows) for fewer"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_NEON,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_chacha20_set_key,
    .stream = {.iv = runnel_chacha20_set_iv, .xor_blocks = chacha20_xor_mixed},
};

#endif
