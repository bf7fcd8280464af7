/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SubBytes of AES on bit planes, for kernels in C. The includer defines PLANE, a plane's type: integer or vector. */
#ifndef COMMON_AES_SUB_BYTES_H
#define COMMON_AES_SUB_BYTES_H

/* It may define PLANES_INLINE, which makes functions on planes inline so that the planes stay in registers. */
#ifndef PLANES_INLINE
#define PLANES_INLINE static inline
#endif

/* Before a loop over bit planes: they are to stay in registers. */
#if defined(__clang__) || __GNUC__ + 0 >= 8 /* avr-gcc 5 warns about it */
#define UNROLLED _Pragma("GCC unroll 8")
#else
#define UNROLLED
#endif

/* All S-boxes by the circuit of Boyar and Peralta, except for NOTS, which the caller must apply. */
PLANES_INLINE void aes_sub_bytes_without_nots(PLANE q[8])
{
    const PLANE x0 = q[7], x1 = q[6], x2 = q[5], x3 = q[4], x4 = q[3], x5 = q[2], x6 = q[1], x7 = q[0];
    const PLANE y14 = x3 ^ x5, y13 = x0 ^ x6, y9 = x0 ^ x3, y8 = x0 ^ x5, t0 = x1 ^ x2, y1 = t0 ^ x7, y4 = y1 ^ x3;
    const PLANE y12 = y13 ^ y14, y2 = y1 ^ x0, y5 = y1 ^ x6, y3 = y5 ^ y8, t1 = x4 ^ y12, y15 = t1 ^ x5;
    const PLANE y20 = t1 ^ x1, y6 = y15 ^ x7, y10 = y15 ^ t0, y11 = y20 ^ y9, y7 = x7 ^ y11, y17 = y10 ^ y11;
    const PLANE y19 = y10 ^ y8, y16 = t0 ^ y11, y21 = y13 ^ y16, y18 = x0 ^ y16, t2 = y12 & y15, t3 = y3 & y6;
    const PLANE t4 = t3 ^ t2, t5 = y4 & x7, t6 = t5 ^ t2, t7 = y13 & y16, t8 = y5 & y1, t9 = t8 ^ t7, t10 = y2 & y7;
    const PLANE t11 = t10 ^ t7, t12 = y9 & y11, t13 = y14 & y17, t14 = t13 ^ t12, t15 = y8 & y10, t16 = t15 ^ t12;
    const PLANE t17 = t4 ^ t14, t18 = t6 ^ t16, t19 = t9 ^ t14, t20 = t11 ^ t16, t21 = t17 ^ y20, t22 = t18 ^ y19;
    const PLANE t23 = t19 ^ y21, t24 = t20 ^ y18, t25 = t21 ^ t22, t26 = t21 & t23, t27 = t24 ^ t26, t28 = t25 & t27;
    const PLANE t29 = t28 ^ t22, t30 = t23 ^ t24, t31 = t22 ^ t26, t32 = t31 & t30, t33 = t32 ^ t24, t34 = t23 ^ t33;
    const PLANE t35 = t27 ^ t33, t36 = t24 & t35, t37 = t36 ^ t34, t38 = t27 ^ t36, t39 = t29 & t38, t40 = t25 ^ t39;
    const PLANE t41 = t40 ^ t37, t42 = t29 ^ t33, t43 = t29 ^ t40, t44 = t33 ^ t37, t45 = t42 ^ t41, z0 = t44 & y15;
    const PLANE z1 = t37 & y6, z2 = t33 & x7, z3 = t43 & y16, z4 = t40 & y1, z5 = t29 & y7, z6 = t42 & y11;
    const PLANE z7 = t45 & y17, z8 = t41 & y10, z9 = t44 & y12, z10 = t37 & y3, z11 = t33 & y4, z12 = t43 & y13;
    const PLANE z13 = t40 & y5, z14 = t29 & y2, z15 = t42 & y9, z16 = t45 & y14, z17 = t41 & y8, t46 = z15 ^ z16;
    const PLANE t47 = z10 ^ z11, t48 = z5 ^ z13, t49 = z9 ^ z10, t50 = z2 ^ z12, t51 = z2 ^ z5, t52 = z7 ^ z8;
    const PLANE t53 = z0 ^ z3, t54 = z6 ^ z7, t55 = z16 ^ z17, t56 = z12 ^ t48, t57 = t50 ^ t53, t58 = z4 ^ t46;
    const PLANE t59 = z3 ^ t54, t60 = t46 ^ t57, t61 = z14 ^ t57, t62 = t52 ^ t58, t63 = t49 ^ t58, t64 = z4 ^ t59;
    const PLANE t65 = t61 ^ t62, t66 = z1 ^ t63, s0 = t59 ^ t63, s6 = t56 ^ t62, s7 = t48 ^ t60, t67 = t64 ^ t65;
    const PLANE s3 = t53 ^ t66, s4 = t51 ^ t66, s5 = t47 ^ t65, s1 = t64 ^ s3, s2 = t55 ^ t67;
    q[7] = s0, q[6] = s1, q[5] = s2, q[4] = s3, q[3] = s4, q[2] = s5, q[1] = s6, q[0] = s7;
}

#define NOTS 0x63 /* bit i: the circuit gives the complement of bit i */

#if RUNNEL_DECRYPT

/* The inverse of the S-box's affine map, except for its constant: bit i is that of bits i + 2, i + 5 and i + 7. */
PLANES_INLINE void aes_sub_bytes_inverse_affine(PLANE q[8])
{
    PLANE in[8];
    UNROLLED
    for (int i = 0; i < 8; i++)
        in[i] = q[i];
    UNROLLED
    for (int i = 0; i < 8; i++)
        q[i] = in[(i + 2) % 8] ^ in[(i + 5) % 8] ^ in[(i + 7) % 8];
}

PLANES_INLINE void aes_sub_bytes_invert_nots(PLANE q[8])
{
    UNROLLED
    for (int i = 0; i < 8; i++)
        if (NOTS >> i & 1)
            q[i] = ~q[i];
}

/* S = A(inverse) XOR 0x63 in both directions, so S^-1 = A^-1(S(A^-1(x XOR 0x63)) XOR 0x63); the circuit leaves out the
 * last XOR anyway. */
PLANES_INLINE void aes_sub_bytes_inverse(PLANE q[8])
{
    aes_sub_bytes_invert_nots(q);
    aes_sub_bytes_inverse_affine(q);
    aes_sub_bytes_without_nots(q);
    aes_sub_bytes_inverse_affine(q);
}

#endif
#endif
