/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* GHASH in constant time: the product is computed, no table is looked up. */
#include "core/mac.h"

#include "ghash.h"
#include "product.h"

static int set_key(void *context, const uint8_t *key, size_t key_bytes)
{
    runnel_ghash *c = context;
    (void)key_bytes;
    set_subkey(c, key);
    memset(c->y, 0, sizeof c->y);
    return RUNNEL_OK;
}

static void absorb(void *context, const uint8_t *data, size_t nblocks)
{
    for (; nblocks > 0; nblocks--, data += 16)
        add_and_multiply(context, data);
}

static void finish(void *context, const uint8_t *rest, size_t bytes, uint8_t *tag)
{
    runnel_ghash *c = context;
    if (bytes > 0) {
        memset(c->waiting + bytes, 0, 16 - bytes);
        add_and_multiply(c, rest);
    }
    store_sum(c, tag);
    memset(c->y, 0, sizeof c->y);
}

static const runnel_mac_kind ghash = {
    .name = RUNNEL_TEXT("ghash"),
    .key_bytes = {16, 16, 1},
    .tag_bytes = {16, 16, 1},
    .context_bytes = sizeof(runnel_ghash),
    .block_bytes = 16,
    .key = set_key,
    .absorb = absorb,
    .finish = finish,
};

const runnel_mac_kind *const runnel_ghash_macs[] = {&ghash, NULL};

RUNNEL_DEFINE_MAC_VERBS(ghash, &ghash)
