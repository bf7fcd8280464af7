/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* How the contexts of AEADs begin. Programs read them through the functions of <runnel/aead.h>. */
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
    uint64_t aad_total; /* as runnel_aead_lengths said */
    uint64_t text_total;
    uint8_t stage;       /* of a message in pieces, see core/aead.c */
    uint8_t has_lengths; /* 1: the totals are known */
    uint8_t tag_bytes;   /* as runnel_aead_start said */
} runnel_aead_context;

#if RUNNEL_HOSTED
/* For a message in small pieces: ciphertext that the MAC is still to absorb, and behind it keystream that was made ahead. */
typedef struct runnel_ahead {
    uint16_t used;   /* bytes of ciphertext */
    uint16_t made;   /* and of keystream with them */
    uint16_t before; /* bytes that were made the last time, 0 at a message's start */
    RUNNEL_ALIGNED uint8_t bytes[1024];
} runnel_ahead;
#endif

#endif
