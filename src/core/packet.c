/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A new IV and its message in one verb, all of whose errors are decided before anything changes. */
#include "arch/common/bytes.h"
#include "driver.h"

/* Keeps what is rarely needed out of functions that are needed often, which would save registers for it. */
#if RUNNEL_HOSTED
#define RUNNEL_APART RUNNEL_NOINLINE
#else
#define RUNNEL_APART
#endif

/* The limit, in blocks, of a message in that layout. */
RUNNEL_INLINE runnel_count blocks_of(const runnel_cipher *cipher, int layout)
{
    return cipher->mode == RUNNEL_MODE_CTR ? runnel_ctr_blocks(layout) : runnel_narrow_count(cipher->blocks);
}

/* Decides every error of a message of `bytes` bytes from a new IV on. */
RUNNEL_INLINE int check_message(const runnel_cipher *cipher, runnel_count blocks, const uint8_t *out, const uint8_t *in,
                                size_t bytes)
{
    const runnel_stream at_start = {.cipher = cipher, .blocks = blocks};
    return bytes == 0 ? RUNNEL_OK : runnel_check_call(&at_start, out, in, bytes);
}

/* Any packet. */
static RUNNEL_APART int packet(runnel_stream *s, const uint8_t *iv, size_t iv_bytes, int layout, uint8_t *out,
                               const uint8_t *in, size_t bytes)
{
    int error = runnel_check_iv(s, iv, iv_bytes, &layout);
    if (error)
        return error;
    const runnel_count blocks = blocks_of(s->cipher, layout);
    error = s->cipher->directions != NULL ? RUNNEL_ERR_DIRECTION : check_message(s->cipher, blocks, out, in, bytes);
    if (error)
        return error;
    runnel_begin(s, iv, iv_bytes, layout, &blocks);
    return bytes > 0 ? RUNNEL_XOR_CHECKED(s, out, in, bytes) : RUNNEL_OK;
}

#if RUNNEL_HOSTED
/* Returns the kernel's ctr32 or ctr32_little if there is no error and one call of it makes the whole packet: blocks of 16
 * bytes, and a counter whose low word is their last or, little-endian, their first, and does not wrap, so that there is
 * no limit to meet. Else NULL. */
static inline runnel_ctr_function *ctr32_alone(const runnel_stream *s, const uint8_t *iv, size_t iv_bytes, int *layout,
                                               const uint8_t *out, const uint8_t *in, size_t bytes)
{
    const runnel_cipher *cipher = s->cipher;
    const unsigned in_last_word = 1 << RUNNEL_BE128 | 1 << RUNNEL_BE64 | 1 << RUNNEL_BE32;
    const unsigned in_first_word = 1 << RUNNEL_LE128 | 1 << RUNNEL_LE64 | 1 << RUNNEL_LE32;
    if (*layout == RUNNEL_LAYOUT_DEFAULT)
        *layout = cipher->layout;
    if (bytes == 0 || cipher->block_bytes != 16 || iv_bytes != 16 || iv == NULL ||
        (unsigned)*layout >= RUNNEL_LAYOUTS || out == NULL || (in != NULL && runnel_overlap(out, in, bytes)) ||
        s->kernel->block.nonce != NULL || s->kernel->run_bits != 0)
        return NULL;
    const unsigned place = cipher->layouts & 1u << *layout;
    if (place & in_last_word)
        return bytes / 16 - 1 <= UINT32_MAX - runnel_load32be(iv + 12) ? s->kernel->block.ctr32 : NULL;
    if (place & in_first_word && bytes / 16 - 1 <= UINT32_MAX - runnel_load32le(iv))
        return s->kernel->block.ctr32_little;
    return NULL;
}

/* Whole blocks of 16 bytes. The kernel is called from here, without functions in between: a third of the time of one
 * block of AES. */
static RUNNEL_APART int ctr_packet(runnel_stream *s, const uint8_t *iv, size_t iv_bytes, int layout, uint8_t *out,
                                   const uint8_t *in, size_t bytes)
{
    int number = layout;
    runnel_ctr_function *const ctr32 = ctr32_alone(s, iv, iv_bytes, &number, out, in, bytes);
    if (ctr32 == NULL)
        return packet(s, iv, iv_bytes, layout, out, in, bytes);
    const runnel_cipher *cipher = s->cipher;
    uint8_t *first = ((runnel_ctr_head *)s)->first;
    memcpy(first, iv, 16);
    runnel_message_begins(s, number, number == RUNNEL_BE32 || number == RUNNEL_LE32 ? (uint64_t)1 << 32 : 0);
    s->block = bytes / 16;
    ctr32((const uint8_t *)s + cipher->state_offset,
          cipher->prefix_offset ? (uint8_t *)s + cipher->prefix_offset : NULL, first, out, in, bytes / 16);
    return RUNNEL_OK;
}
#endif

int runnel_stream_packet(runnel_stream *s, const uint8_t *iv, size_t iv_bytes, int layout, uint8_t *out,
                         const uint8_t *in, size_t bytes)
{
#if RUNNEL_HOSTED
    if (bytes % 16 == 0 && s != NULL && s->stage != RUNNEL_NOTHING_SET && s->cipher->mode == RUNNEL_MODE_CTR)
        return ctr_packet(s, iv, iv_bytes, layout, out, in, bytes);
#endif
    return packet(s, iv, iv_bytes, layout, out, in, bytes);
}

RUNNEL_INLINE int crypt_packet(runnel_stream *s, const uint8_t *iv, size_t iv_bytes, int layout, uint8_t *out,
                               const uint8_t *in, size_t bytes, int decrypt)
{
    int error = runnel_check_iv(s, iv, iv_bytes, &layout);
    if (error)
        return error;
    if (s->cipher->directions == NULL)
        return runnel_stream_packet(s, iv, iv_bytes, layout, out, in, bytes);
    if (bytes > 0 && in == NULL)
        return RUNNEL_ERR_NULL;
    const runnel_count blocks = blocks_of(s->cipher, layout);
    error = check_message(s->cipher, blocks, out, in, bytes);
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
    return crypt_packet(s, iv, iv_bytes, layout, out, in, bytes, 0);
}

int runnel_stream_decrypt_packet(runnel_stream *s, const uint8_t *iv, size_t iv_bytes, int layout, uint8_t *out,
                                 const uint8_t *in, size_t bytes)
{
    return crypt_packet(s, iv, iv_bytes, layout, out, in, bytes, 1);
}
