/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HMAC-SHA-1 of whole messages whose keys are at hand, one or many. A message is three runs of blocks: those that lie in
 * the data, one or two that its end and the padding make, and after a change of state the one around the inner digest. In
 * lanes each message is at its own place in these; whenever one has ended the next takes its lane. */
#include "arch/common/bytes.h"
#include "core/choose.h"
#include "kernels.h"

#if RUNNEL_HOSTED

enum { BLOCK = RUNNEL_SHA_1_BLOCK, DIGEST = RUNNEL_SHA_1_DIGEST, LANES = RUNNEL_HMAC_SHA_1_LANES };

/* Makes the blocks after those that lie in the data; returns how many. */
static size_t end_of_text(const runnel_hmac_sha_1_text *t, uint8_t *last)
{
    const size_t rest = t->bytes % BLOCK, used = rest + t->suffix_bytes, nblocks = used < BLOCK - 8 ? 1 : 2;
    memset(last, 0,
           2 * BLOCK); /* all of it: a number of bytes that the compiler knows takes less time than the right one */
    if (rest > 0)
        memcpy(last, t->data + t->bytes - rest, rest);
    if (t->suffix_bytes > 0)
        memcpy(last + rest, t->suffix, sizeof t->suffix);
    last[used] = 0x80;
    runnel_store64be_at_once(last + nblocks * BLOCK - 8, ((uint64_t)BLOCK + t->bytes + t->suffix_bytes) << 3);
    return nblocks;
}

static void store_digest(uint8_t *digest, const uint32_t *state)
{
    for (unsigned i = 0; i < 5; i++)
        runnel_store32be(digest + 4 * i, state[i]);
}

/* The block around the inner digest. */
static void outer_block(uint8_t *block, const uint32_t *state)
{
    memset(block, 0, BLOCK);
    store_digest(block, state);
    block[DIGEST] = 0x80;
    runnel_store64be_at_once(block + BLOCK - 8, (BLOCK + DIGEST) << 3);
}

static void alone(runnel_hmac_sha_1_text *t)
{
    uint32_t state[5];
    uint8_t last[2 * BLOCK];
    memcpy(state, t->pads->inner, sizeof state);
    if (t->bytes >= BLOCK)
        t->kernel->compress(state, t->data, t->bytes / BLOCK);
    t->kernel->compress(state, last, end_of_text(t, last));
    outer_block(last, state);
    memcpy(state, t->pads->outer, sizeof state);
    t->kernel->compress(state, last, 1);
    store_digest(t->digest, state);
    runnel_wipe(state, sizeof state);
    runnel_wipe(last, BLOCK);
}

/* ---- in lanes ---- */

enum { IN_DATA, AT_END, OUTER, DONE };

typedef struct lane {
    runnel_hmac_sha_1_text *text; /* NULL: repeats what another does */
    size_t nblocks;               /* of this run that remain */
    unsigned run;
    uint8_t last[2 * BLOCK];
} lane;

typedef struct side_by_side {
    uint32_t states[5][LANES];
    const uint8_t *data[LANES];
    lane lanes[LANES];
} side_by_side;

static void set_state(side_by_side *w, size_t i, const uint32_t *state)
{
    for (unsigned k = 0; k < 5; k++)
        w->states[k][i] = state[k];
}

/* Turns a lane whose run has ended to its next one. */
static void next_run(side_by_side *w, size_t i)
{
    lane *l = &w->lanes[i];
    uint32_t state[5];
    for (unsigned k = 0; k < 5; k++)
        state[k] = w->states[k][i];
    switch (++l->run) {
    case AT_END:
        l->nblocks = end_of_text(l->text, l->last);
        break;
    case OUTER:
        outer_block(l->last, state);
        set_state(w, i, l->text->pads->outer);
        l->nblocks = 1;
        break;
    default:
        store_digest(l->text->digest, state);
        l->text = NULL;
        break;
    }
    w->data[i] = l->last;
    runnel_wipe(state, sizeof state);
}

static void begin(side_by_side *w, size_t i, runnel_hmac_sha_1_text *t)
{
    lane *l = &w->lanes[i];
    l->text = t;
    l->run = IN_DATA;
    l->nblocks = t->bytes / BLOCK;
    w->data[i] = t->data;
    set_state(w, i, t->pads->inner);
    if (l->nblocks == 0)
        next_run(w, i);
}

/* All of a lane that is left, when too few others are. */
static void finish_alone(side_by_side *w, size_t i)
{
    lane *l = &w->lanes[i];
    while (l->text != NULL) {
        uint32_t state[5];
        for (unsigned k = 0; k < 5; k++)
            state[k] = w->states[k][i];
        l->text->kernel->compress(state, w->data[i], l->nblocks);
        set_state(w, i, state);
        runnel_wipe(state, sizeof state);
        next_run(w, i);
    }
}

/* Fills empty lanes with texts from *taken on. Returns how many are at work, and in *nblocks what the shortest run has. */
static size_t fill(side_by_side *w, runnel_hmac_sha_1_text *texts, size_t count, size_t *taken, size_t *nblocks)
{
    size_t n = 0, any = 0;
    *nblocks = SIZE_MAX;
    for (size_t i = 0; i < LANES; i++) {
        if (w->lanes[i].text == NULL && *taken < count)
            begin(w, i, &texts[(*taken)++]);
        if (w->lanes[i].text == NULL)
            continue;
        n++;
        any = i;
        if (w->lanes[i].nblocks < *nblocks)
            *nblocks = w->lanes[i].nblocks;
    }
    for (size_t i = 0; i < LANES; i++)
        if (w->lanes[i].text == NULL)
            w->data[i] = w->data[any]; /* what comes of it is not used */
    return n;
}

static void in_lanes(const runnel_hmac_sha_1_lanes *lanes, runnel_hmac_sha_1_text *texts, size_t count)
{
    side_by_side w;
    size_t taken = 0, nblocks;
    memset(w.states, 0, sizeof w.states);
    for (size_t i = 0; i < LANES; i++)
        w.lanes[i].text = NULL;
    while (fill(&w, texts, count, &taken, &nblocks) >= lanes->worth) {
        lanes->compress(w.states, w.data, nblocks);
        for (size_t i = 0; i < LANES; i++) {
            if (w.lanes[i].text == NULL)
                continue;
            w.lanes[i].nblocks -= nblocks;
            w.data[i] += nblocks * BLOCK;
            if (w.lanes[i].nblocks == 0)
                next_run(&w, i);
        }
    }
    for (size_t i = 0; i < LANES; i++)
        finish_alone(&w, i);
    runnel_wipe(&w, sizeof w);
}

void runnel_hmac_sha_1_texts(runnel_hmac_sha_1_text *texts, size_t count)
{
#if RUNNEL_X86_64
    const runnel_hmac_sha_1_lanes *const lanes = &runnel_hmac_sha_1_lanes_avx512;
    if (count >= lanes->worth && runnel_kernel_available(RUNNEL_HEAD_OF(lanes))) {
        in_lanes(lanes, texts, count);
        return;
    }
#else
    (void)in_lanes;
#endif
    for (size_t i = 0; i < count; i++)
        alone(&texts[i]);
}

#endif
