/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Tables of 16 bytes, the same for every lane. The includer defines TARGET and includes the vectors of its width. */
#ifndef ARIA_X86_TABLES_H
#define ARIA_X86_TABLES_H

#include "arch/x86/target.h"

enum { ARIA_NONE = 0x80 }; /* in an order of bytes: a zero byte */

/* From a place on a multiple of 16 bytes. */
TARGET RUNNEL_INLINE vector aria_table(const uint8_t *p)
{
    return vector_repeat(_mm_load_si128((const void *)p));
}

/* The bytes of each block in the order of a table. */
TARGET RUNNEL_INLINE vector aria_shuffle(vector x, const uint8_t *order)
{
    return vector_look_up(x, aria_table(order));
}

#endif
