/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Arguments of the RV32 kernels' assembly loops: the offsets of aes_rv32_job (fixslice.h). */
#define AES_RV32_JOB_OUT 0
#define AES_RV32_JOB_IN 4
#define AES_RV32_JOB_IN_STEP 8
#define AES_RV32_JOB_BATCHES 12
#define AES_RV32_JOB_KEYS 16
#define AES_RV32_JOB_LAST 20
#define AES_RV32_JOB_FROM 24
#define AES_RV32_JOB_FROM_STEP 28
#define AES_RV32_JOB_LAST_3 32
#define AES_RV32_JOB_WORDS 36
