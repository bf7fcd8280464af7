/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The measured program for MACs, as bench.c is for ciphers: a script from the host, each call between two marks, and
 * every tag sent back. For targets without an operating system.
 *
 * Built with
 *   BENCH_HEADER, BENCH_FAMILY   "poly1305.h", poly1305: what is measured; without them the empty program, whose size
 *                                is taken off all others
 *   BENCH_TAG                    bytes of the tag
 *   BENCH_BUFFER                 the longest message in bytes
 *
 * The script: an operation's letter, its arguments (numbers of 16 bits, little-endian), and back come a status byte (0,
 * or a RUNNEL_ERR_* as it is; 127: the call wrote beyond the context) and the output, if the status is 0.
 *   K n, n bytes          key set-up
 *   T offset n, n bytes   the tag of n bytes, n >= BENCH_TAG, that lie `offset` bytes into the buffer; n bytes come
 *                         back: the message, with the tag in the place of its first bytes */
#include "script.h"

#ifndef BENCH_TAG
#define BENCH_TAG 16
#endif

static uint8_t buffer[16 + BENCH_BUFFER];
static uint8_t argument[32]; /* a key, or the tag */

#ifdef BENCH_HEADER
#include BENCH_HEADER

#define PASTE_(a, b, c) a##b##c
#define PASTE(a, b, c) PASTE_(a, b, c)
#define VERB(verb) PASTE(runnel_, BENCH_FAMILY, verb)

SUBJECT(VERB());

static int set_key(unsigned bytes)
{
    int status;
    MEASURE(status = VERB(_key)(&subject.context, argument, bytes));
    return checked(status);
}

static int authenticate(const uint8_t *message, size_t bytes)
{
    int status;
    MEASURE(status = VERB(_update)(&subject.context, message, bytes);
            if (status == 0) status = VERB(_tag)(&subject.context, argument, BENCH_TAG));
    return checked(status);
}

#else /* as much of a program around them */

static void plant(void)
{
}

static int set_key(unsigned bytes)
{
    MEASURE((void)0);
    return (int)bytes;
}

static int authenticate(const uint8_t *message, size_t bytes)
{
    MEASURE((void)0);
    return message[bytes];
}

#endif

int main(void)
{
    plant();
    for (;;) {
        uint8_t operation;
        lab_read(&operation, 1);
        if (operation == 'K') {
            const unsigned bytes = read_number();
            if (bytes > sizeof argument)
                return 1;
            lab_read(argument, bytes);
            (void)answer(set_key(bytes));
        } else if (operation == 'T') {
            uint8_t *const message = buffer + read_number() % 16;
            const unsigned bytes = read_number();
            if (bytes > BENCH_BUFFER || bytes < BENCH_TAG)
                return 1;
            lab_read(message, bytes);
            if (answer(authenticate(message, bytes)) == 0) {
                lab_write(argument, BENCH_TAG);
                lab_write(message + BENCH_TAG, bytes - BENCH_TAG);
            }
        } else {
            return 1;
        }
    }
}
