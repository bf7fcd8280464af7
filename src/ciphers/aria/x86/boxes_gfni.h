/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ARIA's S-boxes by GFNI. All are affine maps around the inverse in the field of AES: S1(x) = A1 x^-1 ^ 0x63, and
 * S2(x) = A2 x^-1 ^ 0xe2, because its power 247 is the eighth power, which is linear, of the inverse. S3 and S4 are
 * their inverses. The includer defines TARGET and includes the vectors of its width. */
#ifndef ARIA_X86_BOXES_GFNI_H
#define ARIA_X86_BOXES_GFNI_H

#include "arch/x86/target.h"

TARGET RUNNEL_INLINE vector aria_s1(vector x)
{
    return VECTOR_AFFINE_INVERSE(x, vector_repeat_long(0xf1e3c78f1f3e7cf8), 0x63);
}

TARGET RUNNEL_INLINE vector aria_s2(vector x)
{
    return VECTOR_AFFINE_INVERSE(x, vector_repeat_long(0xeafcb7c3c273c66f), 0xe2);
}

TARGET RUNNEL_INLINE vector aria_s3(vector x)
{
    const vector y = VECTOR_AFFINE(x, vector_repeat_long(0xa44992254a942952), 0x05);
    return VECTOR_AFFINE_INVERSE(y, vector_repeat_long(0x0102040810204080), 0);
}

TARGET RUNNEL_INLINE vector aria_s4(vector x)
{
    const vector y = VECTOR_AFFINE(x, vector_repeat_long(0x186450c737d6bdc9), 0x2c);
    return VECTOR_AFFINE_INVERSE(y, vector_repeat_long(0x0102040810204080), 0);
}

#endif
