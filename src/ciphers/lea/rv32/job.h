/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Between the C and the assembly of the RV32 kernel. */
#ifndef RUNNEL_LEA_RV32_H
#define RUNNEL_LEA_RV32_H

/* Words of a round key. If longer keys are enabled, a key of 128 bits is stored like them, so that one loop serves
 * all. */
#if defined(RUNNEL_LEA_KEY_BITS) && RUNNEL_LEA_KEY_BITS <= 128
#define LEA_RV32_EACH 4
#else
#define LEA_RV32_EACH 6
#endif

#include "ciphers/lea/first_rounds.h"

/* Operands of the assembly in a list. Where a rotation is one instruction: of that in first_rounds.h the terms Xj.
 * Elsewhere all of that one, and behind it what the third and the second word after round 4 are XORed with. */
#if RUNNEL_RISCV_ROTATES
#define LEA_RV32_LIST_WORDS 6
#else
#define LEA_5_X2 LEA_FIRST_ROUNDS_WORDS
#define LEA_5_X1 (LEA_FIRST_ROUNDS_WORDS + 1)
#define LEA_RV32_LIST_WORDS (LEA_FIRST_ROUNDS_WORDS + 2)
#endif

/* Offsets into lea_rv32_run, for the assembly. */
#define LEA_RV32_KEYS 0
#define LEA_RV32_END (__riscv_xlen / 8)
#define LEA_RV32_COUNTER (2 * LEA_RV32_END)
#define LEA_RV32_LIST (LEA_RV32_COUNTER + 4)

#if defined(__riscv) && !defined(__ASSEMBLER__)

#include <stddef.h>
#include <stdint.h>

#include "arch/common/offsets.h"

/* Counter blocks that differ in their last byte alone. */
typedef struct lea_rv32_run {
    const uint32_t *keys, *end; /* from round 5 on */
    uint32_t counter;           /* x3 of the next block */
    uint32_t list[LEA_RV32_LIST_WORDS];
} lea_rv32_run;

RUNNEL_CHECK_OFFSET(lea_rv32_run, keys, LEA_RV32_KEYS);
RUNNEL_CHECK_OFFSET(lea_rv32_run, end, LEA_RV32_END);
RUNNEL_CHECK_OFFSET(lea_rv32_run, counter, LEA_RV32_COUNTER);
RUNNEL_CHECK_OFFSET(lea_rv32_run, list, LEA_RV32_LIST);

/* Key set-up: as in lea.h, except for a key of 128 bits where LEA_RV32_EACH is 6. */
void runnel_lea_rv32_set_key(void *state, const uint8_t *key, size_t key_bytes);

/* Functions of the kernels rv32 and rv64. */
void runnel_lea_rv32_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks);
void runnel_lea_rv32_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                           size_t nblocks);

/* The next blocks of a run; as arch/common/aligned.h says. */
void runnel_lea_rv32_blocks(void *run, uint8_t *out, const uint8_t *in, size_t nblocks);

/* Encrypts one block; out and in are aligned to 4 bytes. */
void runnel_lea_rv32_block(const uint32_t *keys, uint8_t *out, const uint32_t *end, const uint8_t *in);

/* Less code, slower: counter mode for any out and in, in == NULL: the keystream. */
void runnel_lea_rv32_small_ctr(const uint32_t *keys, const uint32_t *end, const uint8_t *block, uint8_t *out,
                               const uint8_t *in, size_t nblocks);

#endif
#endif
