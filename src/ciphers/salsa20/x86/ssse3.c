/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Salsa20 on 128-bit registers: four blocks with one register a state word, and a last single block in the integer
 * registers. For CPUs without AVX2. */
#include "arch/x86/words.h"
#include "ciphers/salsa20/kernels.h"

#if RUNNEL_X86_64

#include "rounds.h"

typedef runnel_words128 words;

#define TARGET RUNNEL_TARGET("ssse3")

#define XOR_ROTL xor_rotl

TARGET RUNNEL_INLINE words xor_rotl(words a, words b, const int n)
{
    a ^= b << n;
    return a ^ b >> (32 - n);
}

/* 1 to 4 blocks. */
TARGET static void xor_words(const runnel_salsa20_state *s, uint64_t index, uint8_t *out, const uint8_t *in,
                             size_t nblocks)
{
    const uint32_t *w = s->words;
    const words lanes = {0, 1, 2, 3};
    words x[16] = WORDS(LOW(index), HIGH(index));
    ROUNDS_PARKED(x);
    RUNNEL_FORGET(w);
    RUNNEL_FORGET(index);
    ADD_WORDS(x, LOW(index), HIGH(index));
    runnel_put_words128(out, in, nblocks, x);
}

static void xor_batch(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    if (nblocks > 1)
        xor_words(state, index, out, in, nblocks);
    else
        runnel_salsa20_xor_blocks(state, index, out, in, 1);
}

static void xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_xor_by_batches(xor_batch, 4, state, index, out, in, nblocks);
}

const runnel_kernel runnel_salsa20_ssse3 = {
    .name = RUNNEL_TEXT("ssse3"),
    .citation = RUNNEL_TEXT("four blocks in parallel"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_SSSE3,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_salsa20_set_key,
    .stream = {
        .iv = runnel_salsa20_set_iv,
        .xor_blocks = xor_blocks,
    },
};

#endif
