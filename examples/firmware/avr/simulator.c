/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The ATmega128 in simavr: simulator ELF EEPROM [WRITE VALUE]. Standard input and output are the first serial port; built with
 * ATTINY85 it is that part, and standard output what it sends by its pin PB0, until it sleeps. The EEPROM comes from the file, if there is one, and goes there at the end of the input; or when byte number WRITE, from 1, is
 * written to it: then the power fails, and VALUE is what the cell holds. Ends with 3 in that case, with 1 if the program
 * crashes. */
#include <simavr/avr_eeprom.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Data addresses of the EEPROM's registers, the bit that allows a write, and the instruction that starts one. */
enum { EECR = 0x3c, EEARL = 0x3e, EEARH = 0x3f, EEMWE = 4, SBI_EECR_EEWE = 0x9ae1 };
enum { CRASHED = 1, USAGE = 2, POWER_FAILED = 3 };

#ifdef ATTINY85
#define PART "attiny85"
enum { EEPROM_BYTES = 512, DONE = 0, PORTB = 0x38, HERTZ = 8000000, BIT = HERTZ / 9600 };
#else
#define PART "atmega128"
enum { EEPROM_BYTES = 4096, DONE = CRASHED, HERTZ = 8000000 };
#endif

/* Cycles without a byte either way after which the program has nothing more to say: twice what it takes for the longest
 * frame and the writes of a counter. */
#define SILENCE (2u * 1000 * 1000)

static struct {
    avr_t *avr;
    const char *file;
    int may_send; /* the port has room */
    avr_cycle_count_t last_byte;
} board;

static uint8_t *eeprom(void)
{
    avr_eeprom_desc_t all = {.ee = NULL, .offset = 0, .size = 1};
    avr_ioctl(board.avr, AVR_IOCTL_EEPROM_GET, &all); /* with no place for a copy: where it is */
    return all.ee;
}

static void end(int status)
{
    FILE *f = fopen(board.file, "wb");
    if (f == NULL || fwrite(eeprom(), 1, EEPROM_BYTES, f) != EEPROM_BYTES || fclose(f) != 0)
        status = USAGE;
    fflush(stdout);
    exit(status);
}

static void sent(struct avr_irq_t *irq, uint32_t value, void *unused)
{
    (void)irq, (void)unused;
    putchar((int)(value & 0xff));
    fflush(stdout);
    board.last_byte = board.avr->cycle;
}

#ifdef ATTINY85
static void start_line(void)
{
}

/* Looks at the pin in the middle of each bit, from the edge that begins the start bit on. */
static void watch_line(unsigned steps)
{
    static avr_cycle_count_t next;
    static unsigned bits, byte; /* of the byte that is being sent */
    static int started;         /* the program has made the line high */
    const unsigned pin = board.avr->data[PORTB] & 1;
    (void)steps;
    if (board.avr->cycle < next)
        return;
    if (bits > 0) {
        byte = byte >> 1 | pin << 7;
        next += BIT;
        if (--bits == 0)
            sent(NULL, byte, NULL);
    } else if (pin) {
        started = 1;
    } else if (started) {
        bits = 8;
        next = board.avr->cycle + BIT + BIT / 2;
    }
}
#else
static void room(struct avr_irq_t *irq, uint32_t value, void *there_is)
{
    (void)irq, (void)value;
    board.may_send = there_is != NULL;
}

/* Gives the port the byte that has arrived, if any, and ends the program when no more can come. */
static void receive(avr_irq_t *input)
{
    static int ended;
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    const int quiet = board.avr->cycle - board.last_byte > SILENCE;
    if (ended && quiet)
        end(0);
    if (ended || !board.may_send || poll(&in, 1, quiet ? 10 : 0) <= 0)
        return;
    uint8_t byte;
    ended = read(STDIN_FILENO, &byte, 1) != 1;
    board.last_byte = board.avr->cycle;
    if (!ended)
        avr_raise_irq(input, byte);
}

static void start_line(void)
{
    avr_t *avr = board.avr;
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), sent, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XON), room, &board);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XOFF), room, NULL);
}

static void watch_line(unsigned steps)
{
    if (steps % 256 == 0)
        receive(avr_io_getirq(board.avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT));
}
#endif

static void errors_only(avr_t *avr, const int level, const char *format, va_list arguments)
{
    if (level == LOG_ERROR)
        vfprintf(stderr, format, arguments);
    (void)avr;
}

int main(int argc, char **argv)
{
    elf_firmware_t firmware = {0};
    avr_global_logger_set(errors_only);
    if ((argc != 3 && argc != 5) || elf_read_firmware(argv[1], &firmware) != 0 ||
        (board.avr = avr_make_mcu_by_name(PART)) == NULL || avr_init(board.avr) != 0) {
        fprintf(stderr, "usage: simulator ELF EEPROM [WRITE VALUE]\n");
        return USAGE;
    }
    avr_t *avr = board.avr;
    avr->frequency = HERTZ;
    board.file = argv[2];
    unsigned long cut = argc == 5 ? strtoul(argv[3], NULL, 0) : 0;
    avr_load_firmware(avr, &firmware);
    FILE *f = fopen(board.file, "rb");
    if (f != NULL && (fread(eeprom(), 1, EEPROM_BYTES, f) != EEPROM_BYTES || fclose(f) != 0))
        return USAGE;

    start_line();
    for (unsigned steps = 0;; steps++) {
        const unsigned opcode = avr->flash[avr->pc] | avr->flash[avr->pc + 1] << 8;
        const int writes = opcode == SBI_EECR_EEWE && (avr->data[EECR] & EEMWE);
        const int state = avr_run(avr);
        if (state == cpu_Crashed || state == cpu_Done)
            end(state == cpu_Done ? DONE : CRASHED);
        if (writes && cut > 0 && --cut == 0) {
            eeprom()[avr->data[EEARL] | avr->data[EEARH] << 8] = (uint8_t)strtoul(argv[4], NULL, 0);
            end(POWER_FAILED);
        }
        watch_line(steps);
    }
}
