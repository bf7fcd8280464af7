/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AEADs: messages in one piece and in many, with tags and IVs of all lengths. */
#include "provider.h"

enum { MOST = 3000, MOST_AAD = 300, ROUNDS = 200 };

typedef struct message {
    uint8_t key[32], iv[128], aad[MOST_AAD], text[MOST], sealed[MOST], tag[16];
    size_t iv_bytes, aad_bytes, bytes, tag_bytes;
} message;

int is_ccm(const provided *p)
{
    return p->mode == EVP_CIPH_CCM_MODE;
}

int in_one_call(const provided *p)
{
    return is_ccm(p) || strstr(p->library_name, "-siv") != NULL;
}

static void random_message(const provided *p, message *m)
{
    const runnel_aead *aead = runnel_aead_find(p->library_name);
    CHECK(aead != NULL, "the library has no %s", p->library_name);
    random_bytes(m->key, sizeof m->key);
    random_bytes(m->iv, sizeof m->iv);
    random_bytes(m->aad, sizeof m->aad);
    random_bytes(m->text, sizeof m->text);
    m->iv_bytes = aead->nonce_default;
    if (random_below(2) && aead->nonce_min < aead->nonce_max) {
        const size_t most = aead->nonce_max < sizeof m->iv ? aead->nonce_max : sizeof m->iv;
        m->iv_bytes = aead->nonce_min + random_below(most - aead->nonce_min + 1);
    }
    do
        m->tag_bytes = 4 + random_below(13);
    while (!runnel_aead_takes_tag(aead, m->tag_bytes));
    m->aad_bytes = random_below(3) == 0 ? 0 : random_length(16, MOST_AAD);
    m->bytes = random_below(8) == 0 ? 0 : random_length(64, MOST);
}

/* Seals by the library itself. */
static void reference(const provided *p, message *m)
{
    const runnel_aead *aead = runnel_aead_find(p->library_name);
    runnel_aead_context *c = calloc(1, aead->context_bytes);
    CHECK_OK(runnel_aead_key(aead, c, m->key, p->key_bytes, NULL));
    CHECK_OK(runnel_aead_seal(c, m->iv, m->iv_bytes, m->aad, m->aad_bytes, m->sealed, m->text, m->bytes, m->tag,
                              m->tag_bytes));
    free(c);
}

/* Sets key, IV and lengths, in one call or several. */
static void set_up(EVP_CIPHER_CTX *c, const provided *p, const message *m, int direction)
{
    CHECK(EVP_CipherInit_ex2(c, p->cipher, NULL, NULL, direction, NULL) == 1, "cipher");
    if (random_below(2) || m->iv_bytes != (size_t)EVP_CIPHER_CTX_get_iv_length(c))
        CHECK(EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_SET_IVLEN, (int)m->iv_bytes, NULL) == 1, "IV of %zu bytes",
              m->iv_bytes);
    CHECK(EVP_CIPHER_CTX_get_iv_length(c) == (int)m->iv_bytes, "IV length");
    if (is_ccm(p))
        CHECK(set_tag(c, NULL, m->tag_bytes) == 1, "tag of %zu bytes", m->tag_bytes);
    const size_t order = random_below(3);
    CHECK(EVP_CipherInit_ex2(c, NULL, order == 1 ? NULL : m->key, order == 2 ? NULL : m->iv, direction, NULL) == 1,
          "init");
    if (order > 0)
        CHECK(EVP_CipherInit_ex2(c, NULL, order == 1 ? m->key : NULL, order == 2 ? m->iv : NULL, direction, NULL) == 1,
              "in two calls");
}

/* Hands over to a copy; the original goes another way and is freed. */
static EVP_CIPHER_CTX *hand_over(EVP_CIPHER_CTX *c)
{
    uint8_t other[32] = {0};
    int done;
    EVP_CIPHER_CTX *copy = EVP_CIPHER_CTX_new();
    CHECK(EVP_CIPHER_CTX_copy(copy, c) == 1, "copy");
    (void)EVP_CipherUpdate(c, other, &done, other, sizeof other);
    EVP_CIPHER_CTX_free(c);
    ERR_clear_error();
    return copy;
}

/* Associated data and text; returns what the last call of EVP did. */
static int feed(EVP_CIPHER_CTX **c, const provided *p, const message *m, uint8_t *out, const uint8_t *in)
{
    int done;
    const int whole_aad = is_ccm(p), whole_text = in_one_call(p);
    if (is_ccm(p) && (m->aad_bytes > 0 || random_below(2)))
        CHECK(EVP_CipherUpdate(*c, NULL, &done, NULL, (int)m->bytes) == 1 && done == (int)m->bytes, "length");
    for (size_t at = 0, part; at < m->aad_bytes; at += part) {
        part = whole_aad ? m->aad_bytes : 1 + random_below(m->aad_bytes - at);
        CHECK(EVP_CipherUpdate(*c, NULL, &done, m->aad + at, (int)part) == 1 && done == (int)part, "aad");
        if (random_below(4) == 0)
            *c = hand_over(*c);
    }
    for (size_t at = 0, part; at < m->bytes; at += part) {
        part = whole_text ? m->bytes : 1 + random_below(m->bytes - at);
        const int through_update = (int)random_below(2);
        if (through_update ? EVP_CipherUpdate(*c, out + at, &done, in + at, (int)part) != 1
                           : (done = EVP_Cipher(*c, out + at, in + at, (unsigned)part)) < 0)
            return 0;
        CHECK(done == (int)part, "length");
        if (random_below(4) == 0)
            *c = hand_over(*c);
    }
    if (m->bytes == 0 && is_ccm(p) && m->aad_bytes == 0)
        return EVP_CipherUpdate(*c, out, &done, in, 0);
    return 1;
}

static void seal(const provided *p, const message *m)
{
    uint8_t out[MOST], tag[16] = {0};
    int done = -1;
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    set_up(c, p, m, SEAL);
    const int in_place = (int)random_below(2);
    memcpy(out, m->text, m->bytes);
    CHECK(feed(&c, p, m, out, in_place ? out : m->text) == 1, "seal");
    CHECK(EVP_EncryptFinal_ex(c, out + m->bytes, &done) == 1 && done == 0, "final");
    CHECK(get_tag(c, tag, m->tag_bytes) == 1, "tag of %zu bytes", m->tag_bytes);
    CHECK_BYTES(tag, m->tag, m->tag_bytes, "tag of %s, %zu and %zu bytes", p->name, m->aad_bytes, m->bytes);
    CHECK_BYTES(out, m->sealed, m->bytes, "ciphertext of %s, %zu and %zu bytes", p->name, m->aad_bytes, m->bytes);
    EVP_CIPHER_CTX_free(c);
}

/* The same by OpenSSL's own, in one call each. */
static void seal_with_peer(const provided *p, const message *m)
{
    uint8_t out[MOST], tag[16] = {0};
    int done;
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    CHECK(EVP_EncryptInit_ex2(c, p->peer, NULL, NULL, NULL) == 1, "cipher");
    CHECK(EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_SET_IVLEN, (int)m->iv_bytes, NULL) == 1, "IV length");
    if (is_ccm(p))
        CHECK(set_tag(c, NULL, m->tag_bytes) == 1, "tag length");
    CHECK(EVP_EncryptInit_ex2(c, NULL, m->key, m->iv, NULL) == 1, "init");
    if (is_ccm(p))
        CHECK(EVP_EncryptUpdate(c, NULL, &done, NULL, (int)m->bytes) == 1, "length");
    if (m->aad_bytes > 0)
        CHECK(EVP_EncryptUpdate(c, NULL, &done, m->aad, (int)m->aad_bytes) == 1, "aad");
    CHECK(EVP_EncryptUpdate(c, out, &done, m->text, (int)m->bytes) == 1, "text");
    CHECK(EVP_EncryptFinal_ex(c, out + m->bytes, &done) == 1, "final");
    CHECK(get_tag(c, tag, m->tag_bytes) == 1, "tag");
    CHECK_BYTES(tag, m->tag, m->tag_bytes, "OpenSSL's tag of %s", p->name);
    CHECK_BYTES(out, m->sealed, m->bytes, "OpenSSL's ciphertext of %s", p->name);
    EVP_CIPHER_CTX_free(c);
}

/* Opens what may have been forged; returns 1 if everything went well. */
static int open_with(const provided *p, const message *m)
{
    uint8_t out[MOST + 1];
    int done = -1;
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    const int in_place = (int)random_below(2), early = in_one_call(p) || random_below(2);
    set_up(c, p, m, OPEN);
    if (early)
        CHECK(set_tag(c, m->tag, m->tag_bytes) == 1, "tag");
    memcpy(out, m->sealed, m->bytes);
    ERR_clear_error();
    int ok = feed(&c, p, m, out, in_place ? out : m->sealed);
    if (ok && !early)
        CHECK(set_tag(c, m->tag, m->tag_bytes) == 1, "late tag");
    if (ok) {
        const int queue_is_for_failures = !in_one_call(p);
        ok = EVP_DecryptFinal_ex(c, out + m->bytes, &done);
        if (!ok && queue_is_for_failures)
            CHECK(ERR_peek_error() == 0, "a wrong tag is no other failure");
    } else {
        for (size_t i = 0; i < m->bytes; i++)
            CHECK(out[i] == 0, "nothing unverified remains where the text comes in one call");
        CHECK(EVP_DecryptFinal_ex(c, out + m->bytes, &done) != 1, "and final does not forget it");
    }
    if (ok)
        CHECK_BYTES(out, m->text, m->bytes, "opened");
    EVP_CIPHER_CTX_free(c);
    ERR_clear_error();
    return ok == 1;
}

static void forge(const provided *p, message *m)
{
    message forged = *m;
    uint8_t *const places[] = {forged.tag, forged.iv, forged.aad, forged.sealed, forged.key};
    const size_t sizes[] = {m->tag_bytes, m->iv_bytes, m->aad_bytes, m->bytes, p->key_bytes};
    const size_t which = random_below(5);
    if (sizes[which] == 0)
        return;
    places[which][random_below(sizes[which])] ^= (uint8_t)(1u << random_below(8));
    CHECK(open_with(p, &forged) == 0, "a flipped bit in part %zu", which);
}

void test_aead(const provided *p)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        message m;
        random_message(p, &m);
        reference(p, &m);
        seal(p, &m);
        if (p->peer != NULL)
            seal_with_peer(p, &m);
        CHECK(open_with(p, &m), "the right tag");
        forge(p, &m);
    }
}
