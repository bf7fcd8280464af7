/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* In plain C, for processors that move bytes and shift by one bit: every rotation is one by whole bytes after steps of one bit,
 * and rotations share the steps. The state's eight words move down one place in memory each round, so that only the
 * two that change are written; after eight rounds they are moved back. */
#ifndef HMAC_SHA_256_BYTES_H
#define HMAC_SHA_256_BYTES_H

#define LEFT_1(x) ((x) << 1 | (x) >> 31)
#define RIGHT_1(x) ((x) >> 1 | (x) << 31)
#define RIGHT_8(x) ((x) >> 8 | (x) << 24)
#define RIGHT_16(x) ((x) >> 16 | (x) << 16)
#define RIGHT_24(x) ((x) >> 24 | (x) << 8)

/* Rotations by 2, 13 and 22. */
static uint32_t hmac_sha_256_sigma_of_a(uint32_t x)
{
    const uint32_t left = LEFT_1(x), left_2 = LEFT_1(left), left_3 = LEFT_1(left_2), right = RIGHT_1(x);
    return RIGHT_1(right) ^ RIGHT_16(left_3) ^ RIGHT_24(left_2);
}

/* Rotations by 6, 11 and 25. */
static uint32_t hmac_sha_256_sigma_of_e(uint32_t x)
{
    const uint32_t left = LEFT_1(x), left_2 = LEFT_1(left), right = RIGHT_1(x), right_2 = RIGHT_1(right);
    const uint32_t right_3 = RIGHT_1(right_2);
    return RIGHT_8(left_2) ^ RIGHT_8(right_3) ^ RIGHT_24(right);
}

/* Rotations by 7 and 18, and a shift by 3. */
static uint32_t hmac_sha_256_sigma_of_next(uint32_t x)
{
    const uint32_t left = LEFT_1(x), right = RIGHT_1(x), right_2 = RIGHT_1(right);
    return RIGHT_8(left) ^ RIGHT_16(right_2) ^ (right_2 >> 1 & 0x1fffffff);
}

/* Rotations by 17 and 19, and a shift by 10. */
static uint32_t hmac_sha_256_sigma_of_last(uint32_t x)
{
    const uint32_t right = RIGHT_1(x), right_2 = RIGHT_1(right), right_3 = RIGHT_1(right_2);
    return RIGHT_16(right ^ right_3) ^ (right_2 >> 8 & 0x003fffff);
}

static void sha_256_compress(uint32_t *state, const uint8_t *block)
{
    uint32_t w[16], words[16], *v = words + 8;
    for (uint8_t i = 0; i < 16; i++)
        w[i] = runnel_load32be(block + 4 * i);
    memcpy(v, state, 32);
    for (uint8_t i = 0; i < 64; i++) {
        uint32_t *const now = w + i % 16;
        if (i >= 16)
            *now += hmac_sha_256_sigma_of_next(w[(i + 1) % 16]) + w[(i + 9) % 16] +
                    hmac_sha_256_sigma_of_last(w[(i + 14) % 16]);
        const uint32_t sum = v[7] + hmac_sha_256_sigma_of_e(v[4]) + CHOOSE(v[4], v[5], v[6]) +
                             runnel_flash32(&sha_256_constants[i]) + *now;
        v[3] += sum;
        v[-1] = sum + hmac_sha_256_sigma_of_a(v[0]) + MAJORITY(v[0], v[1], v[2]);
        v--;
        if (v == words) {
            v = words + 8;
            memcpy(v, words, 32);
        }
    }
    for (uint8_t i = 0; i < 8; i++)
        state[i] += v[i];
    runnel_wipe(w, sizeof w);
    runnel_wipe(words, sizeof words);
}

#endif
