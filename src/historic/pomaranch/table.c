/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Pomaranch with S and F looked up, by secrets: constant-time only where there is no data cache. */
#include "steps.h"

static inline void pomaranch_find_jumps(const pomaranch *s, pomaranch_bit *restrict jumps)
{
    for (unsigned j = 0; j < 8; j++) {
        const uint16_t key = s->key[j];
        const uint8_t inverse = runnel_flash8(runnel_pomaranch_s + (pomaranch_seen(s->sections[j]) ^ (key & 511)));
        jumps[j] = runnel_flash8(runnel_pomaranch_f + (uint8_t)(inverse ^ key >> 9));
    }
}

static void pomaranch_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    (void)key_bytes;
    pomaranch_load_key(state, key);
    pomaranch_mix_key(state, pomaranch_find_jumps);
}

static void pomaranch_set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    pomaranch_mix_iv(state, pomaranch_find_jumps, iv, iv_bytes);
}

static void pomaranch_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    (void)index;
    pomaranch_xor(state, pomaranch_find_jumps, out, in, nblocks);
}

const runnel_kernel runnel_pomaranch_table = {
    .name = RUNNEL_TEXT("table"),
    .citation = RUNNEL_TEXT("the tables of the specification"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = pomaranch_set_key,
    .stream = {.iv = pomaranch_set_iv, .xor_blocks = pomaranch_xor_blocks},
};
