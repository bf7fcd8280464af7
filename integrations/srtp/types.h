/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* All that depends on libsrtp's version: its headers, and what the types share. libsrtp 2.x, from 2.3 on. */
#ifndef RUNNEL_SRTP_TYPES_H
#define RUNNEL_SRTP_TYPES_H

#include <srtp2/auth.h>
#include <srtp2/cipher.h>
#include <srtp2/crypto_types.h>

#include <stdlib.h>
#include <string.h>

#include "arch/common/wipe.h"
#include "srtp/ciphers.h"

extern const srtp_cipher_type_t runnel_icm_128, runnel_icm_192, runnel_icm_256, runnel_gcm_128, runnel_gcm_256;
extern const srtp_auth_type_t runnel_hmac_sha1;

/* libsrtp's word for an error of the library's. */
static inline srtp_err_status_t runnel_status(int error)
{
    switch (error) {
    case RUNNEL_OK:
        return srtp_err_status_ok;
    case RUNNEL_ERR_TAG:
        return srtp_err_status_auth_fail;
    case RUNNEL_ERR_LIMIT:
        return srtp_err_status_terminus;
    default:
        return srtp_err_status_bad_param;
    }
}

/* Makes a cipher and its state in one piece of memory; returns NULL where there is none. */
static inline void *runnel_new_cipher(srtp_cipher_t **c, const srtp_cipher_type_t *type, int key_len, size_t bytes)
{
    const size_t before = (sizeof(srtp_cipher_t) + RUNNEL_ALIGN - 1) / RUNNEL_ALIGN * RUNNEL_ALIGN;
    uint8_t *const memory = calloc(1, before + bytes);
    if (memory == NULL)
        return NULL;
    *c = (void *)memory;
    (*c)->type = type;
    (*c)->state = memory + before;
    (*c)->key_len = key_len;
    (*c)->algorithm = (int)type->id;
    return (*c)->state;
}

static inline srtp_err_status_t runnel_free_cipher(srtp_cipher_t *c, size_t bytes)
{
    runnel_wipe(c->state, bytes);
    free(c);
    return srtp_err_status_ok;
}

#endif
