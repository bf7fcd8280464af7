/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The one measured program. It carries out a script that the host sends, call by call, each between two marks, and
 * sends back every output byte, so that no figure is taken of anything but the right answer.
 *
 * Built with
 *   BENCH_HEADER, BENCH_FAMILY   "aes.h", aes_ctr: what is measured; without them the empty program, whose size is
 *                                taken off all others
 *   BENCH_MODE                   0: counter mode, whose IV set-up takes a layout; 1: another stream cipher; 2: a mode in
 *                                which encryption and decryption differ; 3: raw blocks, without an IV
 *   BENCH_BLOCK                  bytes of a block, for raw blocks
 *   BENCH_KERNEL                 the kernel's name, on hosts, where some kernels run only when they are named
 *   BENCH_BUFFER                 the longest message in bytes
 *   BENCH_ARGUMENT               the longest key or IV in bytes, 64 if it is not defined
 *   BENCH_PAINT                  bytes of stack to paint, for targets that cannot watch the stack pointer
 *
 * The script: an operation's letter, its arguments (numbers little-endian), and back come a status byte (0, or a
 * RUNNEL_ERR_* as it is; 127: the call wrote beyond the context) and the output, if the status is 0.
 *   K n (16 bits), n bytes       key set-up
 *   I layout n (16 bits), n bytes   IV set-up
 *   X offset n (16 bits), n bytes   encrypt n bytes in place, `offset` bytes into the buffer; n bytes come back
 *   D offset n (16 bits), n bytes   decrypt likewise
 *   S position (64 bits)         seek
 *   W                            wipe; status 126 if anything but zeros is left in the context
 *   P                            paint the stack under each call from now on
 *   U                            4 bytes come back: how much of the stack the last call used */
#include "channel.h"
#include "mark.h"

#ifdef BENCH_HEADER
#include BENCH_HEADER

#define PASTE_(a, b, c) a##b##c
#define PASTE(a, b, c) PASTE_(a, b, c)
#define VERB(verb) PASTE(runnel_, BENCH_FAMILY, verb)

#define CANARY 0xa5

static _Alignas(RUNNEL_RECOMMENDED_ALIGN) struct {
    VERB() context;
    uint8_t canary[16];
} subject;
#endif

static uint8_t buffer[16 + BENCH_BUFFER];
#ifndef BENCH_ARGUMENT
#define BENCH_ARGUMENT 64
#endif
static uint8_t argument[BENCH_ARGUMENT];

#ifdef BENCH_PAINT
#define PAINT 0x5c

static int painting;
static uint32_t stack_used;

/* Inlined, so that nothing of its own lies where it paints. */
#define LAB_PAINT(top)                                                                                                 \
    volatile uint8_t *const top = lab_stack_pointer();                                                                 \
    if (painting)                                                                                                      \
        for (volatile uint8_t *p = top - BENCH_PAINT; p < top; p++)                                                    \
    *p = PAINT
#define LAB_MEASURE_STACK(top)                                                                                         \
    do {                                                                                                               \
        if (painting) {                                                                                                \
            volatile uint8_t *p = top - BENCH_PAINT;                                                                   \
            while (p < top && *p == PAINT)                                                                             \
                p++;                                                                                                   \
            stack_used = (uint32_t)(top - p);                                                                          \
        }                                                                                                              \
    } while (0)
#else
#define LAB_PAINT(top)
#define LAB_MEASURE_STACK(top)
#endif

/* Carries out a statement between the marks. A clock's own marks take stack too: where stacks are painted there is none. */
#if defined(LAB_CLOCK) && defined(BENCH_PAINT)
#define MEASURE(statement)                                                                                             \
    do {                                                                                                               \
        LAB_PAINT(top);                                                                                                \
        if (painting) {                                                                                                \
            statement;                                                                                                 \
            LAB_MEASURE_STACK(top);                                                                                    \
        } else {                                                                                                       \
            LAB_BEGIN();                                                                                               \
            statement;                                                                                                 \
            LAB_END();                                                                                                 \
        }                                                                                                              \
    } while (0)
#else
#define MEASURE(statement)                                                                                             \
    do {                                                                                                               \
        LAB_PAINT(top);                                                                                                \
        LAB_BEGIN();                                                                                                   \
        statement;                                                                                                     \
        LAB_END();                                                                                                     \
        LAB_MEASURE_STACK(top);                                                                                        \
    } while (0)
#endif

static uint8_t read_byte(void)
{
    uint8_t byte;
    lab_read(&byte, 1);
    return byte;
}

static unsigned read_number(void)
{
    unsigned low = read_byte();
    return low | (unsigned)read_byte() << 8;
}

/* Reads a key or an IV and gives its length, UINT16_MAX if there is no room for it. */
static unsigned read_argument(void)
{
    unsigned bytes = read_number();
    if (bytes > sizeof argument)
        return UINT16_MAX;
    lab_read(argument, bytes);
    return bytes;
}

static void answer(int status)
{
    uint8_t byte = (uint8_t)status;
    lab_write(&byte, 1);
}

#ifdef BENCH_HEADER

static int checked(int status)
{
    for (unsigned i = 0; i < sizeof subject.canary; i++)
        if (subject.canary[i] != CANARY)
            return 127;
    return status;
}

static int set_key(unsigned bytes)
{
    int status;
#ifdef BENCH_KERNEL
    MEASURE(status = VERB(_key_kernel)(&subject.context, argument, bytes, BENCH_KERNEL));
#else
    MEASURE(status = VERB(_key)(&subject.context, argument, bytes));
#endif
    return checked(status);
}

static int set_iv(int layout, unsigned bytes)
{
    int status = 0;
    (void)layout, (void)bytes;
#if BENCH_MODE == 0
    MEASURE(status = VERB(_iv)(&subject.context, argument, bytes, layout));
#elif BENCH_MODE < 3
    MEASURE(status = VERB(_iv)(&subject.context, argument, bytes));
#endif
    return checked(status);
}

static int encrypt(uint8_t *message, size_t bytes)
{
    int status;
#if BENCH_MODE < 2
    MEASURE(status = VERB(_xor)(&subject.context, message, message, bytes));
#elif BENCH_MODE == 2
    MEASURE(status = VERB(_encrypt)(&subject.context, message, message, bytes));
#else
    MEASURE(status = VERB(_encrypt)(&subject.context, message, message, bytes / BENCH_BLOCK));
#endif
    return checked(status);
}

static int decrypt(uint8_t *message, size_t bytes)
{
#if BENCH_MODE < 2
    return encrypt(message, bytes);
#else
    int status;
#if BENCH_MODE == 2
    MEASURE(status = VERB(_decrypt)(&subject.context, message, message, bytes));
#else
    MEASURE(status = VERB(_decrypt)(&subject.context, message, message, bytes / BENCH_BLOCK));
#endif
    return checked(status);
#endif
}

static int seek(uint64_t position)
{
#if BENCH_MODE < 2
    int status;
    MEASURE(status = VERB(_seek)(&subject.context, position));
    return checked(status);
#else
    return (int)position | 1;
#endif
}

static int wipe(void)
{
    const uint8_t *p = (const uint8_t *)&subject.context;
    MEASURE(VERB(_wipe)(&subject.context));
    for (size_t i = 0; i < sizeof subject.context; i++)
        if (p[i] != 0)
            return 126;
    return checked(0);
}

#else /* as much of a program around them */

static int set_key(unsigned bytes)
{
    MEASURE((void)0);
    return (int)bytes;
}

static int set_iv(int layout, unsigned bytes)
{
    MEASURE((void)0);
    return layout + (int)bytes;
}

static int encrypt(uint8_t *message, size_t bytes)
{
    MEASURE((void)0);
    return message[bytes];
}

static int decrypt(uint8_t *message, size_t bytes)
{
    return encrypt(message, bytes);
}

static int seek(uint64_t position)
{
    return (int)position;
}

static int wipe(void)
{
    return 0;
}

#endif

int main(void)
{
#ifdef BENCH_HEADER
    for (unsigned i = 0; i < sizeof subject.canary; i++)
        subject.canary[i] = CANARY;
#endif
    for (;;) {
        uint8_t operation = read_byte();
        if (operation == 'K') {
            unsigned bytes = read_argument();
            if (bytes == UINT16_MAX)
                return 1;
            answer(set_key(bytes));
        } else if (operation == 'I') {
            int layout = read_byte();
            unsigned bytes = read_argument();
            if (bytes == UINT16_MAX)
                return 1;
            answer(set_iv(layout, bytes));
        } else if (operation == 'X' || operation == 'D') {
            uint8_t *message = buffer + read_byte() % 16;
            size_t bytes = read_number();
            if (bytes > BENCH_BUFFER)
                return 1;
            lab_read(message, bytes);
            int status = operation == 'X' ? encrypt(message, bytes) : decrypt(message, bytes);
            answer(status);
            if (status == 0)
                lab_write(message, bytes);
        } else if (operation == 'S') {
            uint64_t position = 0;
            lab_read(argument, 8);
            for (int i = 7; i >= 0; i--)
                position = position << 8 | argument[i];
            answer(seek(position));
        } else if (operation == 'W') {
            answer(wipe());
#ifdef BENCH_PAINT
        } else if (operation == 'P') {
            painting = 1;
            answer(0);
        } else if (operation == 'U') {
            answer(0);
            for (int i = 0; i < 4; i++)
                argument[i] = (uint8_t)(stack_used >> 8 * i);
            lab_write(argument, 4);
#endif
        } else {
            return 1;
        }
    }
}
