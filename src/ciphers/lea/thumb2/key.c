/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA's key set-up for Thumb-2: the key's words stay in registers, and the rotation of a constant, which grows with
 * the word's number, is part of the addition. */
#include "arch/common/bytes.h"
#include "ciphers/lea/kernels.h"

#if RUNNEL_THUMB2

/* The fraction of the square root of 766965. */
static const uint32_t lea_delta[8] = {0xc3efe9db, 0x44626b02, 0x79e27c8a, 0x78df30ec,
                                      0x715ea49e, 0xc785da0a, 0xe04ef22a, 0xe5c40957};

/* Advances to the next constant of that many, and returns it in d, rotated by the round's number. */
#define NEXT_ROUND(constants)                                                                                          \
    do {                                                                                                               \
        const uint32_t next = lea_delta[constant];                                                                     \
        d = next << (i & 31) | next >> (-i & 31);                                                                      \
        constant = constant + 1 == (constants) ? 0 : constant + 1;                                                     \
        i++;                                                                                                           \
    } while (0)

#define STEP0(word) (*out++ = word = runnel_rotl32(word + d, 1))
#define STEP(word, j, by) (*out++ = word = runnel_rotl32(word + runnel_rotl32(d, j), by))
#define FOUR_STEPS(a, b, c, e) STEP0(a), STEP(b, 1, 3), STEP(c, 2, 6), STEP(e, 3, 11)
#define SIX_STEPS(a, b, c, e, f, g) FOUR_STEPS(a, b, c, e), STEP(f, 4, 13), STEP(g, 5, 17)

void runnel_lea_thumb2_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_lea_schedule *schedule = state;
    uint32_t *out = schedule->words;
    uint32_t d, i = 0, constant = 0;
    uint32_t a = runnel_load32le(key), b = runnel_load32le(key + 4), c = runnel_load32le(key + 8),
             e = runnel_load32le(key + 12);
    if (key_bytes == 16) {
        schedule->rounds = 24;
        while (i < 24) {
            NEXT_ROUND(4);
            FOUR_STEPS(a, b, c, e);
        }
    }
#if RUNNEL_LEA_KEY_BITS > 128
    else {
        uint32_t f = runnel_load32le(key + 16), g = runnel_load32le(key + 20);
        if (key_bytes == 24) {
            schedule->rounds = 28;
            while (i < 28) {
                NEXT_ROUND(6);
                SIX_STEPS(a, b, c, e, f, g);
            }
        }
#if RUNNEL_LEA_KEY_BITS > 192
        else { /* the six words rotate through eight places */
            uint32_t h = runnel_load32le(key + 24), k = runnel_load32le(key + 28);
            schedule->rounds = 32;
            while (i < 32) {
                NEXT_ROUND(8);
                SIX_STEPS(a, b, c, e, f, g);
                const uint32_t first = h, second = k;
                h = f, k = g, f = c, g = e, c = a, e = b, a = first, b = second;
            }
        }
#endif
    }
#endif
}

#endif
