/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ARIA by tables of words for Thumb-2 (Cortex-M3 and later), for processors without a data cache: with one, the timing
 * depends on the key. While only the last byte of the counter changes, the first round is one look-up and a constant,
 * seven bytes of the second round's input change, and what the other nine add to its result is a constant. */
#include "ciphers/aria/kernels.h"

#if RUNNEL_THUMB2

#include "arch/common/bytes.h"
#include "ciphers/aria/sboxes.h"
#include "job.h"

#define ENTRIES(times, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)                                                 \
    a *times, b *times, c *times, d *times, e *times, f *times, g *times, h *times, i *times, j *times, k *times,      \
        l *times, m *times, n *times, o *times, p *times,
#define EXPAND(macro, ...) macro(__VA_ARGS__)
#define ROW1(...) EXPAND(ENTRIES, 0x01010100u, __VA_ARGS__)
#define ROW2(...) EXPAND(ENTRIES, 0x01010001u, __VA_ARGS__)
#define ROW3(...) EXPAND(ENTRIES, 0x01000101u, __VA_ARGS__)
#define ROW4(...) EXPAND(ENTRIES, 0x00010101u, __VA_ARGS__)

/* The terms that a byte at each place of a word adds to the word: the S-box's byte at the three other places. */
static const uint32_t aria_table[4][256] = {
    {RUNNEL_ARIA_S1(ROW1)}, {RUNNEL_ARIA_S2(ROW2)}, {RUNNEL_ARIA_S3(ROW3)}, {RUNNEL_ARIA_S4(ROW4)}};

static inline uint32_t aria_rotate(uint32_t v, unsigned n)
{
    return v >> n | v << (-n & 31);
}

static inline uint32_t aria_reverse_halves(uint32_t v)
{
    return (v & 0x00ff00ff) << 8 | (v >> 8 & 0x00ff00ff);
}

static inline uint32_t aria_entry(unsigned number, uint32_t word, unsigned place)
{
    return aria_table[number][word >> 8 * place & 0xff];
}

static inline uint32_t aria_entries(uint32_t x)
{
    return aria_entry(0, x, 0) ^ aria_entry(1, x, 1) ^ aria_entry(2, x, 2) ^ aria_entry(3, x, 3);
}

static inline void aria_add_words(uint32_t x[4])
{
    const uint32_t a = x[0] ^ x[1], b = x[2] ^ x[3], x0 = x[0], x2 = x[2];
    x[0] = x[1] ^ b;
    x[1] = x0 ^ b;
    x[2] = x[3] ^ a;
    x[3] = x2 ^ a;
}

static inline void aria_diffuse(uint32_t x[4])
{
    aria_add_words(x);
    x[0] = aria_rotate(aria_reverse_halves(x[0]), 16);
    x[1] = aria_reverse_halves(x[1]);
    x[2] = aria_rotate(x[2], 16);
    aria_add_words(x);
}

/* The layers of a round: the first substitution layer if turn is 0, the second one if it is 16. */
static void aria_layers(uint32_t x[4], unsigned turn)
{
    for (unsigned w = 0; w < 4; w++)
        x[w] = aria_rotate(aria_entries(aria_rotate(x[w], turn)), turn);
    aria_diffuse(x);
}

static void aria_add_key(uint32_t x[4], const uint8_t key[16])
{
    x[0] ^= runnel_load32le(key); /* unrolled: a run begins with three of these */
    x[1] ^= runnel_load32le(key + 4);
    x[2] ^= runnel_load32le(key + 8);
    x[3] ^= runnel_load32le(key + 12);
}

/* key = words ^ turned, rotated to the right by `bits`, both as numbers whose first word is the most significant. */
static void aria_write_key(uint8_t key[16], const uint32_t words[4], const uint32_t turned[4], unsigned bits)
{
    const unsigned first = -(bits / 32) & 3, low = bits % 32;
    uint32_t before = turned[(first + 3) & 3];
    for (unsigned w = 0; w < 4; w++) {
        const uint32_t now = turned[(first + w) & 3];
        runnel_store32be(key + 4 * w, words[w] ^ (now >> low | before << (32 - low)));
        before = now;
    }
}

static void aria_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    static const uint8_t rotations[5] = {19, 31, 128 - 61, 128 - 31, 128 - 19};
    runnel_aria_schedule *schedule = state;
    uint32_t w[4][4], x[4];
    uint8_t rest[16] = {0};
    memcpy(rest, key + 16, key_bytes - 16);
    for (unsigned j = 0; j < 4; j++)
        x[j] = runnel_load32le(key + 4 * j);
    memcpy(w[0], x, sizeof x);
    unsigned constant = (unsigned)(key_bytes - 16) / 8;
    for (unsigned i = 0; i < 3; i++) {
        aria_add_key(x, runnel_aria_constants[constant]);
        constant = constant == 2 ? 0 : constant + 1;
        aria_layers(x, i & 1 ? 16 : 0);
        if (i == 0)
            aria_add_key(x, rest);
        else
            for (unsigned j = 0; j < 4; j++)
                x[j] ^= w[i - 1][j];
        memcpy(w[i + 1], x, sizeof x);
    }
    for (unsigned i = 0; i < 16; i++)
        w[i / 4][i % 4] = runnel_load32be((const uint8_t *)&w[i / 4][i % 4]);
    schedule->rounds = (uint8_t)(key_bytes / 4 + 8);
    for (unsigned i = 0; i <= schedule->rounds; i++)
        aria_write_key(schedule->keys[i], w[i & 3], w[(i + 1) & 3], rotations[i / 4]);
    runnel_wipe(w, sizeof w);
    runnel_wipe(x, sizeof x);
    runnel_wipe(rest, sizeof rest);
}

RUNNEL_DECRYPT_KEY(aria_set_decrypt_key, aria_set_key, runnel_aria_invert)

static void aria_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_aria_schedule *schedule = state;
    runnel_aria_thumb2_encrypt(schedule->keys[0], schedule->keys[schedule->rounds - 1], aria_table, out, in, nblocks);
}

static void aria_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                       size_t nblocks)
{
    (void)prefix;
    const runnel_aria_schedule *schedule = state;
    runnel_aria_thumb2_run run = {.counter = block[15],
                                  .key_byte = schedule->keys[0][15],
                                  .keys = schedule->keys[3],
                                  .last = schedule->keys[schedule->rounds - 1],
                                  .table = aria_table};
    uint32_t *x = run.first, *y = run.second;
    for (unsigned w = 0; w < 4; w++)
        x[w] = runnel_load32le(block + 4 * w);
    aria_add_key(x, schedule->keys[0]);
    for (unsigned w = 0; w < 3; w++)
        x[w] = aria_entries(x[w]);
    x[3] = aria_entry(0, x[3], 0) ^ aria_entry(1, x[3], 1) ^ aria_entry(2, x[3], 2);
    aria_diffuse(x);
    aria_add_key(x, schedule->keys[1]);
    y[0] = aria_rotate(aria_entry(2, x[0], 0) ^ aria_entry(1, x[0], 3), 16);
    y[1] = aria_rotate(aria_entry(0, x[1], 2) ^ aria_entry(1, x[1], 3), 16);
    y[2] = aria_rotate(aria_entry(3, x[2], 1) ^ aria_entry(1, x[2], 3), 16);
    y[3] = aria_rotate(aria_entry(2, x[3], 0) ^ aria_entry(3, x[3], 1) ^ aria_entry(0, x[3], 2), 16);
    aria_diffuse(y);
    aria_add_key(y, schedule->keys[2]);
    runnel_aria_thumb2_count(&run, out, in, nblocks);
    runnel_wipe(&run, sizeof run);
}

const runnel_kernel runnel_aria_thumb2 = {
    .name = RUNNEL_TEXT("thumb2"),
    .citation = RUNNEL_TEXT("tables of words; one look-up is the first round of 256 counters"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_SECRET_INDEXED,
    .run_bits = 8,
    .key = aria_set_key,
    .block = {.encrypt_blocks = aria_encrypt_blocks,
              .ctr32 = aria_ctr32,
              RUNNEL_DECRYPTION(aria_set_decrypt_key, aria_encrypt_blocks)},
};

#endif
