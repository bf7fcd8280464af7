/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* runnel-forgeries AEAD SECONDS SEED: sealed messages that are changed before they are opened, through every kernel, until
 * the seconds are over: flipped bits, cuts, bytes more, blocks exchanged, bytes moved between associated data and message,
 * parts of another message. Each must be refused and leave zeros, in one call, in a batch and in pieces; what was not changed
 * must open. Tags have at least 8 bytes, so that no forgery succeeds by luck. Status 1 if one does. */
#include <runnel/aead.h>

#include "harness.h"
#include "long_run.h"

enum { MOST = 2100, MOST_AAD = 80, MOST_NONCE = 32, TAG = 16, EACH = 200 };

typedef struct sealed {
    uint8_t nonce[MOST_NONCE], aad[MOST_AAD + 2 * TAG], text[MOST + 2 * TAG], tag[TAG];
    size_t nonce_bytes, aad_bytes, bytes, tag_bytes;
} sealed;

static const runnel_aead *aead;
static runnel_aead_context *context;
static uint64_t forgeries;

static void seal(sealed *m, uint8_t *plain)
{
    const size_t most = aead->nonce_max < MOST_NONCE ? aead->nonce_max : MOST_NONCE;
    m->nonce_bytes = random_below(2) ? aead->nonce_default : aead->nonce_min + random_below(most - aead->nonce_min + 1);
    do
        m->tag_bytes = random_below(2) ? aead->tag_default : 8 + random_below(TAG - 7);
    while (!runnel_aead_takes_tag(aead, m->tag_bytes));
    m->aad_bytes = random_below(MOST_AAD + 1);
    m->bytes = random_below(4) ? random_below(150) : random_below(MOST + 1);
    if (m->bytes > runnel_aead_plaintext_max(aead, m->nonce_bytes))
        m->bytes = (size_t)runnel_aead_plaintext_max(aead, m->nonce_bytes);
    random_bytes(m->nonce, sizeof m->nonce);
    random_bytes(m->aad, sizeof m->aad);
    random_bytes(plain, m->bytes);
    CHECK_OK(runnel_aead_seal(context, m->nonce, m->nonce_bytes, m->aad, m->aad_bytes, m->text, plain, m->bytes, m->tag,
                              m->tag_bytes));
}

static int open_one(const sealed *m, uint8_t *out)
{
    return runnel_aead_open(context, m->nonce, m->nonce_bytes, m->aad, m->aad_bytes, out, m->text, m->bytes, m->tag,
                            m->tag_bytes);
}

/* Behind an authentic packet and before another. */
static int open_in_batch(const sealed *m, const sealed *good, uint8_t *out)
{
    static uint8_t others[2][MOST + 2 * TAG];
    sealed copies[3];
    runnel_aead_packet packets[3];
    for (unsigned i = 0; i < 3; i++) {
        copies[i] = i == 1 ? *m : *good;
        packets[i] = (runnel_aead_packet){
            copies[i].nonce,       copies[i].aad,       copies[i].text,  i == 1 ? out : others[i / 2], copies[i].tag,
            copies[i].nonce_bytes, copies[i].aad_bytes, copies[i].bytes, copies[i].tag_bytes,          99};
    }
    const int result = runnel_aead_open_batch(context, packets, 3);
    if (result != RUNNEL_OK && result != RUNNEL_ERR_TAG)
        return result;
    CHECK(packets[0].result == RUNNEL_OK && packets[2].result == RUNNEL_OK, "a packet beside a forged one is refused");
    CHECK(result == packets[1].result, "a batch gives %d, its packet %d", result, packets[1].result);
    return result;
}

static int open_in_pieces(const sealed *m, uint8_t *out)
{
    const size_t cut = random_below(m->bytes + 1);
    CHECK_OK(runnel_aead_start(context, m->nonce, m->nonce_bytes, m->tag_bytes));
    if (aead->lengths_first)
        CHECK_OK(runnel_aead_lengths(context, m->aad_bytes, m->bytes));
    CHECK_OK(runnel_aead_aad(context, m->aad, m->aad_bytes));
    CHECK_OK(runnel_aead_decrypt(context, out, m->text, cut));
    CHECK_OK(runnel_aead_decrypt(context, out + cut, m->text + cut, m->bytes - cut));
    return runnel_aead_verify(context, m->tag, m->tag_bytes);
}

/* Moves n bytes from the end of the associated data to the front of the message, or back. */
static void move(sealed *m, size_t n, int forward)
{
    if (forward) {
        memmove(m->text + n, m->text, m->bytes);
        memcpy(m->text, m->aad + m->aad_bytes - n, n);
        m->aad_bytes -= n;
        m->bytes += n;
    } else {
        memcpy(m->aad + m->aad_bytes, m->text, n);
        memmove(m->text, m->text + n, m->bytes - n);
        m->aad_bytes += n;
        m->bytes -= n;
    }
}

/* Changes the message; other is another one under the same key. Returns 0 if this kind of change does not fit it. */
static int forge(sealed *m, const sealed *other)
{
    const size_t n = 1 + random_below(TAG);
    const uint8_t bit = (uint8_t)(1 << random_below(8));
    switch (random_below(13)) {
    case 0:
        return m->tag[random_below(m->tag_bytes)] ^= bit, 1;
    case 1:
        return m->nonce_bytes > 0 && (m->nonce[random_below(m->nonce_bytes)] ^= bit, 1);
    case 2:
        return m->aad_bytes > 0 && (m->aad[random_below(m->aad_bytes)] ^= bit, 1);
    case 3:
        return m->bytes > 0 && (m->text[random_below(m->bytes)] ^= bit, 1);
    case 4: /* cut off at the end */
        return m->bytes >= n && (m->bytes -= n, 1);
    case 5: /* and at the front */
        return m->bytes >= n && (memmove(m->text, m->text + n, m->bytes - n), m->bytes -= n, 1);
    case 6:
        return m->aad_bytes >= n && (m->aad_bytes -= n, 1);
    case 7: /* zeros, or anything, more: padding must not absorb them */
        memset(m->text + m->bytes, 0, n);
        if (random_below(2))
            random_bytes(m->text + m->bytes, n);
        return m->bytes += n, 1;
    case 8:
        memset(m->aad + m->aad_bytes, 0, n);
        return m->aad_bytes += n, 1;
    case 9: /* two blocks exchanged */
        if (m->bytes >= 32) {
            uint8_t kept[16], *a = m->text, *b = m->text + 16 * (1 + random_below(m->bytes / 16 - 1));
            memcpy(kept, a, 16);
            memcpy(a, b, 16);
            memcpy(b, kept, 16);
            return memcmp(a, b, 16) != 0;
        }
        return 0;
    case 10:
        return m->aad_bytes >= n && (move(m, n, 1), 1);
    case 11:
        return m->bytes >= n && (move(m, n, 0), 1);
    default: /* the tag, or the nonce, of the other message */
        if (random_below(2) && other->tag_bytes >= m->tag_bytes)
            memcpy(m->tag, other->tag, m->tag_bytes);
        else if (m->nonce_bytes == other->nonce_bytes && m->nonce_bytes >= 8)
            memcpy(m->nonce, other->nonce, m->nonce_bytes);
        else
            return 0;
        return 1;
    }
}

static void check_forgery(const sealed *m, const sealed *good)
{
    static const uint8_t zeros[MOST + 2 * TAG];
    static uint8_t out[MOST + 2 * TAG];
    const unsigned how = (unsigned)random_below(aead->multipart ? 4 : 3);
    if (m->bytes > runnel_aead_plaintext_max(aead, m->nonce_bytes))
        return;
    memset(out, 0xa5, sizeof out);
    if (how == 0) {
        memcpy(out, m->text, m->bytes);
        CHECK_RESULT(runnel_aead_open(context, m->nonce, m->nonce_bytes, m->aad, m->aad_bytes, out, out, m->bytes,
                                      m->tag, m->tag_bytes),
                     RUNNEL_ERR_TAG);
    } else {
        CHECK_RESULT(how == 1   ? open_one(m, out)
                     : how == 2 ? open_in_batch(m, good, out)
                                : open_in_pieces(m, out),
                     RUNNEL_ERR_TAG);
    }
    if (how != 3) /* in pieces what is written is unverified, and the caller's to destroy */
        CHECK_BYTES(out, zeros, m->bytes, "what a refused message leaves");
    forgeries++;
}

static void one_key(const char *kernel)
{
    static uint8_t plain[2][MOST], out[MOST];
    uint8_t key[64];
    sealed good[2], bad;
    random_bytes(key, sizeof key);
    CHECK_OK(runnel_aead_key(aead, context, key, aead->key_bytes, kernel));
    for (unsigned i = 0; i < 2; i++)
        seal(&good[i], plain[i]);
    for (unsigned i = 0; i < EACH; i++) {
        bad = good[0];
        if (forge(&bad, &good[1]))
            check_forgery(&bad, &good[i % 2]);
    }
    for (unsigned i = 0; i < 2; i++) {
        CHECK_OK(open_one(&good[i], out));
        CHECK_BYTES(out, plain[i], good[i].bytes, "what was not changed");
    }
}

int main(int argc, char **argv)
{
    aead = argc == 4 ? runnel_aead_find(argv[1]) : NULL;
    if (aead == NULL)
        return 2;
    const double until = now() + strtod(argv[2], NULL);
    context = aligned_alloc(64, (aead->context_bytes + 63u) / 64 * 64);
    CHECK(context != NULL, "out of memory");
    doing = aead->name;
    seed_random(strtoull(argv[3], NULL, 0));
    do {
        runnel_kernel_info info;
        for (size_t i = 0; runnel_aead_kernel_at(aead, i, &info) == RUNNEL_OK; i++)
            if (info.available)
                one_key(info.name);
    } while (now() < until);
    printf("%s: %llu forgeries\n", aead->name, (unsigned long long)forgeries);
    free(context);
    return 0;
}
