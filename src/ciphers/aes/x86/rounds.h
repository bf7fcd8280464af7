/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rounds of AES on n vectors side by side; n is a constant. The includer defines TARGET and includes the vectors of its
 * width (arch/x86/blocks_128.h, blocks_256.h or blocks_512.h). */
#ifndef AES_X86_ROUNDS_H
#define AES_X86_ROUNDS_H

#include "arch/common/barrier.h"
#include "arch/x86/target.h"
#include "ciphers/aes/kernels.h"

/* As many vectors as hide the latency of a round. */
enum { AES_GROUP_VECTORS = 8, AES_GROUP = AES_GROUP_VECTORS * LANES };

TARGET RUNNEL_INLINE void aes_encrypt_round(vector *x, const int n, const uint8_t *key)
{
    const vector k = vector_repeat_at(key);
    RUNNEL_UNROLL
    for (int i = 0; i < n; i++)
        x[i] = vector_aes_round(x[i], k);
}

/* The first two rounds, as far as they are not done yet. */
TARGET RUNNEL_INLINE void aes_rounds_to_2(vector *x, const int n, const runnel_aes_schedule *s, unsigned done)
{
    if (done < 1)
        aes_encrypt_round(x, n, s->keys.bytes[1]);
    if (done < 2)
        aes_encrypt_round(x, n, s->keys.bytes[2]);
}

/* Rounds 3 to rounds - 8, which only longer keys have. Returns the round key that follows. */
TARGET RUNNEL_INLINE const uint8_t *aes_rounds_of_longer_keys(vector *x, const int n, const runnel_aes_schedule *s)
{
    const uint8_t *key = s->keys.bytes[3];
    if (s->rounds > 10) {
        aes_encrypt_round(x, n, key);
        aes_encrypt_round(x, n, key + 16);
        key += 32;
        if (s->rounds > 12) {
            aes_encrypt_round(x, n, key);
            aes_encrypt_round(x, n, key + 16);
            key += 32;
        }
    }
    return key;
}

/* Seven rounds, up to the last but one. Returns the last round key. */
TARGET RUNNEL_INLINE const uint8_t *aes_seven_rounds(vector *x, const int n, const uint8_t *key)
{
    RUNNEL_UNROLL
    for (int r = 0; r < 7; r++)
        aes_encrypt_round(x, n, key + 16 * r);
    return key + 16 * 7;
}

/* Round 3 to the last but one. Returns the last round key. */
TARGET RUNNEL_INLINE const uint8_t *aes_rounds_from_3(vector *x, const int n, const runnel_aes_schedule *s)
{
    const uint8_t *key = aes_rounds_of_longer_keys(x, n, s);
    RUNNEL_VALUE_BARRIER(key); /* or gcc loads these keys before the branches, in registers that it lacks */
    return aes_seven_rounds(x, n, key);
}

#endif
