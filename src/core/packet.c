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
/* In counter mode, where the caller has the first counter block: the checks, and then the way of every message. Half of the
 * time of one block of AES is what the general checks would cost. */
RUNNEL_INLINE int packet_counter_packet(runnel_stream *s, const uint8_t *iv, size_t iv_bytes, int layout, uint8_t *out,
                                        const uint8_t *in, size_t bytes)
{
    const runnel_cipher *cipher = s->cipher;
    const int number = layout == RUNNEL_LAYOUT_DEFAULT ? cipher->layout : layout;
    if (iv == NULL || out == NULL || bytes == 0 || iv_bytes != 16 || cipher->block_bytes != 16 ||
        (unsigned)number >= RUNNEL_LAYOUTS || !(cipher->layouts >> number & 1) ||
        runnel_partial_overlap(out, in, bytes))
        return packet(s, iv, iv_bytes, layout, out, in, bytes);
    const runnel_count period = runnel_layout_period(&runnel_layouts[number]);
    if (bytes > s->kernel->block.packet_bytes) {
        if (s->kernel->block.nonce != NULL || (period != 0 && (bytes - 1) / 16 >= period))
            return packet(s, iv, iv_bytes, layout, out, in, bytes);
    }
    runnel_ctr_head *const head = (runnel_ctr_head *)s;
    memcpy(head->first, iv, 16);
    runnel_message_begins(s, number, period);
    return runnel_counter_xor(head, iv, 0, out, in, bytes);
}
#endif

int runnel_stream_packet(runnel_stream *s, const uint8_t *iv, size_t iv_bytes, int layout, uint8_t *out,
                         const uint8_t *in, size_t bytes)
{
#if RUNNEL_TAILS
    if (s != NULL && s->stage != RUNNEL_NOTHING_SET && s->cipher->mode == RUNNEL_MODE_CTR)
        return packet_counter_packet(s, iv, iv_bytes, layout, out, in, bytes);
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
