/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HIGHT on NEON: byte i of sixteen blocks in register i, one or two such sets at once. Nothing moves between rounds:
 * the registers change their names. F0 and F1 are linear, so each is two look-ups of nibbles; a subkey that is XORed to
 * F1 goes into its table, once for both sets. LD4 and ST4 do half of the transposition.
 *
 * Counter mode: in a run, the blocks that differ in their last byte alone, a byte that moves takes seven rounds to
 * reach all others. What the moving bytes are combined with is computed once per run, in integer registers: 108
 * instead of 208 instructions on a set in the first eight rounds.
 *
 * A single block goes through the integer registers. */
#include "arch/common/bytes.h"
#include "ciphers/hight/kernels.h"

#if RUNNEL_AARCH64
#include <arm_neon.h>

#define EACH_SET _Pragma("GCC unroll 2") for (int s = 0; s < sets; s++)
#define EACH_BYTE(i, n) _Pragma("GCC unroll 8") for (int i = 0; i < (n); i++)

enum { HIGHT_MOST_SETS = 2, HIGHT_SET_BLOCKS = 16, HIGHT_SET_BYTES = 128 };

typedef uint8x16_t hight_set[8];

/* F of all values of the low and of the high nibble. */
#define ROTATED(x, n) ((((x) << (n)) | ((x) >> (8 - (n)))) & 0xff)
#define F0(x) (ROTATED(x, 1) ^ ROTATED(x, 2) ^ ROTATED(x, 7))
#define F1(x) (ROTATED(x, 3) ^ ROTATED(x, 4) ^ ROTATED(x, 6))
#define FOUR(f, x, step) f(x), f((x) + (step)), f((x) + 2 * (step)), f((x) + 3 * (step))
#define NIBBLES(f, step)                                                                                               \
    {FOUR(f, 0, step), FOUR(f, 4 * (step), step), FOUR(f, 8 * (step), step), FOUR(f, 12 * (step), step)}
static const uint8_t hight_tables[4][16] = {NIBBLES(F0, 1), NIBBLES(F0, 16), NIBBLES(F1, 1), NIBBLES(F1, 16)};

typedef struct hight_nibble_tables {
    uint8x16_t f0_low, f0_high, f1_low, f1_high, nibble;
} hight_nibble_tables;

RUNNEL_INLINE hight_nibble_tables hight_load_tables(void)
{
    return (hight_nibble_tables){vld1q_u8(hight_tables[0]), vld1q_u8(hight_tables[1]), vld1q_u8(hight_tables[2]),
                                 vld1q_u8(hight_tables[3]), vdupq_n_u8(15)};
}

/* The order in which vectors are made is the source's: compilers that look far ahead run out of registers. */
#define HERE(x) __asm__ volatile("" : "+w"(x))

#define ALL_SETS(to, value)                                                                                            \
    EACH_SET {                                                                                                         \
        to = value;                                                                                                    \
        HERE(to);                                                                                                      \
    }

/* y = F of byte i by its tables, one instruction for all sets and then the next. */
#define LOOK_UP(y, low, high, i)                                                                                       \
    uint8x16_t y[HIGHT_MOST_SETS], high_[HIGHT_MOST_SETS];                                                             \
    ALL_SETS(y[s], vandq_u8(x[s][i], t->nibble))                                                                       \
    ALL_SETS(high_[s], vshrq_n_u8(x[s][i], 4))                                                                         \
    ALL_SETS(y[s], vqtbl1q_u8(low, y[s]))                                                                              \
    ALL_SETS(high_[s], vqtbl1q_u8(high, high_[s]))                                                                     \
    ALL_SETS(y[s], veorq_u8(y[s], high_[s]))

/* In these, i names the byte that F reads, and to the one that changes. */
#define CHANGE_BY_F1(change, i, to, key)                                                                               \
    {                                                                                                                  \
        const uint8x16_t low_ = veorq_u8(t->f1_low, key);                                                              \
        LOOK_UP(y_, low_, t->f1_high, i)                                                                               \
        ALL_SETS(x[s][to], change(x[s][to], y_[s]))                                                                    \
    }
#define ADD_F1(i, to, key) CHANGE_BY_F1(vaddq_u8, i, to, key)
#define SUBTRACT_F1(i, to, key) CHANGE_BY_F1(vsubq_u8, i, to, key)
#define XOR_F0(i, to, key)                                                                                             \
    {                                                                                                                  \
        LOOK_UP(y_, t->f0_low, t->f0_high, i)                                                                          \
        ALL_SETS(y_[s], vaddq_u8(y_[s], key))                                                                          \
        ALL_SETS(x[s][to], veorq_u8(x[s][to], y_[s]))                                                                  \
    }

/* Round r modulo 8 on bytes that have not moved in the rounds before. */
RUNNEL_INLINE void hight_encrypt_round(hight_set *x, int sets, const hight_nibble_tables *t, const uint8_t *keys, int r)
{
    const uint8x16x4_t key = vld4q_dup_u8(keys);
    ADD_F1((0 - r) & 7, (1 - r) & 7, key.val[0])
    XOR_F0((2 - r) & 7, (3 - r) & 7, key.val[1])
    ADD_F1((4 - r) & 7, (5 - r) & 7, key.val[2])
    XOR_F0((6 - r) & 7, (7 - r) & 7, key.val[3])
}

/* The rounds from `first`, a multiple of eight, to the last, and the whitening after them. */
RUNNEL_INLINE void hight_encrypt_sets(hight_set *x, int sets, const runnel_hight_schedule *schedule,
                                      const hight_nibble_tables *t, unsigned first)
{
    const uint8_t *keys = schedule->subkeys + 4 * first, *const end = schedule->subkeys + 128;
    do {
        EACH_BYTE(r, 8)
            hight_encrypt_round(x, sets, t, keys + 4 * r, r);
        keys += 32;
    } while (keys != end);
    const uint8x16x4_t white = vld4q_dup_u8(schedule->whitening + 4);
    EACH_SET {
        x[s][1] = vaddq_u8(x[s][1], white.val[0]);
        x[s][3] = veorq_u8(x[s][3], white.val[1]);
        x[s][5] = vaddq_u8(x[s][5], white.val[2]);
        x[s][7] = veorq_u8(x[s][7], white.val[3]);
    }
}

RUNNEL_INLINE void hight_whiten(hight_set *x, int sets, const runnel_hight_schedule *schedule)
{
    const uint8x16x4_t white = vld4q_dup_u8(schedule->whitening);
    EACH_SET {
        x[s][0] = vaddq_u8(x[s][0], white.val[0]);
        x[s][2] = veorq_u8(x[s][2], white.val[1]);
        x[s][4] = vaddq_u8(x[s][4], white.val[2]);
        x[s][6] = veorq_u8(x[s][6], white.val[3]);
    }
}

/* Byte i of the blocks goes to register i + first, modulo 8. */
RUNNEL_INLINE void hight_load_sets(hight_set *x, int sets, const uint8_t *in, int first)
{
    EACH_SET {
        const uint8x16x4_t a = vld4q_u8(in + HIGHT_SET_BYTES * s),
                           b = vld4q_u8(in + HIGHT_SET_BYTES * s + HIGHT_SET_BYTES / 2);
        EACH_BYTE(i, 4) {
            x[s][(i + first) & 7] = vuzp1q_u8(a.val[i], b.val[i]);
            x[s][(i + first + 4) & 7] = vuzp2q_u8(a.val[i], b.val[i]);
        }
    }
}

/* out = in XOR x; in == NULL: x. Byte i of the blocks is in register i + first, modulo 8. */
RUNNEL_INLINE void hight_store_sets(uint8_t *out, const uint8_t *in, hight_set *x, int sets, int first)
{
    EACH_SET {
        uint8x16x4_t half[2];
        EACH_BYTE(i, 4) {
            half[0].val[i] = vzip1q_u8(x[s][(i + first) & 7], x[s][(i + first + 4) & 7]);
            half[1].val[i] = vzip2q_u8(x[s][(i + first) & 7], x[s][(i + first + 4) & 7]);
        }
        EACH_BYTE(h, 2) {
            const int at = HIGHT_SET_BYTES * s + HIGHT_SET_BYTES / 2 * h;
            if (in != NULL) {
                const uint8x16x4_t text = vld4q_u8(in + at);
                EACH_BYTE(i, 4)
                    half[h].val[i] = veorq_u8(half[h].val[i], text.val[i]);
            }
            vst4q_u8(out + at, half[h]);
        }
    }
}

/* The first n blocks of them. */
RUNNEL_INLINE void hight_put(uint8_t *out, const uint8_t *in, hight_set *x, int sets, int first, size_t n)
{
    if (n == (size_t)sets * HIGHT_SET_BLOCKS) {
        hight_store_sets(out, in, x, sets, first);
    } else {
        uint8_t blocks[HIGHT_MOST_SETS * HIGHT_SET_BYTES];
        hight_store_sets(blocks, NULL, x, sets, first);
        runnel_xor_bytes(out, in, blocks, 8 * n);
        runnel_wipe(blocks, sizeof blocks);
    }
}

/* F0 and F1 in integer registers. Only the low byte is meaningful, here and below. F copies it into the second byte of
 * its input word, which is all that the rotations need. */
#define TWICE(x) __asm__("bfi %w0, %w0, #8, #8" : "+r"(x))

RUNNEL_INLINE uint32_t hight_word_f0(uint32_t *x)
{
    TWICE(*x);
    return *x >> 1 ^ *x >> 6 ^ *x >> 7;
}

RUNNEL_INLINE uint32_t hight_word_f1(uint32_t *x)
{
    TWICE(*x);
    return *x >> 2 ^ *x >> 4 ^ *x >> 5;
}

RUNNEL_INLINE void hight_encrypt_word_round(uint32_t x[8], const uint8_t *keys, int r)
{
    const uint32_t key = runnel_load32le(keys);
    x[(1 - r) & 7] += hight_word_f1(&x[(0 - r) & 7]) ^ key;
    x[(3 - r) & 7] ^= hight_word_f0(&x[(2 - r) & 7]) + (key >> 8);
    x[(5 - r) & 7] += hight_word_f1(&x[(4 - r) & 7]) ^ key >> 16;
    x[(7 - r) & 7] ^= hight_word_f0(&x[(6 - r) & 7]) + (key >> 24);
}

RUNNEL_INLINE void hight_load_words(uint32_t x[8], const uint8_t *block, const runnel_hight_schedule *schedule)
{
    EACH_BYTE(i, 8)
        x[i] = block[i];
    x[0] += schedule->whitening[0];
    x[2] ^= schedule->whitening[1];
    x[4] += schedule->whitening[2];
    x[6] ^= schedule->whitening[3];
}

/* The block `from`, encrypted and XORed with in unless it is NULL. */
static RUNNEL_NOINLINE void hight_encrypt_one(const runnel_hight_schedule *schedule, uint8_t *out,
                                                  const uint8_t *in, const uint8_t *from)
{
    const uint8_t *keys = schedule->subkeys, *const end = keys + 128, *white = schedule->whitening + 4;
    uint32_t x[8];
    hight_load_words(x, from, schedule);
    do {
        EACH_BYTE(r, 8)
            hight_encrypt_word_round(x, keys + 4 * r, r);
        keys += 32;
    } while (keys != end);
    x[1] += white[0];
    x[3] ^= white[1];
    x[5] += white[2];
    x[7] ^= white[3];
    EACH_BYTE(i, 8)
        out[i] = (uint8_t)(x[(i + 1) & 7] ^ (in == NULL ? 0 : in[i]));
}

#define BLOCKS_OF(sets)                                                                                                \
    {                                                                                                                  \
        hight_set x[HIGHT_MOST_SETS];                                                                                  \
        hight_load_sets(x, sets, from, 0);                                                                             \
        hight_whiten(x, sets, schedule);                                                                               \
        hight_encrypt_sets(x, sets, schedule, &t, 0);                                                                  \
        hight_put(out, NULL, x, sets, 1, n);                                                                           \
    }

static void hight_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_hight_schedule *schedule = state;
    const hight_nibble_tables t = hight_load_tables();
    while (nblocks > 1) {
        const size_t n = nblocks < HIGHT_MOST_SETS * HIGHT_SET_BLOCKS ? nblocks : HIGHT_MOST_SETS * HIGHT_SET_BLOCKS;
        uint8_t blocks[HIGHT_MOST_SETS * HIGHT_SET_BYTES];
        const uint8_t *from = in;
        if (n != HIGHT_SET_BLOCKS && n != HIGHT_MOST_SETS * HIGHT_SET_BLOCKS) {
            memset(blocks, 0, sizeof blocks);
            from = memcpy(blocks, in, 8 * n);
        }
        if (n > HIGHT_SET_BLOCKS)
            BLOCKS_OF(2)
        else
            BLOCKS_OF(1)
        in += 8 * n;
        out += 8 * n;
        nblocks -= n;
    }
    if (nblocks > 0)
        hight_encrypt_one(schedule, out, NULL, in);
}

/* Operands of the moving bytes in the first eight rounds, in the order of use, for blocks that begin like
 * this one. */
RUNNEL_INLINE void hight_find_run(uint8_t run[12], const runnel_hight_schedule *schedule, const uint8_t *block)
{
    const uint8_t *k = schedule->subkeys;
    uint32_t x[8];
    hight_load_words(x, block, schedule);
#define F1_XOR(i, n) (hight_word_f1(&x[i]) ^ k[n])
#define F0_ADD(i, n) (hight_word_f0(&x[i]) + k[n])
    run[0] = (uint8_t)F0_ADD(6, 3); /* round 0 changes byte 7, and so on downwards */
    x[1] += F1_XOR(0, 0), x[3] ^= F0_ADD(2, 1), x[5] += F1_XOR(4, 2);
    run[1] = (uint8_t)x[0];
    x[2] ^= F0_ADD(1, 5), x[4] += F1_XOR(3, 6), x[6] ^= F0_ADD(5, 7);
    run[2] = (uint8_t)F1_XOR(6, 8);
    run[3] = (uint8_t)x[1];
    x[3] += F1_XOR(2, 10), x[5] ^= F0_ADD(4, 11);
    run[4] = (uint8_t)x[2];
    x[6] += F1_XOR(5, 12), x[4] ^= F0_ADD(3, 15);
    run[5] = (uint8_t)F0_ADD(6, 17);
    run[6] = (uint8_t)x[3];
    x[5] += F1_XOR(4, 16);
    run[7] = (uint8_t)x[4];
    x[6] ^= F0_ADD(5, 21);
    run[8] = (uint8_t)x[5];
    run[9] = (uint8_t)F1_XOR(6, 26);
    run[10] = (uint8_t)x[6];
    run[11] = 0;
}

/* The first eight rounds on blocks of a run, of which x[s][7] is the last byte. */
RUNNEL_INLINE void hight_encrypt_counters(hight_set *x, int sets, const runnel_hight_schedule *schedule,
                                   const hight_nibble_tables *t, const uint8_t run[12])
{
    const uint8_t *keys = schedule->subkeys;
    const uint8x16x4_t early = vld4q_dup_u8(run);
    uint8x16x4_t key = vld4q_dup_u8(keys + 8);
    EACH_SET {
        x[s][7] = veorq_u8(x[s][7], early.val[0]);
        x[s][0] = early.val[1];
        x[s][1] = early.val[3];
    }
    ADD_F1(7, 0, vld1q_dup_u8(keys + 4)) /* round 1 */
    EACH_SET
        x[s][7] = vaddq_u8(x[s][7], early.val[2]);
    XOR_F0(0, 1, key.val[1]) /* round 2 */
    const uint8x16x4_t middle = vld4q_dup_u8(run + 4);
    key = vld4q_dup_u8(keys + 12);
    EACH_SET
        x[s][2] = middle.val[0];
    XOR_F0(7, 0, key.val[1]) /* round 3 */
    ADD_F1(1, 2, key.val[2])
    key = vld4q_dup_u8(keys + 16);
    EACH_SET {
        x[s][7] = veorq_u8(x[s][7], middle.val[1]);
        x[s][3] = middle.val[2];
        x[s][4] = middle.val[3];
    }
    ADD_F1(0, 1, key.val[2]) /* round 4 */
    XOR_F0(2, 3, key.val[3])
    key = vld4q_dup_u8(keys + 20);
    ADD_F1(3, 4, key.val[0]) /* round 5 */
    ADD_F1(7, 0, key.val[2])
    XOR_F0(1, 2, key.val[3])
    const uint8x16x4_t late = vld4q_dup_u8(run + 8);
    key = vld4q_dup_u8(keys + 24);
    EACH_SET {
        x[s][5] = late.val[0];
        x[s][7] = vaddq_u8(x[s][7], late.val[1]);
        x[s][6] = late.val[2];
    }
    ADD_F1(2, 3, key.val[0]) /* round 6 */
    XOR_F0(4, 5, key.val[1])
    XOR_F0(0, 1, key.val[3])
    hight_encrypt_round(x, sets, t, keys + 28, 7);
}

/* n blocks of a run; not known: precomputing what their bytes are combined with does not pay. */
#define COUNTERS_OF(sets)                                                                                              \
    {                                                                                                                  \
        hight_set x[HIGHT_MOST_SETS];                                                                                  \
        EACH_BYTE(s, sets)                                                                                             \
            x[s][7] = vaddq_u8(vdupq_n_u8((uint8_t)(first + HIGHT_SET_BLOCKS * s)), vld1q_u8(lanes));                  \
        if (known) {                                                                                                   \
            hight_encrypt_counters(x, sets, schedule, &t, run);                                                        \
            hight_encrypt_sets(x, sets, schedule, &t, 8);                                                              \
        } else {                                                                                                       \
            EACH_BYTE(s, sets)                                                                                         \
                EACH_BYTE(i, 7)                                                                                        \
                    x[s][i] = vld1q_dup_u8(block + i);                                                                 \
            hight_whiten(x, sets, schedule);                                                                           \
            hight_encrypt_sets(x, sets, schedule, &t, 0);                                                              \
        }                                                                                                              \
        hight_put(out, in, x, sets, 1, n);                                                                             \
    }

static void hight_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                        size_t nblocks)
{
    (void)prefix;
    static const uint8_t lanes[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const runnel_hight_schedule *schedule = state;
    if (nblocks == 1) {
        hight_encrypt_one(schedule, out, in, block);
        return;
    }
    const hight_nibble_tables t = hight_load_tables();
    uint8_t run[12];
    unsigned first = block[7];
    const int known = nblocks > HIGHT_SET_BLOCKS;
    if (known)
        hight_find_run(run, schedule, block);
    while (nblocks > 0) {
        size_t n = nblocks < HIGHT_MOST_SETS * HIGHT_SET_BLOCKS ? nblocks : HIGHT_MOST_SETS * HIGHT_SET_BLOCKS;
        if (n > HIGHT_SET_BLOCKS)
            COUNTERS_OF(2)
        else
            COUNTERS_OF(1)
        nblocks -= n;
        first += (unsigned)n;
        in = in == NULL ? NULL : in + 8 * n;
        out += 8 * n;
    }
    runnel_wipe(run, sizeof run);
}

#if RUNNEL_DECRYPT

RUNNEL_INLINE void hight_decrypt_round(hight_set *x, int sets, const hight_nibble_tables *t, const uint8_t *keys, int r)
{
    const uint8x16x4_t key = vld4q_dup_u8(keys);
    SUBTRACT_F1((0 - r) & 7, (1 - r) & 7, key.val[0])
    XOR_F0((2 - r) & 7, (3 - r) & 7, key.val[1])
    SUBTRACT_F1((4 - r) & 7, (5 - r) & 7, key.val[2])
    XOR_F0((6 - r) & 7, (7 - r) & 7, key.val[3])
}

/* Byte i of the blocks is in register i + 1 before it, modulo 8, and in register i after it. */
RUNNEL_INLINE void hight_decrypt_sets(hight_set *x, int sets, const runnel_hight_schedule *schedule,
                                      const hight_nibble_tables *t)
{
    const uint8_t *keys = schedule->subkeys + 128;
    const uint8x16x4_t last = vld4q_dup_u8(schedule->whitening + 4), first = vld4q_dup_u8(schedule->whitening);
    EACH_SET {
        x[s][1] = vsubq_u8(x[s][1], last.val[0]);
        x[s][3] = veorq_u8(x[s][3], last.val[1]);
        x[s][5] = vsubq_u8(x[s][5], last.val[2]);
        x[s][7] = veorq_u8(x[s][7], last.val[3]);
    }
    do {
        keys -= 32;
        EACH_BYTE(r, 8)
            hight_decrypt_round(x, sets, t, keys + 4 * (7 - r), 7 - r);
    } while (keys != schedule->subkeys);
    EACH_SET {
        x[s][0] = vsubq_u8(x[s][0], first.val[0]);
        x[s][2] = veorq_u8(x[s][2], first.val[1]);
        x[s][4] = vsubq_u8(x[s][4], first.val[2]);
        x[s][6] = veorq_u8(x[s][6], first.val[3]);
    }
}

static void hight_decrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_hight_schedule *schedule = state;
    const hight_nibble_tables t = hight_load_tables();
    const int sets = HIGHT_MOST_SETS;
    while (nblocks > 0) {
        const size_t n = nblocks < HIGHT_MOST_SETS * HIGHT_SET_BLOCKS ? nblocks : HIGHT_MOST_SETS * HIGHT_SET_BLOCKS;
        uint8_t blocks[HIGHT_MOST_SETS * HIGHT_SET_BYTES];
        const uint8_t *from = in;
        if (n != HIGHT_MOST_SETS * HIGHT_SET_BLOCKS) {
            memset(blocks, 0, sizeof blocks);
            from = memcpy(blocks, in, 8 * n);
        }
        hight_set x[HIGHT_MOST_SETS];
        hight_load_sets(x, sets, from, 1);
        hight_decrypt_sets(x, sets, schedule, &t);
        hight_put(out, NULL, x, sets, 0, n);
        in += 8 * n;
        out += 8 * n;
        nblocks -= n;
    }
}
#endif

const runnel_kernel runnel_hight_aarch64_neon = {
    .name = RUNNEL_TEXT("aarch64-neon"),
    .citation = RUNNEL_TEXT("TTAS.KO-12.0040 on the bytes of 32 blocks, F0 and F1 by nibbles in TBL"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_NEON,
    .timing = RUNNEL_CONSTANT_TIME,
    .run_bits = 8,
    .key = runnel_hight_set_key,
    .block = {.encrypt_blocks = hight_encrypt_blocks,
              .ctr32 = hight_ctr32,
              RUNNEL_DECRYPTION(runnel_hight_set_key, hight_decrypt_blocks)},
};

#endif
