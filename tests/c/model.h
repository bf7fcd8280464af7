/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A naive model of every cipher: any stretch of the keystream, computed block by block from the reference kernel, with
 * counters by byte arithmetic that shares nothing with core/. The layout is read off its name. */
#ifndef RUNNEL_TESTS_MODEL_H
#define RUNNEL_TESTS_MODEL_H

#include "harness.h"

typedef struct naive {
    const runnel_cipher *cipher;
    const runnel_kernel *kernel;
    uint8_t *context; /* the kernel's state lies at the cipher's state_offset */
    uint8_t iv[LONGEST_IV];
    unsigned bits, offset, little; /* the counter field */
    uint8_t *made;                 /* ciphers that cannot seek: the keystream from the start */
    size_t made_bytes, room;
} naive;

void model_init(naive *m, const runnel_cipher *cipher);
void model_free(naive *m);
void model_key(naive *m, const uint8_t *key, size_t key_bytes);
void model_iv(naive *m, const uint8_t *iv, size_t iv_bytes, int layout);
/* Writes bytes of keystream from byte `skip` of block number `block` on. */
void model_keystream(naive *m, uint64_t block, size_t skip, uint8_t *out, size_t bytes);
/* The same from a position in bytes. */
void model_keystream_at(naive *m, uint64_t position, uint8_t *out, size_t bytes);
/* Blocks in one period of a layout (0: at least 2^64), likewise read off its name; for other ciphers the
 * descriptor's. */
uint64_t model_period(const runnel_cipher *cipher, int layout);
/* Where a layout's field lies in a block. */
void layout_field(int layout, size_t block_bytes, unsigned *bits, unsigned *offset, unsigned *little);
/* Adds n to the field, modulo its width, byte by byte. */
void add_to_counter(uint8_t *block, unsigned bits, unsigned offset, unsigned little, uint64_t n);

#endif
