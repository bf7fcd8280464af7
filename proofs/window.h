/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Contracts proved of SRTP's window and of parsing packets: no index twice, no byte read behind the packet, and a
 * packet that is refused changes nothing. */
#ifndef RUNNEL_PROOFS_WINDOW_H
#define RUNNEL_PROOFS_WINDOW_H

#include <runnel/srtp.h>

#include "conversions.h"

/* Assumed: what C's operations on bits do, which WP leaves to tools that are not used here. */
/*@ axiomatic bits {
    axiom right_16: \forall uint64_t x; (x >> 16) == x / 0x10000;
    axiom right_31: \forall uint64_t x; (x >> 31) == x / 0x80000000;
    axiom right_32: \forall uint64_t x; (x >> 32) == x / 0x100000000;
    axiom left_8: \forall integer x; 0 <= x < 0x100 ==> (x << 8) == x * 0x100;
    axiom low_16: \forall uint64_t x; (x & 0xffff) == x % 0x10000;
    axiom join_16: \forall integer high, low;
      0 <= high < 0x1000000000000 && 0 <= low < 0x10000 ==> ((uint64_t)(high << 16) | low) == high * 0x10000 + low;
    axiom set_first: \forall uint64_t x; ((x | 1) & 1) == 1;
    axiom set_any: \forall uint64_t x; \forall integer n; 0 <= n < 64 ==>
      (((x | (uint64_t)((uint64_t)1 << n)) >> n) & 1) == 1;
} */

/*@ predicate newest(runnel_srtp *s, integer index) = s->used == 0 || index > s->index;
    predicate came(runnel_srtp *s, integer index) = !newest(s, index) &&
      (s->index - index >= 128 || ((s->seen[(s->index - index) / 64] >> ((s->index - index) % 64)) & 1) != 0); */

/*@ requires \valid_read(s) && s->index < 0x1000000000000;
    ensures s->used == 0 ==> \result / 0x10000 == s->index / 0x10000;
    ensures s->used != 0 && s->index >= 0x10000 ==> -0x8000 <= \result - s->index <= 0x8000;
    assigns \nothing; */
static inline uint64_t runnel_srtp_estimate(const runnel_srtp *s, uint16_t number);

/*@ requires \valid_read(s);
    ensures \result == RUNNEL_OK || \result == RUNNEL_ERR_REPLAY;
    ensures \result == RUNNEL_ERR_REPLAY <==> came(s, index);
    assigns \nothing; */
static inline int runnel_srtp_check_replay(const runnel_srtp *s, uint64_t index);

/*@ ensures \result == (decrypt ? 2 : 1);
    assigns \nothing; */
static inline uint8_t runnel_srtp_use(int decrypt);

/* An index that was accepted will not be again. */
/*@ requires \valid(s) && index < UINT64_MAX && (newest(s, index) || s->index - index < 128);
    ensures came(s, index);
    ensures \old(newest(s, index)) ==> s->index == index;
    ensures !\old(newest(s, index)) ==> s->index == \old(s->index);
    ensures s->used == (decrypt ? 2 : 1) && s->next == index + 1;
    assigns s->seen[0 .. 1], s->index, s->used, s->next; */
static inline void runnel_srtp_accept(runnel_srtp *s, uint64_t index, int decrypt);

/*@ requires profile == \null || \valid_read(profile);
    ensures profile == \null ==> \result == 0;
    ensures profile != \null ==> \result == (kind == RUNNEL_RTCP ? profile->rtcp_tag + 4 : profile->rtp_tag);
    assigns \nothing; */
size_t runnel_srtp_grows(const runnel_srtp_profile *profile, int kind);

/* Shown by Eva: eva/headers.c. */
/*@ requires \valid_read(p + (0 .. bytes - 1));
    ensures \result == 0 || (kind == RUNNEL_RTCP ? 8 : 12) <= \result <= bytes;
    assigns \nothing; */
static size_t header_bytes(int kind, const uint8_t *p, size_t bytes);

/*@ requires \valid_read(s) && \valid_read(s->profile);
    ensures \result == (s->kind == RUNNEL_RTCP ? s->profile->rtcp_tag : s->profile->rtp_tag);
    assigns \nothing; */
static size_t tag_bytes(const runnel_srtp *s);

/*@ requires s == \null || (\valid(s) && (s->profile == \null || \valid_read(s->profile)));
    ensures \result == RUNNEL_OK ==> s != \null && s->profile != \null && \old(s->used) == 0;
    ensures \result == RUNNEL_OK ==> start < (s->kind == RUNNEL_RTP ? 0x100000000 : 0x80000000);
    ensures s != \null && \result != RUNNEL_OK ==> s->index == \old(s->index) && s->next == \old(s->next);
    assigns s->index, s->next; */
int runnel_srtp_start(runnel_srtp *s, uint64_t start);

#endif
