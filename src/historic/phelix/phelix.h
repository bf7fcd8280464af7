/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Phelix without its tag and without associated data: key of 0 to 32 bytes, IV of 16. The length of the tag enters the
 * keystream whether there is one or not: phelix is for tags of 128 bits, phelix_96 and phelix_64 for shorter ones. The
 * plaintext is fed back, so encrypt and decrypt are different verbs; a message may be cut anywhere. Broken: the key is
 * found if IVs are used twice, which its designers claimed to be safe. Less than 2^64 bytes for each IV. Not
 * seekable. */
#ifndef RUNNEL_PHELIX_H
#define RUNNEL_PHELIX_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct runnel_phelix_state {
    RUNNEL_ALIGNED uint32_t active[5];
    uint32_t old[4];
    uint32_t key[8];   /* the working key */
    uint32_t mixed[8]; /* of key and IV */
    uint8_t key_bytes;
    uint8_t tag_bits; /* modulo 128, by the descriptor */
    uint8_t reserved[2];
} runnel_phelix_state;

typedef struct runnel_phelix {
    runnel_stream stream;
    uint8_t word[4]; /* within a word: its plaintext so far, and the keystream for the rest */
    runnel_phelix_state state;
} runnel_phelix;

typedef runnel_phelix runnel_phelix_96;
typedef runnel_phelix runnel_phelix_64;

RUNNEL_DECLARE_DIRECTIONAL_VERBS(phelix)
RUNNEL_DECLARE_DIRECTIONAL_VERBS(phelix_96)
RUNNEL_DECLARE_DIRECTIONAL_VERBS(phelix_64)

#ifdef __cplusplus
}
#endif
#endif
