/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of ARIA, each in the file of its name, and what their key set-ups share. */
#ifndef RUNNEL_ARIA_KERNELS_H
#define RUNNEL_ARIA_KERNELS_H

#include "core/describe.h"
#include "aria.h"

/* The ciphers in counter mode, by the length of their keys; ends with NULL. */
extern runnel_cipher_list runnel_aria_ctr_family;

#define KERNEL(on, name) extern const runnel_kernel runnel_aria_##name;
#define PAPER KERNEL
#include "kernels.inc"

/* CK1 to CK3 of a key of 128 bits: the fraction of 1 / pi. Longer keys start with the second and the third. */
extern const uint8_t runnel_aria_constants[3][16]; /* RUNNEL_FLASH */

/* A substitution layer in place: SL1 if odd is 1, SL2 if it is 0 (RFC 5794 2.4.2). */
typedef void (*runnel_aria_substitution)(uint8_t block[16], int odd);

/* Key set-up with a kernel's own substitution layers. */
void runnel_aria_expand(runnel_aria_schedule *schedule, const uint8_t *key, size_t key_bytes,
                        runnel_aria_substitution substitute);

/* Turns the round keys for encryption into those for decryption, which is otherwise the same. */
void runnel_aria_invert(runnel_aria_schedule *schedule);

/* The diffusion layer A (RFC 5794 2.4.3), an involution. */
void runnel_aria_diffuse(uint8_t block[16]);

#endif
