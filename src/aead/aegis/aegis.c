/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AEGIS (RFC 10032): the descriptors, the choice of kernels, and messages in pieces that end anywhere in a block. */
#include "aegis.h"

#include "arch/common/bytes.h"
#include "core/aead.h"
#include "kernels.h"

static runnel_kernel_list aegis_kernels = {
#ifdef RUNNEL_AEGIS_KERNEL
    RUNNEL_LIST_ONLY_OF(runnel_aegis_kernel, aegis, RUNNEL_AEGIS_KERNEL)
#else
#define KERNEL(on, name) RUNNEL_LIST(on, runnel_aegis_kernel, runnel_aegis_##name)
#include "kernels.inc"
#endif
        NULL,
};

/* What all contexts begin with; the state lies where the descriptor says. */
static inline runnel_aegis_128l *aegis_of(runnel_aead_context *c)
{
    return (void *)c;
}

/* The block that waits. Its array is longer in other contexts than in the one that aegis_of speaks of. */
static inline uint8_t *aegis_partial(runnel_aead_context *c)
{
    return (uint8_t *)c + offsetof(runnel_aegis_128l, partial);
}

static inline const runnel_aegis_kernel *aegis_kernel_of(const runnel_kernel_head *head)
{
    return (const runnel_aegis_kernel *)(const RUNNEL_IN_FLASH void *)head;
}

/* A runnel_kernel_suits: has the cipher of that index, an unsigned. */
static int aegis_has_cipher(const runnel_kernel_head *kernel, const void *cipher)
{
    return aegis_kernel_of(kernel)->ciphers[*(const unsigned *)cipher] != NULL;
}

static int aegis_describe_kernel(unsigned cipher, size_t index, runnel_kernel_info *info)
{
    const runnel_kernel_head *chosen = runnel_first_kernel(aegis_kernels, NULL, aegis_has_cipher, &cipher);
    for (const runnel_kernel_head *const RUNNEL_IN_FLASH *k = aegis_kernels; *k != NULL; k++)
        if (aegis_has_cipher(*k, &cipher) && index-- == 0) {
            runnel_describe_kernel(*k, *k == chosen, 1, info);
            return RUNNEL_OK;
        }
    return RUNNEL_ERR_KERNEL;
}

static const char *aegis_kernel_name(const runnel_aead_context *c)
{
    return ((const runnel_aegis_128l *)(const void *)c)->kernel->name;
}

static int aegis_set_key(unsigned cipher, const runnel_aead *aead, runnel_aead_context *context, const uint8_t *key,
                         const char *name)
{
    runnel_aegis_128l *c = aegis_of(context);
    const runnel_kernel_head *kernel = runnel_first_kernel(aegis_kernels, name, aegis_has_cipher, &cipher);
    if (kernel == NULL)
        return RUNNEL_ERR_KERNEL;
    c->kernel = aegis_kernel_of(kernel);
    c->functions = c->kernel->ciphers[cipher];
    memcpy(c->key, key, aead->key_bytes);
    return RUNNEL_OK;
}

static void aegis_start(runnel_aead_context *c, const uint8_t *nonce, size_t nonce_bytes)
{
    (void)nonce_bytes;
    aegis_of(c)->functions->start(runnel_aead_part(c), aegis_of(c)->key, nonce);
}

/* Absorbs the block that waits, of which `filled` bytes have come. */
static void aegis_pad(runnel_aead_context *c, size_t filled)
{
    runnel_aegis_128l *a = aegis_of(c);
    if (filled > 0) {
        memset(aegis_partial(c) + filled, 0, a->functions->block_bytes - filled);
        a->functions->absorb(runnel_aead_part(c), aegis_partial(c), 1);
    }
}

static size_t aegis_filled(const runnel_aead_context *c, uint64_t bytes)
{
    return (size_t)(bytes % ((const runnel_aegis_128l *)(const void *)c)->functions->block_bytes);
}

static void aegis_aad(runnel_aead_context *c, const uint8_t *data, size_t bytes)
{
    runnel_aegis_128l *a = aegis_of(c);
    const size_t block = a->functions->block_bytes, filled = aegis_filled(c, c->aad_bytes);
    if (filled > 0) {
        const size_t room = block - filled, n = bytes < room ? bytes : room;
        memcpy(aegis_partial(c) + filled, data, n);
        if (n < room)
            return;
        a->functions->absorb(runnel_aead_part(c), aegis_partial(c), 1);
        data += n;
        bytes -= n;
    }
    if (bytes >= block)
        a->functions->absorb(runnel_aead_part(c), data, bytes / block);
    const size_t rest = bytes % block;
    memcpy(aegis_partial(c), data + (bytes - rest), rest);
}

static void aegis_text(runnel_aead_context *c)
{
    aegis_pad(c, aegis_filled(c, c->aad_bytes));
}

/* Bytes of one block, from `filled` on: of partial, keystream becomes the text. */
static void aegis_crypt_some(runnel_aead_context *c, size_t filled, uint8_t *out, const uint8_t *in, size_t bytes,
                             int decrypt)
{
    runnel_aegis_128l *a = aegis_of(c);
    uint8_t *partial = aegis_partial(c) + filled;
    for (size_t i = 0; i < bytes; i++) {
        const uint8_t byte = in[i], other = byte ^ partial[i];
        partial[i] = decrypt ? other : byte;
        out[i] = other;
    }
    if (filled + bytes == a->functions->block_bytes)
        a->functions->absorb(runnel_aead_part(c), aegis_partial(c), 1);
}

static void aegis_crypt(runnel_aead_context *c, uint8_t *out, const uint8_t *in, size_t bytes, int decrypt)
{
    runnel_aegis_128l *a = aegis_of(c);
    const size_t block = a->functions->block_bytes, filled = aegis_filled(c, c->text_bytes);
    if (filled > 0) {
        const size_t room = block - filled, n = bytes < room ? bytes : room;
        aegis_crypt_some(c, filled, out, in, n, decrypt);
        out += n;
        in += n;
        bytes -= n;
    }
    const size_t whole = bytes - bytes % block;
    if (whole > 0)
        a->functions->crypt(runnel_aead_part(c), out, in, bytes / block, decrypt);
    if (bytes > whole) {
        a->functions->keystream(runnel_aead_part(c), aegis_partial(c));
        aegis_crypt_some(c, 0, out + whole, in + whole, bytes - whole, decrypt);
    }
}

static void aegis_tag(runnel_aead_context *c, uint8_t *longest)
{
    runnel_aegis_128l *a = aegis_of(c);
    aegis_pad(c, aegis_filled(c, c->text_bytes));
    a->functions->finish(runnel_aead_part(c), c->aad_bytes << 3, c->text_bytes << 3, longest, c->tag_bytes);
    runnel_wipe(aegis_partial(c), c->aead->context_bytes - offsetof(runnel_aegis_128l, partial)); /* and the state */
}

static void aegis_message(runnel_aead_context *c, const runnel_aead_message *m, uint8_t *longest)
{
    const runnel_aegis_128l *a = aegis_of(c);
    if (m->bytes < a->functions->longest)
        a->functions->message(a->key, m, longest);
    else
        runnel_aead_by_pieces(c, m, longest);
}

#if RUNNEL_HOSTED
static void aegis_batch(runnel_aead_context *c, const runnel_aead_message *m, uint8_t (*tags)[RUNNEL_AEAD_LONGEST_TAG],
                        size_t count)
{
    const runnel_aegis_128l *a = aegis_of(c);
    size_t i = 0;
    if (a->functions->two != NULL)
        for (; count - i >= 2; i += 2)
            a->functions->two(a->key, &m[i], &tags[i]);
    for (; i < count; i++)
        aegis_message(c, &m[i], tags[i]);
}
#define AEGIS_BATCH(function) .batch = (function),
#else
#define AEGIS_BATCH(function)
#endif

/* Tags are whole, of one length or the other. Firmware has room for the short one. */
#if RUNNEL_HOSTED
#define TAGS RUNNEL_TAG(16) | RUNNEL_TAG(32)
#else
#define TAGS RUNNEL_TAG(16)
#endif
_Static_assert(RUNNEL_AEAD_LONGEST_TAG >= (RUNNEL_HOSTED ? 32 : 16), "tags of AEGIS");

/* `cipher` as in the functions' names; `messages` under a key with random nonces. */
#define AEGIS(cipher, index, the_name, the_title, bytes, max_messages, the_remark)                                     \
    static int cipher##_set_key(const runnel_aead *aead, runnel_aead_context *c, const uint8_t *key, const char *name) \
    {                                                                                                                  \
        return aegis_set_key(index, aead, c, key, name);                                                               \
    }                                                                                                                  \
    static int cipher##_own_kernel(size_t number, runnel_kernel_info *info)                                            \
    {                                                                                                                  \
        return aegis_describe_kernel(index, number, info);                                                             \
    }                                                                                                                  \
    static const runnel_aead_mode cipher##_mode = {                                                                    \
        .key = cipher##_set_key,                                                                                       \
        .kernel = aegis_kernel_name,                                                                                   \
        .own_kernel = cipher##_own_kernel,                                                                             \
        .start = aegis_start,                                                                                          \
        .aad = aegis_aad,                                                                                              \
        .text = aegis_text,                                                                                            \
        .crypt = aegis_crypt,                                                                                          \
        .tag = aegis_tag,                                                                                              \
        AEGIS_BATCH(aegis_batch).message = aegis_message,                                                              \
    };                                                                                                                 \
    static const runnel_aead cipher = {                                                                                \
        .name = RUNNEL_TEXT(the_name),                                                                                 \
        .family = RUNNEL_TEXT(#cipher),                                                                                \
        .title = RUNNEL_TEXT(the_title),                                                                               \
        .source = RUNNEL_TEXT("RFC 10032"),                                                                            \
        .remark = RUNNEL_TEXT(the_remark),                                                                             \
        .nonce_reuse = RUNNEL_TEXT("gives both messages away and lets anyone forge messages under that nonce"),        \
        .status = RUNNEL_RECOMMENDED,                                                                                  \
        .multipart = 1,                                                                                                \
        .tag_default = 16,                                                                                             \
        .nonce_random = 1,                                                                                             \
        .nonce_default = bytes,                                                                                        \
        .nonce_min = bytes,                                                                                            \
        .nonce_max = bytes,                                                                                            \
        .tag_set = TAGS,                                                                                               \
        .key_bytes = bytes,                                                                                            \
        .plaintext_max = ((uint64_t)1 << 61) - 1,                                                                      \
        .aad_max = ((uint64_t)1 << 61) - 1,                                                                            \
        .messages = max_messages,                                                                                      \
        .context_bytes = sizeof(runnel_##cipher),                                                                      \
        .mode_offset = offsetof(runnel_##cipher, state),                                                               \
        .mode = &cipher##_mode,                                                                                        \
    };                                                                                                                 \
    static runnel_aead_list cipher##_family = {&cipher, NULL};                                                         \
    RUNNEL_DEFINE_AEAD_VERBS(cipher, cipher##_family)

#define PLAIN "tags of 16 or 32 bytes; fast where the processor has AES instructions"
#define WIDE "tags of 16 or 32 bytes; another cipher than that with one lane, for where both sides have agreed on it"

AEGIS(aegis_128l, AEGIS_128L, "aegis-128l", "AEGIS-128L", 16, (uint64_t)1 << 48, PLAIN)
AEGIS(aegis_256, AEGIS_256, "aegis-256", "AEGIS-256", 32, 0, PLAIN)
#if RUNNEL_HOSTED
AEGIS(aegis_128x2, AEGIS_128X2, "aegis-128x2", "AEGIS-128X2, two lanes", 16, (uint64_t)1 << 48, WIDE)
AEGIS(aegis_128x4, AEGIS_128X4, "aegis-128x4", "AEGIS-128X4, four lanes", 16, (uint64_t)1 << 48, WIDE)
AEGIS(aegis_256x2, AEGIS_256X2, "aegis-256x2", "AEGIS-256X2, two lanes", 32, 0, WIDE)
AEGIS(aegis_256x4, AEGIS_256X4, "aegis-256x4", "AEGIS-256X4, four lanes", 32, 0, WIDE)
#endif

runnel_aead_list runnel_aegis_aeads = {&aegis_128l,  &aegis_256,
#if RUNNEL_HOSTED
                                       &aegis_128x2, &aegis_128x4, &aegis_256x2, &aegis_256x4,
#endif
                                       NULL};
