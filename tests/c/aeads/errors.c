/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Refused calls, which change nothing; limits, wiping, descriptors. */
#include "aeads.h"

#include "modes/ccm/mode.h"

#define UNCHANGED(call, error)                                                                                         \
    do {                                                                                                               \
        CHECK((call) == (error));                                                                                      \
        CHECK(memcmp(before, c, now->context_bytes) == 0);                                                             \
        CHECK(out[0] == 0xa5 && out[47] == 0xa5 && tag[0] == 0xa5);                                                    \
    } while (0)

/* Output that shares bytes with what is read or written beside it is refused, from the first byte that both have on; output
 * in place of its input is not, nor what ends where the output begins. The lengths are those of usual messages, for which
 * there is a quick check. */
static void check_overlaps(runnel_aead_context *c)
{
    enum { BYTES = 48, AAD = 32, ROOM = 128, IN = 0, BESIDE, TAG, NONCE };
    static uint8_t arena[2 * ROOM + BYTES], apart[4][ROOM], kept[sizeof arena], before[CONTEXT];
    const size_t n = now->nonce_default, t = now->tag_default;
    const size_t lengths[] = {BYTES, AAD, t, n};
    uint8_t *const out = arena + ROOM;
    for (int which = IN; which <= NONCE; which++)
        for (ptrdiff_t at = -(ptrdiff_t)lengths[which]; lengths[which] > 0 && at <= BYTES; at++)
            for (int how = 0; how < 4; how++) {
                const int open = how & 1, in_place = how >> 1;
                uint8_t *place[4] = {in_place ? out : apart[IN], apart[BESIDE], apart[TAG], apart[NONCE]};
                place[which] = out + at;
                const int overlaps = at > -(ptrdiff_t)lengths[which] && at < BYTES && (which != IN || at != 0);
                memset(place[TAG], 0x5a, t); /* which opens nothing */
                memcpy(kept, arena, sizeof arena);
                memcpy(before, c, now->context_bytes);
                const int result = open ? runnel_aead_open(c, place[NONCE], n, place[BESIDE], AAD, out, place[IN],
                                                           BYTES, place[TAG], t)
                                        : runnel_aead_seal(c, place[NONCE], n, place[BESIDE], AAD, out, place[IN],
                                                           BYTES, place[TAG], t);
                CHECK(result == (overlaps ? RUNNEL_ERR_OVERLAP : open ? RUNNEL_ERR_TAG : RUNNEL_OK));
                if (overlaps)
                    CHECK(memcmp(kept, arena, sizeof arena) == 0 && memcmp(before, c, now->context_bytes) == 0);
            }
    CHECK(runnel_aead_seal(c, apart[NONCE], n, out, AAD, out, out, 0, apart[TAG], t) == RUNNEL_OK); /* no byte */
}

/* How CCM codes the length of associated data, also of more than memory holds (RFC 3610, 2.2). */
static void check_ccm_lengths(void)
{
    static const struct {
        uint64_t bytes;
        uint8_t taken, coded[10];
    } cases[] = {
        {1, 2, {0, 1}},
        {0xfeff, 2, {0xfe, 0xff}},
        {0xff00, 6, {0xff, 0xfe, 0, 0, 0xff, 0}},
        {0xffffffff, 6, {0xff, 0xfe, 0xff, 0xff, 0xff, 0xff}},
        {0x100000000, 10, {0xff, 0xff, 0, 0, 0, 1, 0, 0, 0, 0}},
        {0x0123456789abcdef, 10, {0xff, 0xff, 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t first[16] = {1, 2}, coded[12] = {0};
        const uint8_t taken = runnel_ccm_first_blocks(first, cases[i].bytes, 0x1234, 8, coded + 1);
        CHECK(taken == cases[i].taken && memcmp(coded + 1, cases[i].coded, taken) == 0 && coded[0] == 0);
        CHECK(first[0] == (0x40 | 3 << 3 | 1) && first[1] == 2 && first[14] == 0x12 && first[15] == 0x34);
    }
}

void check_errors(void)
{
    static uint8_t before[CONTEXT];
    uint8_t key[64] = {1}, nonce[128] = {2}, aad[32] = {3}, in[64] = {4}, out[64], tag[RUNNEL_AEAD_TAG_MAX + 1],
            other_tag[RUNNEL_AEAD_TAG_MAX];
    const size_t n = now->nonce_default, t = now->tag_default;
    runnel_aead_context *c = context(0), *const none = NULL;
    kernel_now = NULL;
    memset(out, 0xa5, sizeof out);
    memset(tag, 0xa5, sizeof tag);
    memcpy(before, c, now->context_bytes);
    UNCHANGED(runnel_aead_seal(c, nonce, n, aad, 32, out, in, 48, tag, t), RUNNEL_ERR_STATE);
    UNCHANGED(runnel_aead_open(c, nonce, n, aad, 32, out, in, 48, tag, t), RUNNEL_ERR_STATE);
    UNCHANGED(runnel_aead_start(c, nonce, n, t), RUNNEL_ERR_STATE);
    UNCHANGED(runnel_aead_lengths(c, 0, 0), RUNNEL_ERR_STATE);
    UNCHANGED(runnel_aead_encrypt(c, out, in, 48), RUNNEL_ERR_STATE);
    UNCHANGED(runnel_aead_seal_batch(c, NULL, 0), RUNNEL_ERR_STATE);
    UNCHANGED(runnel_aead_key(now, c, NULL, now->key_bytes, NULL), RUNNEL_ERR_NULL);
    UNCHANGED(runnel_aead_key(now, none, key, now->key_bytes, NULL), RUNNEL_ERR_NULL);
    UNCHANGED(runnel_aead_key(NULL, c, key, now->key_bytes, NULL), RUNNEL_ERR_NULL);
    UNCHANGED(runnel_aead_key(now, c, key, now->key_bytes - 1u, NULL), RUNNEL_ERR_KEY_LENGTH);
    UNCHANGED(runnel_aead_key(now, c, key, now->key_bytes, "none"), RUNNEL_ERR_KERNEL);
    CHECK(runnel_aead_key(now, c, key, now->key_bytes, NULL) == RUNNEL_OK);
    memcpy(before, c, now->context_bytes);
    UNCHANGED(runnel_aead_seal(none, nonce, n, aad, 32, out, in, 48, tag, t), RUNNEL_ERR_NULL);
    UNCHANGED(runnel_aead_seal(c, NULL, n, aad, 32, out, in, 48, tag, t), RUNNEL_ERR_NULL);
    UNCHANGED(runnel_aead_seal(c, nonce, n, NULL, 32, out, in, 48, tag, t), RUNNEL_ERR_NULL);
    UNCHANGED(runnel_aead_seal(c, nonce, n, NULL, 1, out, in, 48, tag, t), RUNNEL_ERR_NULL);
    UNCHANGED(runnel_aead_seal(c, nonce, n, aad, 32, NULL, in, 48, tag, t), RUNNEL_ERR_NULL);
    UNCHANGED(runnel_aead_seal(c, nonce, n, aad, 32, out, NULL, 48, tag, t), RUNNEL_ERR_NULL);
    UNCHANGED(runnel_aead_seal(c, nonce, n, aad, 32, out, in, 48, NULL, t), RUNNEL_ERR_NULL);
    UNCHANGED(runnel_aead_open(c, nonce, n, aad, 32, out, in, 48, NULL, t), RUNNEL_ERR_NULL);
    if (now->nonce_min > 0)
        UNCHANGED(runnel_aead_seal(c, nonce, now->nonce_min - 1u, aad, 32, out, in, 48, tag, t), RUNNEL_ERR_IV_LENGTH);
    if (now->nonce_max != UINT16_MAX) {
        UNCHANGED(runnel_aead_seal(c, nonce, now->nonce_max + 1u, aad, 32, out, in, 48, tag, t), RUNNEL_ERR_IV_LENGTH);
        if (now->multipart)
            UNCHANGED(runnel_aead_start(c, nonce, now->nonce_max + 1u, t), RUNNEL_ERR_IV_LENGTH);
    }
    for (size_t i = 0; i <= RUNNEL_AEAD_TAG_MAX + 1; i++)
        if (!runnel_aead_takes_tag(now, i)) {
            UNCHANGED(runnel_aead_seal(c, nonce, n, aad, 32, out, in, 48, tag, i), RUNNEL_ERR_TAG_LENGTH);
            UNCHANGED(runnel_aead_open(c, nonce, n, aad, 32, out, in, 48, tag, i), RUNNEL_ERR_TAG_LENGTH);
        }
    UNCHANGED(runnel_aead_seal(c, nonce, n, aad, 32, out, out + 1, 48, tag, t), RUNNEL_ERR_OVERLAP);
    UNCHANGED(runnel_aead_seal(c, nonce, n, out + 8, 32, out, in, 48, tag, t), RUNNEL_ERR_OVERLAP);
    UNCHANGED(runnel_aead_seal(c, nonce, n, aad, 32, out, in, 48, out + 40, t), RUNNEL_ERR_OVERLAP);
    UNCHANGED(runnel_aead_open(c, nonce, n, aad, 32, out, in, 48, out + 47, t), RUNNEL_ERR_OVERLAP);
    if (n > 0) {
        UNCHANGED(runnel_aead_seal(c, out + 47, n, aad, 32, out, in, 48, tag, t), RUNNEL_ERR_OVERLAP);
        UNCHANGED(runnel_aead_open(c, nonce, n, aad, 32, nonce + n - 1, in, 48, tag, t), RUNNEL_ERR_OVERLAP);
    }
    if (now->lengths_first)
        check_ccm_lengths();
    check_overlaps(c);
    memcpy(before, c, now->context_bytes);
    const uint64_t most = runnel_aead_plaintext_max(now, n);
    CHECK(most <= now->plaintext_max);
    if (most <
        SIZE_MAX / 2) { /* only looked at, not read; once with all else before the text, so that nothing overlaps */
        static uint8_t row[4][128];
        UNCHANGED(runnel_aead_seal(c, nonce, n, aad, 32, out, out, (size_t)most + 1, tag, t), RUNNEL_ERR_LIMIT);
        UNCHANGED(runnel_aead_seal(c, row[0], n, row[1], 32, row[3], row[3], (size_t)most + 1, row[2], t),
                  RUNNEL_ERR_LIMIT);
    }
    if (now->aad_max < SIZE_MAX / 2)
        UNCHANGED(runnel_aead_seal(c, nonce, n, aad, (size_t)now->aad_max + 1, out, in, 48, tag, t), RUNNEL_ERR_LIMIT);
    const uint64_t shortest = runnel_aead_plaintext_max(now, now->nonce_max); /* of CCM 65,535 */
    CHECK(now->nonce_max != 13 || shortest == 65535);
    if (shortest < MOST) {
        UNCHANGED(runnel_aead_seal(c, nonce, now->nonce_max, aad, 32, out, out, (size_t)shortest + 1, tag, t),
                  RUNNEL_ERR_LIMIT);
        CHECK(runnel_aead_seal(c, nonce, now->nonce_max, NULL, 0, scratch, buffer_text, (size_t)shortest, other_tag,
                               t) == RUNNEL_OK);
        memcpy(before, c, now->context_bytes);
    }
    runnel_aead_packet packets[2] = {{nonce, aad, in, out, tag, n, 32, 24, t, 77},
                                     {nonce, aad, in, out + 24, tag, n, 32, 24, 0, 77}};
    UNCHANGED(runnel_aead_seal_batch(c, packets, 2), RUNNEL_ERR_TAG_LENGTH);
    UNCHANGED(runnel_aead_open_batch(c, packets, 2), RUNNEL_ERR_TAG_LENGTH);
    CHECK(packets[0].result == 77 && packets[1].result == 77);
    if (n > 0) {
        packets[1].tag_bytes = t;
        packets[1].nonce = out + 25;
        UNCHANGED(runnel_aead_seal_batch(c, packets, 2), RUNNEL_ERR_OVERLAP);
        UNCHANGED(runnel_aead_open_batch(c, packets, 2), RUNNEL_ERR_OVERLAP);
    }
    UNCHANGED(runnel_aead_seal_batch(c, NULL, 1), RUNNEL_ERR_NULL);
    UNCHANGED(runnel_aead_seal_batch(c, NULL, 0), RUNNEL_OK);

    if (!now->multipart)
        return;
    UNCHANGED(runnel_aead_aad(c, aad, 1), RUNNEL_ERR_STATE);
    UNCHANGED(runnel_aead_tag(c, tag, t), RUNNEL_ERR_STATE);
    CHECK(runnel_aead_start(c, nonce, n, t) == RUNNEL_OK);
    if (now->lengths_first) {
        memcpy(before, c, now->context_bytes);
        UNCHANGED(runnel_aead_aad(c, aad, 1), RUNNEL_ERR_STATE);
        UNCHANGED(runnel_aead_encrypt(c, out, in, 1), RUNNEL_ERR_STATE);
        UNCHANGED(runnel_aead_tag(c, tag, t), RUNNEL_ERR_STATE);
    }
    if (now->plaintext_max < UINT64_MAX) {
        memcpy(before, c, now->context_bytes);
        UNCHANGED(runnel_aead_lengths(c, 0, now->plaintext_max + 1), RUNNEL_ERR_LIMIT);
    }
    if (most < UINT64_MAX) {
        memcpy(before, c, now->context_bytes);
        UNCHANGED(runnel_aead_lengths(c, 0, most + 1), RUNNEL_ERR_LIMIT);
    }
    if (now->aad_max < UINT64_MAX) {
        memcpy(before, c, now->context_bytes);
        UNCHANGED(runnel_aead_lengths(c, now->aad_max + 1, 0), RUNNEL_ERR_LIMIT);
    }
    CHECK(runnel_aead_lengths(c, now->aad_max, most) == RUNNEL_OK);
    CHECK(runnel_aead_start(c, nonce, n, t) == RUNNEL_OK);
    CHECK(runnel_aead_lengths(c, 20, 40) == RUNNEL_OK);
    memcpy(before, c, now->context_bytes);
    UNCHANGED(runnel_aead_lengths(c, 20, 40), RUNNEL_ERR_STATE);
    UNCHANGED(runnel_aead_aad(c, aad, 21), RUNNEL_ERR_LIMIT);
    UNCHANGED(runnel_aead_aad(c, NULL, 20), RUNNEL_ERR_NULL);
    UNCHANGED(runnel_aead_encrypt(c, out, in, 1), RUNNEL_ERR_STATE); /* before all associated data */
    CHECK(runnel_aead_aad(c, aad, 20) == RUNNEL_OK);
    memcpy(before, c, now->context_bytes);
    UNCHANGED(runnel_aead_encrypt(c, out, in, 41), RUNNEL_ERR_LIMIT);
    UNCHANGED(runnel_aead_encrypt(c, out, out + 1, 40), RUNNEL_ERR_OVERLAP);
    UNCHANGED(runnel_aead_decrypt(c, NULL, in, 40), RUNNEL_ERR_NULL);
    CHECK(runnel_aead_encrypt(c, scratch, in, 39) == RUNNEL_OK);
    memcpy(before, c, now->context_bytes);
    UNCHANGED(runnel_aead_tag(c, tag, t), RUNNEL_ERR_STATE);
    UNCHANGED(runnel_aead_decrypt(c, out, in, 1), RUNNEL_ERR_STATE);
    UNCHANGED(runnel_aead_aad(c, aad, 1), RUNNEL_ERR_STATE);
    UNCHANGED(runnel_aead_encrypt(c, out, in, 2), RUNNEL_ERR_LIMIT);
    CHECK(runnel_aead_encrypt(c, scratch, in, 1) == RUNNEL_OK);
    memcpy(before, c, now->context_bytes);
    UNCHANGED(runnel_aead_verify(c, tag, t), RUNNEL_ERR_STATE);
    UNCHANGED(runnel_aead_tag(c, tag, t - 1), RUNNEL_ERR_TAG_LENGTH);
    UNCHANGED(runnel_aead_tag(c, NULL, t), RUNNEL_ERR_NULL);
    CHECK(runnel_aead_tag(c, tag, t) == RUNNEL_OK);
    CHECK(runnel_aead_tag(c, tag, t) == RUNNEL_ERR_STATE);
    /* No byte beyond the longest message: its end is reached by moving the counts. */
    if (!now->lengths_first && now->plaintext_max < UINT64_MAX) {
        CHECK(runnel_aead_start(c, nonce, n, t) == RUNNEL_OK);
        CHECK(runnel_aead_encrypt(c, scratch, in, 1) == RUNNEL_OK);
        c->text_bytes = now->plaintext_max - 8;
        memset(tag, 0xa5, sizeof tag);
        memcpy(before, c, now->context_bytes);
        UNCHANGED(runnel_aead_encrypt(c, out, in, 9), RUNNEL_ERR_LIMIT);
    }
}

void check_wipe(void)
{
    uint8_t key[64] = {9}, nonce[32] = {1}, tag[RUNNEL_AEAD_TAG_MAX];
    runnel_aead_context *c = context(0);
    runnel_aead_wipe(NULL);
    runnel_aead_wipe(c);
    CHECK(runnel_aead_kernel(c) == NULL && runnel_aead_kernel(NULL) == NULL);
    CHECK(runnel_aead_key(now, c, key, now->key_bytes, NULL) == RUNNEL_OK);
    CHECK(runnel_aead_seal(c, nonce, now->nonce_default, NULL, 0, scratch, buffer_text, 9000, tag, now->tag_default) ==
          RUNNEL_OK);
    runnel_aead_wipe(c);
    CHECK(all_zeros((const uint8_t *)c, now->context_bytes));
}

void check_descriptor(void)
{
    CHECK(now->context_bytes <= CONTEXT && now->key_bytes <= 64 && now->nonce_default <= 64);
    CHECK(now->name != NULL && now->family != NULL && now->title != NULL && now->source != NULL);
    CHECK(now->nonce_reuse != NULL && now->tag_default <= 16 && (now->tag_set >> now->tag_default & 1));
    CHECK(now->tag_set >> (now->tag_default + 1) == 0 && !runnel_aead_takes_tag(now, 0));
    CHECK(runnel_aead_takes_tag(now, 32) == (strncmp(now->name, "aegis-", 6) == 0) &&
          now->nonce_min <= now->nonce_default);
    CHECK(now->nonce_default <= now->nonce_max && (now->nonce_min > 0 || now->tag_first));
}
