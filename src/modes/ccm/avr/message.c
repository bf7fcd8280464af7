/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A whole message of CCM on 8-bit AVR, block by block: what a packet costs beside its blocks is little more than its bytes'
 * way through keystream and chain (block.S). */
#include "modes/ccm/mode.h"

#include "arch/common/offsets.h"

#if RUNNEL_AVR

/* The chain is at `blocks`, the keystream behind it. */
void runnel_ccm_avr_encrypt(uint8_t *blocks, uint8_t *out, const uint8_t *in, uint8_t bytes);
void runnel_ccm_avr_decrypt(uint8_t *blocks, uint8_t *out, const uint8_t *in, uint8_t bytes);

/* Where block.S finds them. */
RUNNEL_CHECK_OFFSET(runnel_ccm, mac, 0);
RUNNEL_CHECK_OFFSET(runnel_ccm, mask, 16);

/* The cipher, with what would take time to find in flash for each block. */
typedef struct ccm_cipher {
    void (*encrypt_blocks)(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks);
    const void *state;
} ccm_cipher;

RUNNEL_INLINE void ccm_encrypt_block(const ccm_cipher *e, uint8_t *out, const uint8_t *in)
{
    e->encrypt_blocks(e->state, out, in, 1);
}

/* Adds associated data, after their coded length, to the chain. */
RUNNEL_INLINE void ccm_chain_aad(const ccm_cipher *e, uint8_t *mac, const uint8_t *aad, size_t bytes)
{
    uint8_t at = 2;
    mac[0] ^= (uint8_t)(bytes >> 8); /* there is no memory for the 0xff00 bytes whose length is coded otherwise */
    mac[1] ^= (uint8_t)bytes;
    for (;;) {
        const uint8_t room = 16 - at, n = bytes < room ? (uint8_t)bytes : room;
        runnel_xor_bytes(mac + at, mac + at, aad, n);
        ccm_encrypt_block(e, mac, mac);
        if (n == bytes)
            return;
        aad += n;
        bytes -= n;
        at = 0;
    }
}

/* Makes the chain's first block of counter block 0 and back. */
RUNNEL_INLINE void ccm_exchange_ends(uint8_t *block, uint8_t flags, size_t bytes)
{
    block[0] ^= flags;
    block[14] ^= (uint8_t)(bytes >> 8);
    block[15] ^= (uint8_t)bytes;
}

void runnel_ccm_by_blocks(runnel_aead_context *c, const runnel_aead_message *m, uint8_t *tag)
{
    runnel_ctr_head *const head = runnel_aead_cipher(c);
    runnel_ccm *const chained = runnel_aead_part(c);
    uint8_t *const mac = chained->mac, *const keystream = chained->mask, *out = m->out;
    uint8_t *const counter = head->first, *const mask = head->leftover;
    const uint8_t *in = m->in;
    const ccm_cipher e = {head->stream.kernel->block.encrypt_blocks, runnel_state_of(&head->stream)};
    const uint8_t flags = (uint8_t)((uint8_t)(m->tag_bytes - 2) << 2 | (m->aad_bytes > 0 ? 0x40 : 0));
    memset(counter, 0, 16);
    counter[0] = (uint8_t)(14 - m->nonce_bytes);
    memcpy(counter + 1, m->nonce, m->nonce_bytes);
    ccm_encrypt_block(&e, mask, counter);
    ccm_exchange_ends(counter, flags, m->bytes);
    ccm_encrypt_block(&e, mac, counter);
    ccm_exchange_ends(counter, flags, m->bytes);
    if (m->aad_bytes > 0)
        ccm_chain_aad(&e, mac, m->aad, m->aad_bytes);
    for (size_t left = m->bytes; left > 0;) {
        const uint8_t n = left < 16 ? (uint8_t)left : 16;
        if (++counter[15] == 0) /* a message has at most 65,535 bytes */
            counter[14]++;
        ccm_encrypt_block(&e, keystream, counter);
        if (m->decrypt)
            runnel_ccm_avr_decrypt(mac, out, in, n);
        else
            runnel_ccm_avr_encrypt(mac, out, in, n);
        ccm_encrypt_block(&e, mac, mac);
        in += n;
        out += n;
        left -= n;
    }
    runnel_xor_bytes(tag, mac, mask, 16);
}

#endif
