/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HIGHT for RV32, block by block: see the assembly. */
#include "hight_rv32.h"

#if RUNNEL_RV32

#include "../../core/bytes.h"

/* Bytes meet each other from the other half in four of eight rounds, which is where their subkeys are put. */
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

void runnel_hight_rv32_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    uint32_t x[2];
    for (; nblocks > 0; nblocks--, in += 8, out += 8) {
        memcpy(x, in, 8);
        runnel_hight_rv32_block(state, x, x);
        memcpy(out, x, 8);
    }
    runnel_wipe(x, sizeof x);
}

void runnel_hight_rv32_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                             size_t nblocks)
{
    (void)prefix;
    uint32_t x[4];
    uint8_t *const bytes = (uint8_t *)x, *const keystream = bytes + 8;
    memcpy(bytes, block, 8);
    for (uint32_t number = runnel_load32be(block + 4); nblocks > 0; nblocks--, out += 8) {
        runnel_store32be(bytes + 4, number++);
        runnel_hight_rv32_block(state, x + 2, x);
        runnel_xor_bytes(out, in, keystream, 8);
        in = in == NULL ? NULL : in + 8;
    }
    runnel_wipe(x, sizeof x);
}

const runnel_kernel runnel_hight_rv32_small = {
    .name = RUNNEL_TEXT("rv32-small"),
    .source = RUNNEL_TEXT("TTAS.KO-12.0040; two bytes of a block in a word"),
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_hight_rv32_set_key,
    .encrypt_blocks = runnel_hight_rv32_encrypt_blocks,
    .ctr32 = runnel_hight_rv32_ctr32,
};

#endif
