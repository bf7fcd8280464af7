/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* CCM (SP 800-38C) over any cipher with blocks of 16 bytes. Its CBC-MAC is a chain, one block after another: several
 * messages at once are several chains side by side. */
#include "core/aead.h"

#include "arch/common/bytes.h"
#include "core/driver.h"

/* Bytes of text that are authenticated and then, from the cache, encrypted, or the other way round. */
enum { AT_ONCE = 4096 };

static int set_key(const runnel_aead *aead, runnel_aead_context *c, const uint8_t *key, const char *kernel)
{
    return runnel_aead_key_cipher(aead, c, key, aead->key_bytes, kernel);
}

/* The length of the longest message, which the length field limits. */
static uint64_t text_most(size_t nonce_bytes)
{
    const unsigned bits = (unsigned)(8 * (15 - nonce_bytes));
    return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

/* mac = E(mac XOR block) for each block. */
static void chain(runnel_stream *s, uint8_t *mac, const uint8_t *data, size_t nblocks)
{
#if RUNNEL_HOSTED
    if (s->kernel->block.chain != NULL && nblocks > 0) {
        s->kernel->block.chain(runnel_state_of(s), mac, data, nblocks);
        return;
    }
#endif
    for (; nblocks > 0; nblocks--, data += 16) {
        runnel_xor_bytes(mac, mac, data, 16);
        s->kernel->block.encrypt_blocks(runnel_state_of(s), mac, mac, 1);
    }
}

/* A partial block is XORed into the chain at once and encrypted when it is full. */
static void absorb(runnel_stream *s, runnel_ccm *m, const uint8_t *data, size_t bytes)
{
    if (m->filled > 0) {
        const size_t room = 16u - m->filled, n = bytes < room ? bytes : room;
        runnel_xor_bytes(m->mac + m->filled, m->mac + m->filled, data, n);
        m->filled = (uint8_t)(m->filled + n);
        if (m->filled < 16)
            return;
        s->kernel->block.encrypt_blocks(runnel_state_of(s), m->mac, m->mac, 1);
        data += n;
        bytes -= n;
    }
    chain(s, m->mac, data, bytes / 16);
    data += bytes / 16 * 16;
    m->filled = (uint8_t)(bytes % 16);
    runnel_xor_bytes(m->mac, m->mac, data, m->filled);
}

static void pad(runnel_stream *s, runnel_ccm *m)
{
    if (m->filled > 0)
        s->kernel->block.encrypt_blocks(runnel_state_of(s), m->mac, m->mac, 1);
    m->filled = 0;
}

/* Until the lengths are known, mac holds the start of the first block: the byte for the flags and the nonce. */
static void start(runnel_aead_context *c, const uint8_t *nonce, size_t nonce_bytes)
{
    runnel_ctr_head *s = runnel_aead_cipher(c);
    runnel_ccm *m = runnel_aead_part(c);
    const runnel_count blocks = runnel_ctr_blocks(RUNNEL_BE128);
    memset(m->mac, 0, sizeof m->mac);
    m->mac[0] = (uint8_t)(14 - nonce_bytes);
    memcpy(m->mac + 1, nonce, nonce_bytes);
    m->filled = 0;
    runnel_begin(&s->stream, m->mac, 16, RUNNEL_BE128, &blocks);
    runnel_aead_xor(&s->stream, m->mask, NULL, sizeof m->mask);
}

/* The first block, and the length of the associated data. */
static uint8_t first_blocks(uint8_t *first, uint64_t aad_bytes, uint64_t text_bytes, unsigned tag_bytes,
                            uint8_t length[10])
{
    const unsigned width = first[0] + 1u;
    first[0] = (uint8_t)((aad_bytes > 0 ? 0x40 : 0) | (tag_bytes - 2) / 2 << 3 | first[0]);
    for (unsigned i = 0; i < width; i++, text_bytes >>= 8)
        first[15 - i] = (uint8_t)text_bytes;
    if (aad_bytes < 0xff00) {
        length[0] = (uint8_t)(aad_bytes >> 8);
        length[1] = (uint8_t)aad_bytes;
        return 2;
    }
    length[0] = 0xff;
    if (aad_bytes <= UINT32_MAX) {
        length[1] = 0xfe;
        runnel_store32be(length + 2, (uint32_t)aad_bytes);
        return 6;
    }
    length[1] = 0xff;
    runnel_store64be(length + 2, aad_bytes);
    return 10;
}

static void lengths(runnel_aead_context *c)
{
    runnel_stream *s = &runnel_aead_cipher(c)->stream;
    runnel_ccm *m = runnel_aead_part(c);
    uint8_t length[10];
    const uint8_t bytes = first_blocks(m->mac, c->aad_total, c->text_total, c->tag_bytes, length);
    s->kernel->block.encrypt_blocks(runnel_state_of(s), m->mac, m->mac, 1);
    if (c->aad_total > 0)
        absorb(s, m, length, bytes);
}

static void aad(runnel_aead_context *c, const uint8_t *data, size_t bytes)
{
    absorb(&runnel_aead_cipher(c)->stream, runnel_aead_part(c), data, bytes);
}

static void text(runnel_aead_context *c)
{
    pad(&runnel_aead_cipher(c)->stream, runnel_aead_part(c));
}

static void crypt(runnel_aead_context *c, uint8_t *out, const uint8_t *in, size_t bytes, int decrypt)
{
    runnel_stream *s = &runnel_aead_cipher(c)->stream;
    runnel_ccm *m = runnel_aead_part(c);
    for (size_t n; bytes > 0; bytes -= n, in += n, out += n) {
        n = bytes < AT_ONCE ? bytes : AT_ONCE;
        if (!decrypt)
            absorb(s, m, in, n);
        runnel_aead_xor(s, out, in, n);
        if (decrypt)
            absorb(s, m, out, n);
    }
}

static void tag(runnel_aead_context *c, uint8_t *longest)
{
    runnel_ccm *m = runnel_aead_part(c);
    pad(&runnel_aead_cipher(c)->stream, m);
    runnel_xor_bytes(longest, m->mac, m->mask, sizeof m->mask);
}

#if RUNNEL_HOSTED
/* One chain of several. Its data are three parts, each padded with zeros to whole blocks. */
typedef struct one_chain {
    const runnel_aead_message *m;
    const uint8_t *data; /* of the current part */
    size_t bytes;        /* bytes of it left */
    uint8_t number;      /* of the message */
    uint8_t part;        /* 0: the start of the associated data, in first, 1: the rest of them, 2: the text */
    uint8_t first[16];   /* the length of the associated data, and their first bytes */
} one_chain;

/* Goes to the next part that is not empty; 0 if there is none. */
static int next_part(one_chain *o)
{
    while (o->bytes == 0) {
        if (++o->part == 1) {
            const size_t taken = 16 - (o->m->aad_bytes < 0xff00 ? 2 : o->m->aad_bytes <= UINT32_MAX ? 6 : 10);
            if (o->m->aad_bytes > taken) {
                o->data = o->m->aad + taken;
                o->bytes = o->m->aad_bytes - taken;
            }
        } else if (o->part == 2) {
            o->data = o->m->decrypt ? o->m->out : o->m->in;
            o->bytes = o->m->bytes;
        } else {
            return 0;
        }
    }
    return 1;
}

/* Runs all chains to their ends. They occupy the first `count` places; the last one takes the place of one that has
 * ended. */
static void run_chains(runnel_stream *s, one_chain *chains, uint8_t (*macs)[16], size_t count, uint8_t (*tags)[16])
{
    while (count > 0) {
        for (size_t i = 0; i < count; i++)
            while (i < count && !next_part(&chains[i])) {
                memcpy(tags[chains[i].number], macs[i], 16);
                count--;
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

/* XORs the text of one message with keystream and computes the mask of its tag. */
static void xor_text(runnel_stream *s, const runnel_aead_message *m, uint8_t *mask)
{
    const runnel_count blocks = runnel_ctr_blocks(RUNNEL_BE128);
    uint8_t first[16] = {(uint8_t)(14 - m->nonce_bytes)};
    memcpy(first + 1, m->nonce, m->nonce_bytes);
    runnel_begin(s, first, sizeof first, RUNNEL_BE128, &blocks);
    runnel_aead_xor(s, mask, NULL, 16);
    if (m->bytes > 0)
        runnel_aead_xor(s, m->out, m->in, m->bytes);
}

static void batch(runnel_aead_context *c, const runnel_aead_message *messages, uint8_t (*tags)[16], size_t count)
{
    runnel_stream *s = &runnel_aead_cipher(c)->stream;
    one_chain chains[RUNNEL_AEAD_BATCH];
    uint8_t macs[RUNNEL_AEAD_BATCH][16] = {{0}}, masks[RUNNEL_AEAD_BATCH][16];
    for (size_t i = 0; i < count; i++) {
        const runnel_aead_message *m = &messages[i];
        one_chain *o = &chains[i];
        uint8_t length[10];
        macs[i][0] = (uint8_t)(14 - m->nonce_bytes);
        memcpy(macs[i] + 1, m->nonce, m->nonce_bytes);
        const uint8_t before = first_blocks(macs[i], m->aad_bytes, m->bytes, m->tag_bytes, length);
        memset(o, 0, sizeof *o);
        o->m = m;
        o->number = (uint8_t)i;
        o->data = o->first;
        if (m->aad_bytes > 0) {
            const size_t room = 16u - before, n = m->aad_bytes < room ? m->aad_bytes : room;
            memcpy(o->first, length, before);
            memcpy(o->first + before, m->aad, n);
            o->bytes = 16;
        }
        if (m->decrypt)
            xor_text(s, m, masks[i]);
    }
    s->kernel->block.encrypt_blocks(runnel_state_of(s), macs[0], macs[0], count);
    run_chains(s, chains, macs, count, tags);
    for (size_t i = 0; i < count; i++) {
        if (!messages[i].decrypt)
            xor_text(s, &messages[i], masks[i]);
        runnel_xor_bytes(tags[i], tags[i], masks[i], 16);
    }
    runnel_wipe(macs, sizeof macs);
    runnel_wipe(masks, sizeof masks);
}
#endif

const runnel_aead_mode runnel_ccm_mode = {
    .key = set_key,
    .kernel = runnel_aead_kernel_of_cipher,
    .text_most = text_most,
    .start = start,
    .lengths = lengths,
    .aad = aad,
    .text = text,
    .crypt = crypt,
    .tag = tag,
#if RUNNEL_HOSTED
    .batch = batch,
#endif
};
