/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ARIA-128, ARIA-192 and ARIA-256 (RFC 5794, KS X 1213), keys of 16, 24 or 32 bytes:
 *  - runnel_aria_ctr, counter mode (SP 800-38A 6.5; RFC 8269 for SRTP). IV of 16 bytes: the whole first counter block.
 *    Counter layouts: all be… and le… ones. Seekable.
 *  - runnel_aria_cfb, cipher feedback of whole blocks (CFB128, SP 800-38A 6.3). IV of 16 bytes, unpredictable.
 *  - runnel_aria_blocks, the block cipher itself.
 *  - runnel_aria_gcm, authenticated encryption (GCM, SP 800-38D). Nonces of at least 1 byte, preferably 12; tags of 4,
 *    8 or 12 to 16 bytes, 4 and 8 for special uses only. A message has up to 2^36 - 32 bytes.
 *  - runnel_aria_ccm, authenticated encryption (CCM, SP 800-38C). Nonces of 7 to 13 bytes; tags of 4, 6, 8 … 16 bytes.
 *    Under a nonce of n bytes a message has up to 2^(120 - 8 n) - 1 bytes.
 *
 * Firmware names its kernel with RUNNEL_ARIA_KERNEL and its longest key with RUNNEL_ARIA_KEY_BITS (128, 192 or 256): it
 * decides the size of the context.
 *
 * The rules for all functions (lengths, overlap, errors) are in <runnel/stream.h>, the verbs in <runnel/verbs.h>,
 * and what holds for AEADs in <runnel/aead.h>. */
#ifndef RUNNEL_ARIA_H
#define RUNNEL_ARIA_H

#include <runnel/aead.h>
#include <runnel/detail/modes.h>
#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef RUNNEL_ARIA_KEY_BITS
#define RUNNEL_ARIA_KEY_BITS 256
#endif

/* The round keys ek1 … ek13, ek15 or ek17, byte x0 first. */
typedef struct runnel_aria_schedule {
    RUNNEL_ALIGNED uint8_t keys[RUNNEL_ARIA_KEY_BITS / 32 + 9][16];
#if defined(__x86_64__)
    RUNNEL_ALIGNED uint8_t folded[RUNNEL_ARIA_KEY_BITS / 32 + 9][16]; /* as kernels that slice by bytes add them */
#endif
    uint8_t rounds; /* 12, 14 or 16 */
} runnel_aria_schedule;

typedef struct runnel_aria_ctr {
    runnel_ctr_head head;
    runnel_aria_schedule schedule;
} runnel_aria_ctr;

typedef struct runnel_aria_cfb {
    runnel_cfb_head head;
    runnel_aria_schedule schedule;
} runnel_aria_cfb;

typedef struct runnel_aria_blocks {
    runnel_blocks blocks;
    runnel_aria_schedule encrypt;
#if RUNNEL_DECRYPT
    runnel_aria_schedule decrypt;
#endif
} runnel_aria_blocks;

typedef struct runnel_aria_gcm {
    RUNNEL_GCM_CONTEXT(runnel_aria_ctr)
} runnel_aria_gcm;

typedef struct runnel_aria_ccm {
    RUNNEL_CCM_CONTEXT(runnel_aria_ctr)
} runnel_aria_ccm;

/* Counter mode: runnel_aria_ctr_key, runnel_aria_ctr_key_kernel, runnel_aria_ctr_iv, runnel_aria_ctr_xor,
 * runnel_aria_ctr_packet, runnel_aria_ctr_seek, runnel_aria_ctr_once, runnel_aria_ctr_xor_batch, runnel_aria_ctr_tell,
 * runnel_aria_ctr_left, runnel_aria_ctr_kernel, runnel_aria_ctr_wipe. */
#define RUNNEL_FAMILY(verb) runnel_aria_ctr##verb
#include <runnel/verbs/ctr.h>
#undef RUNNEL_FAMILY

/* Cipher feedback: runnel_aria_cfb_key, runnel_aria_cfb_key_kernel, runnel_aria_cfb_iv, runnel_aria_cfb_encrypt,
 * runnel_aria_cfb_encrypt_packet, runnel_aria_cfb_encrypt_once, runnel_aria_cfb_decrypt,
 * runnel_aria_cfb_decrypt_packet, runnel_aria_cfb_decrypt_once, runnel_aria_cfb_tell, runnel_aria_cfb_left,
 * runnel_aria_cfb_kernel, runnel_aria_cfb_wipe. */
#define RUNNEL_FAMILY(verb) runnel_aria_cfb##verb
#include <runnel/verbs/cfb.h>
#undef RUNNEL_FAMILY

/* The block cipher itself: runnel_aria_blocks_key, runnel_aria_blocks_key_kernel, runnel_aria_blocks_encrypt,
 * runnel_aria_blocks_decrypt, runnel_aria_blocks_kernel, runnel_aria_blocks_wipe. */
#define RUNNEL_FAMILY(verb) runnel_aria_blocks##verb
#include <runnel/verbs/blocks.h>
#undef RUNNEL_FAMILY

/* GCM: runnel_aria_gcm_key, runnel_aria_gcm_key_kernel, runnel_aria_gcm_seal, runnel_aria_gcm_open,
 * runnel_aria_gcm_seal_batch, runnel_aria_gcm_open_batch, runnel_aria_gcm_kernel, runnel_aria_gcm_wipe,
 * runnel_aria_gcm_start, runnel_aria_gcm_lengths, runnel_aria_gcm_aad, runnel_aria_gcm_encrypt,
 * runnel_aria_gcm_decrypt, runnel_aria_gcm_tag, runnel_aria_gcm_verify. */
#define RUNNEL_FAMILY(verb) runnel_aria_gcm##verb
#include <runnel/verbs/aead.h>
#include <runnel/verbs/aead_pieces.h>
#undef RUNNEL_FAMILY

/* CCM: runnel_aria_ccm_key, runnel_aria_ccm_key_kernel, runnel_aria_ccm_seal, runnel_aria_ccm_open,
 * runnel_aria_ccm_seal_batch, runnel_aria_ccm_open_batch, runnel_aria_ccm_kernel, runnel_aria_ccm_wipe,
 * runnel_aria_ccm_start, runnel_aria_ccm_lengths, runnel_aria_ccm_aad, runnel_aria_ccm_encrypt,
 * runnel_aria_ccm_decrypt, runnel_aria_ccm_tag, runnel_aria_ccm_verify. */
#define RUNNEL_FAMILY(verb) runnel_aria_ccm##verb
#include <runnel/verbs/aead.h>
#include <runnel/verbs/aead_pieces.h>
#undef RUNNEL_FAMILY

#ifdef __cplusplus
}
#endif
#endif
