/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* CCM (SP 800-38C): what it decides of a cipher's descriptor, and what one message and several at once share. */
#ifndef RUNNEL_MODES_CCM_H
#define RUNNEL_MODES_CCM_H

#include "arch/common/bytes.h"
#include "core/aead.h"
#include "modes/block_cipher_aead.h"

extern const runnel_aead_mode runnel_ccm_mode;

/* Members of a block cipher's descriptor that the mode decides. */
#define RUNNEL_CCM_TAGS                                                                                                \
    (RUNNEL_TAG(4) | RUNNEL_TAG(6) | RUNNEL_TAG(8) | RUNNEL_TAG(10) | RUNNEL_TAG(12) | RUNNEL_TAG(14) | RUNNEL_TAG(16))
#define RUNNEL_CCM_MODE(folder, bits)                                                                                  \
    RUNNEL_AEAD_OVER(folder, ccm, bits), .lengths_first = 1, .nonce_default = 12, .nonce_min = 7, .nonce_max = 13,     \
        .tag_set = RUNNEL_CCM_TAGS, .plaintext_max = RUNNEL_TEXT_MOST(UINT64_MAX, 16, 0), .aad_max = UINT64_MAX,       \
        .messages = (uint64_t)1 << 32, .nonce_reuse = RUNNEL_TEXT("shows the XOR of both messages"),                   \
        .remark = RUNNEL_TEXT("a message has at most 2^(120 - 8 n) - 1 bytes under a nonce of n bytes; tags below 8 "  \
                              "bytes only after a risk analysis (SP 800-38C, appendix B)")

/* Completes the first block, which holds the byte for the flags and the nonce, and writes the coded length of the
 * associated data. Returns how many bytes that takes, if there are any data. */
uint8_t runnel_ccm_first_blocks(uint8_t *first, uint64_t aad_bytes, uint64_t text_bytes, unsigned tag_bytes,
                                uint8_t length[10]);

#if RUNNEL_AVR
/* As runnel_aead_mode.message. */
void runnel_ccm_by_blocks(runnel_aead_context *c, const runnel_aead_message *m, uint8_t *tag);
#endif

#if RUNNEL_HOSTED
/* Counter block number `index` of a message; number 0 makes the mask of its tag. By halves, as it will be loaded: a wider
 * load of bytes just written would wait. */
static inline void runnel_ccm_counter_block(uint8_t *block, const runnel_aead_message *m, uint64_t index)
{
    const unsigned n = (unsigned)m->nonce_bytes, behind = n - 7; /* bytes of the nonce in the second half, 0 to 6 */
    const uint64_t three = runnel_load32be(m->nonce + 3) & 0xffffff;
    const uint64_t low = behind > 0 ? runnel_load64be(m->nonce + n - 8) << (64 - 8 * behind) : 0;
    runnel_store64be_at_once(block, (uint64_t)(14 - n) << 56 | (uint64_t)runnel_load32be(m->nonce) << 24 | three);
    runnel_store64be_at_once(block + 8, low + index);
}

/* nblocks whole blocks of text by the kernel's ccm, which exists; `first` is counter block 0, `index` the number of the
 * next one. */
void runnel_ccm_crypt_blocks(runnel_stream *s, uint8_t *mac, const uint8_t *first, uint64_t index, uint8_t *out,
                             const uint8_t *in, size_t nblocks, int decrypt);

/* As runnel_aead_mode.batch. */
void runnel_ccm_batch(runnel_aead_context *c, const runnel_aead_message *messages,
                      uint8_t (*tags)[RUNNEL_AEAD_LONGEST_TAG], size_t count);
#endif

#endif
