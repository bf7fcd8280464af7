/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The context of an AEAD, and what its files share. */
#ifndef RUNNEL_OPENSSL_AEAD_H
#define RUNNEL_OPENSSL_AEAD_H

#include "kinds.h"

enum {
    LONGEST_IV = 128,
    LONGEST_TAG = 16,
    LONGEST_KEPT_AAD = 64,
    RECORD_HEADER = 13 /* sequence number, type, version and length of a TLS record */
};

/* States of the IV. */
enum {
    IV_NONE,
    IV_READY,  /* the next piece starts a message under it */
    IV_USED,   /* a message has begun under it */
    IV_SPENT,  /* its message has ended */
    IV_RECORDS /* nonces of records are made from it; it has no other messages (CCM, ChaCha20-Poly1305) */
};

/* Where a message is whose text comes in one call (CCM). */
enum {
    TEXT_AWAITED,
    TEXT_ANNOUNCED, /* its length is known, and the associated data have been kept, or there are none */
    TEXT_AFTER_AAD, /* the library has them already */
    TEXT_DONE,
    TEXT_FORGED
};

typedef struct aead_context {
    const provider_context *provider;
    const algorithm *algorithm;
    size_t iv_bytes, tag_bytes;
    uint8_t encrypts;
    uint8_t keyed;
    uint8_t iv_state;
    uint8_t unused;   /* no message has begun under what is in iv, whose state may be that of the IV before it */
    uint8_t counts;   /* the end of the IV is a counter, see tlsivgen */
    uint8_t has_tag;  /* opening: the program has given a tag */
    uint8_t made_tag; /* sealing: there is one to fetch */
    uint8_t has_record;
    uint8_t text;      /* CCM: TEXT_… */
    size_t text_bytes; /* CCM: as announced */
    size_t record_pad; /* bytes by which a record is longer than its text, IV aside */
    uint8_t *aad;      /* SIV: the associated data so far, of our own memory */
    size_t aad_bytes;  /* SIV: of them; CCM: of those that were kept */
    uint8_t kept_aad[LONGEST_KEPT_AAD];
    uint8_t iv[LONGEST_IV];
    uint8_t tag[LONGEST_TAG];
    uint8_t record[RECORD_HEADER];
    _Alignas(RUNNEL_RECOMMENDED_ALIGN) uint8_t context[]; /* algorithm->context_bytes bytes, the library's */
} aead_context;

static inline runnel_aead_context *library_aead(aead_context *c)
{
    return (void *)c->context;
}

/* Starts a message under the IV, under a random one where sealing has none; returns 0 with an error, else 1. */
int aead_start(aead_context *c, size_t tag_bytes);
/* Puts random bytes into the IV from that place on; returns 0 with an error, else 1. */
int aead_random_iv(aead_context *c, size_t from);
/* Takes the IV for one message: writes its last `count` bytes to out and adds 1 to its last 8 for the message after.
 * Returns 0 with an error where the IV does not count, or where sealing would use it a second time. */
int aead_next_iv(aead_context *c, uint8_t *out, size_t count);

/* ---- records of TLS 1.2, record.c ---- */

/* Takes the header of the next record; returns 0 with an error, else 1. */
int record_header(aead_context *c, const uint8_t *header, size_t bytes);
/* Takes the part of the nonce that stays the same, or the whole of it with bytes == SIZE_MAX. */
int record_fixed_iv(aead_context *c, const uint8_t *iv, size_t bytes);
/* Seals or opens a record of explicit IV, text and tag, as OSSL_FUNC_cipher_update. */
int record_crypt(aead_context *c, uint8_t *out, size_t *out_bytes, const uint8_t *in, size_t bytes);

/* ---- the text in one call, siv.c ---- */

void siv_forget(aead_context *c);
/* Copies the associated data that a copied context still shares. Returns 1, or 0 with an error. */
int siv_duplicate(aead_context *c);

#endif
