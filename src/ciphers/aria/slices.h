/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ARIA's diffusion layer A (RFC 5794 2.4.3) on slices: x[i] is byte i of as many blocks as ARIA_SLICE, to be defined
 * before, has bytes; it is a vector type of the compiler's, or an integer. */
#ifndef ARIA_SLICES_H
#define ARIA_SLICES_H

/* 48 XORs, where the 7 taps of each byte would be 96 and A's own structure (words, bytes in words, words) gives 72.
 * Found by adding at random the sum that brings all outputs nearest (after Boyar and Peralta), and put in an order in
 * which at most 21 values are alive. */
RUNNEL_INLINE void aria_diffuse_slices(ARIA_SLICE x[16])
{
    const ARIA_SLICE t0 = x[7] ^ x[10], t1 = x[0] ^ t0, t2 = x[0] ^ x[5], t3 = x[6] ^ x[13], t4 = x[3] ^ t3;
    const ARIA_SLICE t5 = x[13] ^ t1, t6 = x[9] ^ x[14], t7 = x[11] ^ x[14], t8 = x[4] ^ t6, t9 = x[3] ^ t8;
    const ARIA_SLICE t10 = x[9] ^ x[12], t11 = x[7] ^ t10, t12 = x[2] ^ x[7], t13 = x[9] ^ t12, t14 = x[2] ^ x[5];
    const ARIA_SLICE t15 = x[5] ^ t7, t16 = x[8] ^ t14, t17 = x[8] ^ t4, y0 = t17 ^ t8, y13 = t17 ^ t1;
    const ARIA_SLICE y3 = t5 ^ t15, t18 = t2 ^ t15, t19 = x[11] ^ t2, t20 = x[11] ^ x[12], t21 = x[1] ^ t20;
    const ARIA_SLICE y7 = t17 ^ t21, t22 = x[6] ^ t21, y12 = t22 ^ t13, t23 = x[12] ^ t9, t24 = t7 ^ t22;
    const ARIA_SLICE y9 = t19 ^ t24, y11 = t12 ^ t23, y14 = t9 ^ t19, t25 = x[1] ^ x[4], t26 = x[15] ^ t25;
    const ARIA_SLICE t27 = x[15] ^ t16, y4 = t27 ^ t18, y10 = t4 ^ t27, y1 = t27 ^ t11, t28 = t5 ^ t11;
    const ARIA_SLICE y6 = t12 ^ t28, y8 = t26 ^ t5, t29 = x[10] ^ t26, t30 = t29 ^ t22, y2 = x[1] ^ t30;
    const ARIA_SLICE t31 = t29 ^ t9, y15 = t29 ^ t16, y5 = x[4] ^ t31;
    x[0] = y0, x[1] = y1, x[2] = y2, x[3] = y3, x[4] = y4, x[5] = y5, x[6] = y6, x[7] = y7;
    x[8] = y8, x[9] = y9, x[10] = y10, x[11] = y11, x[12] = y12, x[13] = y13, x[14] = y14, x[15] = y15;
}

#endif
