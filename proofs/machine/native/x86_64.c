/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Runs one instruction on many states. */
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { STATE = 2304, MEMORY = 512, SLOT = 32 };

#pragma GCC visibility push(hidden)
extern void forms_run(void);
extern unsigned char forms_slot[], forms_state[];
#pragma GCC visibility pop

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
    memset(forms_slot, 0x90, SLOT);
    memcpy(forms_slot, code, code_bytes);
    for (size_t i = 0; i < n; i++, states += STATE + MEMORY) {
        memcpy(forms_state, states, STATE + MEMORY);
        forms_run();
        memcpy(states, forms_state, STATE + MEMORY);
    }
    return 0;
}
