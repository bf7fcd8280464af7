/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "harness.h"

#include <stdarg.h>

uint64_t checks;
unsigned scale = 1;
const char *doing = "set-up";

void fail(const char *file, int line, const char *format, ...)
{
    const char *base = strrchr(file, '/');
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fprintf(stderr, "FAILED %s at %s:%d: ", doing, base != NULL ? base + 1 : file, line);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

void check_bytes(const char *file, int line, const void *got, const void *wanted, size_t bytes, const char *format, ...)
{
    checks++;
    if (bytes == 0 || memcmp(got, wanted, bytes) == 0)
        return;
    const uint8_t *g = got, *w = wanted;
    size_t i = 0;
    while (g[i] == w[i])
        i++;
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fail(file, line, "%s: byte %zu of %zu is %02x, not %02x", text, i, bytes, g[i], w[i]);
}

void check_result(const char *file, int line, const char *call, int got, int wanted)
{
    checks++;
    if (got != wanted)
        fail(file, line, "%s gives %d (%s), not %d", call, got, runnel_error_text(got), wanted);
}

/* splitmix64 */
static uint64_t random_state = 1;

void seed_random(uint64_t seed)
{
    random_state = seed;
}

uint64_t random64(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

size_t random_below(size_t n)
{
    return (size_t)(random64() % n);
}

size_t stride(size_t most)
{
    return scale < EMULATED ? 1 : 1 + random_below(most);
}

void random_bytes(void *out, size_t bytes)
{
    uint8_t *p = out;
    for (; bytes >= 8; bytes -= 8, p += 8) {
        uint64_t r = random64();
        memcpy(p, &r, 8);
    }
    uint64_t r = random64();
    memcpy(p, &r, bytes);
}

size_t random_length(size_t block_bytes, size_t most)
{
    size_t n;
    switch (random_below(8)) {
    case 0:
        n = random_below(3);
        break;
    case 1:
    case 2:
    case 3:
        n = random_below(2 * block_bytes + 2);
        break;
    case 4:
    case 5:
        n = block_bytes * (1 + random_below(40)) + random_below(3) - 1;
        break;
    case 6:
        n = random_below(1100);
        break;
    default:
        n = random_below(most + 1);
    }
    return n <= most ? n : most;
}

#ifdef _WIN32
#include <malloc.h>
#define aligned_memory(bytes) _aligned_malloc(bytes, LINE)
#define free_aligned _aligned_free
#else
static void *aligned_memory(size_t bytes)
{
    void *memory;
    return posix_memalign(&memory, LINE, bytes) == 0 ? memory : NULL;
}
#define free_aligned free
#endif

runnel_stream *new_context_at(const runnel_cipher *cipher, unsigned place)
{
    const size_t before = (size_t)place % PLACES * MALLOC_ALIGN;
    void *const memory = aligned_memory(before + cipher->context_bytes);
    if (memory == NULL)
        fail(__FILE__, __LINE__, "out of memory");
    return memset((uint8_t *)memory + before, 0, cipher->context_bytes);
}

runnel_stream *new_context(const runnel_cipher *cipher)
{
    static _Thread_local unsigned place;
    return new_context_at(cipher, ++place);
}

void free_context(runnel_stream *s)
{
    free_aligned((uint8_t *)s - (uintptr_t)s % LINE);
}

void start(runnel_stream *s, const target *t, const uint8_t *key, size_t key_bytes, const uint8_t *iv, size_t iv_bytes,
           int layout)
{
    CHECK_OK(runnel_cipher_key(t->cipher, s, key, key_bytes, t->kernel->name));
    CHECK_OK(runnel_stream_iv(s, iv, iv_bytes, layout));
}

size_t random_of(const runnel_lengths *lengths)
{
    return runnel_lengths_at(lengths, (unsigned)random_below(runnel_lengths_count(lengths)));
}

pair random_pair(const runnel_cipher *cipher)
{
    const size_t key_bytes = random_of(&cipher->key_bytes);
    return (pair){key_bytes, cipher->iv_as_key ? key_bytes : random_of(&cipher->iv_bytes)};
}

pair longest_pair(const runnel_cipher *cipher)
{
    return (pair){cipher->key_bytes.last, cipher->iv_bytes.last};
}

/* All lengths if there are at most four, else the first, the last and two others. */
static unsigned some_lengths(const runnel_lengths *lengths, size_t some[4])
{
    const unsigned count = runnel_lengths_count(lengths);
    if (count > 4) {
        some[0] = lengths->first;
        some[1] = random_of(lengths);
        some[2] = random_of(lengths);
        some[3] = lengths->last;
        return 4;
    }
    for (unsigned i = 0; i < count; i++)
        some[i] = runnel_lengths_at(lengths, i);
    return count;
}

size_t pairs_of(const runnel_cipher *cipher, pair pairs[MOST_PAIRS])
{
    size_t keys[4], ivs[4], n = 0;
    const unsigned nkeys = some_lengths(&cipher->key_bytes, keys), nivs = some_lengths(&cipher->iv_bytes, ivs);
    for (unsigned k = 0; k < nkeys; k++)
        for (unsigned v = 0; v < nivs; v++)
            if (!cipher->iv_as_key || keys[k] == ivs[v])
                pairs[n++] = (pair){keys[k], ivs[v]};
    return n;
}

int is_among(const runnel_lengths *lengths, size_t bytes)
{
    return bytes >= lengths->first && bytes <= lengths->last && (bytes - lengths->first) % lengths->step == 0;
}

size_t layouts_of(const runnel_cipher *cipher, int layouts[RUNNEL_LAYOUTS])
{
    size_t n = 0;
    for (int layout = 1; layout < RUNNEL_LAYOUTS; layout++)
        if (cipher->layouts >> layout & 1)
            layouts[n++] = layout;
    if (n == 0)
        layouts[n++] = 0;
    return n;
}

int random_layout(const runnel_cipher *cipher)
{
    int layouts[RUNNEL_LAYOUTS];
    return layouts[random_below(layouts_of(cipher, layouts))];
}

const runnel_kernel *kernel_of(const runnel_cipher *cipher, const char *name)
{
    for (const runnel_kernel_head *const *k = cipher->kernels; *k != NULL; k++)
        if (runnel_cipher_has(cipher, runnel_kernel_of(*k)) && strcmp((*k)->name, name) == 0)
            return runnel_kernel_of(*k);
    return NULL;
}

const runnel_kernel *reference_kernel(const runnel_cipher *cipher)
{
    const runnel_kernel *last = NULL;
    for (const runnel_kernel_head *const *k = cipher->kernels; *k != NULL; k++) {
        if (!runnel_cipher_has(cipher, runnel_kernel_of(*k)))
            continue;
        last = runnel_kernel_of(*k);
        if ((*k)->cpu == 0 && (*k)->timing == RUNNEL_CONSTANT_TIME)
            return last;
    }
    return last;
}

int kind_of(const runnel_cipher *cipher)
{
    return cipher->directions != NULL ? DIRECTIONAL : KEYSTREAM;
}

size_t for_targets(int kinds, const char *cipher, const char *kernel, void (*test)(const target *t))
{
    size_t count = 0;
    for (size_t i = 0; runnel_cipher_at(i) != NULL; i++) {
        target t = {runnel_cipher_at(i), NULL};
        if ((cipher != NULL && strcmp(cipher, t.cipher->name) != 0) || !(kind_of(t.cipher) & kinds))
            continue;
        for (const runnel_kernel_head *const *k = t.cipher->kernels; *k != NULL; k++) {
            t.kernel = runnel_kernel_of(*k);
            if (!runnel_cipher_has(t.cipher, t.kernel))
                continue;
            if ((kernel != NULL && strcmp(kernel, t.kernel->name) != 0) || !runnel_kernel_available(*k))
                continue;
            static char name[200];
            snprintf(name, sizeof name, "%s/%s", t.cipher->name, t.kernel->name);
            doing = name;
            uint64_t before = checks;
            test(&t);
            printf("%s: %llu checks\n", name, (unsigned long long)(checks - before));
            fflush(stdout);
            count++;
        }
    }
    return count;
}
