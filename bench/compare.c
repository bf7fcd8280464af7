/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Times two builds of the library in one process, in turn: see compare.py, which compiles and calls this.
 *
 *     compare OLD.so NEW.so ROUNDS NAME KERNEL OPERATION BYTES [NAME KERNEL OPERATION BYTES ...]
 *
 * OPERATION is message (an IV and its message), pieces (the next bytes of one stream), iv (setting an IV and a message, in
 * two calls), key, seal or open; KERNEL may be - for the library's choice. For each cell a line is written: the kernel, and
 * the cycles of OLD and NEW. Both must make the same bytes. Only functions of the public headers are called, and no
 * descriptor is read. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>

enum { MOST = 65536, CONTEXT = 65536, SHIFTS = 32, WINDOW = 6000, CHAIN = 20000, UNIT = 64, MOST_CALLS = 64 };
enum { MESSAGE, PIECES, IV, KEY, SEAL, OPEN, OPERATIONS };
static const char *const operation_names[OPERATIONS] = {"message", "pieces", "iv", "key", "seal", "open"};

typedef struct {
    void *(*cipher_find)(const char *name), *(*aead_find)(const char *name);
    int (*cipher_key)(void *cipher, void *c, const uint8_t *key, size_t key_bytes, const char *kernel);
    int (*aead_key)(void *aead, void *c, const uint8_t *key, size_t key_bytes, const char *kernel);
    int (*iv)(void *c, const uint8_t *iv, size_t iv_bytes, int layout);
    int (*xor)(void *c, uint8_t *out, const uint8_t *in, size_t bytes);
    int (*packet)(void *c, const uint8_t *iv, size_t iv_bytes, int layout, uint8_t *out, const uint8_t *in,
                  size_t bytes);
    int (*seal)(void *c, const uint8_t *nonce, size_t nonce_bytes, const uint8_t *aad, size_t aad_bytes, uint8_t *out,
                const uint8_t *in, size_t bytes, uint8_t *tag, size_t tag_bytes);
    int (*open)(void *c, const uint8_t *nonce, size_t nonce_bytes, const uint8_t *aad, size_t aad_bytes, uint8_t *out,
                const uint8_t *in, size_t bytes, const uint8_t *tag, size_t tag_bytes);
    const char *(*stream_kernel)(const void *c), *(*aead_kernel)(const void *c);
} library;

typedef struct {
    const char *name, *kernel;
    int operation;
    int aead;
    size_t bytes, key_bytes, iv_bytes;
    void *found[2]; /* the descriptor in either library */
    double cycles[2];
    uint64_t sum; /* of the output */
} cell;

static library libraries[2];
static _Alignas(4096) uint8_t contexts[CONTEXT + SHIFTS * UNIT], in[MOST], sealed[MOST], out[MOST + SHIFTS * UNIT];
static uint8_t key[64], iv[16], tag[16];

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "compare: %s: %s\n", what, why);
    exit(2);
}

static void load(library *l, const char *path)
{
    void *const handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL)
        fail(path, dlerror());
    const struct {
        void *place;
        const char *name;
    } functions[] = {
        {&l->cipher_find, "runnel_cipher_find"},
        {&l->aead_find, "runnel_aead_find"},
        {&l->cipher_key, "runnel_cipher_key"},
        {&l->aead_key, "runnel_aead_key"},
        {&l->iv, "runnel_stream_iv"},
        {&l->xor, "runnel_stream_xor"},
        {&l->packet, "runnel_stream_packet"},
        {&l->seal, "runnel_aead_seal"},
        {&l->open, "runnel_aead_open"},
        {&l->stream_kernel, "runnel_stream_kernel"},
        {&l->aead_kernel, "runnel_aead_kernel"},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *const function = dlsym(handle, functions[i].name);
        if (function == NULL)
            fail(path, dlerror());
        memcpy(functions[i].place, &function, sizeof function);
    }
}

static int set_key(const library *l, const cell *c, int which, void *context)
{
    return (c->aead ? l->aead_key : l->cipher_key)(c->found[which], context, key, c->key_bytes, c->kernel);
}

static int takes_iv(const library *l, const cell *c, size_t bytes)
{
    if (c->aead)
        return l->seal(contexts, iv, bytes, NULL, 0, out, in, 16, tag, 16) == 0;
    return l->iv(contexts, iv, bytes, 0) == 0;
}

/* Finds the cell's cipher or AEAD in both libraries, and lengths of key and IV that it takes. */
static void find(cell *c)
{
    static const uint8_t key_sizes[] = {16, 24, 32, 10, 20}, iv_sizes[] = {12, 16, 8, 24, 10};
    for (int which = 0; which < 2; which++) {
        const library *l = &libraries[which];
        c->found[which] = l->cipher_find(c->name);
        c->aead = c->found[which] == NULL;
        if (c->aead)
            c->found[which] = l->aead_find(c->name);
        if (c->found[which] == NULL)
            fail(c->name, "there is no such cipher or AEAD");
        if (c->operation != KEY && c->aead != (c->operation == SEAL || c->operation == OPEN))
            fail(c->name, "there is no such operation");
        int error = 1;
        for (size_t i = 0; error && i < sizeof key_sizes; i++) {
            c->key_bytes = key_sizes[i];
            error = set_key(l, c, which, contexts);
        }
        if (error)
            fail(c->name, "no kernel of that name runs here");
        for (size_t i = 0; i < sizeof iv_sizes && c->iv_bytes == 0; i++)
            if (takes_iv(l, c, iv_sizes[i]))
                c->iv_bytes = iv_sizes[i];
    }
}

/* One call of what is measured. */
static inline int call(const library *l, const cell *c, int which, void *context, uint8_t *to)
{
    switch (c->operation) {
    case MESSAGE:
        return l->packet(context, iv, c->iv_bytes, 0, to, in, c->bytes);
    case PIECES:
        return l->xor (context, to, in, c->bytes);
    case IV: {
        const int error = l->iv(context, iv, c->iv_bytes, 0);
        return error ? error : l->xor (context, to, in, c->bytes);
    }
    case KEY:
        return set_key(l, c, which, context);
    case SEAL:
        return l->seal(context, iv, c->iv_bytes, NULL, 0, to, in, c->bytes, tag, 16);
    default:
        return l->open(context, iv, c->iv_bytes, NULL, 0, to, sealed, c->bytes, tag, 16);
    }
}

static uint64_t now(void)
{
    unsigned cpu;
    const uint64_t ticks = __rdtscp(&cpu);
    _mm_lfence();
    return ticks;
}

/* Ticks of a chain of additions, a cycle each: the clock of the core. */
static uint64_t least_chain = UINT64_MAX;
static uint64_t chain(void)
{
    const uint64_t start = now();
    uint64_t x = start;
    for (int i = 0; i < CHAIN / 8; i++)
        __asm__ volatile("add $1, %0\n\tadd $1, %0\n\tadd $1, %0\n\tadd $1, %0\n\tadd $1, %0\n\tadd $1, %0\n\t"
                         "add $1, %0\n\tadd $1, %0"
                         : "+r"(x));
    const uint64_t ticks = now() - start;
    if (ticks < least_chain)
        least_chain = ticks;
    return ticks;
}

/* A number that tells bytes from others (FNV-1a). */
static uint64_t sum_of(const uint8_t *bytes, size_t count)
{
    uint64_t sum = 0xcbf29ce484222325;
    for (size_t i = 0; i < count; i++)
        sum = (sum ^ bytes[i]) * 0x100000001b3;
    return sum;
}

#define DISTURBED 1.02

/* Returns the cycles of a call, of windows of some calls each; INFINITY where the clock before or after them is not that of
 * an undisturbed core. */
static double measure(cell *c, int which, unsigned shift)
{
    const library *l = &libraries[which];
    uint8_t *const context = contexts + shift * UNIT, *const to = out + (shift * 7 % SHIFTS) * UNIT;
    volatile uint8_t *const below = __builtin_alloca(16 + shift * UNIT); /* another place of the stack */
    below[0] = 0;
    int error = set_key(l, c, which, context);
    if (!error && c->operation == PIECES)
        error = l->iv(context, iv, c->iv_bytes, 0);
    if (!error && c->operation == OPEN)
        error = l->seal(context, iv, c->iv_bytes, NULL, 0, sealed, in, c->bytes, tag, 16);
    const uint64_t before = chain();
    for (int i = 0; i < 3; i++)
        error |= call(l, c, which, context, to);
    uint64_t best = UINT64_MAX, spent;
    int calls = 1;
    for (int windows = 0; windows < 6; windows++) {
        const uint64_t start = now();
        for (int i = 0; i < calls; i++)
            error |= call(l, c, which, context, to);
        spent = now() - start;
        if (windows > 0 && spent < best)
            best = spent;
        if (windows == 0) { /* which tells how many calls a window has */
            calls = spent < WINDOW ? (int)(WINDOW / (spent + 1)) + 1 : 1;
            calls = calls > MOST_CALLS || c->operation == PIECES ? MOST_CALLS
                                                                 : calls; /* keystream is made for many pieces */
        }
    }
    if (error)
        fail(c->name, "a call failed");
    const uint64_t after = chain();
    if (c->operation != KEY && c->operation != PIECES) {
        const uint64_t sum = sum_of(to, c->bytes);
        if (c->sum != 0 && c->sum != sum)
            fail(c->name, "the libraries make different bytes");
        c->sum = sum;
    }
    if (before > least_chain * DISTURBED || after > least_chain * DISTURBED)
        return INFINITY;
    return (double)best / calls * CHAIN / (double)(before < after ? before : after);
}

int main(int count, char **words)
{
    if (count < 8 || (count - 4) % 4 != 0)
        fail("usage", "OLD.so NEW.so ROUNDS NAME KERNEL OPERATION BYTES ...");
    load(&libraries[0], words[1]);
    load(&libraries[1], words[2]);
    const long rounds = strtol(words[3], NULL, 10);
    const int cells = (count - 4) / 4;
    cell *const all = calloc((size_t)cells, sizeof *all);
    if (all == NULL)
        fail("memory", "there is too little");
    for (size_t i = 0; i < sizeof key; i++)
        key[i] = (uint8_t)(i * 7 + 1);
    for (int i = 0; i < cells; i++) {
        char **const w = words + 4 + 4 * i;
        cell *const c = &all[i];
        *c = (cell){.name = w[0], .kernel = strcmp(w[1], "-") == 0 ? NULL : w[1], .operation = OPERATIONS};
        for (int k = 0; k < OPERATIONS; k++)
            if (strcmp(w[2], operation_names[k]) == 0)
                c->operation = k;
        c->bytes = strtoul(w[3], NULL, 10);
        if (c->operation == OPERATIONS || c->bytes > MOST)
            fail(w[2], "there is no such operation, or the message is too long");
        find(c);
    }
    for (int i = 0; i < 1000; i++)
        (void)chain();
    for (long round = 0; round < rounds; round++)
        for (int i = 0; i < cells; i++)
            for (int k = 0; k < 2; k++) {
                const int which = k ^ (int)(round & 1);
                const double cycles = measure(&all[i], which, (unsigned)(round % SHIFTS));
                if (round == 0 || cycles < all[i].cycles[which])
                    all[i].cycles[which] = cycles;
            }
    for (int i = 0; i < cells; i++) {
        const cell *const c = &all[i];
        (void)set_key(&libraries[1], c, 1, contexts);
        printf("%s %.1f %.1f\n", (c->aead ? libraries[1].aead_kernel : libraries[1].stream_kernel)(contexts),
               c->cycles[0], c->cycles[1]);
    }
    free(all);
    return 0;
}
