/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For 8-bit AVR, short: small_blocks.S. The AVR has no data cache. */
#include "ciphers/aes/kernels.h"

#if RUNNEL_AVR

void runnel_aes_avr_small_key(void *state, const uint8_t *key, size_t key_bytes);
void runnel_aes_avr_small_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks);

const runnel_kernel runnel_aes_avr_small = {
    .name = RUNNEL_TEXT("avr-small"),
    .citation = RUNNEL_TEXT("FIPS 197, byte by byte, round keys made while encrypting"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = runnel_aes_avr_small_key,
    .block = {.encrypt_blocks = runnel_aes_avr_small_encrypt_blocks},
};

#endif
