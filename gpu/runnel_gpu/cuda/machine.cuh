/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the kernels need of the machine. The same source is CUDA C++ for NVRTC and C11 for a processor, where tests run
 * it: there a warp's 32 lanes are a loop, block_index and block_count are variables, and shared memory is static.
 *
 * A kernel is a sequence of phases, FOR_THREADS and FOR_LANES, in which threads do not see each other; what a phase leaves
 * to the next is in shared memory, and a barrier ends each. */
#ifndef RUNNEL_GPU_MACHINE
#define RUNNEL_GPU_MACHINE

enum { LANES = 32, WARPS = 4, THREADS = WARPS * LANES };

/* Blocks of threads that a multiprocessor is to hold at once: so many registers has each thread. */
#ifndef RESIDENT
#define RESIDENT 2
#endif

#ifdef __CUDACC_RTC__

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef uint4 u32x4;

#define KERNEL(name) extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT) name
#define DEVICE static __device__ __forceinline__
#define CONSTANT static __device__ const
#define STATIC_ASSERT(condition) static_assert(condition, "")
#define SHARED __shared__ __align__(16)
#define UNROLL _Pragma("unroll")
#define ROLLED _Pragma("unroll 1")
#define BLOCK blockIdx.x
#define BLOCKS gridDim.x
#define FOR_THREADS(thread) \
    for (u32 thread = threadIdx.x, once = 1; once; once = 0, __syncthreads())
/* Ends when all warps have come to its end: they are not in step inside. */
#define FOR_WARPS(warp) \
    for (u32 warp = threadIdx.x / LANES, each = 1; each; each = 0, __syncthreads())
#define FOR_LANES(lane) \
    for (u32 lane = threadIdx.x % LANES, once = 1; once; once = 0, __syncwarp())

/* A function of three variables by its truth table: bit 4a + 2b + c. */
#define LUT3(out, a, b, c, table) asm("lop3.b32 %0, %1, %2, %3, " #table ";" : "=r"(out) : "r"(a), "r"(b), "r"(c))
/* Bytes of b:a, of which a's are 0 to 3, in the order of the digits of `order`, the last digit first. */
DEVICE u32 permute(u32 a, u32 b, u32 order)
{
    return __byte_perm(a, b, order);
}
DEVICE u32 rotate(u32 x, u32 n)
{
    return __funnelshift_l(x, x, n);
}

#else

#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;
typedef struct { u32 x, y, z, w; } u32x4;

extern u32 block_index, block_count;

#define KERNEL(name) void name
#define DEVICE static inline
#define CONSTANT static const
#define STATIC_ASSERT(condition) _Static_assert(condition, "")
#define SHARED static _Alignas(16)
#define UNROLL
#define ROLLED
#define BLOCK block_index
#define BLOCKS block_count
#define FOR_THREADS(thread) for (u32 thread = 0; thread < THREADS; thread++)
#define FOR_WARPS(warp) for (u32 warp = 0; warp < WARPS; warp++)
#define FOR_LANES(lane) for (u32 lane = 0; lane < LANES; lane++)

#define LUT3_TERM(a, b, c, table, bit) \
    (((table) >> (bit) & 1 ? ~(u32)0 : 0) & ((bit)&4 ? (a) : ~(a)) & ((bit)&2 ? (b) : ~(b)) & ((bit)&1 ? (c) : ~(c)))
#define LUT3(out, a, b, c, table) \
    ((out) = LUT3_TERM(a, b, c, table, 0) | LUT3_TERM(a, b, c, table, 1) | LUT3_TERM(a, b, c, table, 2) | \
             LUT3_TERM(a, b, c, table, 3) | LUT3_TERM(a, b, c, table, 4) | LUT3_TERM(a, b, c, table, 5) | \
             LUT3_TERM(a, b, c, table, 6) | LUT3_TERM(a, b, c, table, 7))
DEVICE u32 permute(u32 a, u32 b, u32 order)
{
    const u64 both = (u64)b << 32 | a;
    u32 out = 0;
    for (u32 i = 0; i < 4; i++)
        out |= (u32)(both >> 8 * (order >> 4 * i & 7) & 255) << 8 * i;
    return out;
}
DEVICE u32 rotate(u32 x, u32 n)
{
    return x << n | x >> (32 - n);
}

#endif

#define XOR3(out, a, b, c) LUT3(out, a, b, c, 0x96)

/* Bit n of x as a word of equal bits. */
DEVICE u32 mask_of(u32 x, u32 n)
{
    return 0 - (x >> n & 1);
}

#endif
