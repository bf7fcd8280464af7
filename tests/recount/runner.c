/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Runs a firmware on one of simavr's processors until it sleeps, its serial port on standard output: runner MCU ELF. */
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>

#include <stdarg.h>
#include <stdio.h>

static void out(struct avr_irq_t *irq, uint32_t value, void *unused)
{
    (void)irq, (void)unused;
    putchar((int)value);
}

static void quiet(avr_t *avr, const int level, const char *format, va_list arguments)
{
    if (level == LOG_ERROR)
        vfprintf(stderr, format, arguments);
    (void)avr;
}

int main(int argc, char **argv)
{
    elf_firmware_t firmware = {0};
    avr_global_logger_set(quiet);
    avr_t *avr = argc == 3 ? avr_make_mcu_by_name(argv[1]) : NULL;
    if (avr == NULL || elf_read_firmware(argv[2], &firmware) != 0 || avr_init(avr) != 0)
        return 2;
    avr->frequency = 8000000;
    avr_load_firmware(avr, &firmware);
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), out, NULL);
    while (avr->cycle < 1000u * 1000 * 1000) {
        const int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed)
            return state != cpu_Done;
    }
    return 1;
}
