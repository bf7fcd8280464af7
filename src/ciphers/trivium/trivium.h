/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Trivium (eSTREAM portfolio, ISO/IEC 29192-3): key of 10 bytes, IV of up to 10 bytes. Bytes are numbered as in
 * eSTREAM: the first bit of the key, the IV and the keystream is the least significant bit of byte 0. A shorter IV
 * gives the same keystream as one with zero bytes put before it: use one length under one key. The limit of 2^64 bits
 * under one IV cannot be reached. Not seekable. Never use an IV twice with one key. */
#ifndef RUNNEL_TRIVIUM_H
#define RUNNEL_TRIVIUM_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As many steps at once as a word has bits. */
#if UINTPTR_MAX > 0xffffffffu
typedef uint64_t runnel_trivium_word;
#define RUNNEL_TRIVIUM_WORDS(bits) (((bits) + 63) / 64)
#else
typedef uint32_t runnel_trivium_word;
#define RUNNEL_TRIVIUM_WORDS(bits) (((bits) + 31) / 32)
#endif

/* The three registers. Word 0 holds the oldest bits, the lowest bit of a word is its oldest, and the newest bit is the
 * highest of the last word; below the oldest bit of a register lie bits that have left it. */
typedef struct runnel_trivium_registers {
    RUNNEL_ALIGNED runnel_trivium_word a[RUNNEL_TRIVIUM_WORDS(93)];
    runnel_trivium_word b[RUNNEL_TRIVIUM_WORDS(84)];
    runnel_trivium_word c[RUNNEL_TRIVIUM_WORDS(111)];
} runnel_trivium_registers;

typedef struct runnel_trivium_state {
    runnel_trivium_registers now;
    uint8_t key[10];
} runnel_trivium_state;

typedef struct runnel_trivium {
    runnel_stream stream;
    uint8_t leftover[8];
    runnel_trivium_state state;
} runnel_trivium;

RUNNEL_DECLARE_STREAM_VERBS(trivium)

#ifdef __cplusplus
}
#endif
#endif
