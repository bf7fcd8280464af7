/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-CTR-C: counter mode that keeps what does not change from block to block, on top of table AES. After Park, Paik,
 * Lee: Efficient implementation of AES CTR Mode for a Mobile Environment, 2011. Written once for its three kernels.
 *
 * Columns 0 to 3 of the counter block hold bytes b0 … b15; b15 counts. Cached, each as long as it stays the same:
 *   rd0    columns 0, 1 and 2 of the block XOR round key 0; rd1    columns 1, 2 and 3 after round 1: b15 reaches
 *   column 0 alone; rd2    what those three columns and the key contribute to round 2: each of its columns has one
 *   byte from column 0; rd1+   column 0 after round 1 for every b15, a table of 1 KiB that depends on b0, b5 and b10:
 *   built with the nonce.
 * All but the last serve a run, the 256 blocks that differ in b15 alone. They are in the context, tagged with their
 * block, and serve later calls too.
 *
 * To be defined before: CTR_C_KEEPS_RD2 (0, 1) and CTR_C_KEEPS_RD1_PLUS (0, 1); CTR_C_KEEPS_OVER_B14 with both: when
 * b14 changes, columns 2 and 3 after round 1 are kept, which the paper tried and dropped. */
#ifndef CTR_C_KEEPS_OVER_B14
#define CTR_C_KEEPS_OVER_B14 0
#endif

#include "arch/common/wipe.h"
#include "ciphers/aes/ttable.h"

typedef struct caches {
    uint32_t set, table_set; /* zeroed by key set-up */
    uint32_t run[4];         /* the run's block, b15 = 0 */
    uint32_t rd0[3];
    uint32_t rd1[3];
#if CTR_C_KEEPS_RD2
    uint32_t rd2[4];
#endif
#if CTR_C_KEEPS_RD1_PLUS
    uint32_t table_bytes; /* b0, b5, b10 */
#endif
} caches;

typedef struct memory {
    caches caches;
#if CTR_C_KEEPS_RD1_PLUS
    uint32_t rd1_plus[256];
#endif
} memory;

#define T runnel_aes_ttable_encryption

/* Column 0 after round 1. */
static inline uint32_t changing_column(const runnel_aes_schedule *s, const uint32_t *rd0, uint32_t column_3)
{
    return aes_round_column(T, rd0[0], rd0[1], rd0[2], column_3, s->keys.words[4]);
}

static void fill_caches(const runnel_aes_schedule *s, caches *c, aes_columns block)
{
    const uint32_t *key = s->keys.words + 4;
    c->set = 1;
    for (int i = 0; i < 4; i++)
        c->run[i] = block.c[i];
    block = aes_add_key(block, s->keys.words);
    for (int i = 0; i < 3; i++)
        c->rd0[i] = block.c[i];
    c->rd1[0] = aes_round_column(T, block.c[1], block.c[2], block.c[3], block.c[0], key[1]);
    c->rd1[1] = aes_round_column(T, block.c[2], block.c[3], block.c[0], block.c[1], key[2]);
    c->rd1[2] = aes_round_column(T, block.c[3], block.c[0], block.c[1], block.c[2], key[3]);
#if CTR_C_KEEPS_RD2
    const uint32_t x1 = c->rd1[0], x2 = c->rd1[1], x3 = c->rd1[2];
    key += 4;
    c->rd2[0] = T[1][x1 >> 8 & 0xff] ^ T[2][x2 >> 16 & 0xff] ^ T[3][x3 >> 24] ^ key[0];
    c->rd2[1] = T[0][x1 & 0xff] ^ T[1][x2 >> 8 & 0xff] ^ T[2][x3 >> 16 & 0xff] ^ key[1];
    c->rd2[2] = T[0][x2 & 0xff] ^ T[1][x3 >> 8 & 0xff] ^ T[3][x1 >> 24] ^ key[2];
    c->rd2[3] = T[0][x3 & 0xff] ^ T[2][x1 >> 16 & 0xff] ^ T[3][x2 >> 24] ^ key[3];
#endif
}

#if CTR_C_KEEPS_OVER_B14
/* Fills the caches for a run that differs in b14 alone, which reaches column 1 after round 1 and no other. */
static inline int fill_for_b14(const runnel_aes_schedule *s, caches *c, aes_columns block)
{
    if (((c->run[0] ^ block.c[0]) | (c->run[1] ^ block.c[1]) | (c->run[2] ^ block.c[2]) |
         ((c->run[3] ^ block.c[3]) & 0xff00ffff)) != 0)
        return 0;
    const uint32_t *key = s->keys.words + 4;
    c->run[3] = block.c[3];
    block = aes_add_key(block, s->keys.words);
    const uint32_t before = c->rd1[0];
    const uint32_t x1 = c->rd1[0] = aes_round_column(T, block.c[1], block.c[2], block.c[3], block.c[0], key[1]);
    c->rd2[0] ^= T[1][before >> 8 & 0xff] ^ T[1][x1 >> 8 & 0xff];
    c->rd2[1] ^= T[0][before & 0xff] ^ T[0][x1 & 0xff];
    c->rd2[2] ^= T[3][before >> 24] ^ T[3][x1 >> 24];
    c->rd2[3] ^= T[2][before >> 16 & 0xff] ^ T[2][x1 >> 16 & 0xff];
    return 1;
}
#else
#define fill_for_b14(s, c, block) 0
#endif

/* The n blocks of a run from b15 on. rd1_plus may be NULL. */
static inline void one_run(const runnel_aes_schedule *s, const caches *c, const uint32_t *rd1_plus, uint32_t b15,
                           uint8_t *out, const uint8_t *in, size_t n)
{
    const uint32_t column_3 = c->run[3] ^ s->keys.words[3];
    for (;;) {
        const uint32_t x0 = rd1_plus != NULL ? rd1_plus[b15] : changing_column(s, c->rd0, column_3 ^ b15 << 24);
#if CTR_C_KEEPS_RD2
        const aes_columns x = {{c->rd2[0] ^ AES_LOOK_UP(T[0], x0 & 0xff), c->rd2[1] ^ AES_LOOK_UP(T[3], x0 >> 24),
                                c->rd2[2] ^ AES_LOOK_UP(T[2], x0 >> 16 & 0xff),
                                c->rd2[3] ^ AES_LOOK_UP(T[1], x0 >> 8 & 0xff)}};
        aes_xor_columns(out, in, aes_encrypt_from(x, 3, s));
#else
        const aes_columns x = {{x0, c->rd1[0], c->rd1[1], c->rd1[2]}};
        aes_xor_columns(out, in, aes_encrypt_from(x, 2, s));
#endif
        if (--n == 0)
            return;
        b15++;
        out += 16;
        in = in == NULL ? NULL : in + 16;
    }
}

static inline int same_block(const uint32_t *run, aes_columns block)
{
    return ((run[0] ^ block.c[0]) | (run[1] ^ block.c[1]) | (run[2] ^ block.c[2]) | (run[3] ^ block.c[3])) == 0;
}

#if CTR_C_KEEPS_RD1_PLUS
/* Makes the table that of this block. */
static inline void fit_table(const runnel_aes_schedule *s, memory *m, aes_columns block)
{
    const uint32_t bytes = (block.c[0] & 0xff) | (block.c[1] & 0xff00) | (block.c[2] & 0xff0000);
    if (m->caches.table_set && m->caches.table_bytes == bytes)
        return;
    m->caches.table_set = 1;
    m->caches.table_bytes = bytes;
    block = aes_add_key(block, s->keys.words);
    const uint32_t constant =
        T[0][block.c[0] & 0xff] ^ T[1][block.c[1] >> 8 & 0xff] ^ T[2][block.c[2] >> 16 & 0xff] ^ s->keys.words[4];
    const uint32_t key_byte = s->keys.words[3] >> 24;
    for (uint32_t b15 = 0; b15 < 256; b15++)
        m->rd1_plus[b15] = constant ^ T[3][b15 ^ key_byte];
}

static void nonce(const void *state, void *prefix, const uint8_t *block)
{
    fit_table(state, prefix, aes_load_columns(block));
}
#endif

static void ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                  size_t nblocks)
{
    const runnel_aes_schedule *s = state;
    aes_columns run = aes_load_columns(block);
    uint32_t number = runnel_load32be(block + 12), b15 = number & 0xff;
    caches own, *c = prefix;
    if (prefix == NULL) {
        own.set = 0;
        c = &own;
    }
    run.c[3] &= 0xffffff;
    const uint32_t *rd1_plus = NULL;
#if CTR_C_KEEPS_RD1_PLUS
    if (prefix != NULL) {
        fit_table(s, prefix, run);
        rd1_plus = ((memory *)prefix)->rd1_plus;
    }
#endif
    /* Not with run_bits: ctr-c-1 takes 1.5 % longer without the loop on AArch64, as it is compiled. */
    for (;;) {
        const size_t n = nblocks < 256 - b15 ? nblocks : 256 - b15;
        if (!c->set || (!same_block(c->run, run) && !fill_for_b14(s, c, run)))
            fill_caches(s, c, run);
        if (rd1_plus != NULL)
            one_run(s, c, rd1_plus, b15, out, in, n);
        else
            one_run(s, c, NULL, b15, out, in, n);
        nblocks -= n;
        if (nblocks == 0)
            break;
        number += 256;
        run.c[3] = aes_swap_bytes(number & 0xffffff00);
        b15 = 0;
        out += 16 * n;
        in = in == NULL ? NULL : in + 16 * n;
    }
    if (prefix == NULL)
        runnel_wipe(&own, sizeof own);
}

static uint32_t prefix_used(const void *prefix)
{
    const caches *c = prefix;
    return c->table_set ? sizeof(memory) : c->set ? sizeof(caches) : 8;
}
