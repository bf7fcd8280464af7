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

/* The next block of data into the sum; up to `end`, unless it is known that there are so many (end: NULL). */
TARGET RUNNEL_INLINE void chacha20_poly1305_next_step(runnel_poly1305_wide *sum, const uint8_t **data,
                                                      const uint8_t *end)
{
    if (end != NULL && *data == end)
        return;
    runnel_poly1305_step(sum, *data);
    *data += 16;
}

/* The rounds of eight blocks of the cipher, and between them data into the sum: as much as that, or up to `end`. */
TARGET RUNNEL_INLINE void chacha20_poly1305_rounds(vector_words x[16], volatile vector_words parked[2],
                                                   runnel_poly1305_wide *mac, const uint8_t *data, const uint8_t *end)
{
    const uint8_t *patterns = chacha20_patterns[0][0];
    runnel_poly1305_wide sum = *mac; /* stays in registers */
    for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {
        chacha20_columns_01(x, &patterns);
        chacha20_poly1305_next_step(&sum, &data, end);
        words_exchange(parked, x + 8, x + 10);
        chacha20_columns_23(x, &patterns);
        chacha20_diagonals_01(x, &patterns);
        chacha20_poly1305_next_step(&sum, &data, end);
        words_exchange(parked, x + 10, x + 8);
        chacha20_diagonals_23(x, &patterns);
        chacha20_poly1305_next_step(&sum, &data, end);
    }
    chacha20_poly1305_next_step(&sum, &data, end);
    chacha20_poly1305_next_step(&sum, &data, end);
    _Static_assert(3 * CHACHA20_ROUNDS / 2 + 2 == CHACHA20_POLY1305_MAC_BLOCKS, "a block is missing");
    *mac = sum;
}

/* Chunks of eight blocks of the cipher; data: the ciphertext, as long, that is authenticated meanwhile. */
TARGET static void chacha20_poly1305_crypt_chunks(const uint32_t *w, uint32_t counter, runnel_poly1305 *mac,
                                                  uint8_t *out, const uint8_t *in, const uint8_t *data, size_t chunks)
{
    runnel_poly1305_wide sum = runnel_poly1305_widen(mac);
    vector_words x[16];
    volatile vector_words parked[2];
    for (; chunks > 0; chunks--) {
        chacha20_parked_start(x, parked, w, counter);
        chacha20_poly1305_rounds(x, parked, &sum, data, NULL);
        chacha20_parked_put(x, parked, w, counter, out, in, CHACHA20_POLY1305_BLOCKS, NULL);
        counter += CHACHA20_POLY1305_BLOCKS;
        out += CHACHA20_POLY1305_CHUNK;
        in += CHACHA20_POLY1305_CHUNK;
        data += CHACHA20_POLY1305_CHUNK;
    }
    runnel_poly1305_narrow(mac, &sum);
    runnel_wipe(&sum, sizeof sum);
    _mm256_zeroupper();
}

/* The end of a text, `bytes` bytes of less than a chunk; data: at most a chunk of ciphertext, which is authenticated
 * before the first byte is written, its last block filled up with zeros. */
TARGET static void chacha20_poly1305_crypt_end(const uint32_t *w, uint32_t counter, runnel_poly1305 *mac, uint8_t *out,
                                               const uint8_t *in, size_t bytes, const uint8_t *data, size_t data_bytes)
{
    const size_t nblocks = bytes / CHACHA20_BLOCK, rest = bytes % CHACHA20_BLOCK, whole = data_bytes / 16 * 16;
    runnel_poly1305_wide sum = runnel_poly1305_widen(mac);
    uint8_t leftover[CHACHA20_BLOCK], block[16] = {0};
    vector_words x[16];
    volatile vector_words parked[2];
    chacha20_parked_start(x, parked, w, counter);
    chacha20_poly1305_rounds(x, parked, &sum, data, data + whole);
    if (whole < data_bytes) {
        memcpy(block, data + whole, data_bytes - whole);
        runnel_poly1305_step(&sum, block);
    }
    chacha20_parked_put(x, parked, w, counter, out, in, nblocks, leftover);
    runnel_xor_bytes(out + bytes - rest, in + bytes - rest, leftover, rest);
    runnel_poly1305_narrow(mac, &sum);
    runnel_wipe(&sum, sizeof sum);
    runnel_wipe(leftover, sizeof leftover);
    _mm256_zeroupper();
}

/* A short end takes less time by itself. */
static size_t chacha20_poly1305_decrypt(const uint32_t *w, uint32_t counter, runnel_poly1305 *mac, uint8_t *out,
                                        const uint8_t *in, size_t bytes)
{
    const size_t chunks = bytes / CHACHA20_POLY1305_CHUNK, at = chunks * CHACHA20_POLY1305_CHUNK, rest = bytes - at;
    chacha20_poly1305_crypt_chunks(w, counter, mac, out, in, in, chunks);
    if (rest <= CHACHA20_POLY1305_CHUNK / 2)
        return at;
    chacha20_poly1305_crypt_end(w, counter + (uint32_t)chunks * CHACHA20_POLY1305_BLOCKS, mac, out + at, in + at, rest,
                                in + at, rest);
    return bytes;
}

/* Each chunk is authenticated with the rounds of the next. Returns where what is left to authenticate begins. */
static size_t chacha20_poly1305_encrypt(const uint32_t *w, uint32_t counter, runnel_poly1305 *mac, uint8_t *out,
                                        const uint8_t *in, size_t bytes)
{
    const size_t chunks = bytes / CHACHA20_POLY1305_CHUNK, at = chunks * CHACHA20_POLY1305_CHUNK, rest = bytes - at;
    const uint8_t *data = out;
    chacha20_poly1305_crypt_chunks(w, counter + CHACHA20_POLY1305_BLOCKS, mac, out + CHACHA20_POLY1305_CHUNK,
                                   in + CHACHA20_POLY1305_CHUNK, data, chunks - 1);
    if (rest == 0)
        return at - CHACHA20_POLY1305_CHUNK;
    chacha20_poly1305_crypt_end(w, counter + (uint32_t)chunks * CHACHA20_POLY1305_BLOCKS, mac, out + at, in + at, rest,
                                data + at - CHACHA20_POLY1305_CHUNK, CHACHA20_POLY1305_CHUNK);
    return at;
}

static size_t chacha20_poly1305_crypt(uint32_t *words_of_state, uint32_t counter, runnel_poly1305 *mac, uint8_t *out,
                                      const uint8_t *in, size_t bytes, int begun, int decrypt)
{
    if (decrypt)
        return chacha20_poly1305_decrypt(words_of_state, counter, mac, out, in, bytes);
    if (!begun)
        runnel_chacha20_avx2.stream.xor_blocks(words_of_state, counter, out, in, CHACHA20_POLY1305_BLOCKS);
    const size_t at = chacha20_poly1305_encrypt(words_of_state, counter, mac, out, in, bytes);
    runnel_poly1305_absorb_padded(mac, out + at, bytes - at);
    return bytes;
}

const runnel_chacha20_poly1305_fused runnel_chacha20_poly1305_avx2 = {
    .name = RUNNEL_TEXT("avx2"),
    .citation = RUNNEL_TEXT("Poly1305 in words between the rounds of ChaCha20 in vectors, as in BoringSSL's assembly"),
    .cpu = RUNNEL_CPU_AVX2,
    .cipher = &runnel_chacha20_avx2,
    .blocks = CHACHA20_POLY1305_BLOCKS,
    .least = 3 * CHACHA20_POLY1305_CHUNK / 2,
    .crypt = chacha20_poly1305_crypt,
    .begin = runnel_chacha20_avx2_begin,
};

#endif
