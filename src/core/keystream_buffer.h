/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Keystream that was made and is still to be used: what is left over of a block, and what is made ahead for a stream that
 * comes in short pieces, each of which would pay for a call of a kernel that makes many blocks in little more time than
 * one. It lies at the end of an array, of which the last `left` bytes are still to be used; `made` is how many were made
 * ahead the last time. */
#ifndef RUNNEL_CORE_KEYSTREAM_BUFFER_H
#define RUNNEL_CORE_KEYSTREAM_BUFFER_H

#include "arch/common/bytes.h"
#include "arch/common/wipe.h"

/* Pieces of more bytes gain nothing, except where an AEAD's mode says otherwise; and how many bytes are made first. */
enum { RUNNEL_SHORT_PIECE = 256 };

/* The fate of used keystream: it stays, or its place is cleared, or takes what was written or read with it. */
enum { RUNNEL_USED_STAYS, RUNNEL_USED_CLEARED, RUNNEL_USED_TAKES_OUTPUT, RUNNEL_USED_TAKES_INPUT };

/* Returns how many bytes to make ahead for a piece of so many: twice as many each time, so that a short message does not pay
 * for much more than it has, and enough for two such pieces, as far as there is room. */
RUNNEL_INLINE size_t runnel_keystream_to_make(uint16_t made, size_t piece, size_t room)
{
    size_t wanted = made < RUNNEL_SHORT_PIECE ? RUNNEL_SHORT_PIECE : 2 * (size_t)made;
    if (wanted < 2 * piece)
        wanted *= 2;
    return wanted < room ? wanted : room;
}

/* Fills an empty buffer: returns where the caller writes `bytes` bytes of keystream. */
RUNNEL_INLINE uint8_t *runnel_keystream_fill(uint8_t *end, uint16_t *left, uint16_t *made, size_t bytes)
{
    *left = *made = (uint16_t)bytes;
    return end - bytes;
}

/* out = in XOR the next `bytes` <= *left bytes; in == NULL, where what was used stays or is cleared: the keystream. */
RUNNEL_INLINE void runnel_keystream_take(uint8_t *end, uint16_t *left, uint8_t *out, const uint8_t *in, size_t bytes,
                                         int used)
{
    uint8_t *p = end - *left;
    *left = (uint16_t)(*left - bytes);
    if (used == RUNNEL_USED_STAYS || in == NULL) {
        runnel_xor_bytes(out, in, p, bytes);
        if (used == RUNNEL_USED_CLEARED)
            runnel_wipe(p, bytes);
        return;
    }
#if RUNNEL_TWO_WORDS
    for (; bytes >= 16; bytes -= 16, in += 16, out += 16, p += 16) {
        runnel_two_words text, made;
        const runnel_two_words zeros = {0};
        memcpy(&text, in, 16);
        memcpy(&made, p, 16);
        made ^= text;
        memcpy(p, used == RUNNEL_USED_CLEARED ? &zeros : used == RUNNEL_USED_TAKES_INPUT ? &text : &made, 16);
        memcpy(out, &made, 16);
    }
#endif
    for (; bytes > 0; bytes--, in++, out++, p++) {
        const uint8_t text = *in, made = text ^ *p;
        *p = used == RUNNEL_USED_CLEARED ? 0 : used == RUNNEL_USED_TAKES_INPUT ? text : made;
        *out = made;
    }
}

/* Clears what was not used. */
RUNNEL_INLINE void runnel_keystream_drop(uint8_t *end, uint16_t *left, uint16_t *made)
{
    if (*left > 0)
        runnel_wipe(end - *left, *left);
    *left = *made = 0;
}

#endif
