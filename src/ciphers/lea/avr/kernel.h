/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shared by the kernels for 8-bit AVR: the assembly is apart for round keys of four words and of six. Included by the
 * file of each kernel. */
#ifndef LEA_AVR_KERNEL_H
#define LEA_AVR_KERNEL_H

#include "ciphers/lea/kernels.h"

#if RUNNEL_AVR_MUL

void runnel_lea_avr_key(uint32_t *words, const uint8_t *key, size_t key_bytes);

static void lea_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_lea_schedule *schedule = state;
    schedule->rounds = (uint8_t)(16 + key_bytes / 2);
    runnel_lea_avr_key(schedule->words, key, key_bytes);
}

#define FUNCTIONS(id, words)                                                                                           \
    void runnel_lea_##id##_encrypt_blocks_##words(const uint32_t *keys, uint8_t *out, const uint8_t *in,               \
                                                  size_t nblocks, uint8_t turns);                                      \
    void runnel_lea_##id##_ctr32_##words(const uint32_t *keys, const uint8_t *block, uint8_t *out, const uint8_t *in,  \
                                         size_t nblocks, uint8_t turns);

#if RUNNEL_LEA_KEY_BITS == 128
#define BY_ROUND_KEY(call, ...) call##_4(__VA_ARGS__)
#else
#define BY_ROUND_KEY(call, ...) (rounds == 24 ? call##_4(__VA_ARGS__) : call##_6(__VA_ARGS__))
#endif

#define KERNEL(id, title, technique)                                                                                   \
    FUNCTIONS(id, 4)                                                                                                   \
    FUNCTIONS(id, 6)                                                                                                   \
    static void lea_##id##_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)          \
    {                                                                                                                  \
        const runnel_lea_schedule *schedule = state;                                                                   \
        const uint8_t rounds = schedule->rounds;                                                                       \
        BY_ROUND_KEY(runnel_lea_##id##_encrypt_blocks, schedule->words, out, in, nblocks, rounds / 4);                 \
    }                                                                                                                  \
    static void lea_##id##_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out,                  \
                                 const uint8_t *in, size_t nblocks)                                                    \
    {                                                                                                                  \
        const runnel_lea_schedule *schedule = state;                                                                   \
        const uint8_t rounds = schedule->rounds;                                                                       \
        (void)prefix;                                                                                                  \
        BY_ROUND_KEY(runnel_lea_##id##_ctr32, schedule->words, block, out, in, nblocks, rounds / 4);                   \
    }                                                                                                                  \
    const runnel_kernel runnel_lea_##id = {                                                                            \
        .name = RUNNEL_TEXT(title),                                                                                    \
        .citation = RUNNEL_TEXT(technique),                                                                            \
        .kind = RUNNEL_KIND_BLOCK,                                                                                     \
        .timing = RUNNEL_CONSTANT_TIME,                                                                                \
        .key = lea_set_key,                                                                                            \
        .block =                                                                                                       \
            {                                                                                                          \
                .encrypt_blocks = lea_##id##_encrypt_blocks,                                                           \
                .ctr32 = lea_##id##_ctr32,                                                                             \
            },                                                                                                         \
    };

#endif
#endif
