/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-128, AES-192 and AES-256 (FIPS 197), keys of 16, 24 or 32 bytes:
 *  - runnel_aes_ctr, counter mode (SP 800-38A 6.5). IV of 16 bytes: the whole first counter block. Counter layouts: all
 *    be… and le… ones. Seekable.
 *  - runnel_aes_cfb, cipher feedback of whole blocks (CFB128, SP 800-38A 6.3). IV of 16 bytes, unpredictable.
 *  - runnel_aes_blocks, the block cipher itself.
 *
 * Firmware names its kernel with RUNNEL_AES_KERNEL and its longest key with RUNNEL_AES_KEY_BITS (128, 192 or 256):
 * they decide the size of the context. */
#ifndef RUNNEL_AES_H
#define RUNNEL_AES_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef RUNNEL_AES_KEY_BITS
#define RUNNEL_AES_KEY_BITS 256
#endif

/* Bytes of a round key, bytes of prefix tables: of the kernel that firmware names, or the most that any kernel for this
 * processor asks for. */
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
#elif defined(__AVR__)
#define RUNNEL_AES_SIZES 16, 44
#elif defined(__riscv) && __riscv_xlen == 32
#define RUNNEL_AES_SIZES 128, 4112
#elif RUNNEL_HOSTED
#define RUNNEL_AES_SIZES 64, 1092
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

RUNNEL_DECLARE_CTR_VERBS(aes_ctr)
RUNNEL_DECLARE_DIRECTIONAL_VERBS(aes_cfb)
RUNNEL_DECLARE_BLOCKS_VERBS(aes_blocks)

#ifdef __cplusplus
}
#endif
#endif
