/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES by table look-ups, 32 bits at a time: what the table kernels in C share. A column of the state is a word, row 0 in
 * the low byte. SubBytes, ShiftRows and MixColumns of a round are one look-up for each byte (Daemen, Rijmen: AES
 * Proposal, 5.2.1), in four tables, one for each row; the last round takes the S-box. Secrets index the tables. */
#ifndef RUNNEL_AES_TTABLE_H
#define RUNNEL_AES_TTABLE_H

#include "../../core/bytes.h"
#include "aes_kernels.h"

typedef uint32_t aes_ttable[4][256];

extern const aes_ttable runnel_aes_ttable_encryption, runnel_aes_ttable_decryption;
extern const uint8_t runnel_aes_s_box[256], runnel_aes_inverse_s_box[256];

/* Every look-up by a byte of the state goes through this, so that a test can count them. */
#ifndef AES_LOOK_UP
#define AES_LOOK_UP(table, index) ((table)[index])
#endif

/* The keys of all rounds as words; for decryption in the order of its rounds, as the equivalent inverse cipher takes
 * them (FIPS 197, 5.3.5). */
void runnel_aes_ttable_key(void *state, const uint8_t *key, size_t key_bytes);
void runnel_aes_ttable_decrypt_key(void *state, const uint8_t *key, size_t key_bytes);
void runnel_aes_ttable_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks);
void runnel_aes_ttable_decrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks);

typedef struct aes_columns {
    uint32_t c[4];
} aes_columns;

static inline aes_columns aes_load_columns(const uint8_t *p)
{
    return (aes_columns){
        {runnel_load32le(p), runnel_load32le(p + 4), runnel_load32le(p + 8), runnel_load32le(p + 12)}};
}

/* out = in XOR x; in == NULL: x. */
static inline void aes_xor_columns(uint8_t *out, const uint8_t *in, aes_columns x)
{
    if (in != NULL) {
        x.c[0] ^= runnel_load32le(in);
        x.c[1] ^= runnel_load32le(in + 4);
        x.c[2] ^= runnel_load32le(in + 8);
        x.c[3] ^= runnel_load32le(in + 12);
    }
    runnel_store32le(out, x.c[0]);
    runnel_store32le(out + 4, x.c[1]);
    runnel_store32le(out + 8, x.c[2]);
    runnel_store32le(out + 12, x.c[3]);
}

static inline uint32_t aes_swap_bytes(uint32_t w)
{
    return w << 24 | (w & 0xff00) << 8 | (w >> 8 & 0xff00) | w >> 24;
}

static inline aes_columns aes_add_key(aes_columns x, const uint32_t *key)
{
    return (aes_columns){{x.c[0] ^ key[0], x.c[1] ^ key[1], x.c[2] ^ key[2], x.c[3] ^ key[3]}};
}

/* A column after a round, from the columns that its rows 0, 1, 2 and 3 come from. */
static inline uint32_t aes_round_column(const aes_ttable t, uint32_t r0, uint32_t r1, uint32_t r2, uint32_t r3,
                                        uint32_t key)
{
    return AES_LOOK_UP(t[0], r0 & 0xff) ^ AES_LOOK_UP(t[1], r1 >> 8 & 0xff) ^ AES_LOOK_UP(t[2], r2 >> 16 & 0xff) ^
           AES_LOOK_UP(t[3], r3 >> 24) ^ key;
}

static inline uint32_t aes_last_column(const uint8_t *s_box, uint32_t r0, uint32_t r1, uint32_t r2, uint32_t r3,
                                       uint32_t key)
{
    return (AES_LOOK_UP(s_box, r0 & 0xff) | (uint32_t)AES_LOOK_UP(s_box, r1 >> 8 & 0xff) << 8 |
            (uint32_t)AES_LOOK_UP(s_box, r2 >> 16 & 0xff) << 16 | (uint32_t)AES_LOOK_UP(s_box, r3 >> 24) << 24) ^ key;
}

/* All four columns by ShiftRows, and by its inverse. */
#define AES_FORWARD(column, table, x, key)                                                                             \
    (aes_columns){{column(table, (x).c[0], (x).c[1], (x).c[2], (x).c[3], (key)[0]),                                    \
                   column(table, (x).c[1], (x).c[2], (x).c[3], (x).c[0], (key)[1]),                                    \
                   column(table, (x).c[2], (x).c[3], (x).c[0], (x).c[1], (key)[2]),                                    \
                   column(table, (x).c[3], (x).c[0], (x).c[1], (x).c[2], (key)[3])}}
#define AES_BACKWARD(column, table, x, key)                                                                            \
    (aes_columns){{column(table, (x).c[0], (x).c[3], (x).c[2], (x).c[1], (key)[0]),                                    \
                   column(table, (x).c[1], (x).c[0], (x).c[3], (x).c[2], (key)[1]),                                    \
                   column(table, (x).c[2], (x).c[1], (x).c[0], (x).c[3], (key)[2]),                                    \
                   column(table, (x).c[3], (x).c[2], (x).c[1], (x).c[0], (key)[3])}}

#define AES_ENCRYPTION_ROUND(x, key) AES_FORWARD(aes_round_column, runnel_aes_ttable_encryption, x, key)
#define AES_DECRYPTION_ROUND(x, key) AES_BACKWARD(aes_round_column, runnel_aes_ttable_decryption, x, key)

/* From round `first` (1, 2 or 3) on, unrolled for every length of key; ROUND(x, key) is one round, key is left at the
 * last round's. */
#define AES_MIDDLE_ROUNDS(ROUND, x, key, first, rounds)                                                                \
    do {                                                                                                               \
        for (unsigned done = (first); done < 3; done++, key += 4)                                                      \
            x = ROUND(x, key);                                                                                         \
        if ((rounds) > 10) {                                                                                           \
            x = ROUND(x, key);                                                                                         \
            x = ROUND(x, key + 4);                                                                                     \
            key += 8;                                                                                                  \
            if ((rounds) > 12) {                                                                                       \
                x = ROUND(x, key);                                                                                     \
                x = ROUND(x, key + 4);                                                                                 \
                key += 8;                                                                                              \
            }                                                                                                          \
        }                                                                                                              \
        x = ROUND(x, key);                                                                                             \
        x = ROUND(x, key + 4);                                                                                         \
        x = ROUND(x, key + 8);                                                                                         \
        x = ROUND(x, key + 12);                                                                                        \
        x = ROUND(x, key + 16);                                                                                        \
        x = ROUND(x, key + 20);                                                                                        \
        x = ROUND(x, key + 24);                                                                                        \
        key += 28;                                                                                                     \
    } while (0)

/* From the state before round `first` to the ciphertext. */
static inline aes_columns aes_encrypt_from(aes_columns x, unsigned first, const aes_schedule *s)
{
    const uint32_t *key = s->keys.words + 4 * first;
    AES_MIDDLE_ROUNDS(AES_ENCRYPTION_ROUND, x, key, first, s->rounds);
    return AES_FORWARD(aes_last_column, runnel_aes_s_box, x, key);
}

#endif
