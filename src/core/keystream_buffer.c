/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Keystream made ahead into memory of the caller's, for any stream in short pieces. */
#include "keystream_buffer.h"

#include "driver.h"

#if RUNNEL_HOSTED

/* More bytes than these, of a piece that the kernel's packet makes, take it no longer than the copy from the buffer takes:
 * 128 bytes of AES-128 take 59 ticks of the time-stamp counter from the buffer and 47 by AES-NI, 46 and 40 by VAES (EPYC, Zen 3). */
enum { KEYSTREAM_BUFFER_PACKET = 96 };

static inline int keystream_buffer_gains(const runnel_stream *s, size_t piece)
{
    const size_t packet_bytes = s->kernel->kind == RUNNEL_KIND_BLOCK ? s->kernel->block.packet_bytes : 0;
    return piece <= RUNNEL_SHORT_PIECE && (piece <= KEYSTREAM_BUFFER_PACKET || piece > packet_bytes);
}

static inline uint8_t *keystream_buffer_end_of(runnel_keystream *k)
{
    return k->bytes + sizeof k->bytes;
}

/* Everything but data of which all keystream is there already. */
static RUNNEL_NOINLINE int keystream_buffer_xor_more(runnel_stream *s, runnel_keystream *k, uint8_t *out,
                                                     const uint8_t *in, size_t bytes)
{
    if (s->cipher->directions != NULL)
        return RUNNEL_ERR_DIRECTION;
    if (bytes == 0)
        return RUNNEL_OK;
    if (out == NULL)
        return RUNNEL_ERR_NULL;
    if (in != NULL && runnel_partial_overlap(out, in, bytes))
        return RUNNEL_ERR_OVERLAP;
    const size_t left = bytes < k->left ? bytes : k->left, more = bytes - left,
                 ahead = runnel_keystream_to_make(k->made, more, sizeof k->bytes);
    const int at_start = s->block == 0; /* the first piece may be all there is */
    const int error = more > 0 ? runnel_check_call(s, out + left, runnel_advance(in, left), more) : RUNNEL_OK;
    if (error)
        return error;
    if (left > 0)
        runnel_keystream_take(keystream_buffer_end_of(k), &k->left, out, in, left, RUNNEL_USED_CLEARED);
    if (more == 0)
        return RUNNEL_OK;
    out += left;
    in = runnel_advance(in, left);
    if (at_start || !keystream_buffer_gains(s, more) || runnel_check_call(s, k->bytes, NULL, ahead) != RUNNEL_OK)
        return runnel_xor_message(s, out, in, more);
    (void)runnel_xor_message(s, runnel_keystream_fill(keystream_buffer_end_of(k), &k->left, &k->made, ahead), NULL,
                             ahead);
    runnel_keystream_take(keystream_buffer_end_of(k), &k->left, out, in, more, RUNNEL_USED_CLEARED);
    return RUNNEL_OK;
}

int runnel_stream_xor_ahead(runnel_stream *s, runnel_keystream *k, uint8_t *out, const uint8_t *in, size_t bytes)
{
    if (s == NULL || k == NULL)
        return RUNNEL_ERR_NULL;
    if (s->stage != RUNNEL_IV_SET)
        return RUNNEL_ERR_STATE;
    if (out == NULL || in == NULL || bytes == 0 || bytes > k->left || runnel_partial_overlap(out, in, bytes))
        return keystream_buffer_xor_more(s, k, out, in, bytes);
    runnel_keystream_take(keystream_buffer_end_of(k), &k->left, out, in, bytes, RUNNEL_USED_CLEARED);
    return RUNNEL_OK;
}

void runnel_keystream_wipe(runnel_keystream *k)
{
    if (k != NULL)
        runnel_keystream_drop(keystream_buffer_end_of(k), &k->left, &k->made);
}

#endif
