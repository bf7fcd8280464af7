/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A new IV and its message in one verb, all of whose errors are decided before anything changes. */
#include "driver.h"

/* The limit, in blocks, of a message in that layout. */
RUNNEL_INLINE runnel_count packet_blocks_of(const runnel_cipher *cipher, int layout)
{
    return cipher->mode == RUNNEL_MODE_CTR ? runnel_counter_period(layout) : runnel_narrow_count(cipher->blocks);
}

/* Decides every error of a message of `bytes` bytes from a new IV on. */
RUNNEL_INLINE int packet_check_message(const runnel_cipher *cipher, runnel_count blocks, const uint8_t *out,
                                       const uint8_t *in, size_t bytes)
{
    const runnel_stream at_start = {.cipher = cipher, .blocks = blocks};
    return bytes == 0 ? RUNNEL_OK : runnel_check_call(&at_start, out, in, bytes);
}

/* Any packet. */
static RUNNEL_COLD int packet(runnel_stream *s, const uint8_t *iv, size_t iv_bytes, int layout, uint8_t *out,
                              const uint8_t *in, size_t bytes)
{
    int error = runnel_check_iv(s, iv, iv_bytes, &layout);
    if (error)
        return error;
    const runnel_count blocks = packet_blocks_of(s->cipher, layout);
    error =
        s->cipher->directions != NULL ? RUNNEL_ERR_DIRECTION : packet_check_message(s->cipher, blocks, out, in, bytes);
    if (error)
        return error;
    runnel_begin(s, iv, iv_bytes, layout, &blocks);
    return bytes > 0 ? RUNNEL_XOR_CHECKED(s, out, in, bytes) : RUNNEL_OK;
}

#if RUNNEL_TAILS
/* In counter mode, where the caller has the first counter block, one check of everything takes the place of the general
 * ones, which would cost half of the time of one block of AES. Returns the layout; 0 where the general ones decide. */
RUNNEL_INLINE int packet_check_counter(const runnel_cipher *cipher, const uint8_t *iv, size_t iv_bytes, int layout,
                                       const uint8_t *out, const uint8_t *in, size_t bytes)
{
    if (iv == NULL || out == NULL || bytes == 0 || iv_bytes != 16 || runnel_partial_overlap(out, in, bytes))
        return 0;
    if (layout == RUNNEL_LAYOUT_DEFAULT)
        return cipher->layout;
    return (unsigned)layout < RUNNEL_LAYOUTS && (cipher->layouts >> layout & 1) ? layout : 0;
}

/* The message's limits, and its counter block in the context. */
RUNNEL_INLINE void packet_begin_counter(runnel_stream *s, const uint8_t *iv, int layout)
{
    memcpy(((runnel_ctr_head *)s)->first, iv, 16);
    runnel_message_limits(s, layout, runnel_counter_period(layout));
}

/* In counter mode, where the kernel's packet does not make it. */
static RUNNEL_COLD int packet_long_counter(runnel_stream *s, const uint8_t *iv, size_t iv_bytes, int layout,
                                           uint8_t *out, const uint8_t *in, size_t bytes)
{
    const int number = packet_check_counter(s->cipher, iv, iv_bytes, layout, out, in, bytes);
    const runnel_count period = runnel_counter_period(number);
    if (number == 0 || s->cipher->block_bytes != 16 || s->kernel->block.nonce != NULL ||
        (period != 0 && (bytes - 1) / 16 >= period))
        return packet(s, iv, iv_bytes, layout, out, in, bytes);
    packet_begin_counter(s, iv, number);
    return runnel_counter_xor_first((runnel_ctr_head *)s, out, in, bytes);
}

RUNNEL_INLINE int packet_counter(runnel_stream *s, const uint8_t *iv, size_t iv_bytes, int layout, uint8_t *out,
                                 const uint8_t *in, size_t bytes)
{
    const int number = packet_check_counter(s->cipher, iv, iv_bytes, layout, out, in, bytes);
    /* All layouts that the kernel's packet is for count these 16 bits: one test for all of them. */
    if (number == 0 || !runnel_counter_fits_packet(s->kernel, number, runnel_load32be(iv + 12) | 0xffff0000, 0, bytes))
        return packet_long_counter(s, iv, iv_bytes, layout, out, in, bytes);
    packet_begin_counter(s, iv, number);
    return runnel_counter_packet((runnel_ctr_head *)s, iv, 0, out, in, bytes);
}
#endif

int runnel_stream_packet(runnel_stream *s, const uint8_t *iv, size_t iv_bytes, int layout, uint8_t *out,
                         const uint8_t *in, size_t bytes)
{
#if RUNNEL_TAILS
    if (s != NULL && s->stage != RUNNEL_NOTHING_SET && s->cipher->mode == RUNNEL_MODE_CTR)
        return packet_counter(s, iv, iv_bytes, layout, out, in, bytes);
#endif
    return packet(s, iv, iv_bytes, layout, out, in, bytes);
}

RUNNEL_INLINE int packet_crypt_packet(runnel_stream *s, const uint8_t *iv, size_t iv_bytes, int layout, uint8_t *out,
                                      const uint8_t *in, size_t bytes, int decrypt)
{
    int error = runnel_check_iv(s, iv, iv_bytes, &layout);
    if (error)
        return error;
    if (s->cipher->directions == NULL)
        return runnel_stream_packet(s, iv, iv_bytes, layout, out, in, bytes);
    if (bytes > 0 && in == NULL)
        return RUNNEL_ERR_NULL;
    const runnel_count blocks = packet_blocks_of(s->cipher, layout);
    error = packet_check_message(s->cipher, blocks, out, in, bytes);
    if (error)
        return error;
    runnel_begin(s, iv, iv_bytes, layout, &blocks);
    if (bytes > 0)
        (decrypt ? s->cipher->directions->decrypt : s->cipher->directions->encrypt)(s, out, in, bytes);
    return RUNNEL_OK;
}

int runnel_stream_encrypt_packet(runnel_stream *s, const uint8_t *iv, size_t iv_bytes, int layout, uint8_t *out,
                                 const uint8_t *in, size_t bytes)
{
    return packet_crypt_packet(s, iv, iv_bytes, layout, out, in, bytes, 0);
}

int runnel_stream_decrypt_packet(runnel_stream *s, const uint8_t *iv, size_t iv_bytes, int layout, uint8_t *out,
                                 const uint8_t *in, size_t bytes)
{
    return packet_crypt_packet(s, iv, iv_bytes, layout, out, in, bytes, 1);
}
