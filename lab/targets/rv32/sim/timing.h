/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* When each instruction of an in-order core of the SiFive E31's kind issues. docs/timing-models.md tells the rules and
 * how well they fit silicon. The model sees retired instructions alone: it knows nothing of their encoding. */
#ifndef RV32_TIMING_H
#define RV32_TIMING_H

#include <stdint.h>

typedef enum rv32_class {
    RV32_ALU,
    RV32_LOAD_WORD,
    RV32_LOAD_NARROW, /* bytes and halves */
    RV32_STORE,
    RV32_MULTIPLY,
    RV32_DIVIDE,
    RV32_BRANCH, /* conditional */
    RV32_JUMP,   /* JAL */
    RV32_JUMP_REGISTER
} rv32_class;

/* One instruction as it was carried out. Register 0 stands for "none". */
typedef struct rv32_retired {
    rv32_class kind;
    unsigned rd, rs1, rs2;
    uint32_t pc, next_pc;
} rv32_retired;

enum { RV32_BTB_ENTRIES = 40, RV32_RETURN_STACK = 2 };

typedef struct rv32_target {
    uint32_t pc, target; /* pc 0: free */
    unsigned counter;    /* 0 to 3: taken from 2 on */
    uint64_t used;       /* for the choice of the entry to replace */
} rv32_target;

typedef struct rv32_timing {
    unsigned multiply_latency;
    uint64_t issue;     /* the first cycle in which the next instruction may issue */
    uint64_t ready[32]; /* the first cycle in which a register may be read */
    rv32_target btb[RV32_BTB_ENTRIES];
    uint64_t lookups;
    uint32_t returns[RV32_RETURN_STACK]; /* newest first */
} rv32_timing;

enum { RV32_MULTIPLY_LATENCY = 5 /* FE310-G000; 2 on later cores */ };

void rv32_timing_reset(rv32_timing *t, unsigned multiply_latency);
void rv32_timing_retire(rv32_timing *t, const rv32_retired *i);

#endif
