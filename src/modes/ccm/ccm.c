/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* CCM (SP 800-38C) over any cipher with blocks of 16 bytes: CBC-MAC and counter mode by a kernel's code for both at once, or
 * a block of each in one call, because two blocks take a kernel in bit slices no longer than one. */
#include "mode.h"

#include "arch/common/bytes.h"
#include "core/driver.h"
#include "modes/fused.h"

static int ccm_set_key(const runnel_aead *aead, runnel_aead_context *c, const uint8_t *key, const char *kernel)
{
    return runnel_aead_key_cipher(aead, c, key, aead->key_bytes, kernel);
}

/* The length of the longest message, which the length field limits. */
static uint64_t ccm_plaintext_max(size_t nonce_bytes)
{
    const unsigned bits = (unsigned)(8 * (15 - nonce_bytes));
    const uint64_t most = bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    return RUNNEL_TEXT_MOST(most, 16, 0);
}

/* The chain's last block waits until more comes, so that it can be encrypted together with a counter block. */
static void ccm_settle(runnel_stream *s, runnel_ccm *m)
{
    if (m->filled > 0)
        s->kernel->block.encrypt_blocks(runnel_state_of(s), m->mac, m->mac, 1);
    m->filled = 0;
}

static void ccm_absorb(runnel_stream *s, runnel_ccm *m, const uint8_t *data, size_t bytes)
{
    for (size_t n; bytes > 0; data += n, bytes -= n) {
        if (m->filled == 16)
            ccm_settle(s, m);
#if RUNNEL_HOSTED
        if (m->filled == 0 && bytes >= 16 && runnel_fused_of(s->kernel)->chain != NULL) {
            n = bytes / 16 * 16;
            runnel_fused_of(s->kernel)->chain(runnel_state_of(s), m->mac, data, bytes / 16);
            continue;
        }
#endif
        n = bytes < 16u - m->filled ? bytes : 16u - m->filled;
        runnel_xor_bytes(m->mac + m->filled, m->mac + m->filled, data, n);
        m->filled = (uint8_t)(m->filled + n);
    }
}

/* Zeros are there already. */
static void ccm_pad(runnel_ccm *m)
{
    if (m->filled > 0)
        m->filled = 16;
}

/* Makes block number `index` of the keystream, in mask, and encrypts what waits in the chain. */
static void ccm_make_block(runnel_ctr_head *head, runnel_ccm *m, runnel_count index)
{
    runnel_stream *s = &head->stream;
    uint8_t *const both = (uint8_t *)m;                      /* mac and mask lie beside each other */
    runnel_counter_block_after(m->mask, head->first, index); /* the message's length keeps it off the nonce */
    if (m->filled > 0)
        s->kernel->block.encrypt_blocks(runnel_state_of(s), both, both, 2);
    else
        s->kernel->block.encrypt_blocks(runnel_state_of(s), m->mask, m->mask, 1);
    m->filled = 0;
}

/* Until the lengths are known, mac holds the start of the first block: the byte for the flags and the nonce. */
static void ccm_start(runnel_aead_context *c, const uint8_t *nonce, size_t nonce_bytes)
{
    runnel_ctr_head *s = runnel_aead_cipher(c);
    runnel_ccm *m = runnel_aead_part(c);
    memset(m->mac, 0, sizeof m->mac);
    m->mac[0] = (uint8_t)(14 - nonce_bytes);
    memcpy(m->mac + 1, nonce, nonce_bytes);
    m->filled = 0;
    memcpy(s->first, m->mac, sizeof s->first);
    s->stream.block = 1; /* number 0 encrypts the tag */
}

uint8_t runnel_ccm_first_blocks(uint8_t *first, uint64_t aad_bytes, uint64_t text_bytes, unsigned tag_bytes,
                                uint8_t length[10])
{
    const unsigned flags = (aad_bytes > 0 ? 0x40u : 0) | (tag_bytes - 2) / 2 << 3;
#if RUNNEL_HOSTED /* by halves, as they will be loaded */
    runnel_store64be_at_once(first, runnel_load64be(first) | (uint64_t)flags << 56);
    runnel_store64be_at_once(first + 8, runnel_load64be(first + 8) | text_bytes);
#else
    const unsigned width = first[0] + 1u;
    first[0] = (uint8_t)(flags | first[0]);
    for (unsigned i = 0; i < width; i++, text_bytes >>= 8)
        first[15 - i] = (uint8_t)text_bytes;
#endif
    if (aad_bytes < 0xff00) {
        length[0] = (uint8_t)(aad_bytes >> 8);
        length[1] = (uint8_t)aad_bytes;
        return 2;
    }
    length[0] = 0xff;
    if (aad_bytes <= UINT32_MAX) {
        length[1] = 0xfe;
        runnel_store32be(length + 2, (uint32_t)aad_bytes);
        return 6;
    }
    length[1] = 0xff;
    runnel_store64be(length + 2, aad_bytes);
    return 10;
}

static void ccm_lengths(runnel_aead_context *c)
{
    runnel_ccm *m = runnel_aead_part(c);
    uint8_t length[10];
    const uint8_t bytes = runnel_ccm_first_blocks(m->mac, c->aad_total, c->text_total, c->tag_bytes, length);
    m->filled = 16;
    if (c->aad_total > 0)
        ccm_absorb(&runnel_aead_cipher(c)->stream, m, length, bytes);
}

static void ccm_aad(runnel_aead_context *c, const uint8_t *data, size_t bytes)
{
    ccm_absorb(&runnel_aead_cipher(c)->stream, runnel_aead_part(c), data, bytes);
}

static void ccm_text(runnel_aead_context *c)
{
    ccm_pad(runnel_aead_part(c));
}

/* `at` bytes of a block are done. */
static void ccm_crypt_and_absorb(runnel_ctr_head *head, runnel_ccm *m, unsigned at, uint8_t *out, const uint8_t *in,
                                 size_t bytes, int decrypt)
{
    for (size_t n; bytes > 0; bytes -= n, in += n, out += n, at = 0) {
        n = bytes < 16 - at ? bytes : 16 - at;
        if (at == 0)
            ccm_make_block(head, m, head->stream.block++);
        if (!decrypt)
            runnel_xor_bytes(m->mac + at, m->mac + at, in, n);
        runnel_xor_bytes(out, in, m->mask + at, n);
        if (decrypt)
            runnel_xor_bytes(m->mac + at, m->mac + at, out, n);
        m->filled = (uint8_t)(at + n);
    }
}

#if RUNNEL_HOSTED
void runnel_ccm_crypt_blocks(runnel_stream *s, uint8_t *mac, const uint8_t *first, uint64_t index, uint8_t *out,
                             const uint8_t *in, size_t nblocks, int decrypt)
{
    while (nblocks > 0) {
        uint8_t block[16];
        runnel_counter_block_after(block, first, index);
        const uint32_t more = runnel_blocks_after(s->kernel, runnel_load32be(block + 12));
        const size_t n = nblocks - 1 <= more ? nblocks : (size_t)more + 1;
        runnel_fused_of(s->kernel)->ccm(runnel_state_of(s), mac, block, out, in, n, decrypt);
        index += n;
        out += 16 * n;
        in += 16 * n;
        nblocks -= n;
    }
}
#endif

static void ccm_crypt(runnel_aead_context *c, uint8_t *out, const uint8_t *in, size_t bytes, int decrypt)
{
    runnel_ctr_head *head = runnel_aead_cipher(c);
    runnel_ccm *m = runnel_aead_part(c);
    unsigned at = (unsigned)(c->text_bytes % 16);
#if RUNNEL_HOSTED
    runnel_stream *s = &head->stream;
    const size_t room = (16 - at) % 16, before = bytes < room ? bytes : room;
    const size_t nblocks = (bytes - before) / 16, taken = before + 16 * nblocks;
    if (runnel_fused_of(s->kernel)->ccm != NULL && nblocks > 0) {
        ccm_crypt_and_absorb(head, m, at, out, in, before, decrypt);
        ccm_settle(s, m);
        runnel_ccm_crypt_blocks(s, m->mac, head->first, s->block, out + before, in + before, nblocks, decrypt);
        s->block += nblocks;
        out += taken;
        in += taken;
        bytes -= taken;
        at = 0;
    }
#endif
    ccm_crypt_and_absorb(head, m, at, out, in, bytes, decrypt);
}

static void ccm_tag(runnel_aead_context *c, uint8_t *longest)
{
    runnel_ccm *m = runnel_aead_part(c);
    ccm_make_block(runnel_aead_cipher(c), m, 0);
    runnel_xor_bytes(longest, m->mac, m->mask, sizeof m->mask);
}

#if RUNNEL_HOSTED
/* The last block of text, which is not whole; `block` is its counter block and wiped. */
static void ccm_crypt_tail(runnel_stream *s, uint8_t *mac, uint8_t *block, uint8_t *out, const uint8_t *in,
                           size_t bytes, int decrypt)
{
    s->kernel->block.encrypt_blocks(runnel_state_of(s), block, block, 1);
    if (!decrypt)
        runnel_xor_bytes(mac, mac, in, bytes);
    runnel_xor_bytes(out, in, block, bytes);
    if (decrypt)
        runnel_xor_bytes(mac, mac, out, bytes);
    s->kernel->block.encrypt_blocks(runnel_state_of(s), mac, mac, 1);
    runnel_wipe(block, 16);
}

/* A whole message by the kernel's ccm. */
static void ccm_message(runnel_aead_context *c, const runnel_aead_message *m, uint8_t *longest)
{
    runnel_stream *s = &runnel_aead_cipher(c)->stream;
    runnel_ccm *chained = runnel_aead_part(c);
    if (runnel_fused_of(s->kernel)->ccm == NULL) {
        runnel_aead_by_pieces(c, m, longest);
        return;
    }
    uint8_t first[16], blocks[2][16], length[10], *const mac = blocks[0], *const mask = blocks[1];
    runnel_ccm_counter_block(first, m, 0);
    runnel_ccm_counter_block(mac, m, 0);
    runnel_ccm_counter_block(mask, m, 0);
    const uint8_t bytes = runnel_ccm_first_blocks(mac, m->aad_bytes, m->bytes, m->tag_bytes, length);
    s->kernel->block.encrypt_blocks(runnel_state_of(s), mac, mac, 1); /* alone, these have the least latency */
    s->kernel->block.encrypt_blocks(runnel_state_of(s), mask, mask, 1);
    if (m->aad_bytes > 0) {
        memcpy(chained->mac, mac, 16);
        chained->filled = 0;
        ccm_absorb(s, chained, length, bytes);
        ccm_absorb(s, chained, m->aad, m->aad_bytes);
        ccm_settle(s, chained);
        memcpy(mac, chained->mac, 16);
    }
    const size_t whole = m->bytes / 16 * 16;
    runnel_ccm_crypt_blocks(s, mac, first, 1, m->out, m->in, m->bytes / 16, m->decrypt);
    if (m->bytes > whole) {
        runnel_ccm_counter_block(first, m, 1 + m->bytes / 16);
        ccm_crypt_tail(s, mac, first, m->out + whole, m->in + whole, m->bytes - whole, m->decrypt);
    }
    runnel_xor_bytes(longest, mac, mask, 16);
    runnel_wipe(blocks, sizeof blocks);
}
#endif

const runnel_aead_mode runnel_ccm_mode = {
    .key = ccm_set_key,
    .kernel = runnel_aead_kernel_of_cipher,
    .plaintext_max = ccm_plaintext_max,
    .start = ccm_start,
    .lengths = ccm_lengths,
    .aad = ccm_aad,
    .text = ccm_text,
    .crypt = ccm_crypt,
    .tag = ccm_tag,
#if RUNNEL_AVR
    .message = runnel_ccm_by_blocks,
#elif RUNNEL_HOSTED
    .message = ccm_message,
    .batch = runnel_ccm_batch,
#endif
};
