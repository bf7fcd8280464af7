/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The contract between the core and its kernels, and nothing else; what kernels are written with is in core/describe.h.
 *
 * A kernel is one implementation technique of one cipher, MAC or AEAD, in a file of its own that guards itself
 * (arch/arch.h), and a row of its folder's kernels.inc. All kernels of a folder make the same bytes. Each begins with the
 * head below; here follow the kernels of ciphers, whose kind says which functions they have. Those of a MAC or an AEAD,
 * which only its own folder calls, are in kernels.h there.
 *
 * What a kernel can rely on: whole blocks only, nblocks >= 1; out == in or no overlap; no wrap of the 32-bit counter word
 * inside a call, nor of its run_bits low bits; key and IV lengths that the descriptor lists and key_sizes takes.
 * What it must keep: no alignment assumed of blocks, and no more than RUNNEL_ALIGN of the context, which may be moved
 * after any call; not one byte read or written outside the blocks; no static data that changes; no secret in
 * a branch, an address or a variable-time instruction unless its timing is RUNNEL_SECRET_INDEXED; callee-saved registers
 * and a clear upper vector state on return; secrets in arrays of its own are wiped (what the compiler spills is cleared
 * by the driver, see runnel_stream_wipe). */
#ifndef RUNNEL_CORE_KERNEL_H
#define RUNNEL_CORE_KERNEL_H

#include <runnel/cipher.h>
#include <runnel/cpu.h>

#include "arch/arch.h"
#include "modes/fused.h"

/* The head of every kernel: its first members, which choosing and listing read without knowing the rest. */
#if RUNNEL_HOSTED
#define RUNNEL_KERNEL_LANES_ uint8_t lanes; /* messages or streams that it works on side by side; 0 is 1 */
#else
#define RUNNEL_KERNEL_LANES_
#endif
#define RUNNEL_KERNEL_HEAD                                                                                             \
    const char *name;     /* short, unique in its folder: "portable", "aesni" */                                       \
    const char *citation; /* the technique's origin: paper, RFC, section */                                            \
    uint32_t cpu;         /* RUNNEL_CPU_* bits, all needed */                                                          \
    uint8_t timing;       /* RUNNEL_CONSTANT_TIME or RUNNEL_SECRET_INDEXED */                                          \
    RUNNEL_KERNEL_LANES_
typedef RUNNEL_IN_FLASH struct runnel_kernel_head {
    RUNNEL_KERNEL_HEAD
} runnel_kernel_head;

/* The head of a kernel of any kind, also in a static initializer. */
#define RUNNEL_HEAD_OF(kernel) ((const runnel_kernel_head *)(const RUNNEL_IN_FLASH void *)(kernel))

/* Kernels of one folder, in order of preference; ends with NULL. */
typedef const runnel_kernel_head *const RUNNEL_IN_FLASH runnel_kernel_list[];

/* 1: kernels may have functions for tails. Firmware does without: they are for many blocks at a time. */
#define RUNNEL_TAILS RUNNEL_HOSTED

enum { RUNNEL_KIND_BLOCK, RUNNEL_KIND_STREAM };

/* Writes in XOR E(block), E(block + 1) … to out (in == NULL: the keystream). Only one 32-bit word of the counter block moves,
 * and it does not wrap. prefix is context + prefix_offset, or NULL: memory that the kernel keeps between calls under one
 * key; its first 8 bytes are zero after key set-up and the rest is undefined then. */
typedef void runnel_ctr_function(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                                 size_t nblocks);

/* Tails. A message that does not end with a block has a tail, 1 to block_bytes - 1 bytes of one block more. A kernel
 * that makes several blocks at a time can make the tail's block with the last of them, in ctr32_tail or xor_tail; they
 * may be NULL, and then the driver has the tail's block made by itself and takes from it what it needs.
 *
 * They are called for nblocks >= 1 whole blocks and a tail, to which everything above applies as to nblocks + 1 blocks.
 * out and in have nblocks * block_bytes + tail bytes, and not one byte more is read or written there: by masks or from
 * leftover with runnel_xor_bytes, as the kernel knows best. The keystream of the tail's block, all block_bytes bytes of
 * it and not XORed with in, goes to leftover, which overlaps nothing: the stream may continue inside that block. */

/* A kernel of a block cipher. */
typedef struct runnel_block_functions {
    /* Raw encryption, block by block. */
    void (*encrypt_blocks)(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks);
    runnel_ctr_function *ctr32;      /* the last four bytes of the block count, big-endian; may be NULL */
    runnel_ctr_function *ctr32_left; /* bytes 4 to 7 count: be32-left; may be NULL */
#if RUNNEL_NOT_AVR
    runnel_ctr_function *ctr32_little; /* the first four bytes count, little-endian: le layouts; may be NULL */
#endif
#if RUNNEL_TAILS
    /* As ctr32, with a tail. */
    void (*ctr32_tail)(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                       size_t nblocks, size_t tail, uint8_t *leftover);
    /* A whole short message in one call, for blocks of 16 bytes: as ctr32 without a prefix, for 1 to packet_bytes bytes from
     * the counter block on. A tail, also of less than a block in all, is treated as in ctr32_tail. The counter block may
     * be the caller's, lie where out goes, or be leftover. Returns RUNNEL_OK, so that the call may be the verb's last.
     * NULL: by ctr32. */
    int (*packet)(const void *state, const uint8_t *block, uint8_t *out, const uint8_t *in, size_t bytes,
                  uint8_t *leftover);
    uint16_t packet_bytes; /* 0 without packet */
#endif
    /* May be NULL. Called at IV set-up with the first counter block, where there is a prefix, to build what depends on
     * the nonce. ctr32 is right all the same for blocks of any other nonce. */
    void (*nonce)(const void *state, void *prefix, const uint8_t *block);
    /* Returns how many bytes of prefix were written since key set-up. NULL: none except the first 8. */
    uint32_t (*prefix_used)(const void *prefix);
    /* Raw decryption, with a schedule of its own; NULL where the kernel has none. */
    void (*decrypt_key)(void *state, const uint8_t *key, size_t key_bytes);
    void (*decrypt_blocks)(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks);
#if RUNNEL_HOSTED
    /* Key set-up, and zero = E(a block of zeros), of which modes make subkeys: its rounds fit between those of the key
     * schedule. NULL: by key and encrypt_blocks. */
    void (*key_and_zero)(void *state, const uint8_t *key, size_t key_bytes, uint8_t *zero);
    runnel_fused_functions fused; /* the modes' own, which call them */
#endif
} runnel_block_functions;

/* A kernel of a cipher that makes a keystream of its own. */
typedef struct runnel_stream_functions {
    /* Starts a message; any number of them may follow one key. */
    void (*iv)(void *state, const uint8_t *iv, size_t iv_bytes);
    /* Writes in XOR keystream to out (in == NULL: the keystream): nblocks blocks of block_bytes bytes from block number
     * index on. For a cipher that cannot seek that is the block after the last one made. */
    void (*xor_blocks)(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks);
#if RUNNEL_TAILS
    /* As xor_blocks, with a tail. */
    void (*xor_tail)(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks, size_t tail,
                     uint8_t *leftover);
#endif
} runnel_stream_functions;

/* Several streams of one cipher at once. A kernel points to one of these if its state is what the functions read and
 * write, so that a stream may go from one to the other at any block; all rules of kernels hold for them. They
 * are called for `lanes` streams, always: where there are fewer, the last lanes repeat the first. */
typedef struct runnel_batch {
    RUNNEL_KERNEL_HEAD       /* lanes: at most RUNNEL_LANES_MOST; name and citation are the kernel's */
        uint8_t in_step;     /* 1: only streams that are at the same block index */
    uint8_t min_streams_iv;  /* so many streams or more take less time together than one after another */
    uint8_t min_streams_xor; /* likewise; more than `lanes`: never, and xor_blocks may be NULL */
    /* As in runnel_stream_functions. iv may be NULL, and so may each in[i]. A lane that repeats the first reads the same state
     * and may write it, but its output goes where nobody reads it, and its in[i] is NULL. */
    void (*iv)(void *const *states, const uint8_t *const *ivs, size_t iv_bytes);
    void (*xor_blocks)(void *const *states, uint64_t index, uint8_t *const *out, const uint8_t *const *in,
                       size_t nblocks);
} runnel_batch;

#define RUNNEL_LANES_MOST 8
#define RUNNEL_KEY_LANES 8

typedef RUNNEL_IN_FLASH struct runnel_kernel {
    RUNNEL_KERNEL_HEAD
    uint8_t kind;      /* RUNNEL_KIND_…: which of the functions below it has */
    uint8_t key_sizes; /* RUNNEL_KEY_SIZE bits of the keys it takes; 0: all keys of the cipher */
#if RUNNEL_NOT_AVR     /* whose kernels count all bits: a byte of SRAM and the code that splits would cost more */
    uint8_t run_bits; /* low bits of the counter word in which blocks of a call of ctr32 or ctr32_left differ; 0: all */
#endif

    /* Key set-up. state is context + state_offset. */
    void (*key)(void *state, const uint8_t *key, size_t key_bytes);
    union {
        runnel_block_functions block;
        runnel_stream_functions stream;
    };
#if RUNNEL_HOSTED
    /* Key set-up of RUNNEL_KEY_LANES states from keys of one length; some may repeat the first. NULL: one after another. */
    void (*keys)(void *const *states, const uint8_t *const *keys, size_t key_bytes);
    const runnel_batch *batch; /* NULL: several streams go one after another */
    /* The depth to which its functions use the stack, core/counter.c included; 0: RUNNEL_STACK_BYTES. One-shot calls
     * clear so much: a smaller number is for kernels whose short messages that would slow down. Tested with each
     * compiler. */
    uint16_t stack_bytes;
#endif
} runnel_kernel;

#define RUNNEL_KEY_SIZE(bits) (1 << (bits) / 64)

#endif
