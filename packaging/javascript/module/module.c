/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The WebAssembly module, beside the single file runnel.c: the functions of string.h, and what JavaScript reads of the
 * descriptors without knowing their layout. It has no imports, neither a C library's nor JavaScript's. */
#include <runnel.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name)))

/* With -mbulk-memory these are one instruction each. */
void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    return __builtin_memcpy(to, from, bytes);
}

void *memmove(void *to, const void *from, size_t bytes)
{
    return __builtin_memmove(to, from, bytes);
}

void *memset(void *to, int byte, size_t bytes)
{
    return __builtin_memset(to, byte, bytes);
}

/* For public data only, as everywhere: the library compares tags by itself. */
int memcmp(const void *a, const void *b, size_t bytes)
{
    const unsigned char *p = a, *q = b;
    for (size_t i = 0; i < bytes; i++)
        if (p[i] != q[i])
            return p[i] - q[i];
    return 0;
}

size_t strlen(const char *s)
{
    size_t n = 0;
    while (s[n] != '\0')
        n++;
    return n;
}

int strcmp(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b)
        a++, b++;
    return (unsigned char)*a - (unsigned char)*b;
}

size_t strcspn(const char *s, const char *stop)
{
    size_t n = 0;
    for (; s[n] != '\0'; n++)
        for (const char *p = stop; *p != '\0'; p++)
            if (s[n] == *p)
                return n;
    return n;
}

/* clang asks for a product of 128 bits where it looks whether one of 64 bits overflows. */
__extension__ typedef __int128 both;
__extension__ typedef unsigned __int128 both_unsigned;

both __multi3(both a, both b);

both __multi3(both a, both b)
{
    const uint64_t x = (uint64_t)a, y = (uint64_t)b, x0 = (uint32_t)x, x1 = x >> 32, y0 = (uint32_t)y, y1 = y >> 32;
    const uint64_t low = x0 * y0, middle = x1 * y0 + (low >> 32), other = x0 * y1 + (uint32_t)middle;
    const uint64_t high = x1 * y1 + (middle >> 32) + (other >> 32);
    const uint64_t crossed = x * (uint64_t)(b >> 64) + (uint64_t)(a >> 64) * y;
    return (both)((both_unsigned)(high + crossed) << 64 | (other << 32 | (uint32_t)low));
}

/* The description that JavaScript reads, in 32-bit words; index.js has the same order. */
typedef struct facts {
    const char *name, *title, *source, *remark;
    uint32_t status, context_bytes;
    uint32_t key_first, key_last, key_step;
    uint32_t iv_first, iv_last, iv_step;
    union {
        struct {
            uint32_t mode, seekable, layouts, layout, iv_as_key;
        } cipher;
        struct {
            uint32_t nonce_default, tag_default, tag_set, tag_first, commits;
        } aead;
    } of;
} facts;

static facts found;

EXPORT(cipher_facts) const facts *cipher_facts(const runnel_cipher *c)
{
    found = (facts){c->name,
                    c->title,
                    c->source,
                    c->remark,
                    c->status,
                    c->context_bytes,
                    c->key_bytes.first,
                    c->key_bytes.last,
                    c->key_bytes.step,
                    c->iv_bytes.first,
                    c->iv_bytes.last,
                    c->iv_bytes.step,
                    .of.cipher = {c->mode, c->seekable, c->layouts, c->layout, c->iv_as_key}};
    return &found;
}

EXPORT(aead_facts) const facts *aead_facts(const runnel_aead *a)
{
    found = (facts){a->name,
                    a->title,
                    a->source,
                    a->remark,
                    a->status,
                    a->context_bytes,
                    a->key_bytes,
                    a->key_bytes,
                    1,
                    a->nonce_min,
                    a->nonce_max,
                    1,
                    .of.aead = {a->nonce_default, a->tag_default, a->tag_set, a->tag_first, a->commits}};
    return &found;
}
