/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The ciphers under SRTP. AES has contexts here without the prefix tables of counter mode: each packet has an IV of its
 * own, and a server has thousands of streams. The verbs on all of them are runnel_stream_… and runnel_aead_…. */
#ifndef RUNNEL_SRTP_CIPHERS_H
#define RUNNEL_SRTP_CIPHERS_H

#include <runnel/srtp.h>

enum { RUNNEL_SRTP_LONGEST_TAG = 16 };

/* The functions that a block cipher gives SRTP. Key set-ups take a context of the profile's part_bytes; counter mode's
 * also makes session keys of the master key. */
typedef struct runnel_srtp_functions {
    int (*ctr_key)(void *context, const uint8_t *key, size_t key_bytes);
    int (*key)(void *context, const uint8_t *key, size_t key_bytes); /* of the AEAD; NULL: counter mode */
} runnel_srtp_functions;

extern const runnel_srtp_functions runnel_srtp_aes_cm, runnel_srtp_aes_gcm;

/* Key set-up in RUNNEL_SRTP_AES_CTR_BYTES or …_GCM_BYTES bytes, aligned to RUNNEL_ALIGN. Errors: NULL, KEY_LENGTH (16, 24
 * or 32 bytes; GCM: 16 or 32). */
int runnel_srtp_aes_ctr_key(void *context, const uint8_t *key, size_t key_bytes);
int runnel_srtp_aes_gcm_key(void *context, const uint8_t *key, size_t key_bytes);

#endif
