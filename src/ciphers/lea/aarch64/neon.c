/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA on NEON: a word of four blocks in a register, up to four such sets of four registers at once, so that the sets
 * hide the latency of each other's rotations (SHL and SRI). LD4 and ST4 bring words into registers and back; a round
 * key's words are loaded into all lanes by one or two instructions.
 *
 * One to three blocks go one by one through the integer registers, where every rotation is part of the XOR that reads
 * the word: 11 or 12 instructions a round, and a round takes the time of three.
 *
 * Counter mode: only X3 moves, so that of the first four rounds X2 alone, then X1 and X2, then all but X3 are
 * computed, and what these are combined with is the same for the whole call: 39 instead of 60 instructions on four
 * blocks. */
#include "arch/common/bytes.h"
#include "ciphers/lea/kernels.h"

#if RUNNEL_AARCH64
#include <arm_neon.h>

#define EACH_SET _Pragma("GCC unroll 4") for (int s = 0; s < sets; s++)

enum { LEA_MOST_SETS = 4, LEA_SET_BLOCKS = 4, LEA_SET_BYTES = 64 };

/* From so many blocks in a call on, computing what they share pays. */
enum { LEA_WORTH_BLOCKS = 48 };

/* Two instructions; 0 < n < 32, a constant. */
#define ROTL(x, n) vsriq_n_u32(vshlq_n_u32(x, n), x, 32 - (n))

/* The order in which vectors are made is the source's: compilers that look far ahead run out of registers. */
#define HERE(x) __asm__ volatile("" : "+w"(x))

typedef uint32x4_t lea_set[4];

/* The six words of a round key in all lanes. */
typedef struct lea_round_key {
    uint32x4_t k[6];
} lea_round_key;

/* each: how many words of a round's key are stored, 4 or 6. */
RUNNEL_INLINE lea_round_key lea_load_round_key(const uint32_t *words, int each)
{
    const uint32x4x4_t four = vld4q_dup_u32(words);
    if (each == 4)
        return (lea_round_key){{four.val[0], four.val[1], four.val[2], four.val[1], four.val[3], four.val[1]}};
    const uint32x4x2_t two = vld2q_dup_u32(words + 4);
    return (lea_round_key){{four.val[0], four.val[1], four.val[2], four.val[3], two.val[0], two.val[1]}};
}

#define MIX(a, ka, b, kb) vaddq_u32(veorq_u32(a, ka), veorq_u32(b, kb))

/* The new word of every set, in place of b: one instruction for all sets, then the next. n: how far to rotate left. */
#define NEW_WORD(a, ka, b, kb, n)                                                                                      \
    {                                                                                                                  \
        uint32x4_t t[LEA_MOST_SETS];                                                                                   \
        EACH_SET {                                                                                                     \
            t[s] = veorq_u32(x[s][a], ka);                                                                             \
            HERE(t[s]);                                                                                                \
        }                                                                                                              \
        EACH_SET {                                                                                                     \
            x[s][b] = veorq_u32(x[s][b], kb);                                                                          \
            HERE(x[s][b]);                                                                                             \
        }                                                                                                              \
        EACH_SET {                                                                                                     \
            t[s] = vaddq_u32(t[s], x[s][b]);                                                                           \
            HERE(t[s]);                                                                                                \
        }                                                                                                              \
        EACH_SET {                                                                                                     \
            x[s][b] = vshlq_n_u32(t[s], n);                                                                            \
            HERE(x[s][b]);                                                                                             \
        }                                                                                                              \
        EACH_SET {                                                                                                     \
            x[s][b] = vsriq_n_u32(x[s][b], t[s], 32 - (n));                                                            \
            HERE(x[s][b]);                                                                                             \
        }                                                                                                              \
    }

/* One round. Word i is in register i + at, modulo 4; the new word takes the place of the one that is no longer
 * needed. */
RUNNEL_INLINE void lea_encrypt_round(lea_set *x, int sets, const uint32_t *words, int each, int at)
{
    const lea_round_key key = lea_load_round_key(words, each);
    const int x0 = at & 3, x1 = (1 + at) & 3, x2 = (2 + at) & 3, x3 = (3 + at) & 3;
    NEW_WORD(x2, key.k[4], x3, key.k[5], 29)
    NEW_WORD(x1, key.k[2], x2, key.k[3], 27)
    NEW_WORD(x0, key.k[0], x1, key.k[1], 9)
}

/* The rounds from `first`, a multiple of four, to the last. */
RUNNEL_INLINE void lea_encrypt_sets(lea_set *x, int sets, const runnel_lea_schedule *schedule, int each, unsigned first)
{
    const uint32_t *words = schedule->words + first * (unsigned)each;
    const uint32_t *const end = schedule->words + schedule->rounds * (unsigned)each;
    do {
        lea_encrypt_round(x, sets, words, each, 0);
        lea_encrypt_round(x, sets, words + each, each, 1);
        lea_encrypt_round(x, sets, words + 2 * each, each, 2);
        lea_encrypt_round(x, sets, words + 3 * each, each, 3);
        words += 4 * each;
    } while (words != end);
}

RUNNEL_INLINE void lea_load_sets(lea_set *x, int sets, const uint8_t *in)
{
    EACH_SET {
        const uint32x4x4_t words = vld4q_u32((const void *)(in + LEA_SET_BYTES * s));
        x[s][0] = words.val[0], x[s][1] = words.val[1], x[s][2] = words.val[2], x[s][3] = words.val[3];
    }
}

/* out = in XOR x; in == NULL: x. */
RUNNEL_INLINE void lea_store_sets(uint8_t *out, const uint8_t *in, lea_set *x, int sets)
{
    EACH_SET {
        uint32x4x4_t words = {{x[s][0], x[s][1], x[s][2], x[s][3]}};
        if (in != NULL) {
            const uint32x4x4_t text = vld4q_u32((const void *)(in + LEA_SET_BYTES * s));
            _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++)
                words.val[i] = veorq_u32(words.val[i], text.val[i]);
        }
        vst4q_u32((void *)(out + LEA_SET_BYTES * s), words);
    }
}

/* key XOR (x rotated to the right by n), as one instruction: compilers rotate a word that is used twice separately. */
#define XOR_ROTATED(key, x, n)                                                                                         \
    __extension__({                                                                                                    \
        uint32_t sum_;                                                                                                 \
        __asm__("eor %w0, %w1, %w2, ror #" #n : "=r"(sum_) : "r"(key), "r"(x));                                        \
        sum_;                                                                                                          \
    })

/* The words as they are before their rotations, by 9 to the left and by 5 and 3 to the right; the last is the first of
 * the round before. */
RUNNEL_INLINE void lea_encrypt_word_round(uint32_t s[4], const uint32_t *w, int each)
{
    const uint32_t k0 = w[0], k1 = w[1], k2 = w[2], k3 = each == 4 ? k1 : w[3], k4 = each == 4 ? w[3] : w[4],
                   k5 = each == 4 ? k1 : w[5];
    const uint32_t s0 = s[0], s1 = s[1], s2 = s[2], s3 = s[3];
    s[0] = XOR_ROTATED(k0, s0, 23) + XOR_ROTATED(k1, s1, 5);
    s[1] = XOR_ROTATED(k2, s1, 5) + XOR_ROTATED(k3, s2, 3);
    s[2] = XOR_ROTATED(k4, s2, 3) + XOR_ROTATED(k5, s3, 23);
    s[3] = s0;
}

static inline uint32_t lea_rotr32(uint32_t x, unsigned n)
{
    return runnel_rotl32(x, 32 - n);
}

RUNNEL_INLINE void lea_encrypt_words(uint32_t x[4], const runnel_lea_schedule *schedule, int each)
{
    uint32_t s[4] = {lea_rotr32(x[0], 9), lea_rotr32(x[1], 27), lea_rotr32(x[2], 29), lea_rotr32(x[3], 9)};
    const uint32_t *words = schedule->words;
    const uint32_t *const end = words + schedule->rounds * (unsigned)each;
    do {
        lea_encrypt_word_round(s, words, each);
        lea_encrypt_word_round(s, words + each, each);
        lea_encrypt_word_round(s, words + 2 * each, each);
        lea_encrypt_word_round(s, words + 3 * each, each);
        words += 4 * each;
    } while (words != end);
    x[0] = lea_rotr32(s[0], 23);
    x[1] = lea_rotr32(s[1], 5);
    x[2] = lea_rotr32(s[2], 3);
    x[3] = lea_rotr32(s[3], 23);
}

/* One block, x, XORed with in unless it is NULL. */
static RUNNEL_NOINLINE void lea_encrypt_one(const runnel_lea_schedule *schedule, uint8_t *out, const uint8_t *in,
                                                  uint32_t x0, uint32_t x1, uint32_t x2, uint32_t x3)
{
    uint32_t x[4] = {x0, x1, x2, x3};
    if (schedule->rounds == 24)
        lea_encrypt_words(x, schedule, 4);
    else
        lea_encrypt_words(x, schedule, 6);
    for (unsigned i = 0; i < 4; i++)
        runnel_xor32le(out, in, i, x[i]);
}

#define BLOCKS_OF(sets)                                                                                                \
    while (left >= (sets) * LEA_SET_BLOCKS) {                                                                          \
        lea_set x[LEA_MOST_SETS];                                                                                      \
        lea_load_sets(x, sets, in);                                                                                    \
        lea_encrypt_sets(x, sets, schedule, each, 0);                                                                  \
        lea_store_sets(out, NULL, x, sets);                                                                            \
        in += (sets) * LEA_SET_BYTES;                                                                                  \
        out += (sets) * LEA_SET_BYTES;                                                                                 \
        left -= (sets) * LEA_SET_BLOCKS;                                                                               \
    }

/* All but a partial set. */
RUNNEL_INLINE void lea_encrypt_most(const runnel_lea_schedule *schedule, uint8_t *out, const uint8_t *in, size_t left,
                             int each)
{
    BLOCKS_OF(4)
    BLOCKS_OF(2)
    BLOCKS_OF(1)
}

static void lea_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_lea_schedule *schedule = state;
    if (nblocks >= LEA_SET_BLOCKS) {
        if (schedule->rounds == 24)
            lea_encrypt_most(schedule, out, in, nblocks, 4);
        else
            lea_encrypt_most(schedule, out, in, nblocks, 6);
        const size_t done = nblocks / LEA_SET_BLOCKS * LEA_SET_BYTES;
        in += done;
        out += done;
        nblocks %= LEA_SET_BLOCKS;
    }
    for (; nblocks > 0; nblocks--, in += 16, out += 16)
        lea_encrypt_one(schedule, out, NULL, runnel_load32le(in), runnel_load32le(in + 4), runnel_load32le(in + 8),
                        runnel_load32le(in + 12));
}

/* Operands of the moving words in the first four rounds, in the order of use. */
typedef struct lea_run_words {
    uint32_t w[20];
} lea_run_words;

/* For blocks that begin like this one. */
RUNNEL_INLINE lea_run_words lea_words_of_run(const uint8_t *block, const uint32_t *words, int each)
{
    uint32_t k[4][6];
    for (int r = 0; r < 4; r++, words += each) {
        static const uint8_t places[6] = {0, 1, 2, 1, 3, 1};
        for (int i = 0; i < 6; i++)
            k[r][i] = words[each == 4 ? places[i] : i];
    }
    const uint32_t x0 = runnel_load32le(block), x1 = runnel_load32le(block + 4), x2 = runnel_load32le(block + 8);
    const uint32_t a0 = runnel_rotl32((x0 ^ k[0][0]) + (x1 ^ k[0][1]), 9);
    const uint32_t a1 = lea_rotr32((x1 ^ k[0][2]) + (x2 ^ k[0][3]), 5);
    const uint32_t b0 = runnel_rotl32((a0 ^ k[1][0]) + (a1 ^ k[1][1]), 9);
    return (lea_run_words){{x2 ^ k[0][4], k[0][5], a1 ^ k[1][2], k[1][3],           /**/
                            k[1][4], x0 ^ k[1][5], b0 ^ k[2][0], k[2][1],           /**/
                            k[2][2], k[2][3], k[2][4], a0 ^ k[2][5],                /**/
                            k[3][0], k[3][1], k[3][2], k[3][3],                     /**/
                            k[3][4], b0 ^ k[3][5], 0, 0}};
}

/* From the counters, word 3 of the blocks, to the state after four rounds. */
RUNNEL_INLINE void lea_encrypt_counters(lea_set *x, int sets, uint32x4_t counters, const lea_run_words *run)
{
    const uint32x4x4_t early = vld4q_dup_u32(run->w), middle = vld4q_dup_u32(run->w + 4);
    EACH_SET {
        const uint32x4_t x3 = vreinterpretq_u32_u8(vrev32q_u8(vreinterpretq_u8_u32(counters)));
        if (s + 1 < sets)
            counters = vaddq_u32(counters, vdupq_n_u32(4));
        uint32x4_t a2 = vaddq_u32(early.val[0], veorq_u32(x3, early.val[1]));
        a2 = ROTL(a2, 29);
        const uint32x4_t b1 = vaddq_u32(early.val[2], veorq_u32(a2, early.val[3]));
        const uint32x4_t b2 = vaddq_u32(veorq_u32(a2, middle.val[0]), middle.val[1]);
        x[s][1] = ROTL(b1, 27);
        x[s][2] = ROTL(b2, 29);
    }
    const uint32x4x4_t late = vld4q_dup_u32(run->w + 8);
    EACH_SET {
        const uint32x4_t c0 = vaddq_u32(middle.val[2], veorq_u32(x[s][1], middle.val[3]));
        const uint32x4_t c1 = MIX(x[s][1], late.val[0], x[s][2], late.val[1]);
        const uint32x4_t c2 = vaddq_u32(veorq_u32(x[s][2], late.val[2]), late.val[3]);
        x[s][3] = ROTL(c0, 9);
        x[s][1] = ROTL(c1, 27);
        x[s][2] = ROTL(c2, 29);
    }
    const uint32x4x4_t last = vld4q_dup_u32(run->w + 12);
    const uint32x4x2_t more = vld2q_dup_u32(run->w + 16);
    EACH_SET {
        const uint32x4_t c2 = x[s][2];
        const uint32x4_t d2 = vaddq_u32(veorq_u32(c2, more.val[0]), more.val[1]);
        const uint32x4_t d1 = MIX(x[s][1], last.val[2], c2, last.val[3]);
        const uint32x4_t d0 = MIX(x[s][3], last.val[0], x[s][1], last.val[1]);
        x[s][2] = ROTL(d2, 29);
        x[s][1] = ROTL(d1, 27);
        x[s][0] = ROTL(d0, 9);
    }
}

/* The blocks themselves. little: it is the first word that counts. */
RUNNEL_INLINE void lea_make_counters(lea_set *x, int sets, uint32x4_t counters, const uint8_t *block, int little)
{
    const uint32x4_t first = vreinterpretq_u32_u8(vld1q_u8(block));
    EACH_SET {
        x[s][0] = little ? counters : vdupq_laneq_u32(first, 0);
        x[s][1] = vdupq_laneq_u32(first, 1);
        x[s][2] = vdupq_laneq_u32(first, 2);
        x[s][3] = little ? vdupq_laneq_u32(first, 3)
                         : vreinterpretq_u32_u8(vrev32q_u8(vreinterpretq_u8_u32(counters)));
        if (s + 1 < sets)
            counters = vaddq_u32(counters, vdupq_n_u32(4));
    }
}

#define COUNTERS_OF(sets)                                                                                              \
    while (left >= (sets) * LEA_SET_BLOCKS) {                                                                          \
        lea_set x[LEA_MOST_SETS];                                                                                      \
        if (run != NULL) {                                                                                             \
            lea_encrypt_counters(x, sets, counters, run);                                                              \
            lea_encrypt_sets(x, sets, schedule, each, 4);                                                              \
        } else {                                                                                                       \
            lea_make_counters(x, sets, counters, block, little);                                                       \
            lea_encrypt_sets(x, sets, schedule, each, 0);                                                              \
        }                                                                                                              \
        lea_store_sets(out, in, x, sets);                                                                              \
        counters = vaddq_u32(counters, vdupq_n_u32((sets) * LEA_SET_BLOCKS));                                          \
        in = in == NULL ? NULL : in + (sets) * LEA_SET_BYTES;                                                          \
        out += (sets) * LEA_SET_BYTES;                                                                                 \
        left -= (sets) * LEA_SET_BLOCKS;                                                                               \
    }

/* All but a partial set. run == NULL: all rounds in full. */
RUNNEL_INLINE void lea_count_sets(const runnel_lea_schedule *schedule, const lea_run_words *run, const uint8_t *block,
                                  uint8_t *out, const uint8_t *in, size_t left, int each, int little)
{
    static const uint32_t lanes[4] = {0, 1, 2, 3};
    const uint32_t counter = little ? runnel_load32le(block) : runnel_load32be(block + 12);
    uint32x4_t counters = vaddq_u32(vdupq_n_u32(counter), vld1q_u32(lanes));
    COUNTERS_OF(4)
    COUNTERS_OF(2)
    COUNTERS_OF(1)
}

RUNNEL_INLINE void lea_count_most(const runnel_lea_schedule *schedule, const uint8_t *block, uint8_t *out,
                                  const uint8_t *in, size_t left, int each)
{
    if (left < LEA_WORTH_BLOCKS) {
        lea_count_sets(schedule, NULL, block, out, in, left, each, 0);
    } else {
        lea_run_words run = lea_words_of_run(block, schedule->words, each);
        lea_count_sets(schedule, &run, block, out, in, left, each, 0);
        runnel_wipe(&run, sizeof run);
    }
}

static void lea_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                      size_t nblocks)
{
    (void)prefix;
    const runnel_lea_schedule *schedule = state;
    uint32_t counter = runnel_load32be(block + 12);
    if (nblocks >= LEA_SET_BLOCKS) {
        if (schedule->rounds == 24)
            lea_count_most(schedule, block, out, in, nblocks, 4);
        else
            lea_count_most(schedule, block, out, in, nblocks, 6);
        const size_t sets = nblocks / LEA_SET_BLOCKS;
        counter += (uint32_t)(sets * LEA_SET_BLOCKS);
        in = in == NULL ? NULL : in + sets * LEA_SET_BYTES;
        out += sets * LEA_SET_BYTES;
        nblocks %= LEA_SET_BLOCKS;
    }
    for (; nblocks > 0; nblocks--, counter++, out += 16) {
        lea_encrypt_one(schedule, out, in, runnel_load32le(block), runnel_load32le(block + 4),
                        runnel_load32le(block + 8), __builtin_bswap32(counter));
        in = in == NULL ? NULL : in + 16;
    }
}

static void lea_ctr32_little(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                             size_t nblocks)
{
    (void)prefix;
    const runnel_lea_schedule *schedule = state;
    const size_t most = nblocks & ~(size_t)(LEA_SET_BLOCKS - 1);
    uint32_t counter = runnel_load32le(block) + (uint32_t)most;
    if (schedule->rounds == 24)
        lea_count_sets(schedule, NULL, block, out, in, most, 4, 1);
    else
        lea_count_sets(schedule, NULL, block, out, in, most, 6, 1);
    in = in == NULL ? NULL : in + 16 * most;
    out += 16 * most;
    for (; nblocks > most; nblocks--, counter++, out += 16) {
        lea_encrypt_one(schedule, out, in, counter, runnel_load32le(block + 4), runnel_load32le(block + 8),
                        runnel_load32le(block + 12));
        in = in == NULL ? NULL : in + 16;
    }
}

#if RUNNEL_DECRYPT

#define UNMIX(sum, known, k, own) veorq_u32(vsubq_u32(sum, veorq_u32(known, k)), own)

RUNNEL_INLINE void lea_decrypt_sets(lea_set *x, int sets, const runnel_lea_schedule *schedule, int each)
{
    const uint32_t *words = schedule->words + schedule->rounds * (unsigned)each;
    do {
        words -= each;
        const lea_round_key key = lea_load_round_key(words, each);
        EACH_SET {
            const uint32x4_t x0 = x[s][3];
            const uint32x4_t x1 = UNMIX(ROTL(x[s][0], 23), x0, key.k[0], key.k[1]);
            const uint32x4_t x2 = UNMIX(ROTL(x[s][1], 5), x1, key.k[2], key.k[3]);
            x[s][3] = UNMIX(ROTL(x[s][2], 3), x2, key.k[4], key.k[5]);
            x[s][0] = x0;
            x[s][1] = x1;
            x[s][2] = x2;
        }
    } while (words != schedule->words);
}

static void lea_decrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_lea_schedule *schedule = state;
    while (nblocks > 0) {
        const size_t n = nblocks < 2 * LEA_SET_BLOCKS ? nblocks : 2 * LEA_SET_BLOCKS;
        uint8_t blocks[2 * LEA_SET_BYTES] = {0};
        const uint8_t *from = in;
        if (n < 2 * LEA_SET_BLOCKS)
            from = memcpy(blocks, in, 16 * n);
        lea_set x[2];
        lea_load_sets(x, 2, from);
        if (schedule->rounds == 24)
            lea_decrypt_sets(x, 2, schedule, 4);
        else
            lea_decrypt_sets(x, 2, schedule, 6);
        if (n < 2 * LEA_SET_BLOCKS) {
            lea_store_sets(blocks, NULL, x, 2);
            memcpy(out, blocks, 16 * n);
            runnel_wipe(blocks, sizeof blocks);
        } else {
            lea_store_sets(out, NULL, x, 2);
        }
        in += 16 * n;
        out += 16 * n;
        nblocks -= n;
    }
}
#endif

const runnel_kernel runnel_lea_aarch64_neon = {
    .name = RUNNEL_TEXT("aarch64-neon"),
    .citation = RUNNEL_TEXT("KS X 3246, 16 blocks in 16 registers; one to three blocks in integer registers"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_NEON,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_lea_set_key,
    .block = {.encrypt_blocks = lea_encrypt_blocks,
              .ctr32 = lea_ctr32,
              .ctr32_little = lea_ctr32_little,
              RUNNEL_DECRYPTION(runnel_lea_set_key, lea_decrypt_blocks)},
};

#endif
