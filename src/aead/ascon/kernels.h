/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Kernels of Ascon-AEAD128. Each has the whole mode, made from its own rounds by sponge.h, because the form in which the
 * state lies in the context is the kernel's own. */
#ifndef RUNNEL_ASCON_KERNELS_H
#define RUNNEL_ASCON_KERNELS_H

#include "core/aead.h"

#include "ascon.h"

/* The functions are those of runnel_aead_mode; aad, crypt and tag continue wherever in a block the piece before ended. */
struct runnel_ascon_kernel {
    RUNNEL_KERNEL_HEAD
    void (*key)(runnel_ascon_aead128 *c, const uint8_t *key);
    void (*start)(runnel_ascon_aead128 *c, const uint8_t *nonce);
    void (*aad)(runnel_ascon_aead128 *c, const uint8_t *data, size_t bytes);
    void (*text)(runnel_ascon_aead128 *c);
    void (*crypt)(runnel_ascon_aead128 *c, uint8_t *out, const uint8_t *in, size_t bytes, int decrypt);
    void (*tag)(runnel_ascon_aead128 *c, uint8_t *longest);
};

/* Several messages at once, for kernels whose state is the five words as they are. Lengths may differ. */
typedef struct runnel_ascon_batch {
    RUNNEL_KERNEL_HEAD /* lanes: how many messages at most */
        uint8_t worth; /* so many or more take less time together than one after another */
    /* 1 <= count <= lanes. Writes their full-length tags. */
    void (*messages)(runnel_ascon_aead128 *c, const runnel_aead_message *m, uint8_t (*tags)[RUNNEL_AEAD_LONGEST_TAG],
                     size_t count);
} runnel_ascon_batch;

#define KERNEL(on, name) extern const runnel_ascon_kernel runnel_ascon_##name;
#define BATCH(on, name) extern const runnel_ascon_batch runnel_ascon_##name;
#include "kernels.inc"

enum { ASCON_RATE = 16, ASCON_ROUNDS = 12, ASCON_FIRST_OF_EIGHT = 4 };

/* The first word of the state: SP 800-232, 4.1. */
#define ASCON_IV 0x00001000808c0001u

#endif
