/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Start-up and the first serial port of the Cortex-M4 of Arm's MPS2+ board (application note 386). Only the vectors,
 * the port and link.ld's addresses belong to that board.
 *
 * The board has no memory that survives a loss of power. A page of its RAM, which a reset leaves alone, stands for it, in
 * simulation only: a product writes to EEPROM, or to flash through its vendor's emulation of EEPROM. */
#include "board.h"

#include <string.h>

#define UART0 ((volatile uint32_t *)0x40004000) /* of the Cortex-M System Design Kit */
enum { DATA, STATE, CONTROL, INTERRUPT, BAUD_DIVISOR };
#define SENDING_IS_FULL 1u
#define HAS_RECEIVED 2u
#define SENDS 1u
#define RECEIVES 2u

int main(void);
void reset(void);
extern uint32_t stack_end[], data_start[], data_end[], data_in_rom[], bss_start[], bss_end[];

static void stop(void)
{
    for (;;)
        __asm__ volatile("wfi");
}

__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {
    stack_end, (void *)reset, (void *)stop, (void *)stop, (void *)stop, (void *)stop, (void *)stop,
};

void reset(void)
{
    memcpy(data_start, data_in_rom, (size_t)((uint8_t *)data_end - (uint8_t *)data_start));
    memset(bss_start, 0, (size_t)((uint8_t *)bss_end - (uint8_t *)bss_start));
    main();
    stop();
}

void board_start(void)
{
    UART0[BAUD_DIVISOR] = 25000000 / 115200;
    UART0[CONTROL] = SENDS | RECEIVES;
}

void send(const uint8_t *p, size_t n)
{
    for (; n > 0; n--) {
        while (UART0[STATE] & SENDING_IS_FULL)
            ;
        UART0[DATA] = *p++;
    }
}

uint8_t receive(void)
{
    while (!(UART0[STATE] & HAS_RECEIVED))
        ;
    return (uint8_t)UART0[DATA];
}

/* In complement: RAM that is zero after power-up reads as erased. */
static volatile uint8_t page[STORAGE_BYTES] __attribute__((section(".storage")));

uint8_t storage_read(uint16_t at)
{
    return (uint8_t)~page[at];
}

void storage_write(uint16_t at, uint8_t value)
{
    page[at] = (uint8_t)~value;
}
