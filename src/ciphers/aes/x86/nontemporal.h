/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Counter mode with non-temporal stores, for messages that no cache holds. A plain store reads its line of memory
 * first; one of these, of a whole line, does not, and leaves the line in no cache. From AES_NONTEMPORAL_BYTES on, where
 * output and input are apart, AES-CTR then takes three quarters of the time, and still less than before if the output
 * is read afterwards. At a quarter of that size both are equally fast, below it plain stores are faster; the threshold
 * lies well above, since caches differ. What a processor reports of its caches is no guide: a virtual machine has a
 * share of them. A kernel whose computation takes longer than its memory accesses, such as ChaCha20's, gains nothing.
 * The includer defines TARGET and includes arch/x86/blocks_512.h. */
#ifndef AES_X86_NONTEMPORAL_H
#define AES_X86_NONTEMPORAL_H

#include <string.h>

#include "arch/common/bytes.h"
#include "group.h"
#include "long_message.h"
#include "prefix_table.h"

enum { AES_NONTEMPORAL_BYTES = 32 << 20 };

RUNNEL_INLINE int aes_nontemporal_pays(const aes_x86_prefix *p, const uint8_t *out, const uint8_t *in, size_t nblocks)
{
    return nblocks >= AES_NONTEMPORAL_BYTES / 16 && p != NULL && in != NULL && in != out && (uintptr_t)out % 16 == 0;
}

/* A whole group, at the start of a line, from the states after two rounds. */
TARGET RUNNEL_INLINE void aes_nontemporal_group(const runnel_aes_schedule *s, const uint8_t *from, vector base,
                                                uint8_t *out, const uint8_t *in)
{
    vector x[AES_GROUP_VECTORS];
    aes_load_states(x, base, from);
    const vector last = vector_repeat_at(aes_rounds_from_3(x, AES_GROUP_VECTORS, s));
    RUNNEL_UNROLL
    for (int i = 0; i < AES_GROUP_VECTORS; i++)
        vector_stream(out + VECTOR_BYTES * i,
                      vector_aes_last_round(x[i], vector_xor(last, vector_load(in + VECTOR_BYTES * i))));
}

/* As aes_long_message, which makes the blocks before the first line, and groups that fill the table or lie in two runs:
 * its own loop is that of messages in the caches, and would become slower by these stores. */
TARGET static RUNNEL_NOINLINE void aes_ctr32_nontemporal(const runnel_aes_schedule *s, aes_x86_prefix *p,
                                                         const uint8_t *block, uint8_t *out, const uint8_t *in,
                                                         size_t nblocks)
{
    const unsigned before_line = (unsigned)(0 - (uintptr_t)out) % 64 / 16;
    __m128i counter = aes_turn_counter(aes_load_block(block), 0);
    size_t n = before_line > 0 ? before_line : AES_GROUP;
    uint8_t at[16];
    memcpy(at, block, sizeof at);
    aes_long_message(s, p, at, out, in, 16 * n, NULL);
    for (;;) {
        nblocks -= n;
        if (nblocks == 0)
            break;
        out += 16 * n;
        in += 16 * n;
        counter = aes_add_to_turned(counter, (int)n, 0);
        const unsigned word = (unsigned)_mm_extract_epi32(counter, 3), b = word % RUN, entry = (b - p->phase) % RUN;
        n = nblocks < AES_GROUP ? nblocks : AES_GROUP;
        if (n == AES_GROUP && b <= RUN - AES_GROUP && entry + AES_GROUP <= p->filled) {
            const aes_run_base base = aes_base_states(s, aes_add_to_turned(counter, -(int)b, 0), 0);
            aes_nontemporal_group(s, p->two_rounds[entry], vector_repeat(base.after_2), out, in);
        } else {
            runnel_store32be(at + 12, word);
            aes_long_message(s, p, at, out, in, 16 * n, NULL);
        }
    }
    _mm_sfence();
    vector_clear_upper();
}

#endif
