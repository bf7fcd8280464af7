/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Ciphers by name, for bindings and tools: what exists, and key set-up for any of it. A program that knows its
 * cipher uses that cipher's own header (<runnel/aes.h>, <runnel/seed.h> …) and links nothing else. */
#ifndef RUNNEL_CIPHER_H
#define RUNNEL_CIPHER_H

#include <runnel/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RUNNEL_RECOMMENDED, RUNNEL_LEGACY, RUNNEL_BROKEN };

enum {
    RUNNEL_CONSTANT_TIME, /* no branch, address or variable-time instruction depends on a secret */
    RUNNEL_SECRET_INDEXED /* look-ups indexed by secrets: constant-time only on a core without a data cache */
};

enum {
    RUNNEL_MODE_STREAM, /* a keystream of its own */
    RUNNEL_MODE_CTR,    /* a block cipher in counter mode */
    RUNNEL_MODE_CFB     /* a block cipher in cipher feedback mode, whole blocks */
};

/* The lengths that a key or an IV may have, in bytes: first, first + step … last. */
typedef struct runnel_lengths {
    uint16_t first, last;
    uint16_t step; /* at least 1; last - first is a multiple of it */
} runnel_lengths;

/* Returns how many lengths there are. */
static inline unsigned runnel_lengths_count(const RUNNEL_IN_FLASH runnel_lengths *l)
{
    unsigned span = l->last;
    span -= l->first;
    return span / l->step + 1;
}

/* Returns length number i, in ascending order, 0 <= i < runnel_lengths_count(l). */
static inline size_t runnel_lengths_at(const RUNNEL_IN_FLASH runnel_lengths *l, unsigned i)
{
    size_t above = i;
    above *= l->step;
    return l->first + above;
}

/* A cipher describes itself in one of these, in its own folder; everything else reads it. */
typedef RUNNEL_IN_FLASH struct runnel_cipher {
    const char *name;   /* as on the command line: "aes-128-ctr" */
    const char *family; /* as in the functions of its own header: "aes_ctr" in runnel_aes_ctr_key */
    const char *title;  /* as in a text: "AES-128 in counter mode" */
    const char *source; /* the specification: "FIPS 197; SP 800-38A 6.5" */
    const char *remark; /* what a user must know (an attack, a limit), or NULL */
    uint8_t mode;       /* RUNNEL_MODE_… */
    uint8_t status;     /* RUNNEL_RECOMMENDED, RUNNEL_LEGACY or RUNNEL_BROKEN */
    uint8_t seekable;   /* 1: any position in O(1) */
    uint8_t layout;     /* counter mode: the default layout */
    uint16_t layouts;   /* counter mode: bit 1 << layout for each layout it counts in */
    runnel_lengths key_bytes;
    runnel_lengths iv_bytes;
    uint8_t iv_as_key; /* 1: the IV must be as long as the key */
    uint8_t variant;   /* what tells this cipher from others that have the same kernels (rounds, a version); key */
    uint16_t variant_offset; /* set-up puts it into the byte at this place of the context; 0: nowhere */
    uint16_t block_bytes;    /* keystream bytes a kernel makes at a time, 1 to 512 */
#if RUNNEL_HOSTED
    uint16_t ahead_bytes; /* so many more may be left over, in whole blocks, where a stream comes in short pieces */
#endif
    uint64_t blocks;        /* blocks in one period from the IV; 0: 2^64 or more; counter mode: by layout */
    uint32_t context_bytes; /* size of the context */
    uint16_t state_offset;  /* in the context: the key schedule (counter mode) or the cipher's state */
    uint16_t prefix_offset; /* in the context: the prefix tables, 0: none */
    const RUNNEL_IN_FLASH struct runnel_directions
        *directions; /* encryption and decryption where they differ; NULL: xor does both */
    const RUNNEL_IN_FLASH struct runnel_kernel_head *const RUNNEL_IN_FLASH
        *kernels; /* ends with NULL; the first that may run is chosen */
} runnel_cipher;

/* Some of them; ends with NULL. */
typedef const runnel_cipher *const RUNNEL_IN_FLASH runnel_cipher_list[];

/* Properties of a kernel. */
typedef struct runnel_kernel_info {
    const char *name;
    const char *citation; /* where the technique comes from: a paper, a standard, or our own */
    uint32_t cpu;         /* the CPU features it needs, RUNNEL_CPU_* of <runnel/cpu.h> */
    uint8_t timing;       /* RUNNEL_CONSTANT_TIME or RUNNEL_SECRET_INDEXED */
    uint8_t available;    /* 1: this CPU, as masked, can run it */
    uint8_t chosen;       /* 1: key set-up without a kernel name chooses it */
    uint8_t lanes; /* how many streams it works on side by side here, see runnel_stream_xor_batch; 1: it does not */
} runnel_kernel_info;

/* Returns the cipher number index (from 0, in order of name), or NULL past the last. */
RUNNEL_API const runnel_cipher *runnel_cipher_at(size_t index);
/* Returns the cipher of that name, or NULL. */
RUNNEL_API const runnel_cipher *runnel_cipher_find(const char *name);
/* Describes a cipher's kernel number index, from 0, in order of preference. Errors: KERNEL (past the
 * last), NULL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_cipher_kernel(const runnel_cipher *cipher, size_t index,
                                                      runnel_kernel_info *info);

/* Sets a key in a context of cipher->context_bytes bytes, aligned to RUNNEL_ALIGN as memory from malloc is, or
 * better to RUNNEL_RECOMMENDED_ALIGN; an IV must follow. kernel is the name of the kernel to run, or NULL for the
 * fastest constant-time one that this CPU can run. Constant-time in the key, except for its length, with a kernel of that
 * timing class. Errors: NULL, KEY_LENGTH, KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_cipher_key(const runnel_cipher *cipher, runnel_stream *context,
                                                   const uint8_t *key, size_t key_bytes, const char *kernel);

#if RUNNEL_HOSTED
/* The same for `count` contexts, each with its key of key_bytes bytes, keys[i] for contexts[i]: for many keys of which each
 * is used for little. AES on x86 sets eight in less than half of the time that they take one after another. No context
 * may come twice, which is not checked. Every error is decided before anything changes. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_cipher_key_batch(const runnel_cipher *cipher, runnel_stream *const *contexts,
                                                         const uint8_t *const *keys, size_t key_bytes,
                                                         const char *kernel, size_t count);
#endif

#ifdef __cplusplus
}
#endif
#endif
