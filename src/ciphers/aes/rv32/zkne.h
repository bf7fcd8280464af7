/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Between the C and the assembly of the RV32 kernel with AES instructions. */
#ifndef RUNNEL_AES_RV32_ZKNE_H
#define RUNNEL_AES_RV32_ZKNE_H

/* Offsets into aes_rv32_zkne_job, for the assembly. */
#define AES_RV32_ZKNE_KEYS 0
#define AES_RV32_ZKNE_LAST 4
#define AES_RV32_ZKNE_RAW 8
#define AES_RV32_ZKNE_BLOCK 12

#if defined(__riscv) && __riscv_xlen == 32 && !defined(__ASSEMBLER__)

#include <stddef.h>
#include <stdint.h>

#include "arch/common/offsets.h"

/* Counter blocks that differ in their last byte alone, or raw blocks. */
typedef struct aes_rv32_zkne_job {
    const uint32_t *keys, *last; /* the round keys, and the last of them */
    uint32_t raw;
    uint32_t block[4]; /* the next counter block */
} aes_rv32_zkne_job;

RUNNEL_CHECK_OFFSET(aes_rv32_zkne_job, keys, AES_RV32_ZKNE_KEYS);
RUNNEL_CHECK_OFFSET(aes_rv32_zkne_job, last, AES_RV32_ZKNE_LAST);
RUNNEL_CHECK_OFFSET(aes_rv32_zkne_job, raw, AES_RV32_ZKNE_RAW);
RUNNEL_CHECK_OFFSET(aes_rv32_zkne_job, block, AES_RV32_ZKNE_BLOCK);

/* The next blocks' keystream XORed to in, or raw blocks; as arch/common/aligned.h says. */
void runnel_aes_rv32_zkne_blocks(void *job, uint8_t *out, const uint8_t *in, size_t nblocks);

/* Key expansion up to `end`; the key is in keys. */
void runnel_aes_rv32_zkne_expand(uint32_t *keys, const uint32_t *end, size_t key_bytes);

#endif
#endif
