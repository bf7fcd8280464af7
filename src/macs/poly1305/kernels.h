/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Poly1305 without the driver, for AEADs, which authenticate whole blocks alone; and its kernels: for many blocks at once,
 * which read and write the factor and the sum as the context's words, and for AVR, where it is the only one and called
 * directly. */
#ifndef RUNNEL_POLY1305_KERNELS_H
#define RUNNEL_POLY1305_KERNELS_H

#include "core/describe.h"

#include "poly1305.h"

/* With gcc: clang cannot enable NEON for a file alone. */
#define RUNNEL_POLY1305_ARMV7_NEON_NAME "Armv7-A"
#if RUNNEL_ARMV7_NEON && !defined(__clang__)
#define RUNNEL_POLY1305_ARMV7_NEON 1
#else
#define RUNNEL_POLY1305_ARMV7_NEON 0
#endif

/* A key of 32 bytes; starts a message. The context's head and the bytes that wait stay as they are. */
void runnel_poly1305_set_key(runnel_poly1305 *c, const uint8_t *key);
void runnel_poly1305_absorb(runnel_poly1305 *c, const uint8_t *data, size_t nblocks);
/* Whole blocks, and the last one filled up with zeros. */
void runnel_poly1305_absorb_padded(runnel_poly1305 *c, const uint8_t *data, size_t bytes);
/* Writes the tag, 16 bytes; the context is the caller's to wipe. */
void runnel_poly1305_finish(const runnel_poly1305 *c, uint8_t *tag);
#if RUNNEL_HOSTED
/* The tag, 16 bytes, of two parts, each filled up with zeros, and of their lengths (RFC 8439 2.8), under a key of 32 bytes: for
 * short parts, without a context. */
void runnel_poly1305_tag_of_two(uint8_t *tag, const uint8_t *key, const uint8_t *aad, size_t aad_bytes,
                                const uint8_t *text, size_t bytes);
#endif
/* Wipes the context; faster than all of it if no powers have been made. */
void runnel_poly1305_forget(runnel_poly1305 *c);

#if RUNNEL_MAC_WORDS || RUNNEL_AVR_MUL
typedef RUNNEL_IN_FLASH struct runnel_poly1305_kernel {
    RUNNEL_KERNEL_HEAD
    size_t least;   /* from so many blocks on its powers of the factor pay */
    uint8_t blocks; /* it takes multiples of this many */
    void (*make_powers)(runnel_poly1305 *c);
    /* nblocks >= 16; the powers are its own. */
    void (*absorb)(runnel_poly1305 *c, const uint8_t *data, size_t nblocks);
} runnel_poly1305_kernel;

#define KERNEL(on, name) extern const runnel_poly1305_kernel runnel_poly1305_##name;
#include "kernels.inc"
#endif

#if RUNNEL_AVR_MUL
/* In assembly. nblocks >= 1; top: the byte behind each block. */
void runnel_poly1305_avr_set_factor(runnel_poly1305 *c, const uint8_t *r);
void runnel_poly1305_avr_absorb(runnel_poly1305 *c, const uint8_t *data, size_t nblocks, uint8_t top);
void runnel_poly1305_avr_finish(const runnel_poly1305 *c, uint8_t *tag);
#endif

#endif
