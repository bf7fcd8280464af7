/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Between the C and the assembly of the RV32 kernel in bit slices. */
#ifndef RUNNEL_HIGHT_RV32_SLICED_H
#define RUNNEL_HIGHT_RV32_SLICED_H

/* Offsets into hight_rv32_group, for the assembly. */
#define HIGHT_RV32_PLANES 0 /* words of eight planes for each pair of bytes */
#define HIGHT_RV32_KEYS 128

#if defined(__riscv) && __riscv_xlen == 32 && !defined(__ASSEMBLER__)

#include <stddef.h>
#include <stdint.h>

#include "arch/common/offsets.h"

/* Sixteen blocks after round 1, bytes 2 and 6 after round 2: word i of planes[j] has bit i of byte j in its low half,
 * of byte j + 4 in its high one. */
typedef struct hight_rv32_group {
    uint32_t planes[4][8];
    const uint32_t *keys; /* in the same form: two groups of eight a round, then the last whitening keys */
} hight_rv32_group;

RUNNEL_CHECK_OFFSET(hight_rv32_group, planes, HIGHT_RV32_PLANES);
RUNNEL_CHECK_OFFSET(hight_rv32_group, keys, HIGHT_RV32_KEYS);

/* Writes in XOR their encryption; out and in have 128 bytes, are aligned to 4, and may be the same. */
void runnel_hight_rv32_sixteen(const hight_rv32_group *group, uint8_t *out, const uint8_t *in);

#endif
#endif
