/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* GHASH in constant time: the product is computed, no table is looked up. */
#include "core/choose.h"
#include "core/define.h"
#include "core/mac.h"

#include "ghash.h"

#if RUNNEL_AVR_MUL
#include "avr/absorb.h"
#else
#include "product.h"
#endif

static void ghash_store_sum(const runnel_ghash_state *c, uint8_t *tag)
{
    for (unsigned i = 0; i < 4; i++)
        runnel_store32be(tag + 12 - 4 * i, c->y[i]);
}

#if RUNNEL_GHASH_POWERS
const runnel_ghash_kernel runnel_ghash_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("integer products of every fourth bit, after Pornin (BearSSL); Karatsuba"),
    .key = ghash_set_subkey,
    .absorb = ghash_absorb_blocks,
};

static runnel_kernel_list ghash_kernels = {
#define KERNEL(on, name) RUNNEL_LIST(on, runnel_ghash_kernel, runnel_ghash_##name)
#include "kernels.inc"
    NULL,
};

void runnel_ghash_clear(runnel_ghash_state *s)
{
    s->ready = 0;
    memset(s->powers[RUNNEL_GHASH_POWERS], 0, sizeof s->powers - sizeof s->powers[0] * RUNNEL_GHASH_POWERS);
#if RUNNEL_GHASH_HALVES
    memset(s->halves[RUNNEL_GHASH_POWERS], 0, sizeof s->halves - sizeof s->halves[0] * RUNNEL_GHASH_POWERS);
#endif
    memset(s->y, 0, sizeof s->y);
}

void runnel_ghash_set_key(runnel_ghash_state *s, const uint8_t *key)
{
    s->kernel = (const void *)runnel_first_kernel(ghash_kernels, NULL, NULL, NULL); /* there is one: the portable */
    runnel_ghash_clear(s);
    s->kernel->key(s, key);
}

void runnel_ghash_absorb(runnel_ghash_state *s, const uint8_t *data, size_t nblocks)
{
    s->kernel->absorb(s, data, nblocks);
}
#else
void runnel_ghash_clear(runnel_ghash_state *s)
{
    memset(s->y, 0, sizeof s->y);
}

void runnel_ghash_set_key(runnel_ghash_state *s, const uint8_t *key)
{
    runnel_ghash_clear(s);
    ghash_set_subkey(s, key);
}

void runnel_ghash_absorb(runnel_ghash_state *s, const uint8_t *data, size_t nblocks)
{
    ghash_absorb_blocks(s, data, nblocks);
}
#endif

void runnel_ghash_take_sum(runnel_ghash_state *s, uint8_t *sum)
{
    ghash_store_sum(s, sum);
    memset(s->y, 0, sizeof s->y);
}

static int ghash_set_key(void *context, const uint8_t *key, size_t key_bytes)
{
    runnel_ghash *c = context;
    (void)key_bytes;
    runnel_ghash_set_key(&c->state, key);
    return RUNNEL_OK;
}

static void ghash_absorb(void *context, const uint8_t *data, size_t nblocks)
{
    runnel_ghash *c = context;
    runnel_ghash_absorb(&c->state, data, nblocks);
}

static void ghash_finish(void *context, const uint8_t *rest, size_t bytes, uint8_t *tag)
{
    runnel_ghash *c = context;
    if (bytes > 0) {
        memset(c->partial_block + bytes, 0, 16 - bytes);
        runnel_ghash_absorb(&c->state, rest, 1);
    }
    runnel_ghash_take_sum(&c->state, tag);
}

static const runnel_mac ghash = {
    .name = RUNNEL_TEXT("ghash"),
    .key_bytes = {16, 16, 1},
    .tag_bytes = {16, 16, 1},
    .context_bytes = sizeof(runnel_ghash),
    .block_bytes = 16,
#if RUNNEL_HOSTED
    .component = 1,
#endif
    .key = ghash_set_key,
    .absorb = ghash_absorb,
    .finish = ghash_finish,
#if RUNNEL_GHASH_POWERS
    .kernels = ghash_kernels,
#endif
};

runnel_mac_list runnel_ghash_macs = {&ghash, NULL};

RUNNEL_DEFINE_MAC_VERBS(ghash, &ghash)
