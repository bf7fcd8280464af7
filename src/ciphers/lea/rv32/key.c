/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The key set-up of LEA's kernels for RV32 and RV64. */
#include "ciphers/lea/kernels.h"

#if RUNNEL_RISCV_WORDS

#include "job.h"

void runnel_lea_rv32_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_lea_set_key(state, key, key_bytes);
    if (LEA_RV32_EACH == 6 && key_bytes == 16) { /* spread, from the end */
        uint32_t *words = ((runnel_lea_schedule *)state)->words;
        for (unsigned i = 24; i-- > 0;) {
            const uint32_t *from = words + 4 * i;
            const uint32_t t[4] = {from[0], from[1], from[2], from[3]};
            uint32_t *to = words + 6 * i;
            to[0] = t[0];
            to[1] = to[3] = to[5] = t[1];
            to[2] = t[2];
            to[4] = t[3];
        }
    }
}

#endif
