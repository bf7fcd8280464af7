/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES in C for 8-bit AVR as the sensor-node paper has it, which takes LEX's rounds for its AES-CFB: S-box and tables of
 * twice and three times a byte, all in RAM. */
#include "ciphers/aes/kernels.h"

#if RUNNEL_AVR

#include "arch/avr/aes_xtime.h"
#include "arch/common/wipe.h"

#include "ciphers/aes/expand.h"

static uint32_t aes_sub_word_of_key(uint32_t word, uint32_t *scratch)
{
    (void)scratch;
    aes_xtime_sub_word((uint8_t *)&word);
    return word;
}

static void aes_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aes_schedule *s = state;
    s->rounds = (uint8_t)aes_expand_key(s->keys.words, key, key_bytes, aes_sub_word_of_key, NULL);
}

static void aes_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_aes_schedule *s = state;
    uint8_t x[16], y[16];
    for (; nblocks > 0; nblocks--, in += 16, out += 16) {
        const uint8_t *key = s->keys.bytes[0];
        for (uint8_t i = 0; i < 16; i++)
            x[i] = in[i] ^ key[i];
        for (uint8_t round = s->rounds; round > 2; round -= 2) {
            aes_xtime_full_round(y, x, key += 16);
            aes_xtime_full_round(x, y, key += 16);
        }
        aes_xtime_full_round(y, x, key += 16);
        aes_xtime_final_round(out, y, key + 16);
    }
    runnel_wipe(x, sizeof x);
    runnel_wipe(y, sizeof y);
}

const runnel_kernel runnel_aes_avr_c_xtime = {
    .name = RUNNEL_TEXT("avr-c-xtime"),
    .citation = RUNNEL_TEXT("Yun, Na, Lee, Park 2008, 3.1: S-box and tables of x2 and x3 in RAM"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = aes_set_key,
    .block = {.encrypt_blocks = aes_encrypt_blocks},
};

#endif
