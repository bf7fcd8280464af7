/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernel for 8-bit AVR whose code is in assembly, fast_clock.S. The AVR has no data cache. The bytes of r
 * and s are not those of the portable kernel. */
#include "ciphers/mickey128/kernels.h"

#if RUNNEL_AVR

#include "places.h"

void runnel_mickey128_avr_iv(void *states, const uint8_t *iv, size_t iv_bytes);
void runnel_mickey128_avr_xor_blocks(void *states, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks);

const runnel_kernel runnel_mickey128_avr = {
    .name = RUNNEL_TEXT("avr"),
    .citation =
        RUNNEL_TEXT("own: stages twenty apart share a byte, so that shifts are names; one register in registers"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = runnel_mickey128_set_key,
    .stream = {.iv = runnel_mickey128_avr_iv, .xor_blocks = runnel_mickey128_avr_xor_blocks},
};

#endif
