/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernel contract.
 *
 * A kernel is one implementation technique of one cipher, in a file of its own that guards itself, so that
 * compiling every file is a valid build anywhere. All kernels of a cipher give the same bytes.
 *
 * What a kernel can rely on: whole blocks only, nblocks >= 1; out == in or no overlap; no wrap of the 32-bit
 * counter word inside a call; key and IV lengths that the descriptor lists.
 * What it must keep: no alignment assumed; not one byte read or written outside the blocks; no static data that
 * changes; no secret in a branch, an address or a variable-time instruction unless its timing is RUNNEL_CACHELESS;
 * callee-saved registers and a clear upper vector state on return; secrets in arrays of its own are wiped (what the
 * compiler spills is cleared by the driver, see runnel_stream_wipe). */
#ifndef RUNNEL_CORE_KERNEL_H
#define RUNNEL_CORE_KERNEL_H

#include <runnel/cipher.h>
#include <runnel/cpu.h>

#include "wipe.h"

/* Several streams of one cipher at once. A kernel points to one of these if its state is what the functions read and
 * write, so that a stream may go from one to the other at any block; all that is said of kernels holds for them. They
 * are called for `lanes` streams, always: where there are fewer, the last lanes repeat the first. */
typedef struct runnel_many {
    uint32_t cpu;     /* RUNNEL_CPU_* bits, all needed */
    uint8_t lanes;    /* how many streams, at most RUNNEL_LANES_MOST */
    uint8_t in_step;  /* 1: only streams that are at the same block index */
    uint8_t worth_iv; /* for so many streams or more it takes less time than one after another */
    uint8_t worth_xor; /* likewise; more than `lanes`: never, and xor_blocks may be NULL */
    /* As in runnel_kernel. iv may be NULL, and so may each in[i]. A lane that repeats the first reads the same state
     * and may write it, but its output goes where nobody reads it, and its in[i] is NULL. */
    void (*iv)(void *const *states, const uint8_t *const *ivs, size_t iv_bytes);
    void (*xor_blocks)(void *const *states, uint64_t index, uint8_t *const *out, const uint8_t *const *in,
                       size_t nblocks);
} runnel_many;

#define RUNNEL_LANES_MOST 8

typedef struct runnel_kernel {
    const char *name;   /* short, unique in its cipher: "portable", "aesni" */
    const char *source; /* the technique's origin: paper, RFC, section */
    uint32_t cpu;       /* RUNNEL_CPU_* bits, all needed */
    uint8_t timing;     /* RUNNEL_CONSTANT_TIME or RUNNEL_CACHELESS */

    /* Key set-up. state is context + state_offset. */
    void (*key)(void *state, const uint8_t *key, size_t key_bytes);

    /* Block ciphers in counter mode. encrypt_blocks is raw encryption, block by block. ctr32 may be NULL; it writes
     * in XOR E(block), E(block + 1) … to out (in == NULL: the keystream), where only the last four bytes of block
     * count, big-endian, and do not wrap. prefix is context + prefix_offset, or NULL: memory that the kernel keeps
     * between calls under one key; its first 8 bytes are zero after key set-up and the rest is undefined then.
     * nonce may be NULL; it is called at IV set-up, with the first counter block and a prefix that is not NULL, so that
     * a kernel may build there what depends on the nonce. ctr32 is correct all the same for blocks of any other nonce.
     * prefix_used gives how many bytes of prefix were written since key set-up, NULL: none but the first 8.
     * ctr32_left, which may be NULL too, is ctr32 for blocks of which only bytes 4 to 7 count: be32-left. */
    void (*encrypt_blocks)(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks);
    void (*ctr32)(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                  size_t nblocks);
    void (*ctr32_left)(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                       size_t nblocks);
    void (*nonce)(const void *state, void *prefix, const uint8_t *block);
    uint32_t (*prefix_used)(const void *prefix);

    /* Raw decryption, with a schedule of its own; NULL where the kernel has none. */
    void (*decrypt_key)(void *state, const uint8_t *key, size_t key_bytes);
    void (*decrypt_blocks)(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks);

    /* All other ciphers. iv starts a message and may be called again and again after one key. xor_blocks writes
     * in XOR keystream (in == NULL: the keystream) for nblocks blocks of block_bytes from block number index; for a
     * cipher that cannot seek, index is always the block after the last one. */
    void (*iv)(void *state, const uint8_t *iv, size_t iv_bytes);
    void (*xor_blocks)(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks);

#if RUNNEL_HOSTED
    const runnel_many *many; /* NULL: several streams go one after another */
    /* How far down the stack its functions leave something, core/ctr.c's part included; 0: RUNNEL_STACK_BYTES. One-shot
     * calls clear so much: for kernels whose short messages it would slow down. Tested, with each compiler. */
    uint16_t stack_bytes;
#endif
} runnel_kernel;

/* For a descriptor's list of kernels: an entry that exists on one architecture only. A kernel's file guards itself
 * with the number of the same name. */
#if defined(__x86_64__) && RUNNEL_HOSTED && !defined(RUNNEL_NO_X86)
#define RUNNEL_X86_64 1
#define RUNNEL_ON_X86_64(kernel) &kernel,
#define RUNNEL_MANY_ON_X86_64(functions) .many = &functions, /* in a runnel_kernel */
#else
#define RUNNEL_X86_64 0
#define RUNNEL_ON_X86_64(kernel)
#define RUNNEL_MANY_ON_X86_64(functions)
#endif

#if defined(__aarch64__) && defined(__ELF__) && !defined(__AARCH64EB__) && RUNNEL_HOSTED
#define RUNNEL_AARCH64 1
#define RUNNEL_ON_AARCH64(kernel) &kernel,
#else
#define RUNNEL_AARCH64 0
#define RUNNEL_ON_AARCH64(kernel)
#endif

/* 32-bit ARM with an operating system, where NEON is found at run time. */
#if defined(__arm__) && __ARM_ARCH >= 7 && RUNNEL_HOSTED
#define RUNNEL_ARMV7 1
#define RUNNEL_ON_ARMV7(kernel) &kernel,
#else
#define RUNNEL_ARMV7 0
#define RUNNEL_ON_ARMV7(kernel)
#endif

/* Thumb-2: Cortex-M3 and later, and ARMv7-A, where it may be called from ARM code. */
#if defined(__arm__) && __ARM_ARCH >= 7 && __ARM_ARCH_ISA_THUMB >= 2 && !defined(__ARMEB__)
#define RUNNEL_THUMB2 1
#define RUNNEL_ON_THUMB2(kernel) &kernel,
#else
#define RUNNEL_THUMB2 0
#define RUNNEL_ON_THUMB2(kernel)
#endif

#if defined(__riscv) && __riscv_xlen == 32
#define RUNNEL_RV32 1
#define RUNNEL_ON_RV32(kernel) &kernel,
#else
#define RUNNEL_RV32 0
#define RUNNEL_ON_RV32(kernel)
#endif

#if defined(__AVR__)
#define RUNNEL_AVR 1
#define RUNNEL_ON_AVR(kernel) &kernel,
#else
#define RUNNEL_AVR 0
#define RUNNEL_ON_AVR(kernel)
#endif

/* A kernel's symbol is runnel_<folder>_<its name, with _ for ->. */
#define RUNNEL_KERNEL_(folder, name) runnel_##folder##_##name
#define RUNNEL_KERNEL(folder, name) RUNNEL_KERNEL_(folder, name)

/* Text that firmware does without. */
#if RUNNEL_TEXTS
#define RUNNEL_TEXT(text) text
#else
#define RUNNEL_TEXT(text) NULL
#endif

/* Encryption and decryption of a cipher in which they differ. Called when every error is ruled out, bytes > 0; they
 * move the position, s->block and s->leftover. */
typedef struct runnel_directions {
    void (*encrypt)(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes);
    void (*decrypt)(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes);
} runnel_directions;

/* CFB with whole blocks, for any block cipher whose context starts with runnel_cfb_head. */
extern const runnel_directions runnel_cfb;

/* What a block cipher's descriptors say by their mode; they add name, title, source and kernels, in counter mode status
 * and, if the context has a prefix, its offset. The contexts are runnel_<cipher>_ctr and _cfb, with a schedule. */
#define RUNNEL_CTR_MODE(cipher, bits, bytes, all_layouts)                                                              \
    .family = RUNNEL_TEXT(#cipher "_ctr"), .seekable = 1, .layout = bytes == 16 ? RUNNEL_BE128 : RUNNEL_BE64,          \
    .layouts = all_layouts, .key_bytes = {bits / 8, bits / 8, 1}, .iv_bytes = {bytes, bytes, 1}, .block_bytes = bytes, \
    .context_bytes = sizeof(runnel_##cipher##_ctr), .state_offset = offsetof(runnel_##cipher##_ctr, schedule)

#define RUNNEL_CFB_MODE(cipher, bits, bytes)                                                                           \
    .family = RUNNEL_TEXT(#cipher "_cfb"), .status = RUNNEL_LEGACY,                                                    \
    .remark = RUNNEL_TEXT("needs an unpredictable IV; encryption runs one block at a time"),                           \
    .key_bytes = {bits / 8, bits / 8, 1}, .iv_bytes = {bytes, bytes, 1}, .block_bytes = bytes,                         \
    .context_bytes = sizeof(runnel_##cipher##_cfb), .state_offset = offsetof(runnel_##cipher##_cfb, schedule),         \
    .directions = &runnel_cfb

/* Where builds have raw decryption: its functions in a runnel_kernel; and set_decrypt_key for a cipher that decrypts as it
 * encrypts, with round keys that `turn` makes of those for encryption, in the same place. */
#if RUNNEL_DECRYPT
#define RUNNEL_DECRYPT_KEY(key_function, turn)                                                                         \
    static void set_decrypt_key(void *state, const uint8_t *key, size_t key_bytes)                                     \
    {                                                                                                                  \
        key_function(state, key, key_bytes);                                                                           \
        turn(state);                                                                                                   \
    }
#define RUNNEL_DECRYPTION(key_function, blocks_function)                                                               \
    .decrypt_key = key_function, .decrypt_blocks = blocks_function,
#else
#define RUNNEL_DECRYPT_KEY(key_function, turn)
#define RUNNEL_DECRYPTION(key_function, blocks_function)
#endif

/* The counter layouts that fit a block of 16 and of 8 bytes. */
#define RUNNEL_LAYOUTS_8                                                                                               \
    (1 << RUNNEL_BE64 | 1 << RUNNEL_BE32 | 1 << RUNNEL_BE16 | 1 << RUNNEL_LE64 | 1 << RUNNEL_LE32)
#define RUNNEL_LAYOUTS_16 (RUNNEL_LAYOUTS_8 | 1 << RUNNEL_BE128 | 1 << RUNNEL_LE128)

static inline int runnel_has_length(const runnel_lengths *lengths, size_t bytes)
{
    size_t length = lengths->first; /* added up, because small processors have no division */
    while (length < bytes && length < lengths->last)
        length += lengths->step;
    return length == bytes;
}

/* Tells whether the kernel may run without being named. */
static inline int runnel_kernel_by_default(const runnel_kernel *kernel)
{
    return kernel->timing == RUNNEL_CONSTANT_TIME || !RUNNEL_HOSTED;
}

#if RUNNEL_HOSTED
/* The functions for several streams, if this CPU, as masked, can run them. */
static inline const runnel_many *runnel_many_of(const runnel_kernel *kernel)
{
    return kernel->many != NULL && (kernel->many->cpu & ~runnel_cpu()) == 0 ? kernel->many : NULL;
}
#define RUNNEL_LANES_OF(kernel) (runnel_many_of(kernel) != NULL ? runnel_many_of(kernel)->lanes : 1)
#else
#define RUNNEL_LANES_OF(kernel) 1
#endif

/* Tells whether this CPU, as masked, can run the kernel. */
static inline int runnel_kernel_available(const runnel_kernel *kernel)
{
    return (kernel->cpu & ~runnel_cpu()) == 0;
}

/* Key set-up for a family: the key's length picks one of its ciphers, an array of pointers that ends with NULL.
 * Otherwise as runnel_cipher_key. */
int runnel_family_key(const runnel_cipher *const *ciphers, runnel_stream *context, const uint8_t *key,
                      size_t key_bytes, const char *kernel);

typedef int (*runnel_verb)(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes);

/* Key, IV, verb and wipe of a context of the caller's, for runnel_<family>_once. */
int runnel_family_once(const runnel_cipher *const *ciphers, runnel_stream *context, uint8_t *out, const uint8_t *in,
                       size_t bytes, const uint8_t *key, size_t key_bytes, const uint8_t *iv, size_t iv_bytes,
                       int layout, runnel_verb verb);

/* Raw blocks: as the verbs that <runnel/verbs.h> declares, on a context that starts with b and holds the schedules. */
int runnel_blocks_key(const runnel_cipher *const *ciphers, runnel_blocks *b, void *encrypt_state, void *decrypt_state,
                      const uint8_t *key, size_t key_bytes, const char *kernel);
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
#define RUNNEL_DEFINE_XOR_MANY_VERB_(family)                                                                           \
    int runnel_##family##_xor_many(runnel_##family *const *c, uint8_t *const *out, const uint8_t *const *in,           \
                                   const size_t *bytes, size_t count)                                                  \
    {                                                                                                                  \
        return runnel_stream_xor_many((runnel_stream *const *)c, out, in, bytes, count);                               \
    }
#define RUNNEL_DEFINE_IV_MANY_VERB_(family)                                                                            \
    int runnel_##family##_iv_many(runnel_##family *const *c, const uint8_t *const *ivs, size_t iv_bytes, size_t count) \
    {                                                                                                                  \
        return runnel_stream_iv_many((runnel_stream *const *)c, ivs, iv_bytes, 0, count);                              \
    }
#else
#define RUNNEL_DEFINE_XOR_MANY_VERB_(family)
#define RUNNEL_DEFINE_IV_MANY_VERB_(family)
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
    RUNNEL_DEFINE_XOR_MANY_VERB_(family)

/* For counter mode. */
#define RUNNEL_DEFINE_CTR_VERBS(family, ciphers)                                                                       \
    RUNNEL_DEFINE_VERBS_(family, ciphers)                                                                              \
    RUNNEL_DEFINE_XOR_VERBS_(family)                                                                                   \
    int runnel_##family##_iv(runnel_##family *c, const uint8_t *iv, size_t iv_bytes, int layout)                       \
    {                                                                                                                  \
        return runnel_stream_iv((runnel_stream *)c, iv, iv_bytes, layout);                                             \
    }                                                                                                                  \
    int runnel_##family##_once(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *key, size_t key_bytes,    \
                               const uint8_t *iv, size_t iv_bytes, int layout)                                         \
    {                                                                                                                  \
        runnel_##family c;                                                                                             \
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
    RUNNEL_DEFINE_IV_MANY_VERB_(family)                                                                                \
    int runnel_##family##_once(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *key, size_t key_bytes,    \
                               const uint8_t *iv, size_t iv_bytes)                                                     \
    {                                                                                                                  \
        runnel_##family c;                                                                                             \
        return runnel_family_once(ciphers, (runnel_stream *)&c, out, in, bytes, key, key_bytes, iv, iv_bytes, 0,       \
                                  runnel_stream_xor);                                                                  \
    }

#define RUNNEL_DEFINE_DIRECTION_VERBS_(family, ciphers, verb)                                                          \
    int runnel_##family##_##verb(runnel_##family *c, uint8_t *out, const uint8_t *in, size_t bytes)                    \
    {                                                                                                                  \
        return runnel_stream_##verb((runnel_stream *)c, out, in, bytes);                                               \
    }                                                                                                                  \
    int runnel_##family##_##verb##_once(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *key,             \
                                        size_t key_bytes, const uint8_t *iv, size_t iv_bytes)                          \
    {                                                                                                                  \
        runnel_##family c;                                                                                             \
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

/* For a block cipher with keys of 128, 192 and 256 bits, of which firmware keeps those up to `most`: the lists of its
 * descriptors, ctr_128 … cfb_256, and the verbs of its three families. The key's length picks the cipher. Each family
 * has a list of its own, so that firmware gets one of them only. */
#define RUNNEL_DEFINE_BLOCK_CIPHER(cipher, most)                                                                       \
    static const runnel_cipher *const ctr_family[] = {&ctr_128, most >= 192 ? &ctr_192 : NULL,                         \
                                                      most >= 256 ? &ctr_256 : NULL, NULL};                            \
    static const runnel_cipher *const cfb_family[] = {&cfb_128, most >= 192 ? &cfb_192 : NULL,                         \
                                                      most >= 256 ? &cfb_256 : NULL, NULL};                            \
    const runnel_cipher *const runnel_##cipher##_ciphers[] = {&ctr_128,                                                \
                                                              &cfb_128,                                                \
                                                              most >= 192 ? &ctr_192 : NULL,                           \
                                                              most >= 192 ? &cfb_192 : NULL,                           \
                                                              most >= 256 ? &ctr_256 : NULL,                           \
                                                              most >= 256 ? &cfb_256 : NULL,                           \
                                                              NULL};                                                   \
    RUNNEL_DEFINE_CTR_VERBS(cipher##_ctr, ctr_family)                                                                  \
    RUNNEL_DEFINE_DIRECTIONAL_VERBS(cipher##_cfb, cfb_family)                                                          \
    RUNNEL_DEFINE_BLOCKS_VERBS(cipher##_blocks, ctr_family, 16)

#endif
