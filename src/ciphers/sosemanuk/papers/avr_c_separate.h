/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The subkeys made at key set-up and kept, as the code does that the sensor-node paper starts from. Included after
 * avr_c.h by the file of each kernel. */
static void set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    expand_key(((runnel_sosemanuk_state *)state)->subkeys, key, key_bytes);
}

static void set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    runnel_sosemanuk_state *s = state;
    mix_iv(s, iv, iv_bytes, s->subkeys, NULL);
}
