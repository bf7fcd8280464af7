/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES on NEON, for 32-bit ARM: 8 blocks at a time in bit planes; the rounds are in neon_rounds.S, which explains how
 * bytes lie in a plane and why round keys and tables are stored under SR^-v (SR = ShiftRows, SR^4 = 1).
 *
 * Prefix caching in bit planes: in a run, the blocks that differ in their last byte b alone, the state after two
 * rounds is two_rounds[b] XOR what is the same for the whole run. The table depends on the key and bytes 0, 5 and 10
 * of the block. It is built from column 0 alone, the only one that b changes in the first round: 2 + 8 evaluations of
 * the S-box on planes filled with that column, where the rounds themselves would take 64. Entries are groups of 8
 * blocks, aligned in the run. */
#include <string.h>

#include "arch/common/bytes.h"
#include "ciphers/aes/column.h"
#include "ciphers/aes/kernels.h"

#if RUNNEL_AES_ARMV7_NEON
#pragma GCC target("fpu=neon")
#include <arm_neon.h>

#define RUN 256
#define GROUP 8
#define GROUPS (RUN / GROUP)
#define BUILD_FROM_BLOCKS 72 /* in messages with the same bytes 0, 5 and 10; from there on the table pays */
#define EACH_PLANE _Pragma("GCC unroll 8") for (int i = 0; i < 8; i++)

typedef uint8_t aes_planes[8][16];

/* The context's prefix tables. Key set-up zeroes the first 8 bytes; what has no flag is undefined until then. */
typedef struct aes_prefix {
    uint8_t column_set;     /* column and blocks are defined */
    uint8_t two_rounds_set; /* two_rounds is defined, for blocks with this column */
    uint8_t run_set;        /* run and difference are defined */
    uint8_t column[3];      /* bytes 0, 5 and 10 */
    uint8_t used;           /* if two_rounds_set or column_set: two_rounds was written under this key */
    uint8_t blocks;         /* encrypted with this column, as long as it matters */
    uint8_t run[16];        /* 15 bytes */
    uint8_t unused[8];
    aes_planes difference; /* of the states after two rounds in that run from two_rounds */
    aes_planes two_rounds[GROUPS];
} __attribute__((may_alias, aligned(8))) aes_prefix;

_Static_assert(sizeof(aes_prefix) <= RUNNEL_AES_SECOND(RUNNEL_AES_SIZES_armv7_neon), "prefix tables");

void runnel_aes_armv7_neon_groups(const void *keys, const void *below, const void *first, const void *from,
                                  uint8_t *out, const uint8_t *in, size_t ngroups);
void runnel_aes_armv7_neon_rounds(const void *keys, const void *below, void *aes_planes, size_t n);
void runnel_aes_armv7_neon_sub_planes(void *aes_planes, size_t n);

/* Position p of a plane is that of row p % 4 and this column. */
#define ROW(p) ((p) % 4)
#define COLUMN(p) ((p) / 4 % 2 * 2 + (p) / 8)
#define POSITION(row, column) ((row) + (column) % 4 / 2 * 4 + (column) % 2 * 8)
#define HALF_BY(f, v, p)                                                                                               \
    f(v, p), f(v, (p) + 1), f(v, (p) + 2), f(v, (p) + 3), f(v, (p) + 4), f(v, (p) + 5), f(v, (p) + 6), f(v, (p) + 7)
#define ALL_BY(f, v) {HALF_BY(f, v, 0), HALF_BY(f, v, 8)}

/* Where MixColumns fetches the byte one row below; the last entry but none is that of v = 3, and the end is aligned as
 * the rounds in assembly expect. */
#define BELOW(v, p) POSITION((ROW(p) + 1) % 4, COLUMN(p) + (v))
static const uint8_t aes_one_below[16][16] __attribute__((aligned(256))) = {
    {0},           {0},           {0},           ALL_BY(BELOW, 3), ALL_BY(BELOW, 0), ALL_BY(BELOW, 1), ALL_BY(BELOW, 2),
    ALL_BY(BELOW, 3), ALL_BY(BELOW, 0), ALL_BY(BELOW, 1), ALL_BY(BELOW, 2), ALL_BY(BELOW, 3), ALL_BY(BELOW, 0),
    ALL_BY(BELOW, 1), ALL_BY(BELOW, 2), ALL_BY(BELOW, 3)};

/* [v][p]: the byte of a block that lies at p under SR^-v. */
#define BYTE_AT(v, p) (4 * ((COLUMN(p) + 4 * ROW(p) - (v) * ROW(p)) % 4) + ROW(p))
static const uint8_t aes_byte_at[4][16] = {ALL_BY(BYTE_AT, 0), ALL_BY(BYTE_AT, 1), ALL_BY(BYTE_AT, 2),
                                           ALL_BY(BYTE_AT, 3)};

/* [v]: where column 0 lies under SR^-v. */
#define COLUMN_0(v, row) POSITION((row) % 4, (v) * ((row) % 4))
static const uint8_t aes_column_0_at[4][8] = {{HALF_BY(COLUMN_0, 0, 0)}, {HALF_BY(COLUMN_0, 1, 0)},
                                              {HALF_BY(COLUMN_0, 2, 0)}, {HALF_BY(COLUMN_0, 3, 0)}};

/* The results of column 0 in a round whose state is stored under SR^-v: byte r goes to column -r, where MixColumns
 * makes of it the multiples 1, 2 and 3, which are 8 bytes each, in two groups of 4. Row i has 2 for r = i, 3 for r = i
 * + 1. */
#define FROM_ROW(v, p) ((4 + (v) * ROW(p) - COLUMN(p)) % 4)
#define MULTIPLE(v, p) ((FROM_ROW(v, p) + 4 - ROW(p)) % 4 == 0 ? 8 : (FROM_ROW(v, p) + 4 - ROW(p)) % 4 == 1 ? 16 : 0)
#define SPREAD(v, p) (FROM_ROW(v, p) + MULTIPLE(v, p))
static const uint8_t aes_spread_at[2][16] = {ALL_BY(SPREAD, 0), ALL_BY(SPREAD, 2)}; /* [v / 2] */

/* v of round r. Rounds are 10, 12 or 14. */
static inline unsigned aes_shift_of(unsigned rounds, unsigned r)
{
    return (r - rounds) % 4;
}

/* The table from round r on. */
static inline const uint8_t *aes_below_from(unsigned rounds, unsigned r)
{
    return aes_one_below[16 - (rounds - r)];
}

static inline const uint8_t *aes_round_key(const runnel_aes_schedule *s, unsigned r)
{
    return s->keys.bytes[8 * r];
}

static inline uint8x16_t aes_permute(uint8x16_t x, const uint8_t *positions)
{
    const uint8x8x2_t table = {{vget_low_u8(x), vget_high_u8(x)}};
    return vcombine_u8(vtbl2_u8(table, vld1_u8(positions)), vtbl2_u8(table, vld1_u8(positions + 8)));
}

/* The planes of 8 equal blocks. */
static inline void aes_repeat_block(aes_planes q, uint8x16_t block)
{
    EACH_PLANE
        vst1q_u8(q[i], vtstq_u8(block, vdupq_n_u8((uint8_t)(1 << i))));
}

#define NOTS 0x63 /* bit i: sub_planes gives the complement of bit i */

/* The S-box on the four bytes of a word. */
static uint32_t aes_sub_word(uint32_t w)
{
    aes_planes q;
    uint8x8_t sum = vdup_n_u8(NOTS);
    aes_repeat_block(q, vreinterpretq_u8_u32(vdupq_n_u32(w)));
    runnel_aes_armv7_neon_sub_planes(q, 1);
    EACH_PLANE
        sum = veor_u8(sum, vand_u8(vld1_u8(q[i]), vdup_n_u8((uint8_t)(1 << i))));
    runnel_wipe(q, sizeof q);
    return vget_lane_u32(vreinterpret_u32_u8(sum), 0);
}

static void aes_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aes_schedule *s = state;
    const unsigned key_words = (unsigned)key_bytes / 4, rounds = key_words + 6, words = 4 * (rounds + 1);
    uint32_t w[60], constant = 1;
    s->rounds = (uint8_t)rounds;
    for (unsigned i = 0; i < key_words; i++)
        w[i] = runnel_load32le(key + 4 * i);
    for (unsigned i = key_words, at = 0; i < words; i++, at = at + 1 == key_words ? 0 : at + 1) {
        uint32_t t = w[i - 1];
        if (at == 0) {
            t = aes_sub_word(t >> 8 | t << 24) ^ constant;
            constant = constant << 1 ^ (constant >> 7) * 0x11b;
        } else if (key_words == 8 && at == 4) {
            t = aes_sub_word(t);
        }
        w[i] = w[i - key_words] ^ t;
    }
    for (unsigned r = 0; r <= rounds; r++) {
        uint8_t(*q)[16] = s->keys.bytes + 8 * r;
        const uint8x16_t k = vreinterpretq_u8_u32(vld1q_u32(w + 4 * r));
        aes_repeat_block(q, aes_permute(k, aes_byte_at[aes_shift_of(rounds, r)]));
        for (int i = 0; r > 0 && i < 8; i++)
            if (NOTS >> i & 1)
                vst1q_u8(q[i], vmvnq_u8(vld1q_u8(q[i])));
    }
    runnel_wipe(w, sizeof w);
}

/* Groups from planes that have had r rounds. */
static inline void aes_finish(const runnel_aes_schedule *s, unsigned r, const void *first, const void *from,
                              uint8_t *out, const uint8_t *in, size_t ngroups)
{
    runnel_aes_armv7_neon_groups(aes_round_key(s, r + 1), aes_below_from(s->rounds, r + 1), first, from, out, in,
                                 ngroups);
}

/* Exchanges the bits of a that mask lacks with those of b that it has, n places further right. */
#define SWAP_BITS(a, b, n, mask)                                                                                       \
    {                                                                                                                  \
        const uint8x16_t down = vshlq_n_u8(b, n), up = vshrq_n_u8(a, n);                                               \
        a = vbslq_u8(vdupq_n_u8(mask), a, down);                                                                       \
        b = vbslq_u8(vdupq_n_u8(mask), up, b);                                                                         \
    }

/* The planes of 8 blocks. */
static void aes_pack(aes_planes q, const uint8_t *in, const uint8_t *positions)
{
    uint8x16_t x[8];
    EACH_PLANE
        x[i] = aes_permute(vld1q_u8(in + 16 * i), positions);
    _Pragma("GCC unroll 4") for (int i = 0; i < 8; i += 2)
        SWAP_BITS(x[i], x[i + 1], 1, 0x55)
    _Pragma("GCC unroll 2") for (int i = 0; i < 8; i += 4) {
        SWAP_BITS(x[i], x[i + 2], 2, 0x33)
        SWAP_BITS(x[i + 1], x[i + 3], 2, 0x33)
    }
    _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++)
        SWAP_BITS(x[i], x[i + 4], 4, 0x0f)
    EACH_PLANE
        vst1q_u8(q[i], x[i]);
}

static void aes_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_aes_schedule *s = state;
    const uint8_t *positions = aes_byte_at[aes_shift_of(s->rounds, 0)];
    uint8_t blocks[16 * GROUP];
    aes_planes q;
    for (; nblocks >= GROUP; nblocks -= GROUP, in += 16 * GROUP, out += 16 * GROUP) {
        aes_pack(q, in, positions);
        aes_finish(s, 0, aes_round_key(s, 0), q, out, NULL, 1);
    }
    if (nblocks > 0) {
        memset(blocks, 0, sizeof blocks);
        memcpy(blocks, in, 16 * nblocks);
        aes_pack(q, blocks, positions);
        aes_finish(s, 0, aes_round_key(s, 0), q, blocks, NULL, 1);
        memcpy(out, blocks, 16 * nblocks);
        runnel_wipe(blocks, sizeof blocks);
    }
    runnel_wipe(q, sizeof q);
}

/* The planes of the group of counter blocks that this block belongs to. */
static void aes_counter_planes(const runnel_aes_schedule *s, aes_planes q, const uint8_t *block, unsigned b)
{
    static const uint8_t lanes[3] = {0xaa, 0xcc, 0xf0};
    const unsigned v = aes_shift_of(s->rounds, 0), last = v == 2 ? POSITION(3, 3 + 2 * 3) : POSITION(3, 3);
    aes_repeat_block(q, aes_permute(vsetq_lane_u8((uint8_t)b, vld1q_u8(block), 15), aes_byte_at[v]));
    for (int i = 0; i < 3; i++)
        q[i][last] = lanes[i];
}

/* The multiples 2 x and 3 x of plane i of x. */
static inline uint8x16_t aes_doubled(const uint8x16_t x[8], int i)
{
    const uint8x16_t below = i > 0 ? x[i - 1] : x[7];
    return i == 1 || i == 3 || i == 4 ? veorq_u8(below, x[7]) : below;
}

/* Column 0 after round 1 for all b except for what b does not move: column[g / 4][plane][4 * (g % 4) + row] of group g. */
static void aes_column_after_one_round(const runnel_aes_schedule *s, aes_planes column[8])
{
    static const uint8_t numbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    static const uint8_t lanes[3] = {0xaa, 0xcc, 0xf0};
    const unsigned last = aes_shift_of(s->rounds, 0) == 2 ? POSITION(3, 3 + 2 * 3) : POSITION(3, 3);
    for (unsigned half = 0; half < 2; half++) {
        uint8_t(*to)[8][16] = column + 4 * half;
        const uint8x16_t group = vaddq_u8(vld1q_u8(numbers), vdupq_n_u8((uint8_t)(16 * half)));
        uint8x16_t x[8];
        EACH_PLANE {
            const uint8x16_t b = i < 3 ? vdupq_n_u8(lanes[i]) : vtstq_u8(group, vdupq_n_u8((uint8_t)(1 << i >> 3)));
            vst1q_u8(to[0][i], veorq_u8(b, vld1q_dup_u8(&aes_round_key(s, 0)[16 * i + last])));
        }
        runnel_aes_armv7_neon_sub_planes(to, 1);
        EACH_PLANE
            x[i] = vld1q_u8(to[0][i]);
        EACH_PLANE { /* rows 0, 1, 2, 3: x, x, 3 x, 2 x */
            const uint8x16_t x2 = aes_doubled(x, i);
            const uint8x16x2_t upper = vzipq_u8(x[i], x[i]), lower = vzipq_u8(veorq_u8(x[i], x2), x2);
            for (int j = 0; j < 2; j++) {
                const uint16x8x2_t rows =
                    vzipq_u16(vreinterpretq_u16_u8(upper.val[j]), vreinterpretq_u16_u8(lower.val[j]));
                vst1q_u8(to[2 * j][i], vreinterpretq_u8_u16(rows.val[0]));
                vst1q_u8(to[2 * j + 1][i], vreinterpretq_u8_u16(rows.val[1]));
            }
        }
    }
}

/* Two groups of 4 bytes of column 0, one after the other, through the linear part of round 2. */
static inline void aes_spread_pair(uint8_t (*to)[8][16], int i, uint8x8_t x, uint8x8_t x2, uint8x8x2_t positions)
{
    const uint8x8x3_t multiples = {{x, x2, veor_u8(x, x2)}};
    const uint8x8_t four = vdup_n_u8(4);
    vst1q_u8(to[0][i], vcombine_u8(vtbl3_u8(multiples, positions.val[0]), vtbl3_u8(multiples, positions.val[1])));
    vst1q_u8(to[1][i], vcombine_u8(vtbl3_u8(multiples, vadd_u8(positions.val[0], four)),
                                   vtbl3_u8(multiples, vadd_u8(positions.val[1], four))));
}

static RUNNEL_NOINLINE void aes_build_two_rounds(const runnel_aes_schedule *s, aes_prefix *p, const uint8_t *block)
{
    const unsigned rounds = s->rounds;
    const uint8x8_t at = vld1_u8(aes_column_0_at[aes_shift_of(rounds, 1)]);
    const uint8_t *positions = aes_spread_at[aes_shift_of(rounds, 2) / 2];
    const uint8x8x2_t to = {{vld1_u8(positions), vld1_u8(positions + 8)}};
    aes_planes *column =
        p->two_rounds + GROUPS - 8; /* each part of it is read before the table's entries overwrite it */

    aes_column_after_one_round(s, column);
    aes_counter_planes(s, p->difference, block, 0);
    EACH_PLANE
        vst1q_u8(p->difference[i], veorq_u8(vld1q_u8(p->difference[i]), vld1q_u8(aes_round_key(s, 0) + 16 * i)));
    runnel_aes_armv7_neon_rounds(aes_round_key(s, 1), aes_below_from(rounds, 1), p->difference, 1);
    for (int i = 0; i < 8; i++) {
        const uint8x16_t state = vld1q_u8(p->difference[i]);
        const uint8x8x2_t table = {{vget_low_u8(state), vget_high_u8(state)}};
        const uint8x8_t both = veor_u8(vtbl2_u8(table, at), vld1_u8(column[0][i]));
        const uint8x16_t same = vreinterpretq_u8_u32(vdupq_lane_u32(vreinterpret_u32_u8(both), 0));
        for (int j = 0; j < 8; j++)
            vst1q_u8(column[j][i], veorq_u8(vld1q_u8(column[j][i]), same));
    }
    runnel_aes_armv7_neon_sub_planes(column, 8);
    for (int j = 0; j < 8; j++) {
        uint8x16_t x[8];
        EACH_PLANE
            x[i] = vld1q_u8(column[j][i]);
        EACH_PLANE {
            const uint8x16_t x2 = aes_doubled(x, i);
            aes_spread_pair(p->two_rounds + 4 * j, i, vget_low_u8(x[i]), vget_low_u8(x2), to);
            aes_spread_pair(p->two_rounds + 4 * j + 2, i, vget_high_u8(x[i]), vget_high_u8(x2), to);
        }
    }
    p->two_rounds_set = 1;
    p->used = 1;
    p->run_set = 0;
}

/* Makes p->difference that of the block's run. */
static RUNNEL_NOINLINE void aes_enter_run(const runnel_aes_schedule *s, aes_prefix *p, const uint8_t *block)
{
    memcpy(p->run, block, 15);
    p->run_set = 1;
    aes_counter_planes(s, p->difference, block, 0);
    EACH_PLANE
        vst1q_u8(p->difference[i], veorq_u8(vld1q_u8(p->difference[i]), vld1q_u8(aes_round_key(s, 0) + 16 * i)));
    runnel_aes_armv7_neon_rounds(aes_round_key(s, 1), aes_below_from(s->rounds, 1), p->difference, 2);
    EACH_PLANE
        vst1q_u8(p->difference[i], veorq_u8(vld1q_u8(p->difference[i]), vld1q_u8(p->two_rounds[0][i])));
}

/* Tells whether to encrypt this message from two_rounds, which is built here once it pays. */
static int aes_open_prefix(const runnel_aes_schedule *s, aes_prefix *p, const uint8_t *block, size_t nblocks)
{
    if (!p->column_set || !aes_same_column(p->column, block)) {
        if (!p->column_set)
            p->used = 0;
        p->column_set = 1;
        p->two_rounds_set = 0;
        p->run_set = 0;
        aes_keep_column(p->column, block);
        p->blocks = 0;
    }
    if (p->two_rounds_set)
        return nblocks > GROUP || (p->run_set && memcmp(p->run, block, 15) == 0);
    if (p->blocks + nblocks < BUILD_FROM_BLOCKS) {
        p->blocks = (uint8_t)(p->blocks + nblocks);
        return 0;
    }
    aes_build_two_rounds(s, p, block);
    return 1;
}

/* Whole groups of a run, from number b / GROUP on. */
static void aes_run_groups(const runnel_aes_schedule *s, const aes_prefix *p, const uint8_t *block, unsigned b,
                           uint8_t *out, const uint8_t *in, size_t ngroups)
{
    if (p != NULL) {
        aes_finish(s, 2, p->difference, p->two_rounds[b / GROUP], out, in, ngroups);
        return;
    }
    aes_planes q[4];
    while (ngroups > 0) {
        const size_t n = ngroups < 4 ? ngroups : 4;
        for (size_t i = 0; i < n; i++, b += GROUP)
            aes_counter_planes(s, q[i], block, b);
        aes_finish(s, 0, aes_round_key(s, 0), q, out, in, n);
        out += 16 * GROUP * n;
        in = in == NULL ? NULL : in + 16 * GROUP * n;
        ngroups -= n;
    }
}

/* n blocks in the middle of a group, from b on. */
static RUNNEL_NOINLINE void aes_part_of_group(const runnel_aes_schedule *s, const aes_prefix *p, const uint8_t *block,
                                                    unsigned b, uint8_t *out, const uint8_t *in, size_t n)
{
    uint8_t keystream[16 * GROUP];
    aes_run_groups(s, p, block, b - b % GROUP, keystream, NULL, 1);
    runnel_xor_bytes(out, in, keystream + 16 * (b % GROUP), 16 * n);
    runnel_wipe(keystream, sizeof keystream);
}

static void aes_ctr32(const void *state, void *prefix, const uint8_t *first, uint8_t *out, const uint8_t *in,
                      size_t nblocks)
{
    const runnel_aes_schedule *s = state;
    aes_prefix *p = prefix;
    uint8_t block[16];
    memcpy(block, first, 16);
    unsigned b = block[15];
    if (p != NULL && !aes_open_prefix(s, p, block, nblocks))
        p = NULL;
    /* Not with run_bits: the length of the whole message decides whether tables pay. */
    for (;;) {
        if (p != NULL && !(p->run_set && memcmp(p->run, block, 15) == 0))
            aes_enter_run(s, p, block);
        while (b < RUN) {
            const unsigned in_group = GROUP - b % GROUP;
            size_t n = (RUN - b) & ~(GROUP - 1u);
            if (n > nblocks)
                n = nblocks & ~(size_t)(GROUP - 1);
            if (in_group < GROUP || n == 0) {
                n = in_group < nblocks ? in_group : nblocks;
                aes_part_of_group(s, p, block, b, out, in, n);
            } else {
                aes_run_groups(s, p, block, b, out, in, n / GROUP);
            }
            nblocks -= n;
            if (nblocks == 0)
                return;
            b += (unsigned)n;
            out += 16 * n;
            in = in == NULL ? NULL : in + 16 * n;
        }
        b = 0;
        runnel_store32be(block + 12, (runnel_load32be(block + 12) | 255) + 1);
    }
}

static uint32_t aes_prefix_used(const void *prefix)
{
    const aes_prefix *p = prefix;
    return p->column_set && p->used ? sizeof *p : offsetof(aes_prefix, difference);
}

const runnel_kernel runnel_aes_armv7_neon = {
    .name = RUNNEL_TEXT("armv7-neon"),
    .citation = RUNNEL_TEXT("bit planes, fixslicing (TCHES 2021/1); prefix caching after FACE (TCHES 2018/3)"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_NEON,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = aes_set_key,
    .block = {.encrypt_blocks = aes_encrypt_blocks, .ctr32 = aes_ctr32, .prefix_used = aes_prefix_used},
};

#endif
