/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* CryptMT version 3: key of 16, 32 … 256 bytes, IV of 16, 32 … 256 bytes. Not seekable. Free for non-commercial use,
 * its designers said; see README.md.
 *
 * Firmware sets its longest key with RUNNEL_CRYPTMT_KEY_BITS and its longest IV with RUNNEL_CRYPTMT_IV_BITS, multiples of
 * 128: they decide the size of the context. Without them 2048 for both; on AVR 256 and 128. */
#ifndef RUNNEL_CRYPTMT_H
#define RUNNEL_CRYPTMT_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef RUNNEL_CRYPTMT_KEY_BITS
#ifdef __AVR__
#define RUNNEL_CRYPTMT_KEY_BITS 256
#else
#define RUNNEL_CRYPTMT_KEY_BITS 2048
#endif
#endif
#ifndef RUNNEL_CRYPTMT_IV_BITS
#ifdef __AVR__
#define RUNNEL_CRYPTMT_IV_BITS 128
#else
#define RUNNEL_CRYPTMT_IV_BITS 2048
#endif
#endif

/* Four lanes. */
typedef struct runnel_cryptmt_vector {
    uint32_t lane[4];
} runnel_cryptmt_vector;

typedef struct runnel_cryptmt_state {
    /* The generator's 156 vectors. Until each was used once, those that follow `next` are the booter's, two for each 16
     * bytes of key and IV. */
    RUNNEL_ALIGNED runnel_cryptmt_vector v[156 + (RUNNEL_CRYPTMT_KEY_BITS + RUNNEL_CRYPTMT_IV_BITS) / 64];
    runnel_cryptmt_vector filter, accumulator;
    uint8_t key[RUNNEL_CRYPTMT_KEY_BITS / 8];
    uint8_t key_blocks;
    uint8_t booter; /* its vectors; 0: all 156 were used */
    uint8_t next;
    uint8_t reserved;
} runnel_cryptmt_state;

typedef struct runnel_cryptmt {
    runnel_stream stream;
    uint8_t leftover[16];
    runnel_cryptmt_state state;
} runnel_cryptmt;

RUNNEL_DECLARE_STREAM_VERBS(cryptmt)

#ifdef __cplusplus
}
#endif
#endif
