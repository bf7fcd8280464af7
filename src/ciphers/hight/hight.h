/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HIGHT (TTAS.KO-12.0040, ISO/IEC 18033-3), blocks of 8 bytes, key of 16 bytes:
 *  - runnel_hight_ctr, counter mode (SP 800-38A 6.5). IV of 8 bytes: the whole first counter block. Counter layouts:
 *    be64 (the default, as in the published vectors), be32, be16, le64 and le32. Seekable.
 *  - runnel_hight_cfb, cipher feedback of whole blocks of 8 bytes (SP 800-38A 6.3). IV of 8 bytes, unpredictable.
 *  - runnel_hight_blocks, the block cipher itself.
 *
 * Byte order: byte 0 of key, block and IV is MK0, P0, X0, as in KISA's code, its vectors and Crypto++. The paper and
 * ISO/IEC 18033-3 print the byte of the highest index first: reverse their strings. */
#ifndef RUNNEL_HIGHT_H
#define RUNNEL_HIGHT_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Firmware names its kernel with RUNNEL_HIGHT_KERNEL. One in bit slices keeps its keys in that form too, 2 KiB. */
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

RUNNEL_DECLARE_CTR_VERBS(hight_ctr)
RUNNEL_DECLARE_DIRECTIONAL_VERBS(hight_cfb)
RUNNEL_DECLARE_BLOCKS_VERBS(hight_blocks)

#ifdef __cplusplus
}
#endif
#endif
