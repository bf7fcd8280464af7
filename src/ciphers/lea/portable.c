/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA as its specification has it: additions, rotations and XORs of 32-bit words, which take the same time whatever
 * their operands are. */
#include "arch/common/lookup.h"
#include "kernels.h"
#include "rounds.h"

/* The fraction of the square root of 766965. */
static const uint32_t lea_delta[8] RUNNEL_FLASH = {0xc3efe9db, 0x44626b02, 0x79e27c8a, 0x78df30ec,
                                                   0x715ea49e, 0xc785da0a, 0xe04ef22a, 0xe5c40957};

/* As runnel_rotl32, for any n. */
static inline uint32_t lea_rotate_by(uint32_t v, unsigned n)
{
    n &= 31;
    return n == 0 ? v : runnel_rotl32(v, n);
}

void runnel_lea_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    static const uint8_t rotations[6] RUNNEL_FLASH = {1, 3, 6, 11, 13, 17};
    runnel_lea_schedule *schedule = state;
    uint32_t t[8], *out = schedule->words;
    const unsigned words = (unsigned)key_bytes / 4, each = words < 6 ? words : 6;
    for (unsigned i = 0; i < words; i++)
        t[i] = runnel_load32le(key + 4 * i);
    schedule->rounds = (uint8_t)(16 + 2 * words);
    unsigned constant = 0, first = 0; /* i modulo words, and 6 i modulo words where all eight are used */
    for (unsigned i = 0; i < schedule->rounds; i++) {
        const uint32_t d = runnel_flash32(lea_delta + constant);
        for (unsigned j = 0; j < each; j++) {
            uint32_t *word = t + ((first + j) & 7);
            *word = runnel_rotl32(*word + lea_rotate_by(d, i + j), runnel_flash8(rotations + j));
            *out++ = *word;
        }
        constant = constant + 1 == words ? 0 : constant + 1;
        if (words == 8)
            first = (first + 6) & 7;
    }
    runnel_wipe(t, sizeof t);
}

static void lea_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_lea_schedule *schedule = state;
    uint32_t x[4];
    for (; nblocks > 0; nblocks--, in += 16, out += 16) {
        for (unsigned w = 0; w < 4; w++)
            x[w] = runnel_load32le(in + 4 * w);
        if (schedule->rounds == 24)
            runnel_lea_encrypt_rounds(schedule, x, 4);
        else
            runnel_lea_encrypt_rounds(schedule, x, 6);
        for (unsigned w = 0; w < 4; w++)
            runnel_store32le(out + 4 * w, x[w]);
    }
}

#if RUNNEL_DECRYPT
static inline void lea_decrypt_rounds(const runnel_lea_schedule *schedule, uint32_t x[4], unsigned each)
{
    const uint32_t *words = schedule->words + schedule->rounds * each;
    for (unsigned i = 0; i < schedule->rounds; i++) {
        words -= each;
        const runnel_lea_round_key key = runnel_lea_get_round_key(words, each);
        const uint32_t x0 = x[3];
        const uint32_t x1 = (runnel_lea_rotr32(x[0], 9) - (x0 ^ key.k[0])) ^ key.k[1];
        const uint32_t x2 = (runnel_rotl32(x[1], 5) - (x1 ^ key.k[2])) ^ key.k[3];
        x[3] = (runnel_rotl32(x[2], 3) - (x2 ^ key.k[4])) ^ key.k[5];
        x[0] = x0;
        x[1] = x1;
        x[2] = x2;
    }
}

static void lea_decrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_lea_schedule *schedule = state;
    uint32_t x[4];
    for (; nblocks > 0; nblocks--, in += 16, out += 16) {
        for (unsigned w = 0; w < 4; w++)
            x[w] = runnel_load32le(in + 4 * w);
        if (schedule->rounds == 24)
            lea_decrypt_rounds(schedule, x, 4);
        else
            lea_decrypt_rounds(schedule, x, 6);
        for (unsigned w = 0; w < 4; w++)
            runnel_store32le(out + 4 * w, x[w]);
    }
}
#endif

const runnel_kernel runnel_lea_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("KS X 3246"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_lea_set_key,
    .block = {.encrypt_blocks = lea_encrypt_blocks, RUNNEL_DECRYPTION(runnel_lea_set_key, lea_decrypt_blocks)},
};
