/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-GCM (RFC 7714). libsrtp gives nonce, associated data in one or two pieces, and text in calls of their own; they are
 * kept until the text comes, so that a packet is one call of the library's. Associated data that are longer than a header
 * usually is go to it in pieces. */
#include "types.h"

#include "vectors.h"

enum { NONCE = 12, TAG = 16, MOST_KEPT = 128 };

typedef struct gcm {
    uint8_t key_bytes, tag_bytes;
    uint8_t in_pieces; /* 1: the library has the nonce and all associated data so far */
    uint8_t kept;      /* bytes of associated data */
    uint8_t nonce[NONCE], tag[TAG], aad[MOST_KEPT];
    RUNNEL_ALIGNED uint8_t cipher[RUNNEL_SRTP_AES_GCM_BYTES];
} gcm;

static runnel_aead_context *context(gcm *s)
{
    return (void *)s->cipher;
}

static srtp_err_status_t make(srtp_cipher_t **c, int key_len, int tag_len)
{
    const srtp_cipher_type_t *type = key_len == SRTP_AES_GCM_128_KEY_LEN_WSALT   ? &runnel_gcm_128
                                     : key_len == SRTP_AES_GCM_256_KEY_LEN_WSALT ? &runnel_gcm_256
                                                                                 : NULL;
    if (type == NULL || (tag_len != 8 && tag_len != 16))
        return srtp_err_status_bad_param;
    gcm *state = runnel_new_cipher(c, type, key_len, sizeof(gcm));
    if (state == NULL)
        return srtp_err_status_alloc_fail;
    state->key_bytes = (uint8_t)(key_len - SRTP_AEAD_SALT_LEN);
    state->tag_bytes = (uint8_t)tag_len;
    return srtp_err_status_ok;
}

static srtp_err_status_t dealloc(srtp_cipher_t *c)
{
    return runnel_free_cipher(c, sizeof(gcm));
}

static srtp_err_status_t set_key(void *state, const uint8_t *key)
{
    gcm *s = state;
    return runnel_status(runnel_srtp_aes_gcm_key(s->cipher, key, s->key_bytes));
}

static srtp_err_status_t set_iv(void *state, uint8_t *iv, srtp_cipher_direction_t direction)
{
    gcm *s = state;
    if (direction != srtp_direction_encrypt && direction != srtp_direction_decrypt)
        return srtp_err_status_bad_param;
    memcpy(s->nonce, iv, NONCE);
    s->kept = s->in_pieces = 0;
    return srtp_err_status_ok;
}

static srtp_err_status_t set_aad(void *state, const uint8_t *aad, uint32_t bytes)
{
    gcm *s = state;
    if (!s->in_pieces && bytes <= MOST_KEPT - (uint32_t)s->kept) {
        memcpy(s->aad + s->kept, aad, bytes);
        s->kept = (uint8_t)(s->kept + bytes);
        return srtp_err_status_ok;
    }
    int error = RUNNEL_OK;
    if (!s->in_pieces) {
        error = runnel_aead_start(context(s), s->nonce, NONCE, s->tag_bytes);
        if (!error)
            error = runnel_aead_aad(context(s), s->aad, s->kept);
        s->in_pieces = !error;
    }
    if (!error)
        error = runnel_aead_aad(context(s), aad, bytes);
    return runnel_status(error);
}

static srtp_err_status_t encrypt(void *state, uint8_t *buffer, unsigned int *bytes)
{
    gcm *s = state;
    int error;
    if (s->in_pieces) {
        error = runnel_aead_encrypt(context(s), buffer, buffer, *bytes);
        if (!error)
            error = runnel_aead_tag(context(s), s->tag, s->tag_bytes);
    } else {
        error = runnel_aead_seal(context(s), s->nonce, NONCE, s->aad, s->kept, buffer, buffer, *bytes, s->tag,
                                 s->tag_bytes);
    }
    s->kept = s->in_pieces = 0;
    return runnel_status(error);
}

static srtp_err_status_t get_tag(void *state, uint8_t *tag, uint32_t *bytes)
{
    const gcm *s = state;
    memcpy(tag, s->tag, s->tag_bytes);
    *bytes = s->tag_bytes;
    return srtp_err_status_ok;
}

static srtp_err_status_t decrypt(void *state, uint8_t *buffer, unsigned int *bytes)
{
    gcm *s = state;
    int error;
    if (*bytes < s->tag_bytes)
        return srtp_err_status_bad_param;
    const unsigned text = *bytes - s->tag_bytes;
    const uint8_t *tag = buffer + text;
    if (s->in_pieces) {
        error = runnel_aead_decrypt(context(s), buffer, buffer, text);
        if (!error)
            error = runnel_aead_verify(context(s), tag, s->tag_bytes);
        if (error)
            runnel_wipe(buffer, text);
    } else {
        error = runnel_aead_open(context(s), s->nonce, NONCE, s->aad, s->kept, buffer, buffer, text, tag, s->tag_bytes);
    }
    s->kept = s->in_pieces = 0;
    if (!error)
        *bytes = text;
    return runnel_status(error);
}

#define GCM(bits)                                                                                                      \
    const srtp_cipher_type_t runnel_gcm_##bits = {make,                                                                \
                                                  dealloc,                                                             \
                                                  set_key,                                                             \
                                                  set_aad,                                                             \
                                                  encrypt,                                                             \
                                                  decrypt,                                                             \
                                                  set_iv,                                                              \
                                                  get_tag,                                                             \
                                                  "AES-" #bits " GCM by Runnel",                                       \
                                                  &runnel_gcm_##bits##_vector,                                         \
                                                  SRTP_AES_GCM_##bits};
GCM(128)
GCM(256)
