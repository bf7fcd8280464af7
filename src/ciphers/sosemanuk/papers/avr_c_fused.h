/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Key and IV set-up in one, as the sensor-node paper does it to save the 400 bytes of subkeys (5.2): each subkey is made
 * where it is needed. Included after avr_c.h by the file of each kernel. */
static void sosemanuk_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    sosemanuk_pad_key(((runnel_sosemanuk_state *)state)->key, key, key_bytes);
}

static void sosemanuk_set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    runnel_sosemanuk_state *s = state;
    uint32_t w[8];
    sosemanuk_load_key(w, s->key);
    sosemanuk_mix_iv(s, iv, iv_bytes, NULL, w);
    runnel_wipe(w, sizeof w);
}
