/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Salsa20 in C for 8-bit AVR, as the sensor-node paper has it: the reference code's array of sixteen words, with
 * rotations through a word's bytes. In one kernel a rotation is a function, in the other it stands in its place. */
#include "ciphers/salsa20/kernels.h"

#if RUNNEL_AVR

#include "arch/common/bytes.h"
#include "arch/avr/rotate.h"

#define QUARTER_ROUND(rotl, a, b, c, d)                                                                                \
    do {                                                                                                               \
        x[b] ^= rotl(x[a] + x[d], 7);                                                                                  \
        x[c] ^= rotl(x[b] + x[a], 9);                                                                                  \
        x[d] ^= rotl(x[c] + x[b], 13);                                                                                 \
        x[a] ^= rotl(x[d] + x[c], 18);                                                                                 \
    } while (0)

#define DOUBLE_ROUND(rotl)                                                                                             \
    do {                                                                                                               \
        QUARTER_ROUND(rotl, 0, 4, 8, 12);                                                                              \
        QUARTER_ROUND(rotl, 5, 9, 13, 1);                                                                              \
        QUARTER_ROUND(rotl, 10, 14, 2, 6);                                                                             \
        QUARTER_ROUND(rotl, 15, 3, 7, 11);                                                                             \
        QUARTER_ROUND(rotl, 0, 1, 2, 3);                                                                               \
        QUARTER_ROUND(rotl, 5, 6, 7, 4);                                                                               \
        QUARTER_ROUND(rotl, 10, 11, 8, 9);                                                                             \
        QUARTER_ROUND(rotl, 15, 12, 13, 14);                                                                           \
    } while (0)

static inline __attribute__((always_inline)) void xor_all(void (*double_rounds)(uint32_t *x, uint8_t rounds),
                                                          runnel_salsa20_state *s, uint64_t index, uint8_t *out,
                                                          const uint8_t *in, size_t nblocks)
{
    uint32_t x[16];
    s->words[8] = (uint32_t)index;
    s->words[9] = (uint32_t)(index >> 32);
    for (; nblocks > 0; nblocks--) {
        memcpy(x, s->words, sizeof x);
        double_rounds(x, s->rounds);
        for (uint8_t i = 0; i < 16; i++)
            runnel_xor32le(out, in, i, x[i] + s->words[i]);
        out += SALSA20_BLOCK;
        if (in != NULL)
            in += SALSA20_BLOCK;
        if (++s->words[8] == 0)
            s->words[9]++;
    }
    runnel_wipe(x, sizeof x);
}

#define KERNEL(id, title, rotl)                                                                                        \
    static void double_rounds_##id(uint32_t *x, uint8_t rounds)                                                        \
    {                                                                                                                  \
        for (; rounds > 0; rounds = (uint8_t)(rounds - 2))                                                             \
            DOUBLE_ROUND(rotl);                                                                                        \
    }                                                                                                                  \
    static void xor_##id(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)                 \
    {                                                                                                                  \
        xor_all(double_rounds_##id, state, index, out, in, nblocks);                                                   \
    }                                                                                                                  \
    const runnel_kernel runnel_salsa20_avr_c_##id = {                                                                  \
        .name = RUNNEL_TEXT(title),                                                                                    \
        .citation = RUNNEL_TEXT("reference code of 2005; rotations through the bytes of a word"),                        \
        .kind = RUNNEL_KIND_STREAM,                                                                                    \
        .timing = RUNNEL_CONSTANT_TIME,                                                                                \
        .key = runnel_salsa20_set_key,                                                                                 \
        .stream = {                                                                                                    \
            .iv = runnel_salsa20_set_iv,                                                                               \
            .xor_blocks = xor_##id,                                                                                    \
        },                                                                                                             \
    };

KERNEL(functions, "avr-c-functions", RUNNEL_ROTL32_FUNCTION)
KERNEL(macros, "avr-c-macros", RUNNEL_ROTL32_MACRO)

#endif
