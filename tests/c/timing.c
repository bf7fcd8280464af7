/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* runnel-timing list: what can be measured, a name a line; controls, which leak on purpose, are in parentheses.
 * runnel-timing NAME MEASUREMENTS SECONDS SEED: as many measurements as asked for, or as the seconds allow, of calls with one
 * fixed secret and with random ones, in random order: do they take the same time? Welch's t-test (dudect: Reparaz, Balasch,
 * Verbauwhede, 2017), of all measurements and, because an interrupted call says nothing, of those below each of some
 * percentiles. Prints `NAME: N measurements` and `t T`, the largest of all tests. What it means is for the caller to say. */
#include <math.h>
#include <runnel/aead.h>

#include "harness.h"
#include "long_run.h"

#if !defined(__x86_64__)
int main(void)
{
    puts("the cycle counter is that of x86-64");
    return 77;
}
#else
#include <x86intrin.h>

enum { SECRET = 512, CROPS = 40, FIRST = 20000, TEXT = 256 };

/* A mean and a variance, by Welford's way of adding to them. */
typedef struct sums {
    double count, mean, squares;
} sums;

static void add_to(sums *s, double x)
{
    const double before = x - s->mean;
    s->mean += before / ++s->count;
    s->squares += before * (x - s->mean);
}

static double welch(const sums s[2])
{
    if (s[0].count < FIRST / 10 || s[1].count < FIRST / 10)
        return 0;
    const double variance = s[0].squares / (s[0].count - 1) / s[0].count + s[1].squares / (s[1].count - 1) / s[1].count;
    return variance > 0 ? fabs(s[0].mean - s[1].mean) / sqrt(variance) : 0;
}

/* A measurement: prepare takes the secret, which is not timed, and call is. */
typedef struct subject {
    char name[80];
    void (*prepare)(const uint8_t *secret);
    void (*call)(void);
} subject;

static const runnel_cipher *cipher;
static const char *kernel; /* NULL: the one that runs unless another is named */
static runnel_stream *stream;
static const runnel_aead *aead;
static runnel_aead_context *sealer;
static uint8_t key[LONGEST_KEY], iv[LONGEST_IV], text[TEXT], out[TEXT], tag[16], given[16];
static volatile int result;

static void take_key(const uint8_t *secret)
{
    memcpy(key, secret, cipher->key_bytes.last);
}

static void set_key(void)
{
    result = runnel_cipher_key(cipher, stream, key, cipher->key_bytes.last, kernel);
}

static void take_key_and_text(const uint8_t *secret)
{
    take_key(secret);
    memcpy(text, secret + SECRET - TEXT, TEXT);
    set_key();
    result = runnel_stream_iv(stream, iv, cipher->iv_bytes.last, 0);
}

static void encrypt(void)
{
    result = runnel_stream_encrypt(stream, out, text, TEXT);
}

/* The fixed secret differs from the right tag in its last byte alone, random ones from the first byte on. */
static void take_tag(const uint8_t *secret)
{
    memcpy(given, secret, sizeof given);
}

static void open_message(void)
{
    result = runnel_aead_open(sealer, iv, aead->nonce_default, NULL, 0, out, text, 16, given, sizeof given);
}

static void compare_and_leave(void)
{
    int same = 1;
    for (size_t i = 0; i < sizeof tag && same; i++) {
        same = given[i] == tag[i];
        __asm__ volatile("" ::: "memory"); /* one byte after another, as it stands */
    }
    result = same;
}

static void use_aead(const char *name)
{
    aead = runnel_aead_find(name);
    CHECK(aead != NULL, "no %s", name);
    sealer = aligned_alloc(64, (aead->context_bytes + 63u) / 64 * 64);
    uint8_t sealed[16];
    CHECK_OK(runnel_aead_key(aead, sealer, key, aead->key_bytes, NULL));
    CHECK_OK(runnel_aead_seal(sealer, iv, aead->nonce_default, NULL, 0, sealed, text, sizeof sealed, tag, sizeof tag));
    memcpy(text, sealed, sizeof sealed);
}

static void use_cipher(const char *name, const char *of_name)
{
    cipher = runnel_cipher_find(name);
    CHECK(cipher != NULL, "no %s", name);
    kernel = of_name;
    stream = new_context(cipher);
}

static int has_claim(const runnel_cipher *c)
{
    runnel_kernel_info info;
    for (size_t i = 0; runnel_cipher_kernel(c, i, &info) == RUNNEL_OK; i++)
        if (info.chosen)
            return info.timing == RUNNEL_CONSTANT_TIME;
    return 0;
}

static void list(void)
{
    puts("(compare, leaving at the first difference)\n(aes-128-ctr/ttable, look-ups by secrets)");
    puts("tag aes-128-gcm\ntag chacha20-poly1305\ntag aes-128-ccm\ntag ascon-aead128");
    for (size_t i = 0; runnel_cipher_at(i) != NULL; i++)
        if (has_claim(runnel_cipher_at(i)))
            printf("key %s\nstream %s\n", runnel_cipher_at(i)->name, runnel_cipher_at(i)->name);
}

static int find(const char *name, subject *s)
{
    snprintf(s->name, sizeof s->name, "%s", name);
    if (strncmp(name, "(compare", 8) == 0) {
        use_aead("aes-128-gcm");
        *s = (subject){"", take_tag, compare_and_leave};
    } else if (strncmp(name, "(aes", 4) == 0) {
        use_cipher("aes-128-ctr", "ttable");
        *s = (subject){"", take_key_and_text, encrypt};
    } else if (strncmp(name, "tag ", 4) == 0) {
        use_aead(name + 4);
        *s = (subject){"", take_tag, open_message};
    } else if (strncmp(name, "key ", 4) == 0) {
        use_cipher(name + 4, NULL);
        *s = (subject){"", take_key, set_key};
    } else if (strncmp(name, "stream ", 7) == 0) {
        use_cipher(name + 7, NULL);
        *s = (subject){"", take_key_and_text, encrypt};
    } else {
        return 0;
    }
    snprintf(s->name, sizeof s->name, "%s", name);
    return 1;
}

/* One call's cycles, with the fixed secret or a random one: both are read and go through the same place, so that nothing in
 * the caches tells which it was. */
static double measure(const subject *s, const uint8_t *fixed, unsigned class)
{
    static uint8_t random[SECRET], secret[SECRET];
    const uint8_t mask = (uint8_t)(0 - class);
    unsigned processor;
    random_bytes(random, SECRET);
    for (size_t i = 0; i < SECRET; i++)
        secret[i] = (uint8_t)((random[i] & mask) | (fixed[i] & ~mask));
    s->prepare(secret);
    _mm_lfence();
    const uint64_t before = __rdtsc();
    _mm_lfence();
    s->call();
    const uint64_t after = __rdtscp(&processor);
    _mm_lfence();
    return (double)(after - before);
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Percentiles of the first measurements, closer together towards the fast end, as in dudect. */
static void set_crops(const subject *s, const uint8_t *fixed, double crops[CROPS])
{
    static double times[FIRST];
    for (size_t i = 0; i < FIRST; i++)
        times[i] = measure(s, fixed, (unsigned)random_below(2));
    qsort(times, FIRST, sizeof times[0], compare_doubles);
    for (size_t i = 0; i < CROPS; i++)
        crops[i] = times[(size_t)((1 - pow(0.5, 10.0 * (double)(i + 1) / CROPS)) * (FIRST - 1))];
}

int main(int argc, char **argv)
{
    static sums tests[CROPS + 1][2];
    double crops[CROPS], largest = 0;
    uint8_t fixed[SECRET];
    subject s;
    if (argc == 2 && strcmp(argv[1], "list") == 0) {
        list();
        return 0;
    }
    if (argc != 5)
        return 2;
    seed_random(strtoull(argv[4], NULL, 0));
    random_bytes(iv, sizeof iv);
    if (!find(argv[1], &s))
        return 2;
    random_bytes(fixed, sizeof fixed);
    if (s.prepare == take_tag) {
        memcpy(fixed, tag, sizeof tag);
        fixed[sizeof tag - 1] ^= 1;
    }
    set_crops(&s, fixed, crops);
    const uint64_t wanted = strtoull(argv[2], NULL, 0);
    const double until = now() + strtod(argv[3], NULL);
    uint64_t done = 0;
    for (; done < wanted && (done % 1024 != 0 || now() < until); done++) {
        const unsigned class = (unsigned)random_below(2);
        const double cycles = measure(&s, fixed, class);
        add_to(&tests[CROPS][class], cycles);
        for (size_t i = CROPS; i-- > 0 && cycles < crops[i];)
            add_to(&tests[i][class], cycles);
    }
    for (size_t i = 0; i <= CROPS; i++)
        largest = fmax(largest, welch(tests[i]));
    printf("%s: %llu measurements\nt %.2f\n", s.name, (unsigned long long)done, largest);
    return 0;
}
#endif
