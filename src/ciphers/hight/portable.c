/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HIGHT as its specification has it: additions, rotations and XORs of bytes, which take the same time whatever their
 * operands are. On hosts several blocks go through 64-bit words, eight at once. */
#include "arch/common/bytes.h"
#include "kernels.h"

void runnel_hight_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    (void)key_bytes;
    runnel_hight_schedule *schedule = state;
    for (unsigned i = 0; i < 4; i++) {
        schedule->whitening[i] = key[i + 12];
        schedule->whitening[i + 4] = key[i];
    }
    uint8_t delta = 0x5a; /* seven bits of an LFSR, the newest on top */
    for (unsigned i = 0; i < 8; i++)
        for (unsigned j = 0; j < 16; j++) {
            schedule->subkeys[16 * i + j] = (uint8_t)(key[((j - i) & 7) + (j & 8)] + delta);
            delta = (uint8_t)(delta >> 1 | ((delta ^ delta >> 3) & 1) << 6);
        }
}

static inline uint8_t hight_rotl8(uint8_t v, unsigned n)
{
    return (uint8_t)(v << n | v >> (8 - n));
}

static inline uint8_t hight_f0(uint8_t x)
{
    return hight_rotl8(x, 1) ^ hight_rotl8(x, 2) ^ hight_rotl8(x, 7);
}

static inline uint8_t hight_f1(uint8_t x)
{
    return hight_rotl8(x, 3) ^ hight_rotl8(x, 4) ^ hight_rotl8(x, 6);
}

/* One round on the bytes of x named by their places in it; the next round's places are one further on, so that nothing
 * moves. */
static inline void hight_encrypt_round(uint8_t x[8], const uint8_t key[4], unsigned at)
{
#define X(i) x[((i) + at) & 7]
    X(1) = (uint8_t)(X(1) + (hight_f1(X(0)) ^ key[0]));
    X(3) ^= (uint8_t)(hight_f0(X(2)) + key[1]);
    X(5) = (uint8_t)(X(5) + (hight_f1(X(4)) ^ key[2]));
    X(7) ^= (uint8_t)(hight_f0(X(6)) + key[3]);
}

static void hight_encrypt_one(const runnel_hight_schedule *schedule, uint8_t *out, const uint8_t *in)
{
    const uint8_t *whitening = schedule->whitening;
    uint8_t x[8];
    memcpy(x, in, 8);
    x[0] = (uint8_t)(x[0] + whitening[0]);
    x[2] ^= whitening[1];
    x[4] = (uint8_t)(x[4] + whitening[2]);
    x[6] ^= whitening[3];
    for (unsigned i = 0; i < 128; i += 32) { /* after eight rounds every byte is in its own place again */
#if RUNNEL_HOSTED                            /* in registers, all indices being constants */
        hight_encrypt_round(x, schedule->subkeys + i, 0);
        hight_encrypt_round(x, schedule->subkeys + i + 4, 7);
        hight_encrypt_round(x, schedule->subkeys + i + 8, 6);
        hight_encrypt_round(x, schedule->subkeys + i + 12, 5);
        hight_encrypt_round(x, schedule->subkeys + i + 16, 4);
        hight_encrypt_round(x, schedule->subkeys + i + 20, 3);
        hight_encrypt_round(x, schedule->subkeys + i + 24, 2);
        hight_encrypt_round(x, schedule->subkeys + i + 28, 1);
#else
        for (unsigned r = 0; r < 8; r++)
            hight_encrypt_round(x, schedule->subkeys + i + 4 * r, (0u - r) & 7);
#endif
    }
    /* The last round moves nothing: relative to these places, seven bytes have moved back. */
    out[0] = (uint8_t)(x[1] + whitening[4]);
    out[1] = x[2];
    out[2] = x[3] ^ whitening[5];
    out[3] = x[4];
    out[4] = (uint8_t)(x[5] + whitening[6]);
    out[5] = x[6];
    out[6] = x[7] ^ whitening[7];
    out[7] = x[0];
    runnel_wipe(x, sizeof x);
}

#if RUNNEL_HOSTED
/* Eight blocks, of which a word has one byte each: word[i] byte number i. */
#define EACH(byte) ((uint64_t)(byte) * UINT64_C(0x0101010101010101))

static inline uint64_t hight_add_each(uint64_t a, uint64_t b)
{
    return ((a & EACH (0x7f)) + (b & EACH (0x7f))) ^ ((a ^ b) & EACH (0x80));
}

static inline uint64_t hight_rotl_each(uint64_t v, unsigned n)
{
    return (v << n & EACH (0xff << n & 0xff)) | (v >> (8 - n) & EACH (0xff >> (8 - n)));
}

static inline uint64_t hight_f0_each(uint64_t x)
{
    return hight_rotl_each(x ^ hight_rotl_each(x, 1) ^ hight_rotl_each(x, 6), 1);
}

static inline uint64_t hight_f1_each(uint64_t x)
{
    return hight_rotl_each(x ^ hight_rotl_each(x, 1) ^ hight_rotl_each(x, 3), 3);
}

/* Inlined, because eight calls would keep the words in memory. */
RUNNEL_INLINE void hight_round_of_each(uint64_t x[8], const uint8_t key[4], unsigned at)
{
    X(1) = hight_add_each(X(1), hight_f1_each(X(0)) ^ EACH (key[0]));
    X(3) ^= hight_add_each(hight_f0_each(X(2)), EACH (key[1]));
    X(5) = hight_add_each(X(5), hight_f1_each(X(4)) ^ EACH (key[2]));
    X(7) ^= hight_add_each(hight_f0_each(X(6)), EACH (key[3]));
}

/* Not that of transpose.h: the different order of its last lines costs 18 bytes on x86-64, 16 on AArch64. */
static inline void hight_exchange(uint64_t *a, uint64_t *b, unsigned shift, uint64_t mask)
{
    const uint64_t t = (*a >> shift ^ *b) & mask;
    *a ^= t << shift;
    *b ^= t;
}

/* Byte j of word i becomes byte i of word j. */
static inline void hight_transpose(uint64_t x[8])
{
    for (unsigned i = 0; i < 4; i++)
        hight_exchange(&x[i], &x[i + 4], 32, UINT64_C(0x00000000ffffffff));
    for (unsigned i = 0; i < 4; i++)
        hight_exchange(&x[i + (i & 2)], &x[i + (i & 2) + 2], 16, UINT64_C(0x0000ffff0000ffff));
    for (unsigned i = 0; i < 8; i += 2)
        hight_exchange(&x[i], &x[i + 1], 8, UINT64_C(0x00ff00ff00ff00ff));
}

static void hight_encrypt_eight(const runnel_hight_schedule *schedule, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const uint8_t *whitening = schedule->whitening;
    uint64_t x[8] = {0};
    for (size_t i = 0; i < nblocks; i++)
        x[i] = runnel_load64le(in + 8 * i);
    hight_transpose(x);
    x[0] = hight_add_each(x[0], EACH (whitening[0]));
    x[2] ^= EACH (whitening[1]);
    x[4] = hight_add_each(x[4], EACH (whitening[2]));
    x[6] ^= EACH (whitening[3]);
    for (unsigned i = 0; i < 128; i += 32) {
        hight_round_of_each(x, schedule->subkeys + i, 0);
        hight_round_of_each(x, schedule->subkeys + i + 4, 7);
        hight_round_of_each(x, schedule->subkeys + i + 8, 6);
        hight_round_of_each(x, schedule->subkeys + i + 12, 5);
        hight_round_of_each(x, schedule->subkeys + i + 16, 4);
        hight_round_of_each(x, schedule->subkeys + i + 20, 3);
        hight_round_of_each(x, schedule->subkeys + i + 24, 2);
        hight_round_of_each(x, schedule->subkeys + i + 28, 1);
    }
    uint64_t y[8] = {hight_add_each(x[1], EACH (whitening[4])), x[2], x[3] ^ EACH (whitening[5]), x[4],
                     hight_add_each(x[5], EACH (whitening[6])), x[6], x[7] ^ EACH (whitening[7]), x[0]};
    hight_transpose(y);
    for (size_t i = 0; i < nblocks; i++)
        runnel_store64le(out + 8 * i, y[i]);
    runnel_wipe(x, sizeof x);
    runnel_wipe(y, sizeof y);
}
#endif

static void hight_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
#if RUNNEL_HOSTED
    enum { WORTH_EIGHT = 4 }; /* from so many blocks on, eight at once are faster than one by one */
    while (nblocks >= WORTH_EIGHT) {
        const size_t n = nblocks < 8 ? nblocks : 8;
        hight_encrypt_eight(state, out, in, n);
        nblocks -= n;
        in += 8 * n;
        out += 8 * n;
    }
#endif
    for (; nblocks > 0; nblocks--, in += 8, out += 8)
        hight_encrypt_one(state, out, in);
}

#if RUNNEL_DECRYPT
static inline void hight_decrypt_round(uint8_t x[8], const uint8_t key[4], unsigned at)
{
    X(1) = (uint8_t)(X(1) - (hight_f1(X(0)) ^ key[0]));
    X(3) ^= (uint8_t)(hight_f0(X(2)) + key[1]);
    X(5) = (uint8_t)(X(5) - (hight_f1(X(4)) ^ key[2]));
    X(7) ^= (uint8_t)(hight_f0(X(6)) + key[3]);
}

static void hight_decrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_hight_schedule *schedule = state;
    const uint8_t *whitening = schedule->whitening;
    uint8_t x[8];
    for (; nblocks > 0; nblocks--, in += 8, out += 8) {
        x[1] = (uint8_t)(in[0] - whitening[4]);
        x[2] = in[1];
        x[3] = in[2] ^ whitening[5];
        x[4] = in[3];
        x[5] = (uint8_t)(in[4] - whitening[6]);
        x[6] = in[5];
        x[7] = in[6] ^ whitening[7];
        x[0] = in[7];
        for (unsigned i = 128; i > 0; i -= 32)
            for (unsigned r = 8; r > 0; r--)
                hight_decrypt_round(x, schedule->subkeys + i - 32 + 4 * (r - 1), (0u - (r - 1)) & 7);
        out[0] = (uint8_t)(x[0] - whitening[0]);
        out[1] = x[1];
        out[2] = x[2] ^ whitening[1];
        out[3] = x[3];
        out[4] = (uint8_t)(x[4] - whitening[2]);
        out[5] = x[5];
        out[6] = x[6] ^ whitening[3];
        out[7] = x[7];
    }
    runnel_wipe(x, sizeof x);
}
#endif

const runnel_kernel runnel_hight_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("TTAS.KO-12.0040"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_hight_set_key,
    .block = {.encrypt_blocks = hight_encrypt_blocks, RUNNEL_DECRYPTION(runnel_hight_set_key, hight_decrypt_blocks)},
};
