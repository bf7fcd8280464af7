/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AEADs as OpenSSL uses them: set-up of all, and messages in pieces. Associated data are an update without output; the
 * tag is a parameter, after the last piece for sealing and before it for opening. */
#define _DEFAULT_SOURCE /* getentropy */
#include "aead.h"

#include <stdlib.h>
#include <unistd.h>

enum { COUNTER = 8, IV_USUAL = 12, CCM_IV_DEFAULT = 7, CCM_TAG_DEFAULT = 12 };

void *aead_new(const provider_context *p, const algorithm *a)
{
    aead_context *c = provider_allocate(p, sizeof *c, a->context_bytes, sizeof(runnel_aead_context));
    if (c != NULL) {
        c->provider = p;
        c->algorithm = a;
        c->iv_bytes = a->kind == KIND_CCM ? CCM_IV_DEFAULT : a->iv_bytes; /* OpenSSL's */
        c->tag_bytes = a->kind == KIND_CCM ? CCM_TAG_DEFAULT : LONGEST_TAG;
    }
    return c;
}

void aead_free(void *context)
{
    if (context != NULL) {
        runnel_aead_wipe(library_aead(context));
        siv_forget(context);
    }
    free(context);
}

void *aead_duplicate(void *context)
{
    const aead_context *c = context;
    aead_context *copy = provider_duplicate(c->provider, c, sizeof *c, c->algorithm->context_bytes);
    if (copy != NULL && !siv_duplicate(copy)) {
        aead_free(copy);
        return NULL;
    }
    return copy;
}

/* ---- IVs ---- */

static int takes_iv_length(const aead_context *c, size_t bytes)
{
    switch (c->algorithm->kind) {
    case KIND_GCM:
        return bytes >= 1 && bytes <= LONGEST_IV;
    case KIND_CCM:
        return bytes >= 7 && bytes <= 13;
    default:
        return bytes == c->algorithm->iv_bytes;
    }
}

int aead_random_iv(aead_context *c, size_t from)
{
    if (from >= c->iv_bytes)
        return FAIL(c, RUNNEL_ERR_IV_LENGTH);
    if (getentropy(c->iv + from, c->iv_bytes - from) != 0)
        return FAIL_FOR(c, REASON_RANDOM);
    c->iv_state = IV_READY;
    c->unused = 1;
    return 1;
}

/* OpenSSL's GCM seals under a random IV if the program gives none. */
static int draw_missing_iv(aead_context *c)
{
    if (c->iv_state != IV_NONE)
        return 1;
    if (c->algorithm->kind != KIND_GCM || !c->encrypts || c->iv_bytes < IV_USUAL)
        return FAIL(c, RUNNEL_ERR_STATE);
    return aead_random_iv(c, 0);
}

int aead_start(aead_context *c, size_t tag_bytes)
{
    if (!c->keyed)
        return FAIL(c, RUNNEL_ERR_STATE);
    if (!draw_missing_iv(c))
        return 0;
    const int error = runnel_aead_start(library_aead(c), c->iv, c->iv_bytes, tag_bytes);
    if (error)
        return FAIL(c, error);
    c->iv_state = IV_USED;
    c->unused = 0;
    c->made_tag = 0;
    return 1;
}

/* A message that the program began without asking for the next IV has used it up. OpenSSL seals under it again; to
 * count past it would put the two sides out of step without a word. */
static int has_next_iv(const aead_context *c)
{
    const int used_up = c->encrypts && !c->unused;
    return c->counts && c->keyed && c->iv_bytes >= COUNTER && !used_up;
}

static void count_iv(aead_context *c, uint8_t *out, size_t count)
{
    if (count == 0 || count > c->iv_bytes)
        count = c->iv_bytes;
    memcpy(out, c->iv + c->iv_bytes - count, count);
    for (size_t i = c->iv_bytes; i-- > c->iv_bytes - COUNTER && ++c->iv[i] == 0;)
        ;
    c->unused = 1;
}

int aead_next_iv(aead_context *c, uint8_t *out, size_t count)
{
    if (!has_next_iv(c))
        return FAIL(c, RUNNEL_ERR_STATE);
    count_iv(c, out, count);
    return 1;
}

/* Starts a message under the IV that is due, and says which it is (OpenSSH does this for each packet). */
static int start_with_next_iv(aead_context *c, uint8_t *out, size_t count)
{
    if (!has_next_iv(c))
        return FAIL(c, RUNNEL_ERR_STATE);
    if (!aead_start(c, LONGEST_TAG))
        return 0;
    count_iv(c, out, count);
    return 1;
}

/* The same when opening: the program knows the end of the IV. */
static int start_with_given_iv(aead_context *c, const uint8_t *end, size_t count)
{
    if (!c->counts || !c->keyed || c->encrypts || count > c->iv_bytes)
        return FAIL(c, RUNNEL_ERR_STATE);
    memcpy(c->iv + c->iv_bytes - count, end, count);
    return aead_start(c, LONGEST_TAG);
}

static int init(aead_context *c, const uint8_t *key, size_t key_bytes, const uint8_t *iv, size_t iv_bytes,
                const OSSL_PARAM params[])
{
    if (key != NULL && key_bytes != c->algorithm->key_bytes)
        return FAIL(c, RUNNEL_ERR_KEY_LENGTH);
    if (iv != NULL && (!takes_iv_length(c, iv_bytes) || (c->algorithm->kind == KIND_CCM && iv_bytes != c->iv_bytes)))
        return FAIL(c, RUNNEL_ERR_IV_LENGTH);
    if (key != NULL) {
        const int error = c->algorithm->key(c->context, key, key_bytes);
        if (error)
            return FAIL(c, error);
        c->keyed = 1;
        if (c->iv_state == IV_USED) /* the key may be the same */
            c->iv_state = IV_SPENT;
    }
    if (iv != NULL) {
        memcpy(c->iv, iv, iv_bytes);
        c->iv_bytes = iv_bytes;
        c->iv_state = IV_READY;
        c->unused = 1;
    }
    if (key != NULL || iv != NULL) {
        c->text = TEXT_AWAITED;
        c->made_tag = c->has_record = 0;
        siv_forget(c);
    }
    return aead_set_params(c, params);
}

/* A message ends in the direction in which it began: what follows needs an IV. */
static void turn(aead_context *c, uint8_t encrypts)
{
    if (c->encrypts != encrypts && c->iv_state == IV_USED)
        c->iv_state = IV_SPENT;
    c->encrypts = encrypts;
}

int aead_encrypt_init(void *context, const unsigned char *key, size_t key_bytes, const unsigned char *iv,
                      size_t iv_bytes, const OSSL_PARAM params[])
{
    aead_context *c = context;
    turn(c, 1);
    c->has_tag = 0; /* what sealing makes takes its place */
    return init(c, key, key_bytes, iv, iv_bytes, params);
}

int aead_decrypt_init(void *context, const unsigned char *key, size_t key_bytes, const unsigned char *iv,
                      size_t iv_bytes, const OSSL_PARAM params[])
{
    aead_context *c = context;
    turn(c, 0);
    c->made_tag = 0;
    return init(c, key, key_bytes, iv, iv_bytes, params);
}

/* ---- messages in pieces ---- */

/* A message has begun, or begins now. */
static int in_message(aead_context *c)
{
    if (c->iv_state == IV_USED)
        return 1;
    if (c->iv_state == IV_SPENT || c->iv_state == IV_RECORDS)
        return FAIL(c, RUNNEL_ERR_STATE);
    return aead_start(c, LONGEST_TAG);
}

int aead_update(void *context, unsigned char *out, size_t *out_bytes, size_t room, const unsigned char *in,
                size_t bytes)
{
    aead_context *c = context;
    *out_bytes = 0;
    if (bytes == 0)
        return 1;
    if (room < bytes)
        return FAIL_FOR(c, REASON_ROOM);
    if (c->has_record)
        return record_crypt(c, out, out_bytes, in, bytes);
    if (!in_message(c))
        return 0;
    int error;
    if (out == NULL)
        error = runnel_aead_aad(library_aead(c), in, bytes);
    else if (c->encrypts)
        error = runnel_aead_encrypt(library_aead(c), out, in, bytes);
    else
        error = runnel_aead_decrypt(library_aead(c), out, in, bytes);
    if (error && c->encrypts && out != NULL)
        c->iv_state = IV_SPENT; /* no end, and no tag, for a text that lacks a piece */
    if (error)
        return FAIL(c, error);
    *out_bytes = bytes;
    return 1;
}

int aead_final(void *context, unsigned char *out, size_t *out_bytes, size_t room)
{
    aead_context *c = context;
    (void)out;
    (void)room;
    *out_bytes = 0;
    if (!c->encrypts && !c->has_tag)
        return FAIL_FOR(c, REASON_NO_TAG);
    if (!in_message(c))
        return 0;
    c->iv_state = IV_SPENT;
    if (c->encrypts) {
        const int error = runnel_aead_tag(library_aead(c), c->tag, LONGEST_TAG);
        c->made_tag = !error;
        return error ? FAIL(c, error) : 1;
    }
    if (!runnel_aead_takes_tag(library_aead(c)->aead, c->tag_bytes))
        return FAIL(c, RUNNEL_ERR_TAG_LENGTH);
    /* Only now is its length certain. It decides nothing in these AEADs but where the tag is cut. */
    library_aead(c)->tag_bytes = (uint8_t)c->tag_bytes;
    /* A wrong tag leaves OpenSSL's queue of errors empty: programs tell forgeries from other failures by that. */
    return runnel_aead_verify(library_aead(c), c->tag, c->tag_bytes) == RUNNEL_OK;
}

int aead_cipher(void *context, unsigned char *out, size_t *out_bytes, size_t room, const unsigned char *in,
                size_t bytes)
{
    const aead_context *c = context;
    return in == NULL && !c->has_record ? aead_final(context, out, out_bytes, room)
                                        : aead_update(context, out, out_bytes, room, in, bytes);
}

/* ---- parameters ---- */

const OSSL_PARAM *aead_gettable(void *context, void *provider)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_AEAD_TAGLEN, NULL),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_IV, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_UPDATED_IV, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, NULL, 0),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD, NULL),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TLS1_GET_IV_GEN, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)context;
    (void)provider;
    return known;
}

/* Hands out as much of the tag as the program has asked for; in CCM that has to be its length. */
static int get_tag(aead_context *c, OSSL_PARAM *p)
{
    if (p->data_type != OSSL_PARAM_OCTET_STRING)
        return FAIL_FOR(c, REASON_PARAMETER);
    if (!c->encrypts || !c->made_tag)
        return FAIL_FOR(c, REASON_NO_TAG);
    const size_t bytes = p->data == NULL ? c->tag_bytes : p->data_size;
    if (!runnel_aead_takes_tag(library_aead(c)->aead, bytes) ||
        (c->algorithm->kind == KIND_CCM && bytes != c->tag_bytes))
        return FAIL(c, RUNNEL_ERR_TAG_LENGTH);
    return param_set_bytes(p, c->tag, bytes);
}

int aead_get_params(void *context, OSSL_PARAM params[])
{
    aead_context *c = context;
    for (OSSL_PARAM *p = params; p != NULL && p->key != NULL; p++) {
        int done = 1;
        if (param_is(p, OSSL_CIPHER_PARAM_IVLEN)) {
            done = param_set_size(p, c->iv_bytes);
        } else if (param_is(p, OSSL_CIPHER_PARAM_KEYLEN)) {
            done = param_set_size(p, c->algorithm->key_bytes);
        } else if (param_is(p, OSSL_CIPHER_PARAM_AEAD_TAG)) {
            if (!get_tag(c, p))
                return 0;
        } else if (param_is(p, OSSL_CIPHER_PARAM_AEAD_TAGLEN)) {
            done = param_set_size(p, c->tag_bytes);
        } else if (param_is(p, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD)) {
            done = param_set_size(p, c->record_pad);
        } else if (param_is(p, OSSL_CIPHER_PARAM_IV) || param_is(p, OSSL_CIPHER_PARAM_UPDATED_IV)) {
            if (c->algorithm->kind == KIND_GCM && !draw_missing_iv(c))
                return 0;
            done = param_set_bytes(p, c->iv, c->iv_bytes);
        } else if (param_is(p, OSSL_CIPHER_PARAM_AEAD_TLS1_GET_IV_GEN)) {
            if (p->data == NULL || p->data_type != OSSL_PARAM_OCTET_STRING)
                done = 0;
            else if (!start_with_next_iv(c, p->data, p->data_size))
                return 0;
        }
        if (!done)
            return FAIL_FOR(c, REASON_PARAMETER);
    }
    return 1;
}

const OSSL_PARAM *aead_settable(void *context, void *provider)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TLS1_AAD, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TLS1_SET_IV_INV, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)context;
    (void)provider;
    return known;
}

/* The tag to compare with; without data only its length, which CCM has to know before the message. */
static int set_tag(aead_context *c, const OSSL_PARAM *p)
{
    const cipher_kind kind = c->algorithm->kind;
    const size_t bytes = p->data_size;
    if (bytes == 0 || bytes > LONGEST_TAG || (kind == KIND_CCM && (bytes < 4 || bytes % 2 != 0)))
        return FAIL(c, RUNNEL_ERR_TAG_LENGTH);
    if (p->data == NULL && kind == KIND_GCM)
        return FAIL_FOR(c, REASON_PARAMETER);
    if (p->data != NULL) {
        if (c->encrypts)
            return FAIL(c, RUNNEL_ERR_STATE);
        memcpy(c->tag, p->data, bytes);
        c->has_tag = 1;
    }
    c->tag_bytes = bytes;
    return 1;
}

static int set_iv_length(aead_context *c, const OSSL_PARAM *p)
{
    size_t bytes;
    if (!param_get_size(p, &bytes))
        return FAIL_FOR(c, REASON_PARAMETER);
    if (!takes_iv_length(c, bytes))
        return FAIL(c, RUNNEL_ERR_IV_LENGTH);
    if (bytes != c->iv_bytes && c->iv_state != IV_NONE)
        c->iv_state = IV_SPENT; /* the one that was there had another length */
    c->iv_bytes = bytes;
    return 1;
}

static int set_bytes(aead_context *c, const OSSL_PARAM *p)
{
    if (p->data_type != OSSL_PARAM_OCTET_STRING)
        return FAIL_FOR(c, REASON_PARAMETER);
    if (param_is(p, OSSL_CIPHER_PARAM_AEAD_TAG))
        return set_tag(c, p);
    if (p->data == NULL)
        return FAIL_FOR(c, REASON_PARAMETER);
    if (param_is(p, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD))
        return record_header(c, p->data, p->data_size);
    if (param_is(p, OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED))
        return record_fixed_iv(c, p->data, p->data_size);
    return start_with_given_iv(c, p->data, p->data_size);
}

int aead_set_params(void *context, const OSSL_PARAM params[])
{
    aead_context *c = context;
    for (const OSSL_PARAM *p = params; p != NULL && p->key != NULL; p++) {
        size_t value;
        if (param_is(p, OSSL_CIPHER_PARAM_AEAD_TAG) || param_is(p, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD) ||
            param_is(p, OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED) || param_is(p, OSSL_CIPHER_PARAM_AEAD_TLS1_SET_IV_INV)) {
            if (!set_bytes(c, p))
                return 0;
        } else if (param_is(p, OSSL_CIPHER_PARAM_IVLEN)) {
            if (!set_iv_length(c, p))
                return 0;
        } else if (param_is(p, OSSL_CIPHER_PARAM_KEYLEN)) {
            if (!param_get_size(p, &value))
                return FAIL_FOR(c, REASON_PARAMETER);
            if (value != c->algorithm->key_bytes)
                return FAIL(c, RUNNEL_ERR_KEY_LENGTH);
        }
    }
    return 1;
}
