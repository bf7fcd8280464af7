/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The index of a packet, and which have come (RFC 3711 3.3.1 and 3.3.2): the highest, and one bit for each of the 128 up
 * to it. */
#ifndef RUNNEL_SRTP_WINDOW_H
#define RUNNEL_SRTP_WINDOW_H

#include <runnel/srtp.h>

#if RUNNEL_HOSTED

/* The index nearest to the highest so far that ends in this sequence number. It is 2^48 or more if there is none. */
static inline uint64_t runnel_srtp_estimate(const runnel_srtp *s, uint16_t number)
{
    const unsigned last = (unsigned)(s->index & 0xffff), half = 0x8000;
    uint64_t roc = s->index >> 16;
    if (s->used) {
        if (last < half && number > last + half && roc > 0)
            roc--;
        else if (last >= half && number < last - half)
            roc++;
    }
    return roc << 16 | number;
}

static inline int runnel_srtp_check_replay(const runnel_srtp *s, uint64_t index)
{
    if (!s->used || index > s->index)
        return RUNNEL_OK;
    const uint64_t behind = s->index - index;
    if (behind >= 128)
        return RUNNEL_ERR_REPLAY;
    return s->seen[behind / 64] >> behind % 64 & 1 ? RUNNEL_ERR_REPLAY : RUNNEL_OK;
}

enum { RUNNEL_SRTP_PROTECTS = 1, RUNNEL_SRTP_UNPROTECTS };

static inline uint8_t runnel_srtp_use(int decrypt)
{
    return decrypt ? RUNNEL_SRTP_UNPROTECTS : RUNNEL_SRTP_PROTECTS;
}

/* Marks an index that was checked. */
static inline void runnel_srtp_accept(runnel_srtp *s, uint64_t index, int decrypt)
{
    if (!s->used || index > s->index) {
        const uint64_t by = !s->used ? 128 : index - s->index;
        if (by >= 64) {
            s->seen[1] = by < 128 ? s->seen[0] << (by - 64) : 0;
            s->seen[0] = 0;
        } else {
            s->seen[1] = s->seen[1] << by | s->seen[0] >> (64 - by); /* by is not 0 */
            s->seen[0] <<= by;
        }
        s->seen[0] |= 1;
        s->index = index;
    } else {
        const uint64_t behind = s->index - index;
        s->seen[behind / 64] |= (uint64_t)1 << behind % 64;
    }
    s->used = runnel_srtp_use(decrypt);
    s->next = index + 1;
}

#endif
#endif
