/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Runs one instruction on many states. */
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { STATE = 2304, MEMORY = 512, SLOT = 32 };

#pragma GCC visibility push(hidden)
extern void forms_run(void);
extern unsigned char forms_slot[], forms_state[];
unsigned char forms_wide; /* the processor has AVX-512 */
#pragma GCC visibility pop

/* Tells whether this processor can execute every instruction that there are semantics of. */
int forms_have_all(void)
{
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("gfni");
}

/* Where operands in memory lie: what a base register must point to. */
uintptr_t forms_memory(void)
{
    return (uintptr_t)forms_state + STATE;
}

uintptr_t forms_slot_address(void)
{
    return (uintptr_t)forms_slot;
}

/* states: n times STATE bytes and MEMORY bytes, which are replaced. Returns 0, or -1 if code may not be written. */
int forms_run_many(const unsigned char *code, size_t code_bytes, unsigned char *states, size_t n)
{
    const uintptr_t page = (uintptr_t)forms_slot & ~(uintptr_t)4095;
    if (code_bytes > SLOT || mprotect((void *)page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        return -1;
    forms_wide = __builtin_cpu_supports("avx512bw") != 0;
    memset(forms_slot, 0x90, SLOT);
    memcpy(forms_slot, code, code_bytes);
    for (size_t i = 0; i < n; i++, states += STATE + MEMORY) {
        memcpy(forms_state, states, STATE + MEMORY);
        forms_run();
        memcpy(states, forms_state, STATE + MEMORY);
    }
    return 0;
}
