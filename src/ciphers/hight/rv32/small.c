/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HIGHT for RV32 where ROM counts, block by block: see the assembly. */
#include "block.h"

#if RUNNEL_RV32

/* In four of eight rounds bytes are combined across the halves; their subkeys are stored accordingly. */
void runnel_hight_rv32_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_hight_set_key(state, key, key_bytes);
    uint8_t *subkeys = ((runnel_hight_schedule *)state)->subkeys;
    for (unsigned round = 0; round < 32; round++, subkeys += 4)
        for (unsigned i = 0; i < 2; i++)
            if ((round + 2 - 2 * i) & 4) {
                const uint8_t first = subkeys[i];
                subkeys[i] = subkeys[i + 2];
                subkeys[i + 2] = first;
            }
}

/* By bytes, for little code. */
void runnel_hight_rv32_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                             size_t nblocks)
{
    (void)prefix;
    uint32_t x[4];
    uint8_t *const bytes = (uint8_t *)x;
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = block[i];
    for (;;) {
        runnel_hight_rv32_block(state, x + 2, x);
        for (unsigned i = 8; i < 16; i++)
            *out++ = in == NULL ? bytes[i] : bytes[i] ^ *in++;
        if (--nblocks == 0) /* a raw block is not counted: where its carry ends would be seen */
            break;
        for (unsigned i = 8; ++bytes[--i] == 0 && i > 4;) { /* count */
        }
    }
    runnel_wipe(x, sizeof x);
}

/* Encrypts a block as the keystream of counter mode that begins with it. */
static void hight_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    for (; nblocks > 0; nblocks--, in += 8, out += 8)
        runnel_hight_rv32_ctr32(state, NULL, in, out, NULL, 1);
}

const runnel_kernel runnel_hight_rv32_small = {
    .name = RUNNEL_TEXT("rv32-small"),
    .citation = RUNNEL_TEXT("TTAS.KO-12.0040; two bytes of a block in a word"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_hight_rv32_set_key,
    .block = {.encrypt_blocks = hight_encrypt_blocks, .ctr32 = runnel_hight_rv32_ctr32},
};

#endif
