/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The contract between core/aead.c, which has every check and the order of a message's parts, and what it drives: modes
 * over a block cipher (src/modes), and AEADs of their own (src/aead). */
#ifndef RUNNEL_CORE_AEAD_H
#define RUNNEL_CORE_AEAD_H

#include <runnel/aead.h>

#include "define.h"
#include "driver.h"

enum { RUNNEL_AEAD_LONGEST_TAG = RUNNEL_AEAD_TAG_MAX, RUNNEL_AEAD_USUAL_TAG = 16 };

/* Marks a value that is computed from secrets but made public by the result, for tests that track secrets. */
#ifndef RUNNEL_MADE_PUBLIC
#define RUNNEL_MADE_PUBLIC(value) ((void)0)
#endif

/* A whole message, already checked. */
typedef struct runnel_aead_message {
    const uint8_t *nonce, *aad, *in;
    uint8_t *out;
    size_t nonce_bytes, aad_bytes, bytes;
    uint8_t tag_bytes;
    uint8_t decrypt; /* 1: opens */
} runnel_aead_message;

/* The functions of a mode; the context is aead->context_bytes long. `tag` always has full length; the core truncates
 * it. */
typedef RUNNEL_IN_FLASH struct runnel_aead_mode {
    /* RUNNEL_OK, or RUNNEL_ERR_KERNEL: then the context is as it was. */
    int (*key)(const runnel_aead *aead, runnel_aead_context *c, const uint8_t *key, const char *kernel);
    const char *(*kernel)(const runnel_aead_context *c);
    /* For an AEAD that has no cipher inside, else NULL: as runnel_aead_kernel_at, info is not NULL. */
    int (*own_kernel)(size_t index, runnel_kernel_info *info);
    uint64_t (*plaintext_max)(size_t nonce_bytes); /* NULL: as the descriptor says for every nonce */

    /* A message in pieces; all six are NULL if messages only come whole. */
    void (*start)(runnel_aead_context *c, const uint8_t *nonce, size_t nonce_bytes);
    void (*lengths)(runnel_aead_context *c); /* aad_total and text_total are known; may be NULL */
    void (*aad)(runnel_aead_context *c, const uint8_t *aad, size_t bytes);
    void (*text)(runnel_aead_context *c); /* after all associated data, or none; aad_bytes is final */
    /* bytes > 0; text_bytes is where they begin. */
    void (*crypt)(runnel_aead_context *c, uint8_t *out, const uint8_t *in, size_t bytes, int decrypt);
    void (*tag)(runnel_aead_context *c, uint8_t *tag);
#if RUNNEL_HOSTED
    /* The two halves of crypt, for core/ahead.c; NULL where the descriptor has no ahead_offset. bytes is a multiple of 64,
     * in absorb only before the message's end, and the text a multiple of 64 bytes long so far. */
    void (*keystream)(runnel_aead_context *c, uint8_t *out, size_t bytes);
    void (*absorb)(runnel_aead_context *c, const uint8_t *ciphertext, size_t bytes);
    size_t small; /* bytes of the longest piece for which they are faster than crypt */
#endif

    /* A whole message; NULL: by the functions above. For opening, tag holds the received tag, padded with zeros, and
     * is replaced by the right one. */
    void (*message)(runnel_aead_context *c, const runnel_aead_message *m, uint8_t *tag);
#if RUNNEL_HOSTED
    /* Several messages, at most RUNNEL_AEAD_BATCH; NULL: one by one. */
    void (*batch)(runnel_aead_context *c, const runnel_aead_message *m, uint8_t (*tags)[RUNNEL_AEAD_LONGEST_TAG],
                  size_t count);
#endif
} runnel_aead_mode;

enum { RUNNEL_AEAD_BATCH = 16 };

static inline void *runnel_aead_part(runnel_aead_context *c)
{
    return (uint8_t *)c + c->aead->mode_offset;
}

/* The context, in counter mode, of the cipher inside. */
static inline runnel_ctr_head *runnel_aead_cipher(runnel_aead_context *c)
{
    return (void *)((uint8_t *)c + c->aead->cipher_offset);
}

/* out = in XOR keystream of the cipher inside. It cannot fail: the AEAD has checked the limits. */
static inline void runnel_aead_xor(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes)
{
    const int error = RUNNEL_XOR_CHECKED(s, out, in, bytes);
    (void)error;
}

/* Writes the first block of keystream, which masks the tag, at a message's start. On AVR as a block by itself: there a run of
 * counter mode takes more than a block's time to begin. */
static inline void runnel_aead_make_mask(runnel_ctr_head *s, uint8_t *mask)
{
#if RUNNEL_AVR
    runnel_counter_encrypt_first(s, mask);
#else
    runnel_aead_xor(&s->stream, mask, NULL, 16);
#endif
}

/* A whole message by the functions for pieces. */
void runnel_aead_by_pieces(runnel_aead_context *c, const runnel_aead_message *m, uint8_t *tag);

/* Key set-up of the cipher inside, as runnel_aead_mode.key. */
int runnel_aead_key_cipher(const runnel_aead *aead, runnel_aead_context *c, const uint8_t *key, size_t key_bytes,
                           const char *kernel);
/* The kernel of the cipher inside, as runnel_aead_mode.kernel. */
const char *runnel_aead_kernel_of_cipher(const runnel_aead_context *c);

/* Key set-up for a family: the key's length picks the AEAD, of an array of pointers that ends with NULL. */
int runnel_aead_family_key(runnel_aead_list aeads, runnel_aead_context *c, const uint8_t *key, size_t key_bytes,
                           const char *kernel);

/* In runnel_aead.plaintext_max: `most` bytes, but no more blocks of block_bytes than a runnel_count counts, of which the AEAD
 * uses `own` for itself. */
#define RUNNEL_TEXT_MOST(most, block_bytes, own)                                                                       \
    (RUNNEL_COUNT_BITS < 64 && (most) / (block_bytes) > (uint64_t)UINT32_MAX - (own)                                   \
         ? ((uint64_t)UINT32_MAX - (own)) * (block_bytes)                                                              \
         : (most))

/* In runnel_aead.tag_set. */
#define RUNNEL_TAG(bytes) ((uint32_t)1 << (bytes) % 32)

/* Where in the context a member of its part is, for hosts. */
#if RUNNEL_HOSTED
#define RUNNEL_AHEAD_AT(offset) .ahead_offset = (offset),
#else
#define RUNNEL_AHEAD_AT(offset)
#endif

#if RUNNEL_HOSTED
#define RUNNEL_DEFINE_AEAD_BATCH_VERBS_(family)                                                                        \
    int runnel_##family##_seal_batch(runnel_##family *c, runnel_aead_packet *packets, size_t count)                    \
    {                                                                                                                  \
        return runnel_aead_seal_batch((runnel_aead_context *)c, packets, count);                                       \
    }                                                                                                                  \
    int runnel_##family##_open_batch(runnel_##family *c, runnel_aead_packet *packets, size_t count)                    \
    {                                                                                                                  \
        return runnel_aead_open_batch((runnel_aead_context *)c, packets, count);                                       \
    }
#else
#define RUNNEL_DEFINE_AEAD_BATCH_VERBS_(family)
#endif

/* Define the functions that a family's header declares: of those in one call, and of those in pieces. */
#define RUNNEL_DEFINE_AEAD_ONE_SHOT_VERBS(family, aeads)                                                               \
    int runnel_##family##_key(runnel_##family *c, const uint8_t *key, size_t key_bytes)                                \
    {                                                                                                                  \
        return runnel_aead_family_key(aeads, (runnel_aead_context *)c, key, key_bytes, NULL);                          \
    }                                                                                                                  \
    int runnel_##family##_key_kernel(runnel_##family *c, const uint8_t *key, size_t key_bytes, const char *kernel)     \
    {                                                                                                                  \
        return runnel_aead_family_key(aeads, (runnel_aead_context *)c, key, key_bytes, kernel);                        \
    }                                                                                                                  \
    const char *runnel_##family##_kernel(const runnel_##family *c)                                                     \
    {                                                                                                                  \
        return runnel_aead_kernel((const runnel_aead_context *)c);                                                     \
    }                                                                                                                  \
    void runnel_##family##_wipe(runnel_##family *c)                                                                    \
    {                                                                                                                  \
        runnel_aead_wipe((runnel_aead_context *)c);                                                                    \
    }                                                                                                                  \
    int runnel_##family##_seal(runnel_##family *c, const uint8_t *nonce, size_t nonce_bytes, const uint8_t *aad,       \
                               size_t aad_bytes, uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *tag,          \
                               size_t tag_bytes)                                                                       \
    {                                                                                                                  \
        return runnel_aead_seal((runnel_aead_context *)c, nonce, nonce_bytes, aad, aad_bytes, out, in, bytes, tag,     \
                                tag_bytes);                                                                            \
    }                                                                                                                  \
    int runnel_##family##_open(runnel_##family *c, const uint8_t *nonce, size_t nonce_bytes, const uint8_t *aad,       \
                               size_t aad_bytes, uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *tag,    \
                               size_t tag_bytes)                                                                       \
    {                                                                                                                  \
        return runnel_aead_open((runnel_aead_context *)c, nonce, nonce_bytes, aad, aad_bytes, out, in, bytes, tag,     \
                                tag_bytes);                                                                            \
    }                                                                                                                  \
    RUNNEL_DEFINE_AEAD_BATCH_VERBS_(family)

#define RUNNEL_DEFINE_AEAD_VERBS(family, aeads)                                                                        \
    RUNNEL_DEFINE_AEAD_ONE_SHOT_VERBS(family, aeads)                                                                   \
    int runnel_##family##_start(runnel_##family *c, const uint8_t *nonce, size_t nonce_bytes, size_t tag_bytes)        \
    {                                                                                                                  \
        return runnel_aead_start((runnel_aead_context *)c, nonce, nonce_bytes, tag_bytes);                             \
    }                                                                                                                  \
    int runnel_##family##_lengths(runnel_##family *c, uint64_t aad_bytes, uint64_t text_bytes)                         \
    {                                                                                                                  \
        return runnel_aead_lengths((runnel_aead_context *)c, aad_bytes, text_bytes);                                   \
    }                                                                                                                  \
    int runnel_##family##_aad(runnel_##family *c, const uint8_t *aad, size_t bytes)                                    \
    {                                                                                                                  \
        return runnel_aead_aad((runnel_aead_context *)c, aad, bytes);                                                  \
    }                                                                                                                  \
    int runnel_##family##_encrypt(runnel_##family *c, uint8_t *out, const uint8_t *in, size_t bytes)                   \
    {                                                                                                                  \
        return runnel_aead_encrypt((runnel_aead_context *)c, out, in, bytes);                                          \
    }                                                                                                                  \
    int runnel_##family##_decrypt(runnel_##family *c, uint8_t *unverified, const uint8_t *in, size_t bytes)            \
    {                                                                                                                  \
        return runnel_aead_decrypt((runnel_aead_context *)c, unverified, in, bytes);                                   \
    }                                                                                                                  \
    int runnel_##family##_tag(runnel_##family *c, uint8_t *tag, size_t tag_bytes)                                      \
    {                                                                                                                  \
        return runnel_aead_tag((runnel_aead_context *)c, tag, tag_bytes);                                              \
    }                                                                                                                  \
    int runnel_##family##_verify(runnel_##family *c, const uint8_t *tag, size_t tag_bytes)                             \
    {                                                                                                                  \
        return runnel_aead_verify((runnel_aead_context *)c, tag, tag_bytes);                                           \
    }

#endif
