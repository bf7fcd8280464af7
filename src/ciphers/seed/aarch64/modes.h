/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shared by the AArch64 kernels in C. A kernel's rounds work on a state in memory, four rows with one word of all
 * blocks each; before it includes this it defines
 *   SEED_FEWEST                            blocks that its smallest function takes: 4 or 8,
 *   encrypt_fewest, encrypt_8, encrypt_16  (state, keys, rounds): rounds of so many blocks, the last of them changes
 *                                          words 2 and 3,
 *   apply_g                                G on 32 words.
 * Then seed_set_key and SEED_BLOCK_FUNCTIONS are there, for its description. */
#include <arm_neon.h>

#define MOST 16
#define EACH_WORD(w) _Pragma("GCC unroll 4") for (int w = 0; w < 4; w++)

void runnel_seed_aarch64_load(uint32_t *state, size_t row_bytes, const uint8_t *in, size_t nblocks);
void runnel_seed_aarch64_store(uint8_t *out, const uint8_t *in, const uint32_t *state, size_t row_bytes,
                               size_t nblocks);

/* Calls work(width, rounds' function, …) for the narrowest state that holds n <= MOST blocks. */
#define WITH_WIDTH_FOR(n, work, ...)                                                                                   \
    do {                                                                                                               \
        if ((n) > 8)                                                                                                   \
            work(16, encrypt_16, __VA_ARGS__);                                                                         \
        else if ((n) > SEED_FEWEST)                                                                                    \
            work(8, encrypt_8, __VA_ARGS__);                                                                           \
        else                                                                                                           \
            work(SEED_FEWEST, encrypt_fewest, __VA_ARGS__);                                                            \
    } while (0)

/* Bytes of the widest state that these blocks need. */
static inline size_t seed_state_bytes(size_t nblocks)
{
    return 16 * (nblocks > 8 ? 16 : nblocks > SEED_FEWEST ? 8 : SEED_FEWEST);
}

static void seed_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    (void)key_bytes;
    uint32_t *words = ((runnel_seed_schedule *)state)->words;
    runnel_seed_key_words(words, key);
    apply_g(words);
}

RUNNEL_DECRYPT_KEY(seed_set_decrypt_key, seed_set_key, runnel_seed_reverse)

typedef void seed_rounds_function(uint32_t *state, const uint32_t *keys, unsigned rounds);

RUNNEL_INLINE void seed_encrypt_some(const size_t width, seed_rounds_function *encrypt, uint32_t *state,
                                     const uint32_t *keys, uint8_t *out, const uint8_t *in, size_t n)
{
    runnel_seed_aarch64_load(state, 4 * width, in, n);
    encrypt(state, keys, 16);
    runnel_seed_aarch64_store(out, NULL, state, 4 * width, n);
}

static void seed_encrypt_blocks(const void *schedule, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const uint32_t *keys = ((const runnel_seed_schedule *)schedule)->words;
    uint32_t state[4 * MOST];
    const size_t used = seed_state_bytes(nblocks);
    while (nblocks > 0) {
        const size_t n = nblocks < MOST ? nblocks : MOST;
        WITH_WIDTH_FOR(n, seed_encrypt_some, state, keys, out, in, n);
        nblocks -= n;
        in += 16 * n;
        out += 16 * n;
    }
    runnel_wipe(state, used);
}

/* Blocks that differ in one word. */
typedef struct seed_counters {
    uint32_t first[4];
    unsigned counting; /* the number of the word ... */
    uint32_t mask;     /* ... to which this is added after counting */
    int little;        /* it counts little-endian, and is in `first` as a number */
} seed_counters;

RUNNEL_INLINE void seed_xor_some(const size_t width, seed_rounds_function *encrypt, uint32_t *state,
                                 const seed_counters *c, uint32_t done, const uint32_t *keys, unsigned rounds,
                                 uint8_t *out, const uint8_t *in, size_t n)
{
    static const uint32_t steps[4] = {0, 1, 2, 3};
    EACH_WORD (w) {
        const uint32x4_t same = vdupq_n_u32(c->first[w]);
        for (size_t i = 0; i < width; i += 4)
            vst1q_u32(state + (unsigned)w * width + i, same);
    }
    uint32x4_t counter = vaddq_u32(vdupq_n_u32(c->first[c->counting] + done), vld1q_u32(steps));
    for (size_t i = 0; i < width; i += 4) {
        const uint32x4_t word = c->little ? vreinterpretq_u32_u8(vrev32q_u8(vreinterpretq_u8_u32(counter))) : counter;
        vst1q_u32(state + c->counting * width + i, veorq_u32(word, vdupq_n_u32(c->mask)));
        counter = vaddq_u32(counter, vdupq_n_u32(4));
    }
    encrypt(state, keys, rounds);
    runnel_seed_aarch64_store(out, in, state, 4 * width, n);
}

/* With 15 rounds, the first one has been done already. */
static void seed_xor_counters(const seed_counters *c, const uint32_t *keys, unsigned rounds, uint8_t *out,
                              const uint8_t *in, size_t nblocks)
{
    uint32_t state[4 * MOST], done = 0;
    const size_t used = seed_state_bytes(nblocks);
    while (nblocks > 0) {
        const size_t n = nblocks < MOST ? nblocks : MOST;
        WITH_WIDTH_FOR(n, seed_xor_some, state, c, done, keys, rounds, out, in, n);
        nblocks -= n;
        done += (uint32_t)n;
        out += 16 * n;
        in = in == NULL ? NULL : in + 16 * n;
    }
    runnel_wipe(state, used);
}

static void seed_ctr32(const void *schedule, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                       size_t nblocks)
{
    (void)prefix;
    const seed_counters c = {
        {runnel_load32be(block), runnel_load32be(block + 4), runnel_load32be(block + 8), runnel_load32be(block + 12)},
        3,
        0,
        0};
    seed_xor_counters(&c, ((const runnel_seed_schedule *)schedule)->words, 16, out, in, nblocks);
}

static void seed_ctr32_little(const void *schedule, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                              size_t nblocks)
{
    (void)prefix;
    const seed_counters c = {
        {runnel_load32le(block), runnel_load32be(block + 4), runnel_load32be(block + 8), runnel_load32be(block + 12)},
        0,
        0,
        1};
    seed_xor_counters(&c, ((const runnel_seed_schedule *)schedule)->words, 16, out, in, nblocks);
}

/* Round 1 adds F of the right half, and the counter is in the left: F is the same for all blocks. */
static void seed_ctr32_left(const void *schedule, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                            size_t nblocks)
{
    (void)prefix;
    const uint32_t *keys = ((const runnel_seed_schedule *)schedule)->words;
    seed_counters c = {
        {runnel_load32be(block), runnel_load32be(block + 4), runnel_load32be(block + 8), runnel_load32be(block + 12)},
        1,
        0,
        0};
    uint32_t state[4 * SEED_FEWEST];
    for (unsigned w = 0; w < 4; w++)
        for (unsigned i = 0; i < SEED_FEWEST; i++)
            state[w * SEED_FEWEST + i] = w < 2 ? c.first[w + 2] : 0;
    encrypt_fewest(state, keys, 1);
    c.first[0] ^= state[2 * SEED_FEWEST];
    c.mask = state[3 * SEED_FEWEST];
    seed_xor_counters(&c, keys + 2, 15, out, in, nblocks);
    runnel_wipe(&c, sizeof c);
    runnel_wipe(state, sizeof state);
}

#define SEED_BLOCK_FUNCTIONS                                                                                           \
    {.encrypt_blocks = seed_encrypt_blocks,                                                                            \
     .ctr32 = seed_ctr32,                                                                                              \
     .ctr32_left = seed_ctr32_left,                                                                                    \
     .ctr32_little = seed_ctr32_little,                                                                                \
     RUNNEL_DECRYPTION(seed_set_decrypt_key, seed_encrypt_blocks)}
