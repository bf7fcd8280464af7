/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The subkeys made at key set-up and kept, as the code does that the sensor-node paper starts from. Included after
 * avr_c.h by the file of each kernel. */
static void sosemanuk_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    sosemanuk_expand_key(((runnel_sosemanuk_state *)state)->subkeys, key, key_bytes);
}

static void sosemanuk_set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    runnel_sosemanuk_state *s = state;
    sosemanuk_mix_iv(s, iv, iv_bytes, s->subkeys, NULL);
}
