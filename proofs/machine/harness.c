/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Tells where a kernel's functions are and how large its parts of a context are, for each processor in its own way: the
 * prover executes these functions and reads what they return. Built with
 *   PROOF_KERNELS   "ciphers/aes/kernels.h"
 *   PROOF_KERNEL    runnel_aes_vaes512
 *   PROOF_STATE     what the state is a member of: runnel_aes_ctr, schedule
 *   PROOF_PREFIX    bytes of prefix tables
 *   PROOF_BLOCK     1: a block cipher's kernel */
#include PROOF_KERNELS

#include <stddef.h>

typedef void function(void);
#define MEMBER_SIZE_(type, member) sizeof(((type *)0)->member)
#define MEMBER_SIZE(pair) MEMBER_SIZE_(pair)
/* Where a member of the description is: the linker drops it, and a hash of the code is made with it (proving/code.py). */
#define PLACE(name, member) const uint16_t proof_at_##name = offsetof(runnel_kernel, member);
#define FUNCTION(name, member)                                                                                         \
    PLACE(name, member)                                                                                                \
    function *proof_##name(void)                                                                                       \
    {                                                                                                                  \
        return (function *)PROOF_KERNEL.member;                                                                        \
    }

FUNCTION(key, key)
#if PROOF_BLOCK
FUNCTION(encrypt_blocks, block.encrypt_blocks)
FUNCTION(decrypt_key, block.decrypt_key)
FUNCTION(decrypt_blocks, block.decrypt_blocks)
FUNCTION(ctr32, block.ctr32)
FUNCTION(ctr32_left, block.ctr32_left)
FUNCTION(nonce, block.nonce)
#if RUNNEL_NOT_AVR
FUNCTION(ctr32_little, block.ctr32_little)
#endif
#if RUNNEL_TAILS
FUNCTION(ctr32_tail, block.ctr32_tail)
#endif
#else
FUNCTION(iv, stream.iv)
FUNCTION(xor_blocks, stream.xor_blocks)
#if RUNNEL_TAILS
FUNCTION(xor_tail, stream.xor_tail)
#endif
#endif

uint16_t proof_state_bytes(void)
{
    return MEMBER_SIZE(PROOF_STATE);
}

uint16_t proof_prefix_bytes(void)
{
    return PROOF_PREFIX;
}

PLACE(timing, timing)
PLACE(key_sizes, key_sizes)
#if RUNNEL_NOT_AVR
PLACE(run_bits, run_bits)
#endif
uint16_t proof_timing(void)
{
    return PROOF_KERNEL.timing;
}

uint16_t proof_key_sizes(void)
{
    return PROOF_KERNEL.key_sizes;
}

uint16_t proof_run_bits(void)
{
#if RUNNEL_NOT_AVR
    return PROOF_KERNEL.run_bits;
#else
    return 0;
#endif
}

#ifdef PROOF_NO_LIBRARY
/* Functions that compilers call by themselves; a C library's own code is not what is proved. */
void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    for (; n > 0; n--)
        *t++ = *f++;
    return to;
}

void *memmove(void *to, const void *from, size_t n)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    if (t < f)
        for (; n > 0; n--)
            *t++ = *f++;
    else
        while (n-- > 0)
            t[n] = f[n];
    return to;
}

int memcmp(const void *x, const void *y, size_t n)
{
    const unsigned char *a = x, *b = y;
    for (; n > 0; n--, a++, b++)
        if (*a != *b)
            return *a < *b ? -1 : 1;
    return 0;
}

void *memset(void *to, int value, size_t n)
{
    for (unsigned char *t = to; n > 0; n--)
        *t++ = (unsigned char)value;
    return to;
}

void *__memcpy_chk(void *restrict to, const void *restrict from, size_t n, size_t room)
{
    if (n > room)
        __builtin_trap();
    return memcpy(to, from, n);
}

void *__memset_chk(void *to, int value, size_t n, size_t room)
{
    if (n > room)
        __builtin_trap();
    return memset(to, value, n);
}

/* Where a stack protector ends that has seen a write beyond an array. */
void __stack_chk_fail(void)
{
    __builtin_trap();
}
#endif

typedef uintptr_t number;
int main(void)
{
    static function *const all[] = {
        (function *)proof_key,
        (function *)proof_state_bytes,
        (function *)proof_prefix_bytes,
        (function *)proof_timing,
        (function *)proof_key_sizes,
        (function *)proof_run_bits,
#if PROOF_BLOCK
        (function *)proof_encrypt_blocks,
        (function *)proof_decrypt_key,
        (function *)proof_decrypt_blocks,
        (function *)proof_ctr32,
        (function *)proof_ctr32_left,
        (function *)proof_nonce,
#if RUNNEL_NOT_AVR
        (function *)proof_ctr32_little,
#endif
#if RUNNEL_TAILS
        (function *)proof_ctr32_tail,
#endif
#else
        (function *)proof_iv,       (function *)proof_xor_blocks,
#if RUNNEL_TAILS
        (function *)proof_xor_tail,
#endif
#endif
    };
    number sum = 0;
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        sum += (number) * (function *const volatile *)&all[i];
    return (int)sum;
}
