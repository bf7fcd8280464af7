/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES in one run, each subject in turn, again and again, so that a busy neighbour meets them all: single AES-128 blocks
 * by every kernel and by OpenSSL, and counter mode with keys of every length by the table kernels in C. Prints a line
 * for each: cipher, kernel, label, and the cycles of the core that a call took in the best tenth of the visits and in the
 * median one. Labels are those of the results, and chain: 16 KiB in which each block waits for the
 * one before.
 *
 * Under code_1 to code_3 of x86-short-code: three instructions, as the paper of that kernel times them, again and again.
 * With the argument ctr-128: messages that continue, in counter mode with keys of 128 bits, alone.
 *
 * OpenSSL 3's table code is reached in two ways: AES_cbc_encrypt over 16 KiB takes its full-table assembly, AES_encrypt
 * its compact code with a table of 256 bytes. Built with LAB_OPENSSL_TABLES, single blocks by that assembly and by
 * aes_core.c are measured as well (openssl_tables.h).
 *
 * Under matsui: independent blocks once more, timed as Matsui does (How Far Can We Go on the x64 Processors, FSE 2006),
 * which Jung and Park followed: the counter is read between instructions CPUID, which wait for all that is under way, and
 * what the same readings take around a function that does nothing is subtracted. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/common/bytes.h"
#include "core/driver.h"
#include "aes.h"
#include "core_cycles.h"
#include "openssl_tables.h"

extern runnel_cipher_list runnel_aes_ciphers;

#define MATSUI "matsui"

#if !defined(LAB_VISITS) /* of each subject */
#define LAB_VISITS 400
#endif

enum { BLOCKS = 1024, BYTES = 16 * BLOCKS, LONGEST = 20480, ROUNDS = LAB_VISITS, SUBJECTS = 320 };

static uint8_t in[LONGEST], out[LONGEST], expected[LONGEST];
static const uint8_t key[32] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17}, nonce[16] = {18};

/* OpenSSL's single blocks. */
typedef struct single {
    openssl_block *encrypt, *decrypt;
    _Alignas(16) uint8_t encryption[OPENSSL_SCHEDULE_BYTES], decryption[OPENSSL_SCHEDULE_BYTES];
} single;

typedef struct subject {
    char cipher[16], label[16];
    const char *kernel;
    void (*run)(struct subject *);
    const runnel_aes_blocks *blocks;
    const single *single;
    runnel_aes_ctr *ctr;
    size_t key_bytes, bytes; /* of counter mode: of a call */
    unsigned calls;          /* in a visit */
    double cycles[ROUNDS];
} subject;

static subject subjects[SUBJECTS];
static size_t count;

/* That of the system. */
static struct {
    openssl_set_key *set_encrypt_key, *set_decrypt_key;
    openssl_block *encrypt, *decrypt;
    void (*cbc)(const uint8_t *in, uint8_t *out, size_t bytes, const void *schedule, uint8_t *iv, int enc);
    single single;
} openssl;

static void worked(int status)
{
    if (status != 0)
        abort();
}

static void our_encryption(subject *s)
{
    worked(runnel_aes_blocks_encrypt(s->blocks, out, in, BLOCKS));
}

static void our_decryption(subject *s)
{
    worked(runnel_aes_blocks_decrypt(s->blocks, out, in, BLOCKS));
}

/* Out of the block before and the next of the text, in words of the size that kernels store, or loads would wait for the
 * cache. */
static uint8_t *link_in_chain(size_t i)
{
    static const uint8_t iv[16];
    const uint8_t *before = i == 0 ? iv : out + i - 16;
    for (size_t j = 0; j < 16; j += 4)
        runnel_store32le(out + i + j, runnel_load32le(in + i + j) ^ runnel_load32le(before + j));
    return out + i;
}

static void our_chain(subject *s)
{
    for (size_t i = 0; i < BYTES; i += 16) {
        uint8_t *block = link_in_chain(i);
        worked(runnel_aes_blocks_encrypt(s->blocks, block, block, 1));
    }
}

static void single_chain(subject *s)
{
    for (size_t i = 0; i < BYTES; i += 16) {
        uint8_t *block = link_in_chain(i);
        s->single->encrypt(block, block, s->single->encryption);
    }
}

static void openssl_chain(subject *s)
{
    uint8_t iv[16] = {0};
    openssl.cbc(in, out, BYTES, s->single->encryption, iv, 1);
}

static void openssl_unchain(subject *s)
{
    uint8_t iv[16] = {0};
    openssl.cbc(in, out, BYTES, s->single->decryption, iv, 0);
}

static void single_encryption(subject *s)
{
    for (size_t i = 0; i < BYTES; i += 16)
        s->single->encrypt(in + i, out + i, s->single->encryption);
}

static void single_decryption(subject *s)
{
    for (size_t i = 0; i < BYTES; i += 16)
        s->single->decrypt(in + i, out + i, s->single->decryption);
}

static void more_ctr(subject *s)
{
    for (unsigned i = 0; i < s->calls; i++)
        worked(runnel_aes_ctr_xor(s->ctr, out, in, s->bytes));
}

static void ctr_key(subject *s)
{
    for (unsigned i = 0; i < s->calls; i++)
        worked(runnel_aes_ctr_key_kernel(s->ctr, key, s->key_bytes, s->kernel));
}

/* Each nonce asks for a table of its own, where a kernel has one. */
static void ctr_iv(subject *s)
{
    uint8_t iv[16];
    memcpy(iv, nonce, 16);
    for (unsigned i = 0; i < s->calls; i++) {
        iv[0]++;
        worked(runnel_aes_ctr_iv(s->ctr, iv, sizeof iv, RUNNEL_BE128));
    }
}

#if defined(__x86_64__)
/* Three instructions, 1,024 times, after the paper of the kernels x86-…, Table 7: by an address register, by a label (as
 * long: a displacement of 32 bits), and a byte that is taken apart. */
enum { REPEATED = 1024 };

#define REPEAT(instructions)                                                                                           \
    uint64_t at = 0, a = 1, b = 2;                                                                                     \
    for (int i = 0; i < REPEATED / 64; i++)                                                                            \
        __asm__ volatile(".rept 64\n" instructions ".endr" : "+c"(at), "+a"(a), "+b"(b) : "S"(in) : "cc", "memory");   \
    (void)s

static void code_1(subject *s)
{
    REPEAT("xorq (%%rsi,%%rcx), %%rax\n xorq 8(%%rsi,%%rcx), %%rbx\n addq $16, %%rcx\n");
}

static void code_2(subject *s)
{
    REPEAT("%{disp32%} xorq (%%rsi), %%rax\n %{disp32%} xorq 8(%%rsi), %%rbx\n addq $16, %%rcx\n");
}

static void code_3(subject *s)
{
    REPEAT("movzbq %%al, %%rcx\n %{disp32%} xorq (%%rsi,%%rcx,8), %%rbx\n shrl $8, %%eax\n");
}
#endif

static subject *add(const char *cipher, const char *kernel, const char *label, void (*run)(subject *))
{
    if (count == SUBJECTS)
        abort();
    subject *s = &subjects[count++];
    snprintf(s->cipher, sizeof s->cipher, "%s", cipher);
    snprintf(s->label, sizeof s->label, "%s", label);
    s->kernel = kernel;
    s->run = run;
    s->calls = 1;
    return s;
}

static void add_blocks(void)
{
    static runnel_aes_blocks contexts[32];
    const runnel_cipher *cipher = runnel_aes_ciphers[0];
    for (size_t i = 0; i < 32 && cipher->kernels[i] != NULL; i++) {
        const runnel_kernel *kernel = runnel_kernel_of(cipher->kernels[i]);
        if (!runnel_cipher_has(cipher, kernel) || !runnel_kernel_available(cipher->kernels[i]))
            continue;
        worked(runnel_aes_blocks_key_kernel(&contexts[i], key, 16, kernel->name));
        add("aes-128-ecb", kernel->name, "long", our_encryption)->blocks = &contexts[i];
        add("aes-128-ecb", kernel->name, "chain", our_chain)->blocks = &contexts[i];
        if (kernel->block.decrypt_blocks != NULL)
            add("aes-128-ecb", kernel->name, "long_decrypt", our_decryption)->blocks = &contexts[i];
    }
}

static void add_single(const char *name, single *s, openssl_set_key *set_encrypt_key, openssl_set_key *set_decrypt_key)
{
    set_encrypt_key(key, 128, s->encryption);
    set_decrypt_key(key, 128, s->decryption);
    add("aes-128-ecb", name, "long", single_encryption)->single = s;
    add("aes-128-ecb", name, "long_decrypt", single_decryption)->single = s;
    add("aes-128-ecb", name, "chain", single_chain)->single = s;
}

static void add_openssl_tables(void)
{
#if defined(LAB_OPENSSL_TABLES)
    static single full = {lab_openssl_full_encrypt, lab_openssl_full_decrypt, {0}, {0}};
    static single in_c = {lab_openssl_c_encrypt, lab_openssl_c_decrypt, {0}, {0}};
    add_single("openssl-full-table", &full, AES_set_encrypt_key, AES_set_decrypt_key);
    add_single("openssl-c", &in_c, lab_openssl_c_set_encrypt_key, lab_openssl_c_set_decrypt_key);
#endif
}

/* Among themselves, so that each has another's tables to find in the cache, as those have that are timed in our way. */
static void add_in_matsuis_way(void)
{
    for (size_t i = 0, all = count; i < all; i++)
        if (strcmp(subjects[i].label, "long") == 0) {
            subject *s = add(subjects[i].cipher, subjects[i].kernel, MATSUI, subjects[i].run);
            s->blocks = subjects[i].blocks;
            s->single = subjects[i].single;
        }
}

static void add_codes(void)
{
#if defined(__x86_64__)
    static void (*const codes[])(subject *) = {code_1, code_2, code_3};
    for (unsigned i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        char label[] = "code_1";
        label[5] += (char)i;
        add("aes-128-ecb", "x86-short-code", label, codes[i])->calls = REPEATED;
    }
#endif
}

static void add_ctr(size_t longest_key, int stream_alone)
{
    static const char *const kernels[] = {"ttable", "ttable-bytes", "ctr-c-wu", "ctr-c-1", "ctr-c-2", "ctr-c"};
    static const size_t lengths[] = {16, 128, 1024, 10240, 20480};
    enum { KERNELS = sizeof kernels / sizeof kernels[0], LENGTHS = sizeof lengths / sizeof lengths[0] };
    static runnel_aes_ctr contexts[3 * KERNELS * (LENGTHS + 3)], *context = contexts;
    for (size_t key_bytes = 16; key_bytes <= longest_key; key_bytes += 8)
        for (unsigned k = 0; k < KERNELS; k++)
            for (unsigned l = 0; l < LENGTHS + 3; l++, context++) {
                if (stream_alone && l != LENGTHS)
                    continue;
                char cipher[32], label[32];
                snprintf(cipher, sizeof cipher, "aes-%zu-ctr", 8 * key_bytes);
                snprintf(label, sizeof label, "more_%zu", l < LENGTHS ? lengths[l] : 0);
                worked(runnel_aes_ctr_key_kernel(context, key, key_bytes, kernels[k]));
                worked(runnel_aes_ctr_iv(context, nonce, sizeof nonce, RUNNEL_BE128));
                subject *s = l < LENGTHS        ? add(cipher, kernels[k], label, more_ctr)
                             : l == LENGTHS     ? add(cipher, kernels[k], "stream", more_ctr)
                             : l == LENGTHS + 1 ? add(cipher, kernels[k], "key", ctr_key)
                                                : add(cipher, kernels[k], "iv", ctr_iv);
                s->ctr = context;
                s->key_bytes = key_bytes;
                s->bytes = l < LENGTHS ? lengths[l] : BYTES;
                s->calls = l > LENGTHS ? 64 : s->bytes < BYTES ? (unsigned)(BYTES / s->bytes) : 1;
            }
}

static int is_matsuis(const subject *s)
{
    return strcmp(s->label, MATSUI) == 0;
}

static uint64_t ticks(subject *s)
{
    const uint64_t start = tsc_begin();
    s->run(s);
    return tsc_end() - start;
}

static uint64_t ticks_between_cpuids(subject *s)
{
    const uint64_t start = tsc_between_cpuids();
    if (s != NULL)
        s->run(s);
    return tsc_between_cpuids() - start;
}

/* Returns the cost of the readings themselves: the least of many, for a virtual machine leaves itself at each CPUID. */
static uint64_t ticks_of_nothing(void)
{
    enum { TRIES = 1000 };
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0; i < TRIES; i++) {
        const uint64_t found = ticks_between_cpuids(NULL);
        least = found < least ? found : least;
    }
    return least;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int openssl_is_here(void)
{
    void *library = dlopen("libcrypto.so.3", RTLD_NOW);
    static const struct {
        const char *name;
        void *place;
    } symbols[] = {{"AES_set_encrypt_key", &openssl.set_encrypt_key},
                   {"AES_set_decrypt_key", &openssl.set_decrypt_key},
                   {"AES_encrypt", &openssl.encrypt},
                   {"AES_decrypt", &openssl.decrypt},
                   {"AES_cbc_encrypt", &openssl.cbc}};
    for (size_t i = 0; library != NULL && i < sizeof symbols / sizeof symbols[0]; i++) {
        void *symbol = dlsym(library, symbols[i].name);
        if (symbol == NULL)
            return 0;
        memcpy(symbols[i].place, &symbol, sizeof symbol);
    }
    return library != NULL;
}

static void add_openssl_of_the_system(void)
{
    if (!openssl_is_here())
        return;
    openssl.single.encrypt = openssl.encrypt;
    openssl.single.decrypt = openssl.decrypt;
    add_single("openssl-compact", &openssl.single, openssl.set_encrypt_key, openssl.set_decrypt_key);
    add("aes-128-ecb", "openssl-cbc", "chain", openssl_chain)->single = &openssl.single;
    add("aes-128-ecb", "openssl-cbc", "unchain", openssl_unchain)->single = &openssl.single;
}

static void run_from_the_start(subject *s)
{
    memset(out, 0, sizeof out);
    if (s->ctr != NULL)
        worked(runnel_aes_ctr_iv(s->ctr, nonce, sizeof nonce, RUNNEL_BE128));
    s->run(s);
}

/* Subjects of one cipher and label do the same, also with one call after another. */
static int same_bytes(void)
{
    for (subject *s = subjects; s < subjects + count; s++) {
        subject *first = subjects;
        while (strcmp(first->label, s->label) != 0 || strcmp(first->cipher, s->cipher) != 0)
            first++;
        run_from_the_start(first);
        memcpy(expected, out, sizeof out);
        run_from_the_start(s);
        if (memcmp(out, expected, sizeof out) != 0) {
            fprintf(stderr, "%s %s: %s differs from %s\n", s->cipher, s->label, s->kernel, first->kernel);
            return 0;
        }
    }
    return 1;
}

int main(int arguments, char **argument)
{
    for (size_t i = 0; i < LONGEST; i++)
        in[i] = (uint8_t)(i * 167 + (i >> 8) * 59);
    const int ctr_alone = arguments == 2 && strcmp(argument[1], "ctr-128") == 0;
    if (!ctr_alone) {
        add_blocks();
        add_openssl_tables();
        add_openssl_of_the_system();
        add_in_matsuis_way();
        add_codes();
    }
    add_ctr(ctr_alone ? 16 : 32, ctr_alone);
    if (!same_bytes())
        return 1;
    const uint64_t of_nothing = ticks_of_nothing();
    for (unsigned round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < count; i++) {
            subject *s = &subjects[i];
            const double cycles_a_tick = core_cycles_a_tick();
            s->cycles[round] =
                (double)(is_matsuis(s) ? ticks_between_cpuids(s) - of_nothing : ticks(s)) * cycles_a_tick;
        }
    for (size_t i = 0; i < count; i++) {
        subject *s = &subjects[i];
        qsort(s->cycles, ROUNDS, sizeof s->cycles[0], by_size);
        printf("%s %s %s %.1f %.1f\n", s->cipher, s->kernel, s->label, s->cycles[ROUNDS / 10] / s->calls,
               s->cycles[ROUNDS / 2] / s->calls);
    }
    return 0;
}
