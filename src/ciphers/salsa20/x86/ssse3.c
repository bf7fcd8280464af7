/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Salsa20 on 128-bit registers: four blocks with one register a state word, and a fifth in general registers; a single
 * one with one a diagonal. For CPUs without AVX2. */
#include "arch/common/salsa_state.h"
#include "arch/x86/words.h"
#include "ciphers/salsa20/kernels.h"

#if RUNNEL_X86_64

#include "setup.h"

typedef runnel_words128 salsa20_words;

#define TARGET RUNNEL_TARGET("ssse3")

#include "rounds.h"
#include "row.h"

static const salsa20_words salsa20_lanes = {0, 1, 2, 3};

/* Four blocks after their rounds. */
TARGET RUNNEL_INLINE void salsa20_put_words(const uint32_t *w, uint64_t index, uint8_t *out, const uint8_t *in,
                                            size_t nblocks, uint8_t *leftover, salsa20_words x[16],
                                            volatile salsa20_words parked[2])
{
    UNPARK(x, parked);
    RUNNEL_VALUE_BARRIER(w);
    RUNNEL_VALUE_BARRIER(index);
    ADD_WORDS(x, w, LOW(index), HIGH(index));
    runnel_put_words128(out, in, nblocks, leftover, x);
}

#define LANES 4
#include "parked.h"

/* 1 or 2 blocks. */
TARGET static void salsa20_xor_row(const runnel_salsa20_state *s, uint64_t index, uint8_t *out, const uint8_t *in,
                                   size_t nblocks, uint8_t *leftover)
{
    if (nblocks + (leftover != NULL) > 1)
        salsa20_xor_row_beside(s, index, out, in, nblocks, leftover, 1);
    else
        salsa20_xor_row_beside(s, index, out, in, nblocks, leftover, 0);
}

RUNNEL_DEFINE_XOR_BATCH(salsa20_xor_batch, 2, salsa20_xor_row, 4, salsa20_xor_words, salsa20_xor_one_more)
RUNNEL_DEFINE_XOR_LOOP(salsa20_xor_blocks, salsa20_xor_tail, salsa20_xor_batch, 2, 4)

const runnel_kernel runnel_salsa20_ssse3 = {
    .name = RUNNEL_TEXT("ssse3"),
    .citation =
        RUNNEL_TEXT("four blocks in parallel, a fifth in general registers; diagonals as in Bernstein's own x86 code"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_SSSE3,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = salsa20_set_key,
    .stream = {.iv = salsa20_set_iv, .xor_blocks = salsa20_xor_blocks, .xor_tail = salsa20_xor_tail},
    .stack_bytes = 1024,
};

#endif
