/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Ascon-AEAD128 for Thumb-2 (Cortex-M3 and later): the rounds and whole blocks in assembly, the state in the context as even
 * and odd bits. Two words of 32 bits rotated as one of 64 would take half as many instructions more a round; taking 16 bytes
 * apart and putting them together takes 76 instructions, a block's eight rounds 432. */
#include "aead/ascon/kernels.h"

#if RUNNEL_THUMB2

#include "aead/ascon/interleaved.h"

/* fast_rounds.S */
void runnel_ascon_thumb2_twelve(ascon_state *s);
void runnel_ascon_thumb2_eight(ascon_state *s);
void runnel_ascon_thumb2_encrypt(ascon_state *s, uint8_t *out, const uint8_t *in, size_t nblocks);
void runnel_ascon_thumb2_decrypt(ascon_state *s, uint8_t *out, const uint8_t *in, size_t nblocks);

#define STATE_IN_PLACE
#define OWN_ROUNDS
#define ascon_twelve_rounds runnel_ascon_thumb2_twelve
#define ascon_eight_rounds runnel_ascon_thumb2_eight

RUNNEL_INLINE void ascon_crypt_blocks(ascon_state *s, uint8_t *out, const uint8_t *in, size_t nblocks, int decrypt)
{
    if (nblocks == 0)
        return;
    if (decrypt)
        runnel_ascon_thumb2_decrypt(s, out, in, nblocks);
    else
        runnel_ascon_thumb2_encrypt(s, out, in, nblocks);
}

#include "aead/ascon/sponge.h"

const runnel_ascon_kernel runnel_ascon_thumb2 = {
    .name = RUNNEL_TEXT("thumb2"),
    .citation = RUNNEL_TEXT("bit interleaving for 32-bit words, after Ascon's designers (ascon-c, bi32)"),
    ASCON_FUNCTIONS,
};

#endif
