/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Several messages of CCM at once: their chains side by side. Associated data by raw blocks, the text by a kernel's code
 * for lanes if it has any. */
#include "mode.h"

#include "arch/common/bytes.h"
#include "core/driver.h"
#include "modes/fused.h"

#if RUNNEL_HOSTED
/* From so many messages on the kernel's lanes, of which the others idle, take less time than one after another. */
#define WORTH_LANES 3
/* The number of blocks that idle lanes write at a time. */
#define IDLE_BLOCKS 16

/* One chain of several. Its data are three parts, each padded with zeros to whole blocks. */
typedef struct ccm_one_chain {
    const runnel_aead_message *m;
    const uint8_t *data; /* of the current part */
    size_t bytes;        /* bytes of it left */
    uint8_t number;      /* of the message */
    uint8_t part;        /* 0: the start of the associated data, in first, 1: the rest of them, 2: the text */
    uint8_t parts;       /* 2: the text is chained elsewhere */
    uint8_t first[16];   /* the length of the associated data, and their first bytes */
} ccm_one_chain;

/* Goes to the next part that is not empty; 0 if there is none. */
static int ccm_next_part(ccm_one_chain *o)
{
    while (o->bytes == 0) {
        if (++o->part == o->parts) {
            return 0;
        } else if (o->part == 1) {
            const size_t taken = 16 - (o->m->aad_bytes < 0xff00 ? 2 : o->m->aad_bytes <= UINT32_MAX ? 6 : 10);
            if (o->m->aad_bytes > taken) {
                o->data = o->m->aad + taken;
                o->bytes = o->m->aad_bytes - taken;
            }
        } else {
            o->data = o->m->decrypt ? o->m->out : o->m->in;
            o->bytes = o->m->bytes;
        }
    }
    return 1;
}

/* Runs all chains to their ends. They occupy the first `count` places; the last one takes the place of one that has
 * ended. */
static void ccm_run_chains(runnel_stream *s, ccm_one_chain *chains, uint8_t (*macs)[16], size_t count,
                           uint8_t (*tags)[16])
{
    while (count > 0) {
        for (size_t i = 0; i < count; i++)
            while (i < count && !ccm_next_part(&chains[i])) {
                memcpy(tags[chains[i].number], macs[i], 16);
                if (i == --count)
                    break;
                memcpy(&chains[i], &chains[count], sizeof chains[i]);
                memcpy(macs[i], macs[count], 16);
                if (chains[i].part == 0 && chains[i].data == chains[count].first)
                    chains[i].data = chains[i].first;
            }
        if (count == 0)
            return;
        size_t steps = SIZE_MAX; /* whole blocks that the current parts of all chains have */
        for (size_t i = 0; i < count; i++)
            if (chains[i].bytes / 16 < steps)
                steps = chains[i].bytes / 16;
        for (size_t step = 0; step < steps; step++) {
            for (size_t i = 0; i < count; i++)
                runnel_xor_bytes(macs[i], macs[i], chains[i].data + 16 * step, 16);
            s->kernel->block.encrypt_blocks(runnel_state_of(s), macs[0], macs[0], count);
        }
        for (size_t i = 0; i < count; i++) {
            chains[i].data += 16 * steps;
            chains[i].bytes -= 16 * steps;
        }
        if (steps > 0)
            continue;
        for (size_t i = 0; i < count; i++) {
            const size_t n = chains[i].bytes < 16 ? chains[i].bytes : 16;
            runnel_xor_bytes(macs[i], macs[i], chains[i].data, n);
            chains[i].data += n;
            chains[i].bytes -= n;
        }
        s->kernel->block.encrypt_blocks(runnel_state_of(s), macs[0], macs[0], count);
    }
}

/* XORs the text of one message with keystream. */
static void ccm_xor_text(runnel_stream *s, const runnel_aead_message *m)
{
    const runnel_count blocks = runnel_counter_period(RUNNEL_BE128);
    uint8_t first[16];
    runnel_ccm_counter_block(first, m, 0);
    runnel_begin(s, first, sizeof first, RUNNEL_BE128, &blocks);
    s->block = 1;
    if (m->bytes > 0)
        runnel_aead_xor(s, m->out, m->in, m->bytes);
}

/* The messages in the lanes, the first `used` of them. */
typedef struct ccm_busy_lanes {
    runnel_ccm_lanes l;
    size_t left[RUNNEL_CCM_LANES]; /* whole blocks of the message */
    uint8_t number[RUNNEL_CCM_LANES];
    size_t used;
    uint8_t unused[16 * IDLE_BLOCKS]; /* what idle lanes write */
} ccm_busy_lanes;

static void ccm_start_lane(ccm_busy_lanes *b, const runnel_aead_message *m, const uint8_t *mac, uint8_t number)
{
    const size_t i = b->used++;
    memcpy(b->l.macs[i], mac, 16);
    runnel_ccm_counter_block(b->l.counters[i], m, 1);
    b->l.in[i] = m->in;
    b->l.out[i] = m->out;
    b->left[i] = m->bytes / 16;
    b->number[i] = number;
}

/* Moves the last used lane into the place of one that has finished. */
static void ccm_leave_lane(ccm_busy_lanes *b, size_t i)
{
    const size_t last = --b->used;
    if (i == last)
        return;
    memcpy(b->l.macs[i], b->l.macs[last], 16);
    memcpy(b->l.counters[i], b->l.counters[last], 16);
    b->l.in[i] = b->l.in[last];
    b->l.out[i] = b->l.out[last];
    b->left[i] = b->left[last];
    b->number[i] = b->number[last];
}

/* As many blocks as all messages in lanes have. */
static void ccm_step_lanes(const runnel_stream *s, const void *state, ccm_busy_lanes *b, uint8_t (*macs)[16],
                           int decrypt)
{
    size_t steps = b->used < RUNNEL_CCM_LANES ? IDLE_BLOCKS : SIZE_MAX;
    for (size_t i = 0; i < b->used; i++)
        if (b->left[i] < steps)
            steps = b->left[i];
    for (size_t i = b->used; i < RUNNEL_CCM_LANES; i++) {
        b->l.in[i] = b->l.in[0];
        b->l.out[i] = b->unused;
    }
    runnel_fused_of(s->kernel)->ccm_lanes(state, &b->l, steps, decrypt);
    for (size_t i = 0; i < b->used;) {
        b->l.in[i] += 16 * steps;
        b->l.out[i] += 16 * steps;
        b->left[i] -= steps;
        if (b->left[i] > 0) {
            i++;
        } else {
            memcpy(macs[b->number[i]], b->l.macs[i], 16);
            ccm_leave_lane(b, i);
        }
    }
}

/* The last blocks of messages that do not end with a whole one. */
static void ccm_crypt_tails(runnel_stream *s, const runnel_aead_message *messages, uint8_t (*macs)[16], size_t count)
{
    uint8_t blocks[RUNNEL_AEAD_BATCH][16], number[RUNNEL_AEAD_BATCH];
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (messages[i].bytes % 16 > 0) {
            runnel_ccm_counter_block(blocks[n], &messages[i], 1 + messages[i].bytes / 16);
            number[n++] = (uint8_t)i;
        }
    if (n == 0)
        return;
    s->kernel->block.encrypt_blocks(runnel_state_of(s), blocks[0], blocks[0], n);
    for (size_t i = 0; i < n; i++) {
        const runnel_aead_message *m = &messages[number[i]];
        const size_t tail = m->bytes % 16, at = m->bytes - tail;
        uint8_t *mac = macs[number[i]];
        if (!m->decrypt)
            runnel_xor_bytes(mac, mac, m->in + at, tail);
        runnel_xor_bytes(m->out + at, m->in + at, blocks[i], tail);
        if (m->decrypt)
            runnel_xor_bytes(mac, mac, m->out + at, tail);
        memcpy(blocks[i], mac, 16);
    }
    s->kernel->block.encrypt_blocks(runnel_state_of(s), blocks[0], blocks[0], n);
    for (size_t i = 0; i < n; i++)
        memcpy(macs[number[i]], blocks[i], 16);
    runnel_wipe(blocks, sizeof blocks);
}

/* Completes a message that is in no lane, or not worth one. */
static void ccm_crypt_alone(runnel_stream *s, const runnel_aead_message *m, uint8_t *mac, size_t left)
{
    const size_t done = m->bytes / 16 - left;
    uint8_t first[16];
    runnel_ccm_counter_block(first, m, 0);
    runnel_ccm_crypt_blocks(s, mac, first, 1 + (uint64_t)done, m->out + 16 * done, m->in + 16 * done, left, m->decrypt);
}

/* Encrypts or decrypts all texts and takes them into the chains, by lanes. */
static void ccm_crypt_texts(runnel_stream *s, const runnel_aead_message *messages, uint8_t (*macs)[16], size_t count)
{
    const int decrypt = messages[0].decrypt;
    ccm_busy_lanes b;
    memset(&b, 0, sizeof b);
    for (size_t next = 0;;) {
        for (; next < count && b.used < RUNNEL_CCM_LANES; next++) {
            const size_t nblocks = messages[next].bytes / 16;
            if (nblocks >= UINT32_MAX) /* the counters of lanes do not wrap */
                ccm_crypt_alone(s, &messages[next], macs[next], nblocks);
            else if (nblocks > 0)
                ccm_start_lane(&b, &messages[next], macs[next], (uint8_t)next);
        }
        if (b.used < WORTH_LANES)
            break;
        ccm_step_lanes(s, runnel_state_of(s), &b, macs, decrypt);
    }
    for (size_t i = 0; i < b.used; i++) {
        memcpy(macs[b.number[i]], b.l.macs[i], 16);
        ccm_crypt_alone(s, &messages[b.number[i]], macs[b.number[i]], b.left[i]);
    }
    ccm_crypt_tails(s, messages, macs, count);
    runnel_wipe(&b, sizeof b);
}

void runnel_ccm_batch(runnel_aead_context *c, const runnel_aead_message *messages,
                      uint8_t (*tags)[RUNNEL_AEAD_LONGEST_TAG], size_t count)
{
    runnel_stream *s = &runnel_aead_cipher(c)->stream;
    const int in_lanes = runnel_fused_of(s->kernel)->ccm_lanes != NULL;
    ccm_one_chain chains[RUNNEL_AEAD_BATCH];
    uint8_t blocks[2 * RUNNEL_AEAD_BATCH][16], (*macs)[16] = blocks, (*masks)[16] = blocks + RUNNEL_AEAD_BATCH;
    uint8_t sums[RUNNEL_AEAD_BATCH][16]; /* that the tags are made of */
    memset(blocks, 0, sizeof blocks);
    for (size_t i = 0; i < count; i++) {
        const runnel_aead_message *m = &messages[i];
        ccm_one_chain *o = &chains[i];
        uint8_t length[10];
        runnel_ccm_counter_block(masks[i], m, 0);
        runnel_ccm_counter_block(macs[i], m, 0);
        const uint8_t before = runnel_ccm_first_blocks(macs[i], m->aad_bytes, m->bytes, m->tag_bytes, length);
        memset(o, 0, sizeof *o);
        o->m = m;
        o->number = (uint8_t)i;
        o->parts = in_lanes ? 2 : 3;
        o->data = o->first;
        if (m->aad_bytes > 0) {
            const size_t room = 16u - before, n = m->aad_bytes < room ? m->aad_bytes : room;
            memcpy(o->first, length, before);
            memcpy(o->first + before, m->aad, n);
            o->bytes = 16;
        }
        if (m->decrypt && !in_lanes)
            ccm_xor_text(s, m);
    }
    s->kernel->block.encrypt_blocks(runnel_state_of(s), macs[0], macs[0], count);
    s->kernel->block.encrypt_blocks(runnel_state_of(s), masks[0], masks[0], count);
    ccm_run_chains(s, chains, macs, count, sums);
    if (in_lanes)
        ccm_crypt_texts(s, messages, sums, count);
    for (size_t i = 0; i < count; i++) {
        if (!messages[i].decrypt && !in_lanes)
            ccm_xor_text(s, &messages[i]);
        runnel_xor_bytes(tags[i], sums[i], masks[i], 16);
    }
    runnel_wipe(blocks, sizeof blocks);
    runnel_wipe(sums, sizeof sums);
}
#endif
