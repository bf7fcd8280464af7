/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AEADs: calls in a wrong order, refused messages, tags of others, lengths that they do not have. */
#include "provider.h"

static EVP_CIPHER_CTX *sealing(const provided *p, const uint8_t *key, const uint8_t *iv)
{
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    CHECK(EVP_EncryptInit_ex2(c, p->cipher, key, iv, NULL) == 1, "init");
    return c;
}

/* Opens a text of 16 bytes in a context that is set up for it, with that tag, if there is one. Returns 1 if all went well. */
static int opens(EVP_CIPHER_CTX *c, const provided *p, const uint8_t *tag, size_t tag_bytes, const uint8_t *sealed)
{
    uint8_t text[16];
    int done;
    if (tag != NULL && set_tag(c, tag, tag_bytes) != 1)
        return 0;
    const int ok = EVP_DecryptUpdate(c, text, &done, sealed, 16) == 1;
    CHECK(ok || in_one_call(p), "the end alone tells");
    return ok && EVP_DecryptFinal_ex(c, text, &done) == 1;
}

static void wrong_order(const provided *p)
{
    uint8_t key[32] = {1}, iv[32] = {2}, out[64] = {0}, tag[16];
    int done;
    EVP_CIPHER_CTX *c = sealing(p, NULL, iv);
    CHECK(EVP_EncryptUpdate(c, out, &done, out, 16) != 1, "no key");
    CHECK(get_tag(c, tag, 16) != 1, "no tag before the end");
    EVP_CIPHER_CTX_free(c);
    c = sealing(p, key, NULL);
    if (p->mode != EVP_CIPH_GCM_MODE) /* which then draws one */
        CHECK(EVP_EncryptUpdate(c, out, &done, out, 16) != 1, "no IV");
    EVP_CIPHER_CTX_free(c);
    c = sealing(p, key, iv);
    CHECK(EVP_EncryptUpdate(c, out, &done, out, 16) == 1, "text");
    CHECK(EVP_EncryptUpdate(c, NULL, &done, out, 16) != 1, "associated data after the text");
    EVP_CIPHER_CTX_free(c);
    c = sealing(p, key, iv);
    CHECK(EVP_EncryptUpdate(c, out, &done, out, 16) == 1 && EVP_EncryptFinal_ex(c, out, &done) == 1, "a message");
    CHECK(get_tag(c, tag, is_ccm(p) ? 12 : 16) == 1, "its tag");
    CHECK(EVP_EncryptUpdate(c, out, &done, out, 16) != 1, "a second message under one IV");
    CHECK(EVP_EncryptInit_ex2(c, NULL, NULL, iv, NULL) == 1, "a new IV");
    CHECK(get_tag(c, tag, is_ccm(p) ? 12 : 16) != 1, "no tag of its message yet");
    CHECK(EVP_EncryptUpdate(c, out, &done, out, 16) == 1, "and the next message");
    CHECK(EVP_EncryptUpdate(c, out + 1, &done, out, 16) != 1, "overlap");
    EVP_CIPHER_CTX_free(c);
    c = EVP_CIPHER_CTX_new();
    CHECK(EVP_DecryptInit_ex2(c, p->cipher, key, iv, NULL) == 1, "opening");
    ERR_clear_error();
    CHECK(!opens(c, p, NULL, 0, out), "without a tag to compare with");
    CHECK(last_error_is("there is no tag"), "and not as a forgery, of which there is no error");
    EVP_CIPHER_CTX_free(c);
}

/* Tells whether the message in hand ends well and has a tag. */
static int has_end(EVP_CIPHER_CTX *c, size_t tag_bytes)
{
    uint8_t out[16];
    int done;
    return EVP_EncryptFinal_ex(c, out, &done) == 1 && get_tag(c, out, tag_bytes) == 1;
}

/* A program that asks the final function alone, or for the tag, learns too that a message was refused. */
static void refused_texts(const provided *p)
{
    uint8_t key[32] = {1}, iv[32] = {2}, sealed[16] = {0}, out[16], tag[16], moved[17] = {0};
    const size_t tag_bytes = is_ccm(p) ? 12 : 16;
    int done;
    EVP_CIPHER_CTX *c = sealing(p, key, iv);
    CHECK(EVP_EncryptUpdate(c, sealed, &done, sealed, 16) == 1 && EVP_EncryptFinal_ex(c, out, &done) == 1, "seal");
    CHECK(get_tag(c, tag, tag_bytes) == 1, "its tag");
    CHECK(EVP_EncryptUpdate(c, out, &done, out, 16) != 1, "%s: a second one under its IV", p->name);
    CHECK(!has_end(c, tag_bytes), "%s: the tag of the first", p->name);
    EVP_CIPHER_CTX_free(c);
    c = sealing(p, key, iv);
    CHECK(EVP_EncryptUpdate(c, moved + 1, &done, moved, 16) != 1, "%s: overlap", p->name);
    CHECK(!has_end(c, tag_bytes), "%s: the tag of nothing", p->name);
    EVP_CIPHER_CTX_free(c);
    if (in_one_call(p)) {
        c = sealing(p, key, iv);
        CHECK(EVP_EncryptUpdate(c, out, &done, out, 16) == 1 && EVP_EncryptUpdate(c, out, &done, out, 16) != 1,
              "%s: a text in two pieces", p->name);
        CHECK(!has_end(c, tag_bytes), "%s: the tag of one piece", p->name);
        CHECK(EVP_EncryptInit_ex2(c, NULL, key, NULL, NULL) == 1 && EVP_EncryptUpdate(c, out, &done, out, 16) != 1,
              "%s: another message under the IV of the piece", p->name);
        EVP_CIPHER_CTX_free(c);
    }
    if (is_ccm(p)) {
        c = sealing(p, key, iv);
        CHECK(EVP_EncryptUpdate(c, NULL, &done, NULL, 0) == 1 && EVP_EncryptUpdate(c, out, &done, out, 16) != 1,
              "%s: a plaintext that was announced as empty", p->name);
        CHECK(!has_end(c, tag_bytes), "%s: the tag of none", p->name);
        EVP_CIPHER_CTX_free(c);
    }
    c = EVP_CIPHER_CTX_new();
    CHECK(EVP_DecryptInit_ex2(c, p->cipher, key, NULL, NULL) == 1 && set_tag(c, tag, tag_bytes) == 1, "opening");
    CHECK(EVP_DecryptUpdate(c, out, &done, sealed, 16) != 1, "%s: no IV", p->name);
    CHECK(EVP_DecryptFinal_ex(c, out, &done) != 1, "%s: the end of what has no IV", p->name);
    CHECK(EVP_DecryptInit_ex2(c, NULL, NULL, iv, NULL) == 1 && opens(c, p, tag, tag_bytes, sealed), "a message");
    sealed[0] ^= 1;
    set_tag(c, tag, tag_bytes);
    CHECK(EVP_DecryptUpdate(c, out, &done, sealed, 16) != 1, "%s: a second one under its IV", p->name);
    CHECK(EVP_DecryptFinal_ex(c, out, &done) != 1, "%s: the end of a second one", p->name);
    EVP_CIPHER_CTX_free(c);
    ERR_clear_error();
}

/* A key without an IV, the same key perhaps: under the IV of a message that has begun there is no other. */
static void same_key_again(const provided *p)
{
    uint8_t key[32] = {1}, iv[32] = {2}, out[16] = {0}, tag[16];
    int done;
    EVP_CIPHER_CTX *c = sealing(p, NULL, iv);
    CHECK(EVP_EncryptInit_ex2(c, NULL, key, NULL, NULL) == 1, "a key for an unused IV");
    CHECK(EVP_EncryptUpdate(c, out, &done, out, 16) == 1, "text");
    for (int turns = 0; turns < 2; turns++) {
        if (turns)
            CHECK(EVP_DecryptInit_ex2(c, NULL, NULL, NULL, NULL) == 1, "to open and back");
        CHECK(EVP_EncryptInit_ex2(c, NULL, key, NULL, NULL) == 1, "the key again");
        ERR_clear_error();
        CHECK(EVP_EncryptUpdate(c, out, &done, out, 16) != 1, "%s: a second text under one IV", p->name);
        CHECK(last_error_is(runnel_error_text(RUNNEL_ERR_STATE)), "why not");
        CHECK(EVP_EncryptInit_ex2(c, NULL, NULL, iv, NULL) == 1, "an IV");
        CHECK(EVP_EncryptUpdate(c, out, &done, out, 16) == 1, "text");
    }
    CHECK(EVP_EncryptInit_ex2(c, NULL, NULL, iv, NULL) == 1, "an IV");
    CHECK(EVP_EncryptUpdate(c, out, &done, out, 16) == 1 && EVP_EncryptFinal_ex(c, out, &done) == 1, "a message");
    CHECK(get_tag(c, tag, is_ccm(p) ? 12 : 16) == 1, "its tag");
    EVP_CIPHER_CTX_free(c);
    ERR_clear_error();
}

/* A tag is for the message for which the program gave it: not for one that the same context sealed, nor for the next. */
static void tags_of_others(const provided *p)
{
    uint8_t key[32] = {1}, iv[32] = {2}, out[16], tag[16];
    const size_t tag_bytes = is_ccm(p) ? 12 : 16;
    int done;
    EVP_CIPHER_CTX *c = sealing(p, key, iv);
    for (int round = 0; round < 2; round++) { /* in the second it has opened a message before */
        memset(out, 0, sizeof out);
        CHECK(EVP_EncryptInit_ex2(c, NULL, NULL, iv, NULL) == 1, "to seal");
        CHECK(EVP_EncryptUpdate(c, out, &done, out, 16) == 1 && EVP_EncryptFinal_ex(c, out, &done) == 1, "seal");
        CHECK(EVP_DecryptInit_ex2(c, NULL, NULL, iv, NULL) == 1 && !opens(c, p, NULL, 0, out), "with its own tag");
        CHECK(EVP_EncryptInit_ex2(c, NULL, NULL, iv, NULL) == 1, "to seal");
        memset(out, 0, sizeof out);
        CHECK(EVP_EncryptUpdate(c, out, &done, out, 16) == 1 && EVP_EncryptFinal_ex(c, out, &done) == 1, "seal");
        CHECK(get_tag(c, tag, tag_bytes) == 1, "tag");
        CHECK(EVP_DecryptInit_ex2(c, NULL, NULL, iv, NULL) == 1 && opens(c, p, tag, tag_bytes, out), "with the tag");
        if (in_one_call(p)) /* in other AEADs OpenSSL keeps it */
            CHECK(EVP_DecryptInit_ex2(c, NULL, NULL, iv, NULL) == 1 && !opens(c, p, NULL, 0, out), "once more");
    }
    EVP_CIPHER_CTX_free(c);
}

/* A right tag that is cut short opens where the AEAD has tags of that length. */
static void short_tags(const provided *p)
{
    const runnel_aead *aead = runnel_aead_find(p->library_name);
    uint8_t key[32] = {1}, iv[32] = {2}, out[16] = {0}, tag[16];
    int done;
    EVP_CIPHER_CTX *c = sealing(p, key, iv);
    CHECK(EVP_EncryptUpdate(c, out, &done, out, 16) == 1 && EVP_EncryptFinal_ex(c, out, &done) == 1, "seal");
    CHECK(get_tag(c, tag, 16) == 1, "tag");
    for (size_t bytes = 1; bytes <= 16; bytes++) {
        CHECK(EVP_DecryptInit_ex2(c, NULL, NULL, iv, NULL) == 1, "to open");
        CHECK(opens(c, p, tag, bytes, out) == runnel_aead_takes_tag(aead, bytes), "a tag of %zu bytes", bytes);
    }
    EVP_CIPHER_CTX_free(c);
}

/* Associated data of a message that was given up are not the next one's. */
static void given_up(const provided *p)
{
    uint8_t key[32] = {1}, iv[32] = {2}, tags[2][16], out[16];
    const size_t tag_bytes = is_ccm(p) ? 12 : 16;
    int done;
    for (int before = 0; before < 2; before++) {
        EVP_CIPHER_CTX *c = sealing(p, key, iv);
        if (before) {
            if (is_ccm(p))
                CHECK(EVP_EncryptUpdate(c, NULL, &done, NULL, 16) == 1, "length");
            CHECK(EVP_EncryptUpdate(c, NULL, &done, key, 20) == 1, "associated data");
            CHECK(EVP_EncryptInit_ex2(c, NULL, NULL, iv, NULL) == 1, "another message");
        }
        memset(out, 0, sizeof out);
        CHECK(EVP_EncryptUpdate(c, out, &done, out, 16) == 1 && EVP_EncryptFinal_ex(c, out, &done) == 1, "seal");
        CHECK(get_tag(c, tags[before], tag_bytes) == 1, "tag");
        EVP_CIPHER_CTX_free(c);
    }
    CHECK_BYTES(tags[1], tags[0], tag_bytes, "tag after a message that was given up");
}

/* One call seals or opens what there is, and ends the message, with a place for output or without one. */
static int whole_by_cipher(const provided *p, int direction, uint8_t *text, unsigned bytes, uint8_t *tag, int with_out)
{
    uint8_t key[32] = {1}, iv[32] = {2}, out[16];
    const size_t tag_bytes = is_ccm(p) ? 12 : 16;
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    CHECK(EVP_CipherInit_ex2(c, p->cipher, key, iv, direction, NULL) == 1, "init");
    if (direction == OPEN && tag != NULL)
        CHECK(set_tag(c, tag, tag_bytes) == 1, "tag");
    const int ok = (bytes == 0 || EVP_Cipher(c, text, text, bytes) == (int)bytes) &&
                   EVP_Cipher(c, with_out ? out : NULL, NULL, 0) == 0;
    if (ok && direction == SEAL)
        CHECK(get_tag(c, tag, tag_bytes) == 1, "%s: a tag", p->name);
    EVP_CIPHER_CTX_free(c);
    ERR_clear_error();
    return ok;
}

/* EVP_Cipher without input ends a message as the final function does: it makes the tag, or verifies it. */
static void ends_by_cipher(const provided *p)
{
    for (unsigned bytes = 0; bytes <= 16; bytes += 16)
        for (int with_out = 0; with_out < 2; with_out++) {
            uint8_t sealed[16] = {0}, text[16], tag[16];
            CHECK(whole_by_cipher(p, SEAL, sealed, bytes, tag, with_out), "%s: %u bytes", p->name, bytes);
            memcpy(text, sealed, sizeof text);
            CHECK(whole_by_cipher(p, OPEN, text, bytes, tag, with_out), "%s: %u bytes, opened", p->name, bytes);
            tag[0] ^= 1;
            memcpy(text, sealed, sizeof text);
            CHECK(!whole_by_cipher(p, OPEN, text, bytes, tag, with_out), "%s: %u bytes, forged", p->name, bytes);
            memcpy(text, sealed, sizeof text);
            CHECK(!whole_by_cipher(p, OPEN, text, bytes, NULL, with_out), "%s: %u bytes, no tag", p->name, bytes);
        }
}

static void lengths(const provided *p)
{
    uint8_t key[32] = {1}, iv[32] = {2}, tag[32] = {0};
    const runnel_aead *aead = runnel_aead_find(p->library_name);
    EVP_CIPHER_CTX *c = sealing(p, key, iv);
    for (int bytes = 0; bytes < 140; bytes++) {
        const int takes = runnel_aead_takes_nonce(aead, (size_t)bytes) && bytes <= 128;
        CHECK((EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_SET_IVLEN, bytes, NULL) == 1) == takes, "IV of %d bytes", bytes);
    }
    CHECK(EVP_CIPHER_CTX_set_key_length(c, (int)p->key_bytes) == 1, "its key length");
    CHECK(EVP_CIPHER_CTX_set_key_length(c, 5) != 1, "another key length");
    CHECK(set_tag(c, tag, 16) != 1, "a tag for sealing");
    EVP_CIPHER_CTX_free(c);
    c = EVP_CIPHER_CTX_new();
    CHECK(EVP_DecryptInit_ex2(c, p->cipher, key, iv, NULL) == 1, "opening");
    CHECK(set_tag(c, tag, 17) != 1, "a tag that is too long");
    CHECK(set_tag(c, tag, 0) != 1, "a tag of no bytes");
    if (is_ccm(p))
        CHECK(set_tag(c, tag, 5) != 1 && set_tag(c, tag, 2) != 1, "tags that CCM does not have");
    EVP_CIPHER_CTX_free(c);
}

/* Where OpenSSL's CCM makes nonsense of associated data in two pieces, ours refuses. */
static void ccm_alone(const provided *p)
{
    uint8_t key[32] = {1}, iv[32] = {2}, out[64] = {0}, tag[16] = {0};
    int done;
    EVP_CIPHER_CTX *c = sealing(p, key, iv);
    CHECK(EVP_EncryptUpdate(c, NULL, &done, out, 8) != 1, "associated data before the length");
    CHECK(EVP_EncryptUpdate(c, NULL, &done, NULL, 32) == 1 && EVP_EncryptUpdate(c, NULL, &done, out, 8) == 1, "aad");
    CHECK(EVP_EncryptUpdate(c, NULL, &done, out, 8) != 1, "a second piece");
    CHECK(EVP_EncryptUpdate(c, out, &done, out, 31) != 1, "another length than announced");
    EVP_CIPHER_CTX_free(c);
    c = EVP_CIPHER_CTX_new(); /* what has no text is verified at the end */
    for (int flip = 0; flip < 2; flip++) {
        EVP_CIPHER_CTX *seal_it = sealing(p, key, iv);
        CHECK(EVP_EncryptUpdate(seal_it, NULL, &done, NULL, 0) == 1, "no text");
        CHECK(EVP_EncryptUpdate(seal_it, NULL, &done, key, 8) == 1 && EVP_EncryptFinal_ex(seal_it, out, &done) == 1,
              "seal");
        CHECK(get_tag(seal_it, tag, 12) == 1, "tag");
        tag[3] ^= (uint8_t)flip;
        CHECK(EVP_DecryptInit_ex2(c, p->cipher, key, iv, NULL) == 1 && set_tag(c, tag, 12) == 1, "opening");
        CHECK(EVP_DecryptUpdate(c, NULL, &done, NULL, 0) == 1 && EVP_DecryptUpdate(c, NULL, &done, key, 8) == 1, "aad");
        CHECK(EVP_DecryptFinal_ex(c, out, &done) == !flip, "final of a message without text, %d", flip);
        EVP_CIPHER_CTX_free(seal_it);
    }
    EVP_CIPHER_CTX_free(c);
}

/* An IV that counts needs 8 bytes to count in, also where its length was set afterwards. */
static void short_counter(const provided *p)
{
    uint8_t key[32] = {1}, iv[32] = {2}, made[16];
    EVP_CIPHER_CTX *c = sealing(p, key, iv);
    CHECK(EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_GCM_IV_GEN, 8, made) != 1, "an IV that does not count");
    CHECK(EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_GCM_SET_IV_FIXED, -1, iv) == 1, "an IV that counts");
    CHECK(EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_GCM_IV_GEN, 8, made) == 1, "the next");
    CHECK(EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_SET_IVLEN, 7, NULL) == 1, "7 bytes");
    CHECK(EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_GCM_IV_GEN, 7, made) != 1, "too few to count in");
    CHECK(EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_GCM_SET_IV_FIXED, -1, iv) != 1, "and to set");
    EVP_CIPHER_CTX_free(c);
}

/* A random IV, which the program can read before or after. */
static void drawn_iv(const provided *p)
{
    uint8_t key[32] = {1}, iv[3][12], out[16] = {0};
    int done;
    for (int i = 0; i < 2; i++) {
        EVP_CIPHER_CTX *c = sealing(p, key, NULL);
        if (i == 0)
            CHECK(EVP_CIPHER_CTX_get_updated_iv(c, iv[2], 12) == 1, "before");
        CHECK(EVP_EncryptUpdate(c, out, &done, out, 16) == 1, "text");
        CHECK(EVP_CIPHER_CTX_get_updated_iv(c, iv[i], 12) == 1, "after");
        EVP_CIPHER_CTX_free(c);
    }
    CHECK(memcmp(iv[0], iv[2], 12) == 0 && memcmp(iv[0], iv[1], 12) != 0, "drawn anew for each");
    for (int bytes = 1; bytes <= 16; bytes++) { /* of fewer bytes than 12 one would soon be drawn again */
        EVP_CIPHER_CTX *c = sealing(p, key, NULL);
        CHECK(EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_SET_IVLEN, bytes, NULL) == 1, "IV of %d bytes", bytes);
        CHECK((EVP_EncryptUpdate(c, out, &done, out, 16) == 1) == (bytes >= 12), "a random IV of %d bytes", bytes);
        EVP_CIPHER_CTX_free(c);
    }
}

void test_aead_errors(const provided *p)
{
    wrong_order(p);
    refused_texts(p);
    same_key_again(p);
    lengths(p);
    tags_of_others(p);
    given_up(p);
    ends_by_cipher(p);
    if (is_ccm(p))
        ccm_alone(p);
    else
        short_tags(p);
    if (p->mode == EVP_CIPH_GCM_MODE) {
        drawn_iv(p);
        short_counter(p);
    }
    ERR_clear_error();
}
