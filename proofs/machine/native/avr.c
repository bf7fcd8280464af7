/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Runs one instruction of AVR on many states, in simavr's ATmega128. A state: r0 to r31, SREG, SP, and 512 bytes of SRAM from
 * 0x200 on. */
#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>

#include <stdint.h>
#include <string.h>

enum { REGISTERS = 32, STATE = 36, MEMORY = 512, AT = 0x200, SLOT = 0x400 };

size_t forms_memory(void)
{
    return AT;
}

size_t forms_slot_address(void)
{
    return SLOT;
}

/* states: n times STATE bytes and MEMORY bytes, which are replaced. Returns 0, or -1 if simavr stopped. */
int forms_run_many(const unsigned char *code, size_t code_bytes, unsigned char *states, size_t n)
{
    static avr_t *avr;
    if (avr == NULL && ((avr = avr_make_mcu_by_name("atmega128")) == NULL || avr_init(avr) != 0))
        return -1;
    memset(avr->flash + SLOT, 0, 64);
    memcpy(avr->flash + SLOT, code, code_bytes);
    for (size_t i = 0; i < n; i++, states += STATE + MEMORY) {
        memcpy(avr->data, states, REGISTERS);
        for (unsigned bit = 0; bit < 8; bit++)
            avr->sreg[bit] = states[REGISTERS] >> bit & 1;
        avr->data[R_SPL] = states[REGISTERS + 2];
        avr->data[R_SPH] = states[REGISTERS + 3];
        memcpy(avr->data + AT, states + STATE, MEMORY);
        avr->pc = SLOT;
        avr->state = cpu_Running;
        avr_run_one(avr);
        memcpy(states, avr->data, REGISTERS);
        states[REGISTERS] = 0;
        for (unsigned bit = 0; bit < 8; bit++)
            states[REGISTERS] |= (uint8_t)((avr->sreg[bit] != 0) << bit);
        states[REGISTERS + 2] = avr->data[R_SPL];
        states[REGISTERS + 3] = avr->data[R_SPH];
        memcpy(states + STATE, avr->data + AT, MEMORY);
    }
    return 0;
}
