/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the AArch64 kernels share: blocks into words and back. A kernel's rounds work on a state of four words of all
 * blocks, one word of them after another; before it includes this it defines
 *   SEED_FEWEST                       blocks that its smallest function takes: 4 or 8,
 *   encrypt_4, encrypt_8, encrypt_16  (state, keys, rounds): rounds of so many blocks, the last of them changes words
 *                                     2 and 3; encrypt_4 where SEED_FEWEST is 4,
 *   apply_g                           G on 32 words.
 * Then set_key, set_decrypt_key, encrypt_blocks, ctr32 and ctr32_left are there. */
#include <arm_neon.h>

#define MOST 16
#define EACH_WORD(w) _Pragma("GCC unroll 4") for (int w = 0; w < 4; w++)

static inline uint32x4_t swap_bytes(uint32x4_t v)
{
    return vreinterpretq_u32_u8(vrev32q_u8(vreinterpretq_u8_u32(v)));
}

/* At most four blocks, word by word; those that are not there are zeros. */
static inline uint32x4x4_t load_few(const uint8_t *p, size_t n)
{
    const void *in = p;
    if (n >= 4)
        return vld4q_u32(in);
    const uint32x4_t zero = vdupq_n_u32(0);
    uint32x4x4_t v = {{zero, zero, zero, zero}};
    if (n > 0)
        v = vld4q_lane_u32(in, v, 0);
    if (n > 1)
        v = vld4q_lane_u32((const void *)(p + 16), v, 1);
    if (n > 2)
        v = vld4q_lane_u32((const void *)(p + 32), v, 2);
    return v;
}

static inline void store_few(uint8_t *p, uint32x4x4_t v, size_t n)
{
    void *out = p;
    if (n >= 4) {
        vst4q_u32(out, v);
        return;
    }
    vst4q_lane_u32(out, v, 0);
    if (n > 1)
        vst4q_lane_u32((void *)(p + 16), v, 1);
    if (n > 2)
        vst4q_lane_u32((void *)(p + 32), v, 2);
}

/* A state for so many blocks has so many elements in a row. */
static inline size_t width_for(size_t nblocks)
{
    return nblocks > 8 ? 16 : nblocks > 4 || SEED_FEWEST == 8 ? 8 : 4;
}

static inline void encrypt(uint32_t *state, size_t width, const uint32_t *keys, unsigned rounds)
{
    if (width == 16)
        encrypt_16(state, keys, rounds);
#if SEED_FEWEST == 4
    else if (width == 4)
        encrypt_4(state, keys, rounds);
#endif
    else
        encrypt_8(state, keys, rounds);
}

/* Writes in XOR the state; in == NULL: the state. The halves are in each other's place, since there is no swap after the
 * last round. */
static inline void write_state(uint8_t *out, const uint8_t *in, const uint32_t *state, size_t width, size_t nblocks)
{
    for (; nblocks > 0; state += 4) {
        const size_t n = nblocks < 4 ? nblocks : 4;
        uint32x4x4_t v;
        EACH_WORD(w)
            v.val[w] = swap_bytes(vld1q_u32(state + ((unsigned)w ^ 2) * width));
        if (in != NULL) {
            const uint32x4x4_t data = load_few(in, n);
            EACH_WORD(w)
                v.val[w] = veorq_u32(v.val[w], data.val[w]);
            in += 16 * n;
        }
        store_few(out, v, n);
        out += 16 * n;
        nblocks -= n;
    }
}

static void set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    (void)key_bytes;
    uint32_t *words = ((runnel_seed_schedule *)state)->words;
    runnel_seed_key_words(words, key);
    apply_g(words);
}

#if RUNNEL_DECRYPT
static void set_decrypt_key(void *state, const uint8_t *key, size_t key_bytes)
{
    set_key(state, key, key_bytes);
    runnel_seed_reverse(((runnel_seed_schedule *)state)->words);
}
#endif

static void encrypt_blocks(const void *schedule, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const uint32_t *keys = ((const runnel_seed_schedule *)schedule)->words;
    uint32_t state[4 * MOST];
    const size_t used = 4 * width_for(nblocks) * sizeof *state;
    while (nblocks > 0) {
        const size_t n = nblocks < MOST ? nblocks : MOST, width = width_for(n);
        for (size_t i = 0; i < width; i += 4) {
            const uint32x4x4_t v = load_few(in + 16 * i, i < n ? n - i : 0);
            EACH_WORD(w)
                vst1q_u32(state + (unsigned)w * width + i, swap_bytes(v.val[w]));
        }
        encrypt(state, width, keys, 16);
        write_state(out, NULL, state, width, n);
        nblocks -= n;
        in += 16 * n;
        out += 16 * n;
    }
    runnel_wipe(state, used);
}

/* Blocks that differ in one word; the first round has been done already if `rounds` is 15. */
typedef struct counters {
    uint32_t first[4];
    unsigned counting; /* the number of the word ... */
    uint32_t mask;     /* ... to which this is added after counting */
} counters;

static inline void xor_counters(const counters *c, const uint32_t *keys, unsigned rounds, uint8_t *out,
                                const uint8_t *in, size_t nblocks)
{
    static const uint32_t steps[4] = {0, 1, 2, 3};
    uint32_t state[4 * MOST];
    const size_t used = 4 * width_for(nblocks) * sizeof *state;
    const uint32x4_t mask = vdupq_n_u32(c->mask), four = vdupq_n_u32(4);
    uint32x4_t counter = vaddq_u32(vdupq_n_u32(c->first[c->counting]), vld1q_u32(steps));
    while (nblocks > 0) {
        const size_t n = nblocks < MOST ? nblocks : MOST, width = width_for(n);
        for (unsigned w = 0; w < 4; w++) {
            uint32_t *row = state + w * width;
            if (w == c->counting) {
                for (size_t i = 0; i < width; i += 4) {
                    vst1q_u32(row + i, veorq_u32(counter, mask));
                    counter = vaddq_u32(counter, four);
                }
            } else {
                const uint32x4_t same = vdupq_n_u32(c->first[w]);
                for (size_t i = 0; i < width; i += 4)
                    vst1q_u32(row + i, same);
            }
        }
        encrypt(state, width, keys, rounds);
        write_state(out, in, state, width, n);
        nblocks -= n;
        out += 16 * n;
        in = in == NULL ? NULL : in + 16 * n;
    }
    runnel_wipe(state, used);
}

static void ctr32(const void *schedule, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                  size_t nblocks)
{
    (void)prefix;
    const counters c = {{runnel_load32be(block), runnel_load32be(block + 4), runnel_load32be(block + 8),
                         runnel_load32be(block + 12)}, 3, 0};
    xor_counters(&c, ((const runnel_seed_schedule *)schedule)->words, 16, out, in, nblocks);
}

/* Round 1 adds F of the right half, and the counter is in the left: F is the same for all blocks. */
static void ctr32_left(const void *schedule, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                       size_t nblocks)
{
    (void)prefix;
    const uint32_t *keys = ((const runnel_seed_schedule *)schedule)->words;
    counters c = {{runnel_load32be(block), runnel_load32be(block + 4), runnel_load32be(block + 8),
                   runnel_load32be(block + 12)}, 1, 0};
    uint32_t state[4 * SEED_FEWEST];
    for (unsigned w = 0; w < 4; w++)
        for (unsigned i = 0; i < SEED_FEWEST; i++)
            state[w * SEED_FEWEST + i] = w < 2 ? c.first[w + 2] : 0;
    encrypt(state, SEED_FEWEST, keys, 1);
    c.first[0] ^= state[2 * SEED_FEWEST];
    c.mask = state[3 * SEED_FEWEST];
    xor_counters(&c, keys + 2, 15, out, in, nblocks);
    runnel_wipe(&c, sizeof c);
    runnel_wipe(state, sizeof state);
}
