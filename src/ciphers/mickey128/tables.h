/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The tables of MICKEY-128 2.0, for C and for assembly. */
#ifndef RUNNEL_MICKEY128_TABLES_H
#define RUNNEL_MICKEY128_TABLES_H

/* The specification's tables, stage 0 in the lowest bit of the first word. */
#define MICKEY128_R(list) list(0x42114d31, 0xf3ec4c59, 0x9c679626, 0x803bbe32, 0x375253af)
#define MICKEY128_COMP0(list) list(0x5dd6f25e, 0x79260955, 0x79007062, 0x37afd931, 0x0fbe06be)
#define MICKEY128_COMP1(list) list(0x7d191f30, 0xfeb63c98, 0x7c00c3e0, 0x6660e345, 0x7ff45bb5)
#define MICKEY128_FB0(list) list(0xc43c1faf, 0x0e2fa322, 0x66e54d81, 0xd4544b91, 0x83630bc1)
#define MICKEY128_FB1(list) list(0x9bf477ab, 0x70798c90, 0x6f9a18b6, 0x6c4b7ee7, 0x11a780ef)
/* Stages 1 to 158, which have a product of neighbours in them. */
#define MICKEY128_INNER(list) list(0xfffffffe, 0xffffffff, 0xffffffff, 0xffffffff, 0x7fffffff)

#endif
