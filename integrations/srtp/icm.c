/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES in integer counter mode (RFC 3711 4.1.1). A key is AES's and the salt behind it. */
#include "types.h"

#include "vectors.h"

typedef struct icm {
    uint8_t salt[SRTP_SALT_LEN];
    uint8_t key_bytes;
    RUNNEL_ALIGNED uint8_t cipher[RUNNEL_SRTP_AES_CTR_BYTES];
} icm;

static srtp_err_status_t make(srtp_cipher_t **c, int key_len, int tag_len)
{
    const srtp_cipher_type_t *type = key_len == SRTP_AES_ICM_128_KEY_LEN_WSALT   ? &runnel_icm_128
                                     : key_len == SRTP_AES_ICM_192_KEY_LEN_WSALT ? &runnel_icm_192
                                     : key_len == SRTP_AES_ICM_256_KEY_LEN_WSALT ? &runnel_icm_256
                                                                                 : NULL;
    (void)tag_len;
    if (type == NULL)
        return srtp_err_status_bad_param;
    icm *state = runnel_new_cipher(c, type, key_len, sizeof(icm));
    if (state == NULL)
        return srtp_err_status_alloc_fail;
    state->key_bytes = (uint8_t)(key_len - SRTP_SALT_LEN);
    return srtp_err_status_ok;
}

static srtp_err_status_t dealloc(srtp_cipher_t *c)
{
    return runnel_free_cipher(c, sizeof(icm));
}

static srtp_err_status_t set_key(void *state, const uint8_t *key)
{
    icm *s = state;
    memcpy(s->salt, key + s->key_bytes, sizeof s->salt);
    return runnel_status(runnel_srtp_aes_ctr_key(s->cipher, key, s->key_bytes));
}

static srtp_err_status_t set_iv(void *state, uint8_t *iv, srtp_cipher_direction_t direction)
{
    icm *s = state;
    uint8_t first[16] = {[14] = iv[14], [15] = iv[15]};
    (void)direction;
    for (unsigned i = 0; i < sizeof s->salt; i++)
        first[i] = s->salt[i] ^ iv[i];
    return runnel_status(runnel_stream_iv((void *)s->cipher, first, sizeof first, RUNNEL_BE16));
}

static srtp_err_status_t crypt(void *state, uint8_t *buffer, unsigned int *bytes)
{
    icm *s = state;
    return runnel_status(runnel_stream_xor((void *)s->cipher, buffer, buffer, *bytes));
}

#define ICM(bits)                                                                                                      \
    const srtp_cipher_type_t runnel_icm_##bits = {make,                                                                \
                                                  dealloc,                                                             \
                                                  set_key,                                                             \
                                                  NULL,                                                                \
                                                  crypt,                                                               \
                                                  crypt,                                                               \
                                                  set_iv,                                                              \
                                                  NULL,                                                                \
                                                  "AES-" #bits " ICM by Runnel",                                       \
                                                  &runnel_icm_##bits##_vector,                                         \
                                                  SRTP_AES_ICM_##bits};
ICM(128)
ICM(192)
ICM(256)
