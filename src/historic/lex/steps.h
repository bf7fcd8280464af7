/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEX over bytes, for the kernels in C. Before including it they define
 *   lex_sub_word(w)                 SubBytes of the four bytes at w
 *   lex_full_round(to, from, key)   a round of AES; to is not from
 *   lex_final_round(to, from, key)  one without MixColumns */
#ifndef LEX_STEPS_H
#define LEX_STEPS_H

/* The key expansion of AES-128. */
static void lex_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    uint8_t *k = ((runnel_lex_state *)state)->keys, constant = 1;
    (void)key_bytes;
    memcpy(k, key, 16);
    for (uint8_t round = 0; round < LEX_ROUNDS; round++) {
        uint8_t t[4] = {k[13], k[14], k[15], k[12]};
        lex_sub_word(t);
        t[0] ^= constant;
        constant = (uint8_t)(constant << 1 ^ (constant >> 7) * 0x1b);
        for (uint8_t i = 0; i < 4; i++, k += 4) {
            k[16] = t[0] ^= k[0];
            k[17] = t[1] ^= k[1];
            k[18] = t[2] ^= k[2];
            k[19] = t[3] ^= k[3];
        }
    }
}

static RUNNEL_AVR_NOINLINE void lex_two_rounds(runnel_lex_state *s, const uint8_t *key)
{
    lex_full_round(s->odd, s->text, key);
    lex_full_round(s->text, s->odd, key + 16);
}

/* AES-128 of the IV; its last round is redone without MixColumns. */
static void lex_set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    runnel_lex_state *s = state;
    (void)iv_bytes;
    s->pair = 0;
    lex_load_iv(s->text, iv);
    for (uint8_t i = 0; i < 16; i++)
        s->text[i] ^= s->keys[i];
    for (const uint8_t *k = s->keys + 16; k < s->keys + sizeof s->keys; k += 32)
        lex_two_rounds(s, k);
    lex_final_round(s->text, s->odd, s->keys + 16 * LEX_ROUNDS);
}

/* The output of two rounds: rows 2 and 0 of columns 2 and 0, and one row below after the second. */
static inline void lex_leak(uint8_t out[8], const runnel_lex_state *s)
{
    out[0] = s->odd[10], out[1] = s->odd[2], out[2] = s->odd[8], out[3] = s->odd[0];
    out[4] = s->text[11], out[5] = s->text[3], out[6] = s->text[9], out[7] = s->text[1];
}

static inline void lex_leak_xor(uint8_t out[8], const uint8_t in[8], const runnel_lex_state *s)
{
    out[0] = in[0] ^ s->odd[10], out[1] = in[1] ^ s->odd[2], out[2] = in[2] ^ s->odd[8], out[3] = in[3] ^ s->odd[0];
    out[4] = in[4] ^ s->text[11], out[5] = in[5] ^ s->text[3], out[6] = in[6] ^ s->text[9], out[7] = in[7] ^ s->text[1];
}

static void lex_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_lex_state *s = state;
    (void)index;
    for (; nblocks > 0; nblocks--, out += LEX_BLOCK) {
        lex_two_rounds(s, s->keys + 16 + 32 * s->pair);
        s->pair = (uint8_t)(s->pair == LEX_PAIRS - 1 ? 0 : s->pair + 1);
        if (in == NULL) {
            lex_leak(out, s);
        } else {
            lex_leak_xor(out, in, s);
            in += LEX_BLOCK;
        }
    }
}

#endif
