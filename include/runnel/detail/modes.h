/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The layout of a block cipher's contexts in authenticated modes. */
#ifndef RUNNEL_DETAIL_MODES_H
#define RUNNEL_DETAIL_MODES_H

#include <runnel/detail/aead.h>
#include <runnel/detail/ghash.h>
#include <runnel/detail/stream.h>

/* The context of an AEAD in GCM, besides that of its cipher. */
typedef struct runnel_gcm {
    RUNNEL_ALIGNED runnel_ghash_state hash;
    uint8_t mask[16];          /* the first block of keystream: it encrypts the tag */
    uint8_t partial_block[16]; /* the start of a block of associated data or ciphertext */
#if RUNNEL_HOSTED
    const struct runnel_gcm_functions *own; /* the kernel's code for GCM, or NULL */
    runnel_keystream ahead;                 /* for small pieces */
#endif
} runnel_gcm;

/* In CCM. */
typedef struct runnel_ccm {
    RUNNEL_ALIGNED uint8_t mac[16]; /* the chain; before lengths are known its first block */
    uint8_t mask[16];               /* the current block of keystream; number 0, which encrypts the tag, is the last */
    uint8_t filled;                 /* bytes in the chain that are not encrypted yet: 16, a block that waits */
} runnel_ccm;

/* In GCM-SIV. */
typedef struct runnel_gcm_siv {
    RUNNEL_ALIGNED runnel_ghash_state hash;
#if RUNNEL_HOSTED
    const struct runnel_gcm_siv_functions *own; /* the kernel's code for GCM-SIV, or NULL */
#else
    uint8_t key[32]; /* from which each message's keys come */
#endif
} runnel_gcm_siv;

/* Bytes of a context before that of its cipher. */
#define RUNNEL_AEAD_ROUND_(bytes) (((bytes) + RUNNEL_ALIGN - 1) / RUNNEL_ALIGN * RUNNEL_ALIGN)
#define RUNNEL_GCM_BYTES (RUNNEL_AEAD_ROUND_(sizeof(runnel_aead_context)) + sizeof(runnel_gcm))
#define RUNNEL_GCM_SIV_BYTES (RUNNEL_AEAD_ROUND_(sizeof(runnel_aead_context)) + sizeof(runnel_gcm_siv))
#define RUNNEL_CCM_BYTES (RUNNEL_AEAD_ROUND_(sizeof(runnel_aead_context)) + sizeof(runnel_ccm))

/* The members of runnel_<cipher>_gcm and _ccm, of which ctr is the cipher's context in counter mode. */
#define RUNNEL_GCM_CONTEXT(ctr)                                                                                        \
    runnel_aead_context head;                                                                                          \
    runnel_gcm part;                                                                                                   \
    RUNNEL_TO_LINE(RUNNEL_GCM_BYTES)                                                                                   \
    ctr cipher;
#define RUNNEL_CCM_CONTEXT(ctr)                                                                                        \
    runnel_aead_context head;                                                                                          \
    runnel_ccm part;                                                                                                   \
    RUNNEL_TO_LINE(RUNNEL_CCM_BYTES)                                                                                   \
    ctr cipher;

#endif
