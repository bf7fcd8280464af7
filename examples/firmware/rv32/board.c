/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Start-up and the first serial port of SiFive's FE310 on the HiFive1, whose boot loader has chosen the clock and given the
 * port its pins.
 *
 * A page of the data memory, which a reset leaves alone, stands for memory that survives a loss of power, in simulation
 * only: a product writes to EEPROM, or to a sector of the SPI flash that does not hold the program. */
#include "board.h"

#include <string.h>

#define UART0 ((volatile uint32_t *)0x10013000)
enum { TRANSMIT = 0, RECEIVE = 1, TRANSMIT_CONTROL = 2, RECEIVE_CONTROL = 3, DIVISOR = 6 };
#define IS_FULL (UINT32_C(1) << 31)
#define IS_EMPTY (UINT32_C(1) << 31)
#define ENABLE 1u

/* An initialised variable: it also makes .data, where link.ld puts look-up tables, count as RAM. */
static volatile uint32_t divisor = 16000000 / 115200 - 1;

int main(void);
void reset(void);
void start(void);
extern uint32_t data_start[], data_end[], data_in_flash[], bss_start[], bss_end[];

/* The first instruction: linked to the beginning of the flash. */
__attribute__((naked, section(".text.reset"))) void reset(void)
{
    __asm__("la sp, stack_end\n\tj start");
}

__attribute__((used)) void start(void)
{
    memcpy(data_start, data_in_flash, (size_t)((uint8_t *)data_end - (uint8_t *)data_start));
    memset(bss_start, 0, (size_t)((uint8_t *)bss_end - (uint8_t *)bss_start));
    main();
    for (;;)
        __asm__ volatile("wfi");
}

void board_start(void)
{
    UART0[DIVISOR] = divisor;
    UART0[TRANSMIT_CONTROL] = ENABLE;
    UART0[RECEIVE_CONTROL] = ENABLE;
}

void send(const uint8_t *p, size_t n)
{
    for (; n > 0; n--) {
        while (UART0[TRANSMIT] & IS_FULL)
            ;
        UART0[TRANSMIT] = *p++;
    }
}

uint8_t receive(void)
{
    uint32_t received;
    do
        received = UART0[RECEIVE];
    while (received & IS_EMPTY);
    return (uint8_t)received;
}

/* In complement: memory that is zero after power-up reads as erased. */
static volatile uint8_t page[STORAGE_BYTES] __attribute__((section(".storage")));

uint8_t storage_read(uint16_t at)
{
    return (uint8_t)~page[at];
}

void storage_write(uint16_t at, uint8_t value)
{
    page[at] = (uint8_t)~value;
}
