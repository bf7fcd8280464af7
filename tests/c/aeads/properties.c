/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Random messages, all ways against each other. */
#include "aeads.h"

enum { PACKETS = 40 };

static size_t random_nonce_bytes(void)
{
    if (random_below(3) > 0)
        return now->nonce_default;
    const size_t most = now->nonce_max == UINT16_MAX ? 100 : now->nonce_max;
    return now->nonce_min + random_below((uint32_t)(most - now->nonce_min + 1));
}

static size_t random_tag_bytes(void)
{
    for (;;) {
        const size_t n = random_below(RUNNEL_AEAD_TAG_MAX + 1);
        if (runnel_aead_takes_tag(now, n))
            return n;
    }
}

static size_t random_length(void)
{
    static const uint32_t most[] = {1, 20, 70, 300, 1100, 5000};
    return random_below(most[random_below(6)] + 1);
}

/* Ciphertext and tag by the portable kernel, in one call. */
static void seal_plainly(message *m)
{
    runnel_cpu_mask(0);
    runnel_aead_context *c = context(0);
    kernel_now = "the default without CPU features";
    CHECK(runnel_aead_key(now, c, m->key, now->key_bytes, NULL) == RUNNEL_OK);
    CHECK(runnel_aead_seal(c, m->nonce, m->nonce_bytes, m->aad, m->aad_bytes, m->sealed, m->text, m->bytes, m->tag,
                           m->tag_bytes) == RUNNEL_OK);
    runnel_cpu_mask(UINT32_MAX);
}

static void random_message(message *m)
{
    random_bytes(m->key, sizeof m->key);
    m->nonce_bytes = random_nonce_bytes();
    m->tag_bytes = random_tag_bytes();
    m->aad_bytes = random_below(2) ? random_below(30) : random_length();
    m->bytes = random_below(12) == 0 ? 9000 + random_below(9000) : random_length();
    random_bytes(m->nonce, m->nonce_bytes);
    random_bytes(m->aad, m->aad_bytes);
    random_bytes(m->text, m->bytes);
    seal_plainly(m);
}

/* A bit of anything that changes makes it another message; and so does a tag of another length, if it is short. */
static void check_forgeries(runnel_aead_context *c, const void *with)
{
    const message *m = with;
    uint8_t *const parts[] = {(uint8_t *)m->nonce, m->aad, m->sealed, (uint8_t *)m->tag};
    const size_t lengths[] = {m->nonce_bytes, m->aad_bytes, m->bytes, m->tag_bytes};
    for (int i = 0; i < 4; i++) {
        if (lengths[i] == 0)
            continue;
        uint8_t *byte = parts[i] + random_below((uint32_t)lengths[i]), bit = (uint8_t)(1 << random_below(8));
        *byte ^= bit;
        memset(scratch, 0xa5, m->bytes);
        CHECK(runnel_aead_open(c, m->nonce, m->nonce_bytes, m->aad, m->aad_bytes, scratch, m->sealed, m->bytes, m->tag,
                               m->tag_bytes) == RUNNEL_ERR_TAG);
        CHECK(all_zeros(scratch, m->bytes));
        *byte ^= bit;
    }
}

/* Many messages under one key: nonces that count, so that what kernels keep between messages is used. */
static void check_sequence(runnel_aead_context *c, const void *with)
{
    static message m = {.aad = buffer_aad, .text = buffer_text, .sealed = buffer_sealed};
    static uint8_t again[MOST];
    const message *base = with;
    m.nonce_bytes = now->nonce_default;
    random_bytes(m.nonce, m.nonce_bytes);
    for (int i = 0; i < 8; i++) {
        uint8_t tag[RUNNEL_AEAD_TAG_MAX], other_tag[RUNNEL_AEAD_TAG_MAX];
        m.nonce[m.nonce_bytes - 1 - (i % 4 == 3 ? m.nonce_bytes - 1 : 0)]++;
        m.bytes = i % 3 == 0 ? random_below(400) : i % 3 == 1 ? random_below(3000) : random_below(20000);
        CHECK(runnel_aead_seal(c, m.nonce, m.nonce_bytes, NULL, 0, scratch, base->text, m.bytes, tag,
                               now->tag_default) == RUNNEL_OK);
        const uint32_t mask = runnel_cpu();
        runnel_cpu_mask(0);
        runnel_aead_context *other = context(1);
        CHECK(runnel_aead_key(now, other, base->key, now->key_bytes, NULL) == RUNNEL_OK);
        CHECK(runnel_aead_seal(other, m.nonce, m.nonce_bytes, NULL, 0, again, base->text, m.bytes, other_tag,
                               now->tag_default) == RUNNEL_OK);
        runnel_cpu_mask(mask);
        CHECK(memcmp(scratch, again, m.bytes) == 0 && memcmp(tag, other_tag, now->tag_default) == 0);
        CHECK(runnel_aead_open(c, m.nonce, m.nonce_bytes, NULL, 0, scratch, scratch, m.bytes, tag, now->tag_default) ==
              RUNNEL_OK);
        CHECK(memcmp(scratch, base->text, m.bytes) == 0);
    }
}

/* Another key in the same context: nothing that was derived of the one before is left, not under the same nonce either. */
static void check_other_key(runnel_aead_context *c, const void *with)
{
    const message *m = with;
    uint8_t other[sizeof m->key], tags[2][RUNNEL_AEAD_TAG_MAX];
    memcpy(other, m->key, sizeof other);
    other[now->key_bytes - 1] ^= 1;
    CHECK(runnel_aead_seal(c, m->nonce, m->nonce_bytes, m->aad, m->aad_bytes, scratch, m->text, m->bytes, tags[0],
                           m->tag_bytes) == RUNNEL_OK);
    CHECK(runnel_aead_key(now, c, other, now->key_bytes, kernel_now) == RUNNEL_OK);
    runnel_aead_context *fresh = context(1);
    CHECK(runnel_aead_key(now, fresh, other, now->key_bytes, kernel_now) == RUNNEL_OK);
    runnel_aead_context *const both[] = {c, fresh};
    for (int i = 0; i < 2; i++)
        CHECK(runnel_aead_seal(both[i], m->nonce, m->nonce_bytes, m->aad, m->aad_bytes, scratch, m->text, m->bytes,
                               tags[i], m->tag_bytes) == RUNNEL_OK);
    CHECK(memcmp(tags[0], tags[1], m->tag_bytes) == 0);
}

/* What is kept from one nonce to the next belongs to all bytes that it was made of: each byte makes another message. */
static void check_nonce_bytes(runnel_aead_context *c, const void *with)
{
    const message *m = with;
    uint8_t nonce[sizeof m->nonce], tags[2][RUNNEL_AEAD_TAG_MAX];
    const size_t n = now->nonce_default, t = now->tag_default;
    random_bytes(nonce, n);
    for (size_t i = 0; i < n; i++) {
        CHECK(runnel_aead_seal(c, nonce, n, NULL, 0, scratch, m->text, 40, tags[0], t) == RUNNEL_OK);
        nonce[i] ^= 1;
        runnel_aead_context *fresh = context(1);
        CHECK(runnel_aead_key(now, fresh, m->key, now->key_bytes, kernel_now) == RUNNEL_OK);
        CHECK(runnel_aead_seal(c, nonce, n, NULL, 0, scratch, m->text, 40, tags[0], t) == RUNNEL_OK);
        CHECK(runnel_aead_seal(fresh, nonce, n, NULL, 0, scratch, m->text, 40, tags[1], t) == RUNNEL_OK);
        CHECK(memcmp(tags[0], tags[1], t) == 0);
    }
}

/* Seals messages around every number of blocks that kernels take at a time, each followed by its tag. Returns how many
 * bytes they have, together. */
static size_t seal_boundaries(runnel_aead_context *c, const message *m, uint8_t *out)
{
    static const int beside[] = {-17, -1, 0, 1, 16, -1};
    uint8_t nonce[64] = {0};
    const size_t t = now->tag_default;
    size_t used = 0;
    for (size_t around = 64; around <= 4096; around += around < 1024 ? 64 : 1024)
        for (int i = 0; i < 6; i++, used += t) {
            const size_t bytes = around + (size_t)beside[i];
            /* GCM's counter begins anywhere if the nonce is long. */
            const size_t n = i == 5 && runnel_aead_takes_nonce(now, 40) ? 40 : now->nonce_default;
            nonce[i]++;
            CHECK(runnel_aead_seal(c, nonce, n, m->aad, around / 64, out + used, m->text, bytes, out + used + bytes,
                                   t) == RUNNEL_OK);
            CHECK(runnel_aead_open(c, nonce, n, m->aad, around / 64, scratch, out + used, bytes, out + used + bytes,
                                   t) == RUNNEL_OK);
            CHECK(memcmp(scratch, m->text, bytes) == 0);
            used += bytes;
        }
    return used;
}

static uint8_t boundaries[MOST], other_boundaries[MOST];

static void check_boundaries(runnel_aead_context *c, const void *with)
{
    const size_t bytes = seal_boundaries(c, with, other_boundaries);
    CHECK(memcmp(boundaries, other_boundaries, bytes) == 0);
}

/* Packets of all lengths at once are what they are one by one; alike: with the usual nonces, and lengths close to each
 * other. */
static void check_batch_of(runnel_aead_context *c, const message *base, int alike)
{
    static runnel_aead_packet packets[PACKETS];
    static uint8_t tags[PACKETS][RUNNEL_AEAD_TAG_MAX], nonces[PACKETS][128], out[MOST], wrong[PACKETS];
    const size_t count = 1 + random_below(PACKETS), most = alike ? 1 + random_below(200) : 1600;
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        runnel_aead_packet *p = &packets[i];
        p->nonce_bytes = alike ? now->nonce_default : random_nonce_bytes();
        p->tag_bytes = random_tag_bytes();
        p->bytes = random_below(4) == 0 ? 0 : random_below(most);
        p->aad_bytes = random_below(3) == 0 ? 0 : random_below(60);
        p->nonce = nonces[i];
        p->tag = tags[i];
        p->aad = base->aad + random_below(50);
        p->in = base->text + random_below(3000);
        p->out = out + used;
        used += p->bytes;
        random_bytes(nonces[i], p->nonce_bytes);
    }
    CHECK(used <= sizeof out);
    CHECK(runnel_aead_seal_batch(c, packets, count) == RUNNEL_OK);
    int any = 0;
    for (size_t i = 0; i < count; i++) {
        runnel_aead_packet *p = &packets[i];
        uint8_t tag[RUNNEL_AEAD_TAG_MAX];
        CHECK(runnel_aead_seal(c, p->nonce, p->nonce_bytes, p->aad, p->aad_bytes, scratch, p->in, p->bytes, tag,
                               p->tag_bytes) == RUNNEL_OK);
        CHECK(memcmp(scratch, p->out, p->bytes) == 0 && memcmp(tag, p->tag, p->tag_bytes) == 0);
        wrong[i] = random_below(5) == 0;
        any |= wrong[i];
        tags[i][0] ^= wrong[i];
        p->in = p->out;
    }
    CHECK(runnel_aead_open_batch(c, packets, count) == (any ? RUNNEL_ERR_TAG : RUNNEL_OK));
    for (size_t i = 0; i < count; i++) {
        runnel_aead_packet *p = &packets[i];
        CHECK(p->result == (wrong[i] ? RUNNEL_ERR_TAG : RUNNEL_OK));
        tags[i][0] ^= wrong[i];
        if (wrong[i]) {
            CHECK(all_zeros(p->out, p->bytes));
            continue;
        }
        uint8_t tag[RUNNEL_AEAD_TAG_MAX]; /* sealed again, it is the same ciphertext */
        CHECK(runnel_aead_seal(c, p->nonce, p->nonce_bytes, p->aad, p->aad_bytes, scratch, p->out, p->bytes, tag,
                               p->tag_bytes) == RUNNEL_OK);
        CHECK(memcmp(tag, tags[i], p->tag_bytes) == 0);
    }
}

static void check_batch(runnel_aead_context *c, const void *with)
{
    check_batch_of(c, with, 0);
    for (int i = 0; i < 5; i++)
        check_batch_of(c, with, 1);
}

void properties(uint64_t seed, const char *only)
{
    static message m = {.aad = buffer_aad, .text = buffer_text, .sealed = buffer_sealed};
    const size_t count = runnel_aead_count();
    for (size_t i = 0; i < count; i++) {
        now = runnel_aead_at(i);
        CHECK(runnel_aead_find(now->name) == now);
        if (only != NULL && strcmp(only, now->name) != 0)
            continue;
        seed_random(seed + i);
        check_descriptor();
        check_errors();
        check_wipe();
        for (int round = 0; round < 4; round++) {
            random_message(&m);
            for_every_kernel(m.key, check_message, &m);
            for_every_kernel(m.key, check_forgeries, &m);
        }
        random_bytes(m.text, 30000);
        random_bytes(m.aad, 1000);
        if (now->multipart) {
            m.aad_bytes = 20;
            m.bytes = 5000;
            seal_plainly(&m);
            for_every_kernel(m.key, check_ahead, &m);
        }
        m.aad_bytes = 1000;
        for_every_kernel(m.key, check_batch, &m);
        for_every_kernel(m.key, check_sequence, &m);
        for_every_kernel(m.key, check_other_key, &m);
        for_every_kernel(m.key, check_nonce_bytes, &m);
        runnel_cpu_mask(0);
        runnel_aead_context *c = context(0);
        CHECK(runnel_aead_key(now, c, m.key, now->key_bytes, NULL) == RUNNEL_OK);
        CHECK(seal_boundaries(c, &m, boundaries) <= sizeof boundaries);
        for_every_kernel(m.key, check_boundaries, &m);
        printf("%s: ok\n", now->name);
    }
    if (runnel_aead_at(count) != NULL || runnel_aead_find("none") != NULL || runnel_aead_find(NULL) != NULL)
        exit(1);
}
