/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Between the C and the assembly of the RV32 kernel. */
#ifndef RUNNEL_GRAIN128_RV32_H
#define RUNNEL_GRAIN128_RV32_H

/* Offsets into grain128_rv32_job, for the assembly. */
#define GRAIN128_RV32_REGISTERS 0
#define GRAIN128_RV32_FEEDBACK 4

#if defined(__riscv) && __riscv_xlen == 32 && !defined(__ASSEMBLER__)

#include <stddef.h>
#include <stdint.h>

#include "arch/common/offsets.h"

typedef struct grain128_rv32_job {
    runnel_grain128_registers *registers;
    uint32_t feedback; /* all ones if the output goes into the registers, else 0 */
} grain128_rv32_job;

RUNNEL_CHECK_OFFSET(grain128_rv32_job, registers, GRAIN128_RV32_REGISTERS);
RUNNEL_CHECK_OFFSET(grain128_rv32_job, feedback, GRAIN128_RV32_FEEDBACK);

/* As arch/common/aligned.h says. */
void runnel_grain128_rv32_blocks(void *job, uint8_t *out, const uint8_t *in, size_t nblocks);

#endif
#endif
