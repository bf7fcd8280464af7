/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The one measured program, of ciphers, MACs and authenticated packets. It carries out a script that the host sends, call
 * by call, each between two marks, and sends back every output byte, so that no figure is taken of anything but the right
 * answer.
 *
 * Built with
 *   BENCH_MODE       what is measured. 0: counter mode, whose IV set-up takes a layout; 1: another stream cipher; 2: a mode
 *                    in which encryption and decryption differ; 3: raw blocks, without an IV; 4: a MAC; 5: packets
 *   BENCH_HEADER, BENCH_TYPE   "aes.h", runnel_aes_ctr: the context, which the functions are called after; without them
 *                    the empty program, whose size is taken off all others
 *   BENCH_BLOCK      bytes of a block, for raw blocks; BENCH_TAG: of a MAC's tag
 *   BENCH_KERNEL     the kernel's name, on hosts, where some kernels run only when they are named
 *   BENCH_BUFFER     the longest message in bytes; BENCH_ARGUMENT: the longest key or IV
 *   BENCH_PAINT      bytes of stack to paint, for targets that cannot watch the stack pointer
 *
 * The script: an operation's letter, its arguments (numbers little-endian), and back come a status byte (0, or a
 * RUNNEL_ERR_* as it is; 127: the call wrote beyond the context; 126: something but zeros is left, in a context that was
 * wiped or for a packet that was refused) and the output, if the status is 0. n is a number of 16 bits,
 * of a message to encrypt, decrypt or authenticate one of 24.
 *   K n, n bytes             key set-up
 *   I layout n, n bytes      IV set-up
 *   X offset n, n bytes      encrypt n bytes in place, `offset` bytes into the buffer; n bytes come back
 *   D offset n, n bytes      decrypt likewise
 *   S position (64 bits)     seek
 *   W                        wipe
 *   T offset n, n bytes      the tag of n bytes, n >= BENCH_TAG; n bytes come back: the message, with the tag in the place of
 *                            its first bytes
 *   A nonce associated text tag, the nonce, the associated data, the text (all lengths first)
 *                            seal a packet in place; the ciphertext and the tag come back
 *   O likewise, and the tag behind the text
 *                            open it; the text comes back
 *   P                        paint the stack under each call from now on
 *   U                        4 bytes come back: how much of the stack the last call used */
#include "channel.h"
#include "mark.h"

#define BLOCKS 3
#define MAC 4
#define PACKETS 5
#ifndef BENCH_MODE
#define BENCH_MODE 0
#endif
#ifndef BENCH_ARGUMENT
#define BENCH_ARGUMENT 64
#endif
#ifndef BENCH_TAG
#define BENCH_TAG 16
#endif

#if BENCH_MODE == PACKETS
enum {
    LONGEST_KEY = BENCH_ARGUMENT < 64 ? BENCH_ARGUMENT : 64,
    LONGEST_NONCE = 16,
    LONGEST_HEADER = 32,
    LONGEST_TAG = 16
};
static uint8_t buffer[BENCH_BUFFER], argument[LONGEST_KEY];
static uint8_t nonce[LONGEST_NONCE], header[LONGEST_HEADER], tag[LONGEST_TAG];
static struct {
    unsigned nonce, header, text, tag;
} bytes;
#else
static uint8_t buffer[16 + BENCH_BUFFER];
static uint8_t argument[BENCH_MODE == MAC ? 32 : BENCH_ARGUMENT]; /* a key, an IV, or the tag */
#endif

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

/* A message's length has 24 bits; a processor with 16 has no room for more than the lower ones say. */
static size_t read_length(void)
{
    size_t low = read_number();
    uint32_t high = read_byte();
    return high == 0 ? low : SIZE_MAX < 65536 ? SIZE_MAX : (size_t)(high << 16 | low);
}

/* Reads a key or an IV and returns its length, UINT16_MAX if there is no room for it. */
static unsigned read_argument(void)
{
    unsigned n = read_number();
    if (n > sizeof argument)
        return UINT16_MAX;
    lab_read(argument, n);
    return n;
}

static int answer(int status)
{
    uint8_t byte = (uint8_t)status;
    lab_write(&byte, 1);
    return status;
}

#ifdef BENCH_HEADER
#include BENCH_HEADER

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define VERB(verb) PASTE(BENCH_TYPE, verb)
#define CANARY 0xa5

#if BENCH_MODE < MAC
static _Alignas(RUNNEL_RECOMMENDED_ALIGN) struct {
#else
static struct {
#endif
    BENCH_TYPE context;
    uint8_t canary[16];
} subject;

/* As large as the context, to be looked at in the object; the linker drops it. */
extern uint8_t lab_context[];
uint8_t lab_context[sizeof(BENCH_TYPE)];

static void plant(void)
{
    for (unsigned i = 0; i < sizeof subject.canary; i++)
        subject.canary[i] = CANARY;
}

static int checked(int status)
{
    for (unsigned i = 0; i < sizeof subject.canary; i++)
        if (subject.canary[i] != CANARY)
            return 127;
    return status;
}

/* Carries out a call between the marks. */
#define CALL(status, call)                                                                                             \
    int status;                                                                                                        \
    MEASURE(status = call)
#define CONTEXT &subject.context
#else /* as much of a program around them */
static void plant(void)
{
}

static int checked(int status)
{
    return status;
}

#define CALL(status, call)                                                                                             \
    int status = argument[0];                                                                                          \
    MEASURE((void)0)
#endif

static int set_key(unsigned n)
{
    (void)n;
#ifdef BENCH_KERNEL
    CALL(status, VERB(_key_kernel)(CONTEXT, argument, n, BENCH_KERNEL));
#else
    CALL(status, VERB(_key)(CONTEXT, argument, n));
#endif
    return checked(status);
}

#if BENCH_MODE < MAC

static int set_iv(int layout, unsigned n)
{
    (void)layout, (void)n;
#if BENCH_MODE == 0
    CALL(status, VERB(_iv)(CONTEXT, argument, n, layout));
#elif BENCH_MODE < BLOCKS
    CALL(status, VERB(_iv)(CONTEXT, argument, n));
#else
    int status = 0;
#endif
    return checked(status);
}

static int encrypt(uint8_t *message, size_t n)
{
    (void)message, (void)n;
#if BENCH_MODE < 2
    CALL(status, VERB(_xor)(CONTEXT, message, message, n));
#elif BENCH_MODE == 2
    CALL(status, VERB(_encrypt)(CONTEXT, message, message, n));
#else
    CALL(status, VERB(_encrypt)(CONTEXT, message, message, n / BENCH_BLOCK));
#endif
    return checked(status);
}

static int decrypt(uint8_t *message, size_t n)
{
#if BENCH_MODE < 2
    return encrypt(message, n);
#else
#if BENCH_MODE == 2
    CALL(status, VERB(_decrypt)(CONTEXT, message, message, n));
#else
    CALL(status, VERB(_decrypt)(CONTEXT, message, message, n / BENCH_BLOCK));
#endif
    return checked(status);
#endif
}

static int seek(uint64_t position)
{
#if BENCH_MODE < 2 && defined(BENCH_HEADER)
    CALL(status, VERB(_seek)(CONTEXT, position));
    return checked(status);
#else
    return (int)position | 1;
#endif
}

static int wipe(void)
{
#ifdef BENCH_HEADER
    const uint8_t *p = (const uint8_t *)&subject.context;
    MEASURE(VERB(_wipe)(&subject.context));
    for (size_t i = 0; i < sizeof subject.context; i++)
        if (p[i] != 0)
            return 126;
#endif
    return checked(0);
}

/* Carries out one operation; returns 0 if it is none, or there is no room for it. */
static int carry_out(uint8_t operation)
{
    if (operation == 'I') {
        int layout = read_byte();
        unsigned n = read_argument();
        if (n == UINT16_MAX)
            return 0;
        answer(set_iv(layout, n));
    } else if (operation == 'X' || operation == 'D') {
        uint8_t *message = buffer + read_byte() % 16;
        size_t n = read_length();
        if (n > BENCH_BUFFER)
            return 0;
        lab_read(message, n);
        if (answer(operation == 'X' ? encrypt(message, n) : decrypt(message, n)) == 0)
            lab_write(message, n);
    } else if (operation == 'S') {
        uint64_t position = 0;
        lab_read(argument, 8);
        for (int i = 7; i >= 0; i--)
            position = position << 8 | argument[i];
        answer(seek(position));
    } else if (operation == 'W') {
        answer(wipe());
    } else {
        return 0;
    }
    return 1;
}

#elif BENCH_MODE == MAC

static int authenticate(const uint8_t *message, size_t n)
{
    (void)message, (void)n;
#ifdef BENCH_HEADER
    int status;
    MEASURE(status = VERB(_update)(CONTEXT, message, n);
            if (status == 0) status = VERB(_tag)(CONTEXT, argument, BENCH_TAG));
#else
    CALL(status, 0);
#endif
    return checked(status);
}

static int carry_out(uint8_t operation)
{
    if (operation != 'T')
        return 0;
    uint8_t *const message = buffer + read_byte() % 16;
    const size_t n = read_length();
    if (n > BENCH_BUFFER || n < BENCH_TAG)
        return 0;
    lab_read(message, n);
    if (answer(authenticate(message, n)) == 0) {
        lab_write(argument, BENCH_TAG);
        lab_write(message + BENCH_TAG, n - BENCH_TAG);
    }
    return 1;
}

#else

static int seal(void)
{
    CALL(status,
         VERB(_seal)(CONTEXT, nonce, bytes.nonce, header, bytes.header, buffer, buffer, bytes.text, tag, bytes.tag));
    return checked(status);
}

static int open(void)
{
    CALL(status,
         VERB(_open)(CONTEXT, nonce, bytes.nonce, header, bytes.header, buffer, buffer, bytes.text, tag, bytes.tag));
    if (status != 0)
        for (unsigned i = 0; i < bytes.text; i++)
            if (buffer[i] != 0)
                return 126;
    return checked(status);
}

/* Reads what both directions begin with; 0: there is no room for it. */
static int read_packet(void)
{
    bytes.nonce = read_number();
    bytes.header = read_number();
    bytes.text = read_number();
    bytes.tag = read_number();
    if (bytes.nonce > sizeof nonce || bytes.header > sizeof header || bytes.text > sizeof buffer ||
        bytes.tag > sizeof tag)
        return 0;
    lab_read(nonce, bytes.nonce);
    lab_read(header, bytes.header);
    lab_read(buffer, bytes.text);
    return 1;
}

static int carry_out(uint8_t operation)
{
    if (operation == 'A' && read_packet()) {
        if (answer(seal()) == 0) {
            lab_write(buffer, bytes.text);
            lab_write(tag, bytes.tag);
        }
    } else if (operation == 'O' && read_packet()) {
        lab_read(tag, bytes.tag);
        if (answer(open()) == 0)
            lab_write(buffer, bytes.text);
    } else {
        return 0;
    }
    return 1;
}

#endif

int main(void)
{
    plant();
    for (;;) {
        const uint8_t operation = read_byte();
        if (operation == 'K') {
            const unsigned n = read_argument();
            if (n == UINT16_MAX)
                return 1;
            answer(set_key(n));
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
        } else if (!carry_out(operation)) {
            return 1;
        }
    }
}
