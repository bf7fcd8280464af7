/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA-128, LEA-192 and LEA-256 (KS X 3246, ISO/IEC 29192-2), keys of 16, 24 or 32 bytes:
 *  - runnel_lea_ctr, counter mode (SP 800-38A 6.5). IV of 16 bytes: the whole first counter block; the counter is
 *    big-endian as in the published vectors, although LEA's own words are little-endian. Counter layouts: all be… and le…
 *    ones. Seekable.
 *  - runnel_lea_cfb, cipher feedback of whole blocks (CFB128, SP 800-38A 6.3). IV of 16 bytes, unpredictable.
 *  - runnel_lea_blocks, the block cipher itself.
 *  - runnel_lea_gcm, authenticated encryption (GCM, SP 800-38D). Nonces of at least 1 byte, preferably 12; tags of 4,
 *    8 or 12 to 16 bytes, 4 and 8 for special uses only. A message has up to 2^36 - 32 bytes.
 *  - runnel_lea_ccm, authenticated encryption (CCM, SP 800-38C). Nonces of 7 to 13 bytes; tags of 4, 6, 8 … 16 bytes.
 *    Under a nonce of n bytes a message has up to 2^(120 - 8 n) - 1 bytes.
 *
 * Firmware names its kernel with RUNNEL_LEA_KERNEL and its longest key with RUNNEL_LEA_KEY_BITS (128, 192 or 256): it
 * decides the size of the context.
 *
 * The rules for all functions (lengths, overlap, errors) are in <runnel/stream.h>, the verbs in <runnel/verbs.h>,
 * and what holds for AEADs in <runnel/aead.h>. */
#ifndef RUNNEL_LEA_H
#define RUNNEL_LEA_H

#include <runnel/aead.h>
#include <runnel/detail/modes.h>
#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef RUNNEL_LEA_KEY_BITS
#define RUNNEL_LEA_KEY_BITS 256
#endif

/* Words of all round keys: 24 rounds of four, 28 or 32 of six. */
#if RUNNEL_LEA_KEY_BITS > 192
#define RUNNEL_LEA_SCHEDULE_WORDS (32 * 6)
#elif RUNNEL_LEA_KEY_BITS > 128
#define RUNNEL_LEA_SCHEDULE_WORDS (28 * 6)
#else
#define RUNNEL_LEA_SCHEDULE_WORDS (24 * 4)
#endif

/* The round keys, round by round: T0, T1, T2, T3 of a 128-bit key, whose T1 is used three times; all six words of the
 * others. */
typedef struct runnel_lea_schedule {
    RUNNEL_ALIGNED uint32_t words[RUNNEL_LEA_SCHEDULE_WORDS];
    uint8_t rounds; /* 24, 28 or 32 */
} runnel_lea_schedule;

typedef struct runnel_lea_ctr {
    runnel_ctr_head head;
    runnel_lea_schedule schedule;
} runnel_lea_ctr;

typedef struct runnel_lea_cfb {
    runnel_cfb_head head;
    runnel_lea_schedule schedule;
} runnel_lea_cfb;

typedef struct runnel_lea_blocks {
    runnel_blocks blocks;
    runnel_lea_schedule encrypt;
#if RUNNEL_DECRYPT
    runnel_lea_schedule decrypt;
#endif
} runnel_lea_blocks;

typedef struct runnel_lea_gcm {
    RUNNEL_GCM_CONTEXT(runnel_lea_ctr)
} runnel_lea_gcm;

typedef struct runnel_lea_ccm {
    RUNNEL_CCM_CONTEXT(runnel_lea_ctr)
} runnel_lea_ccm;

/* Counter mode: runnel_lea_ctr_key, runnel_lea_ctr_key_kernel, runnel_lea_ctr_iv, runnel_lea_ctr_xor,
 * runnel_lea_ctr_packet, runnel_lea_ctr_seek, runnel_lea_ctr_once, runnel_lea_ctr_xor_batch, runnel_lea_ctr_tell,
 * runnel_lea_ctr_left, runnel_lea_ctr_kernel, runnel_lea_ctr_wipe. */
#define RUNNEL_FAMILY(verb) runnel_lea_ctr##verb
#include <runnel/verbs/ctr.h>
#undef RUNNEL_FAMILY

/* Cipher feedback: runnel_lea_cfb_key, runnel_lea_cfb_key_kernel, runnel_lea_cfb_iv, runnel_lea_cfb_encrypt,
 * runnel_lea_cfb_encrypt_packet, runnel_lea_cfb_encrypt_once, runnel_lea_cfb_decrypt, runnel_lea_cfb_decrypt_packet,
 * runnel_lea_cfb_decrypt_once, runnel_lea_cfb_tell, runnel_lea_cfb_left, runnel_lea_cfb_kernel, runnel_lea_cfb_wipe. */
#define RUNNEL_FAMILY(verb) runnel_lea_cfb##verb
#include <runnel/verbs/cfb.h>
#undef RUNNEL_FAMILY

/* The block cipher itself: runnel_lea_blocks_key, runnel_lea_blocks_key_kernel, runnel_lea_blocks_encrypt,
 * runnel_lea_blocks_decrypt, runnel_lea_blocks_kernel, runnel_lea_blocks_wipe. */
#define RUNNEL_FAMILY(verb) runnel_lea_blocks##verb
#include <runnel/verbs/blocks.h>
#undef RUNNEL_FAMILY

/* GCM: runnel_lea_gcm_key, runnel_lea_gcm_key_kernel, runnel_lea_gcm_seal, runnel_lea_gcm_open,
 * runnel_lea_gcm_seal_batch, runnel_lea_gcm_open_batch, runnel_lea_gcm_kernel, runnel_lea_gcm_wipe,
 * runnel_lea_gcm_start, runnel_lea_gcm_lengths, runnel_lea_gcm_aad, runnel_lea_gcm_encrypt, runnel_lea_gcm_decrypt,
 * runnel_lea_gcm_tag, runnel_lea_gcm_verify. */
#define RUNNEL_FAMILY(verb) runnel_lea_gcm##verb
#include <runnel/verbs/aead.h>
#include <runnel/verbs/aead_pieces.h>
#undef RUNNEL_FAMILY

/* CCM: runnel_lea_ccm_key, runnel_lea_ccm_key_kernel, runnel_lea_ccm_seal, runnel_lea_ccm_open,
 * runnel_lea_ccm_seal_batch, runnel_lea_ccm_open_batch, runnel_lea_ccm_kernel, runnel_lea_ccm_wipe,
 * runnel_lea_ccm_start, runnel_lea_ccm_lengths, runnel_lea_ccm_aad, runnel_lea_ccm_encrypt, runnel_lea_ccm_decrypt,
 * runnel_lea_ccm_tag, runnel_lea_ccm_verify. */
#define RUNNEL_FAMILY(verb) runnel_lea_ccm##verb
#include <runnel/verbs/aead.h>
#include <runnel/verbs/aead_pieces.h>
#undef RUNNEL_FAMILY

#ifdef __cplusplus
}
#endif
#endif
