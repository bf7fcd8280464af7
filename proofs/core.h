/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ACSL contracts of counters, positions and limits. They stand apart from the code because most of
 * its readers need none. README.md says how they are proved and what is assumed. */
#ifndef RUNNEL_PROOFS_CORE_H
#define RUNNEL_PROOFS_CORE_H

#include "core/kernel.h"

/* ---- Assumed: what loads and stores of bytes do. ---- */

/*@ axiomatic bytes {
    logic integer le32{L}(uint8_t *p) reads p[0 .. 3];
    logic integer be32{L}(uint8_t *p) reads p[0 .. 3];
    logic integer le64{L}(uint8_t *p) reads p[0 .. 7];
    logic integer be64{L}(uint8_t *p) reads p[0 .. 7];
    axiom le32_range{L}: \forall uint8_t *p; 0 <= le32(p) < 0x100000000;
    axiom be32_range{L}: \forall uint8_t *p; 0 <= be32(p) < 0x100000000;
    axiom le64_range{L}: \forall uint8_t *p; le64(p) == le32(p) + 0x100000000 * le32(p + 4);
    axiom be64_range{L}: \forall uint8_t *p; be64(p) == be32(p + 4) + 0x100000000 * be32(p);
} */

/*@ requires \valid_read(p + (0 .. 3)); ensures \result == le32(p); assigns \nothing; */
static inline uint32_t runnel_load32le(const uint8_t *p);
/*@ requires \valid_read(p + (0 .. 3)); ensures \result == be32(p); assigns \nothing; */
static inline uint32_t runnel_load32be(const uint8_t *p);
/*@ requires \valid_read(p + (0 .. 7)); ensures \result == le64(p); assigns \nothing; */
static inline uint64_t runnel_load64le(const uint8_t *p);
/*@ requires \valid_read(p + (0 .. 7)); ensures \result == be64(p); assigns \nothing; */
static inline uint64_t runnel_load64be(const uint8_t *p);
/*@ requires \valid(p + (0 .. 7)); ensures le64(p) == v; assigns p[0 .. 7];
    ensures le64(p - 8) == \old(le64(p - 8)) && le64(p + 8) == \old(le64(p + 8)); */
static inline void runnel_store64le(uint8_t *p, uint64_t v);
/*@ requires \valid(p + (0 .. 7)); ensures be64(p) == v; assigns p[0 .. 7];
    ensures be64(p - 8) == \old(be64(p - 8)) && be64(p + 8) == \old(be64(p + 8)); */
static inline void runnel_store64be(uint8_t *p, uint64_t v);
/*@ requires \valid(p + (0 .. 7)); ensures be64(p) == v; assigns p[0 .. 7];
    ensures be64(p - 8) == \old(be64(p - 8)) && be64(p + 8) == \old(be64(p + 8)); */
static inline void runnel_store64be_at_once(uint8_t *p, uint64_t v);
/*@ requires value > 0;
    assigns \nothing;
    ensures 0 <= \result <= 31 && value % (1 << \result) == 0 && value / (1 << \result) % 2 == 1; */
int __builtin_ctz(unsigned value);

/* ---- Numbers ---- */

/*@ ensures \result == blocks;
    assigns \nothing; */
static inline runnel_count runnel_narrow_count(uint64_t blocks);

/* ---- Limits ---- */

/* The number of blocks of a message of that many bytes, after leftover keystream. */
/*@ logic integer blocks_made(integer bytes, integer leftover, integer block_bytes) =
      bytes <= leftover ? 0 : (bytes - leftover + block_bytes - 1) / block_bytes;
    predicate sane(runnel_stream *s) = \valid_read(s) && \valid_read(s->cipher) &&
      1 <= s->cipher->block_bytes <= 0x1000 && s->leftover < s->cipher->ahead_bytes + s->cipher->block_bytes &&
      (s->blocks != 0 ==> s->block <= s->blocks) && s->leftover <= s->block * s->cipher->block_bytes;
    predicate room(runnel_stream *s, integer bytes) = s->blocks == 0 ||
      s->block + blocks_made(bytes, s->leftover, s->cipher->block_bytes) <= s->blocks; */

/*@ requires block_bytes > 0;
    ensures \result == bytes / block_bytes;
    assigns \nothing; */
static inline size_t runnel_whole_blocks(size_t bytes, size_t block_bytes);

/*@ assigns \nothing; ensures \result == 0 || \result == 1; */
static inline int runnel_range_has(const void *start, size_t bytes, const void *p);

/*@ assigns \nothing; ensures \result == 0 || \result == 1;
    ensures out == in ==> \result == 0; */
static inline int runnel_partial_overlap(const void *out, const void *in, size_t bytes);

/*@ requires sane(s) && bytes > 0;
    ensures \result == RUNNEL_OK ==> room(s, bytes);
    ensures \result == RUNNEL_ERR_LIMIT ==> !room(s, bytes);
    ensures \result == RUNNEL_OK || \result == RUNNEL_ERR_NULL || \result == RUNNEL_ERR_OVERLAP ||
      \result == RUNNEL_ERR_LIMIT;
    assigns \nothing; */
static inline int runnel_check_call(const runnel_stream *s, const uint8_t *out, const uint8_t *in, size_t bytes);

/* ---- Positions ---- */

/*@ requires block_bytes > 0;
    ensures blocks * block_bytes + more <= UINT64_MAX ==> \result == blocks * block_bytes + more;
    ensures blocks * block_bytes + more > UINT64_MAX ==> \result == UINT64_MAX;
    assigns \nothing; */
static uint64_t driver_saturated_bytes(uint64_t blocks, uint64_t block_bytes, uint64_t more);

/*@ requires s == \null || sane(s);
    ensures s != \null && s->stage == 2 && s->leftover == 0 && s->block * s->cipher->block_bytes <= UINT64_MAX ==>
      \result == s->block * s->cipher->block_bytes;
    ensures s != \null && s->stage == 2 && 0 < s->leftover < s->cipher->block_bytes &&
        s->block * s->cipher->block_bytes <= UINT64_MAX ==>
      \result == s->block * s->cipher->block_bytes - s->leftover;
    assigns \nothing; */
uint64_t runnel_stream_tell(const runnel_stream *s);

/* An error changes nothing; that of a position is decided by the limit alone. */
/*@ requires s == \null || (sane(s) && \valid(s) && \separated(s, s->cipher));
    behavior not_ready:
      assumes s == \null || s->stage != 2 || s->cipher->seekable == 0;
      ensures \result == RUNNEL_ERR_NULL || \result == RUNNEL_ERR_STATE || \result == RUNNEL_ERR_SEEK;
      assigns \nothing;
    behavior beyond:
      assumes s != \null && s->stage == 2 && s->cipher->seekable != 0 && s->blocks != 0 &&
        (position / s->cipher->block_bytes > s->blocks ||
         (position / s->cipher->block_bytes == s->blocks && position % s->cipher->block_bytes > 0));
      ensures \result == RUNNEL_ERR_LIMIT;
      assigns \nothing; */
int runnel_stream_seek(runnel_stream *s, uint64_t position);

/*@ requires s == \null || sane(s);
    ensures s != \null && s->stage == 2 && s->blocks == 0 ==> \result == UINT64_MAX;
    ensures s != \null && s->stage == 2 && s->blocks != 0 &&
        (s->blocks - s->block) * s->cipher->block_bytes + s->leftover <= UINT64_MAX ==>
      \result == (s->blocks - s->block) * s->cipher->block_bytes + s->leftover;
    assigns \nothing; */
uint64_t runnel_stream_left(const runnel_stream *s);

/* No two positions of one message share a counter block, for a counter of any width. */
/*@ lemma no_block_twice: \forall integer first, i, j, period;
      0 < period && 0 <= first && 0 <= i < period && 0 <= j < period && i != j ==>
      (first + i) % period != (first + j) % period; */

#endif
