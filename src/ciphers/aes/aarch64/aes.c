/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES by the AES instructions of Armv8-A; the loops over blocks are in aes_blocks.S.
 *
 * Prefix caching as in x86/prefix_table.h: in a run, the blocks that differ in their last byte b alone, the state after
 * r rounds (before their key) is table[r][b] XOR what is the same for the whole run. So it is table[r][b] XOR base[r]
 * XOR table[r][0], base[r] being that of the run's block with b = 0, and all but table[r][b] goes into the key of the
 * round that follows.
 *   table[1] depends on the key alone, except for that constant: built once enough blocks have gone without table[2];
 *   table[2] depends on the key and bytes 0, 5 and 10 of the block, except for that constant: stored on the way.
 * Tables are indexed by the counter, which is public, in groups of 8 blocks, aligned in the run. */
#include <string.h>

#include "arch/common/bytes.h"
#include "ciphers/aes/column.h"
#include "ciphers/aes/kernels.h"

#if RUNNEL_AARCH64
#include <arm_neon.h>

#if defined(__clang__)
#define TARGET __attribute__((target("aes")))
#else
#define TARGET __attribute__((target("+crypto")))
#endif

#define RUN 256
#define GROUP 8
#define GROUPS (RUN / GROUP)
#define ONE_ROUND_FROM_BLOCKS 1024

/* The context's prefix tables. Key set-up zeroes the first 8 bytes; the rest is undefined until these flags say
 * otherwise. */
typedef struct aes_prefix {
    uint32_t filled;         /* bit g: group g of two_rounds is defined */
    uint16_t blocks;         /* encrypted under this key in messages without two_rounds, until one_round_set */
    uint8_t column_set;      /* column is defined */
    uint8_t one_round_set;   /* one_round is defined */
    uint8_t column[4];       /* bytes 0, 5 and 10 of the counter blocks that two_rounds belongs to */
    uint8_t two_rounds_used; /* if column_set: some of two_rounds was written under this key */
    uint8_t unused[3];
    uint8_t base_1[16], base_2[16]; /* of the current run */
    uint8_t constant[16];           /* two_rounds[0], whether it is defined or not: base_2 of … */
    uint8_t run[16];                /* … the run of the blocks that begin with these 15 bytes */
    uint8_t aligned[48];
    uint8_t two_rounds[RUN][16];
    uint8_t one_round[RUN][16];
} __attribute__((may_alias)) aes_prefix;

_Static_assert(sizeof(aes_prefix) <= RUNNEL_AES_SECOND(RUNNEL_AES_SIZES_aarch64_aes), "prefix tables");

void runnel_aes_aarch64_few(const uint8_t *keys, size_t rounds, const uint8_t *from, uint8_t *out, const uint8_t *in,
                            size_t nblocks);
void runnel_aes_aarch64_few_counters(const uint8_t *keys, size_t rounds, const uint8_t *block, uint8_t *out,
                                     const uint8_t *in, size_t nblocks);
void runnel_aes_aarch64_counter_groups(const uint8_t *keys, size_t rounds, const uint8_t *block, uint8_t *out,
                                       const uint8_t *in, size_t ngroups, uint8_t *store);
void runnel_aes_aarch64_little_groups(const uint8_t *keys, size_t rounds, const uint8_t *block, uint8_t *out,
                                      const uint8_t *in, size_t ngroups);
void runnel_aes_aarch64_table_groups(const uint8_t *keys, size_t rounds, const uint8_t *from, uint8_t *out,
                                     const uint8_t *in, size_t ngroups, uint8_t *store, uint8x16_t first);

/* Four equal columns make ShiftRows of AESE do nothing. */
TARGET static inline uint8x16_t aes_sub_words(uint8x16_t x)
{
    return vaeseq_u8(x, vdupq_n_u8(0));
}

#include "key.h"

static void aes_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aes_schedule *s = state;
    s->rounds = (uint8_t)(key_bytes / 4 + 6);
    aes_expand_round_keys(s->keys.bytes, key, key_bytes);
}

static void aes_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_aes_schedule *s = state;
    const size_t ngroups = nblocks / GROUP, done = ngroups * GROUP * 16;
    if (ngroups > 0)
        runnel_aes_aarch64_table_groups(s->keys.bytes[0], s->rounds, in, out, NULL, ngroups, NULL,
                                        vld1q_u8(s->keys.bytes[0]));
    if (nblocks % GROUP)
        runnel_aes_aarch64_few(s->keys.bytes[0], s->rounds, in + done, out + done, NULL, nblocks % GROUP);
}

#if RUNNEL_DECRYPT

/* Round keys for AESD in the order of use; InvMixColumns is applied to all but the first and the last. */
TARGET static void aes_set_decrypt_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aes_schedule *s = state;
    aes_set_key(state, key, key_bytes);
    for (unsigned i = 0, j = s->rounds; i <= j; i++, j--) {
        uint8x16_t a = vld1q_u8(s->keys.bytes[i]), b = vld1q_u8(s->keys.bytes[j]);
        if (i > 0) {
            a = vaesimcq_u8(a);
            b = vaesimcq_u8(b);
        }
        vst1q_u8(s->keys.bytes[i], b);
        vst1q_u8(s->keys.bytes[j], a);
    }
}

#define EACH_BLOCK _Pragma("GCC unroll 8") for (size_t i = 0; i < GROUP; i++)

TARGET static void aes_decrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_aes_schedule *s = state;
    while (nblocks > 0) {
        const size_t n = nblocks < GROUP ? nblocks : GROUP;
        uint8x16_t x[GROUP];
        EACH_BLOCK
        x[i] = vld1q_u8(in + 16 * (i < n ? i : 0));
        for (unsigned r = 0; r < s->rounds - 1u; r++) {
            const uint8x16_t k = vld1q_u8(s->keys.bytes[r]);
            EACH_BLOCK
            x[i] = vaesimcq_u8(vaesdq_u8(x[i], k));
        }
        const uint8x16_t before_last = vld1q_u8(s->keys.bytes[s->rounds - 1]);
        const uint8x16_t last = vld1q_u8(s->keys.bytes[s->rounds]);
        EACH_BLOCK
        x[i] = veorq_u8(vaesdq_u8(x[i], before_last), last);
        EACH_BLOCK
        if (i < n)
            vst1q_u8(out + 16 * i, x[i]);
        in += 16 * n;
        out += 16 * n;
        nblocks -= n;
    }
}

#endif

TARGET static inline uint8x16_t aes_one_round(uint8x16_t x, const uint8_t *key)
{
    return vaesmcq_u8(vaeseq_u8(x, vld1q_u8(key)));
}

TARGET static RUNNEL_NOINLINE void aes_build_one_round(const runnel_aes_schedule *s, aes_prefix *p)
{
    uint8x16_t block = vdupq_n_u8(0);
    const uint8x16_t step = vsetq_lane_u8(1, block, 15);
    for (int b = 0; b < RUN; b++) {
        vst1q_u8(p->one_round[b], aes_one_round(block, s->keys.bytes[0]));
        block = vaddq_u8(block, step);
    }
    p->one_round_set = 1;
}

/* Makes two_rounds that of this nonce. Returns whether groups may be stored: if the message is as long as a run, or
 * the table fits already, as in a stream that continues; a short message would pay for entries that nobody uses. */
static inline int aes_open_prefix(const runnel_aes_schedule *s, aes_prefix *p, const uint8_t *block, size_t nblocks)
{
    if (p->column_set && aes_same_column(p->column, block))
        return 1;
    aes_keep_column(p->column, block);
    if (!p->column_set)
        p->two_rounds_used = 0;
    p->column_set = 1;
    p->filled = 0;
    const int may_store = nblocks >= RUN;
    if (!p->one_round_set) {
        p->blocks = (uint16_t)(p->blocks + (may_store ? RUN : nblocks));
        if (p->blocks >= ONE_ROUND_FROM_BLOCKS)
            aes_build_one_round(s, p);
    }
    return may_store;
}

/* The state of the run's first block after one and two rounds. */
TARGET static void aes_set_bases(const runnel_aes_schedule *s, aes_prefix *p, const uint8_t *block)
{
    const uint8x16_t after_1 = aes_one_round(vsetq_lane_u8(0, vld1q_u8(block), 15), s->keys.bytes[0]);
    vst1q_u8(p->base_1, after_1);
    vst1q_u8(p->base_2, aes_one_round(after_1, s->keys.bytes[1]));
}

static inline uint8x16_t aes_xor3(const uint8_t *a, const uint8_t *b, const uint8_t *c)
{
    return veorq_u8(veorq_u8(vld1q_u8(a), vld1q_u8(b)), vld1q_u8(c));
}

/* Returns the new groups from entry on the constant of the older ones, or if they are the first, all that of this run. */
static void aes_adopt(aes_prefix *p, const uint8_t *block, uint8_t (*entry)[16], size_t groups, unsigned number)
{
    if (p->filled == 0) {
        memcpy(p->run, block, 15);
        memcpy(p->constant, p->base_2, 16);
    } else if (memcmp(p->run, block, 15) != 0) {
        for (size_t i = 0; i < groups * GROUP; i++)
            vst1q_u8(entry[i], aes_xor3(entry[i], p->base_2, p->constant));
    }
    p->filled |= (uint32_t)(((uint64_t)1 << groups) - 1) << number;
    p->two_rounds_used = 1;
}

/* Whole groups in one run, from that of block on. */
static void aes_run_groups(const runnel_aes_schedule *s, aes_prefix *p, int may_store, const uint8_t *block,
                           uint8_t *out, const uint8_t *in, size_t groups)
{
    const uint8_t(*keys)[16] = s->keys.bytes;
    const size_t rounds = s->rounds;
    const unsigned b = block[15], number = b / GROUP;
    if (p == NULL || (!may_store && !p->one_round_set)) {
        runnel_aes_aarch64_counter_groups(keys[0], rounds, block, out, in, groups, NULL);
    } else if (p->filled >> number & 1) {
        runnel_aes_aarch64_table_groups(keys[2], rounds - 2, p->two_rounds[b], out, in, groups, NULL,
                                        aes_xor3(keys[2], p->base_2, p->constant));
    } else {
        uint8_t *store = may_store ? p->two_rounds[b] : NULL;
        if (p->one_round_set)
            runnel_aes_aarch64_table_groups(keys[1], rounds - 1, p->one_round[b], out, in, groups, store,
                                            aes_xor3(keys[1], p->base_1, p->one_round[0]));
        else
            runnel_aes_aarch64_counter_groups(keys[0], rounds, block, out, in, groups, store);
        if (may_store)
            aes_adopt(p, block, p->two_rounds + b, groups, number);
    }
}

/* Returns how many groups from `number` on, at most `most`, are like the first one: all defined, or all not. */
static inline size_t aes_alike(uint32_t filled, unsigned number, size_t most)
{
    uint32_t bits = filled >> number;
    if (bits & 1)
        bits = ~bits;
    const size_t n = bits == 0 ? GROUPS : (size_t)__builtin_ctz(bits);
    return n < most ? n : most;
}

static RUNNEL_NOINLINE void aes_long_ctr32(const runnel_aes_schedule *s, aes_prefix *p, const uint8_t *first,
                                           uint8_t *out, const uint8_t *in, size_t left)
{
    uint8_t block[16];
    memcpy(block, first, 16);
    unsigned b = block[15];
    const int may_store = p != NULL && aes_open_prefix(s, p, block, left);
    /* Not with run_bits: the length of the whole message decides whether tables pay. */
    for (;;) {
        if (p != NULL && (may_store || p->one_round_set))
            aes_set_bases(s, p, block);
        while (b < RUN) {
            size_t n = GROUP - b % GROUP;
            if (n < GROUP || left < GROUP) {
                n = n < left ? n : left;
                runnel_aes_aarch64_few_counters(s->keys.bytes[0], s->rounds, block, out, in, n);
            } else {
                const size_t more = left / GROUP, here = (RUN - b) / GROUP;
                n = more < here ? more : here;
                if (p != NULL && p->filled != 0)
                    n = aes_alike(p->filled, b / GROUP, n);
                aes_run_groups(s, p, may_store, block, out, in, n);
                n *= GROUP;
            }
            left -= n;
            if (left == 0)
                return;
            b += (unsigned)n;
            block[15] = (uint8_t)b;
            out += 16 * n;
            in = in == NULL ? NULL : in + 16 * n;
        }
        b = 0;
        runnel_store32be(block + 12, runnel_load32be(block + 12) + RUN);
    }
}

static void aes_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                      size_t nblocks)
{
    const runnel_aes_schedule *s = state;
    if (nblocks <= GROUP && nblocks + block[15] <= RUN)
        runnel_aes_aarch64_few_counters(s->keys.bytes[0], s->rounds, block, out, in, nblocks);
    else
        aes_long_ctr32(s, prefix, block, out, in, nblocks);
}

/* Without the prefix: another byte moves here, and most such messages are short. */
static void aes_ctr32_little(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                             size_t nblocks)
{
    (void)prefix;
    const runnel_aes_schedule *s = state;
    const size_t ngroups = nblocks / GROUP, done = ngroups * GROUP, left = nblocks % GROUP;
    if (ngroups > 0)
        runnel_aes_aarch64_little_groups(s->keys.bytes[0], s->rounds, block, out, in, ngroups);
    if (left > 0) {
        uint8_t blocks[GROUP][16];
        const uint32_t counter = runnel_load32le(block) + (uint32_t)done;
        uint32x4_t x = vreinterpretq_u32_u8(vld1q_u8(block));
        for (size_t i = 0; i < left; i++) {
            x = vsetq_lane_u32(counter + (uint32_t)i, x, 0);
            vst1q_u8(blocks[i], vreinterpretq_u8_u32(x));
        }
        in = in == NULL ? NULL : in + 16 * done;
        runnel_aes_aarch64_few(s->keys.bytes[0], s->rounds, blocks[0], out + 16 * done, in, left);
    }
}

static uint32_t aes_prefix_used(const void *prefix)
{
    const aes_prefix *p = prefix;
    if (p->one_round_set)
        return sizeof *p;
    return p->column_set && p->two_rounds_used ? offsetof(aes_prefix, one_round) : offsetof(aes_prefix, two_rounds);
}

const runnel_kernel runnel_aes_aarch64_aes = {
    .name = RUNNEL_TEXT("aarch64-aes"),
    .citation = RUNNEL_TEXT("AESE and AESMC, 8 blocks in flight; prefix caching after Park, Lee (FACE), TCHES 2018/3"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_AES,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = aes_set_key,
    .block = {.encrypt_blocks = aes_encrypt_blocks,
              .ctr32 = aes_ctr32,
              .ctr32_little = aes_ctr32_little,
              .prefix_used = aes_prefix_used,
              RUNNEL_DECRYPTION(aes_set_decrypt_key, aes_decrypt_blocks)},
};

#endif
