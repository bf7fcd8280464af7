/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Ascon-AEAD128: the descriptor, and the choice of kernels. */
#include "ascon.h"

#include "arch/common/bytes.h"
#include "core/aead.h"
#include "kernels.h"

static const runnel_ascon_kernel *const RUNNEL_IN_FLASH kernels[] = {
#ifdef RUNNEL_ASCON_KERNEL
    &RUNNEL_KERNEL(ascon, RUNNEL_ASCON_KERNEL),
#else
#define BATCH(on, name)
#define KERNEL(on, name) RUNNEL_LIST_KERNEL(on, runnel_ascon_##name)
#include "kernels.inc"
#endif
    NULL,
};

static int runs(uint32_t cpu)
{
    return (cpu & ~runnel_cpu()) == 0;
}

static const runnel_ascon_kernel *choose(const char *name)
{
    for (const runnel_ascon_kernel *const RUNNEL_IN_FLASH *k = kernels; *k != NULL; k++)
        if (runs((*k)->cpu) && (name == NULL || (RUNNEL_TEXTS && strcmp((*k)->name, name) == 0)))
            return *k;
    return NULL;
}

#if RUNNEL_X86_64
static const runnel_ascon_batch *const batches[] = {
#define KERNEL(on, name)
#define BATCH(on, name) RUNNEL_LIST_KERNEL(on, runnel_ascon_##name)
#include "kernels.inc"
    NULL,
};

/* What processes several messages at once on this CPU, or NULL. */
static const runnel_ascon_batch *several(void)
{
    const runnel_ascon_batch *const *b = batches;
    while (*b != NULL && !runs((*b)->cpu))
        b++;
    return *b;
}
#endif

static inline runnel_ascon_aead128 *of(runnel_aead_context *context)
{
    return (void *)context;
}

static int own_kernel(size_t index, runnel_kernel_info *info)
{
    if (index >= sizeof kernels / sizeof kernels[0] - 1)
        return RUNNEL_ERR_KERNEL;
    const runnel_ascon_kernel *k = kernels[index];
    *info = (runnel_kernel_info){
        .name = k->name,
        .citation = k->citation,
        .cpu = k->cpu,
        .timing = RUNNEL_CONSTANT_TIME,
        .available = (uint8_t)runs(k->cpu),
        .chosen = choose(NULL) == k,
        .lanes = 1,
    };
#if RUNNEL_X86_64
    if (several() != NULL)
        info->lanes = several()->lanes;
#endif
    return RUNNEL_OK;
}

static const char *kernel_name(const runnel_aead_context *context)
{
    return ((const runnel_ascon_aead128 *)(const void *)context)->kernel->name;
}

static int set_key(const runnel_aead *aead, runnel_aead_context *context, const uint8_t *key, const char *name)
{
    runnel_ascon_aead128 *c = of(context);
    const runnel_ascon_kernel *kernel = choose(name);
    (void)aead;
    if (kernel == NULL)
        return RUNNEL_ERR_KERNEL;
    c->kernel = kernel;
    kernel->key(c, key);
    return RUNNEL_OK;
}

static void start(runnel_aead_context *context, const uint8_t *nonce, size_t nonce_bytes)
{
    (void)nonce_bytes;
    of(context)->kernel->start(of(context), nonce);
}

static void aad(runnel_aead_context *context, const uint8_t *data, size_t bytes)
{
    of(context)->kernel->aad(of(context), data, bytes);
}

static void text(runnel_aead_context *context)
{
    of(context)->kernel->text(of(context));
}

static void crypt(runnel_aead_context *context, uint8_t *out, const uint8_t *in, size_t bytes, int decrypt)
{
    of(context)->kernel->crypt(of(context), out, in, bytes, decrypt);
}

static void tag(runnel_aead_context *context, uint8_t *longest)
{
    of(context)->kernel->tag(of(context), longest);
}

#if RUNNEL_X86_64
static void batch(runnel_aead_context *context, const runnel_aead_message *m, uint8_t (*tags)[RUNNEL_AEAD_LONGEST_TAG],
                  size_t count)
{
    const runnel_ascon_batch *b = several();
    for (size_t n; count > 0; count -= n, m += n, tags += n) {
        n = b == NULL ? 1 : count < b->lanes ? count : b->lanes;
        if (b != NULL && n >= b->worth)
            b->messages(of(context), m, tags, n);
        else
            for (size_t i = 0; i < n; i++)
                runnel_aead_by_pieces(context, &m[i], tags[i]);
    }
}
#endif

static const runnel_aead_mode mode = {
    .key = set_key,
    .kernel = kernel_name,
    .own_kernel = own_kernel,
    .start = start,
    .aad = aad,
    .text = text,
    .crypt = crypt,
    .tag = tag,
#if RUNNEL_X86_64
    .batch = batch,
#endif
};

static const runnel_aead ascon_aead128 = {
    .name = RUNNEL_TEXT("ascon-aead128"),
    .family = RUNNEL_TEXT("ascon_aead128"),
    .title = RUNNEL_TEXT("Ascon-AEAD128"),
    .source = RUNNEL_TEXT("NIST SP 800-232"),
    .remark =
        RUNNEL_TEXT("up to 2^54 bytes a key, all messages together; one tag length a key, below 8 bytes only after "
                    "a risk analysis"),
    .nonce_reuse = RUNNEL_TEXT("shows the XOR of both messages' first blocks that differ, and weakens the tags"),
    .status = RUNNEL_RECOMMENDED,
    .multipart = 1,
    .tag_usual = 16,
    .nonce_random = 1,
    .nonce_usual = 16,
    .nonce_least = 16,
    .nonce_most = 16,
    .tag_set = (uint32_t)0x1fff << 4,
    .key_bytes = 16,
    .text_most = (uint64_t)1 << 54,
    .aad_most = (uint64_t)1 << 54,
    .messages = (uint64_t)1 << 48,
    .context_bytes = sizeof(runnel_ascon_aead128),
    .mode = &mode,
};

runnel_aead_list runnel_ascon_aeads = {&ascon_aead128, NULL};

RUNNEL_DEFINE_AEAD_VERBS(ascon_aead128, runnel_ascon_aeads)
