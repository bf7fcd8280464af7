/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What is measured: one implementation of one cipher, ours or a peer's, behind one interface. */
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
 * do not overlap. */
typedef struct subject_verbs {
    int (*key)(void *context, const uint8_t *key);
    int (*iv)(void *context, const uint8_t *iv);
    /* A new IV, then one message; of an AEAD sealed, without associated data, and the tag behind it. */
    int (*message)(void *context, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes);
    /* The same stream goes on; bytes is a multiple of 64. Not for AEADs. */
    int (*go_on)(void *context, uint8_t *out, const uint8_t *in, size_t bytes);
    uint8_t stateless; /* 1: key and IV are arguments of each call, setting them is no step of its own */
} subject_verbs;

enum { SUBJECT_CONTEXTS = 4 };

typedef struct bench_subject {
    char implementation[48]; /* "runnel", or the peer with its version */
    const char *kernel;      /* ours: the kernel's name; peers: "" */
    const subject_verbs *verbs;
    void *context;
    void *contexts[SUBJECT_CONTEXTS]; /* that one and others like it, at other places in memory; see measure.h */
} bench_subject;

/* A library found at run time. */
typedef struct peer {
    const char *name;
    /* Loads it; directory is where shims lie. Returns 1 and the version, or 0 if it is not here. */
    int (*load)(const char *directory, char version[24]);
    /* Opens one of its ciphers, for as long as the process lives: sets verbs and context and gives 1, or gives 0 if
     * it does not have it. */
    int (*open)(const bench_shape *shape, bench_subject *subject);
} peer;

extern const peer peer_botan, peer_botan_ffi, peer_cryptopp, peer_libgcrypt, peer_libsodium, peer_nettle, peer_openssl;

#endif
