/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Encryption and decryption as verbs of their own, for ciphers in which they differ and for all others. */
#include "driver.h"

static int encrypt_decrypt_crypt(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes, int decrypt)
{
    if (s == NULL)
        return RUNNEL_ERR_NULL;
    if (s->stage != RUNNEL_IV_SET)
        return RUNNEL_ERR_STATE;
    const runnel_directions *directions = s->cipher->directions;
    if (directions == NULL)
        return runnel_stream_xor(s, out, in, bytes);
    if (bytes == 0)
        return RUNNEL_OK;
    if (in == NULL)
        return RUNNEL_ERR_NULL;
    int error = runnel_check_call(s, out, in, bytes);
    if (error)
        return error;
    (decrypt ? directions->decrypt : directions->encrypt)(s, out, in, bytes);
    return RUNNEL_OK;
}

int runnel_stream_encrypt(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return encrypt_decrypt_crypt(s, out, in, bytes, 0);
}

int runnel_stream_decrypt(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return encrypt_decrypt_crypt(s, out, in, bytes, 1);
}
