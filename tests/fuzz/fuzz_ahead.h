/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Keystream made ahead in the caller's memory, and counter blocks: once for each cipher, whatever the input says. Pieces give
 * what one call gives, and a buffer that was wiped is zero. */
#ifndef RUNNEL_TESTS_FUZZ_AHEAD_H
#define RUNNEL_TESTS_FUZZ_AHEAD_H

#include "fuzz.h"

#include <runnel/runnel.h>

static void check_without_iv(runnel_stream *s)
{
    static runnel_keystream k;
    uint8_t out[16];
    CHECK_RESULT(runnel_stream_xor_ahead(s, &k, out, NULL, 1), RUNNEL_ERR_STATE);
    CHECK_RESULT(runnel_stream_counter(s, 0, out), RUNNEL_ERR_STATE);
}

static void check_pieces_ahead(const runnel_cipher *cipher, runnel_stream *s, const uint8_t *iv, size_t iv_bytes)
{
    static const size_t pieces[] = {5, 16, 100, 300, 1, 600, 0, 47, 250, 250, 250, 3};
    static uint8_t pieced[4096], whole[4096];
    static runnel_keystream k;
    size_t at = 0;
    CHECK_RESULT(runnel_stream_xor_ahead(NULL, &k, pieced, NULL, 1), RUNNEL_ERR_NULL);
    if (cipher->directions != NULL) {
        CHECK_RESULT(runnel_stream_xor_ahead(s, &k, pieced, NULL, 1), RUNNEL_ERR_DIRECTION);
        return;
    }
    CHECK_RESULT(runnel_stream_xor_ahead(s, &k, NULL, NULL, 1), RUNNEL_ERR_NULL);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; at += pieces[i++])
        CHECK_OK(runnel_stream_xor_ahead(s, &k, pieced + at, NULL, pieces[i]));
    CHECK(runnel_stream_tell(s) - k.left == at, "%s: the position with keystream ahead", cipher->name);
    CHECK_RESULT(runnel_stream_xor_ahead(s, &k, pieced + 1, pieced, 8), RUNNEL_ERR_OVERLAP);
    for (size_t end = at + k.left; at < end; at++) /* in place, out of what was made ahead */
        CHECK_OK(runnel_stream_xor_ahead(s, &k, memset(pieced + at, 0, 1), pieced + at, 1));
    CHECK_OK(runnel_stream_iv(s, iv, iv_bytes, 0));
    CHECK_OK(runnel_stream_xor(s, whole, NULL, at));
    CHECK_BYTES(pieced, whole, at, "%s: pieces with keystream ahead", cipher->name);
    runnel_keystream_wipe(&k);
    for (size_t i = 0; i < sizeof k.bytes; i++)
        CHECK(k.bytes[i] == 0, "%s: byte %zu of a wiped buffer", cipher->name, i);
    runnel_keystream_wipe(NULL);
}

static void check_counter(const runnel_cipher *cipher, runnel_stream *s, const uint8_t *iv, size_t iv_bytes)
{
    uint8_t block[16];
    CHECK_RESULT(runnel_stream_counter(NULL, 0, block), RUNNEL_ERR_NULL);
    if (cipher->mode != RUNNEL_MODE_CTR) {
        CHECK_RESULT(runnel_stream_counter(s, 0, block), RUNNEL_ERR_LAYOUT);
        return;
    }
    CHECK_OK(runnel_stream_counter(s, 0, block));
    CHECK_BYTES(block, iv, iv_bytes, "%s: counter block 0", cipher->name);
    if (cipher->layouts >> RUNNEL_BE16 & 1) {
        CHECK_OK(runnel_stream_iv(s, iv, iv_bytes, RUNNEL_BE16));
        CHECK_OK(runnel_stream_counter(s, 0x10000, block));
        CHECK_RESULT(runnel_stream_counter(s, 0x10001, block), RUNNEL_ERR_LIMIT);
        CHECK_OK(runnel_stream_iv(s, iv, iv_bytes, 0));
    }
}

#endif
