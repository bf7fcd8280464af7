/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Several messages under one key, each in a lane: its whole blocks, the blocks that end it, and the outer hash. Whenever
 * a lane is done the next message takes it; when few are left, they continue in kernels for few. */
#include "core/choose.h"
#include "core/define.h"
#include "core/driver.h"
#include "core/mac.h"

#include "kernels.h"

#if RUNNEL_HOSTED

enum { HMAC_SHA_256_BLOCK = 64, HMAC_SHA_256_DIGEST = 32, HMAC_SHA_256_LANES = RUNNEL_SHA_256_LANES_MOST };

runnel_kernel_list runnel_sha_256_kernels = {
#define KERNEL(on, name) RUNNEL_LIST(on, runnel_sha_256_kernel, runnel_hmac_sha_256_##name)
#include "kernels.inc"
    NULL,
};

/* A runnel_kernel_suits: worth its lanes for so many messages. */
static int hmac_sha_256_worth_it(const runnel_kernel_head *kernel, const void *count)
{
    return *(const size_t *)count >= ((const runnel_sha_256_kernel *)(const void *)kernel)->worth;
}

const runnel_sha_256_kernel *runnel_sha_256_kernel_for(size_t count)
{
    return (const void *)runnel_first_kernel(runnel_sha_256_kernels, NULL, hmac_sha_256_worth_it,
                                             &count); /* there is one: the portable */
}

enum { HMAC_SHA_256_TEXT, HMAC_SHA_256_END, HMAC_SHA_256_OUTER };

typedef struct hmac_sha_256_lane {
    runnel_hmac_sha_256_message *m;
    const uint8_t *in;
    size_t nblocks; /* left of this stage */
    unsigned stage;
    uint32_t state[8];
    uint8_t end[2 * HMAC_SHA_256_BLOCK];
} hmac_sha_256_lane;

static void hmac_sha_256_begin(hmac_sha_256_lane *l, const runnel_hmac_sha_256 *c, runnel_hmac_sha_256_message *m)
{
    l->m = m;
    l->in = m->data;
    l->nblocks = m->bytes / HMAC_SHA_256_BLOCK;
    l->stage = HMAC_SHA_256_TEXT;
    memcpy(l->state, c->inner, sizeof l->state);
}

/* Makes the blocks that end a hash whose last bytes are in l->end already, and that had a block of the key first. */
static void hmac_sha_256_pad(hmac_sha_256_lane *l, size_t rest, uint64_t bytes)
{
    l->nblocks = rest < HMAC_SHA_256_BLOCK - 8 ? 1 : 2;
    l->in = l->end;
    uint8_t *const length = l->end + l->nblocks * HMAC_SHA_256_BLOCK - 8;
    l->end[rest] = 0x80;
    memset(l->end + rest + 1, 0, l->nblocks * HMAC_SHA_256_BLOCK - 9 - rest);
    runnel_store64be(length, (HMAC_SHA_256_BLOCK + bytes) * 8);
}

/* Writes the tag, or compares it. */
static void hmac_sha_256_finish(const hmac_sha_256_lane *l, uint8_t *digest, int verifying)
{
    for (unsigned i = 0; i < 8; i++)
        runnel_store32be(digest + 4 * i, l->state[i]);
    if (!verifying) {
        memcpy(l->m->tag, digest, l->m->tag_bytes);
        l->m->result = RUNNEL_OK;
        return;
    }
    l->m->result = runnel_compare_tag(digest, l->m->tag, l->m->tag_bytes);
}

/* After the blocks of a stage turns to the next one. Returns 0 when the message is done. */
static int hmac_sha_256_lane_next(hmac_sha_256_lane *l, const runnel_hmac_sha_256 *c, int verifying)
{
    if (l->nblocks > 0)
        return 1;
    if (l->stage == HMAC_SHA_256_TEXT) {
        const size_t rest = l->m->bytes % HMAC_SHA_256_BLOCK;
        if (rest > 0)
            memcpy(l->end, l->m->data + l->m->bytes - rest, rest);
        hmac_sha_256_pad(l, rest, l->m->bytes);
        l->stage = HMAC_SHA_256_END;
        return 1;
    }
    if (l->stage == HMAC_SHA_256_END) {
        for (unsigned i = 0; i < 8; i++)
            runnel_store32be(l->end + 4 * i, l->state[i]);
        memcpy(l->state, c->outer, sizeof l->state);
        hmac_sha_256_pad(l, HMAC_SHA_256_DIGEST, HMAC_SHA_256_DIGEST);
        l->stage = HMAC_SHA_256_OUTER;
        return 1;
    }
    hmac_sha_256_finish(l, l->end, verifying);
    return 0;
}

/* Makes as many blocks in the first lanes, as many of these as a kernel takes, as the shortest has left. Returns how many
 * lanes that were. */
static size_t hmac_sha_256_together(hmac_sha_256_lane *const *lanes, size_t n)
{
    const runnel_sha_256_kernel *const kernel = runnel_sha_256_kernel_for(n);
    uint32_t *states[HMAC_SHA_256_LANES];
    const uint8_t *in[HMAC_SHA_256_LANES];
    size_t nblocks = SIZE_MAX;
    n = n < kernel->lanes ? n : kernel->lanes;
    for (size_t i = 0; i < kernel->lanes; i++) {
        hmac_sha_256_lane *const l = lanes[i < n ? i : 0];
        states[i] = l->state;
        in[i] = l->in;
        nblocks = l->nblocks < nblocks ? l->nblocks : nblocks;
    }
    kernel->compress(states, in, nblocks);
    for (size_t i = 0; i < n; i++) {
        lanes[i]->in += nblocks * HMAC_SHA_256_BLOCK;
        lanes[i]->nblocks -= nblocks;
    }
    return n;
}

static void hmac_sha_256_work(const runnel_hmac_sha_256 *c, runnel_hmac_sha_256_message *messages, size_t count,
                              int verifying)
{
    hmac_sha_256_lane memory[HMAC_SHA_256_LANES], *lanes[HMAC_SHA_256_LANES];
    size_t n = 0, next = 0;
    for (size_t i = 0; i < HMAC_SHA_256_LANES; i++)
        lanes[i] = &memory[i];
    const size_t used = count < HMAC_SHA_256_LANES ? count : HMAC_SHA_256_LANES;
    for (;;) {
        for (; n < HMAC_SHA_256_LANES && next < count; n++) {
            hmac_sha_256_begin(lanes[n], c, &messages[next++]);
            (void)hmac_sha_256_lane_next(lanes[n], c, verifying); /* there are always blocks that end the message */
        }
        if (n == 0)
            break;
        for (size_t i = hmac_sha_256_together(lanes, n); i-- > 0;)
            if (!hmac_sha_256_lane_next(lanes[i], c, verifying)) {
                hmac_sha_256_lane *const done = lanes[i];
                lanes[i] = lanes[--n];
                lanes[n] = done;
            }
    }
    runnel_wipe(memory, used * sizeof memory[0]);
}

extern runnel_mac_list runnel_hmac_sha_256_macs;

static int hmac_sha_256_check(const runnel_hmac_sha_256 *c, const runnel_hmac_sha_256_message *messages, size_t count)
{
    if (c == NULL || (messages == NULL && count > 0))
        return RUNNEL_ERR_NULL;
    if (!c->mac.keyed)
        return RUNNEL_ERR_STATE;
    for (size_t i = 0; i < count; i++) {
        if (messages[i].tag == NULL || (messages[i].data == NULL && messages[i].bytes > 0))
            return RUNNEL_ERR_NULL;
        if (!runnel_has_length(&runnel_hmac_sha_256_macs[0]->tag_bytes, messages[i].tag_bytes))
            return RUNNEL_ERR_TAG_LENGTH;
    }
    return RUNNEL_OK;
}

int runnel_hmac_sha_256_tag_batch(const runnel_hmac_sha_256 *c, runnel_hmac_sha_256_message *messages, size_t count)
{
    const int error = hmac_sha_256_check(c, messages, count);
    if (!error)
        hmac_sha_256_work(c, messages, count, 0);
    return error;
}

int runnel_hmac_sha_256_verify_batch(const runnel_hmac_sha_256 *c, runnel_hmac_sha_256_message *messages, size_t count)
{
    int error = hmac_sha_256_check(c, messages, count);
    if (error)
        return error;
    hmac_sha_256_work(c, messages, count, 1);
    for (size_t i = 0; i < count; i++)
        error |= messages[i].result; /* RUNNEL_OK, which is 0, or RUNNEL_ERR_TAG; without a branch */
    return error;
}

#endif
