/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* RV32IM, one instruction at a time: what it does, not how long it takes. */
#ifndef RV32_CORE_H
#define RV32_CORE_H

#include "image.h"
#include "timing.h"

typedef struct rv32_core {
    uint32_t x[32], pc;
    const rv32_image *image;
} rv32_core;

typedef enum rv32_outcome {
    RV32_DONE,
    RV32_MARK,  /* slti x0, x0, n: retired.rd holds n */
    RV32_ECALL, /* pc is behind it */
    RV32_WAIT,  /* wfi */
    RV32_ILLEGAL,
    RV32_FAULT /* memory that is not there, read-only or not aligned */
} rv32_outcome;

/* Carries out the instruction at pc. After RV32_ILLEGAL and RV32_FAULT nothing has changed. */
rv32_outcome rv32_step(rv32_core *core, rv32_retired *retired);

#endif
