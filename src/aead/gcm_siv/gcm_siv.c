/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-GCM-SIV (RFC 8452) over any cipher with blocks of 16 bytes. POLYVAL is GHASH with the bytes of the key and of
 * every block reversed, and the key multiplied by x. */
#include "core/aead.h"

#include "arch/common/barrier.h"
#include "arch/common/bytes.h"
#include "core/driver.h"
#include "macs/ghash/kernels.h"

static int set_key(const runnel_aead *aead, runnel_aead_context *c, const uint8_t *key, const char *kernel)
{
    const int error = runnel_aead_key_cipher(aead, c, key, aead->key_bytes, kernel);
    if (!error) {
        runnel_gcm_siv *g = (void *)((uint8_t *)c + aead->part_offset);
        memcpy(g->key, key, aead->key_bytes);
    }
    return error;
}

static void reverse(uint8_t *out, const uint8_t *in)
{
    for (unsigned i = 0; i < 16; i++)
        out[i] = in[15 - i];
}

/* The keys of one message: the cipher's, and that of the hash. */
static void derive_keys(runnel_aead_context *c, const uint8_t *nonce)
{
    runnel_stream *s = &runnel_aead_cipher(c)->stream;
    runnel_gcm_siv *g = runnel_aead_part(c);
    const size_t key_bytes = c->aead->key_bytes, nblocks = 2 + key_bytes / 8;
    uint8_t blocks[6][16], keys[48], hash_key[16];
    s->kernel->key(runnel_state_of(s), g->key, key_bytes);
    for (size_t i = 0; i < nblocks; i++) {
        runnel_store32le(blocks[i], (uint32_t)i);
        memcpy(blocks[i] + 4, nonce, 12);
    }
    s->kernel->block.encrypt_blocks(runnel_state_of(s), blocks[0], blocks[0], nblocks);
    for (size_t i = 0; i < nblocks; i++)
        memcpy(keys + 8 * i, blocks[i], 8);
    if (s->cipher->prefix_offset)
        memset((uint8_t *)s + s->cipher->prefix_offset, 0, 8);
    s->kernel->key(runnel_state_of(s), keys + 16, key_bytes);

    uint8_t carry = 0; /* times x: in GHASH's order a shift to the right */
    reverse(hash_key, keys);
    for (unsigned i = 0; i < 16; i++) {
        const uint8_t byte = hash_key[i];
        hash_key[i] = (uint8_t)(byte >> 1 | carry << 7);
        carry = byte & 1;
    }
    hash_key[0] ^= (uint8_t)(runnel_value_barrier8((uint8_t)(0 - carry)) & 0xe1);
    runnel_ghash_set_key(&g->hash, hash_key);
    runnel_wipe(blocks, sizeof blocks);
    runnel_wipe(keys, sizeof keys);
    runnel_wipe(hash_key, sizeof hash_key);
}

/* Adds data, padded with zeros to whole blocks. */
static void absorb(runnel_gcm_siv *g, const uint8_t *data, size_t bytes)
{
    uint8_t turned[RUNNEL_BUFFERED_BLOCKS][16];
    while (bytes > 0) {
        size_t n = 0;
        for (; n < RUNNEL_BUFFERED_BLOCKS && bytes >= 16; n++, data += 16, bytes -= 16)
            reverse(turned[n], data);
        if (n < RUNNEL_BUFFERED_BLOCKS && bytes > 0) {
            uint8_t last[16] = {0};
            memcpy(last, data, bytes);
            reverse(turned[n++], last);
            runnel_wipe(last, sizeof last);
            bytes = 0;
        }
        runnel_ghash_absorb(&g->hash, turned[0], n);
    }
    runnel_wipe(turned, sizeof turned);
}

static void make_tag(runnel_aead_context *c, const runnel_aead_message *m, const uint8_t *text, uint8_t *tag)
{
    runnel_stream *s = &runnel_aead_cipher(c)->stream;
    runnel_gcm_siv *g = runnel_aead_part(c);
    uint8_t block[16];
    absorb(g, m->aad, m->aad_bytes);
    absorb(g, text, m->bytes);
    runnel_store64le(block, (uint64_t)m->aad_bytes << 3);
    runnel_store64le(block + 8, (uint64_t)m->bytes << 3);
    absorb(g, block, sizeof block);
    runnel_ghash_take_sum(&g->hash, block);
    reverse(tag, block);
    runnel_xor_bytes(tag, tag, m->nonce, 12);
    tag[15] &= 0x7f;
    s->kernel->block.encrypt_blocks(runnel_state_of(s), tag, tag, 1);
    runnel_wipe(block, sizeof block);
}

static void xor_text(runnel_stream *s, const runnel_aead_message *m, const uint8_t *tag)
{
    const runnel_count blocks = runnel_ctr_blocks(RUNNEL_LE32);
    uint8_t first[16];
    memcpy(first, tag, sizeof first);
    first[15] |= 0x80;
    runnel_begin(s, first, sizeof first, RUNNEL_LE32, &blocks);
    if (m->bytes > 0)
        runnel_aead_xor(s, m->out, m->in, m->bytes);
}

static void message(runnel_aead_context *c, const runnel_aead_message *m, uint8_t *tag)
{
    runnel_stream *s = &runnel_aead_cipher(c)->stream;
    derive_keys(c, m->nonce);
    if (m->decrypt) {
        xor_text(s, m, tag);
        make_tag(c, m, m->out, tag);
    } else {
        make_tag(c, m, m->in, tag);
        xor_text(s, m, tag);
    }
}

const runnel_aead_mode runnel_gcm_siv_mode = {
    .key = set_key,
    .kernel = runnel_aead_kernel_of_cipher,
    .message = message,
};
