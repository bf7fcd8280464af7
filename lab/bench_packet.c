/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The measured program for authenticated packets, as bench.c is for ciphers: a script from the host, each call between two
 * marks, and every byte sent back. For targets without an operating system.
 *
 * Built with
 *   BENCH_HEADER, BENCH_TYPE     "aes.h", runnel_aes_ccm: what is measured; without them the empty program, whose size is
 *                                taken off all others
 *   BENCH_BUFFER                 the longest message in bytes
 *
 * The script: an operation's letter, its arguments (numbers of 16 bits, little-endian), and back come a status byte (0, or a
 * RUNNEL_ERR_* as it is; 127: the call wrote beyond the context, 126: a packet was refused but left more than zeros) and
 * the output, if the status is 0.
 *   K n, n bytes          key set-up
 *   S nonce associated text tag, the nonce, the associated data, the text (all lengths first)
 *                         seals a packet in place; the ciphertext and the tag come back
 *   O likewise, and the tag behind the text
 *                         opens it; the text comes back */
#include "script.h"

enum { LONGEST_KEY = 64, LONGEST_NONCE = 16, LONGEST_HEADER = 32, LONGEST_TAG = 16 };

static uint8_t text[BENCH_BUFFER], key[LONGEST_KEY], nonce[LONGEST_NONCE], header[LONGEST_HEADER], tag[LONGEST_TAG];

static struct {
    unsigned nonce, header, text, tag;
} bytes;

#ifdef BENCH_HEADER
#include BENCH_HEADER

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define VERB(verb) PASTE(BENCH_TYPE, verb)

SUBJECT(BENCH_TYPE);

static int set_key(unsigned key_bytes)
{
    int status;
    MEASURE(status = VERB(_key)(&subject.context, key, key_bytes));
    return checked(status);
}

static int seal(void)
{
    int status;
    MEASURE(status = VERB(_seal)(&subject.context, nonce, bytes.nonce, header, bytes.header, text, text, bytes.text,
                                 tag, bytes.tag));
    return checked(status);
}

static int open(void)
{
    int status;
    MEASURE(status = VERB(_open)(&subject.context, nonce, bytes.nonce, header, bytes.header, text, text, bytes.text,
                                 tag, bytes.tag));
    if (status != 0)
        for (unsigned i = 0; i < bytes.text; i++)
            if (text[i] != 0)
                return 126;
    return checked(status);
}

#else /* as much of a program around them */

static void plant(void)
{
}

static int set_key(unsigned key_bytes)
{
    MEASURE((void)0);
    return (int)key_bytes;
}

static int seal(void)
{
    MEASURE((void)0);
    return nonce[0] + header[0];
}

static int open(void)
{
    MEASURE((void)0);
    for (unsigned i = 0; i < bytes.text; i++)
        if (text[i] != 0)
            return 126;
    return 0;
}

#endif

/* Reads what both directions begin with; 0: there is no room for it. */
static int read_packet(void)
{
    bytes.nonce = read_number();
    bytes.header = read_number();
    bytes.text = read_number();
    bytes.tag = read_number();
    if (bytes.nonce > sizeof nonce || bytes.header > sizeof header || bytes.text > sizeof text ||
        bytes.tag > sizeof tag)
        return 0;
    lab_read(nonce, bytes.nonce);
    lab_read(header, bytes.header);
    lab_read(text, bytes.text);
    return 1;
}

int main(void)
{
    plant();
    for (;;) {
        uint8_t operation;
        lab_read(&operation, 1);
        if (operation == 'K') {
            const unsigned key_bytes = read_number();
            if (key_bytes > sizeof key)
                return 1;
            lab_read(key, key_bytes);
            (void)answer(set_key(key_bytes));
        } else if (operation == 'S' && read_packet()) {
            if (answer(seal()) == 0) {
                lab_write(text, bytes.text);
                lab_write(tag, bytes.tag);
            }
        } else if (operation == 'O' && read_packet()) {
            lab_read(tag, bytes.tag);
            if (answer(open()) == 0)
                lab_write(text, bytes.text);
        } else {
            return 1;
        }
    }
}
