/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Templates for a cipher's NAME.c: its list of kernels, its descriptors, and the functions that its header declares. */
#ifndef RUNNEL_CORE_DEFINE_H
#define RUNNEL_CORE_DEFINE_H

#include "describe.h"

/* 1: the lists have the papers' kernels too (src/ciphers/NAME/papers). */
#ifndef RUNNEL_PAPERS
#define RUNNEL_PAPERS 0
#endif

/* A row of kernels.inc in the list of kernels, which does not compile if the kernel is of another type. */
#define RUNNEL_LIST_1_(type, kernel) RUNNEL_LISTED(type, kernel),
#define RUNNEL_LIST_0_(type, kernel)
#define RUNNEL_LIST_(on, type, kernel) RUNNEL_LIST_##on##_(type, kernel)
#define RUNNEL_LIST(on, type, kernel) RUNNEL_LIST_(on, type, kernel)
#define RUNNEL_LISTED(type, kernel) RUNNEL_HEAD_OF(_Generic(&kernel, const type *: &kernel))
/* In a list of a cipher's kernels. */
#define RUNNEL_LIST_KERNEL(on, kernel) RUNNEL_LIST(on, runnel_kernel, kernel)
#if RUNNEL_PAPERS
#define RUNNEL_LIST_PAPER(on, kernel) RUNNEL_LIST_KERNEL(on, kernel)
#else
#define RUNNEL_LIST_PAPER(on, kernel)
#endif

/* For a row of kernels.inc whose kernel needs room in the context: checks that the header, which knows no kernels, has
 * it. */
#define RUNNEL_FITS(on, condition) _Static_assert(!(on) || (condition), "the header has no room for a kernel");

/* The one kernel of a cipher that firmware names, in that list. A kernel's symbol is runnel_<folder>_<its name, with _
 * for ->. */
#define RUNNEL_LIST_ONLY_(type, folder, name) RUNNEL_LISTED(type, runnel_##folder##_##name),
#define RUNNEL_LIST_ONLY_OF(type, folder, name) RUNNEL_LIST_ONLY_(type, folder, name)
#define RUNNEL_LIST_ONLY(folder, name) RUNNEL_LIST_ONLY_OF(runnel_kernel, folder, name)

/* Encryption and decryption of a cipher in which they differ. Called with bytes > 0 and every error ruled out; they move
 * the position (s->block and s->leftover). */
typedef RUNNEL_IN_FLASH struct runnel_directions {
    void (*encrypt)(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes);
    void (*decrypt)(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes);
} runnel_directions;

/* In the descriptor of a stream cipher whose context has room for so many bytes more; brings its own comma. */
#if RUNNEL_HOSTED
#define RUNNEL_AHEAD(bytes) .ahead_bytes = (bytes),
#else
#define RUNNEL_AHEAD(bytes)
#endif

/* Members of a block cipher's descriptor that counter mode decides. The cipher adds name, title, source, status,
 * kernels and, if the context has a prefix, its offset. The context is runnel_<cipher>_ctr, with a schedule. */
#define RUNNEL_CTR_MODE(cipher, bits, bytes, all_layouts)                                                              \
    .family = RUNNEL_TEXT(#cipher "_ctr"), .mode = RUNNEL_MODE_CTR, .seekable = 1,                                     \
    .layout = bytes == 16 ? RUNNEL_BE128 : RUNNEL_BE64, .layouts = all_layouts, .key_bytes = {bits / 8, bits / 8, 1},  \
    .iv_bytes = {bytes, bytes, 1}, .block_bytes = bytes, .context_bytes = sizeof(runnel_##cipher##_ctr),               \
    .state_offset = offsetof(runnel_##cipher##_ctr, schedule)

/* The counter layouts that fit a block of 16 and of 8 bytes. */
#define RUNNEL_LAYOUTS_8 (1 << RUNNEL_BE64 | 1 << RUNNEL_BE32 | 1 << RUNNEL_BE16 | 1 << RUNNEL_LE64 | 1 << RUNNEL_LE32)
#define RUNNEL_LAYOUTS_16 (RUNNEL_LAYOUTS_8 | 1 << RUNNEL_BE128 | 1 << RUNNEL_LE128)

/* Key set-up for a family: the key's length picks one of its ciphers, an array of pointers that ends with NULL.
 * Otherwise as runnel_cipher_key. */
int runnel_family_key(runnel_cipher_list ciphers, runnel_stream *context, const uint8_t *key, size_t key_bytes,
                      const char *kernel);

#if RUNNEL_HOSTED
/* The same without the kernel's own key set-up, which is then the caller's. */
int runnel_family_begin(runnel_cipher_list ciphers, runnel_stream *context, size_t key_bytes, const char *kernel);
#endif

typedef int (*runnel_verb)(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes);

/* Key, IV, verb and wipe of a context of the caller's, for runnel_<family>_once. */
int runnel_family_once(runnel_cipher_list ciphers, runnel_stream *context, uint8_t *out, const uint8_t *in,
                       size_t bytes, const uint8_t *key, size_t key_bytes, const uint8_t *iv, size_t iv_bytes,
                       int layout, runnel_verb verb);

/* Raw blocks: as the verbs that <runnel/verbs.h> declares, on a context that starts with b and holds the schedules. */
int runnel_blocks_key(runnel_cipher_list ciphers, runnel_blocks *b, void *encrypt_state, void *decrypt_state,
                      const uint8_t *key, size_t key_bytes, const char *kernel);
#if RUNNEL_HOSTED
/* For encryption alone, of a cipher with blocks of 16 bytes; and zero = E(0). key is not NULL. */
int runnel_blocks_key_and_zero(runnel_cipher_list ciphers, runnel_blocks *b, void *encrypt_state, const uint8_t *key,
                               size_t key_bytes, const char *kernel, uint8_t *zero);
#endif
int runnel_blocks_encrypt(const runnel_blocks *b, const void *state, uint8_t *out, const uint8_t *in, size_t nblocks,
                          size_t block_bytes);
int runnel_blocks_decrypt(const runnel_blocks *b, const void *state, uint8_t *out, const uint8_t *in, size_t nblocks,
                          size_t block_bytes);
void runnel_blocks_wipe(runnel_blocks *b, size_t context_bytes);

/* Define the functions that <runnel/verbs.h> declares. */
#define RUNNEL_DEFINE_VERBS_(family, ciphers)                                                                          \
    int runnel_##family##_key(runnel_##family *c, const uint8_t *key, size_t key_bytes)                                \
    {                                                                                                                  \
        return runnel_family_key(ciphers, (runnel_stream *)c, key, key_bytes, NULL);                                   \
    }                                                                                                                  \
    int runnel_##family##_key_kernel(runnel_##family *c, const uint8_t *key, size_t key_bytes, const char *kernel)     \
    {                                                                                                                  \
        return runnel_family_key(ciphers, (runnel_stream *)c, key, key_bytes, kernel);                                 \
    }                                                                                                                  \
    uint64_t runnel_##family##_tell(const runnel_##family *c)                                                          \
    {                                                                                                                  \
        return runnel_stream_tell((const runnel_stream *)c);                                                           \
    }                                                                                                                  \
    uint64_t runnel_##family##_left(const runnel_##family *c)                                                          \
    {                                                                                                                  \
        return runnel_stream_left((const runnel_stream *)c);                                                           \
    }                                                                                                                  \
    const char *runnel_##family##_kernel(const runnel_##family *c)                                                     \
    {                                                                                                                  \
        return runnel_stream_kernel((const runnel_stream *)c);                                                         \
    }                                                                                                                  \
    void runnel_##family##_wipe(runnel_##family *c)                                                                    \
    {                                                                                                                  \
        runnel_stream_wipe((runnel_stream *)c);                                                                        \
    }

#if RUNNEL_HOSTED
#define RUNNEL_DEFINE_XOR_BATCH_VERB_(family)                                                                          \
    int runnel_##family##_xor_batch(runnel_##family *const *c, uint8_t *const *out, const uint8_t *const *in,          \
                                    const size_t *bytes, size_t count)                                                 \
    {                                                                                                                  \
        return runnel_stream_xor_batch((runnel_stream *const *)c, out, in, bytes, count);                              \
    }
#define RUNNEL_DEFINE_IV_BATCH_VERB_(family)                                                                           \
    int runnel_##family##_iv_batch(runnel_##family *const *c, const uint8_t *const *ivs, size_t iv_bytes,              \
                                   size_t count)                                                                       \
    {                                                                                                                  \
        return runnel_stream_iv_batch((runnel_stream *const *)c, ivs, iv_bytes, 0, count);                             \
    }
#else
#define RUNNEL_DEFINE_XOR_BATCH_VERB_(family)
#define RUNNEL_DEFINE_IV_BATCH_VERB_(family)
#endif

#define RUNNEL_DEFINE_XOR_VERBS_(family)                                                                               \
    int runnel_##family##_xor(runnel_##family *c, uint8_t *out, const uint8_t *in, size_t bytes)                       \
    {                                                                                                                  \
        return runnel_stream_xor((runnel_stream *)c, out, in, bytes);                                                  \
    }                                                                                                                  \
    int runnel_##family##_seek(runnel_##family *c, uint64_t position)                                                  \
    {                                                                                                                  \
        return runnel_stream_seek((runnel_stream *)c, position);                                                       \
    }                                                                                                                  \
    RUNNEL_DEFINE_XOR_BATCH_VERB_(family)

/* For counter mode. */
#define RUNNEL_DEFINE_CTR_VERBS(family, ciphers)                                                                       \
    RUNNEL_DEFINE_VERBS_(family, ciphers)                                                                              \
    RUNNEL_DEFINE_XOR_VERBS_(family)                                                                                   \
    int runnel_##family##_iv(runnel_##family *c, const uint8_t *iv, size_t iv_bytes, int layout)                       \
    {                                                                                                                  \
        return runnel_stream_iv((runnel_stream *)c, iv, iv_bytes, layout);                                             \
    }                                                                                                                  \
    int runnel_##family##_packet(runnel_##family *c, const uint8_t *iv, size_t iv_bytes, int layout, uint8_t *out,     \
                                 const uint8_t *in, size_t bytes)                                                      \
    {                                                                                                                  \
        return runnel_stream_packet((runnel_stream *)c, iv, iv_bytes, layout, out, in, bytes);                         \
    }                                                                                                                  \
    int runnel_##family##_once(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *key, size_t key_bytes,    \
                               const uint8_t *iv, size_t iv_bytes, int layout)                                         \
    {                                                                                                                  \
        RUNNEL_LOCAL_CONTEXT(runnel_##family) c;                                                                       \
        return runnel_family_once(ciphers, (runnel_stream *)&c, out, in, bytes, key, key_bytes, iv, iv_bytes, layout,  \
                                  runnel_stream_xor);                                                                  \
    }

#define RUNNEL_DEFINE_IV_VERB_(family)                                                                                 \
    int runnel_##family##_iv(runnel_##family *c, const uint8_t *iv, size_t iv_bytes)                                   \
    {                                                                                                                  \
        return runnel_stream_iv((runnel_stream *)c, iv, iv_bytes, 0);                                                  \
    }

/* For ciphers that make a keystream of their own. */
#define RUNNEL_DEFINE_STREAM_VERBS(family, ciphers)                                                                    \
    RUNNEL_DEFINE_VERBS_(family, ciphers)                                                                              \
    RUNNEL_DEFINE_XOR_VERBS_(family)                                                                                   \
    RUNNEL_DEFINE_IV_VERB_(family)                                                                                     \
    RUNNEL_DEFINE_IV_BATCH_VERB_(family)                                                                               \
    int runnel_##family##_packet(runnel_##family *c, const uint8_t *iv, size_t iv_bytes, uint8_t *out,                 \
                                 const uint8_t *in, size_t bytes)                                                      \
    {                                                                                                                  \
        return runnel_stream_packet((runnel_stream *)c, iv, iv_bytes, 0, out, in, bytes);                              \
    }                                                                                                                  \
    int runnel_##family##_once(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *key, size_t key_bytes,    \
                               const uint8_t *iv, size_t iv_bytes)                                                     \
    {                                                                                                                  \
        RUNNEL_LOCAL_CONTEXT(runnel_##family) c;                                                                       \
        return runnel_family_once(ciphers, (runnel_stream *)&c, out, in, bytes, key, key_bytes, iv, iv_bytes, 0,       \
                                  runnel_stream_xor);                                                                  \
    }

#define RUNNEL_DEFINE_DIRECTION_VERBS_(family, ciphers, verb)                                                          \
    int runnel_##family##_##verb(runnel_##family *c, uint8_t *out, const uint8_t *in, size_t bytes)                    \
    {                                                                                                                  \
        return runnel_stream_##verb((runnel_stream *)c, out, in, bytes);                                               \
    }                                                                                                                  \
    int runnel_##family##_##verb##_packet(runnel_##family *c, const uint8_t *iv, size_t iv_bytes, uint8_t *out,        \
                                          const uint8_t *in, size_t bytes)                                             \
    {                                                                                                                  \
        return runnel_stream_##verb##_packet((runnel_stream *)c, iv, iv_bytes, 0, out, in, bytes);                     \
    }                                                                                                                  \
    int runnel_##family##_##verb##_once(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *key,             \
                                        size_t key_bytes, const uint8_t *iv, size_t iv_bytes)                          \
    {                                                                                                                  \
        RUNNEL_LOCAL_CONTEXT(runnel_##family) c;                                                                       \
        return runnel_family_once(ciphers, (runnel_stream *)&c, out, in, bytes, key, key_bytes, iv, iv_bytes, 0,       \
                                  runnel_stream_##verb);                                                               \
    }

/* For ciphers in which encryption and decryption differ. */
#define RUNNEL_DEFINE_DIRECTIONAL_VERBS(family, ciphers)                                                               \
    RUNNEL_DEFINE_VERBS_(family, ciphers)                                                                              \
    RUNNEL_DEFINE_IV_VERB_(family)                                                                                     \
    RUNNEL_DEFINE_DIRECTION_VERBS_(family, ciphers, encrypt)                                                           \
    RUNNEL_DEFINE_DIRECTION_VERBS_(family, ciphers, decrypt)

/* For raw blocks; the context has the members blocks, encrypt and, with RUNNEL_DECRYPT, decrypt. */
#if RUNNEL_DECRYPT
#define RUNNEL_DECRYPT_OF_(c) &(c)->decrypt
#else
#define RUNNEL_DECRYPT_OF_(c) NULL
#endif
#define RUNNEL_DEFINE_BLOCKS_VERBS(family, ciphers, block_bytes)                                                       \
    int runnel_##family##_key(runnel_##family *c, const uint8_t *key, size_t key_bytes)                                \
    {                                                                                                                  \
        return runnel_##family##_key_kernel(c, key, key_bytes, NULL);                                                  \
    }                                                                                                                  \
    int runnel_##family##_key_kernel(runnel_##family *c, const uint8_t *key, size_t key_bytes, const char *kernel)     \
    {                                                                                                                  \
        return c == NULL ? RUNNEL_ERR_NULL                                                                             \
                         : runnel_blocks_key(ciphers, &c->blocks, &c->encrypt, RUNNEL_DECRYPT_OF_(c), key, key_bytes,  \
                                             kernel);                                                                  \
    }                                                                                                                  \
    int runnel_##family##_encrypt(const runnel_##family *c, uint8_t *out, const uint8_t *in, size_t nblocks)           \
    {                                                                                                                  \
        return c == NULL ? RUNNEL_ERR_NULL                                                                             \
                         : runnel_blocks_encrypt(&c->blocks, &c->encrypt, out, in, nblocks, block_bytes);              \
    }                                                                                                                  \
    int runnel_##family##_decrypt(const runnel_##family *c, uint8_t *out, const uint8_t *in, size_t nblocks)           \
    {                                                                                                                  \
        return c == NULL ? RUNNEL_ERR_NULL                                                                             \
                         : runnel_blocks_decrypt(&c->blocks, RUNNEL_DECRYPT_OF_(c), out, in, nblocks, block_bytes);    \
    }                                                                                                                  \
    const char *runnel_##family##_kernel(const runnel_##family *c)                                                     \
    {                                                                                                                  \
        return c != NULL && c->blocks.kernel != NULL ? c->blocks.kernel->name : NULL;                                  \
    }                                                                                                                  \
    void runnel_##family##_wipe(runnel_##family *c)                                                                    \
    {                                                                                                                  \
        runnel_blocks_wipe((runnel_blocks *)c, sizeof *c);                                                             \
    }

#endif
