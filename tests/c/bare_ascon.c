/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Messages of 0 to 99 bytes sealed by Ascon-AEAD128, ciphertext and tag, on the standard output; each is opened again, and
 * refused with a wrong tag. For RV32 under QEMU, without a library: what firmware links, and system calls. */
#include <stddef.h>
#include <stdint.h>

#include "ascon.h"

void *memcpy(void *to, const void *from, size_t bytes);
void *memset(void *to, int value, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
void _start(void);

enum { WRITE = 64, EXIT = 93 };

static long system_call(long number, long a, long b, long c)
{
    register long a7 __asm__("a7") = number, a0 __asm__("a0") = a, a1 __asm__("a1") = b, a2 __asm__("a2") = c;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2) : "memory");
    return a0;
}

void *memcpy(void *to, const void *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((uint8_t *)to)[i] = ((const uint8_t *)from)[i];
    return to;
}

void *memset(void *to, int value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((uint8_t *)to)[i] = (uint8_t)value;
    return to;
}

int memcmp(const void *a, const void *b, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (((const uint8_t *)a)[i] != ((const uint8_t *)b)[i])
            return 1;
    return 0;
}

static void send(const uint8_t *data, size_t bytes)
{
    while (bytes > 0) {
        const long n = system_call(WRITE, 1, (long)data, (long)bytes);
        if (n <= 0)
            system_call(EXIT, 2, 0, 0);
        data += n;
        bytes -= (size_t)n;
    }
}

void _start(void)
{
    static runnel_ascon_aead128 c;
    static uint8_t key[16], text[100], aad[40], sealed[116], opened[100];
    for (unsigned i = 0; i < sizeof text; i++)
        text[i] = (uint8_t)i;
    for (unsigned i = 0; i < sizeof aad; i++)
        aad[i] = (uint8_t)(3 * i);
    memcpy(key, text, sizeof key);
    int wrong = runnel_ascon_aead128_key(&c, key, sizeof key);
    for (size_t n = 0; n < sizeof text; n++) {
        uint8_t *const tag = sealed + n;
        wrong |= runnel_ascon_aead128_seal(&c, key, 16, aad, n % 40, sealed, text, n, tag, 16);
        send(sealed, n + 16);
        wrong |= runnel_ascon_aead128_open(&c, key, 16, aad, n % 40, opened, sealed, n, tag, 16);
        wrong |= memcmp(opened, text, n);
        tag[n % 16] ^= 1;
        wrong |= runnel_ascon_aead128_open(&c, key, 16, aad, n % 40, opened, sealed, n, tag, 16) != RUNNEL_ERR_TAG;
    }
    system_call(EXIT, wrong != 0, 0, 0);
}
