/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Kernels of AEGIS. */
#ifndef RUNNEL_AEGIS_KERNELS_H
#define RUNNEL_AEGIS_KERNELS_H

#include "core/aead.h"

#include "aegis.h"

/* The ciphers, as indices. */
enum { AEGIS_128L, AEGIS_256, AEGIS_128X2, AEGIS_128X4, AEGIS_256X2, AEGIS_256X4, AEGIS_CIPHERS };

/* One of them. A state is 128 bytes for each lane, in the kernel's form; a block of the message has block_bytes. */
typedef RUNNEL_IN_FLASH struct runnel_aegis_functions {
    uint8_t block_bytes;
    void (*start)(void *state, const uint8_t *key, const uint8_t *nonce);
    void (*absorb)(void *state, const uint8_t *data, size_t nblocks);
    void (*crypt)(void *state, uint8_t *out, const uint8_t *in, size_t nblocks, int decrypt);
    void (*keystream)(const void *state, uint8_t *out); /* of the next block, which crypt or absorb has still to get */
    /* The tag, of 16 or 32 bytes, after the lengths in bits; the state is used up. */
    void (*finish)(void *state, uint64_t aad_bits, uint64_t text_bits, uint8_t *tag, size_t tag_bytes);
    /* A message of fewer than `longest` bytes, without a state in memory; that is 0 where there is no such function. */
    void (*message)(const uint8_t *key, const runnel_aead_message *m, uint8_t *tag);
    size_t longest;
#if RUNNEL_HOSTED
    /* Two messages side by side, both to be sealed or both to be opened; NULL: one after the other takes no longer. */
    void (*two)(const uint8_t *key, const runnel_aead_message *m, uint8_t (*tags)[RUNNEL_AEAD_LONGEST_TAG]);
#endif
} runnel_aegis_functions;

struct runnel_aegis_kernel {
    RUNNEL_KERNEL_HEAD
    const runnel_aegis_functions *ciphers[AEGIS_CIPHERS]; /* NULL: not with this kernel */
};

#define KERNEL(on, name) extern const runnel_aegis_kernel runnel_aegis_##name;
#include "kernels.inc"

/* The first 32 of Fibonacci's numbers, modulo 256, from 0 on. */
#define AEGIS_C0 {0x00, 0x01, 0x01, 0x02, 0x03, 0x05, 0x08, 0x0d, 0x15, 0x22, 0x37, 0x59, 0x90, 0xe9, 0x79, 0x62}
#define AEGIS_C1 {0xdb, 0x3d, 0x18, 0x55, 0x6d, 0xc2, 0x2f, 0xf1, 0x20, 0x11, 0x31, 0x42, 0x73, 0xb5, 0x28, 0xdd}

enum { AEGIS_INIT_128 = 10, AEGIS_INIT_256 = 4, AEGIS_LAST_UPDATES = 7 };

#endif
