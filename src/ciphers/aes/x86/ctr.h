/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES in counter mode on x86 vector registers, written once for every width: a kernel's file defines TARGET, its functions'
 * attribute, includes the vectors of its width and this file, and puts encrypt_blocks, ctr32, ctr32_little, ctr32_tail and
 * packet into its runnel_kernel. Blocks are taken in groups of GROUP from the first on (group.h), in long messages with
 * prefix tables (prefix_table.h, long_message.h); tail.h has short messages and ends. */
#ifndef AES_X86_CTR_H
#define AES_X86_CTR_H

#include <string.h>

#include "arch/common/bytes.h"
#include "group.h"
#include "long_message.h"
#if LANES == 4
#include "nontemporal.h"
#endif
#include "one_block.h"
#include "tail.h"

TARGET static void aes_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *from, size_t nblocks)
{
    const runnel_aes_schedule *s = state;
    if (nblocks == 1) {
        aes_xor_one(s, aes_load_block(from), out, NULL);
        return;
    }
    const __m128i key = aes_load_block(s->keys.bytes[0]);
    const vector base = vector_repeat(key);
    for (; nblocks >= AES_GROUP; nblocks -= AES_GROUP, from += 16 * AES_GROUP, out += 16 * AES_GROUP)
        aes_group_from_table(s, from, base, 0, NULL, base, out, NULL);
    if (nblocks > 0)
        aes_partial_group(s, from, _mm_setzero_si128(), key, 0, NULL, key, out, NULL, 16 * nblocks, NULL);
    vector_clear_upper();
}

TARGET static void aes_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                             size_t nblocks)
{
    if (nblocks == 1)
        aes_xor_one(state, aes_load_block(block), out, in);
    else if (nblocks <= AES_GROUP)
        aes_short_message(state, block, out, in, 16 * nblocks, NULL);
#if LANES == 4
    else if (aes_nontemporal_pays(prefix, out, in, nblocks))
        aes_ctr32_nontemporal(state, prefix, block, out, in, nblocks);
#endif
    else
        aes_long_message(state, prefix, block, out, in, 16 * nblocks, NULL);
}

TARGET static void aes_ctr32_tail(const void *state, void *prefix, const uint8_t *block, uint8_t *out,
                                  const uint8_t *in, size_t nblocks, size_t tail, uint8_t *leftover)
{
    if (nblocks < AES_GROUP) {
        aes_short_message(state, block, out, in, 16 * nblocks + tail, leftover);
        return;
    }
#if LANES == 4
    if (aes_nontemporal_pays(prefix, out, in, nblocks)) {
        uint8_t last[16];
        memcpy(last, block, sizeof last);
        runnel_store32be(last + 12, runnel_load32be(last + 12) + (uint32_t)nblocks);
        aes_ctr32_nontemporal(state, prefix, block, out, in, nblocks);
        aes_short_message(state, last, out + 16 * nblocks, in + 16 * nblocks, tail, leftover);
        return;
    }
#endif
    aes_long_message(state, prefix, block, out, in, 16 * nblocks + tail, leftover);
}

TARGET static void aes_ctr32_little(const void *state, void *prefix, const uint8_t *block, uint8_t *out,
                                    const uint8_t *in, size_t nblocks)
{
    if (nblocks == 1)
        aes_xor_one(state, aes_load_block(block), out, in);
    else if (nblocks <= AES_GROUP)
        aes_short_message_little(state, block, out, in, nblocks);
    else
        aes_long_message_little(state, prefix, block, out, in, nblocks);
}

#endif
