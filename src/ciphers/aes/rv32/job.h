/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the assembly loops of the RV32 kernels are given: the offsets of aes_rv32_job (fixslice.h). */
#define JOB_OUT 0
#define JOB_IN 4
#define JOB_IN_STEP 8
#define JOB_BATCHES 12
#define JOB_KEYS 16
#define JOB_LAST 20
#define JOB_FROM 24
#define JOB_FROM_STEP 28
#define JOB_LAST_3 32
#define JOB_WORDS 36
