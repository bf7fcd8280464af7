/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-CTR-C: counter mode that keeps what does not change from block to block, on top of table AES. After Park, Paik,
 * Lee: Efficient implementation of AES CTR Mode for a Mobile Environment, 2011. Written once for its kernels.
 *
 * Columns 0 to 3 of the counter block hold bytes b0 … b15; b15 counts. Cached, each as long as it stays the same:
 *   rd0    (3.1) columns 0, 1 and 2 of the block XOR round key 0, 12 bytes: made once for a nonce and read in the loop,
 *          for 2^32 blocks. CTR_C_KEEPS_15_BYTES: what 3.1 compares it with, Wu's 15 bytes, all but b15, made anew
 *          every 256 blocks;
 *   rd1    (3.2) columns 1, 2 and 3 after round 1, for 256 blocks: b15 reaches column 0 alone;
 *   rd2    (3.3) what those three columns and the key contribute to round 2, for 256 blocks: each of its columns has
 *          one byte from column 0;
 *   rd1+   (3.4) column 0 after round 1 for every b15, a table of 1 KiB that depends on b0, b5 and b10: built with the
 *          nonce. Blocks then read it instead of rd0, which rd1 and rd2 are made from.
 * Every block checks whether a carry has reached b14. All caches are in the context and serve later calls too.
 *
 * To be defined before, if they are wanted: CTR_C_KEEPS_15_BYTES, CTR_C_KEEPS_RD2, CTR_C_KEEPS_RD1_PLUS, and with the
 * last two CTR_C_KEEPS_OVER_B14: columns 2 and 3 after round 1 are a cache of their own, which stands until b13 changes;
 * 3.2 tried that and dropped it, since a second check in every block costs more than it saves in one of 256. */
#ifndef CTR_C_KEEPS_15_BYTES
#define CTR_C_KEEPS_15_BYTES 0
#endif
#ifndef CTR_C_KEEPS_RD2
#define CTR_C_KEEPS_RD2 0
#endif
#ifndef CTR_C_KEEPS_RD1_PLUS
#define CTR_C_KEEPS_RD1_PLUS 0
#endif
#ifndef CTR_C_KEEPS_OVER_B14
#define CTR_C_KEEPS_OVER_B14 0
#endif

#include "arch/common/wipe.h"
#include "ciphers/aes/ttable.h"

/* The IV that is set, and the run of no block: numbers have 32 bits, those of runs fewer. */
enum { AES_KEEPS_NONCE = 1, AES_KEEPS_TABLE = 2 };
#define NO_RUN UINT32_MAX

typedef struct aes_caches {
    uint32_t set; /* zeroed by key set-up */
    uint32_t run; /* b12, b13, b14 of rd1 and rd2 */
    uint32_t nonce[3];
    uint32_t rd0[CTR_C_KEEPS_15_BYTES ? 4 : 3];
    uint32_t rd1[3];
#if CTR_C_KEEPS_RD2
    uint32_t rd2[4];
#endif
#if CTR_C_KEEPS_RD1_PLUS
    uint32_t table_bytes; /* b0, b5, b10 */
#endif
#if CTR_C_KEEPS_OVER_B14
    uint32_t run_of_two; /* b12, b13 of columns 2 and 3 in rd1 */
#endif
} aes_caches;

typedef struct aes_memory {
    aes_caches caches;
#if CTR_C_KEEPS_RD1_PLUS
    uint32_t rd1_plus[256];
#endif
} aes_memory;

#define T runnel_aes_ttable_encryption

/* Column 3 of the block with this number, XOR round key 0. */
AES_INLINE uint32_t aes_column_3_of(const runnel_aes_schedule *s, const aes_caches *c, uint32_t number)
{
#if CTR_C_KEEPS_15_BYTES
    (void)s;
    return c->rd0[3] ^ number << 24;
#else
    (void)c;
    return aes_swap_bytes(number) ^ s->keys.words[3];
#endif
}

/* Makes the caches those of this block's nonce. */
static inline void aes_keep_nonce(const runnel_aes_schedule *s, aes_caches *c, aes_columns block)
{
    if (c->set & AES_KEEPS_NONCE &&
        ((c->nonce[0] ^ block.c[0]) | (c->nonce[1] ^ block.c[1]) | (c->nonce[2] ^ block.c[2])) == 0)
        return;
    c->set |= AES_KEEPS_NONCE;
    c->run = NO_RUN;
#if CTR_C_KEEPS_OVER_B14
    c->run_of_two = NO_RUN;
#endif
    for (int i = 0; i < 3; i++) {
        c->nonce[i] = (uint32_t)block.c[i];
        c->rd0[i] = c->nonce[i] ^ s->keys.words[i];
    }
}

/* Columns of round 1, and of round 2, whose first column is missing. */
static inline void aes_make_column_1(const runnel_aes_schedule *s, aes_caches *c, uint32_t column_3)
{
    c->rd1[0] = aes_round_column(T, c->rd0[1], c->rd0[2], column_3, c->rd0[0], s->keys.words[5]);
}

static inline void aes_make_columns_2_and_3(const runnel_aes_schedule *s, aes_caches *c, uint32_t column_3)
{
    c->rd1[1] = aes_round_column(T, c->rd0[2], column_3, c->rd0[0], c->rd0[1], s->keys.words[6]);
    c->rd1[2] = aes_round_column(T, column_3, c->rd0[0], c->rd0[1], c->rd0[2], s->keys.words[7]);
}

#if CTR_C_KEEPS_RD2
static inline void aes_make_rd2(const runnel_aes_schedule *s, aes_caches *c)
{
    const uint32_t *key = s->keys.words + 8, x1 = c->rd1[0], x2 = c->rd1[1], x3 = c->rd1[2];
    c->rd2[0] = T[1][x1 >> 8 & 0xff] ^ T[2][x2 >> 16 & 0xff] ^ T[3][x3 >> 24] ^ key[0];
    c->rd2[1] = T[0][x1 & 0xff] ^ T[1][x2 >> 8 & 0xff] ^ T[2][x3 >> 16 & 0xff] ^ key[1];
    c->rd2[2] = T[0][x2 & 0xff] ^ T[1][x3 >> 8 & 0xff] ^ T[3][x1 >> 24] ^ key[2];
    c->rd2[3] = T[0][x3 & 0xff] ^ T[2][x1 >> 16 & 0xff] ^ T[3][x2 >> 24] ^ key[3];
}
#else
#define aes_make_rd2(s, c) ((void)0)
#endif

static RUNNEL_NOINLINE void aes_keep_run(const runnel_aes_schedule *s, aes_caches *c, uint32_t number)
{
    c->run = number >> 8;
#if CTR_C_KEEPS_15_BYTES
    for (int i = 0; i < 3; i++)
        c->rd0[i] = c->nonce[i] ^ s->keys.words[i];
    c->rd0[3] = aes_swap_bytes(number & 0xffffff00) ^ s->keys.words[3];
#endif
    const uint32_t column_3 = aes_column_3_of(s, c, number);
    aes_make_column_1(s, c, column_3);
#if !CTR_C_KEEPS_OVER_B14
    aes_make_columns_2_and_3(s, c, column_3);
#endif
    aes_make_rd2(s, c);
}

#if CTR_C_KEEPS_OVER_B14
static RUNNEL_NOINLINE void aes_keep_run_of_two(const runnel_aes_schedule *s, aes_caches *c, uint32_t number)
{
    c->run_of_two = number >> 16;
    aes_make_columns_2_and_3(s, c, aes_column_3_of(s, c, number));
}
#endif

/* rd1_plus may be NULL. */
static inline void aes_xor_blocks(const runnel_aes_schedule *s, aes_caches *c, const uint32_t *rd1_plus,
                                  uint32_t number, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    for (;;) {
#if CTR_C_KEEPS_OVER_B14
        if (c->run_of_two != number >> 16)
            aes_keep_run_of_two(s, c, number);
#endif
        if (c->run != number >> 8)
            aes_keep_run(s, c, number);
        const uint32_t x0 = rd1_plus != NULL ? rd1_plus[number & 0xff]
                                             : aes_round_column(T, c->rd0[0], c->rd0[1], c->rd0[2],
                                                                aes_column_3_of(s, c, number), s->keys.words[4]);
#if CTR_C_KEEPS_RD2
        const aes_columns x = {{c->rd2[0] ^ AES_LOOK_UP(T[0], x0 & 0xff), c->rd2[1] ^ AES_LOOK_UP(T[3], x0 >> 24),
                                c->rd2[2] ^ AES_LOOK_UP(T[2], x0 >> 16 & 0xff),
                                c->rd2[3] ^ AES_LOOK_UP(T[1], x0 >> 8 & 0xff)}};
        aes_xor_columns(out, in, aes_encrypt_from(x, 3, s));
#else
        const aes_columns x = {{x0, c->rd1[0], c->rd1[1], c->rd1[2]}};
        aes_xor_columns(out, in, aes_encrypt_from(x, 2, s));
#endif
        if (--nblocks == 0)
            return;
        number++;
        out += 16;
        in = in == NULL ? NULL : in + 16;
    }
}

#if CTR_C_KEEPS_RD1_PLUS
/* Makes the table that of this block. */
static inline void aes_fit_table(const runnel_aes_schedule *s, aes_memory *m, aes_columns block)
{
    const uint32_t bytes = (block.c[0] & 0xff) | (block.c[1] & 0xff00) | (block.c[2] & 0xff0000);
    if (m->caches.set & AES_KEEPS_TABLE && m->caches.table_bytes == bytes)
        return;
    m->caches.set |= AES_KEEPS_TABLE;
    m->caches.table_bytes = bytes;
    block = aes_xor_key(block, s->keys.words);
    const uint32_t constant =
        T[0][block.c[0] & 0xff] ^ T[1][block.c[1] >> 8 & 0xff] ^ T[2][block.c[2] >> 16 & 0xff] ^ s->keys.words[4];
    const uint32_t key_byte = s->keys.words[3] >> 24;
    for (uint32_t b15 = 0; b15 < 256; b15++)
        m->rd1_plus[b15] = constant ^ T[3][b15 ^ key_byte];
}
#else
#define aes_fit_table(s, m, block) ((void)0)
#endif

static void aes_nonce(const void *state, void *prefix, const uint8_t *block)
{
    const aes_columns columns = aes_load_columns(block);
    aes_keep_nonce(state, &((aes_memory *)prefix)->caches, columns);
    aes_fit_table(state, prefix, columns);
}

static void aes_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                      size_t nblocks)
{
    const uint32_t number = runnel_load32be(block + 12);
    if (prefix != NULL) {
        aes_memory *m = prefix;
        aes_nonce(state, m, block);
#if CTR_C_KEEPS_RD1_PLUS
        aes_xor_blocks(state, &m->caches, m->rd1_plus, number, out, in, nblocks);
#else
        aes_xor_blocks(state, &m->caches, NULL, number, out, in, nblocks);
#endif
        return;
    }
    aes_caches own;
    own.set = 0;
    aes_keep_nonce(state, &own, aes_load_columns(block));
    aes_xor_blocks(state, &own, NULL, number, out, in, nblocks);
    runnel_wipe(&own, sizeof own);
}

static uint32_t aes_prefix_used(const void *prefix)
{
    const aes_caches *c = prefix;
    return c->set & AES_KEEPS_TABLE ? sizeof(aes_memory) : c->set ? sizeof(aes_caches) : 8;
}

/* The rest of a kernel is that of table AES. */
#define KERNEL(id, title, source)                                                                                      \
    _Static_assert(sizeof(aes_memory) <= RUNNEL_AES_SECOND(RUNNEL_AES_SIZES_##id), "what kernels.inc says");           \
    const runnel_kernel runnel_aes_##id = {                                                                            \
        .name = RUNNEL_TEXT(title),                                                                                    \
        .citation = RUNNEL_TEXT(source),                                                                               \
        .kind = RUNNEL_KIND_BLOCK,                                                                                     \
        .timing = RUNNEL_SECRET_INDEXED,                                                                               \
        .key = runnel_aes_ttable_key,                                                                                  \
        .block = {.encrypt_blocks = runnel_aes_ttable_encrypt_blocks,                                                  \
                  .ctr32 = aes_ctr32,                                                                                  \
                  .nonce = aes_nonce,                                                                                  \
                  .prefix_used = aes_prefix_used,                                                                      \
                  .decrypt_key = runnel_aes_ttable_decrypt_key,                                                        \
                  .decrypt_blocks = runnel_aes_ttable_decrypt_blocks},                                                 \
    };
