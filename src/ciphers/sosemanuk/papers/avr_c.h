/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SOSEMANUK in C for 8-bit AVR, as the sensor-node paper tunes it: rotations through a word's bytes, and key and IV
 * set-up in one, so that there is no array of subkeys in SRAM. Included by the file of each kernel, which defines
 * ROTL32, how a word is rotated. */
#include "arch/avr/rotate.h"

#include "ciphers/sosemanuk/setup.h"
#include "ciphers/sosemanuk/tables.h"

#include "ciphers/sosemanuk/steps.h"

static void set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    pad_key(((runnel_sosemanuk_state *)state)->key, key, key_bytes);
}

static void set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    runnel_sosemanuk_state *s = state;
    uint32_t w[8];
    load_key(w, s->key);
    mix_iv(s, iv, iv_bytes, NULL, w);
    runnel_wipe(w, sizeof w);
}
