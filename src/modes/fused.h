/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Optional functions of a block cipher's kernel for the modes above it: several steps of a mode in one function, where
 * they fit into each other. All that core/kernel.h says of kernels holds for these functions. The core carries them
 * with the kernel and does not look at them. */
#ifndef RUNNEL_MODES_FUSED_H
#define RUNNEL_MODES_FUSED_H

#include <stddef.h>
#include <stdint.h>

/* Messages side by side, for ccm_lanes. A lane without a message reads what another reads, and writes where nobody
 * reads. */
#define RUNNEL_CCM_LANES 8
typedef struct runnel_ccm_lanes {
    uint8_t macs[RUNNEL_CCM_LANES][16];
    uint8_t counters[RUNNEL_CCM_LANES][16]; /* the next counter blocks, which do not wrap, as in ctr32 */
    const uint8_t *in[RUNNEL_CCM_LANES];
    uint8_t *out[RUNNEL_CCM_LANES];
} runnel_ccm_lanes;

/* Each may be NULL: the mode then does the same by the kernel's other functions. state is that of runnel_block_functions. */
typedef struct runnel_fused_functions {
    /* mac = E(mac XOR block) for each of nblocks >= 1 blocks, one after the other: CBC-MAC. */
    void (*chain)(const void *state, uint8_t *mac, const uint8_t *blocks, size_t nblocks);
    /* CFB of nblocks >= 1 blocks. Encryption, one after the other: last = out = in XOR E(last). Decryption: last is the
     * ciphertext instead, which is there from the beginning. */
    void (*cfb)(const void *state, uint8_t *last, uint8_t *out, const uint8_t *in, size_t nblocks);
    void (*cfb_decrypt)(const void *state, uint8_t *last, uint8_t *out, const uint8_t *in, size_t nblocks);
    /* CCM in one pass: ctr32 without a prefix, and chain over the plaintext, which is `out` if decrypt is 1 and `in` if
     * it is 0. The chain waits for itself: the counter blocks fit between its rounds. */
    void (*ccm)(const void *state, uint8_t *mac, const uint8_t *block, uint8_t *out, const uint8_t *in, size_t nblocks,
                int decrypt);
    /* The same for nblocks >= 1 blocks of every lane; counters advance, places do not. If not NULL, ccm exists too. */
    void (*ccm_lanes)(const void *state, runnel_ccm_lanes *l, size_t nblocks, int decrypt);
    const struct runnel_gcm_functions *gcm;         /* modes/gcm/mode.h */
    const struct runnel_gcm_siv_functions *gcm_siv; /* modes/gcm_siv/mode.h */
} runnel_fused_functions;

#endif
