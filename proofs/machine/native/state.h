/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The layout of a state in memory, for C and assembly: general registers, flags, vectors, then memory for operands. */
#if defined(__aarch64__)
#define FLAGS 256 /* after x0 to x30 and sp */
#define VECTORS 272
#define STATE 784
#elif defined(__arm__)
#define FLAGS 60 /* after r0 to r14 */
#define VECTORS 64
#define STATE 320
#elif __riscv_xlen == 64
#define STATE 256
#else
#define STATE 128
#endif
#define MEMORY 512
