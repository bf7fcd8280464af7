/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SEED (RFC 4269, ISO/IEC 18033-3), key of 16 bytes:
 *  - runnel_seed_ctr, counter mode (SP 800-38A 6.5). IV of 16 bytes: the whole first counter block. Counter layouts: all
 *    be… and le… ones and be32-left. Seekable.
 *  - runnel_seed_cfb, cipher feedback of whole blocks (CFB128, SP 800-38A 6.3). IV of 16 bytes, unpredictable.
 *  - runnel_seed_blocks, the block cipher itself.
 *  - runnel_seed_gcm, authenticated encryption (GCM, SP 800-38D). Nonces of at least 1 byte, preferably 12; tags of 4,
 *    8 or 12 to 16 bytes, 4 and 8 for special uses only. A message has up to 2^36 - 32 bytes.
 *  - runnel_seed_ccm, authenticated encryption (CCM, SP 800-38C). Nonces of 7 to 13 bytes; tags of 4, 6, 8 … 16 bytes.
 *    Under a nonce of n bytes a message has up to 2^(120 - 8 n) - 1 bytes.
 *
 * The rules for all functions (lengths, overlap, errors) are in <runnel/stream.h>, the verbs in <runnel/verbs.h>,
 * and what holds for AEADs in <runnel/aead.h>. */
#ifndef RUNNEL_SEED_H
#define RUNNEL_SEED_H

#include <runnel/aead.h>
#include <runnel/detail/modes.h>
#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The round keys K(1,0), K(1,1), K(2,0) … K(16,1); the same for every kernel but neon-tbl-literal, which has the bytes of
 * each pair in another order. */
typedef struct runnel_seed_schedule {
    RUNNEL_ALIGNED uint32_t words[32];
} runnel_seed_schedule;

typedef struct runnel_seed_ctr {
    runnel_ctr_head head;
    runnel_seed_schedule schedule;
} runnel_seed_ctr;

typedef struct runnel_seed_cfb {
    runnel_cfb_head head;
    runnel_seed_schedule schedule;
} runnel_seed_cfb;

typedef struct runnel_seed_blocks {
    runnel_blocks blocks;
    runnel_seed_schedule encrypt;
#if RUNNEL_DECRYPT
    runnel_seed_schedule decrypt;
#endif
} runnel_seed_blocks;

typedef struct runnel_seed_gcm {
    RUNNEL_GCM_CONTEXT(runnel_seed_ctr)
} runnel_seed_gcm;

typedef struct runnel_seed_ccm {
    RUNNEL_CCM_CONTEXT(runnel_seed_ctr)
} runnel_seed_ccm;

/* Counter mode: runnel_seed_ctr_key, runnel_seed_ctr_key_kernel, runnel_seed_ctr_iv, runnel_seed_ctr_xor,
 * runnel_seed_ctr_packet, runnel_seed_ctr_seek, runnel_seed_ctr_once, runnel_seed_ctr_xor_batch, runnel_seed_ctr_tell,
 * runnel_seed_ctr_left, runnel_seed_ctr_kernel, runnel_seed_ctr_wipe. */
#define RUNNEL_FAMILY(verb) runnel_seed_ctr##verb
#include <runnel/verbs/ctr.h>
#undef RUNNEL_FAMILY

/* Cipher feedback: runnel_seed_cfb_key, runnel_seed_cfb_key_kernel, runnel_seed_cfb_iv, runnel_seed_cfb_encrypt,
 * runnel_seed_cfb_encrypt_packet, runnel_seed_cfb_encrypt_once, runnel_seed_cfb_decrypt,
 * runnel_seed_cfb_decrypt_packet, runnel_seed_cfb_decrypt_once, runnel_seed_cfb_tell, runnel_seed_cfb_left,
 * runnel_seed_cfb_kernel, runnel_seed_cfb_wipe. */
#define RUNNEL_FAMILY(verb) runnel_seed_cfb##verb
#include <runnel/verbs/cfb.h>
#undef RUNNEL_FAMILY

/* The block cipher itself: runnel_seed_blocks_key, runnel_seed_blocks_key_kernel, runnel_seed_blocks_encrypt,
 * runnel_seed_blocks_decrypt, runnel_seed_blocks_kernel, runnel_seed_blocks_wipe. */
#define RUNNEL_FAMILY(verb) runnel_seed_blocks##verb
#include <runnel/verbs/blocks.h>
#undef RUNNEL_FAMILY

/* GCM: runnel_seed_gcm_key, runnel_seed_gcm_key_kernel, runnel_seed_gcm_seal, runnel_seed_gcm_open,
 * runnel_seed_gcm_seal_batch, runnel_seed_gcm_open_batch, runnel_seed_gcm_kernel, runnel_seed_gcm_wipe,
 * runnel_seed_gcm_start, runnel_seed_gcm_lengths, runnel_seed_gcm_aad, runnel_seed_gcm_encrypt,
 * runnel_seed_gcm_decrypt, runnel_seed_gcm_tag, runnel_seed_gcm_verify. */
#define RUNNEL_FAMILY(verb) runnel_seed_gcm##verb
#include <runnel/verbs/aead.h>
#include <runnel/verbs/aead_pieces.h>
#undef RUNNEL_FAMILY

/* CCM: runnel_seed_ccm_key, runnel_seed_ccm_key_kernel, runnel_seed_ccm_seal, runnel_seed_ccm_open,
 * runnel_seed_ccm_seal_batch, runnel_seed_ccm_open_batch, runnel_seed_ccm_kernel, runnel_seed_ccm_wipe,
 * runnel_seed_ccm_start, runnel_seed_ccm_lengths, runnel_seed_ccm_aad, runnel_seed_ccm_encrypt,
 * runnel_seed_ccm_decrypt, runnel_seed_ccm_tag, runnel_seed_ccm_verify. */
#define RUNNEL_FAMILY(verb) runnel_seed_ccm##verb
#include <runnel/verbs/aead.h>
#include <runnel/verbs/aead_pieces.h>
#undef RUNNEL_FAMILY

#ifdef __cplusplus
}
#endif
#endif
