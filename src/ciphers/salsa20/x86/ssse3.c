/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Salsa20 on 128-bit registers: four blocks with one register a state word, and a fifth in general registers; a single
 * one with one a diagonal. For CPUs without AVX2. */
#include "arch/common/salsa_state.h"
#include "arch/x86/words.h"
#include "ciphers/salsa20/kernels.h"

#if RUNNEL_X86_64

#include "setup.h"

typedef runnel_words128 words;

#define TARGET RUNNEL_TARGET("ssse3")

#include "rounds.h"
#include "row.h"

static const words lanes = {0, 1, 2, 3};

/* Four blocks after their rounds. */
TARGET RUNNEL_INLINE void put_words(const uint32_t *w, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                                    uint8_t *leftover, words x[16], volatile words parked[2])
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
TARGET static void xor_row(const runnel_salsa20_state *s, uint64_t index, uint8_t *out, const uint8_t *in,
                           size_t nblocks, uint8_t *leftover)
{
    if (nblocks + (leftover != NULL) > 1)
        xor_row_beside(s, index, out, in, nblocks, leftover, 1);
    else
        xor_row_beside(s, index, out, in, nblocks, leftover, 0);
}

RUNNEL_DEFINE_XOR_BY_2_OR_ONE_MORE(2, xor_row, 4, xor_words, xor_one_more)

const runnel_kernel runnel_salsa20_ssse3 = {
    .name = RUNNEL_TEXT("ssse3"),
    .citation =
        RUNNEL_TEXT("four blocks in parallel, a fifth in general registers; diagonals as in Bernstein's own x86 code"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_SSSE3,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = set_key,
    .stream = {.iv = set_iv, .xor_blocks = xor_blocks, .xor_tail = xor_tail},
    .stack_bytes = 1024,
};

#endif
