/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES by four tables of 1 KiB in plain C that leaves everything to the compiler: the design of Gladman's code, as Jung
 * and Park compare theirs with it. ttable tells the compiler where words stay. */
#include "ciphers/aes/ttable.h"

#if RUNNEL_X86_64_ASSEMBLY

#define BYTE(word, row) ((uint8_t)((word) >> 8 * (row)))
#define TERM(x, c, row) runnel_aes_ttable_encryption[row][BYTE((x)[((c) + (row)) % 4], row)]
#define LAST_TERM(x, c, row) (uint32_t)runnel_aes_s_box[BYTE((x)[((c) + (row)) % 4], row)] << 8 * (row)
#define COLUMN(term, x, c) (term(x, c, 0) ^ term(x, c, 1) ^ term(x, c, 2) ^ term(x, c, 3))
#define ROUND(term, y, x, n)                                                                                           \
    do {                                                                                                               \
        (y)[0] = COLUMN(term, x, 0) ^ key[4 * (n)];                                                                    \
        (y)[1] = COLUMN(term, x, 1) ^ key[4 * (n) + 1];                                                                \
        (y)[2] = COLUMN(term, x, 2) ^ key[4 * (n) + 2];                                                                \
        (y)[3] = COLUMN(term, x, 3) ^ key[4 * (n) + 3];                                                                \
    } while (0)
#define TWO_ROUNDS(n)                                                                                                  \
    do {                                                                                                               \
        ROUND(TERM, y, x, n);                                                                                          \
        ROUND(TERM, x, y, (n) + 1);                                                                                    \
    } while (0)

static void aes_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_aes_schedule *s = state;
    for (; nblocks > 0; nblocks--, in += 16, out += 16) {
        const uint32_t *key = s->keys.words;
        uint32_t x[4], y[4];
        for (int i = 0; i < 4; i++)
            x[i] = runnel_load32le(in + 4 * i) ^ key[i];
        if (s->rounds > 12) {
            TWO_ROUNDS(1);
            key += 8;
        }
        if (s->rounds > 10) {
            TWO_ROUNDS(1);
            key += 8;
        }
        TWO_ROUNDS(1);
        TWO_ROUNDS(3);
        TWO_ROUNDS(5);
        TWO_ROUNDS(7);
        ROUND(TERM, y, x, 9);
        ROUND(LAST_TERM, x, y, 10);
        for (int i = 0; i < 4; i++)
            runnel_store32le(out + 4 * i, x[i]);
    }
}

const runnel_kernel runnel_aes_ttable_plain = {
    .name = RUNNEL_TEXT("ttable-plain"),
    .citation = RUNNEL_TEXT("four tables of 1 KiB in plain C: Gladman, Implementations of AES, 2003"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = runnel_aes_ttable_key,
    .block = {.encrypt_blocks = aes_encrypt_blocks,
              .decrypt_key = runnel_aes_ttable_decrypt_key,
              .decrypt_blocks = runnel_aes_ttable_decrypt_blocks},
};

#endif
