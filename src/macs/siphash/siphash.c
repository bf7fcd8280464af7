/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SipHash-2-4 with tags of 64 and of 128 bits, which differ in a few constants. */
#include "arch/common/lookup.h"
#include "core/mac.h"

#include "siphash.h"
#if RUNNEL_MAC_WORDS
#include "words.h"
#elif RUNNEL_AVR
#include "avr/fast.h"
#else
#include "bytes.h"
#endif

enum { SIPHASH_LONG_TAG = 0xee, SIPHASH_SHORT_END = 0xff, SIPHASH_LONG_END = 0xee, SIPHASH_SECOND_HALF = 0xdd };

static int siphash_set_key(void *context, const uint8_t *key, size_t key_bytes)
{
    runnel_siphash *c = context;
    memcpy(c->key, key, key_bytes);
    c->length = 0;
    siphash_start(c, 0);
    return RUNNEL_OK;
}

static int siphash_set_key_128(void *context, const uint8_t *key, size_t key_bytes)
{
    runnel_siphash *c = context;
    memcpy(c->key, key, key_bytes);
    c->length = 0;
    siphash_start(c, SIPHASH_LONG_TAG);
    return RUNNEL_OK;
}

static void siphash_absorb(void *context, const uint8_t *data, size_t nblocks)
{
    runnel_siphash *c = context;
    c->length = (uint8_t)(c->length + 8 * nblocks);
    siphash_compress(c, data, nblocks);
}

static void siphash_last_block(runnel_siphash *c, size_t bytes)
{
    memset(c->partial_block + bytes, 0, 7 - bytes);
    c->partial_block[7] = (uint8_t)(c->length + bytes);
    siphash_compress(c, c->partial_block, 1);
    c->length = 0;
}

static void siphash_finish(void *context, const uint8_t *rest, size_t bytes, uint8_t *tag)
{
    (void)rest;
    siphash_last_block(context, bytes);
    siphash_finish_half(context, 2, SIPHASH_SHORT_END, tag);
    siphash_start(context, 0);
}

static void siphash_finish_128(void *context, const uint8_t *rest, size_t bytes, uint8_t *tag)
{
    (void)rest;
    siphash_last_block(context, bytes);
    siphash_finish_half(context, 2, SIPHASH_LONG_END, tag);
    siphash_finish_half(context, 1, SIPHASH_SECOND_HALF, tag + 8);
    siphash_start(context, SIPHASH_LONG_TAG);
}

#define SIPHASH(text_name, bytes, suffix)                                                                              \
    {                                                                                                                  \
        .name = RUNNEL_TEXT(text_name),                                                                                \
        .key_bytes = {16, 16, 1},                                                                                      \
        .tag_bytes = {bytes, bytes, 1},                                                                                \
        .context_bytes = sizeof(runnel_siphash),                                                                       \
        .block_bytes = 8,                                                                                              \
        .key = siphash_set_key##suffix,                                                                                \
        .absorb = siphash_absorb,                                                                                      \
        .finish = siphash_finish##suffix,                                                                              \
    }

static const runnel_mac siphash = SIPHASH("siphash", 8, );
static const runnel_mac siphash_128 = SIPHASH("siphash-128", 16, _128);

runnel_mac_list runnel_siphash_macs = {&siphash, &siphash_128, NULL};

RUNNEL_DEFINE_MAC_VERBS(siphash, &siphash)
RUNNEL_DEFINE_MAC_VERBS(siphash_128, &siphash_128)
