/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What is one chain in the avx512 kernel, on 128-bit registers: one block, the start of a run, the key set-up. */
#include "arch/x86/target.h"
#include "parts_avx512.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx512f,avx512bw,avx512dq,avx512vl,gfni,aes,vaes")
#define VECTOR_AVX512
#define VECTOR_GFNI
#include "arch/x86/blocks_128.h"
#include "key.h"
#include "start_run.h"

TARGET void runnel_aria_one_block(const runnel_aria_schedule *schedule, uint8_t *out, const uint8_t *block,
                                  const uint8_t *in)
{
    vector x[1] = {vector_load(block)};
    aria_encrypt_rows(x, 1, schedule);
    vector_store(out, in == NULL ? x[0] : vector_xor(x[0], vector_load(in)));
}

TARGET void runnel_aria_start_run(runnel_aria_run *run, const runnel_aria_schedule *schedule, const uint8_t *block,
                                  uint32_t counter)
{
    aria_start_run(run, schedule, aria_with_counter(block, counter));
}

TARGET void runnel_aria_set_key_avx512(void *state, const uint8_t *key, size_t key_bytes)
{
    aria_set_key(state, key, key_bytes);
}

#if RUNNEL_DECRYPT
TARGET void runnel_aria_set_decrypt_key_avx512(void *state, const uint8_t *key, size_t key_bytes)
{
    aria_set_decrypt_key(state, key, key_bytes);
}
#endif

#endif
