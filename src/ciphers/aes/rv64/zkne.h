/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Between the C and the assembly of the RV64 kernel with AES instructions. */
#ifndef RUNNEL_AES_RV64_ZKNE_H
#define RUNNEL_AES_RV64_ZKNE_H

/* Offsets into aes_rv64_zkne_job, for the assembly. */
#define AES_RV64_ZKNE_KEYS 0
#define AES_RV64_ZKNE_LAST 8
#define AES_RV64_ZKNE_RAW 16
#define AES_RV64_ZKNE_BLOCK 24

#if defined(__riscv) && __riscv_xlen == 64 && !defined(__ASSEMBLER__)

#include <stddef.h>
#include <stdint.h>

#include "arch/common/offsets.h"

/* Counter blocks that differ in their last byte alone, or raw blocks. */
typedef struct aes_rv64_zkne_job {
    const uint8_t *keys, *last; /* the round keys, and the last of them */
    uint64_t raw;
    uint64_t block[2]; /* the next counter block */
} aes_rv64_zkne_job;

RUNNEL_CHECK_OFFSET(aes_rv64_zkne_job, keys, AES_RV64_ZKNE_KEYS);
RUNNEL_CHECK_OFFSET(aes_rv64_zkne_job, last, AES_RV64_ZKNE_LAST);
RUNNEL_CHECK_OFFSET(aes_rv64_zkne_job, raw, AES_RV64_ZKNE_RAW);
RUNNEL_CHECK_OFFSET(aes_rv64_zkne_job, block, AES_RV64_ZKNE_BLOCK);

/* The next blocks' keystream XORed to in, or raw blocks; out and in are aligned to 8 bytes, nblocks >= 1. */
void runnel_aes_rv64_zkne_blocks(aes_rv64_zkne_job *job, uint8_t *out, const uint8_t *in, size_t nblocks);

/* Key expansion (FIPS 197 5.2); keys and key are aligned to 8 bytes. */
void runnel_aes_rv64_zkne_expand(uint8_t *keys, const uint64_t *key, size_t key_bytes);

#endif
#endif
