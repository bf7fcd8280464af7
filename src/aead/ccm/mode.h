/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What one message of CCM and several at once share. */
#ifndef RUNNEL_AEAD_CCM_H
#define RUNNEL_AEAD_CCM_H

#include "core/aead.h"

/* Completes the first block, which holds the byte for the flags and the nonce, and writes the coded length of the
 * associated data. Returns how many bytes that takes, if there are any data. */
uint8_t runnel_ccm_first_blocks(uint8_t *first, uint64_t aad_bytes, uint64_t text_bytes, unsigned tag_bytes,
                                uint8_t length[10]);

#if RUNNEL_HOSTED
/* nblocks whole blocks of text by the kernel's ccm, which exists; `first` is counter block 0, `index` the number of the
 * next one. */
void runnel_ccm_crypt_blocks(runnel_stream *s, uint8_t *mac, const uint8_t *first, uint64_t index, uint8_t *out,
                             const uint8_t *in, size_t nblocks, int decrypt);

/* As runnel_aead_mode.batch. */
void runnel_ccm_batch(runnel_aead_context *c, const runnel_aead_message *messages,
                      uint8_t (*tags)[RUNNEL_AEAD_LONGEST_TAG], size_t count);
#endif

#endif
