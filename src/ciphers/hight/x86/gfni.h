/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* F0 and F1 by GFNI: they are linear in the bits of a byte, and each is one instruction. The includer defines TARGET and
 * includes the vectors of its width. */
#ifndef HIGHT_X86_GFNI_H
#define HIGHT_X86_GFNI_H

#include "bytes.h"

typedef struct hight_tables {
    vector f0, f1; /* matrices */
} hight_tables;

TARGET RUNNEL_INLINE hight_tables hight_get_tables(void)
{
    const uint64_t f0 = 0xc2850b162c58b061, f1 = 0x3468d0a143860d1a;
    return (hight_tables){vector_repeat_long(f0), vector_repeat_long(f1)};
}

TARGET RUNNEL_INLINE vector_bytes hight_f0(const hight_tables *t, vector_bytes x)
{
    return (vector_bytes)vector_multiply_bits((vector)x, t->f0);
}

TARGET RUNNEL_INLINE vector_bytes hight_f1(const hight_tables *t, vector_bytes x)
{
    return (vector_bytes)vector_multiply_bits((vector)x, t->f1);
}

#endif
