/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES by table look-ups, 32 bits at a time: what the table kernels in C share. A column of the state is a word, row 0
 * in the low byte. SubBytes, ShiftRows and MixColumns of a round are one look-up for each byte (Daemen, Rijmen: AES
 * Proposal, 5.2.1), in four tables, one for each row; the last round takes the S-box. Secrets index the tables. */
#ifndef RUNNEL_AES_TTABLE_H
#define RUNNEL_AES_TTABLE_H

#include "arch/common/bytes.h"
#include "kernels.h"

typedef uint32_t aes_ttable[4][256];

extern const aes_ttable runnel_aes_ttable_encryption, runnel_aes_ttable_decryption;
/* For the rounds, and for the last one, as the x86-64 kernels in assembly take them. */
typedef uint64_t aes_doubled_ttable[2][256];

extern const aes_doubled_ttable runnel_aes_doubled_encryption, runnel_aes_doubled_decryption;
extern const uint8_t runnel_aes_s_box[256], runnel_aes_inverse_s_box[256];

/* All look-ups by bytes of the state go through this, so that a test can count them. */
#ifndef AES_LOOK_UP
#define AES_LOOK_UP(table, index) ((table)[index])
#endif

/* The keys of all rounds as words; for decryption in the order of its rounds, as the equivalent inverse cipher takes
 * them (FIPS 197, 5.3.5). */
void runnel_aes_ttable_key(void *state, const uint8_t *key, size_t key_bytes);
void runnel_aes_ttable_decrypt_key(void *state, const uint8_t *key, size_t key_bytes);
void runnel_aes_ttable_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks);
void runnel_aes_ttable_decrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks);

/* 32 bits in a register as wide as an address: as an index it needs no zero extension. */
#if SIZE_MAX > UINT32_MAX
typedef size_t aes_word;
#else
typedef uint32_t aes_word;
#endif

typedef struct aes_columns {
    aes_word c[4];
} aes_columns;

/* Keeps each word in a register of its own and prevents code motion across this point: compilers tend to move four
 * words to a vector and back, to copy what could be shifted in place, and to hoist parts of a round. On x86 the words
 * whose bytes are extracted must be in registers whose second byte has a name. */
#if defined(__arm__) && !(defined(__thumb__) && !defined(__thumb2__))
#define AES_HAS_REGISTERS 1
#else
#define AES_HAS_REGISTERS (SIZE_MAX > UINT32_MAX)
#endif
#if defined(__GNUC__) && defined(__OPTIMIZE__) && AES_HAS_REGISTERS
#if defined(__x86_64__)
#define AES_WORD "+Q"
#else
#define AES_WORD "+r"
#endif
#define AES_IN_REGISTERS(a, b, c, d) __asm__("" : AES_WORD(a), AES_WORD(b), AES_WORD(c), AES_WORD(d))
#define AES_STAYS(key) __asm__("" : "+r"(key))
#define AES_IN_ORDER(a, b, c, d, ya, yb, yc, yd)                                                                       \
    __asm__("" : AES_WORD(a), AES_WORD(b), AES_WORD(c), AES_WORD(d), "+r"(ya), "+r"(yb), "+r"(yc), "+r"(yd))
#define AES_TAKEN(ia, ib, ic, id, ya, yb, yc, yd)                                                                      \
    __asm__("" : "+r"(ia), "+r"(ib), "+r"(ic), "+r"(id), "+r"(ya), "+r"(yb), "+r"(yc), "+r"(yd))
#define AES_INLINE RUNNEL_INLINE
#else
#define AES_IN_REGISTERS(a, b, c, d) ((void)0)
#define AES_IN_ORDER(a, b, c, d, ya, yb, yc, yd) ((void)0)
#define AES_TAKEN(ia, ib, ic, id, ya, yb, yc, yd) ((void)0)
#define AES_STAYS(key) ((void)0)
#define AES_INLINE static inline
#endif

AES_INLINE aes_columns aes_load_columns(const uint8_t *p)
{
    return (aes_columns){{runnel_load32le(p), runnel_load32le(p + 4), runnel_load32le(p + 8), runnel_load32le(p + 12)}};
}

/* out = in XOR x; in == NULL: x. */
AES_INLINE void aes_xor_columns(uint8_t *out, const uint8_t *in, aes_columns x)
{
    if (in != NULL) {
        x.c[0] ^= runnel_load32le(in);
        x.c[1] ^= runnel_load32le(in + 4);
        x.c[2] ^= runnel_load32le(in + 8);
        x.c[3] ^= runnel_load32le(in + 12);
    }
    AES_IN_REGISTERS(x.c[0], x.c[1], x.c[2], x.c[3]);
    runnel_store32le(out, (uint32_t)x.c[0]);
    runnel_store32le(out + 4, (uint32_t)x.c[1]);
    runnel_store32le(out + 8, (uint32_t)x.c[2]);
    runnel_store32le(out + 12, (uint32_t)x.c[3]);
}

static inline uint32_t aes_swap_bytes(uint32_t w)
{
    return w << 24 | (w & 0xff00) << 8 | (w >> 8 & 0xff00) | w >> 24;
}

AES_INLINE aes_columns aes_xor_key(aes_columns x, const uint32_t *key)
{
    return (aes_columns){{x.c[0] ^ key[0], x.c[1] ^ key[1], x.c[2] ^ key[2], x.c[3] ^ key[3]}};
}

/* A column after a round, from the columns that its rows 0, 1, 2 and 3 come from. */
AES_INLINE uint32_t aes_round_column(const aes_ttable t, uint32_t r0, uint32_t r1, uint32_t r2, uint32_t r3,
                                     uint32_t key)
{
    return AES_LOOK_UP(t[0], r0 & 0xff) ^ AES_LOOK_UP(t[1], r1 >> 8 & 0xff) ^ AES_LOOK_UP(t[2], r2 >> 16 & 0xff) ^
           AES_LOOK_UP(t[3], r3 >> 24) ^ key;
}

/* The contribution of a byte of some row to its column: in a round, and in the last one. */
#define AES_TERM(t, row, byte) AES_LOOK_UP((t)[row], byte)
#define AES_LAST_TERM(s_box, row, byte) ((uint32_t)AES_LOOK_UP(s_box, byte) << 8 * (row))

/* A round of the columns a to d: rows 0 and 1, then rows 2 and 3, shifted into place. The columns that begin with a to
 * d take rows 1 and 3 from the named ones. The value that is known last is added last. */
#define AES_ROUND(term, t, x, key, a1, b1, c1, d1, a3, b3, c3, d3)                                                     \
    aes_word a = x.c[0], b = x.c[1], c = x.c[2], d = x.c[3];                                                           \
    AES_IN_REGISTERS(a, b, c, d);                                                                                      \
    uint32_t ya = term(t, 0, a & 0xff), yb = term(t, 0, b & 0xff), yc = term(t, 0, c & 0xff),                          \
             yd = term(t, 0, d & 0xff);                                                                                \
    ya ^= term(t, 1, a1 >> 8 & 0xff);                                                                                  \
    yb ^= term(t, 1, b1 >> 8 & 0xff);                                                                                  \
    yc ^= term(t, 1, c1 >> 8 & 0xff);                                                                                  \
    yd ^= term(t, 1, d1 >> 8 & 0xff);                                                                                  \
    AES_IN_ORDER(a, b, c, d, ya, yb, yc, yd);                                                                          \
    a >>= 16;                                                                                                          \
    b >>= 16;                                                                                                          \
    c >>= 16;                                                                                                          \
    d >>= 16;                                                                                                          \
    AES_IN_REGISTERS(a, b, c, d);                                                                                      \
    ya ^= term(t, 2, c & 0xff);                                                                                        \
    yb ^= term(t, 2, d & 0xff);                                                                                        \
    yc ^= term(t, 2, a & 0xff);                                                                                        \
    yd ^= term(t, 2, b & 0xff);                                                                                        \
    aes_word ia = a3 >> 8 & 0xff, ib = b3 >> 8 & 0xff, ic = c3 >> 8 & 0xff, id = d3 >> 8 & 0xff;                       \
    ya ^= (key)[0];                                                                                                    \
    yb ^= (key)[1];                                                                                                    \
    yc ^= (key)[2];                                                                                                    \
    yd ^= (key)[3];                                                                                                    \
    AES_TAKEN(ia, ib, ic, id, ya, yb, yc, yd);                                                                         \
    return (aes_columns)                                                                                               \
    {                                                                                                                  \
        {                                                                                                              \
            ya ^ term(t, 3, ia), yb ^ term(t, 3, ib), yc ^ term(t, 3, ic), yd ^ term(t, 3, id)                         \
        }                                                                                                              \
    }

/* By ShiftRows. */
AES_INLINE aes_columns aes_encryption_round(aes_columns x, const uint32_t *key)
{
    AES_ROUND(AES_TERM, runnel_aes_ttable_encryption, x, key, b, c, d, a, d, a, b, c);
}

AES_INLINE aes_columns aes_last_encryption_round(aes_columns x, const uint32_t *key)
{
    AES_ROUND(AES_LAST_TERM, runnel_aes_s_box, x, key, b, c, d, a, d, a, b, c);
}

/* By its inverse. */
AES_INLINE aes_columns aes_decryption_round(aes_columns x, const uint32_t *key)
{
    AES_ROUND(AES_TERM, runnel_aes_ttable_decryption, x, key, d, a, b, c, b, c, d, a);
}

AES_INLINE aes_columns aes_last_decryption_round(aes_columns x, const uint32_t *key)
{
    AES_ROUND(AES_LAST_TERM, runnel_aes_inverse_s_box, x, key, d, a, b, c, b, c, d, a);
}

/* From round `first` (1, 2 or 3) on, unrolled for every key length; ROUND(x, key) is one round, key is left at the
 * last round's. */
#define AES_MIDDLE_ROUNDS(ROUND, x, key, first, rounds)                                                                \
    do {                                                                                                               \
        if ((first) < 2) {                                                                                             \
            x = ROUND(x, key);                                                                                         \
            key += 4;                                                                                                  \
        }                                                                                                              \
        if ((first) < 3) {                                                                                             \
            x = ROUND(x, key);                                                                                         \
            key += 4;                                                                                                  \
        }                                                                                                              \
        if ((rounds) > 10) {                                                                                           \
            AES_STAYS(key);                                                                                            \
            x = ROUND(x, key);                                                                                         \
            x = ROUND(x, key + 4);                                                                                     \
            key += 8;                                                                                                  \
            if ((rounds) > 12) {                                                                                       \
                AES_STAYS(key);                                                                                        \
                x = ROUND(x, key);                                                                                     \
                x = ROUND(x, key + 4);                                                                                 \
                key += 8;                                                                                              \
            }                                                                                                          \
        }                                                                                                              \
        AES_STAYS(key);                                                                                                \
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
AES_INLINE aes_columns aes_encrypt_from(aes_columns x, unsigned first, const runnel_aes_schedule *s)
{
    const uint32_t *key = s->keys.words + 4 * first;
    AES_MIDDLE_ROUNDS(aes_encryption_round, x, key, first, s->rounds);
    return aes_last_encryption_round(x, key);
}

#endif
