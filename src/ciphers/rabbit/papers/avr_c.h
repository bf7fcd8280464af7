/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rabbit in C for 8-bit AVR, as the sensor-node paper tunes it (5.1, 5.2): rotations through a word's bytes, and one
 * state, which key set-up brings to where IVs begin and the first IV changes. Only a second IV under the same key, which
 * the paper's code does not take, repeats the key set-up. Included by the file of each kernel, which defines ROTL32, how
 * a word is rotated. */
#include "arch/avr/rotate.h"

#include "ciphers/rabbit/steps.h"

/* In carry, which is 0 or 1: no IV has entered the state since key set-up. */
enum { RABBIT_NO_IV_YET = 2 };

static void rabbit_set_key(void *states, const uint8_t *key, size_t key_bytes)
{
    runnel_rabbit_states *s = states;
    memcpy(s->key, key, key_bytes);
    rabbit_begin(&s->now, s->key);
    s->now.carry |= RABBIT_NO_IV_YET;
}

static void rabbit_set_iv(void *states, const uint8_t *iv, size_t iv_bytes)
{
    runnel_rabbit_states *s = states;
    if (s->now.carry & RABBIT_NO_IV_YET)
        s->now.carry &= (uint8_t)~RABBIT_NO_IV_YET;
    else
        rabbit_begin(&s->now, s->key);
    rabbit_start(&s->now, iv, iv_bytes);
}

static void rabbit_xor_blocks(void *states, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    (void)index;
    rabbit_xor_from(&((runnel_rabbit_states *)states)->now, out, in, nblocks);
}
