/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A subject of measurement: one implementation of one cipher, ours or a peer's, behind one interface. */
#ifndef RUNNEL_BENCH_SUBJECT_H
#define RUNNEL_BENCH_SUBJECT_H

#include <stddef.h>
#include <stdint.h>

/* The cipher that a subject is asked to be, named as in our registry, and the lengths it is measured with. */
typedef struct bench_shape {
    const char *cipher;
    size_t key_bytes;
    size_t iv_bytes;
    size_t tag_bytes; /* of an AEAD; 0: a cipher */
} bench_shape;

/* Each takes the cheapest public way that its library offers. All give 0, or anything else on failure; in and out
 * do not overlap, and there are SUBJECT_FRONT bytes in front of out, for libraries that put the tag there. */
enum { SUBJECT_FRONT = 16 };

typedef struct subject_verbs {
    int (*key)(void *context, const uint8_t *key);
    /* Of an AEAD: begins a message that comes in pieces; where it has none, update is NULL and this does nothing. */
    int (*iv)(void *context, const uint8_t *iv);
    /* A new IV, then one message; of an AEAD sealed, without associated data, and the tag behind it. */
    int (*message)(void *context, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes);
    /* The same stream, or an AEAD's message, continues; bytes is a multiple of piece. */
    int (*update)(void *context, uint8_t *out, const uint8_t *in, size_t bytes);
    /* A message under a new key and a new IV, where that is cheaper than key and then message; or NULL. */
    int (*key_message)(void *context, const uint8_t *key, const uint8_t *iv, uint8_t *out, const uint8_t *in,
                       size_t bytes);
    uint8_t piece;     /* what all pieces except a stream's last must be a multiple of, in bytes; 0: of any length */
    uint8_t stateless; /* 1: key and IV are arguments of each call, setting them is no step of its own */
} subject_verbs;

/* A message under a new key. */
static inline int subject_key_message(const subject_verbs *verbs, void *context, const uint8_t *key, const uint8_t *iv,
                                      uint8_t *out, const uint8_t *in, size_t bytes)
{
    if (verbs->key_message != NULL)
        return verbs->key_message(context, key, iv, out, in, bytes);
    return verbs->key(context, key) || verbs->message(context, iv, out, in, bytes);
}

/* Tells whether a stream may continue by so many bytes. */
static inline int subject_can_continue(const subject_verbs *verbs, size_t bytes)
{
    return verbs->update != NULL && (verbs->piece == 0 || bytes % verbs->piece == 0);
}

enum { SUBJECT_CONTEXTS = 4 };

typedef struct bench_subject {
    char implementation[48]; /* "runnel", or the peer with its version */
    const char *kernel;      /* ours: the kernel's name; peers: "" */
    const subject_verbs *verbs;
    void *context;
    void *contexts[SUBJECT_CONTEXTS]; /* that one and others like it, at other places in memory; see measure.h */
} bench_subject;

/* Takes one more context for a subject; until there are more, the first serves for all. What lies in between puts it at
 * another place of its page. */
void subject_add_context(bench_subject *subject, size_t number, const bench_subject *another);

/* A library found at run time. */
typedef struct peer {
    const char *name;
    /* Loads it; directory is where shims lie, or the newest releases. Returns 1 and the version, or 0 if it is not
     * here. A version of "" means that open says which. */
    int (*load)(const char *directory, char version[24]);
    /* Opens one of its ciphers, for as long as the process lives: sets verbs and context and gives 1, or gives 0 if
     * it does not have it. */
    int (*open)(const bench_shape *shape, bench_subject *subject);
    uint8_t newest; /* 1: a release that `make bench-newest` has built */
} peer;

extern const peer peer_botan, peer_botan_ffi, peer_cryptopp, peer_libgcrypt, peer_libsodium, peer_nettle, peer_openssl;
extern const peer peer_newest_libgcrypt, peer_newest_libsodium, peer_newest_openssl, peer_newest_rustcrypto;

#endif
