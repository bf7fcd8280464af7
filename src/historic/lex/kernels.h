/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of LEX, each in the file of its name, and what they share. */
#ifndef RUNNEL_LEX_KERNELS_H
#define RUNNEL_LEX_KERNELS_H

#include "arch/common/bytes.h"
#include "core/describe.h"
#include "arch/common/wipe.h"
#include "lex.h"

/* Each round outputs four bytes; two rounds are a block. */
enum { LEX_BLOCK = 8, LEX_ROUNDS = 10, LEX_PAIRS = LEX_ROUNDS / 2 };

/* The IV enters with the bytes of each 32-bit word reversed. */
static inline void lex_load_iv(uint8_t text[16], const uint8_t *iv)
{
    for (unsigned i = 0; i < 16; i += 4)
        runnel_store32le(text + i, runnel_load32be(iv + i));
}

#define KERNEL(on, name) extern const runnel_kernel runnel_lex_##name;
#define PAPER KERNEL
#include "kernels.inc"

#endif
