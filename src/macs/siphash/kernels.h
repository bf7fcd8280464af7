/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of SipHash, for firmware: where one exists it is the only one and called directly. */
#ifndef RUNNEL_SIPHASH_KERNELS_H
#define RUNNEL_SIPHASH_KERNELS_H

#include "core/describe.h"

#include "siphash.h"

typedef RUNNEL_IN_FLASH struct runnel_siphash_kernel {
    RUNNEL_KERNEL_HEAD
} runnel_siphash_kernel;

#define KERNEL(on, name) extern const runnel_siphash_kernel runnel_siphash_##name;
#include "kernels.inc"

#if RUNNEL_AVR
/* In assembly. nblocks >= 1. */
void runnel_siphash_avr_start(uint64_t words[4], const uint8_t key[16], uint8_t long_tag);
void runnel_siphash_avr_absorb(uint64_t words[4], const uint8_t *data, size_t nblocks);
void runnel_siphash_avr_finish(uint64_t words[4]); /* four rounds */
#endif

#endif
