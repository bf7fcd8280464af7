/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES by four tables of 1 KiB and the S-box, in plain counter mode: every block does all its rounds. */
#include "arch/common/wipe.h"
#include "ttable.h"

static uint32_t aes_sub_word(uint32_t w)
{
    const uint8_t *s = runnel_aes_s_box;
    return s[w & 0xff] | (uint32_t)s[w >> 8 & 0xff] << 8 | (uint32_t)s[w >> 16 & 0xff] << 16 |
           (uint32_t)s[w >> 24] << 24;
}

void runnel_aes_ttable_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aes_schedule *s = state;
    const unsigned nk = (unsigned)key_bytes / 4;
    uint32_t *w = s->keys.words, constant = 1;
    s->rounds = (uint8_t)(nk + 6);
    for (unsigned i = 0; i < nk; i++)
        w[i] = runnel_load32le(key + 4 * i);
    /* Not aes_expand_key: 256 bits take 5 % longer with it on Cortex-M4. Each iteration makes the next nk words; the
     * last one goes up to 2 or 4 words too far for 192 or 256 bits. */
    for (const uint32_t *end = w + 4 * (nk + 7);; w += nk) {
        uint32_t t = w[nk - 1];
        t = aes_sub_word(t >> 8 | t << 24) ^ constant;
        constant = constant << 1 ^ (constant >> 7) * 0x11b;
        for (unsigned i = 0; i < nk; i++) {
            if (w + nk + i == end)
                return;
            if (nk == 8 && i == 4)
                t = aes_sub_word(t);
            w[nk + i] = t ^= w[i];
        }
    }
}

static uint32_t aes_inverse_mix_column(uint32_t w)
{
    const uint8_t *s = runnel_aes_s_box;
    return runnel_aes_ttable_decryption[0][s[w & 0xff]] ^ runnel_aes_ttable_decryption[1][s[w >> 8 & 0xff]] ^
           runnel_aes_ttable_decryption[2][s[w >> 16 & 0xff]] ^ runnel_aes_ttable_decryption[3][s[w >> 24]];
}

void runnel_aes_ttable_decrypt_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aes_schedule *s = state;
    runnel_aes_ttable_key(state, key, key_bytes);
    for (uint32_t *p = s->keys.words, *q = p + 4 * s->rounds; p < q; p += 4, q -= 4)
        for (int i = 0; i < 4; i++) {
            const uint32_t t = p[i];
            p[i] = q[i];
            q[i] = t;
        }
    for (unsigned i = 4; i < 4u * s->rounds; i++)
        s->keys.words[i] = aes_inverse_mix_column(s->keys.words[i]);
}

void runnel_aes_ttable_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_aes_schedule *s = state;
    for (; nblocks > 0; nblocks--, in += 16, out += 16) {
        const aes_columns x = aes_xor_key(aes_load_columns(in), s->keys.words);
        aes_xor_columns(out, NULL, aes_encrypt_from(x, 1, s));
    }
}

void runnel_aes_ttable_decrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_aes_schedule *s = state;
    for (; nblocks > 0; nblocks--, in += 16, out += 16) {
        const uint32_t *key = s->keys.words + 4;
        aes_columns x = aes_xor_key(aes_load_columns(in), s->keys.words);
        AES_MIDDLE_ROUNDS(aes_decryption_round, x, key, 1, s->rounds);
        aes_xor_columns(out, NULL, aes_last_decryption_round(x, key));
    }
}

static void aes_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                      size_t nblocks)
{
    (void)prefix;
    const runnel_aes_schedule *s = state;
    aes_columns counter = aes_load_columns(block);
    uint32_t number = runnel_load32be(block + 12);
    for (;;) {
        aes_xor_columns(out, in, aes_encrypt_from(aes_xor_key(counter, s->keys.words), 1, s));
        if (--nblocks == 0)
            return;
        counter.c[3] = aes_swap_bytes(++number);
        out += 16;
        in = in == NULL ? NULL : in + 16;
    }
}

const runnel_kernel runnel_aes_ttable = {
    .name = RUNNEL_TEXT("ttable"),
    .citation = RUNNEL_TEXT("tables of 32-bit words: Daemen, Rijmen, AES Proposal 5.2.1"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = runnel_aes_ttable_key,
    .block = {.encrypt_blocks = runnel_aes_ttable_encrypt_blocks,
              .ctr32 = aes_ctr32,
              .decrypt_key = runnel_aes_ttable_decrypt_key,
              .decrypt_blocks = runnel_aes_ttable_decrypt_blocks},
};
