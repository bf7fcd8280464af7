/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Runs a measured program on one of simavr's processors: runner MCU ELF MARKS. The channel is standard input and
 * output; for each pair of marks MARKS gets a line: cycles, instructions, loads, stores, bytes of stack. Ends with 0 at
 * the end of the input, with 1 and a word on standard error if the program stops or hangs before, or its stack runs
 * into its data. */
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_io.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Data addresses, as in channel.c. The first is OCDR on the ATmega128 and DWDR on the ATtiny85, which simavr does not have,
 * and the high half of the EEPROM's address on the ATmega1284P, which nobody uses here. The channel's are reserved; an
 * ATtiny has only the lower ones. */
enum { MARK = 0x42, CHANNEL = 0xf0, LOW_CHANNEL = 0x39 };

enum { LOAD = 1, STORE = 2, WRITES_SPH = 4, WRITES_SPL = 8, RJMP_TO_ITSELF = 16 };

/* More than the slowest cipher takes for one message. */
#define LONGEST_SILENCE (4000u * 1000 * 1000)

static struct {
    avr_t *avr;
    FILE *marks;
    uint8_t kinds[1 << 16]; /* of each opcode */
    uint64_t instructions, loads, stores;
    uint16_t lowest_sp, start_of_data, end_of_data;
    uint64_t last_sign_of_life; /* in cycles */
    struct {
        uint64_t cycles, instructions, loads, stores;
        uint16_t sp;
    } begin;
} run;

static void quiet(avr_t *avr, const int level, const char *format, va_list arguments)
{
    if (level == LOG_ERROR)
        vfprintf(stderr, format, arguments);
    (void)avr;
}

static uint8_t kind_of(unsigned op)
{
    if (op == 0xcfff)
        return RJMP_TO_ITSELF;
    if ((op & 0xfe0f) == 0xbe0e)
        return WRITES_SPH; /* OUT 0x3e */
    if ((op & 0xfe0f) == 0xbe0d)
        return WRITES_SPL;
    if (op == 0x95c8 || op == 0x95d8) /* LPM, ELPM to r0 */
        return LOAD;
    if ((op & 0xd000) == 0x8000) /* LDD, STD with Y or Z, displacement 0 to 63 */
        return op & 0x0200 ? STORE : LOAD;
    if ((op & 0xfc00) == 0x9000) { /* LDS, LD, LPM, ELPM, POP; STS, ST, PUSH */
        switch (op & 15) {
        case 3:
        case 8:
        case 11:
            return 0;
        case 4:
        case 5:
        case 6:
        case 7:
            return op & 0x0200 ? 0 : LOAD;
        default:
            return op & 0x0200 ? STORE : LOAD;
        }
    }
    return 0;
}

static uint16_t stack_pointer(void)
{
    return (uint16_t)(run.avr->data[R_SPL] | run.avr->data[R_SPH] << 8);
}

/* The cycle counter moves after each instruction. So between the two calls lie the OUT of the first mark, the code,
 * and the LDI of the second. */
static void mark(avr_t *avr, avr_io_addr_t address, uint8_t value, void *unused)
{
    (void)address, (void)unused;
    if (value == 1) {
        run.begin.cycles = avr->cycle;
        run.begin.instructions = run.instructions;
        run.begin.loads = run.loads;
        run.begin.stores = run.stores;
        run.begin.sp = run.lowest_sp = stack_pointer();
    } else {
        fprintf(run.marks, "%llu %llu %llu %llu %u\n", (unsigned long long)(avr->cycle - run.begin.cycles - 2),
                (unsigned long long)(run.instructions - run.begin.instructions - 2),
                (unsigned long long)(run.loads - run.begin.loads), (unsigned long long)(run.stores - run.begin.stores),
                run.begin.sp - run.lowest_sp);
    }
}

static void finish(int status)
{
    if (fflush(stdout) != 0 || fclose(run.marks) != 0)
        status = 1;
    exit(status);
}

static void fail(const char *why)
{
    fprintf(stderr, "simavr: %s at %#x after %llu cycles\n", why, (unsigned)run.avr->pc,
            (unsigned long long)run.avr->cycle);
    finish(1);
}

static uint8_t channel_in(avr_t *avr, avr_io_addr_t address, void *unused)
{
    (void)address, (void)unused;
    int byte = getchar();
    if (byte == EOF)
        finish(0);
    run.last_sign_of_life = avr->cycle;
    return (uint8_t)byte;
}

static void channel_out(avr_t *avr, avr_io_addr_t address, uint8_t value, void *unused)
{
    (void)address, (void)unused;
    putchar(value);
    run.last_sign_of_life = avr->cycle;
}

int main(int argc, char **argv)
{
    elf_firmware_t firmware = {0};
    avr_global_logger_set(quiet);
    if (argc != 4 || (run.marks = fopen(argv[3], "w")) == NULL || elf_read_firmware(argv[2], &firmware) != 0) {
        fprintf(stderr, "usage: runner MCU ELF MARKS\n");
        return 2;
    }
    avr_t *avr = run.avr = avr_make_mcu_by_name(argv[1]);
    if (avr == NULL || avr_init(avr) != 0) {
        fprintf(stderr, "simavr has no %s\n", argv[1]);
        return 2;
    }
    run.start_of_data = (uint16_t)(avr->ioend + 1);
    run.end_of_data = (uint16_t)(run.start_of_data + firmware.datasize + firmware.bsssize);
    avr->frequency = 8000000;
    avr_load_firmware(avr, &firmware);
    avr_register_io_write(avr, MARK, mark, NULL);
    const avr_io_addr_t channel = avr->ioend < CHANNEL ? LOW_CHANNEL : CHANNEL;
    avr_register_io_read(avr, channel, channel_in, NULL);
    avr_register_io_write(avr, channel + 1, channel_out, NULL);
    for (unsigned op = 0; op < 1 << 16; op++)
        run.kinds[op] = kind_of(op);

    int sp_is_torn = 0; /* one half of SP is written, the other not yet */
    for (;;) {
        const uint8_t *code = avr->flash + avr->pc;
        const uint8_t kind = run.kinds[code[0] | code[1] << 8];
        run.instructions++;
        run.loads += kind == LOAD;
        run.stores += kind == STORE;
        const int state = avr_run(avr);
        if (state == cpu_Crashed)
            fail("the program crashed");
        if (state == cpu_Done || kind == RJMP_TO_ITSELF)
            fail("the program ended");
        if (avr->cycle - run.last_sign_of_life > LONGEST_SILENCE)
            fail("the program hangs");
        if (kind == WRITES_SPH || kind == WRITES_SPL)
            sp_is_torn = kind == WRITES_SPH;
        if (!sp_is_torn && stack_pointer() < run.lowest_sp) {
            run.lowest_sp = stack_pointer();
            if (run.lowest_sp < run.end_of_data) {
                fprintf(stderr, "does not fit: the stack runs into %u bytes of static data\n",
                        run.end_of_data - run.start_of_data);
                finish(1);
            }
        }
    }
}
