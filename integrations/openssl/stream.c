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
    if (context != NULL) {
        runnel_keystream_wipe(&((stream_context *)context)->ahead);
        runnel_stream_wipe(library_stream(context));
    }
    free(context);
}

void *stream_duplicate(void *context)
{
    const stream_context *c = context;
    return provider_duplicate(c->provider, c, sizeof *c, c->algorithm->context_bytes);
}

/* Bytes of a block that has a number; 1 where there are none. */
static uint64_t block_bytes(const stream_context *c)
{
    return c->algorithm->kind == KIND_CTR ? c->algorithm->iv_bytes : c->algorithm->kind == KIND_CHACHA20 ? 64 : 1;
}

/* Returns how many blocks of the message were used, the last perhaps in part, and how much of that in *used; 0: all. */
static uint64_t blocks_used(stream_context *c, size_t *used)
{
    *used = 0;
    if (c->iv_state != IV_USED)
        return 0;
    const uint64_t block = block_bytes(c), position = runnel_stream_tell(library_stream(c)) - c->ahead.left;
    *used = (size_t)(position % block);
    return position / block + (*used > 0);
}

/* The IV with which the message would continue after the last block that was used. */
static void updated_iv(stream_context *c, uint8_t iv[16])
{
    size_t used;
    const uint64_t blocks = blocks_used(c, &used);
    memcpy(iv, c->iv, 16);
    if (c->iv_state != IV_USED)
        return;
    if (c->algorithm->kind == KIND_CHACHA20)
        chacha20_set_counter(iv, c->first + blocks);
    if (c->algorithm->kind == KIND_CTR) {
        const int error = runnel_stream_counter(library_stream(c), blocks, iv);
        (void)error; /* there is none: the message has begun, and the block before that one was made */
    }
}

static void show_iv(stream_context *c)
{
    updated_iv(c, c->shown[0]);
    memcpy(c->shown[1], c->shown[0], sizeof c->shown[1]);
}

/* EVP_CIPHER_CTX_iv_noconst gives a pointer to the IV, and what programs write there counts from the next call on. */
static void take_written_iv(stream_context *c)
{
    if (memcmp(c->shown[0], c->shown[1], sizeof c->shown[0]) == 0)
        return;
    memcpy(c->iv, c->shown[0], sizeof c->iv);
    c->iv_state = IV_WAITS;
    runnel_keystream_wipe(&c->ahead);
}

/* Where a message continues if no IV is set: what counts, with the next block; under the same key too in counter mode, as
 * OpenSSL has it. A stream without a counter needs an IV with every key: the key may be the same. */
static void begin_again(stream_context *c, int new_key)
{
    if (c->iv_state != IV_USED || (c->algorithm->kind != KIND_CTR && !new_key))
        return;
    updated_iv(c, c->iv);
    c->iv_state = c->algorithm->kind == KIND_STREAM ? IV_NONE : IV_WAITS;
    runnel_keystream_wipe(&c->ahead);
}

int stream_init(void *context, const unsigned char *key, size_t key_bytes, const unsigned char *iv, size_t iv_bytes,
                const OSSL_PARAM params[])
{
    stream_context *c = context;
    if (iv != NULL && iv_bytes != c->algorithm->iv_bytes)
        return FAIL(c, RUNNEL_ERR_IV_LENGTH);
    if (key != NULL && key_bytes != c->algorithm->key_bytes)
        return FAIL(c, RUNNEL_ERR_KEY_LENGTH);
    if (c->watched)
        take_written_iv(c);
    begin_again(c, key != NULL);
    if (key != NULL) {
        const int error = c->algorithm->key(c->context, key, key_bytes);
        if (error)
            return FAIL(c, error);
    }
    if (iv != NULL) {
        if (iv_bytes == sizeof c->iv) { /* copies of known length are a load and two stores */
            memcpy(c->given, iv, sizeof c->given);
            memcpy(c->iv, iv, sizeof c->iv);
        } else {
            memcpy(c->given, iv, iv_bytes);
            memcpy(c->iv, iv, iv_bytes);
        }
        c->iv_state = IV_WAITS;
        runnel_keystream_wipe(&c->ahead);
    }
    if (c->watched)
        show_iv(c);
    return stream_set_params(c, params);
}

/* The first piece of a message. */
static int first_piece(stream_context *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    if (c->iv_state == IV_NONE)
        return RUNNEL_ERR_STATE;
    if (c->algorithm->kind == KIND_CHACHA20)
        return chacha20_packet(c, out, in, bytes);
    return runnel_stream_packet(library_stream(c), c->iv, c->algorithm->iv_bytes, RUNNEL_LAYOUT_DEFAULT, out, in,
                                bytes);
}

/* Any other. */
static inline int next_piece(stream_context *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    const int error = runnel_stream_xor_ahead(library_stream(c), &c->ahead, out, in, bytes);
    return error == RUNNEL_ERR_LIMIT && c->algorithm->kind == KIND_CHACHA20 ? chacha20_xor(c, out, in, bytes) : error;
}

static int update(stream_context *c, unsigned char *out, size_t *out_bytes, size_t room, const unsigned char *in,
                  size_t bytes)
{
    *out_bytes = bytes;
    if (bytes == 0 && c->iv_state == IV_USED)
        return 1;
    if (room < bytes)
        return FAIL_FOR(c, REASON_ROOM);
    if ((in == NULL || out == NULL) && bytes > 0)
        return FAIL(c, RUNNEL_ERR_NULL);
    const int error = c->iv_state == IV_USED ? next_piece(c, out, in, bytes) : first_piece(c, out, in, bytes);
    if (error)
        return FAIL(c, error);
    c->iv_state = IV_USED;
    return 1;
}

int stream_update(void *context, unsigned char *out, size_t *out_bytes, size_t room, const unsigned char *in,
                  size_t bytes)
{
    stream_context *c = context;
    if (!c->watched)
        return update(c, out, out_bytes, room, in, bytes);
    take_written_iv(c);
    const int done = update(c, out, out_bytes, room, in, bytes);
    show_iv(c);
    return done;
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
            if (c->watched)
                take_written_iv(c);
            show_iv(c);
            c->watched |= p->data_type == OSSL_PARAM_OCTET_PTR;
            done = param_set_bytes(p, c->shown[0], iv_bytes);
        } else if (param_is(p, OSSL_CIPHER_PARAM_NUM)) {
            size_t used;
            (void)blocks_used(c, &used);
            done = param_set_size(p, used);
        }
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
    size_t now;
    const uint64_t blocks = blocks_used(c, &now), block = block_bytes(c);
    if (used == now)
        return RUNNEL_OK;
    if (c->algorithm->kind != KIND_CTR || used >= block || blocks == 0)
        return RUNNEL_ERR_SEEK;
    runnel_keystream_wipe(&c->ahead);
    return runnel_stream_seek(library_stream(c), (blocks - (used > 0)) * block + used);
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
