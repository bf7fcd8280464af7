/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HIGHT (TTAS.KO-12.0040, ISO/IEC 18033-3), blocks of 8 bytes, key of 16 bytes:
 *  - runnel_hight_ctr, counter mode (SP 800-38A 6.5). IV of 8 bytes: the whole first counter block. Counter layouts:
 *    be64 (the default, as in the published vectors), be32, be16, le64 and le32. Seekable.
 *  - runnel_hight_cfb, cipher feedback of whole blocks of 8 bytes (SP 800-38A 6.3). IV of 8 bytes, unpredictable.
 *  - runnel_hight_blocks, the block cipher itself.
 *
 * Byte order: byte 0 of key, block and IV is MK0, P0, X0, as in KISA's code, its vectors and Crypto++. The paper and
 * ISO/IEC 18033-3 print the byte of the highest index first: reverse their strings.
 *
 * The rules for all functions (lengths, overlap, errors) are in <runnel/stream.h>, the verbs in <runnel/verbs.h>. */
#ifndef RUNNEL_HIGHT_H
#define RUNNEL_HIGHT_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Firmware names its kernel with RUNNEL_HIGHT_KERNEL. A bit-sliced one also keeps the keys in that form, 2 KiB. */
#if defined(RUNNEL_HIGHT_KERNEL)
#define KERNEL(on, name)
#define PAPER(on, name)
#include "kernels.inc" /* in the source tree, from which firmware is built */
#define RUNNEL_HIGHT_SLICES_OF_(kernel) RUNNEL_HIGHT_SLICES_##kernel
#define RUNNEL_HIGHT_SLICES_OF(kernel) RUNNEL_HIGHT_SLICES_OF_(kernel)
#define RUNNEL_HIGHT_SLICED_WORDS RUNNEL_HIGHT_SLICES_OF(RUNNEL_HIGHT_KERNEL)
#elif defined(__riscv) && __riscv_xlen == 32
#define RUNNEL_HIGHT_SLICED_WORDS 528
#else
#define RUNNEL_HIGHT_SLICED_WORDS 0
#endif

typedef struct runnel_hight_schedule {
    RUNNEL_ALIGNED uint8_t whitening[8]; /* WK0 … WK7 */
    uint8_t subkeys[128];                /* SK0 … SK127: four a round */
#if RUNNEL_HIGHT_SLICED_WORDS
    RUNNEL_ALIGNED uint32_t sliced[RUNNEL_HIGHT_SLICED_WORDS];
#endif
} runnel_hight_schedule;

typedef struct runnel_hight_ctr {
    runnel_ctr_head head;
    runnel_hight_schedule schedule;
} runnel_hight_ctr;

typedef struct runnel_hight_cfb {
    runnel_cfb_head head;
    runnel_hight_schedule schedule;
} runnel_hight_cfb;

typedef struct runnel_hight_blocks {
    runnel_blocks blocks;
    runnel_hight_schedule encrypt;
#if RUNNEL_DECRYPT
    runnel_hight_schedule decrypt;
#endif
} runnel_hight_blocks;

/* Counter mode: runnel_hight_ctr_key, runnel_hight_ctr_key_kernel, runnel_hight_ctr_iv, runnel_hight_ctr_xor,
 * runnel_hight_ctr_packet, runnel_hight_ctr_seek, runnel_hight_ctr_once, runnel_hight_ctr_xor_batch,
 * runnel_hight_ctr_tell, runnel_hight_ctr_left, runnel_hight_ctr_kernel, runnel_hight_ctr_wipe. */
#define RUNNEL_FAMILY(verb) runnel_hight_ctr##verb
#include <runnel/verbs/ctr.h>
#undef RUNNEL_FAMILY

/* Cipher feedback: runnel_hight_cfb_key, runnel_hight_cfb_key_kernel, runnel_hight_cfb_iv, runnel_hight_cfb_encrypt,
 * runnel_hight_cfb_encrypt_packet, runnel_hight_cfb_encrypt_once, runnel_hight_cfb_decrypt,
 * runnel_hight_cfb_decrypt_packet, runnel_hight_cfb_decrypt_once, runnel_hight_cfb_tell, runnel_hight_cfb_left,
 * runnel_hight_cfb_kernel, runnel_hight_cfb_wipe. */
#define RUNNEL_FAMILY(verb) runnel_hight_cfb##verb
#include <runnel/verbs/cfb.h>
#undef RUNNEL_FAMILY

/* The block cipher itself: runnel_hight_blocks_key, runnel_hight_blocks_key_kernel, runnel_hight_blocks_encrypt,
 * runnel_hight_blocks_decrypt, runnel_hight_blocks_kernel, runnel_hight_blocks_wipe. */
#define RUNNEL_FAMILY(verb) runnel_hight_blocks##verb
#include <runnel/verbs/blocks.h>
#undef RUNNEL_FAMILY

#ifdef __cplusplus
}
#endif
#endif
