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

#if RUNNEL_TAILS
/* The counter mode's part of a context for a whole packet from its IV on. */
RUNNEL_INLINE void packet_begins(runnel_stream *s, const uint8_t *iv, int layout, size_t bytes)
{
    memcpy(((runnel_ctr_head *)s)->first, iv, 16);
    runnel_message_begins(s, layout,
                          runnel_narrow_count(layout == RUNNEL_BE32 || layout == RUNNEL_LE32 ? (uint64_t)1 << 32 : 0));
    s->block = (bytes + 15) / 16;
    s->leftover = (uint16_t)(-bytes % 16);
}

/* Returns 1 if there is no error and one call of the kernel may make a packet of 1 byte or more: a counter whose low word is
 * the last of a block of 16 bytes or, little-endian, the first, and does not wrap, so that there is no limit to meet. */
RUNNEL_INLINE int in_one_run(const uint8_t *iv, size_t iv_bytes, int layout, const uint8_t *out, const uint8_t *in,
                             size_t bytes)
{
    const int little = runnel_counts_in_first_word(layout);
    return iv != NULL && out != NULL && iv_bytes == 16 && (little || runnel_counts_in_last_word(layout)) &&
           runnel_stays_in_run(little ? runnel_load32le(iv) : runnel_load32be(iv + 12), bytes) &&
           !runnel_overlap(out, in, bytes); /* no overlap with NULL */
}

/* Longer packets in counter mode, and little-endian ones, which ctr32, ctr32_tail or ctr32_little makes in one call. */
static RUNNEL_APART int long_ctr_packet(runnel_stream *s, const uint8_t *iv, size_t iv_bytes, int layout, uint8_t *out,
                                        const uint8_t *in, size_t bytes)
{
    const runnel_cipher *cipher = s->cipher;
    const runnel_block_functions *f = &s->kernel->block;
    const size_t nblocks = bytes / 16, tail = bytes % 16;
    const int number = layout == RUNNEL_LAYOUT_DEFAULT ? cipher->layout : layout;
    const int little = runnel_counts_in_first_word(number);
    runnel_ctr_function *const ctr32 = little ? f->ctr32_little : f->ctr32;
    if (nblocks == 0 || cipher->block_bytes != 16 || f->nonce != NULL || s->kernel->run_bits != 0 || ctr32 == NULL ||
        (tail > 0 && (little || f->ctr32_tail == NULL)) || !in_one_run(iv, iv_bytes, number, out, in, bytes))
        return packet(s, iv, iv_bytes, layout, out, in, bytes);
    const void *state = (const uint8_t *)s + cipher->state_offset;
    void *prefix = cipher->prefix_offset ? (uint8_t *)s + cipher->prefix_offset : NULL;
    const uint8_t *first = ((runnel_ctr_head *)s)->first;
    packet_begins(s, iv, number, bytes);
    if (tail > 0)
        f->ctr32_tail(state, prefix, first, out, in, nblocks, tail, ((runnel_ctr_head *)s)->leftover);
    else
        ctr32(state, prefix, first, out, in, nblocks);
    return RUNNEL_OK;
}

/* In counter mode. A short packet's kernel is called from here with nothing in between and its IV where the caller has it:
 * half of the time of one block of AES. */
RUNNEL_INLINE int ctr_packet(runnel_stream *s, const uint8_t *iv, size_t iv_bytes, int layout, uint8_t *out,
                             const uint8_t *in, size_t bytes)
{
    const runnel_block_functions *f = &s->kernel->block;
    const int number = layout == RUNNEL_LAYOUT_DEFAULT ? s->cipher->layout : layout;
    if (bytes > f->packet_bytes || runnel_counts_in_first_word(number))
        return long_ctr_packet(s, iv, iv_bytes, layout, out, in, bytes);
    if (bytes == 0 || !in_one_run(iv, iv_bytes, number, out, in, bytes))
        return packet(s, iv, iv_bytes, layout, out, in, bytes);
    packet_begins(s, iv, number, bytes);
    return f->packet((const uint8_t *)s + s->cipher->state_offset, iv, out, in, bytes,
                     ((runnel_ctr_head *)s)->leftover);
}
#endif

int runnel_stream_packet(runnel_stream *s, const uint8_t *iv, size_t iv_bytes, int layout, uint8_t *out,
                         const uint8_t *in, size_t bytes)
{
#if RUNNEL_TAILS
    if (s != NULL && s->stage != RUNNEL_NOTHING_SET && s->cipher->mode == RUNNEL_MODE_CTR)
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
