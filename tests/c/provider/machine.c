/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The same random calls on an AEAD of ours and on OpenSSL's own, whose results must be the same, errors too. A round
 * ends with the first error, and leaves out what OpenSSL takes although it makes no sense: docs/openssl.md names it. */
#include "provider.h"

enum { ROUNDS = 2000, STEPS = 25, MOST = 600 };

typedef struct sides {
    EVP_CIPHER_CTX *c[2]; /* ours, theirs */
    int direction, has_text, ended;
    int counted; /* the message is under an IV that was asked for, and the next one is due */
    int used_up; /* a text was sealed under the IV that would be due */
} sides;

/* Compares the results of a call on both sides; returns 1 if both succeeded. */
static int same(const char *what, int ours_result, int theirs_result)
{
    CHECK((ours_result == 1) == (theirs_result == 1), "%s: %d, OpenSSL's %d", what, ours_result, theirs_result);
    ERR_clear_error();
    return ours_result == 1;
}

static int update(sides *s, int aad, size_t bytes)
{
    uint8_t in[MOST], out[2][MOST] = {{0}};
    int done[2] = {-1, -1}, result[2];
    random_bytes(in, bytes);
    for (int i = 0; i < 2; i++)
        result[i] = EVP_CipherUpdate(s->c[i], aad ? NULL : out[i], &done[i], in, (int)bytes);
    if (!same(aad ? "aad" : "text", result[0], result[1]))
        return 0;
    CHECK(done[0] == done[1], "length");
    CHECK_BYTES(out[0], out[1], sizeof out[0], "text");
    s->has_text |= !aad && bytes > 0;
    s->used_up |= bytes > 0 && s->direction == SEAL && !s->counted;
    return 1;
}

static int end(sides *s, size_t tag_bytes)
{
    uint8_t tags[2][16] = {{0}}, out[16];
    int done[2] = {-1, -1}, result[2];
    if (s->direction == OPEN) /* the wrong one, almost surely */
        for (int i = 0; i < 2; i++)
            CHECK(set_tag(s->c[i], tags[0], tag_bytes) == 1, "tag");
    for (int i = 0; i < 2; i++)
        result[i] = EVP_CipherFinal_ex(s->c[i], out, &done[i]);
    if (!same("final", result[0], result[1]))
        return 0;
    CHECK(done[0] == 0 && done[1] == 0, "length");
    s->ended = 1;
    s->used_up |= s->direction == SEAL && !s->counted;
    if (s->direction == SEAL) {
        CHECK(get_tag(s->c[0], tags[0], tag_bytes) == 1 && get_tag(s->c[1], tags[1], tag_bytes) == 1, "tags");
        CHECK_BYTES(tags[0], tags[1], tag_bytes, "tag");
    }
    return 1;
}

static int start_message(sides *s, const uint8_t *key, int with_iv)
{
    uint8_t iv[128];
    random_bytes(iv, sizeof iv);
    const int first = EVP_CipherInit_ex2(s->c[0], NULL, key, with_iv ? iv : NULL, -1, NULL);
    const int ok = same("init", first, EVP_CipherInit_ex2(s->c[1], NULL, key, with_iv ? iv : NULL, -1, NULL));
    s->has_text = 0;
    if (with_iv)
        s->ended = s->counted = s->used_up = 0;
    return ok;
}

static void copy(sides *s)
{
    for (int i = 0; i < 2; i++) {
        EVP_CIPHER_CTX *another = EVP_CIPHER_CTX_new();
        CHECK(EVP_CIPHER_CTX_copy(another, s->c[i]) == 1, "copy");
        EVP_CIPHER_CTX_free(s->c[i]);
        s->c[i] = another;
    }
}

/* Does as OpenSSH for each packet: the IV counts. */
static int counted_iv(sides *s)
{
    uint8_t iv[128], made[2][12] = {{0}};
    int result[2];
    const size_t iv_bytes = (size_t)EVP_CIPHER_CTX_get_iv_length(s->c[0]), bytes = 1 + random_below(12);
    if (iv_bytes < 8 || bytes > iv_bytes) /* OpenSSL counts and copies, whether there is room or not */
        return 1;
    random_bytes(iv, sizeof iv);
    if (random_below(2)) { /* often just before a carry */
        memset(iv + iv_bytes - random_below(9), 0xff, 8);
        for (int i = 0; i < 2; i++)
            result[i] = EVP_CIPHER_CTX_ctrl(s->c[i], EVP_CTRL_GCM_SET_IV_FIXED, -1, iv);
        if (!same("IV", result[0], result[1]))
            return 0;
        s->counted = s->used_up = 0;
    }
    const int what = s->direction == SEAL || random_below(8) == 0 ? EVP_CTRL_GCM_IV_GEN : EVP_CTRL_GCM_SET_IV_INV;
    if (s->used_up && what == EVP_CTRL_GCM_IV_GEN) {
        CHECK(EVP_CIPHER_CTX_ctrl(s->c[0], what, (int)bytes, made[0]) != 1, "an IV that was used up");
        ERR_clear_error();
        return 1;
    }
    memset(made, (int)random_below(256), sizeof made);
    for (int i = 0; i < 2; i++)
        result[i] = EVP_CIPHER_CTX_ctrl(s->c[i], what, (int)bytes, made[i]);
    if (!same("next IV", result[0], result[1]))
        return 0;
    CHECK_BYTES(made[0], made[1], sizeof made[0], "IV");
    s->has_text = s->ended = 0;
    s->counted = 1;
    return 1;
}

static int updated_iv(sides *s)
{
    uint8_t iv[2][128] = {{0}};
    const int first = EVP_CIPHER_CTX_get_updated_iv(s->c[0], iv[0], sizeof iv[0]);
    if (!same("updated IV", first, EVP_CIPHER_CTX_get_updated_iv(s->c[1], iv[1], sizeof iv[1])))
        return 0;
    CHECK_BYTES(iv[0], iv[1], 12, "updated IV");
    return 1;
}

static int gcm_step(sides *s, const uint8_t *key)
{
    switch (random_below(14)) {
    case 0:
        return start_message(s, random_below(2) ? key : NULL, 1);
    case 1: /* a key alone, between messages */
        return !s->ended || start_message(s, key, 0);
    case 2:
        copy(s);
        return 1;
    case 3:
        return updated_iv(s);
    case 4:
        return counted_iv(s);
    case 5: {
        const int bytes = (int)random_below(20);
        const int first = EVP_CIPHER_CTX_ctrl(s->c[0], EVP_CTRL_AEAD_SET_IVLEN, bytes, NULL);
        return same("IV length", first, EVP_CIPHER_CTX_ctrl(s->c[1], EVP_CTRL_AEAD_SET_IVLEN, bytes, NULL)) &&
               start_message(s, NULL, random_below(8) != 0);
    }
    case 6:
        return end(s, 12 + random_below(5));
    case 7:
    case 8:
    case 9:
        return update(s, 1, random_length(16, 100));
    default:
        return update(s, 0, random_length(16, MOST));
    }
}

/* A message as programs have it: in order, and all of it. */
static int whole_message(sides *s, const provided *p, const uint8_t *key)
{
    const int ccm = p->mode == EVP_CIPH_CCM_MODE;
    const size_t bytes = random_length(16, MOST), aad = random_length(16, 100);
    if (!start_message(s, random_below(3) == 0 ? key : NULL, 1))
        return 0;
    if (ccm) {
        int done;
        for (int i = 0; i < 2; i++)
            CHECK(EVP_CipherUpdate(s->c[i], NULL, &done, NULL, (int)bytes) == 1, "length");
    }
    if (!update(s, 1, aad) || (!ccm && !update(s, 1, aad / 2)))
        return 0;
    if (random_below(4) == 0)
        copy(s);
    if (ccm && s->direction == OPEN)
        return update(s, 0, bytes); /* fails, without a tag */
    if (!update(s, 0, bytes) || (!ccm && !update(s, 0, bytes / 3)))
        return 0;
    return end(s, ccm ? 12 : 16);
}

void test_aead_machine(const provided *p)
{
    CHECK(p->peer != NULL, "OpenSSL has no %s", p->name);
    for (unsigned round = 0; round < ROUNDS; round++) {
        sides s = {.c = {EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_new()}, .direction = (int)random_below(2)};
        uint8_t key[32];
        random_bytes(key, sizeof key);
        CHECK(EVP_CipherInit_ex2(s.c[0], p->cipher, NULL, NULL, s.direction, NULL) == 1, "ours");
        CHECK(EVP_CipherInit_ex2(s.c[1], p->peer, NULL, NULL, s.direction, NULL) == 1, "theirs");
        CHECK(EVP_CIPHER_CTX_get_iv_length(s.c[0]) == EVP_CIPHER_CTX_get_iv_length(s.c[1]), "IV length");
        int ok = start_message(&s, key, 1);
        for (unsigned step = 0; ok && step < STEPS; step++)
            ok = p->mode == EVP_CIPH_GCM_MODE ? gcm_step(&s, key) : whole_message(&s, p, key);
        EVP_CIPHER_CTX_free(s.c[0]);
        EVP_CIPHER_CTX_free(s.c[1]);
    }
}
