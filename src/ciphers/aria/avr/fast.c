/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernel for 8-bit AVR, whose rounds are in assembly. The AVR has no data cache. */
#include "ciphers/aria/kernels.h"

#if RUNNEL_AVR_MUL

void runnel_aria_avr_encrypt(const uint8_t (*keys)[16], uint8_t *out, const uint8_t *in, size_t nblocks, uint8_t turns);
void runnel_aria_avr_count(const uint8_t (*keys)[16], const uint8_t *block, uint8_t *out, const uint8_t *in,
                           size_t nblocks, uint8_t turns);

/* to ^= A(SL1(from ^ constant)), or with SL2 if odd is 0. */
void runnel_aria_avr_feistel(uint8_t to[16], const uint8_t from[16], const uint8_t *constant, uint8_t odd);
void runnel_aria_avr_round_keys(uint8_t (*keys)[16], const uint8_t w[4][16], uint8_t rounds);

static void aria_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aria_schedule *schedule = state;
    uint8_t w[4][16];
    memcpy(w[0], key, 16);
    memset(w[1], 0, 16);
    memcpy(w[1], key + 16, key_bytes - 16);
    uint8_t constant = (uint8_t)(key_bytes / 8 - 2);
    for (uint8_t i = 0; i < 3; i++) {
        if (i > 0)
            memcpy(w[i + 1], w[i - 1], 16);
        runnel_aria_avr_feistel(w[i + 1], w[i], runnel_aria_constants[constant], (uint8_t)!(i & 1));
        constant = constant == 2 ? 0 : constant + 1;
    }
    schedule->rounds = (uint8_t)(key_bytes / 4 + 8);
    runnel_aria_avr_round_keys(schedule->keys, (const uint8_t(*)[16])w, schedule->rounds);
    runnel_wipe(w, sizeof w);
}

static void aria_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_aria_schedule *schedule = state;
    runnel_aria_avr_encrypt(schedule->keys, out, in, nblocks, schedule->rounds / 2);
}

static void aria_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                       size_t nblocks)
{
    const runnel_aria_schedule *schedule = state;
    (void)prefix;
    runnel_aria_avr_count(schedule->keys, block, out, in, nblocks, schedule->rounds / 2);
}

RUNNEL_DECRYPT_KEY(aria_set_decrypt_key, aria_set_key, runnel_aria_invert)

const runnel_kernel runnel_aria_avr = {
    .name = RUNNEL_TEXT("avr"),
    .citation = RUNNEL_TEXT("S-boxes in flash, diffusion in place; what a nonce fixes of two rounds is kept in a call"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = aria_set_key,
    .block = {.encrypt_blocks = aria_encrypt_blocks,
              .ctr32 = aria_ctr32,
              RUNNEL_DECRYPTION(aria_set_decrypt_key, aria_encrypt_blocks)},
};

#endif
