/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-GCM-SIV (RFC 8452) over any cipher with blocks of 16 bytes. POLYVAL is GHASH with the bytes of the key and of
 * every block reversed, and the key multiplied by x. */
#include "mode.h"

#include "arch/common/barrier.h"
#include "arch/common/bytes.h"
#include "core/driver.h"
#include "modes/fused.h"

/* Hosts keep the schedule of the key from which each message's keys come, behind the cipher's context; firmware has no
 * room for it and keeps the key. */
#if RUNNEL_HOSTED
static void *gcm_siv_master_of(runnel_stream *s)
{
    return (uint8_t *)s + s->cipher->context_bytes;
}
#endif

static int gcm_siv_set_key(const runnel_aead *aead, runnel_aead_context *c, const uint8_t *key, const char *kernel)
{
    runnel_gcm_siv *g = (void *)((uint8_t *)c + aead->mode_offset);
#if RUNNEL_HOSTED /* the cipher's own key comes with each message */
    runnel_stream *s = (void *)((uint8_t *)c + aead->cipher_offset);
    const int error = runnel_family_begin(aead->ciphers, s, aead->key_bytes, kernel);
    if (error)
        return error;
    const runnel_gcm_siv_functions *own = runnel_fused_of(s->kernel)->gcm_siv;
    g->own = own != NULL && (own->cpu & ~runnel_cpu()) == 0 ? own : NULL;
    s->kernel->key(gcm_siv_master_of(s), key, aead->key_bytes);
    runnel_ghash_clear(&g->hash);
#else
    const int error = runnel_aead_key_cipher(aead, c, key, aead->key_bytes, kernel);
    if (error)
        return error;
    memcpy(g->key, key, aead->key_bytes);
#endif
    return RUNNEL_OK;
}

static void gcm_siv_reverse(uint8_t *out, const uint8_t *in)
{
    const uint64_t low = runnel_load64le(in), high = runnel_load64le(in + 8);
    runnel_store64be_at_once(out, high);
    runnel_store64be_at_once(out + 8, low);
}

/* The first n blocks of a nonce, encrypted under the key itself. */
static void gcm_siv_encrypt_under_key(runnel_stream *s, runnel_gcm_siv *g, uint8_t (*blocks)[16], size_t n)
{
#if RUNNEL_HOSTED
    (void)g;
    s->kernel->block.encrypt_blocks(gcm_siv_master_of(s), blocks[0], blocks[0], n);
#else
    s->kernel->key(runnel_state_of(s), g->key, s->key_bytes);
    s->kernel->block.encrypt_blocks(runnel_state_of(s), blocks[0], blocks[0], n);
#endif
}

/* The keys of one message: the cipher's, and that of the hash. */
static void gcm_siv_derive_keys(runnel_stream *s, runnel_gcm_siv *g, const uint8_t *nonce)
{
    const size_t nblocks = 2 + s->key_bytes / 8u;
    uint8_t blocks[6][16], keys[48], hash_key[16];
    for (size_t i = 0; i < nblocks; i++) {
        runnel_store32le(blocks[i], (uint32_t)i);
        memcpy(blocks[i] + 4, nonce, 12);
    }
    gcm_siv_encrypt_under_key(s, g, blocks, nblocks);
    for (size_t i = 0; i < nblocks; i++)
        memcpy(keys + 8 * i, blocks[i], 8);
    s->kernel->key(runnel_state_of(s), keys + 16, s->key_bytes);

    uint8_t carry = 0; /* times x: in GHASH's order a shift to the right */
    gcm_siv_reverse(hash_key, keys);
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

static void gcm_siv_set_message_keys(runnel_stream *s, runnel_gcm_siv *g, const runnel_aead_message *m)
{
    if (s->cipher->prefix_offset)
        memset((uint8_t *)s + s->cipher->prefix_offset, 0, 8);
#if RUNNEL_HOSTED
    if (g->own != NULL) {
        g->own->begin(gcm_siv_master_of(s), runnel_state_of(s), &g->hash, m, s->key_bytes);
        return;
    }
#endif
    gcm_siv_derive_keys(s, g, m->nonce);
}

/* Adds data, padded with zeros to whole blocks. */
static void gcm_siv_absorb(runnel_gcm_siv *g, const uint8_t *data, size_t bytes)
{
    uint8_t turned[RUNNEL_BUFFERED_BLOCKS][16];
    while (bytes > 0) {
        size_t n = 0;
        for (; n < RUNNEL_BUFFERED_BLOCKS && bytes >= 16; n++, data += 16, bytes -= 16)
            gcm_siv_reverse(turned[n], data);
        if (n < RUNNEL_BUFFERED_BLOCKS && bytes > 0) {
            uint8_t last[16] = {0};
            memcpy(last, data, bytes);
            gcm_siv_reverse(turned[n++], last);
            runnel_wipe(last, sizeof last);
            bytes = 0;
        }
        runnel_ghash_absorb(&g->hash, turned[0], n);
    }
    runnel_wipe(turned, sizeof turned);
}

static void gcm_siv_make_tag(runnel_stream *s, runnel_gcm_siv *g, const runnel_aead_message *m, const uint8_t *text,
                             uint8_t *tag)
{
#if RUNNEL_HOSTED
    if (g->own != NULL) {
        g->own->tag(runnel_state_of(s), &g->hash, m, text, tag);
        return;
    }
#endif
    uint8_t block[16];
    gcm_siv_absorb(g, m->aad, m->aad_bytes);
    gcm_siv_absorb(g, text, m->bytes);
    runnel_store64le(block, (uint64_t)m->aad_bytes << 3);
    runnel_store64le(block + 8, (uint64_t)m->bytes << 3);
    gcm_siv_absorb(g, block, sizeof block);
    runnel_ghash_take_sum(&g->hash, block);
    gcm_siv_reverse(tag, block);
    runnel_xor_bytes(tag, tag, m->nonce, 12);
    tag[15] &= 0x7f;
    s->kernel->block.encrypt_blocks(runnel_state_of(s), tag, tag, 1);
    runnel_wipe(block, sizeof block);
}

static void gcm_siv_xor_text(runnel_stream *s, const runnel_aead_message *m, const uint8_t *tag)
{
    /* By halves, as kernels load it: there is no store-forwarding from one byte to more. */
    runnel_ctr_head *const head = (runnel_ctr_head *)s;
    runnel_store64le(head->first, runnel_load64le(tag));
    runnel_store64le(head->first + 8, runnel_load64le(tag + 8) | (uint64_t)1 << 63);
    RUNNEL_MADE_PUBLIC(head->first); /* the tag is sent */
    runnel_counter_begins(s, RUNNEL_LE32, runnel_counter_period(RUNNEL_LE32));
    if (m->bytes > 0)
        runnel_aead_xor(s, m->out, m->in, m->bytes);
}

static void gcm_siv_message(runnel_aead_context *c, const runnel_aead_message *m, uint8_t *tag)
{
    runnel_stream *s = &runnel_aead_cipher(c)->stream;
    runnel_gcm_siv *g = runnel_aead_part(c);
    gcm_siv_set_message_keys(s, g, m);
    if (m->decrypt) {
        gcm_siv_xor_text(s, m, tag);
        gcm_siv_make_tag(s, g, m, m->out, tag);
    } else {
        gcm_siv_make_tag(s, g, m, m->in, tag);
        gcm_siv_xor_text(s, m, tag);
    }
}

const runnel_aead_mode runnel_gcm_siv_mode = {
    .key = gcm_siv_set_key,
    .kernel = runnel_aead_kernel_of_cipher,
    .message = gcm_siv_message,
};
