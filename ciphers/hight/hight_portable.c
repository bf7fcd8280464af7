/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HIGHT as its specification has it: additions, rotations and XORs of bytes, which take the same time whatever their
 * operands are. */
#include "../../core/bytes.h"
#include "hight_kernels.h"

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

static inline uint8_t rotl8(uint8_t v, unsigned n)
{
    return (uint8_t)(v << n | v >> (8 - n));
}

static inline uint8_t f0(uint8_t x)
{
    return rotl8(x, 1) ^ rotl8(x, 2) ^ rotl8(x, 7);
}

static inline uint8_t f1(uint8_t x)
{
    return rotl8(x, 3) ^ rotl8(x, 4) ^ rotl8(x, 6);
}

/* One round on the bytes of x named by their places in it; the next round's places are one further on, so that nothing
 * moves. */
static inline void encrypt_round(uint8_t x[8], const uint8_t key[4], unsigned at)
{
#define X(i) x[((i) + at) & 7]
    X(1) = (uint8_t)(X(1) + (f1(X(0)) ^ key[0]));
    X(3) ^= (uint8_t)(f0(X(2)) + key[1]);
    X(5) = (uint8_t)(X(5) + (f1(X(4)) ^ key[2]));
    X(7) ^= (uint8_t)(f0(X(6)) + key[3]);
}

static void encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_hight_schedule *schedule = state;
    const uint8_t *whitening = schedule->whitening;
    uint8_t x[8];
    for (; nblocks > 0; nblocks--, in += 8, out += 8) {
        memcpy(x, in, 8);
        x[0] = (uint8_t)(x[0] + whitening[0]);
        x[2] ^= whitening[1];
        x[4] = (uint8_t)(x[4] + whitening[2]);
        x[6] ^= whitening[3];
        for (unsigned i = 0; i < 128; i += 32)
            for (unsigned r = 0; r < 8; r++) /* after eight rounds every byte is in its own place again */
                encrypt_round(x, schedule->subkeys + i + 4 * r, (0u - r) & 7);
        /* The last round moves nothing: in these places it is as if seven bytes had moved back. */
        out[0] = (uint8_t)(x[1] + whitening[4]);
        out[1] = x[2];
        out[2] = x[3] ^ whitening[5];
        out[3] = x[4];
        out[4] = (uint8_t)(x[5] + whitening[6]);
        out[5] = x[6];
        out[6] = x[7] ^ whitening[7];
        out[7] = x[0];
    }
    runnel_wipe(x, sizeof x);
}

#if RUNNEL_DECRYPT
static inline void decrypt_round(uint8_t x[8], const uint8_t key[4], unsigned at)
{
    X(1) = (uint8_t)(X(1) - (f1(X(0)) ^ key[0]));
    X(3) ^= (uint8_t)(f0(X(2)) + key[1]);
    X(5) = (uint8_t)(X(5) - (f1(X(4)) ^ key[2]));
    X(7) ^= (uint8_t)(f0(X(6)) + key[3]);
}

static void decrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
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
                decrypt_round(x, schedule->subkeys + i - 32 + 4 * (r - 1), (0u - (r - 1)) & 7);
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
    .source = RUNNEL_TEXT("TTAS.KO-12.0040"),
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_hight_set_key,
    .encrypt_blocks = encrypt_blocks,
#if RUNNEL_DECRYPT
    .decrypt_key = runnel_hight_set_key,
    .decrypt_blocks = decrypt_blocks,
#endif
};
