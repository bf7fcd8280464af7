/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One message in every way. */
#include "aeads.h"

static uint8_t other_aad[MOST + 64];

static void check_one_shot(runnel_aead_context *c, const message *m)
{
    uint8_t tag[RUNNEL_AEAD_TAG_MAX + 1], wrong[RUNNEL_AEAD_TAG_MAX];
    const size_t shift = random_below(16);
    uint8_t *out = scratch + shift;
    tag[m->tag_bytes] = 0xa5;
    memset(out, 0xa5, m->bytes + 1);
    CHECK(runnel_aead_seal(c, m->nonce, m->nonce_bytes, m->aad, m->aad_bytes, out, m->text, m->bytes, tag,
                           m->tag_bytes) == RUNNEL_OK);
    CHECK(memcmp(out, m->sealed, m->bytes) == 0 && memcmp(tag, m->tag, m->tag_bytes) == 0);
    CHECK(out[m->bytes] == 0xa5 && tag[m->tag_bytes] == 0xa5);
    /* elsewhere */
    memset(out, 0xa5, m->bytes + 1);
    CHECK(runnel_aead_open(c, m->nonce, m->nonce_bytes, m->aad, m->aad_bytes, out, m->sealed, m->bytes, tag,
                           m->tag_bytes) == RUNNEL_OK);
    CHECK(memcmp(out, m->text, m->bytes) == 0 && out[m->bytes] == 0xa5);
    memcpy(out, m->sealed, m->bytes);
    /* in place */
    CHECK(runnel_aead_open(c, m->nonce, m->nonce_bytes, m->aad, m->aad_bytes, out, out, m->bytes, tag, m->tag_bytes) ==
          RUNNEL_OK);
    CHECK(memcmp(out, m->text, m->bytes) == 0 && out[m->bytes] == 0xa5);
    CHECK(runnel_aead_seal(c, m->nonce, m->nonce_bytes, m->aad, m->aad_bytes, out, out, m->bytes, tag, m->tag_bytes) ==
          RUNNEL_OK);
    CHECK(memcmp(out, m->sealed, m->bytes) == 0 && memcmp(tag, m->tag, m->tag_bytes) == 0 && out[m->bytes] == 0xa5);
    /* one bit of the tag */
    memcpy(wrong, m->tag, m->tag_bytes);
    wrong[random_below((uint32_t)m->tag_bytes)] ^= (uint8_t)(1 << random_below(8));
    memset(out, 0xa5, m->bytes + 1);
    CHECK(runnel_aead_open(c, m->nonce, m->nonce_bytes, m->aad, m->aad_bytes, out, m->sealed, m->bytes, wrong,
                           m->tag_bytes) == RUNNEL_ERR_TAG);
    CHECK(all_zeros(out, m->bytes) && out[m->bytes] == 0xa5);
}

static const uint32_t piece_most[] = {1, 17, 40, 300, 2000, 5000};

/* 0 to `most` bytes of what is left, with most == 0 of any length. */
static size_t random_piece(size_t left, uint32_t most)
{
    const size_t n = random_below((most > 0 ? most : piece_most[random_below(6)]) + 1);
    return n < left ? n : left;
}

/* In pieces, from odd addresses, now and then by a copy of the context elsewhere. */
static void check_pieces(runnel_aead_context *first, const message *m, int decrypt)
{
    runnel_aead_context *c = first;
    uint8_t tag[RUNNEL_AEAD_TAG_MAX];
    uint8_t *out = scratch + random_below(16), *aad = other_aad + random_below(16);
    const uint8_t *in = decrypt ? m->sealed : m->text;
    memcpy(aad, m->aad, m->aad_bytes);
    memcpy(out, in, m->bytes);
    CHECK(runnel_aead_start(c, m->nonce, m->nonce_bytes, m->tag_bytes) == RUNNEL_OK);
    const int says = now->lengths_first || random_below(2);
    if (says)
        CHECK(runnel_aead_lengths(c, m->aad_bytes, m->bytes) == RUNNEL_OK);
    for (size_t at = 0, n; at < m->aad_bytes; at += n) {
        n = random_piece(m->aad_bytes - at, 0);
        CHECK(runnel_aead_aad(c, n > 0 ? aad + at : NULL, n) == RUNNEL_OK);
    }
    const int in_place = random_below(2) == 0;
    const uint32_t most = random_below(2) ? piece_most[1 + random_below(3)] : 0; /* all small, or of all sizes */
    for (size_t at = 0, n; at < m->bytes; at += n) {
        n = random_piece(m->bytes - at, most);
        const uint8_t *from = in_place ? out + at : in + at;
        CHECK((decrypt ? runnel_aead_decrypt : runnel_aead_encrypt)(c, out + at, from, n) == RUNNEL_OK);
        if (random_below(8) == 0) {
            runnel_aead_context *copy = c == first ? context(1) : first;
            memcpy(copy, c, now->context_bytes);
            c = copy;
        }
    }
    CHECK(memcmp(out, decrypt ? m->text : m->sealed, m->bytes) == 0);
    if (decrypt) {
        CHECK(runnel_aead_verify(c, m->tag, m->tag_bytes) == RUNNEL_OK);
    } else {
        CHECK(runnel_aead_tag(c, tag, m->tag_bytes) == RUNNEL_OK);
        CHECK(memcmp(tag, m->tag, m->tag_bytes) == 0);
    }
    if (c != first)
        memcpy(first, c, now->context_bytes);
}

static void check_wrong_pieces(runnel_aead_context *c, const message *m)
{
    uint8_t wrong[RUNNEL_AEAD_TAG_MAX];
    memcpy(wrong, m->tag, m->tag_bytes);
    wrong[random_below((uint32_t)m->tag_bytes)] ^= (uint8_t)(1 << random_below(8));
    CHECK(runnel_aead_start(c, m->nonce, m->nonce_bytes, m->tag_bytes) == RUNNEL_OK);
    CHECK(runnel_aead_lengths(c, m->aad_bytes, m->bytes) == RUNNEL_OK);
    CHECK(runnel_aead_aad(c, m->aad, m->aad_bytes) == RUNNEL_OK);
    CHECK(runnel_aead_decrypt(c, scratch, m->sealed, m->bytes) == RUNNEL_OK);
    CHECK(runnel_aead_verify(c, wrong, m->tag_bytes) == RUNNEL_ERR_TAG);
}

/* Its key is for one message, and gone with it. */
static void check_no_key_of_poly1305(const runnel_aead_context *c)
{
    if (strcmp(now->name, "chacha20-poly1305") == 0)
        CHECK(all_zeros((const uint8_t *)&((const runnel_chacha20_poly1305 *)(const void *)c)->mac,
                        sizeof(runnel_poly1305)));
}

/* Halves, which are long enough for kernels that make powers of a key. */
static void check_large_pieces(runnel_aead_context *c, const message *m)
{
    const size_t half = m->bytes / 2;
    uint8_t tag[RUNNEL_AEAD_TAG_MAX];
    CHECK(runnel_aead_start(c, m->nonce, m->nonce_bytes, m->tag_bytes) == RUNNEL_OK);
    CHECK(runnel_aead_aad(c, m->aad, m->aad_bytes) == RUNNEL_OK);
    CHECK(runnel_aead_encrypt(c, scratch, m->text, half) == RUNNEL_OK);
    CHECK(runnel_aead_encrypt(c, scratch + half, m->text + half, m->bytes - half) == RUNNEL_OK);
    CHECK(runnel_aead_tag(c, tag, m->tag_bytes) == RUNNEL_OK);
    CHECK(memcmp(scratch, m->sealed, m->bytes) == 0 && memcmp(tag, m->tag, m->tag_bytes) == 0);
}

/* A message that does not end, under another nonce, and then one in pieces. */
static void check_after_unfinished(runnel_aead_context *c, const message *m)
{
    uint8_t nonce[sizeof m->nonce];
    memcpy(nonce, m->nonce, m->nonce_bytes);
    nonce[0] ^= 1;
    CHECK(runnel_aead_start(c, nonce, m->nonce_bytes, m->tag_bytes) == RUNNEL_OK);
    CHECK(runnel_aead_encrypt(c, scratch, m->text, 1500) == RUNNEL_OK);
    check_large_pieces(c, m);
    check_no_key_of_poly1305(c);
}

static int is_in_context(const runnel_aead_context *c, const uint8_t *bytes, size_t count)
{
    return memmem(c, now->context_bytes, bytes, count) != NULL;
}

void check_ahead(runnel_aead_context *c, const void *with)
{
    const message *m = with;
    enum { PIECE = 20, USED = 700, UNUSED = 760, SOME = 24 };
    uint8_t keystream[SOME], other[SOME], tag[RUNNEL_AEAD_TAG_MAX];
    for (int i = 0; i < SOME; i++)
        keystream[i] = m->text[UNUSED + i] ^ m->sealed[UNUSED + i];
    for (int way = 0; way < 3; way++) {
        CHECK(runnel_aead_start(c, m->nonce, m->nonce_bytes, m->tag_bytes) == RUNNEL_OK);
        if (now->lengths_first)
            CHECK(runnel_aead_lengths(c, m->aad_bytes, way == 0 ? USED : m->bytes) == RUNNEL_OK);
        CHECK(runnel_aead_aad(c, m->aad, m->aad_bytes) == RUNNEL_OK);
        for (size_t at = 0; at < USED; at += PIECE)
            CHECK(runnel_aead_encrypt(c, scratch + at, m->text + at, PIECE) == RUNNEL_OK);
        CHECK(memcmp(scratch, m->sealed, USED) == 0);
        if (now->ahead_offset != 0)
            CHECK(is_in_context(c, keystream, SOME));
        if (way == 0) {
            CHECK(runnel_aead_tag(c, tag, m->tag_bytes) == RUNNEL_OK);
            check_no_key_of_poly1305(c);
        } else if (way == 1) {
            CHECK(runnel_aead_start(c, m->nonce, m->nonce_bytes, m->tag_bytes) == RUNNEL_OK);
            if (now->ahead_offset != 0)
                CHECK(runnel_aead_encrypt(c, other, m->text, SOME) == RUNNEL_OK &&
                      runnel_aead_encrypt(c, other, m->text + SOME, SOME) == RUNNEL_OK &&
                      memcmp(other, m->sealed + SOME, SOME) == 0);
        } else {
            CHECK(runnel_aead_key(now, c, m->key, now->key_bytes, kernel_now) == RUNNEL_OK);
        }
        CHECK(!is_in_context(c, keystream, SOME));
    }
    if (!now->lengths_first)
        check_after_unfinished(c, m);
    memset(c, 0xa5, now->context_bytes); /* and what lay in the context's memory before the key does not count */
    CHECK(runnel_aead_key(now, c, m->key, now->key_bytes, kernel_now) == RUNNEL_OK);
    check_pieces(c, m, 0);
}

void check_message(runnel_aead_context *c, const void *with)
{
    const message *m = with;
    check_one_shot(c, m);
    if (now->multipart) {
        check_pieces(c, m, 0);
        check_pieces(c, m, 1);
        check_wrong_pieces(c, m);
    } else {
        CHECK(runnel_aead_start(c, m->nonce, m->nonce_bytes, m->tag_bytes) == RUNNEL_ERR_ONE_SHOT);
    }
    runnel_aead_packet packets[3];
    uint8_t *out = scratch, tags[3][RUNNEL_AEAD_TAG_MAX];
    if (m->bytes > MOST / 3)
        return;
    for (int i = 0; i < 3; i++) {
        packets[i] = (runnel_aead_packet){m->nonce,       m->aad,       m->text,  out,          tags[i],
                                          m->nonce_bytes, m->aad_bytes, m->bytes, m->tag_bytes, 1};
        out += m->bytes;
    }
    CHECK(runnel_aead_seal_batch(c, packets, 3) == RUNNEL_OK);
    for (int i = 0; i < 3; i++) {
        CHECK(memcmp(packets[i].out, m->sealed, m->bytes) == 0 && memcmp(tags[i], m->tag, m->tag_bytes) == 0);
        CHECK(packets[i].result == RUNNEL_OK);
        packets[i].in = packets[i].out;
    }
    tags[1][0] ^= 1;
    CHECK(runnel_aead_open_batch(c, packets, 3) == RUNNEL_ERR_TAG);
    CHECK(memcmp(packets[0].out, m->text, m->bytes) == 0 && packets[0].result == RUNNEL_OK);
    CHECK(all_zeros(packets[1].out, m->bytes) && packets[1].result == RUNNEL_ERR_TAG);
    CHECK(memcmp(packets[2].out, m->text, m->bytes) == 0 && packets[2].result == RUNNEL_OK);
}
