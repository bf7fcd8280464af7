/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Authenticated encryption: every check, the order in which a message's parts come, and the comparison of tags, once for
 * all modes. */
#include "aead.h"

#include "ahead.h"
#include "arch/common/inline.h"
#include "driver.h"
#include "tag.h"

/* The stages of a message in pieces. One without text may end in tag or in verify. */
enum { AEAD_IDLE, AEAD_STARTED, AEAD_ENCRYPTING, AEAD_DECRYPTING };

/* Apart from the public functions: each call of these would go through the linker's table. */
RUNNEL_INLINE int aead_takes_nonce(const runnel_aead *aead, size_t nonce_bytes)
{
    return nonce_bytes >= aead->nonce_min && (nonce_bytes <= aead->nonce_max || aead->nonce_max == UINT16_MAX);
}

RUNNEL_INLINE int aead_takes_tag(const runnel_aead *aead, size_t tag_bytes)
{
    size_t bit = tag_bytes;
#if RUNNEL_HOSTED
    if (tag_bytes == 0)
        return 0;
    bit %= 32; /* bit 0 stands for 32 bytes */
#endif
    return tag_bytes <= RUNNEL_AEAD_LONGEST_TAG && (aead->tag_set >> bit & 1);
}

RUNNEL_INLINE uint64_t aead_plaintext_max(const runnel_aead *aead, size_t nonce_bytes)
{
    return aead->mode->plaintext_max != NULL ? aead->mode->plaintext_max(nonce_bytes) : aead->plaintext_max;
}

int runnel_aead_takes_nonce(const runnel_aead *aead, size_t nonce_bytes)
{
    return aead_takes_nonce(aead, nonce_bytes);
}

int runnel_aead_takes_tag(const runnel_aead *aead, size_t tag_bytes)
{
    return aead_takes_tag(aead, tag_bytes);
}

uint64_t runnel_aead_plaintext_max(const runnel_aead *aead, size_t nonce_bytes)
{
    return aead_plaintext_max(aead, nonce_bytes);
}

int runnel_aead_key(const runnel_aead *aead, runnel_aead_context *c, const uint8_t *key, size_t key_bytes,
                    const char *kernel)
{
    if (aead == NULL || c == NULL || (key == NULL && key_bytes > 0))
        return RUNNEL_ERR_NULL;
    if (key_bytes != aead->key_bytes)
        return RUNNEL_ERR_KEY_LENGTH;
    const int error = aead->mode->key(aead, c, key, kernel);
    if (!error) {
        c->aead = aead;
        c->stage = AEAD_IDLE;
        c->has_lengths = 0;
#if RUNNEL_HOSTED
        runnel_ahead_clear(c);
#endif
    }
    return error;
}

int runnel_aead_family_key(runnel_aead_list aeads, runnel_aead_context *c, const uint8_t *key, size_t key_bytes,
                           const char *kernel)
{
    for (; *aeads != NULL; aeads++)
        if ((*aeads)->key_bytes == key_bytes)
            return runnel_aead_key(*aeads, c, key, key_bytes, kernel);
    return RUNNEL_ERR_KEY_LENGTH;
}

int runnel_aead_key_cipher(const runnel_aead *aead, runnel_aead_context *c, const uint8_t *key, size_t key_bytes,
                           const char *kernel)
{
    return runnel_family_key(aead->ciphers, (void *)((uint8_t *)c + aead->cipher_offset), key, key_bytes, kernel);
}

const char *runnel_aead_kernel_of_cipher(const runnel_aead_context *c)
{
    return runnel_stream_kernel((const void *)((const uint8_t *)c + c->aead->cipher_offset));
}

const char *runnel_aead_kernel(const runnel_aead_context *c)
{
    return c != NULL && c->aead != NULL ? c->aead->mode->kernel(c) : NULL;
}

void runnel_aead_wipe(runnel_aead_context *c)
{
    if (c != NULL && c->aead != NULL) {
        runnel_wipe(c, c->aead->context_bytes);
        runnel_wipe_stack(RUNNEL_STACK_BYTES);
    }
}

/* Checks all that is known at a message's start. */
RUNNEL_INLINE int aead_check_start(const runnel_aead_context *c, const uint8_t *nonce, size_t nonce_bytes,
                                   size_t tag_bytes)
{
    if (c == NULL || (nonce == NULL && nonce_bytes > 0))
        return RUNNEL_ERR_NULL;
    if (c->aead == NULL)
        return RUNNEL_ERR_STATE;
    if (!aead_takes_nonce(c->aead, nonce_bytes))
        return RUNNEL_ERR_IV_LENGTH;
    return aead_takes_tag(c->aead, tag_bytes) ? RUNNEL_OK : RUNNEL_ERR_TAG_LENGTH;
}

#if RUNNEL_HOSTED
#define AEAD_ANY_MESSAGE static RUNNEL_COLD
#else
#define AEAD_ANY_MESSAGE RUNNEL_INLINE /* all that there is */
#endif

AEAD_ANY_MESSAGE int aead_check_any_message(const runnel_aead_context *c, const uint8_t *nonce, size_t nonce_bytes,
                                            const uint8_t *aad, size_t aad_bytes, const uint8_t *out, const uint8_t *in,
                                            size_t bytes, const uint8_t *tag, size_t tag_bytes)
{
    const int error = aead_check_start(c, nonce, nonce_bytes, tag_bytes);
    if (error)
        return error;
    if ((aad == NULL && aad_bytes > 0) || ((in == NULL || out == NULL) && bytes > 0) || (tag == NULL && tag_bytes > 0))
        return RUNNEL_ERR_NULL;
#if SIZE_MAX > 0xffff /* else no memory holds a message beyond a limit: the least is 65,535 bytes */
    if (bytes > aead_plaintext_max(c->aead, nonce_bytes) || aad_bytes > c->aead->aad_max)
        return RUNNEL_ERR_LIMIT;
#endif
    if (runnel_partial_overlap(out, in, bytes) || runnel_ranges_overlap(out, bytes, nonce, nonce_bytes) ||
        runnel_ranges_overlap(out, bytes, aad, aad_bytes) || runnel_ranges_overlap(out, bytes, tag, tag_bytes))
        return RUNNEL_ERR_OVERLAP;
    return RUNNEL_OK;
}

#if RUNNEL_HOSTED
/* Tells, with one comparison, that two ranges share no byte. May be 0 for ranges that do not either, where one is empty. */
RUNNEL_INLINE int aead_apart(const uint8_t *a, size_t a_bytes, const uint8_t *b, size_t b_bytes)
{
    return (uintptr_t)a - (uintptr_t)b + (a_bytes - 1) >= a_bytes + b_bytes - 1;
}

/* Tells that a message as most are has no error: of less than 64 KiB, which is below every limit, with the preferred
 * nonce and a tag of 16 bytes. Where it is 0, aead_check_any_message decides. */
RUNNEL_INLINE int aead_is_plain_message(const runnel_aead_context *c, const uint8_t *nonce, size_t nonce_bytes,
                                        const uint8_t *aad, size_t aad_bytes, const uint8_t *out, const uint8_t *in,
                                        size_t bytes, const uint8_t *tag, size_t tag_bytes)
{
    return c != NULL && c->aead != NULL && nonce != NULL && out != NULL && in != NULL && tag != NULL &&
           (aad != NULL || aad_bytes == 0) && (bytes | aad_bytes) < 0xffff && nonce_bytes == c->aead->nonce_default &&
           tag_bytes == RUNNEL_AEAD_USUAL_TAG && (c->aead->tag_set >> RUNNEL_AEAD_USUAL_TAG & 1) &&
           (out == in || aead_apart(out, bytes, in, bytes)) && aead_apart(out, bytes, nonce, nonce_bytes) &&
           aead_apart(out, bytes, aad, aad_bytes) && aead_apart(out, bytes, tag, tag_bytes);
}
#endif

/* Decides every error of a message: in one pass where it has none, as a rule, because for short ones the checks are half
 * of the work. */
RUNNEL_INLINE int aead_check_message(const runnel_aead_context *c, const uint8_t *nonce, size_t nonce_bytes,
                                     const uint8_t *aad, size_t aad_bytes, const uint8_t *out, const uint8_t *in,
                                     size_t bytes, const uint8_t *tag, size_t tag_bytes)
{
#if RUNNEL_HOSTED
    if (aead_is_plain_message(c, nonce, nonce_bytes, aad, aad_bytes, out, in, bytes, tag, tag_bytes))
        return RUNNEL_OK;
#endif
    return aead_check_any_message(c, nonce, nonce_bytes, aad, aad_bytes, out, in, bytes, tag, tag_bytes);
}

void runnel_aead_by_pieces(runnel_aead_context *c, const runnel_aead_message *m, uint8_t *tag)
{
    const runnel_aead_mode *mode = c->aead->mode;
    c->aad_bytes = c->text_bytes = 0;
    c->aad_total = m->aad_bytes;
    c->text_total = m->bytes;
    c->tag_bytes = m->tag_bytes;
    mode->start(c, m->nonce, m->nonce_bytes);
    if (mode->lengths != NULL)
        mode->lengths(c);
    if (m->aad_bytes > 0)
        mode->aad(c, m->aad, m->aad_bytes);
    c->aad_bytes = m->aad_bytes;
    mode->text(c);
    if (m->bytes > 0)
        mode->crypt(c, m->out, m->in, m->bytes, m->decrypt);
    c->text_bytes = m->bytes;
    mode->tag(c, tag);
}

/* Processes a whole message and writes its full-length tag to tag. */
RUNNEL_INLINE void aead_whole_message(runnel_aead_context *c, const runnel_aead_message *m, uint8_t *tag)
{
    c->stage = AEAD_IDLE;
    if (c->aead->mode->message != NULL)
        c->aead->mode->message(c, m, tag);
    else
        runnel_aead_by_pieces(c, m, tag);
}

/* Copies a tag: one of the usual length by a load and a store. */
RUNNEL_INLINE void aead_copy_tag(uint8_t *to, const uint8_t *from, size_t tag_bytes)
{
    if (tag_bytes == RUNNEL_AEAD_USUAL_TAG)
        memcpy(to, from, RUNNEL_AEAD_USUAL_TAG);
    else
        memcpy(to, from, tag_bytes);
}

int runnel_aead_seal(runnel_aead_context *c, const uint8_t *nonce, size_t nonce_bytes, const uint8_t *aad,
                     size_t aad_bytes, uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *tag, size_t tag_bytes)
{
    const int error = aead_check_message(c, nonce, nonce_bytes, aad, aad_bytes, out, in, bytes, tag, tag_bytes);
    if (error)
        return error;
    uint8_t longest[RUNNEL_AEAD_LONGEST_TAG];
    const runnel_aead_message m = {nonce, aad, in, out, nonce_bytes, aad_bytes, bytes, (uint8_t)tag_bytes, 0};
    aead_whole_message(c, &m, longest);
    aead_copy_tag(tag, longest, tag_bytes);
    return RUNNEL_OK;
}

/* Returns the result of opening a message; clears out unless the tag is right. */
RUNNEL_INLINE int aead_verify_or_clear(const uint8_t *right, const uint8_t *tag, size_t tag_bytes, uint8_t *out,
                                       size_t bytes)
{
    int result = runnel_compare_tag(right, tag, tag_bytes);
    RUNNEL_MADE_PUBLIC(result);
    if (result != RUNNEL_OK && bytes > 0)
        runnel_wipe(out, bytes);
    return result;
}

int runnel_aead_open(runnel_aead_context *c, const uint8_t *nonce, size_t nonce_bytes, const uint8_t *aad,
                     size_t aad_bytes, uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *tag,
                     size_t tag_bytes)
{
    const int error = aead_check_message(c, nonce, nonce_bytes, aad, aad_bytes, out, in, bytes, tag, tag_bytes);
    if (error)
        return error;
    uint8_t right[RUNNEL_AEAD_LONGEST_TAG] = {0};
    aead_copy_tag(right, tag, tag_bytes);
    const runnel_aead_message m = {nonce, aad, in, out, nonce_bytes, aad_bytes, bytes, (uint8_t)tag_bytes, 1};
    aead_whole_message(c, &m, right);
    const int result = aead_verify_or_clear(right, tag, tag_bytes, out, bytes);
    runnel_wipe(right, sizeof right); /* the right tag of a forged message is a secret */
    return result;
}

#if RUNNEL_HOSTED
static int aead_check_batch(const runnel_aead_context *c, const runnel_aead_packet *packets, size_t count)
{
    if (c == NULL || (packets == NULL && count > 0))
        return RUNNEL_ERR_NULL;
    if (c->aead == NULL)
        return RUNNEL_ERR_STATE;
    for (size_t i = 0; i < count; i++) {
        const runnel_aead_packet *p = &packets[i];
        const int error = aead_check_message(c, p->nonce, p->nonce_bytes, p->aad, p->aad_bytes, p->out, p->in, p->bytes,
                                             p->tag, p->tag_bytes);
        if (error)
            return error;
    }
    return RUNNEL_OK;
}

static int aead_batch(runnel_aead_context *c, runnel_aead_packet *packets, size_t count, uint8_t decrypt)
{
    int error = aead_check_batch(c, packets, count);
    if (error)
        return error;
    uint8_t tags[RUNNEL_AEAD_BATCH][RUNNEL_AEAD_LONGEST_TAG];
    runnel_aead_message messages[RUNNEL_AEAD_BATCH];
    c->stage = AEAD_IDLE;
    for (size_t n; count > 0; count -= n, packets += n) {
        n = count < RUNNEL_AEAD_BATCH ? count : RUNNEL_AEAD_BATCH;
        for (size_t i = 0; i < n; i++) {
            const runnel_aead_packet *p = &packets[i];
            messages[i] = (runnel_aead_message){p->nonce,       p->aad,       p->in,    p->out,
                                                p->nonce_bytes, p->aad_bytes, p->bytes, (uint8_t)p->tag_bytes,
                                                decrypt};
            if (decrypt) {
                memset(tags[i], 0, sizeof tags[i]);
                aead_copy_tag(tags[i], p->tag, p->tag_bytes);
            }
        }
        if (c->aead->mode->batch != NULL)
            c->aead->mode->batch(c, messages, tags, n);
        else
            for (size_t i = 0; i < n; i++)
                aead_whole_message(c, &messages[i], tags[i]);
        for (size_t i = 0; i < n; i++) {
            runnel_aead_packet *p = &packets[i];
            p->result = RUNNEL_OK;
            if (!decrypt) {
                aead_copy_tag(p->tag, tags[i], p->tag_bytes);
                continue;
            }
            p->result = aead_verify_or_clear(tags[i], p->tag, p->tag_bytes, p->out, p->bytes);
            runnel_wipe(tags[i], sizeof tags[i]); /* the right tag of a forged message is a secret */
            if (p->result)
                error = p->result;
        }
    }
    return error;
}

int runnel_aead_seal_batch(runnel_aead_context *c, runnel_aead_packet *packets, size_t count)
{
    return aead_batch(c, packets, count, 0);
}

int runnel_aead_open_batch(runnel_aead_context *c, runnel_aead_packet *packets, size_t count)
{
    return aead_batch(c, packets, count, 1);
}
#endif

/* ---- in pieces ---- */

int runnel_aead_start(runnel_aead_context *c, const uint8_t *nonce, size_t nonce_bytes, size_t tag_bytes)
{
    const int error = aead_check_start(c, nonce, nonce_bytes, tag_bytes);
    if (error)
        return error;
    if (!c->aead->multipart)
        return RUNNEL_ERR_ONE_SHOT;
    c->aad_bytes = c->text_bytes = 0;
    c->tag_bytes = (uint8_t)tag_bytes;
    c->has_lengths = 0;
    c->stage = AEAD_STARTED;
    c->aad_total = c->aead->aad_max;
    c->text_total = runnel_aead_plaintext_max(c->aead, nonce_bytes);
#if RUNNEL_HOSTED
    runnel_ahead_drop(c);
#endif
    c->aead->mode->start(c, nonce, nonce_bytes);
    return RUNNEL_OK;
}

/* A key is set, a message started, and where lengths must come first they are known. */
static int aead_check_stage(const runnel_aead_context *c)
{
    if (c == NULL)
        return RUNNEL_ERR_NULL;
    if (c->aead == NULL || c->stage == AEAD_IDLE || (c->aead->lengths_first && !c->has_lengths))
        return RUNNEL_ERR_STATE;
    return RUNNEL_OK;
}

int runnel_aead_lengths(runnel_aead_context *c, uint64_t aad_bytes, uint64_t text_bytes)
{
    if (c == NULL)
        return RUNNEL_ERR_NULL;
    if (c->aead == NULL || c->stage != AEAD_STARTED || c->has_lengths || c->aad_bytes > 0)
        return RUNNEL_ERR_STATE;
    if (aad_bytes > c->aad_total || text_bytes > c->text_total)
        return RUNNEL_ERR_LIMIT;
    c->aad_total = aad_bytes;
    c->text_total = text_bytes;
    c->has_lengths = 1;
    if (c->aead->mode->lengths != NULL)
        c->aead->mode->lengths(c);
    return RUNNEL_OK;
}

int runnel_aead_aad(runnel_aead_context *c, const uint8_t *aad, size_t bytes)
{
    const int error = aead_check_stage(c);
    if (error)
        return error;
    if (c->stage != AEAD_STARTED)
        return RUNNEL_ERR_STATE;
    if (bytes == 0)
        return RUNNEL_OK;
    if (aad == NULL)
        return RUNNEL_ERR_NULL;
    if (bytes > c->aad_total - c->aad_bytes)
        return RUNNEL_ERR_LIMIT;
    c->aead->mode->aad(c, aad, bytes);
    c->aad_bytes += bytes;
    return RUNNEL_OK;
}

/* Begins the text. It is an error if announced associated data is still missing. */
static int aead_begin_text(runnel_aead_context *c, uint8_t stage)
{
    if (c->stage == AEAD_STARTED) {
        if (c->has_lengths && c->aad_bytes != c->aad_total)
            return RUNNEL_ERR_STATE;
        c->aead->mode->text(c);
        c->stage = stage;
    }
    return c->stage == stage ? RUNNEL_OK : RUNNEL_ERR_STATE;
}

static int aead_crypt(runnel_aead_context *c, uint8_t *out, const uint8_t *in, size_t bytes, uint8_t stage)
{
    int error = aead_check_stage(c);
    if (error)
        return error;
    if (c->stage != AEAD_STARTED && c->stage != stage)
        return RUNNEL_ERR_STATE;
    if (bytes > 0 && (out == NULL || in == NULL))
        return RUNNEL_ERR_NULL;
    if (runnel_partial_overlap(out, in, bytes))
        return RUNNEL_ERR_OVERLAP;
    if (bytes > c->text_total - c->text_bytes)
        return RUNNEL_ERR_LIMIT;
    error = aead_begin_text(c, stage);
    if (error || bytes == 0)
        return error;
#if RUNNEL_HOSTED
    runnel_ahead_crypt(c, out, in, bytes, stage == AEAD_DECRYPTING);
#else
    c->aead->mode->crypt(c, out, in, bytes, stage == AEAD_DECRYPTING);
    c->text_bytes += bytes;
#endif
    return RUNNEL_OK;
}

int runnel_aead_encrypt(runnel_aead_context *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return aead_crypt(c, out, in, bytes, AEAD_ENCRYPTING);
}

int runnel_aead_decrypt(runnel_aead_context *c, uint8_t *unverified, const uint8_t *in, size_t bytes)
{
    return aead_crypt(c, unverified, in, bytes, AEAD_DECRYPTING);
}

/* Ends the message and writes its full-length tag. */
static int aead_finish(runnel_aead_context *c, const uint8_t *tag, size_t tag_bytes, uint8_t stage, uint8_t *longest)
{
    int error = aead_check_stage(c);
    if (error)
        return error;
    if (tag == NULL)
        return RUNNEL_ERR_NULL;
    if (tag_bytes != c->tag_bytes)
        return RUNNEL_ERR_TAG_LENGTH;
    if (c->has_lengths && c->text_bytes != c->text_total)
        return RUNNEL_ERR_STATE;
    error = aead_begin_text(c, stage);
    if (error)
        return error;
#if RUNNEL_HOSTED
    runnel_ahead_finish(c);
#endif
    c->aead->mode->tag(c, longest);
    c->stage = AEAD_IDLE;
    return RUNNEL_OK;
}

int runnel_aead_tag(runnel_aead_context *c, uint8_t *tag, size_t tag_bytes)
{
    uint8_t longest[RUNNEL_AEAD_LONGEST_TAG];
    const int error = aead_finish(c, tag, tag_bytes, AEAD_ENCRYPTING, longest);
    if (!error)
        memcpy(tag, longest, tag_bytes);
    return error;
}

int runnel_aead_verify(runnel_aead_context *c, const uint8_t *tag, size_t tag_bytes)
{
    uint8_t right[RUNNEL_AEAD_LONGEST_TAG];
    const int error = aead_finish(c, tag, tag_bytes, AEAD_DECRYPTING, right);
    if (error)
        return error;
    const int result = runnel_compare_tag(right, tag, tag_bytes);
    runnel_wipe(right, sizeof right);
    return result;
}
