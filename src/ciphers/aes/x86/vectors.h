/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the x86 kernels on vector registers share besides ctr.h. */
#ifndef RUNNEL_AES_X86_H
#define RUNNEL_AES_X86_H

#include "ciphers/aes/kernels.h"

/* The context's prefix tables (ctr.h). Key set-up zeroes the first 8 bytes; each part is undefined until these flags
 * say otherwise. */
typedef struct aes_prefix {
    uint16_t blocks;         /* encrypted under this key in messages without two_rounds, until one_round is made */
    uint16_t filled;         /* entries of two_rounds that are defined, from the first on */
    uint8_t column_set;      /* column is defined: AES_SET(the counter is little-endian) */
    uint8_t two_rounds_used; /* some of two_rounds was written under this key */
    uint8_t one_round_set;   /* one_round is defined: AES_SET(the counter is little-endian) */
    uint8_t phase;           /* two_rounds[i] is for last byte phase + i modulo 256 */
    uint32_t column;         /* the constant bytes of column 0 of the counter blocks that two_rounds belongs to */
    uint8_t unused[52];
    uint8_t two_rounds[256 + 32][16];
    uint8_t one_round[256 + 32][16]; /* [i] is for last byte i modulo 256 */
} __attribute__((may_alias)) aes_prefix;

/* A table that is set belongs to one place of the counter: a layout may change under a key. */
#define AES_SET(little) (uint8_t)(1 + (little))

/* Key set-up: round keys in keys.bytes. */
void runnel_aes_x86_key(void *state, const uint8_t *key, size_t key_bytes);
void runnel_aes_x86_key_and_zero(void *state, const uint8_t *key, size_t key_bytes, uint8_t *zero);

/* Their code for GCM and GCM-SIV. */
extern const struct runnel_gcm_functions runnel_aes_gcm_vaes512, runnel_aes_gcm_vaes, runnel_aes_gcm_aesni;
extern const struct runnel_gcm_siv_functions runnel_aes_gcm_siv_vaes512, runnel_aes_gcm_siv_vaes,
    runnel_aes_gcm_siv_aesni;

/* The tables are used in this order. */
static inline uint32_t aes_x86_prefix_used(const void *prefix)
{
    const aes_prefix *p = prefix;
    if (p->one_round_set)
        return sizeof *p;
    return p->two_rounds_used ? offsetof(aes_prefix, one_round) : offsetof(aes_prefix, two_rounds);
}

#endif
