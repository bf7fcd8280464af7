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

enum { LONG_TAG = 0xee, SHORT_END = 0xff, LONG_END = 0xee, SECOND_HALF = 0xdd };

static int set_key(void *context, const uint8_t *key, size_t key_bytes)
{
    runnel_siphash *c = context;
    memcpy(c->key, key, key_bytes);
    c->length = 0;
    start(c, 0);
    return RUNNEL_OK;
}

static int set_key_128(void *context, const uint8_t *key, size_t key_bytes)
{
    runnel_siphash *c = context;
    memcpy(c->key, key, key_bytes);
    c->length = 0;
    start(c, LONG_TAG);
    return RUNNEL_OK;
}

static void absorb(void *context, const uint8_t *data, size_t nblocks)
{
    runnel_siphash *c = context;
    c->length = (uint8_t)(c->length + 8 * nblocks);
    compress(c, data, nblocks);
}

static void last_block(runnel_siphash *c, size_t bytes)
{
    memset(c->partial_block + bytes, 0, 7 - bytes);
    c->partial_block[7] = (uint8_t)(c->length + bytes);
    compress(c, c->partial_block, 1);
    c->length = 0;
}

static void finish(void *context, const uint8_t *rest, size_t bytes, uint8_t *tag)
{
    (void)rest;
    last_block(context, bytes);
    finish_half(context, 2, SHORT_END, tag);
    start(context, 0);
}

static void finish_128(void *context, const uint8_t *rest, size_t bytes, uint8_t *tag)
{
    (void)rest;
    last_block(context, bytes);
    finish_half(context, 2, LONG_END, tag);
    finish_half(context, 1, SECOND_HALF, tag + 8);
    start(context, LONG_TAG);
}

#define SIPHASH(text_name, bytes, suffix)                                                                              \
    {                                                                                                                  \
        .name = RUNNEL_TEXT(text_name),                                                                                \
        .key_bytes = {16, 16, 1},                                                                                      \
        .tag_bytes = {bytes, bytes, 1},                                                                                \
        .context_bytes = sizeof(runnel_siphash),                                                                       \
        .block_bytes = 8,                                                                                              \
        .key = set_key##suffix,                                                                                        \
        .absorb = absorb,                                                                                              \
        .finish = finish##suffix,                                                                                      \
    }

static const runnel_mac siphash = SIPHASH("siphash", 8, );
static const runnel_mac siphash_128 = SIPHASH("siphash-128", 16, _128);

runnel_mac_list runnel_siphash_macs = {&siphash, &siphash_128, NULL};

RUNNEL_DEFINE_MAC_VERBS(siphash, &siphash)
RUNNEL_DEFINE_MAC_VERBS(siphash_128, &siphash_128)
