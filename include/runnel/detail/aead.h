/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The heads of AEADs' contexts. Programs read them through the functions of <runnel/aead.h>. */
#ifndef RUNNEL_DETAIL_AEAD_H
#define RUNNEL_DETAIL_AEAD_H

#include <stdint.h>

#include <runnel/config.h>

struct runnel_aead;

/* The head of every context. */
typedef struct runnel_aead_context {
    const RUNNEL_IN_FLASH struct runnel_aead *aead; /* NULL: no key */
    uint64_t aad_bytes;                             /* of this message so far */
    uint64_t text_bytes;
    uint64_t aad_total; /* as given to runnel_aead_lengths */
    uint64_t text_total;
    uint8_t stage;       /* of a message in pieces, see core/aead.c */
    uint8_t has_lengths; /* 1: the totals are known */
    uint8_t tag_bytes;   /* as given to runnel_aead_start */
} runnel_aead_context;

#endif
