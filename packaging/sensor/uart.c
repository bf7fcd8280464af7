/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* uart MCU ELF [TEXT]: runs a program in simavr, at 16 MHz, until it sleeps for ever or has sent this text, or for 20
 * simulated seconds; what it sends by its first serial port goes to the standard output. Status 1 if it crashes. */
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>

#include <stdio.h>

static struct {
    const char *text; /* NULL: none */
    size_t found;     /* bytes of it that came last */
} end;

static void sent(struct avr_irq_t *irq, uint32_t value, void *unused)
{
    const char c = (char)(value & 0xff);
    putchar(c);
    if (end.text != NULL && end.text[end.found] != 0)
        end.found = c == end.text[end.found] ? end.found + 1 : c == end.text[0];
    (void)irq, (void)unused;
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
    if (argc < 3 || elf_read_firmware(argv[2], &firmware) != 0)
        return 2;
    avr_global_logger_set(quiet);
    avr_t *avr = avr_make_mcu_by_name(argv[1]);
    if (avr == NULL)
        return 2;
    avr_init(avr);
    avr->frequency = 16000000;
    end.text = argc > 3 ? argv[3] : NULL;
    avr_load_firmware(avr, &firmware);
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= (uint32_t)~AVR_UART_FLAG_STDIO;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), sent, NULL);
    int state = cpu_Running;
    while (state != cpu_Done && state != cpu_Crashed && avr->cycle < 20ull * avr->frequency &&
           (end.text == NULL || end.text[end.found] != 0))
        state = avr_run(avr);
    fflush(stdout);
    return state == cpu_Crashed;
}
