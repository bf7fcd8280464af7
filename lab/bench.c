/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The one measured program. It carries out a script that the host sends, call by call, each between two marks, and
 * sends back every output byte, so that no figure is taken of anything but the right answer.
 *
 * Built with
 *   BENCH_HEADER, BENCH_FAMILY   "aes.h", aes_ctr: what is measured; without them the empty program, whose size is
 *                                taken off all others
 *   BENCH_LAYOUT                 1: counter mode, whose IV set-up takes a layout
 *   BENCH_BUFFER                 the longest message in bytes
 *
 * The script: an operation's letter, its arguments (numbers little-endian), and back come a status byte (0, or a
 * RUNNEL_ERR_* as it is; 127: the call wrote beyond the context) and the output, if the status is 0.
 *   K n, n bytes                 key set-up
 *   I layout n, n bytes          IV set-up
 *   X offset n (16 bits), n bytes   encrypt n bytes in place, `offset` bytes into the buffer; n bytes come back
 *   S position (64 bits)         seek
 *   W                            wipe; status 126 if anything but zeros is left in the context */
#include "channel.h"
#include "mark.h"

#ifdef BENCH_HEADER
#include BENCH_HEADER

#define PASTE_(a, b, c) a##b##c
#define PASTE(a, b, c) PASTE_(a, b, c)
#define VERB(verb) PASTE(runnel_, BENCH_FAMILY, verb)

#define CANARY 0xa5

static struct {
    VERB() context;
    uint8_t canary[16];
} subject;
#endif

static uint8_t buffer[16 + BENCH_BUFFER];
static uint8_t argument[64];

static uint8_t read_byte(void)
{
    uint8_t byte;
    lab_read(&byte, 1);
    return byte;
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
    LAB_BEGIN();
    int status = VERB(_key)(&subject.context, argument, bytes);
    LAB_END();
    return checked(status);
}

static int set_iv(int layout, unsigned bytes)
{
    LAB_BEGIN();
#if BENCH_LAYOUT
    int status = VERB(_iv)(&subject.context, argument, bytes, layout);
#else
    (void)layout;
    int status = VERB(_iv)(&subject.context, argument, bytes);
#endif
    LAB_END();
    return checked(status);
}

static int encrypt(uint8_t *message, size_t bytes)
{
    LAB_BEGIN();
    int status = VERB(_xor)(&subject.context, message, message, bytes);
    LAB_END();
    return checked(status);
}

static int seek(uint64_t position)
{
    LAB_BEGIN();
    int status = VERB(_seek)(&subject.context, position);
    LAB_END();
    return checked(status);
}

static int wipe(void)
{
    const uint8_t *p = (const uint8_t *)&subject.context;
    LAB_BEGIN();
    VERB(_wipe)(&subject.context);
    LAB_END();
    for (size_t i = 0; i < sizeof subject.context; i++)
        if (p[i] != 0)
            return 126;
    return checked(0);
}

#else /* as much of a program around them */

static int set_key(unsigned bytes)
{
    LAB_BEGIN();
    LAB_END();
    return (int)bytes;
}

static int set_iv(int layout, unsigned bytes)
{
    LAB_BEGIN();
    LAB_END();
    return layout + (int)bytes;
}

static int encrypt(uint8_t *message, size_t bytes)
{
    LAB_BEGIN();
    LAB_END();
    return message[bytes];
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
            unsigned bytes = read_byte();
            lab_read(argument, bytes % (sizeof argument + 1));
            answer(set_key(bytes));
        } else if (operation == 'I') {
            int layout = read_byte();
            unsigned bytes = read_byte();
            lab_read(argument, bytes % (sizeof argument + 1));
            answer(set_iv(layout, bytes));
        } else if (operation == 'X') {
            uint8_t *message = buffer + read_byte() % 16;
            lab_read(argument, 2);
            size_t bytes = argument[0] | (size_t)argument[1] << 8;
            if (bytes > BENCH_BUFFER)
                return 1;
            lab_read(message, bytes);
            int status = encrypt(message, bytes);
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
        } else {
            return 1;
        }
    }
}
