/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ARIA by look-ups in four tables of 1 KiB for RV32: key set-up, and what the blocks of a run have in common. */
#include "ciphers/aria/kernels.h"

#if RUNNEL_RV32

#include "arch/common/aligned.h"
#include "job.h"

extern const uint32_t runnel_aria_rv32_table[4][256] __attribute__((visibility("hidden")));

/* Words hold byte 0 in their lowest bits. */
static inline uint32_t aria_rotate(uint32_t v, unsigned n)
{
    return v >> n | v << (32 - n);
}

static inline uint32_t aria_swap_pairs(uint32_t v)
{
    return (v & 0x00ff00ff) << 8 | (v >> 8 & 0x00ff00ff);
}

static inline uint32_t aria_swap_bytes(uint32_t v)
{
    return aria_rotate(aria_swap_pairs(v), 16);
}

/* The entry of byte j of a word in the S-box layer whose first S-box is number `first`, 0 or 2. */
static inline const uint32_t *aria_entry(uint32_t v, unsigned j, unsigned first)
{
    return &runnel_aria_rv32_table[(first + j) % 4][v >> 8 * j & 0xff];
}

static inline void aria_add_words(uint32_t x[4])
{
    const uint32_t a = x[0] ^ x[1], b = x[2] ^ x[3], x0 = x[0], x2 = x[2];
    x[0] = x[1] ^ b;
    x[1] = x0 ^ b;
    x[2] = x[3] ^ a;
    x[3] = x2 ^ a;
}

/* x = each word's look-ups in the S-box layer whose first S-box is number `first`. */
static inline void aria_substitute(uint32_t x[4], unsigned first)
{
    for (unsigned w = 0; w < 4; w++)
        x[w] = *aria_entry(x[w], 0, first) ^ *aria_entry(x[w], 1, first) ^ *aria_entry(x[w], 2, first) ^
               *aria_entry(x[w], 3, first);
}

/* The rest of the diffusion behind these look-ups, and the sum with `added`. */
static RUNNEL_NOINLINE void aria_diffuse(uint32_t x[4], unsigned first, const uint32_t added[4])
{
    aria_add_words(x);
    if (first == 0) {
        x[0] = aria_swap_bytes(x[0]);
        x[1] = aria_swap_pairs(x[1]);
        x[2] = aria_rotate(x[2], 16);
    } else { /* the entries of these S-boxes leave out the byte two further on: all words are turned by two */
        x[0] = aria_swap_pairs(x[0]);
        x[1] = aria_swap_bytes(x[1]);
        x[3] = aria_rotate(x[3], 16);
    }
    aria_add_words(x);
    for (unsigned w = 0; w < 4; w++)
        x[w] ^= added[w];
}

/* A(SL1(x)) for first = 0, A(SL2(x)) for first = 2, XOR what `added` is. */
static RUNNEL_NOINLINE void aria_make_round(uint32_t x[4], unsigned first, const uint32_t added[4])
{
    aria_substitute(x, first);
    aria_diffuse(x, first, added);
}

static inline void aria_load_block(uint32_t words[4], const uint8_t *block)
{
    for (unsigned w = 0; w < 4; w++)
        words[w] = runnel_load32le(block + 4 * w);
}

/* RFC 5794 2.2. The 128-bit rotations are of words whose first byte is the highest. */
static void aria_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    static const uint8_t rotations[5] = {19, 31, 128 - 61, 128 - 31, 128 - 19};
    runnel_aria_schedule *schedule = state;
    uint32_t w[4][4], rest[4] = {0};
    aria_load_block(w[0], key);
    for (unsigned i = 0; i < key_bytes / 4 - 4; i++)
        rest[i] = runnel_load32le(key + 16 + 4 * i);
    for (unsigned i = 0; i < 3; i++) {
        unsigned constant = i + (unsigned)(key_bytes - 16) / 8;
        constant = constant >= 3 ? constant - 3 : constant;
        aria_load_block(w[i + 1], runnel_aria_constants[constant]);
        for (unsigned j = 0; j < 4; j++)
            w[i + 1][j] ^= w[i][j];
        aria_make_round(w[i + 1], i & 1 ? 2 : 0, i == 0 ? rest : w[i - 1]);
    }
    for (unsigned i = 0; i < 16; i++)
        w[i / 4][i % 4] = aria_swap_bytes(w[i / 4][i % 4]);
    schedule->rounds = (uint8_t)(key_bytes / 4 + 8);
    for (unsigned i = 0; i <= schedule->rounds; i++) {
        const uint32_t *const from = w[(i + 1) & 3];
        const unsigned n = rotations[i / 4], words = n / 32, bits = n % 32; /* never 0 bits */
        uint32_t *const to = (uint32_t *)schedule->keys[i];
        for (unsigned j = 0; j < 4; j++)
            to[j] = aria_swap_bytes(w[i & 3][j] ^
                                    (from[(j - words) & 3] >> bits | from[(j - words - 1) & 3] << (32 - bits)));
    }
    runnel_wipe(w, sizeof w);
    runnel_wipe(rest, sizeof rest);
}

RUNNEL_DECRYPT_KEY(aria_set_decrypt_key, aria_set_key, runnel_aria_invert)

static void aria_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_aria_schedule *schedule = state;
    aria_rv32_run run = {.keys = schedule->keys[0], .last = schedule->keys[schedule->rounds], .raw = 1};
    if ((((uintptr_t)out | (uintptr_t)in) & 3) == 0) {
        if (nblocks > 0)
            runnel_aria_rv32_blocks(&run, out, in, nblocks);
        return;
    }
    uint32_t aligned[4];
    uint8_t *const bytes = (uint8_t *)aligned;
    for (; nblocks > 0; nblocks--, in += 16, out += 16) {
        memcpy(bytes, in, 16);
        runnel_aria_rv32_blocks(&run, bytes, bytes, 1);
        memcpy(out, bytes, 16);
    }
    runnel_wipe(aligned, sizeof aligned);
}

static inline const uint32_t *aria_round_key(const runnel_aria_schedule *schedule, unsigned round)
{
    return (const uint32_t *)schedule->keys[round];
}

/* The bytes that the last one moves in round 1: word and byte. */
static const uint8_t aria_moved[ARIA_RV32_MOVED][2] = {{0, 1}, {0, 2}, {1, 0}, {1, 1}, {2, 0}, {2, 2}, {3, 3}};

static void aria_start_run(aria_rv32_run *run, const runnel_aria_schedule *schedule, const uint8_t *block)
{
    const uint32_t *const key = aria_round_key(schedule, 0);
    uint32_t x[4];
    aria_load_block(x, block);
    for (unsigned w = 0; w < 4; w++)
        x[w] ^= key[w];
    run->keys = schedule->keys[2];
    run->last = schedule->keys[schedule->rounds];
    run->raw = 0;
    run->index = 4u * block[15];
    run->index_key = (uint32_t)(uintptr_t)aria_entry(key[3], 3, 0);
    const uint32_t moving = *aria_entry(x[3], 3, 0);
    aria_substitute(x, 0);
    x[3] ^= moving;
    aria_diffuse(x, 0, aria_round_key(schedule, 1));
    for (unsigned i = 0; i < ARIA_RV32_MOVED; i++)
        run->entries[i] = (uint32_t)(uintptr_t)aria_entry(x[aria_moved[i][0]], aria_moved[i][1], 2);
    uint32_t *const y = run->constants;
    y[0] = *aria_entry(x[0], 0, 2) ^ *aria_entry(x[0], 3, 2);
    y[1] = *aria_entry(x[1], 2, 2) ^ *aria_entry(x[1], 3, 2);
    y[2] = *aria_entry(x[2], 1, 2) ^ *aria_entry(x[2], 3, 2);
    y[3] = *aria_entry(x[3], 0, 2) ^ *aria_entry(x[3], 1, 2) ^ *aria_entry(x[3], 2, 2);
    aria_diffuse(y, 2, aria_round_key(schedule, 2));
    runnel_wipe(x, sizeof x);
}

static void aria_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                       size_t nblocks)
{
    (void)prefix;
    aria_rv32_run run;
    aria_start_run(&run, state, block);
    runnel_xor_aligned(runnel_aria_rv32_blocks, &run, out, in, nblocks, 16);
    runnel_wipe(&run, sizeof run);
}

const runnel_kernel runnel_aria_rv32 = {
    .name = RUNNEL_TEXT("rv32"),
    .citation =
        RUNNEL_TEXT("RFC 5794 by tables of words; two rounds of the counter's last byte are kept for 256 blocks"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_SECRET_INDEXED,
    .run_bits = 8,
    .key = aria_set_key,
    .block = {.encrypt_blocks = aria_encrypt_blocks,
              .ctr32 = aria_ctr32,
              RUNNEL_DECRYPTION(aria_set_decrypt_key, aria_encrypt_blocks)},
};

#endif
