/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The S-box of AES on planes in 71 operations of three inputs (LOP3). It began as the circuit of Boyar and Peralta (ePrint
 * 2011/332, 113 gates of two inputs): among all functions of three signals that make another of its signals, or one of
 * many sums and products of two of them, a constraint solver chose the fewest that make the eight outputs. */
#ifndef RUNNEL_GPU_AES_S_BOX
#define RUNNEL_GPU_AES_S_BOX

#include "machine.cuh"

/* What AES adds to the outputs of this function: the complement of these bits. */
#define S_BOX_NOTS 0x63u

DEVICE void s_box(u32 q[8])
{
    const u32 x0 = q[7], x1 = q[6], x2 = q[5], x3 = q[4], x4 = q[3], x5 = q[2], x6 = q[1], x7 = q[0];
    u32 t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15, t16, t17, t18, t19, t20, t21,
        t22, t23, t24, t25, t26, t27, t28, t29, t30, t31, t32, t33, t34, t35, t36, t37, t38, t39, t40, t41,
        t42, t43, t44, t45, t46, t47, t48, t49, t50, t51, t52, t53, t54, t55, t56, s0, s7, t57, t58, t59, t60,
        t61, s3, s6, s1, s2, t62, s4, s5;
    LUT3(t0, x3, x5, x5, 0x3c); LUT3(t1, x1, x2, x7, 0x96); LUT3(t2, x3, t1, t1, 0x3c); LUT3(t3, x0, x6, t0, 0x96);
    LUT3(t4, x0, t1, t1, 0x3c); LUT3(t5, x0, x2, t0, 0x96); LUT3(t6, x1, x4, t3, 0x96); LUT3(t7, x3, x6, t2, 0x12);
    LUT3(t8, x4, x5, t3, 0x96); LUT3(t9, x2, x5, t6, 0x96); LUT3(t10, x0, x3, t6, 0x14); LUT3(t11, x7, t2, t6, 0x96);
    LUT3(t12, t3, t8, t8, 0xc0); LUT3(t13, x3, t2, t9, 0x96); LUT3(t14, x0, x5, t9, 0x96);
    LUT3(t15, x7, t2, t12, 0x6a); LUT3(t16, x0, x6, t11, 0x18); LUT3(t17, t0, t5, t10, 0x6a);
    LUT3(t18, t2, t3, t13, 0x28); LUT3(t19, t9, t14, t10, 0x9a); LUT3(t20, t7, t16, t17, 0x96);
    LUT3(t21, t4, t11, t16, 0x9a); LUT3(t22, t14, t19, t15, 0x96); LUT3(t23, t12, t18, t17, 0x96);
    LUT3(t24, x6, t11, t20, 0x96); LUT3(t25, t11, t19, t21, 0x96); LUT3(t26, t6, t22, t23, 0x96);
    LUT3(t27, t22, t24, t26, 0xb8); LUT3(t28, t22, t25, t27, 0x96); LUT3(t29, t24, t25, t27, 0xe4);
    LUT3(t30, t22, t26, t28, 0x78); LUT3(t31, t25, t28, t29, 0xac); LUT3(t32, t26, t30, t31, 0x78);
    LUT3(t33, t29, t30, t30, 0x3c); LUT3(t34, t26, t30, t31, 0xb4); LUT3(t35, t24, t28, t31, 0x94);
    LUT3(t36, t4, t11, t30, 0x28); LUT3(t37, t30, t33, t35, 0x96); LUT3(t38, t0, t34, t35, 0x60);
    LUT3(t39, t8, t13, t29, 0x28); LUT3(t40, x6, t1, t32, 0x28); LUT3(t41, t5, t8, t34, 0x28);
    LUT3(t42, t2, t4, t33, 0x28); LUT3(t43, t0, t3, t34, 0x28); LUT3(t44, t5, t34, t35, 0x60);
    LUT3(t45, t5, t9, t33, 0x28); LUT3(t46, t29, t32, t35, 0x96); LUT3(t47, t2, t3, t37, 0x28);
    LUT3(t48, t38, t42, t42, 0x3c); LUT3(t49, t8, t35, t41, 0x6a); LUT3(t50, t36, t40, t40, 0x3c);
    LUT3(t51, t41, t44, t45, 0x96); LUT3(t52, x0, x5, t46, 0x28); LUT3(t53, t39, t43, t49, 0x96);
    LUT3(t54, t3, t35, t47, 0x6a); LUT3(t55, t1, t32, t51, 0x6a); LUT3(t56, t9, t44, t46, 0x6c);
    LUT3(s0, t48, t54, t55, 0x96); LUT3(s7, t48, t50, t53, 0x96); LUT3(t57, t51, s0, s0, 0x3c);
    LUT3(t58, t4, t30, t53, 0x6a); LUT3(t59, t54, t56, t57, 0x96); LUT3(t60, t13, t37, t57, 0x6a);
    LUT3(t61, t55, t58, t59, 0x96); LUT3(s3, t49, t60, t60, 0x3c); LUT3(s6, t43, t50, t59, 0x96);
    LUT3(s1, t55, s3, s3, 0x3c); LUT3(s2, t38, t52, t61, 0x96); LUT3(t62, t2, t29, t47, 0x6a);
    LUT3(s4, t36, t39, t60, 0x96); LUT3(s5, t62, t55, t61, 0x96);
    q[7] = s0, q[6] = s1, q[5] = s2, q[4] = s3, q[3] = s4, q[2] = s5, q[1] = s6, q[0] = s7;
}

#endif
