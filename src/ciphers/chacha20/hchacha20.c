/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HChaCha20 (draft-irtf-cfrg-xchacha 2.2): a key from a key and 16 bytes of a nonce. It runs once per message:
 * portable code is fast enough. */
#include "arch/common/salsa_state.h"
#include "kernels.h"

void runnel_hchacha20(uint8_t *out, const uint8_t *key, const uint8_t *nonce)
{
    uint32_t w[16] = {RUNNEL_EXPA, RUNNEL_ND_3, RUNNEL_2_BY, RUNNEL_TE_K};
    for (unsigned i = 0; i < 8; i++)
        w[4 + i] = runnel_load32le(key + 4 * i);
    for (unsigned i = 0; i < 4; i++)
        w[12 + i] = runnel_load32le(nonce + 4 * i);
    for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {
        CHACHA20_QUARTER_ROUND(w[0], w[4], w[8], w[12]);
        CHACHA20_QUARTER_ROUND(w[1], w[5], w[9], w[13]);
        CHACHA20_QUARTER_ROUND(w[2], w[6], w[10], w[14]);
        CHACHA20_QUARTER_ROUND(w[3], w[7], w[11], w[15]);
        CHACHA20_QUARTER_ROUND(w[0], w[5], w[10], w[15]);
        CHACHA20_QUARTER_ROUND(w[1], w[6], w[11], w[12]);
        CHACHA20_QUARTER_ROUND(w[2], w[7], w[8], w[13]);
        CHACHA20_QUARTER_ROUND(w[3], w[4], w[9], w[14]);
    }
    for (unsigned i = 0; i < 4; i++) {
        runnel_store32le(out + 4 * i, w[i]);
        runnel_store32le(out + 16 + 4 * i, w[12 + i]);
    }
    runnel_wipe(w, sizeof w);
}
