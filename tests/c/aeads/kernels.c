/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Every kernel of an AEAD, and each with every kernel of what it is made of. */
#include "aeads.h"

const runnel_aead *now;
const char *kernel_now, *about = "";

uint8_t buffer_aad[MOST], buffer_text[MOST], buffer_sealed[MOST], scratch[MOST + 64];

int all_zeros(const uint8_t *p, size_t n)
{
    uint8_t any = 0;
    for (size_t i = 0; i < n; i++)
        any |= p[i];
    return any == 0;
}

const runnel_aead *find(const char *name)
{
    const runnel_aead *found = runnel_aead_find(name);
    if (found == NULL) {
        fprintf(stderr, "no AEAD %s\n", name);
        exit(2);
    }
    return found;
}

static _Alignas(64) uint8_t memory[2][CONTEXT + 64];

runnel_aead_context *context(unsigned number)
{
    memset(memory[number], 0, sizeof memory[number]);
    return (runnel_aead_context *)(void *)(memory[number] + RUNNEL_ALIGN);
}

/* Features hidden of the CPU, so that other kernels of GHASH and of Poly1305 run. */
static const uint32_t hidden[] = {0, RUNNEL_CPU_AVX512, RUNNEL_CPU_VCLMUL | RUNNEL_CPU_AVX512 | RUNNEL_CPU_VAES,
                                  RUNNEL_CPU_CLMUL | RUNNEL_CPU_VCLMUL, UINT32_MAX};
enum { WAYS = sizeof hidden / sizeof hidden[0] };

unsigned for_every_kernel(const uint8_t *key, void (*f)(runnel_aead_context *c, const void *), const void *with)
{
    runnel_kernel_info info;
    unsigned count = 0;
    for (size_t i = 0; runnel_aead_kernel_at(now, i, &info) == RUNNEL_OK; i++)
        for (int way = 0; way < WAYS; way++) {
            runnel_cpu_mask(~hidden[way]);
            runnel_aead_context *c = context(0);
            kernel_now = info.name;
            const int error = runnel_aead_key(now, c, key, now->key_bytes, info.name);
            if (error == RUNNEL_ERR_KERNEL)
                continue;
            CHECK(error == RUNNEL_OK && strcmp(runnel_aead_kernel(c), info.name) == 0);
            f(c, with);
            count++;
        }
    runnel_cpu_mask(UINT32_MAX);
    CHECK(count > 0);
    return count;
}
