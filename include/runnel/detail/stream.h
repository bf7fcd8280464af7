/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The layout of the heads of contexts. Programs read contexts through the functions of the public headers. */
#ifndef RUNNEL_DETAIL_STREAM_H
#define RUNNEL_DETAIL_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include <runnel/config.h>

struct runnel_cipher;
struct runnel_kernel;

/* A number of blocks. */
#if RUNNEL_COUNT_BITS == 64
typedef uint64_t runnel_count;
#else
typedef uint32_t runnel_count;
#endif

/* The head of every context of a cipher. */
typedef struct runnel_stream {
    const RUNNEL_IN_FLASH struct runnel_cipher *cipher;
    const RUNNEL_IN_FLASH struct runnel_kernel *kernel;
    runnel_count block;  /* index of the next block to be made, from the IV */
    runnel_count blocks; /* blocks that may be made from the IV on; 0: 2^64 or more */
    uint16_t leftover;   /* bytes before this block that were made but not used yet */
    uint8_t stage;       /* 0 nothing, 1 key set, 2 key and IV set */
    uint8_t layout;      /* counter mode: its layout */
    uint16_t key_bytes;  /* length of the key */
#if RUNNEL_HOSTED
    uint16_t made_ahead; /* bytes of keystream made ahead the last time; 1 after a first short piece, 0 before */
#endif
} runnel_stream;

/* On hosts, where a kernel makes many blocks in little more time than one: bytes of keystream kept besides the block, so
 * that a stream in short pieces does not pay for a block each time. */
#if RUNNEL_HOSTED
#define RUNNEL_AHEAD_BYTES 448
#else
#define RUNNEL_AHEAD_BYTES 0
#endif

/* Right behind the head every context has an array of ahead_bytes + block_bytes bytes: the block that the last request used
 * in part, at the end, and on hosts before it the keystream made ahead. Its last `leftover` bytes are still to be used. In
 * counter mode: */
typedef struct runnel_ctr_head {
    runnel_stream stream;
    uint8_t leftover[16];
    uint8_t first[16]; /* the IV: counter block number 0 */
} runnel_ctr_head;

/* In a feedback mode: */
typedef struct runnel_cfb_head {
    runnel_stream stream;
    uint8_t feedback[16]; /* the last ciphertext block, or within a block what modes/cfb/cfb.c says */
} runnel_cfb_head;

#if RUNNEL_HOSTED
/* Keystream made ahead, in the caller's memory: of zeros at first. Read it through the functions of <runnel/stream.h>. */
typedef struct runnel_keystream {
    uint16_t left; /* bytes at the end that are still to be used; used ones are zero */
    uint16_t made; /* bytes that were made the last time */
    RUNNEL_ALIGNED uint8_t bytes[1024];
} runnel_keystream;
#endif

/* The head of a context of raw blocks. */
typedef struct runnel_blocks {
    const RUNNEL_IN_FLASH struct runnel_kernel *kernel; /* NULL: no key */
} runnel_blocks;

#endif
