/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rabbit in C for 8-bit AVR, as the sensor-node paper tunes it: rotations through a word's bytes, and one state, for
 * which the key set-up is done again with each IV. Included by the file of each kernel, which defines ROTL32, how a
 * word is rotated. */
#include "arch/avr/rotate.h"

#include "ciphers/rabbit/steps.h"

static void set_key(void *states, const uint8_t *key, size_t key_bytes)
{
    memcpy(((runnel_rabbit_states *)states)->key, key, key_bytes);
}

static void set_iv(void *states, const uint8_t *iv, size_t iv_bytes)
{
    runnel_rabbit_states *s = states;
    begin(&s->now, s->key);
    start(&s->now, iv, iv_bytes);
}

static void xor_blocks(void *states, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    (void)index;
    xor_from(&((runnel_rabbit_states *)states)->now, out, in, nblocks);
}
