/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HMAC-SHA-1 of whole messages whose keys are at hand, one or many. A message is three runs of blocks: those that lie in
 * the data, one or two that its end and the padding make, and after a change of state the one around the inner digest. In
 * lanes each message is at its own place in these; whenever one has ended the next takes its lane. */
#include "arch/common/bytes.h"
#include "core/choose.h"
#include "kernels.h"

#if RUNNEL_HOSTED

enum {
    HMAC_SHA_1_BLOCK = RUNNEL_SHA_1_BLOCK,
    HMAC_SHA_1_DIGEST = RUNNEL_SHA_1_DIGEST,
    HMAC_SHA_1_LANES = RUNNEL_HMAC_SHA_1_LANES
};

/* Makes the blocks after those that lie in the data; returns how many. */
static size_t hmac_sha_1_end_of_text(const runnel_hmac_sha_1_text *t, uint8_t *last)
{
    const size_t rest = t->bytes % HMAC_SHA_1_BLOCK, used = rest + t->suffix_bytes,
                 nblocks = used < HMAC_SHA_1_BLOCK - 8 ? 1 : 2;
    /* All of it: a number of bytes that the compiler knows takes less time than the right one. */
    memset(last, 0, 2 * HMAC_SHA_1_BLOCK);
    if (rest > 0)
        memcpy(last, t->data + t->bytes - rest, rest);
    if (t->suffix_bytes > 0)
        memcpy(last + rest, t->suffix, sizeof t->suffix);
    last[used] = 0x80;
    runnel_store64be_at_once(last + nblocks * HMAC_SHA_1_BLOCK - 8,
                             ((uint64_t)HMAC_SHA_1_BLOCK + t->bytes + t->suffix_bytes) << 3);
    return nblocks;
}

static void hmac_sha_1_store_digest(uint8_t *digest, const uint32_t *state)
{
    for (unsigned i = 0; i < 5; i++)
        runnel_store32be(digest + 4 * i, state[i]);
}

/* The block around the inner digest. */
static void hmac_sha_1_outer_block(uint8_t *block, const uint32_t *state)
{
    memset(block, 0, HMAC_SHA_1_BLOCK);
    hmac_sha_1_store_digest(block, state);
    block[HMAC_SHA_1_DIGEST] = 0x80;
    runnel_store64be_at_once(block + HMAC_SHA_1_BLOCK - 8, (HMAC_SHA_1_BLOCK + HMAC_SHA_1_DIGEST) << 3);
}

static void hmac_sha_1_alone(runnel_hmac_sha_1_text *t)
{
    uint32_t state[5];
    uint8_t last[2 * HMAC_SHA_1_BLOCK];
    memcpy(state, t->pads->inner, sizeof state);
    if (t->bytes >= HMAC_SHA_1_BLOCK)
        t->kernel->compress(state, t->data, t->bytes / HMAC_SHA_1_BLOCK);
    t->kernel->compress(state, last, hmac_sha_1_end_of_text(t, last));
    hmac_sha_1_outer_block(last, state);
    memcpy(state, t->pads->outer, sizeof state);
    t->kernel->compress(state, last, 1);
    hmac_sha_1_store_digest(t->digest, state);
    runnel_wipe(state, sizeof state);
    runnel_wipe(last, HMAC_SHA_1_BLOCK);
}

/* ---- in lanes ---- */

enum { HMAC_SHA_1_IN_DATA, HMAC_SHA_1_AT_END, HMAC_SHA_1_OUTER, HMAC_SHA_1_DONE };

typedef struct hmac_sha_1_lane {
    runnel_hmac_sha_1_text *text; /* NULL: repeats what another does */
    size_t nblocks;               /* of this run that remain */
    unsigned run;
    uint8_t last[2 * HMAC_SHA_1_BLOCK];
} hmac_sha_1_lane;

typedef struct hmac_sha_1_side_by_side {
    uint32_t states[5][HMAC_SHA_1_LANES];
    const uint8_t *data[HMAC_SHA_1_LANES];
    hmac_sha_1_lane lanes[HMAC_SHA_1_LANES];
} hmac_sha_1_side_by_side;

static void hmac_sha_1_set_state(hmac_sha_1_side_by_side *w, size_t i, const uint32_t *state)
{
    for (unsigned k = 0; k < 5; k++)
        w->states[k][i] = state[k];
}

/* Turns a lane whose run has ended to its next one. */
static void hmac_sha_1_next_run(hmac_sha_1_side_by_side *w, size_t i)
{
    hmac_sha_1_lane *l = &w->lanes[i];
    uint32_t state[5];
    for (unsigned k = 0; k < 5; k++)
        state[k] = w->states[k][i];
    switch (++l->run) {
    case HMAC_SHA_1_AT_END:
        l->nblocks = hmac_sha_1_end_of_text(l->text, l->last);
        break;
    case HMAC_SHA_1_OUTER:
        hmac_sha_1_outer_block(l->last, state);
        hmac_sha_1_set_state(w, i, l->text->pads->outer);
        l->nblocks = 1;
        break;
    default:
        hmac_sha_1_store_digest(l->text->digest, state);
        l->text = NULL;
        break;
    }
    w->data[i] = l->last;
    runnel_wipe(state, sizeof state);
}

static void hmac_sha_1_begin(hmac_sha_1_side_by_side *w, size_t i, runnel_hmac_sha_1_text *t)
{
    hmac_sha_1_lane *l = &w->lanes[i];
    l->text = t;
    l->run = HMAC_SHA_1_IN_DATA;
    l->nblocks = t->bytes / HMAC_SHA_1_BLOCK;
    w->data[i] = t->data;
    hmac_sha_1_set_state(w, i, t->pads->inner);
    if (l->nblocks == 0)
        hmac_sha_1_next_run(w, i);
}

/* All of a lane that is left, when too few others are. */
static void hmac_sha_1_finish_alone(hmac_sha_1_side_by_side *w, size_t i)
{
    hmac_sha_1_lane *l = &w->lanes[i];
    while (l->text != NULL) {
        uint32_t state[5];
        for (unsigned k = 0; k < 5; k++)
            state[k] = w->states[k][i];
        l->text->kernel->compress(state, w->data[i], l->nblocks);
        hmac_sha_1_set_state(w, i, state);
        runnel_wipe(state, sizeof state);
        hmac_sha_1_next_run(w, i);
    }
}

/* Fills empty lanes with texts from *taken on. Returns how many are at work, and in *nblocks what the shortest run has. */
static size_t hmac_sha_1_fill(hmac_sha_1_side_by_side *w, runnel_hmac_sha_1_text *texts, size_t count, size_t *taken,
                              size_t *nblocks)
{
    size_t n = 0, any = 0;
    *nblocks = SIZE_MAX;
    for (size_t i = 0; i < HMAC_SHA_1_LANES; i++) {
        if (w->lanes[i].text == NULL && *taken < count)
            hmac_sha_1_begin(w, i, &texts[(*taken)++]);
        if (w->lanes[i].text == NULL)
            continue;
        n++;
        any = i;
        if (w->lanes[i].nblocks < *nblocks)
            *nblocks = w->lanes[i].nblocks;
    }
    for (size_t i = 0; i < HMAC_SHA_1_LANES; i++)
        if (w->lanes[i].text == NULL)
            w->data[i] = w->data[any]; /* what comes of it is not used */
    return n;
}

static void hmac_sha_1_in_lanes(const runnel_hmac_sha_1_lanes *lanes, runnel_hmac_sha_1_text *texts, size_t count)
{
    hmac_sha_1_side_by_side w;
    size_t taken = 0, nblocks;
    memset(w.states, 0, sizeof w.states);
    for (size_t i = 0; i < HMAC_SHA_1_LANES; i++)
        w.lanes[i].text = NULL;
    while (hmac_sha_1_fill(&w, texts, count, &taken, &nblocks) >= lanes->worth) {
        lanes->compress(w.states, w.data, nblocks);
        for (size_t i = 0; i < HMAC_SHA_1_LANES; i++) {
            if (w.lanes[i].text == NULL)
                continue;
            w.lanes[i].nblocks -= nblocks;
            w.data[i] += nblocks * HMAC_SHA_1_BLOCK;
            if (w.lanes[i].nblocks == 0)
                hmac_sha_1_next_run(&w, i);
        }
    }
    for (size_t i = 0; i < HMAC_SHA_1_LANES; i++)
        hmac_sha_1_finish_alone(&w, i);
    runnel_wipe(&w, sizeof w);
}

void runnel_hmac_sha_1_texts(runnel_hmac_sha_1_text *texts, size_t count)
{
#if RUNNEL_X86_64
    const runnel_hmac_sha_1_lanes *const lanes = &runnel_hmac_sha_1_lanes_avx512;
    if (count >= lanes->worth && runnel_kernel_available(RUNNEL_HEAD_OF(lanes))) {
        hmac_sha_1_in_lanes(lanes, texts, count);
        return;
    }
#else
    (void)hmac_sha_1_in_lanes;
#endif
    for (size_t i = 0; i < count; i++)
        hmac_sha_1_alone(&texts[i]);
}

#endif
