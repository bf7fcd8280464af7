/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AEGIS (RFC 10032): a state of AES blocks, one round of AES on each for every block of a message.
 *
 *   context                 key and nonce   lanes
 *   runnel_aegis_128l       16 bytes        1
 *   runnel_aegis_128x2, x4  16              2, 4    on hosts
 *   runnel_aegis_256        32              1
 *   runnel_aegis_256x2, x4  32              2, 4    on hosts
 *
 * Six different ciphers: the number of lanes changes every byte. Those with several lanes are for processors whose vector
 * registers hold several blocks, and for where both sides have agreed on one. Tags of 16 bytes or, on hosts, of 32; the one
 * is no part of the other. A message has up to 2^61 - 1 bytes, its associated data as many. Nonces may be drawn at random:
 * those of 16 bytes for 2^48 messages, those of 32 for as many as anybody sends. A nonce that is used twice gives its
 * messages away, and so does unverified plaintext that gets out: keep what runnel_aegis_…_decrypt writes until verify.
 *
 * The rules for all functions (nonces, overlap, errors, unverified output) are in <runnel/aead.h>, the verbs in
 * <runnel/verbs.h>. */
#ifndef RUNNEL_AEGIS_H
#define RUNNEL_AEGIS_H

#include <runnel/aead.h>
#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef RUNNEL_IN_FLASH struct runnel_aegis_kernel runnel_aegis_kernel;

/* block_bytes: of a block of the message. */
#define RUNNEL_AEGIS_CONTEXT(lanes, block_bytes)                                                                       \
    runnel_aead_context head;                                                                                          \
    const runnel_aegis_kernel *kernel;                                                                                 \
    const RUNNEL_IN_FLASH struct runnel_aegis_functions *functions; /* the kernel's */                                 \
    RUNNEL_ALIGNED uint8_t key[32];                                                                                    \
    RUNNEL_ALIGNED uint8_t partial[block_bytes]; /* of a block what has come, and of text the keystream behind it */   \
    RUNNEL_ALIGNED uint8_t state[128 * (lanes)]; /* in the kernel's form */

typedef struct runnel_aegis_128l {
    RUNNEL_AEGIS_CONTEXT(1, 32)
} runnel_aegis_128l;

typedef struct runnel_aegis_256 {
    RUNNEL_AEGIS_CONTEXT(1, 16)
} runnel_aegis_256;

/* runnel_aegis_128l_key, runnel_aegis_128l_key_kernel, runnel_aegis_128l_seal, runnel_aegis_128l_open,
 * runnel_aegis_128l_kernel, runnel_aegis_128l_wipe, runnel_aegis_128l_start, runnel_aegis_128l_lengths,
 * runnel_aegis_128l_aad, runnel_aegis_128l_encrypt, runnel_aegis_128l_decrypt, runnel_aegis_128l_tag,
 * runnel_aegis_128l_verify, and on hosts runnel_aegis_128l_seal_batch and runnel_aegis_128l_open_batch. */
#define RUNNEL_FAMILY(verb) runnel_aegis_128l##verb
#include <runnel/verbs/aead.h>
#include <runnel/verbs/aead_pieces.h>
#undef RUNNEL_FAMILY

/* runnel_aegis_256_key, runnel_aegis_256_key_kernel, runnel_aegis_256_seal, runnel_aegis_256_open,
 * runnel_aegis_256_kernel, runnel_aegis_256_wipe, runnel_aegis_256_start, runnel_aegis_256_lengths,
 * runnel_aegis_256_aad, runnel_aegis_256_encrypt, runnel_aegis_256_decrypt, runnel_aegis_256_tag,
 * runnel_aegis_256_verify, and on hosts runnel_aegis_256_seal_batch and runnel_aegis_256_open_batch. */
#define RUNNEL_FAMILY(verb) runnel_aegis_256##verb
#include <runnel/verbs/aead.h>
#include <runnel/verbs/aead_pieces.h>
#undef RUNNEL_FAMILY

#if RUNNEL_HOSTED
typedef struct runnel_aegis_128x2 {
    RUNNEL_AEGIS_CONTEXT(2, 64)
} runnel_aegis_128x2;

typedef struct runnel_aegis_128x4 {
    RUNNEL_AEGIS_CONTEXT(4, 128)
} runnel_aegis_128x4;

typedef struct runnel_aegis_256x2 {
    RUNNEL_AEGIS_CONTEXT(2, 32)
} runnel_aegis_256x2;

typedef struct runnel_aegis_256x4 {
    RUNNEL_AEGIS_CONTEXT(4, 64)
} runnel_aegis_256x4;

/* runnel_aegis_128x2_key, runnel_aegis_128x2_key_kernel, runnel_aegis_128x2_seal, runnel_aegis_128x2_open,
 * runnel_aegis_128x2_kernel, runnel_aegis_128x2_wipe, runnel_aegis_128x2_start, runnel_aegis_128x2_lengths,
 * runnel_aegis_128x2_aad, runnel_aegis_128x2_encrypt, runnel_aegis_128x2_decrypt, runnel_aegis_128x2_tag,
 * runnel_aegis_128x2_verify, runnel_aegis_128x2_seal_batch, runnel_aegis_128x2_open_batch. */
#define RUNNEL_FAMILY(verb) runnel_aegis_128x2##verb
#include <runnel/verbs/aead.h>
#include <runnel/verbs/aead_pieces.h>
#undef RUNNEL_FAMILY

/* runnel_aegis_128x4_key, runnel_aegis_128x4_key_kernel, runnel_aegis_128x4_seal, runnel_aegis_128x4_open,
 * runnel_aegis_128x4_kernel, runnel_aegis_128x4_wipe, runnel_aegis_128x4_start, runnel_aegis_128x4_lengths,
 * runnel_aegis_128x4_aad, runnel_aegis_128x4_encrypt, runnel_aegis_128x4_decrypt, runnel_aegis_128x4_tag,
 * runnel_aegis_128x4_verify, runnel_aegis_128x4_seal_batch, runnel_aegis_128x4_open_batch. */
#define RUNNEL_FAMILY(verb) runnel_aegis_128x4##verb
#include <runnel/verbs/aead.h>
#include <runnel/verbs/aead_pieces.h>
#undef RUNNEL_FAMILY

/* runnel_aegis_256x2_key, runnel_aegis_256x2_key_kernel, runnel_aegis_256x2_seal, runnel_aegis_256x2_open,
 * runnel_aegis_256x2_kernel, runnel_aegis_256x2_wipe, runnel_aegis_256x2_start, runnel_aegis_256x2_lengths,
 * runnel_aegis_256x2_aad, runnel_aegis_256x2_encrypt, runnel_aegis_256x2_decrypt, runnel_aegis_256x2_tag,
 * runnel_aegis_256x2_verify, runnel_aegis_256x2_seal_batch, runnel_aegis_256x2_open_batch. */
#define RUNNEL_FAMILY(verb) runnel_aegis_256x2##verb
#include <runnel/verbs/aead.h>
#include <runnel/verbs/aead_pieces.h>
#undef RUNNEL_FAMILY

/* runnel_aegis_256x4_key, runnel_aegis_256x4_key_kernel, runnel_aegis_256x4_seal, runnel_aegis_256x4_open,
 * runnel_aegis_256x4_kernel, runnel_aegis_256x4_wipe, runnel_aegis_256x4_start, runnel_aegis_256x4_lengths,
 * runnel_aegis_256x4_aad, runnel_aegis_256x4_encrypt, runnel_aegis_256x4_decrypt, runnel_aegis_256x4_tag,
 * runnel_aegis_256x4_verify, runnel_aegis_256x4_seal_batch, runnel_aegis_256x4_open_batch. */
#define RUNNEL_FAMILY(verb) runnel_aegis_256x4##verb
#include <runnel/verbs/aead.h>
#include <runnel/verbs/aead_pieces.h>
#undef RUNNEL_FAMILY
#endif

#ifdef __cplusplus
}
#endif
#endif
