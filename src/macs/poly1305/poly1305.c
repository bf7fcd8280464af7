/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Poly1305: the message's blocks as the coefficients of a polynomial modulo 2^130 - 5. */
#include "core/choose.h"
#include "core/define.h"
#include "core/mac.h"

#include "kernels.h"
#include "poly1305.h"
#if RUNNEL_MAC_WORDS
#include "words.h"
#elif RUNNEL_AVR_MUL
#include "avr/fast.h"
#else
#include "bytes.h"
#endif

void runnel_poly1305_set_key(runnel_poly1305 *c, const uint8_t *key)
{
    poly1305_set_factor(c, key);
    memcpy(c->s, key + 16, 16);
#if RUNNEL_POLY1305_POWERS
    c->keeper = NULL;
#endif
}

static int poly1305_set_key(void *context, const uint8_t *key, size_t key_bytes)
{
    (void)key_bytes;
    runnel_poly1305_set_key(context, key);
    return RUNNEL_OK;
}

#if RUNNEL_MAC_WORDS && (RUNNEL_X86_64 || RUNNEL_AARCH64 || RUNNEL_POLY1305_ARMV7_NEON)
#define HAS_KERNELS 1
#else
#define HAS_KERNELS 0
#endif

#if HAS_KERNELS
static runnel_kernel_list poly1305_kernels = {
#define KERNEL(on, name) RUNNEL_LIST(on, runnel_poly1305_kernel, runnel_poly1305_##name)
#include "kernels.inc"
    NULL,
};

enum { POLY1305_FEW = 16 }; /* fewer blocks pay for no kernel, not for one whose powers are there */

/* The input of kernels. */
typedef struct poly1305_task {
    const runnel_poly1305 *c;
    size_t nblocks;
} poly1305_task;

/* A runnel_kernel_suits: pays for the blocks of a task. */
static int poly1305_pays(const runnel_kernel_head *kernel, const void *purpose)
{
    const poly1305_task *t = purpose;
    const runnel_poly1305_kernel *k = (const void *)kernel;
    return t->nblocks >= (t->c->keeper == k ? (size_t)POLY1305_FEW : k->least);
}

/* Lets the first kernel that pays take what it can. Returns how many blocks were taken. What is left of them pays for no
 * other, because no kernel needs more than FEW blocks at a time. */
static size_t poly1305_absorb_many(runnel_poly1305 *c, const uint8_t *data, size_t nblocks)
{
    if (nblocks < POLY1305_FEW)
        return 0;
    const poly1305_task t = {c, nblocks};
    const runnel_poly1305_kernel *k = (const void *)runnel_first_kernel(poly1305_kernels, NULL, poly1305_pays, &t);
    if (k == NULL)
        return 0;
    if (c->keeper != k) {
        k->make_powers(c);
        c->keeper = k;
    }
    const size_t many = nblocks / k->blocks * k->blocks;
    k->absorb(c, data, many);
    return many;
}
#else
static size_t poly1305_absorb_many(runnel_poly1305 *c, const uint8_t *data, size_t nblocks)
{
    (void)c;
    (void)data;
    (void)nblocks;
    return 0;
}
#endif

void runnel_poly1305_absorb(runnel_poly1305 *c, const uint8_t *data, size_t nblocks)
{
    const size_t many = poly1305_absorb_many(c, data, nblocks);
    poly1305_multiply(c, data + 16 * many, nblocks - many, 1);
}

void runnel_poly1305_absorb_padded(runnel_poly1305 *c, const uint8_t *data, size_t bytes)
{
    const size_t nblocks = bytes / 16, rest = bytes % 16;
    if (nblocks > 0)
        runnel_poly1305_absorb(c, data, nblocks);
    if (rest > 0) {
        uint8_t block[16] = {0};
        memcpy(block, data + 16 * nblocks, rest);
        runnel_poly1305_absorb(c, block, 1);
        runnel_wipe(block, sizeof block);
    }
}

void runnel_poly1305_forget(runnel_poly1305 *c)
{
#if RUNNEL_POLY1305_POWERS
    if (c->keeper != NULL)
        runnel_wipe(c->powers, sizeof c->powers);
    runnel_wipe(c, offsetof(runnel_poly1305, powers));
#else
    runnel_wipe(c, sizeof *c);
#endif
}

void runnel_poly1305_finish(const runnel_poly1305 *c, uint8_t *tag)
{
    poly1305_reduce_and_add(c, tag);
}

#if RUNNEL_HOSTED
#if RUNNEL_MAC_WORDS && RUNNEL_POLY1305_WIDE
RUNNEL_INLINE void poly1305_absorb_part(runnel_poly1305_wide *w, const uint8_t *data, size_t bytes)
{
    for (; bytes >= 16; bytes -= 16, data += 16)
        runnel_poly1305_step(w, data);
    if (bytes > 0) {
        uint8_t block[16] = {0};
        memcpy(block, data, bytes);
        runnel_poly1305_step(w, block);
        runnel_wipe(block, sizeof block);
    }
}

void runnel_poly1305_tag_of_two(uint8_t *tag, const uint8_t *key, const uint8_t *aad, size_t aad_bytes,
                                const uint8_t *text, size_t bytes)
{
    runnel_poly1305_wide w = runnel_poly1305_wide_of(key);
    uint64_t lengths[2];
    poly1305_absorb_part(&w, aad, aad_bytes);
    poly1305_absorb_part(&w, text, bytes);
    runnel_store64le((uint8_t *)lengths, aad_bytes);
    runnel_store64le((uint8_t *)(lengths + 1), bytes);
    runnel_poly1305_step(&w, (const uint8_t *)lengths);
    runnel_poly1305_wide_finish(&w, key + 16, tag);
    runnel_wipe(&w, sizeof w);
}
#else
void runnel_poly1305_tag_of_two(uint8_t *tag, const uint8_t *key, const uint8_t *aad, size_t aad_bytes,
                                const uint8_t *text, size_t bytes)
{
    runnel_poly1305 c;
    uint8_t lengths[16];
    runnel_poly1305_set_key(&c, key);
    runnel_poly1305_absorb_padded(&c, aad, aad_bytes);
    runnel_poly1305_absorb_padded(&c, text, bytes);
    runnel_store64le(lengths, aad_bytes);
    runnel_store64le(lengths + 8, bytes);
    runnel_poly1305_absorb(&c, lengths, 1);
    runnel_poly1305_finish(&c, tag);
    runnel_poly1305_forget(&c);
}
#endif
#endif

static void poly1305_absorb(void *context, const uint8_t *data, size_t nblocks)
{
    runnel_poly1305_absorb(context, data, nblocks);
}

static void poly1305_finish(void *context, const uint8_t *rest, size_t bytes, uint8_t *tag)
{
    runnel_poly1305 *c = context;
    if (bytes > 0) {
        c->partial_block[bytes] = 1;
        memset(c->partial_block + bytes + 1, 0, 15 - bytes);
        poly1305_multiply(c, rest, 1, 0);
    }
    poly1305_reduce_and_add(c, tag);
}

static const runnel_mac poly1305 = {
    .name = RUNNEL_TEXT("poly1305"),
    .key_bytes = {32, 32, 1},
    .tag_bytes = {16, 16, 1},
    .context_bytes = sizeof(runnel_poly1305),
    .block_bytes = 16,
    .single_use = 1,
    .key = poly1305_set_key,
    .absorb = poly1305_absorb,
    .finish = poly1305_finish,
#if HAS_KERNELS
    .kernels = poly1305_kernels,
#endif
};

runnel_mac_list runnel_poly1305_macs = {&poly1305, NULL};

RUNNEL_DEFINE_MAC_VERBS(poly1305, &poly1305)
