/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20-Poly1305 on 256-bit registers. The rounds of eight blocks of the cipher fill the three vector ports and leave
 * the multiplier of words and two more ports idle, and the rounds themselves wait for nothing in general registers: so
 * Poly1305 runs there, a block after every third of a double round, 32 in all, which is as much text. That is cheaper than
 * its vector kernel, which wants the cipher's ports. Encryption authenticates the eight blocks before those that it makes.
 *
 * The same on 512-bit registers gains nothing: two rounds take 48 cycles there for twice the text, six blocks of
 * Poly1305 in words 100, and half of each was slower than one after the other (0.79 and 0.76 cycles a byte, Sapphire
 * Rapids), because products of 52 bits are so cheap. */
#include "arch/x86/words.h"

#if RUNNEL_X86_64

#include "aead/chacha20_poly1305/kernels.h"
#include "ciphers/chacha20/kernels.h"
#include "macs/poly1305/kernels.h"
#include "macs/poly1305/wide.h"

typedef runnel_words256 words;
typedef __m256i vector;

#define TARGET RUNNEL_TARGET("avx2")
#define SHUFFLE(a, order) ((words)_mm256_shuffle_epi32((vector)(a), order))
#define EACH_LANE(...) __VA_ARGS__, __VA_ARGS__
#define SHUFFLE_BYTES _mm256_shuffle_epi8

#include "ciphers/chacha20/x86/rounds.h"

enum { BLOCKS = 8, CHUNK = BLOCKS * CHACHA20_BLOCK, MAC_BLOCKS = CHUNK / 16 };

TARGET RUNNEL_INLINE void next_step(runnel_poly1305_wide *sum, const uint8_t **data)
{
    runnel_poly1305_step(sum, *data);
    *data += 16;
}

/* Eight blocks of the cipher; data: the ciphertext, as long, that is authenticated meanwhile. */
TARGET RUNNEL_INLINE void crypt_chunk(const uint32_t *w, uint32_t counter, runnel_poly1305_wide *mac, uint8_t *out,
                                      const uint8_t *in, const uint8_t *data)
{
    const vector *rotations = rotate.patterns;
    const words numbers = {0, 1, 2, 3, 4, 5, 6, 7};
    words x[16] = WORDS(w, counter + numbers);
    runnel_poly1305_wide sum = *mac; /* stays in registers */
    volatile words parked[2];
    PARK(x, parked);
    for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2)
        DOUBLE_ROUND_PARKED(rotations, x, parked, next_step(&sum, &data), , next_step(&sum, &data),
                            next_step(&sum, &data));
    next_step(&sum, &data);
    next_step(&sum, &data);
    _Static_assert(3 * CHACHA20_ROUNDS / 2 + 2 == MAC_BLOCKS, "a block is missing");
    *mac = sum;
    RUNNEL_VALUE_BARRIER(w);
    RUNNEL_VALUE_BARRIER(counter);
    ADD_WORDS_0_TO_7(x, w);
    runnel_put_half_words256(out, in, BLOCKS, NULL, 0, x);
    UNPARK(x, parked);
    RUNNEL_VALUE_BARRIER(w);
    ADD_WORDS_8_TO_15(x, w, counter + numbers);
    runnel_put_half_words256(out, in, BLOCKS, NULL, 32, x + 8);
}

TARGET static void crypt_chunks(const uint32_t *w, uint32_t counter, runnel_poly1305 *mac, uint8_t *out,
                                const uint8_t *in, const uint8_t *data, size_t nblocks)
{
    runnel_poly1305_wide sum = runnel_poly1305_widen(mac);
    for (; nblocks > 0; nblocks -= BLOCKS) {
        crypt_chunk(w, counter, &sum, out, in, data);
        counter += BLOCKS;
        out += CHUNK;
        in += CHUNK;
        data += CHUNK;
    }
    runnel_poly1305_narrow(mac, &sum);
    runnel_wipe(&sum, sizeof sum);
    _mm256_zeroupper();
}

static void crypt(uint32_t *words_of_state, uint32_t counter, runnel_poly1305 *mac, uint8_t *out, const uint8_t *in,
                  size_t nblocks, int begun, int decrypt)
{
    if (decrypt) {
        crypt_chunks(words_of_state, counter, mac, out, in, in, nblocks);
        return;
    }
    if (!begun)
        runnel_chacha20_avx2.stream.xor_blocks(words_of_state, counter, out, in, BLOCKS);
    if (nblocks > BLOCKS)
        crypt_chunks(words_of_state, counter + BLOCKS, mac, out + CHUNK, in + CHUNK, out, nblocks - BLOCKS);
    runnel_poly1305_absorb(mac, out + (nblocks - BLOCKS) * CHACHA20_BLOCK, MAC_BLOCKS);
}

const runnel_chacha20_poly1305_fused runnel_chacha20_poly1305_avx2 = {
    .name = RUNNEL_TEXT("avx2"),
    .citation = RUNNEL_TEXT("Poly1305 in words between the rounds of ChaCha20 in vectors, as in BoringSSL's assembly"),
    .cpu = RUNNEL_CPU_AVX2,
    .cipher = &runnel_chacha20_avx2,
    .blocks = BLOCKS,
    .least = 2 * BLOCKS,
    .crypt = crypt,
    .begin = runnel_chacha20_avx2_begin,
};

#endif
