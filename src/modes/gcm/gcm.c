/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* GCM (SP 800-38D) over any cipher with blocks of 16 bytes: counter mode from core/counter.c and GHASH, or a kernel's own
 * code for both. */
#include "mode.h"

#include "arch/common/bytes.h"
#include "core/driver.h"
#include "modes/fused.h"

/* Bytes of text that are encrypted and then, from the cache, hashed. */
enum { GCM_AT_ONCE = 4096 };

#if RUNNEL_HOSTED
int runnel_gcm_begin(const runnel_aead *aead, runnel_aead_context *c, const char *kernel)
{
    runnel_stream *s = (void *)((uint8_t *)c + aead->cipher_offset);
    runnel_gcm *g = (void *)((uint8_t *)c + aead->mode_offset);
    const int error = runnel_family_begin(aead->ciphers, s, aead->key_bytes, kernel);
    if (error)
        return error;
    const runnel_gcm_functions *own = runnel_fused_of(s->kernel)->gcm;
    while (own != NULL && (own->cpu & ~runnel_cpu()) != 0)
        own = own->otherwise;
    g->own = own;
    return RUNNEL_OK;
}
#endif

static int gcm_set_key(const runnel_aead *aead, runnel_aead_context *c, const uint8_t *key, const char *kernel)
{
    runnel_stream *s = (void *)((uint8_t *)c + aead->cipher_offset);
    runnel_gcm *g = (void *)((uint8_t *)c + aead->mode_offset);
#if RUNNEL_HOSTED
    uint8_t block[16];
    const int error = runnel_gcm_begin(aead, c, kernel);
    if (error)
        return error;
    runnel_key_and_zero(s->kernel, runnel_state_of(s), key, aead->key_bytes, block);
#else
    const int error = runnel_aead_key_cipher(aead, c, key, aead->key_bytes, kernel);
    if (error)
        return error;
    uint8_t block[16] = {0};
    s->kernel->block.encrypt_blocks(runnel_state_of(s), block, block, 1);
#endif
    runnel_ghash_set_key(&g->hash, block);
    runnel_wipe(block, sizeof block);
    return RUNNEL_OK;
}

/* Adds pieces to the sum; `filled` bytes of a block are waiting. */
static void gcm_absorb(runnel_gcm *g, size_t filled, const uint8_t *data, size_t bytes)
{
    if (filled > 0) {
        const size_t room = 16 - filled, n = bytes < room ? bytes : room;
        memcpy(g->partial_block + filled, data, n);
        if (n < room)
            return;
        runnel_ghash_absorb(&g->hash, g->partial_block, 1);
        data += n;
        bytes -= n;
    }
    if (bytes >= 16) {
        runnel_ghash_absorb(&g->hash, data, bytes / 16);
        data += bytes / 16 * 16;
    }
    if (bytes % 16 > 0)
        memcpy(g->partial_block, data, bytes % 16);
}

/* Pads the last block with zeros. */
static void gcm_pad(runnel_gcm *g, size_t filled)
{
    if (filled > 0) {
        memset(g->partial_block + filled, 0, 16 - filled);
        runnel_ghash_absorb(&g->hash, g->partial_block, 1);
    }
}

/* A block of two lengths in bytes, as bits. */
static void gcm_absorb_lengths(runnel_gcm *g, uint64_t first, uint64_t second)
{
    runnel_store64be(g->partial_block, first << 3);
    runnel_store64be(g->partial_block + 8, second << 3);
    runnel_ghash_absorb(&g->hash, g->partial_block, 1);
}

void runnel_gcm_start(runnel_aead_context *c, const uint8_t *nonce, size_t nonce_bytes)
{
    runnel_ctr_head *s = runnel_aead_cipher(c);
    runnel_gcm *g = runnel_aead_part(c);
    uint8_t first[16] = {[15] = 1};
    memset(g->hash.y, 0, sizeof g->hash.y);
    if (nonce_bytes == 12) {
        memcpy(first, nonce, 12);
    } else {
        gcm_absorb(g, 0, nonce, nonce_bytes);
        gcm_pad(g, nonce_bytes % 16);
        gcm_absorb_lengths(g, 0, nonce_bytes);
        runnel_ghash_take_sum(&g->hash, first);
    }
    const runnel_count blocks = runnel_counter_period(RUNNEL_BE32);
    runnel_begin(&s->stream, first, sizeof first, RUNNEL_BE32, &blocks);
#if RUNNEL_HOSTED
    if (g->own != NULL) { /* the counter is ours alone */
        runnel_counter_encrypt_first(s, g->mask);
        return;
    }
#endif
#if RUNNEL_HOSTED || RUNNEL_AVR
    runnel_aead_make_mask(s, g->mask);
#else /* the first block of text too: kernels make two blocks in the time of one */
    uint8_t two[2][16];
    runnel_aead_xor(&s->stream, two[0], NULL, sizeof two);
    memcpy(g->mask, two[0], 16);
    memcpy(s->leftover, two[1], 16);
    s->stream.leftover = 16;
    runnel_wipe(two, sizeof two);
#endif
}

void runnel_gcm_aad(runnel_aead_context *c, const uint8_t *data, size_t bytes)
{
    gcm_absorb(runnel_aead_part(c), (size_t)(c->aad_bytes % 16), data, bytes);
}

void runnel_gcm_text(runnel_aead_context *c)
{
    gcm_pad(runnel_aead_part(c), (size_t)(c->aad_bytes % 16));
}

static void gcm_xor_and_absorb(runnel_ctr_head *s, runnel_gcm *g, size_t filled, uint8_t *out, const uint8_t *in,
                               size_t bytes, int decrypt)
{
    for (size_t n; bytes > 0; bytes -= n, in += n, out += n, filled = (filled + n) % 16) {
        n = bytes < GCM_AT_ONCE ? bytes : GCM_AT_ONCE;
        if (decrypt)
            gcm_absorb(g, filled, in, n);
        runnel_aead_xor(&s->stream, out, in, n);
        if (!decrypt)
            gcm_absorb(g, filled, out, n);
    }
}

#if RUNNEL_HOSTED
/* With the kernel's own functions. Left-over keystream is where the driver keeps it. */
static void gcm_own_crypt(const runnel_gcm_functions *own, runnel_ctr_head *s, runnel_gcm *g, uint8_t *out,
                          const uint8_t *in, size_t bytes, int decrypt)
{
    const size_t nblocks = bytes / 16;
    if (nblocks > 0) {
        uint8_t block[16];
        runnel_counter_block(s, block);
        own->blocks(runnel_state_of(&s->stream), runnel_prefix_of(&s->stream), &g->hash, block, out, in, nblocks,
                    decrypt);
        s->stream.block += nblocks;
    }
    bytes -= 16 * nblocks;
    if (bytes == 0)
        return;
    out += 16 * nblocks;
    in += 16 * nblocks;
    runnel_counter_encrypt(s, s->leftover, 1);
    s->stream.leftover = 16;
    gcm_xor_and_absorb(s, g, 0, out, in, bytes, decrypt);
}
#endif

void runnel_gcm_crypt(runnel_aead_context *c, uint8_t *out, const uint8_t *in, size_t bytes, int decrypt)
{
    runnel_ctr_head *s = runnel_aead_cipher(c);
    runnel_gcm *g = runnel_aead_part(c);
    const size_t filled = (size_t)(c->text_bytes % 16);
#if RUNNEL_HOSTED
    const runnel_gcm_functions *own = g->own;
    if (own != NULL) {
        const size_t room = (16 - filled) % 16, n = bytes < room ? bytes : room;
        if (n > 0)
            gcm_xor_and_absorb(s, g, filled, out, in, n, decrypt);
        if (bytes > n)
            gcm_own_crypt(own, s, g, out + n, in + n, bytes - n, decrypt);
        return;
    }
#endif
    gcm_xor_and_absorb(s, g, filled, out, in, bytes, decrypt);
}

#if RUNNEL_HOSTED
void runnel_gcm_keystream(runnel_aead_context *c, uint8_t *out, size_t bytes)
{
    runnel_ctr_head *s = runnel_aead_cipher(c);
    const runnel_gcm *g = runnel_aead_part(c);
    if (g->own == NULL)
        runnel_aead_xor(&s->stream, out, NULL, bytes);
    else
        runnel_counter_encrypt(s, out, bytes / 16);
}

void runnel_gcm_absorb_ahead(runnel_aead_context *c, const uint8_t *ciphertext, size_t bytes)
{
    gcm_absorb(runnel_aead_part(c), 0, ciphertext, bytes);
}
#endif

void runnel_gcm_tag(runnel_aead_context *c, uint8_t *longest)
{
    runnel_gcm *g = runnel_aead_part(c);
    gcm_pad(g, (size_t)(c->text_bytes % 16));
    gcm_absorb_lengths(g, c->aad_bytes, c->text_bytes);
    runnel_ghash_take_sum(&g->hash, longest);
    runnel_xor_bytes(longest, longest, g->mask, sizeof g->mask);
}

#if RUNNEL_HOSTED
void runnel_gcm_message(runnel_aead_context *c, const runnel_aead_message *m, uint8_t *longest)
{
    runnel_ctr_head *s = runnel_aead_cipher(c);
    runnel_gcm *g = runnel_aead_part(c);
    const runnel_gcm_functions *own = g->own;
    if (own != NULL && m->nonce_bytes == 12) {
        own->message(runnel_state_of(&s->stream), runnel_prefix_of(&s->stream), &g->hash, m, longest);
        return;
    }
    runnel_aead_by_pieces(c, m, longest);
}

static void gcm_batch(runnel_aead_context *c, const runnel_aead_message *m, uint8_t (*tags)[RUNNEL_AEAD_LONGEST_TAG],
                      size_t count)
{
    runnel_ctr_head *s = runnel_aead_cipher(c);
    runnel_gcm *g = runnel_aead_part(c);
    int usual = g->own != NULL && g->own->batch != NULL;
    for (size_t i = 0; i < count; i++)
        usual &= m[i].nonce_bytes == 12;
    if (usual) {
        g->own->batch(runnel_state_of(&s->stream), runnel_prefix_of(&s->stream), &g->hash, m, tags, count);
        return;
    }
    for (size_t i = 0; i < count; i++)
        runnel_gcm_message(c, &m[i], tags[i]);
}
#endif

const runnel_aead_mode runnel_gcm_mode = {
    .key = gcm_set_key,
    .kernel = runnel_aead_kernel_of_cipher,
    .start = runnel_gcm_start,
    RUNNEL_GCM_PIECES,
#if RUNNEL_HOSTED
    .message = runnel_gcm_message,
    .batch = gcm_batch,
#endif
};
