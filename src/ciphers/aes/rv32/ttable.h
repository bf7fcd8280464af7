/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Between the C and the assembly of the RV32 table kernel. */
#ifndef RUNNEL_AES_RV32_TTABLE_H
#define RUNNEL_AES_RV32_TTABLE_H

/* Offsets into aes_rv32_run, for the assembly. */
#define AES_RV32_LAST_KEYS 0
#define AES_RV32_FLAGS 4
#define AES_RV32_COLUMN 8
#define AES_RV32_INDEX 12
#define AES_RV32_INDEX_KEY 16
#define AES_RV32_CONSTANT 20

/* Offsets into aes_rv32_tables. */
#define AES_RV32_HALVES 0
#define AES_RV32_BYTES 512
#define AES_RV32_COLUMNS 768

/* In the flags; the other bits are the bytes of round keys before last_keys that are to be used, 32 for two rounds. */
#define AES_RV32_RAW 1

#if defined(__riscv) && __riscv_xlen == 32 && !defined(__ASSEMBLER__)

#include <stddef.h>
#include <stdint.h>

#include "arch/common/offsets.h"

/* For SubBytes in the last round, and with MixColumns for a byte of each row. */
typedef struct aes_rv32_tables {
    uint16_t s_box_high[256]; /* times 2^8 */
    uint8_t s_box[256];
    uint32_t columns[4][256];
} aes_rv32_tables;

RUNNEL_CHECK_OFFSET(aes_rv32_tables, s_box_high, AES_RV32_HALVES);
RUNNEL_CHECK_OFFSET(aes_rv32_tables, s_box, AES_RV32_BYTES);
RUNNEL_CHECK_OFFSET(aes_rv32_tables, columns, AES_RV32_COLUMNS);

extern const aes_rv32_tables runnel_aes_rv32_ttable_tables;

/* Blocks that are encrypted in pairs: in counter mode a run of blocks in which the last counter byte alone moves. */
typedef struct aes_rv32_run {
    const uint32_t *last_keys; /* of the last seven middle rounds and the last round */
    uint32_t flags;
    union {
        const uint32_t *first_key; /* raw */
        uint32_t column; /* counter mode: column 0 after round 1, except for the term of the last counter byte */
    };
    /* Counter mode: four times the last counter byte of the first block, and four times that byte of the first key. */
    uint32_t index, index_key;
    uint32_t constant[4]; /* counter mode: the state after round 2, except for the four terms of column 0 */
} aes_rv32_run;

RUNNEL_CHECK_OFFSET(aes_rv32_run, last_keys, AES_RV32_LAST_KEYS);
RUNNEL_CHECK_OFFSET(aes_rv32_run, flags, AES_RV32_FLAGS);
RUNNEL_CHECK_OFFSET(aes_rv32_run, column, AES_RV32_COLUMN);
RUNNEL_CHECK_OFFSET(aes_rv32_run, index, AES_RV32_INDEX);
RUNNEL_CHECK_OFFSET(aes_rv32_run, index_key, AES_RV32_INDEX_KEY);
RUNNEL_CHECK_OFFSET(aes_rv32_run, constant, AES_RV32_CONSTANT);
RUNNEL_CHECK_OFFSET(aes_rv32_run, first_key, AES_RV32_COLUMN);

/* Raw: out = E(in). Counter mode: out = in XOR keystream. All pointers are aligned to 4 bytes; pairs > 0. */
void runnel_aes_rv32_ttable_pairs(const aes_rv32_run *run, uint8_t *out, const uint8_t *in, size_t pairs);

/* Key expansion up to `end`; the key is in keys. */
void runnel_aes_rv32_ttable_expand(uint32_t *keys, const uint32_t *end, size_t key_bytes);

/* One block in place. */
void runnel_aes_rv32_ttable_block(const uint32_t *keys, const uint32_t *last_key, uint32_t state[4]);

#endif
#endif
