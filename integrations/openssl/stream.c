/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Counter mode and stream ciphers as OpenSSL uses them. */
#include "stream.h"

#include <stdlib.h>

void *stream_new(const provider_context *p, const algorithm *a)
{
    stream_context *c = provider_allocate(p, sizeof *c, a->context_bytes, sizeof(runnel_stream));
    if (c != NULL) {
        c->provider = p;
        c->algorithm = a;
    }
    return c;
}

void stream_free(void *context)
{
    if (context != NULL)
        runnel_stream_wipe(library_stream(context));
    free(context);
}

void *stream_duplicate(void *context)
{
    const stream_context *c = context;
    return provider_duplicate(c->provider, c, sizeof *c, c->algorithm->context_bytes);
}

/* Bytes of a counter block, which the IV is as a whole; 1 for what has none. */
static uint64_t block_bytes(const stream_context *c)
{
    return c->algorithm->kind == KIND_CTR ? c->algorithm->iv_bytes : c->algorithm->kind == KIND_CHACHA20 ? 64 : 1;
}

/* Bytes of the last block that were used, 0 if all. */
static size_t used_of_block(stream_context *c)
{
    return c->iv_state == IV_USED ? (size_t)(runnel_stream_tell(library_stream(c)) % block_bytes(c)) : 0;
}

static void updated_iv(stream_context *c, uint8_t iv[16])
{
    memcpy(iv, c->iv, 16);
    if (c->iv_state != IV_USED)
        return;
    if (c->algorithm->kind == KIND_CHACHA20)
        chacha20_updated_iv(c, iv);
    if (c->algorithm->kind != KIND_CTR)
        return;
    const uint64_t position = runnel_stream_tell(library_stream(c)), block = block_bytes(c);
    uint64_t carry = position / block + (position % block > 0);
    for (size_t i = block; i-- > 0; carry >>= 8) {
        carry += iv[i];
        iv[i] = (uint8_t)carry;
    }
}

/* Where a message goes on if no IV is set: what counts, with the next block; under the same key too in counter mode, as
 * OpenSSL has it. A stream without a counter begins anew under a new key. */
static void begin_again(stream_context *c, int new_key)
{
    if (c->iv_state != IV_USED || (c->algorithm->kind != KIND_CTR && !new_key))
        return;
    updated_iv(c, c->iv);
    c->iv_state = IV_WAITS;
}

int stream_init(void *context, const unsigned char *key, size_t key_bytes, const unsigned char *iv, size_t iv_bytes,
                const OSSL_PARAM params[])
{
    stream_context *c = context;
    if (iv != NULL && iv_bytes != c->algorithm->iv_bytes)
        return FAIL(c, RUNNEL_ERR_IV_LENGTH);
    if (key != NULL && key_bytes != c->algorithm->key_bytes)
        return FAIL(c, RUNNEL_ERR_KEY_LENGTH);
    begin_again(c, key != NULL);
    if (key != NULL) {
        const int error = c->algorithm->key(c->context, key, key_bytes);
        if (error)
            return FAIL(c, error);
    }
    if (iv != NULL) {
        memcpy(c->given, iv, iv_bytes);
        memcpy(c->iv, iv, iv_bytes);
        c->iv_state = IV_WAITS;
    }
    return stream_set_params(c, params);
}

int stream_update(void *context, unsigned char *out, size_t *out_bytes, size_t room, const unsigned char *in,
                  size_t bytes)
{
    stream_context *c = context;
    if (room < bytes)
        return FAIL_FOR(c, REASON_ROOM);
    int error;
    if (in == NULL && bytes > 0) /* for the library that is a request for keystream */
        error = RUNNEL_ERR_NULL;
    else if (c->iv_state == IV_USED)
        error = runnel_stream_xor(library_stream(c), out, in, bytes);
    else if (c->iv_state == IV_NONE)
        error = RUNNEL_ERR_STATE;
    else
        error = runnel_stream_packet(library_stream(c), c->iv, c->algorithm->iv_bytes, RUNNEL_LAYOUT_DEFAULT, out, in,
                                     bytes);
    if (error)
        return FAIL(c, error);
    c->iv_state = IV_USED;
    *out_bytes = bytes;
    return 1;
}

int stream_final(void *context, unsigned char *out, size_t *out_bytes, size_t room)
{
    stream_context *c = context;
    (void)out;
    (void)room;
    if (library_stream(c)->cipher == NULL)
        return FAIL(c, RUNNEL_ERR_STATE);
    *out_bytes = 0;
    return 1;
}

/* ---- parameters ---- */

const OSSL_PARAM *stream_gettable(void *context, void *provider)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_IV, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_UPDATED_IV, NULL, 0),
        OSSL_PARAM_uint(OSSL_CIPHER_PARAM_NUM, NULL),
        OSSL_PARAM_END,
    };
    (void)context;
    (void)provider;
    return known;
}

int stream_get_params(void *context, OSSL_PARAM params[])
{
    stream_context *c = context;
    const size_t iv_bytes = c->algorithm->iv_bytes;
    for (OSSL_PARAM *p = params; p != NULL && p->key != NULL; p++) {
        int done = 1;
        if (param_is(p, OSSL_CIPHER_PARAM_IVLEN))
            done = param_set_size(p, iv_bytes);
        else if (param_is(p, OSSL_CIPHER_PARAM_KEYLEN))
            done = param_set_size(p, c->algorithm->key_bytes);
        else if (param_is(p, OSSL_CIPHER_PARAM_IV))
            done = param_set_bytes(p, c->given, iv_bytes);
        else if (param_is(p, OSSL_CIPHER_PARAM_UPDATED_IV)) {
            uint8_t iv[16];
            updated_iv(c, iv);
            done = p->data_type == OSSL_PARAM_OCTET_STRING && param_set_bytes(p, iv, iv_bytes);
        } else if (param_is(p, OSSL_CIPHER_PARAM_NUM))
            done = param_set_size(p, used_of_block(c));
        if (!done)
            return FAIL_FOR(c, REASON_PARAMETER);
    }
    return 1;
}

const OSSL_PARAM *stream_settable(void *context, void *provider)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),
        OSSL_PARAM_uint(OSSL_CIPHER_PARAM_NUM, NULL),
        OSSL_PARAM_END,
    };
    (void)context;
    (void)provider;
    return known;
}

/* Goes to byte `used` of the block that was used last; 0: to the block after it. */
static int set_used_of_block(stream_context *c, size_t used)
{
    if (used == used_of_block(c))
        return RUNNEL_OK;
    if (c->algorithm->kind != KIND_CTR || used >= block_bytes(c) || c->iv_state != IV_USED)
        return RUNNEL_ERR_SEEK;
    const uint64_t block = block_bytes(c), position = runnel_stream_tell(library_stream(c));
    const uint64_t next = position / block + (position % block > 0);
    if (used > 0 && next == 0)
        return RUNNEL_ERR_SEEK;
    return runnel_stream_seek(library_stream(c), (next - (used > 0)) * block + used);
}

int stream_set_params(void *context, const OSSL_PARAM params[])
{
    stream_context *c = context;
    for (const OSSL_PARAM *p = params; p != NULL && p->key != NULL; p++) {
        const int key_length = param_is(p, OSSL_CIPHER_PARAM_KEYLEN), iv_length = param_is(p, OSSL_CIPHER_PARAM_IVLEN);
        if (!key_length && !iv_length && !param_is(p, OSSL_CIPHER_PARAM_NUM))
            continue;
        size_t value;
        if (!param_get_size(p, &value))
            return FAIL_FOR(c, REASON_PARAMETER);
        int error = RUNNEL_OK; /* programs set the lengths to what they are */
        if (key_length)
            error = value == c->algorithm->key_bytes ? RUNNEL_OK : RUNNEL_ERR_KEY_LENGTH;
        else if (iv_length)
            error = value == c->algorithm->iv_bytes ? RUNNEL_OK : RUNNEL_ERR_IV_LENGTH;
        else
            error = set_used_of_block(c, value);
        if (error)
            return FAIL(c, error);
    }
    return 1;
}
