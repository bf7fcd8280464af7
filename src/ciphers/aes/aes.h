/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-128, AES-192 and AES-256 (FIPS 197), keys of 16, 24 or 32 bytes:
 *  - runnel_aes_ctr, counter mode (SP 800-38A 6.5). IV of 16 bytes: the whole first counter block. Counter layouts: all
 *    be… and le… ones. Seekable.
 *  - runnel_aes_cfb, cipher feedback of whole blocks (CFB128, SP 800-38A 6.3). IV of 16 bytes, unpredictable.
 *  - runnel_aes_blocks, the block cipher itself.
 *  - runnel_aes_gcm, authenticated encryption (GCM, SP 800-38D). Nonces of at least 1 byte, preferably 12; tags of 4,
 *    8 or 12 to 16 bytes, 4 and 8 for special uses only. A message has up to 2^36 - 32 bytes.
 *  - runnel_aes_ccm, authenticated encryption (CCM, SP 800-38C). Nonces of 7 to 13 bytes; tags of 4, 6, 8 … 16 bytes.
 *    Under a nonce of n bytes a message has up to 2^(120 - 8 n) - 1 bytes.
 *  - runnel_aes_gcm_siv, authenticated encryption that tolerates a repeated nonce (GCM-SIV, RFC 8452): keys of 16 or
 *    32 bytes, nonces of 12, tags of 16. One-shot only.
 *
 * Firmware names its kernel with RUNNEL_AES_KERNEL and its longest key with RUNNEL_AES_KEY_BITS (128, 192 or 256):
 * they decide the size of the context.
 *
 * The rules for all functions (lengths, overlap, errors) are in <runnel/stream.h>, the verbs in <runnel/verbs.h>,
 * and what holds for AEADs in <runnel/aead.h>. */
#ifndef RUNNEL_AES_H
#define RUNNEL_AES_H

#include <runnel/aead.h>
#include <runnel/detail/modes.h>
#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef RUNNEL_AES_KEY_BITS
#define RUNNEL_AES_KEY_BITS 256
#endif

/* Bytes of a round key and of prefix tables: what the firmware's kernel needs, or the most that any kernel for this
 * processor needs. */
#if defined(RUNNEL_AES_KERNEL)
#define KERNEL(on, name)
#define PAPER(on, name)
#include "kernels.inc" /* in the source tree, from which firmware is built */
#define RUNNEL_AES_SIZES_OF_(kernel) RUNNEL_AES_SIZES_##kernel
#define RUNNEL_AES_SIZES_OF(kernel) RUNNEL_AES_SIZES_OF_(kernel)
#define RUNNEL_AES_SIZES RUNNEL_AES_SIZES_OF(RUNNEL_AES_KERNEL)
#elif defined(__x86_64__)
#define RUNNEL_AES_SIZES 64, 9280
#elif defined(__aarch64__)
#define RUNNEL_AES_SIZES 128, 8512
#elif defined(__arm__) && RUNNEL_HOSTED
#define RUNNEL_AES_SIZES 128, 4256
#elif defined(__arm__)
#define RUNNEL_AES_SIZES 64, 4152
#elif defined(__AVR_HAVE_MOVW__) /* which the assembly for AVR needs */
#define RUNNEL_AES_SIZES 16, 44
#elif defined(__riscv) && __riscv_xlen == 32
#define RUNNEL_AES_SIZES 160, 4256
#elif defined(__wasm__) && RUNNEL_HOSTED /* with vectors or without: one size for library and programs */
#define RUNNEL_AES_SIZES 128, 8512
#elif RUNNEL_HOSTED
#define RUNNEL_AES_SIZES 64, 4112
#else
#define RUNNEL_AES_SIZES 64, 0
#endif
#define RUNNEL_AES_FIRST_(round, prefix) round
#define RUNNEL_AES_SECOND_(round, prefix) prefix
#define RUNNEL_AES_FIRST(sizes) RUNNEL_AES_FIRST_(sizes)
#define RUNNEL_AES_SECOND(sizes) RUNNEL_AES_SECOND_(sizes)

#define RUNNEL_AES_SCHEDULE_BYTES ((RUNNEL_AES_KEY_BITS / 32 + 7) * RUNNEL_AES_FIRST(RUNNEL_AES_SIZES))
#define RUNNEL_AES_PREFIX_BYTES (RUNNEL_PREFIX * RUNNEL_AES_SECOND(RUNNEL_AES_SIZES))

/* The expanded key, in the form of the kernel that made it. */
typedef struct runnel_aes_schedule {
    RUNNEL_ALIGNED uint8_t rounds; /* 10, 12 or 14 */
    RUNNEL_ALIGNED union {
        uint8_t bytes[RUNNEL_AES_SCHEDULE_BYTES / 16][16];
        uint32_t words[RUNNEL_AES_SCHEDULE_BYTES / 4];
        uint64_t sliced[RUNNEL_AES_SCHEDULE_BYTES / 64][8];
    } keys;
} runnel_aes_schedule;

#define RUNNEL_AES_CTR_HEAD_BYTES ((sizeof(runnel_ctr_head) + RUNNEL_ALIGN - 1) / RUNNEL_ALIGN * RUNNEL_ALIGN)

typedef struct runnel_aes_ctr {
    runnel_ctr_head head;
    runnel_aes_schedule schedule;
#if RUNNEL_AES_PREFIX_BYTES
    RUNNEL_TO_LINE(RUNNEL_AES_CTR_HEAD_BYTES + sizeof(runnel_aes_schedule))
    /* States after the first rounds, in the form of the kernel; as secret as the key. */
    RUNNEL_ALIGNED uint8_t prefix[RUNNEL_AES_PREFIX_BYTES];
#endif
} runnel_aes_ctr;

typedef struct runnel_aes_cfb {
    runnel_cfb_head head;
    runnel_aes_schedule schedule;
} runnel_aes_cfb;

typedef struct runnel_aes_blocks {
    runnel_blocks blocks;
    runnel_aes_schedule encrypt;
#if RUNNEL_DECRYPT
    runnel_aes_schedule decrypt;
#endif
} runnel_aes_blocks;

typedef struct runnel_aes_gcm {
    RUNNEL_GCM_CONTEXT(runnel_aes_ctr)
} runnel_aes_gcm;

typedef struct runnel_aes_ccm {
    RUNNEL_CCM_CONTEXT(runnel_aes_ctr)
} runnel_aes_ccm;

typedef struct runnel_aes_gcm_siv {
    runnel_aead_context head;
    runnel_gcm_siv part;
    RUNNEL_TO_LINE(RUNNEL_GCM_SIV_BYTES)
    runnel_aes_ctr cipher; /* under the key that the message's nonce gives */
#if RUNNEL_HOSTED
    runnel_aes_schedule master; /* the key from which each message's keys come */
#endif
} runnel_aes_gcm_siv;

/* Counter mode: runnel_aes_ctr_key, runnel_aes_ctr_key_kernel, runnel_aes_ctr_iv, runnel_aes_ctr_xor,
 * runnel_aes_ctr_packet, runnel_aes_ctr_seek, runnel_aes_ctr_once, runnel_aes_ctr_xor_batch, runnel_aes_ctr_tell,
 * runnel_aes_ctr_left, runnel_aes_ctr_kernel, runnel_aes_ctr_wipe. */
#define RUNNEL_FAMILY(verb) runnel_aes_ctr##verb
#include <runnel/verbs/ctr.h>
#undef RUNNEL_FAMILY

/* Cipher feedback: runnel_aes_cfb_key, runnel_aes_cfb_key_kernel, runnel_aes_cfb_iv, runnel_aes_cfb_encrypt,
 * runnel_aes_cfb_encrypt_packet, runnel_aes_cfb_encrypt_once, runnel_aes_cfb_decrypt, runnel_aes_cfb_decrypt_packet,
 * runnel_aes_cfb_decrypt_once, runnel_aes_cfb_tell, runnel_aes_cfb_left, runnel_aes_cfb_kernel, runnel_aes_cfb_wipe. */
#define RUNNEL_FAMILY(verb) runnel_aes_cfb##verb
#include <runnel/verbs/cfb.h>
#undef RUNNEL_FAMILY

/* The block cipher itself: runnel_aes_blocks_key, runnel_aes_blocks_key_kernel, runnel_aes_blocks_encrypt,
 * runnel_aes_blocks_decrypt, runnel_aes_blocks_kernel, runnel_aes_blocks_wipe. */
#define RUNNEL_FAMILY(verb) runnel_aes_blocks##verb
#include <runnel/verbs/blocks.h>
#undef RUNNEL_FAMILY

/* GCM: runnel_aes_gcm_key, runnel_aes_gcm_key_kernel, runnel_aes_gcm_seal, runnel_aes_gcm_open,
 * runnel_aes_gcm_seal_batch, runnel_aes_gcm_open_batch, runnel_aes_gcm_kernel, runnel_aes_gcm_wipe,
 * runnel_aes_gcm_start, runnel_aes_gcm_lengths, runnel_aes_gcm_aad, runnel_aes_gcm_encrypt, runnel_aes_gcm_decrypt,
 * runnel_aes_gcm_tag, runnel_aes_gcm_verify. */
#define RUNNEL_FAMILY(verb) runnel_aes_gcm##verb
#include <runnel/verbs/aead.h>
#include <runnel/verbs/aead_pieces.h>
#undef RUNNEL_FAMILY

/* CCM: runnel_aes_ccm_key, runnel_aes_ccm_key_kernel, runnel_aes_ccm_seal, runnel_aes_ccm_open,
 * runnel_aes_ccm_seal_batch, runnel_aes_ccm_open_batch, runnel_aes_ccm_kernel, runnel_aes_ccm_wipe,
 * runnel_aes_ccm_start, runnel_aes_ccm_lengths, runnel_aes_ccm_aad, runnel_aes_ccm_encrypt, runnel_aes_ccm_decrypt,
 * runnel_aes_ccm_tag, runnel_aes_ccm_verify. */
#define RUNNEL_FAMILY(verb) runnel_aes_ccm##verb
#include <runnel/verbs/aead.h>
#include <runnel/verbs/aead_pieces.h>
#undef RUNNEL_FAMILY

/* GCM-SIV, keys of 16 or 32 bytes: runnel_aes_gcm_siv_key, runnel_aes_gcm_siv_key_kernel, runnel_aes_gcm_siv_seal,
 * runnel_aes_gcm_siv_open, runnel_aes_gcm_siv_seal_batch, runnel_aes_gcm_siv_open_batch, runnel_aes_gcm_siv_kernel,
 * runnel_aes_gcm_siv_wipe. */
#define RUNNEL_FAMILY(verb) runnel_aes_gcm_siv##verb
#include <runnel/verbs/aead.h>
#undef RUNNEL_FAMILY

#ifdef __cplusplus
}
#endif
#endif
