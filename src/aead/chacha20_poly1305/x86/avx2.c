/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20-Poly1305 on 256-bit registers. The rounds of eight blocks of the cipher fill the three vector ports and leave
 * the multiplier of words and two more ports idle, and the rounds themselves wait for nothing in general registers: so
 * Poly1305 runs there, a block after every third of a double round, 32 in all, which is as much text. That is cheaper than
 * its vector kernel, which wants the cipher's ports. Encryption authenticates the eight blocks before those that it makes.
 *
 * The same on 512-bit registers gains nothing: two rounds take 48 cycles there for twice the text, six blocks of
 * Poly1305 in words 100, and half of each was slower than one after the other (0.79 and 0.76 cycles a byte, Sapphire
 * Rapids), because products of 52 bits are so cheap. */
#include "arch/x86/target.h"

#if RUNNEL_X86_64

#include "aead/chacha20_poly1305/kernels.h"
#include "ciphers/chacha20/kernels.h"
#include "macs/poly1305/kernels.h"
#include "macs/poly1305/wide.h"

#define TARGET RUNNEL_TARGET("avx2")
#include "arch/x86/blocks_256.h"
#include "ciphers/chacha20/x86/parked.h"

enum {
    CHACHA20_POLY1305_BLOCKS = 8,
    CHACHA20_POLY1305_CHUNK = CHACHA20_POLY1305_BLOCKS * CHACHA20_BLOCK,
    CHACHA20_POLY1305_MAC_BLOCKS = CHACHA20_POLY1305_CHUNK / 16
};

TARGET RUNNEL_INLINE void chacha20_poly1305_next_step(runnel_poly1305_wide *sum, const uint8_t **data)
{
    runnel_poly1305_step(sum, *data);
    *data += 16;
}

/* Eight blocks of the cipher; data: the ciphertext, as long, that is authenticated meanwhile. */
TARGET RUNNEL_INLINE void chacha20_poly1305_crypt_chunk(const uint32_t *w, uint32_t counter, runnel_poly1305_wide *mac,
                                                        uint8_t *out, const uint8_t *in, const uint8_t *data)
{
    const uint8_t *patterns = chacha20_patterns[0][0];
    runnel_poly1305_wide sum = *mac; /* stays in registers */
    vector_words x[16];
    volatile vector_words parked[2];
    chacha20_parked_start(x, parked, w, counter);
    for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {
        chacha20_columns_01(x, &patterns);
        chacha20_poly1305_next_step(&sum, &data);
        words_exchange(parked, x + 8, x + 10);
        chacha20_columns_23(x, &patterns);
        chacha20_diagonals_01(x, &patterns);
        chacha20_poly1305_next_step(&sum, &data);
        words_exchange(parked, x + 10, x + 8);
        chacha20_diagonals_23(x, &patterns);
        chacha20_poly1305_next_step(&sum, &data);
    }
    chacha20_poly1305_next_step(&sum, &data);
    chacha20_poly1305_next_step(&sum, &data);
    _Static_assert(3 * CHACHA20_ROUNDS / 2 + 2 == CHACHA20_POLY1305_MAC_BLOCKS, "a block is missing");
    *mac = sum;
    chacha20_parked_put(x, parked, w, counter, out, in, CHACHA20_POLY1305_BLOCKS, NULL);
}

TARGET static void chacha20_poly1305_crypt_chunks(const uint32_t *w, uint32_t counter, runnel_poly1305 *mac,
                                                  uint8_t *out, const uint8_t *in, const uint8_t *data, size_t nblocks)
{
    runnel_poly1305_wide sum = runnel_poly1305_widen(mac);
    for (; nblocks > 0; nblocks -= CHACHA20_POLY1305_BLOCKS) {
        chacha20_poly1305_crypt_chunk(w, counter, &sum, out, in, data);
        counter += CHACHA20_POLY1305_BLOCKS;
        out += CHACHA20_POLY1305_CHUNK;
        in += CHACHA20_POLY1305_CHUNK;
        data += CHACHA20_POLY1305_CHUNK;
    }
    runnel_poly1305_narrow(mac, &sum);
    runnel_wipe(&sum, sizeof sum);
    _mm256_zeroupper();
}

static void chacha20_poly1305_crypt(uint32_t *words_of_state, uint32_t counter, runnel_poly1305 *mac, uint8_t *out,
                                    const uint8_t *in, size_t nblocks, int begun, int decrypt)
{
    if (decrypt) {
        chacha20_poly1305_crypt_chunks(words_of_state, counter, mac, out, in, in, nblocks);
        return;
    }
    if (!begun)
        runnel_chacha20_avx2.stream.xor_blocks(words_of_state, counter, out, in, CHACHA20_POLY1305_BLOCKS);
    if (nblocks > CHACHA20_POLY1305_BLOCKS)
        chacha20_poly1305_crypt_chunks(words_of_state, counter + CHACHA20_POLY1305_BLOCKS, mac,
                                       out + CHACHA20_POLY1305_CHUNK, in + CHACHA20_POLY1305_CHUNK, out,
                                       nblocks - CHACHA20_POLY1305_BLOCKS);
    runnel_poly1305_absorb(mac, out + (nblocks - CHACHA20_POLY1305_BLOCKS) * CHACHA20_BLOCK,
                           CHACHA20_POLY1305_MAC_BLOCKS);
}

const runnel_chacha20_poly1305_fused runnel_chacha20_poly1305_avx2 = {
    .name = RUNNEL_TEXT("avx2"),
    .citation = RUNNEL_TEXT("Poly1305 in words between the rounds of ChaCha20 in vectors, as in BoringSSL's assembly"),
    .cpu = RUNNEL_CPU_AVX2,
    .cipher = &runnel_chacha20_avx2,
    .blocks = CHACHA20_POLY1305_BLOCKS,
    .least = 2 * CHACHA20_POLY1305_BLOCKS,
    .crypt = chacha20_poly1305_crypt,
    .begin = runnel_chacha20_avx2_begin,
};

#endif
