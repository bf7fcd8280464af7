/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Cipher feedback with whole-block segments (CFB128; SP 800-38A 6.3), written once for all block ciphers.
 *
 * The register is the array behind the context's head. Between blocks it holds the last ciphertext block (the IV at
 * first); within a block its last s->leftover bytes are encryption not used yet, those before them ciphertext. */
#include "mode.h"

#include "arch/common/bytes.h"
#include "arch/common/wipe.h"
#include "core/driver.h"
#include "modes/fused.h"

static void cfb_encrypt_register(runnel_stream *s)
{
    uint8_t *reg = runnel_leftover_array(s);
    s->kernel->block.encrypt_blocks(runnel_state_of(s), reg, reg, 1);
    s->leftover = s->cipher->block_bytes;
    s->block++;
}

/* XORs n <= s->leftover bytes and puts their ciphertext into the register. */
static void cfb_within_block(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t n, int decrypt)
{
    uint8_t *reg = runnel_leftover_array(s) + s->cipher->block_bytes - s->leftover;
    for (size_t i = 0; i < n; i++) {
        const uint8_t given = in[i], made = given ^ reg[i];
        reg[i] = decrypt ? given : made;
        out[i] = made;
    }
    s->leftover = (uint16_t)(s->leftover - n);
}

/* Stores a block's ciphertext to the output and the register in one piece: the next block loads the register as a
 * whole, and narrower stores would not be forwarded to that load. */
static inline void cfb_xor_block(uint8_t *reg, uint8_t *out, const uint8_t *in)
{
#if RUNNEL_TWO_WORDS
    runnel_two_words a, b;
    memcpy(&a, in, 16);
    memcpy(&b, reg, 16);
    a ^= b;
    memcpy(out, &a, 16);
    memcpy(reg, &a, 16);
#else
    runnel_xor_bytes(out, in, reg, 16);
    memcpy(reg, out, 16);
#endif
}

static void cfb_encrypt(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes)
{
#if RUNNEL_HOSTED
    if (runnel_fused_of(s->kernel)->cfb != NULL) {
        const size_t block_bytes = s->cipher->block_bytes, n = bytes < s->leftover ? bytes : s->leftover;
        cfb_within_block(s, out, in, n, 0);
        const size_t nblocks = runnel_whole_blocks(bytes - n, block_bytes), made = n + nblocks * block_bytes;
        if (nblocks > 0) {
            runnel_fused_of(s->kernel)->cfb(runnel_state_of(s), runnel_leftover_array(s), out + n, in + n, nblocks);
            s->block += nblocks;
        }
        out += made;
        in += made;
        bytes -= made;
    }
#endif
    if (s->leftover == 0 && s->cipher->block_bytes == 16) {
        uint8_t *reg = runnel_leftover_array(s);
        for (; bytes >= 16; bytes -= 16, out += 16, in += 16) {
            s->kernel->block.encrypt_blocks(runnel_state_of(s), reg, reg, 1);
            cfb_xor_block(reg, out, in);
            s->block++;
        }
    }
    while (bytes > 0) {
        if (s->leftover == 0)
            cfb_encrypt_register(s);
        const size_t n = bytes < s->leftover ? bytes : s->leftover;
        cfb_within_block(s, out, in, n, 0);
        out += n;
        in += n;
        bytes -= n;
    }
}

/* Whole blocks from a block's start on. The cipher's inputs are all known beforehand, so blocks are encrypted
 * together. */
static void cfb_decrypt_blocks(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t nblocks)
{
#if RUNNEL_HOSTED
    if (runnel_fused_of(s->kernel)->cfb_decrypt != NULL) {
        runnel_fused_of(s->kernel)->cfb_decrypt(runnel_state_of(s), runnel_leftover_array(s), out, in, nblocks);
        return;
    }
#endif
    uint8_t inputs[RUNNEL_BUFFERED_BLOCKS * 16], *reg = runnel_leftover_array(s);
    const size_t block_bytes = s->cipher->block_bytes;
    const size_t most = nblocks < RUNNEL_BUFFERED_BLOCKS ? nblocks : RUNNEL_BUFFERED_BLOCKS;
    while (nblocks > 0) {
        const size_t n = nblocks < RUNNEL_BUFFERED_BLOCKS ? nblocks : RUNNEL_BUFFERED_BLOCKS, bytes = n * block_bytes;
        memcpy(inputs, reg, block_bytes);
        memcpy(inputs + block_bytes, in, bytes - block_bytes);
        memcpy(reg, in + bytes - block_bytes, block_bytes);
        s->kernel->block.encrypt_blocks(runnel_state_of(s), inputs, inputs, n);
        runnel_xor_bytes(out, in, inputs, bytes);
        out += bytes;
        in += bytes;
        nblocks -= n;
    }
    runnel_wipe(inputs, most * block_bytes);
}

static void cfb_decrypt(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes)
{
    size_t n = bytes < s->leftover ? bytes : s->leftover;
    cfb_within_block(s, out, in, n, 1);
    const size_t nblocks = runnel_whole_blocks(bytes - n, s->cipher->block_bytes);
    if (nblocks > 0) {
        cfb_decrypt_blocks(s, out + n, in + n, nblocks);
        s->block += (runnel_count)nblocks;
        n += nblocks * s->cipher->block_bytes;
    }
    if (n < bytes) {
        cfb_encrypt_register(s);
        cfb_within_block(s, out + n, in + n, bytes - n, 1);
    }
}

const runnel_directions runnel_cfb = {cfb_encrypt, cfb_decrypt};
