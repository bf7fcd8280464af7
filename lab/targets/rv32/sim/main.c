/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Runs a program for RV32IM, or RV32E with M, and tells what lies between the marks slti x0, x0, 1 and slti x0, x0, 2.
 *
 *   rv32sim [--marks FILE] [--trace FILE] [--multiply CYCLES] [--ram FILE] [--stop INSTRUCTIONS] PROGRAM
 *
 * FILE of --marks gets a line for each pair: cycles instructions loads stores stack. That of --trace gets the address
 * of every instruction between them, in hexadecimal, and an empty line after each pair. The program reads and writes
 * by Linux's calls 63, 64 and 93 on descriptors 0 and 1. A firmware instead uses the serial port: what it sends comes to the
 * standard output, what it receives from the standard input; it ends with that, by waiting for an interrupt (wfi), of which
 * there are none, or after so many INSTRUCTIONS, as if the power failed. The data memory comes from FILE of --ram, if there
 * is one, and goes there at the end, as over a reset. Exit status: the program's, or 125 if it cannot continue. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"
#include "timing.h"

enum { CALL_READ = 63, CALL_WRITE = 64, CALL_EXIT = 93, CANNOT_CONTINUE = 125 };
enum { SP = 2, T0 = 5, A0 = 10, A1 = 11, A2 = 12, A7 = 17 };

typedef struct counts {
    uint64_t instructions, loads, stores;
} counts;

typedef struct machine {
    rv32_core core;
    rv32_timing timing;
    counts counts;
    uint8_t *port, *ram;
    const char *ram_file;
    uint64_t stop; /* 0: never */
    FILE *marks, *trace;
    int between; /* the marks */
    counts begin;
    uint64_t begin_cycle;
    uint32_t begin_sp, lowest_sp;
} machine;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "rv32sim: %s: %s\n", what, why);
    exit(CANNOT_CONTINUE);
}

static FILE *open_for_writing(const char *file)
{
    FILE *f = fopen(file, "w");
    if (f == NULL)
        fail(file, "cannot be written");
    return f;
}

static void load_ram(machine *m)
{
    m->ram = rv32_image_at(m->core.image, RV32_RAM, RV32_RAM_BYTES, 1);
    FILE *f = m->ram_file == NULL ? NULL : fopen(m->ram_file, "rb");
    if (f == NULL)
        return;
    if (fread(m->ram, 1, RV32_RAM_BYTES, f) != RV32_RAM_BYTES)
        fail(m->ram_file, "is not the data memory");
    fclose(f);
}

static void save_ram(const machine *m)
{
    if (m->ram_file == NULL)
        return;
    FILE *f = open_for_writing(m->ram_file);
    if (fwrite(m->ram, 1, RV32_RAM_BYTES, f) != RV32_RAM_BYTES || fclose(f) != 0)
        fail(m->ram_file, "cannot be written");
}

static void end_of_program(machine *m, int status)
{
    save_ram(m);
    if ((m->marks != NULL && fclose(m->marks) != 0) || (m->trace != NULL && fclose(m->trace) != 0) ||
        fflush(stdout) != 0)
        fail("output", "cannot be written");
    exit(status);
}

static void system_call(machine *m)
{
    uint32_t *x = m->core.x;
    const uint32_t number = x[m->core.image->embedded ? T0 : A7];
    if (number == CALL_EXIT)
        end_of_program(m, (int)(x[A0] & 0xff));
    uint8_t *p = rv32_image_at(m->core.image, x[A1], x[A2], number == CALL_READ);
    if (p == NULL)
        x[A0] = UINT32_MAX;
    else if (number == CALL_READ && x[A0] == 0)
        x[A0] = (uint32_t)fread(p, 1, x[A2], stdin);
    else if (number == CALL_WRITE && x[A0] == 1)
        x[A0] = (uint32_t)fwrite(p, 1, x[A2], stdout);
    else
        fail("system call", "read, write and exit are all there is");
}

static void mark(machine *m, unsigned number)
{
    if (number == 1) {
        m->between = 1;
        m->begin = m->counts;
        m->begin_cycle = m->timing.issue;
        m->begin_sp = m->lowest_sp = m->core.x[SP];
    } else if (number == 2 && m->between) {
        m->between = 0;
        if (m->marks != NULL)
            fprintf(m->marks, "%llu %llu %llu %llu %u\n", (unsigned long long)(m->timing.issue - m->begin_cycle),
                    (unsigned long long)(m->counts.instructions - m->begin.instructions),
                    (unsigned long long)(m->counts.loads - m->begin.loads),
                    (unsigned long long)(m->counts.stores - m->begin.stores), m->begin_sp - m->lowest_sp);
        if (m->trace != NULL)
            fputc('\n', m->trace);
    }
}

/* The port's first word is what the program has stored there, or else this, which reads as "not full". */
static const uint8_t nothing_sent[4] = {0, 0, 0, 0x40};

static void serial_port(const machine *m)
{
    if (memcmp(m->port, nothing_sent, sizeof nothing_sent) == 0)
        return;
    putchar(m->port[0]);
    memcpy(m->port, nothing_sent, sizeof nothing_sent);
}

static machine the_machine;

/* The port's second word is a byte that was received. There is always one: the machine stands still until then. */
static void receive(void)
{
    machine *m = &the_machine;
    fflush(stdout);
    const int byte = getchar();
    if (byte == EOF)
        end_of_program(m, 0);
    m->port[RV32_UART_IN - RV32_UART] = (uint8_t)byte;
}

static void count(machine *m, const rv32_retired *retired)
{
    rv32_timing_retire(&m->timing, retired);
    m->counts.instructions++;
    m->counts.loads += retired->kind == RV32_LOAD_WORD || retired->kind == RV32_LOAD_NARROW;
    m->counts.stores += retired->kind == RV32_STORE;
    if (m->core.x[SP] < m->lowest_sp)
        m->lowest_sp = m->core.x[SP];
    if (m->trace != NULL && m->between)
        fprintf(m->trace, "%08x\n", retired->pc);
    if (retired->kind == RV32_STORE)
        serial_port(m);
    if (m->counts.instructions == m->stop)
        end_of_program(m, 0);
}

static void run(machine *m)
{
    for (;;) {
        rv32_retired retired;
        char where[24];
        switch (rv32_step(&m->core, &retired)) {
        case RV32_DONE:
            count(m, &retired);
            break;
        case RV32_MARK:
            mark(m, retired.rd);
            break;
        case RV32_ECALL:
            system_call(m);
            break;
        case RV32_WAIT:
            end_of_program(m, 0);
            break;
        case RV32_ILLEGAL:
            snprintf(where, sizeof where, "at 0x%08x", m->core.pc);
            fail(where, "not an instruction of RV32IM");
            break;
        case RV32_FAULT:
            snprintf(where, sizeof where, "at 0x%08x", m->core.pc);
            fail(where, "memory that is not there, read-only or not aligned");
            break;
        }
    }
}

int main(int argc, char **argv)
{
    machine *const m = &the_machine;
    static rv32_image image;
    unsigned multiply = RV32_MULTIPLY_LATENCY;
    int at = 1;
    for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
        if (strcmp(argv[at], "--marks") == 0)
            m->marks = open_for_writing(argv[at + 1]);
        else if (strcmp(argv[at], "--trace") == 0)
            m->trace = open_for_writing(argv[at + 1]);
        else if (strcmp(argv[at], "--multiply") == 0)
            multiply = (unsigned)strtoul(argv[at + 1], NULL, 10);
        else if (strcmp(argv[at], "--ram") == 0)
            m->ram_file = argv[at + 1];
        else if (strcmp(argv[at], "--stop") == 0)
            m->stop = strtoull(argv[at + 1], NULL, 10);
        else
            fail(argv[at], "unknown option");
    }
    if (at + 1 != argc)
        fail("usage",
             "rv32sim [--marks FILE] [--trace FILE] [--multiply CYCLES] [--ram FILE] [--stop INSTRUCTIONS] PROGRAM");
    const char *error = rv32_image_load(&image, argv[at]);
    if (error != NULL)
        fail(argv[at], error);
    m->core.image = &image;
    m->core.pc = image.entry;
    m->port = rv32_image_at(&image, RV32_UART, sizeof nothing_sent, 1);
    memcpy(m->port, nothing_sent, sizeof nothing_sent);
    load_ram(m);
    image.port = rv32_image_at(&image, RV32_UART_IN, 4, 0);
    image.receive = receive;
    rv32_timing_reset(&m->timing, multiply);
    run(m);
}
