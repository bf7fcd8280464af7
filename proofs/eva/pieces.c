/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stream ciphers: one call from any position, whose keystream may be made ahead, and the calls that follow short pieces. */
#include "ciphers.h"

static void one_call(const runnel_cipher *cipher, const runnel_kernel *kernel, int short_pieces, size_t leftover,
                     size_t bytes, int way)
{
    stream_context c;
    any_message(&c.head, cipher, kernel, 0, leftover);
    c.head.made_ahead = (uint16_t)(short_pieces < 2 ? short_pieces : AHEAD + STREAM_BLOCK);
    (void)runnel_stream_xor(&c.head, OUT(bytes), IN(way, bytes), bytes);
    check_message_state(&c.head);
    /*@ assert c.head.made_ahead <= 256; */
    FORGET_OUTPUT();
}

static void lengths(size_t leftover, size_t least, size_t most)
{
    for (size_t bytes = least; bytes <= most; bytes++)
        for (int way = 0; way < WAYS; way++)
            if (way == APART || leftover % 51 == 0)
                for (int short_pieces = 0; short_pieces <= 2; short_pieces++)
                    one_call(&ahead_cipher, &stream_kernel, short_pieces, leftover, bytes, way);
}

/* A piece with keystream made ahead in the caller's memory. */
static void one_call_ahead(size_t left, size_t made, size_t bytes, int way)
{
    stream_context c;
    runnel_keystream k = {.left = (uint16_t)left, .made = (uint16_t)made};
    any_message(&c.head, &ahead_cipher, &stream_kernel, 0, 7);
    WRITES(k.bytes + sizeof k.bytes - left, left);
    (void)runnel_stream_xor_ahead(&c.head, &k, OUT(bytes), IN(way, bytes), bytes);
    check_message_state(&c.head);
    /*@ assert k.left <= k.made <= 1024; */
    runnel_keystream_wipe(&k);
    FORGET_OUTPUT();
}

int main(void)
{
    ANY_BYTES(in_buffer);
    FORGET_OUTPUT();
    for (size_t leftover = 0; leftover < STREAM_BLOCK; leftover += STREAM_BLOCK / 2 - 1)
        for (size_t bytes = 0; bytes <= 2 * STREAM_BLOCK + 1; bytes++)
            for (int way = 0; way < WAYS; way++)
                one_call(&lanes_cipher, &lanes_kernel, 0, leftover, bytes, way);
    /* Around every place where the way through the code turns. */
    for (size_t leftover = 0; leftover < AHEAD + STREAM_BLOCK; leftover += 15) {
        lengths(leftover, leftover, leftover + 1);
        lengths(leftover, leftover + 256, leftover + 257);
    }
    for (size_t left = 0; left <= 3; left += 3)
        for (int way = 0; way < WAYS; way++) {
            for (size_t bytes = left; bytes <= left + 1; bytes++)
                for (size_t made = left > 0 ? 256 : 0; made <= 1024; made += made > 0 ? made : 256)
                    one_call_ahead(left, made, bytes, way);
            one_call_ahead(left, 512, left + 257, way);
        }
    Frama_C_show_each_all_done();
    return 0;
}
