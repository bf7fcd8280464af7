/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Key, associated data, text and tag marked secret, for a tool that watches. */
#include "aeads.h"
#include "secrets.h"

/* Seals and opens, in one call, in pieces and as a batch. The result of opening is public, nothing before. */
int secrets(const char *kernel)
{
    static uint8_t key[64], aad[64], text[1300], nonce[64], tag[RUNNEL_AEAD_TAG_MAX], opened[1300];
    static const size_t lengths[] = {0, 1, 16, 40, 130, 513, 1300};
    const unsigned before = reports();
    const size_t n = now->nonce_default, t = now->tag_default;
    runnel_aead_context *c = context(0);
    if (!watched())
        return 78;
    random_bytes(key, sizeof key);
    random_bytes(aad, sizeof aad);
    random_bytes(text, sizeof text);
    make_secret(key, sizeof key);
    make_secret(aad, sizeof aad);
    make_secret(text, sizeof text);
    kernel_now = kernel;
    if (runnel_aead_key(now, c, key, now->key_bytes, kernel) == RUNNEL_ERR_KERNEL)
        return 77;
    int result = RUNNEL_OK;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const size_t bytes = lengths[i], some = bytes / 3;
        nonce[0]++;
        result |= runnel_aead_seal(c, nonce, n, aad, i * 9, scratch, text, bytes, tag, t);
        CHECK(is_secret(tag, t) && (bytes == 0 || is_secret(scratch, bytes)));
        result |= runnel_aead_open(c, nonce, n, aad, i * 9, opened, scratch, bytes, tag, t);
        tag[3] ^= 1;
        const int refused = runnel_aead_open(c, nonce, n, aad, i * 9, opened, scratch, bytes, tag, t);
        tag[3] ^= 1;
        CHECK(refused == RUNNEL_ERR_TAG);
        runnel_aead_packet packets[2] = {{nonce, aad, scratch, opened, tag, n, i * 9, bytes, t, 0},
                                         {nonce, aad, scratch, opened, tag, n, i * 9, bytes, t, 0}};
        result |= runnel_aead_open_batch(c, packets, bytes > 0 ? 1 : 2);
        enum { SEVERAL = 5 }; /* of different lengths, then opened in place */
        static uint8_t sealed[SEVERAL][1300], tags[SEVERAL][RUNNEL_AEAD_TAG_MAX];
        runnel_aead_packet several[SEVERAL];
        for (size_t k = 0; k < SEVERAL; k++)
            several[k] = (runnel_aead_packet){nonce, aad, text, sealed[k], tags[k], n, i * k, bytes / (k + 1), t, 0};
        result |= runnel_aead_seal_batch(c, several, SEVERAL);
        for (size_t k = 0; k < SEVERAL; k++) {
            CHECK(is_secret(tags[k], t));
            several[k].in = several[k].out;
        }
        result |= runnel_aead_open_batch(c, several, SEVERAL);
        if (!now->multipart)
            continue;
        result |= runnel_aead_start(c, nonce, n, t) | runnel_aead_lengths(c, i * 9, bytes);
        result |= runnel_aead_aad(c, aad, i * 9) | runnel_aead_decrypt(c, opened, scratch, some);
        result |= runnel_aead_decrypt(c, opened + some, scratch + some, bytes - some);
        int verified = runnel_aead_verify(c, tag, t);
        make_public(&verified, sizeof verified);
        result |= verified;
    }
    CHECK(result == RUNNEL_OK);
    runnel_aead_wipe(c);
    printf("%s/%s: %u branches or addresses depend on secrets\n", now->name, kernel, reports() - before);
    return 0;
}
