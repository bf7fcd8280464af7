/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernel for 8-bit AVR, whose rounds are in assembly. The AVR has no data cache. */
#include "arch/common/lookup.h"
#include "ciphers/aria/kernels.h"

#if RUNNEL_AVR

extern const uint8_t runnel_aria_avr_sboxes[4][256] RUNNEL_FLASH;
void runnel_aria_avr_encrypt(const uint8_t (*keys)[16], uint8_t *out, const uint8_t *in, size_t nblocks, uint8_t turns);
void runnel_aria_avr_count(const uint8_t (*keys)[16], const uint8_t *block, uint8_t *out, const uint8_t *in,
                           size_t nblocks, uint8_t turns);

static void substitute(uint8_t block[16], int odd)
{
    for (uint8_t i = 0; i < 16; i++)
        block[i] = runnel_flash8(runnel_aria_avr_sboxes[(i + (odd ? 0 : 2)) & 3] + block[i]);
}

static void set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aria_expand(state, key, key_bytes, substitute);
}

static void encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_aria_schedule *schedule = state;
    runnel_aria_avr_encrypt(schedule->keys, out, in, nblocks, schedule->rounds / 2);
}

static void ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                  size_t nblocks)
{
    const runnel_aria_schedule *schedule = state;
    (void)prefix;
    runnel_aria_avr_count(schedule->keys, block, out, in, nblocks, schedule->rounds / 2);
}

RUNNEL_DECRYPT_KEY(set_key, runnel_aria_invert)

const runnel_kernel runnel_aria_avr = {
    .name = RUNNEL_TEXT("avr"),
    .citation = RUNNEL_TEXT("S-boxes in flash, diffusion in place; what a nonce fixes of two rounds is kept in a call"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = set_key,
    .block = {.encrypt_blocks = encrypt_blocks, .ctr32 = ctr32, RUNNEL_DECRYPTION(set_decrypt_key, encrypt_blocks)},
};

#endif
