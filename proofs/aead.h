/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Contracts proved of core/aead.c: errors come before any change, and no length is ever beyond its limit. */
#include "core/aead.h"

/*@ requires \valid_read(aead);
    ensures \result != 0 <==>
      aead->nonce_min <= nonce_bytes && (nonce_bytes <= aead->nonce_max || aead->nonce_max == UINT16_MAX);
    assigns \nothing; */
static inline int aead_takes_nonce(const runnel_aead *aead, size_t nonce_bytes);

/*@ requires \valid_read(aead);
    ensures \result != 0 ==> tag_bytes <= RUNNEL_AEAD_LONGEST_TAG;
    assigns \nothing; */
static inline int aead_takes_tag(const runnel_aead *aead, size_t tag_bytes);

/*@ requires c == \null || (\valid_read(c) && (c->aead == \null || \valid_read(c->aead)));
    ensures \result == RUNNEL_OK ==> c != \null && c->aead != \null && (nonce != \null || nonce_bytes == 0) &&
      tag_bytes <= RUNNEL_AEAD_LONGEST_TAG && c->aead->nonce_min <= nonce_bytes;
    assigns \nothing; */
static inline int aead_check_start(const runnel_aead_context *c, const uint8_t *nonce, size_t nonce_bytes,
                                   size_t tag_bytes);

/*@ requires c == \null || (\valid_read(c) && (c->aead == \null || \valid_read(c->aead)));
    ensures \result == RUNNEL_OK ==> c != \null && c->aead != \null && c->stage != 0;
    ensures \result == RUNNEL_OK || \result == RUNNEL_ERR_NULL || \result == RUNNEL_ERR_STATE;
    assigns \nothing; */
static int aead_check_stage(const runnel_aead_context *c);

/*@ predicate within(runnel_aead_context *c) =
      c->aad_bytes <= c->aad_total && c->text_bytes <= c->text_total; */

/*@ requires c == \null || (\valid(c) && (c->aead == \null || (\valid_read(c->aead) && \valid_read(c->aead->mode) &&
      c->aead->mode->lengths == \null && \separated(c, c->aead) && \separated(c, c->aead->mode))));
    requires c != \null && c->aead != \null ==> within(c);
    behavior error:
      assumes c == \null || c->aead == \null || c->stage != 1 || c->has_lengths != 0 || c->aad_bytes > 0 ||
        aad_bytes > c->aad_total || text_bytes > c->text_total;
      ensures \result == RUNNEL_ERR_NULL || \result == RUNNEL_ERR_STATE || \result == RUNNEL_ERR_LIMIT;
      assigns \nothing;
    behavior ok:
      assumes !(c == \null || c->aead == \null || c->stage != 1 || c->has_lengths != 0 || c->aad_bytes > 0 ||
        aad_bytes > c->aad_total || text_bytes > c->text_total);
      ensures \result == RUNNEL_OK && c->aad_total == aad_bytes && c->text_total == text_bytes;
      ensures c->aad_total <= \old(c->aad_total) && c->text_total <= \old(c->text_total);
      assigns c->aad_total, c->text_total, c->has_lengths;
    complete behaviors;
    disjoint behaviors; */
int runnel_aead_lengths(runnel_aead_context *c, uint64_t aad_bytes, uint64_t text_bytes);
