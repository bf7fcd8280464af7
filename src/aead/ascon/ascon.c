/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Ascon-AEAD128: the descriptor, and the choice of kernels. */
#include "ascon.h"

#include "arch/common/bytes.h"
#include "core/aead.h"
#include "kernels.h"

static runnel_kernel_list ascon_kernels = {
#ifdef RUNNEL_ASCON_KERNEL
    RUNNEL_LIST_ONLY_OF(runnel_ascon_kernel, ascon, RUNNEL_ASCON_KERNEL)
#else
#define BATCH(on, name)
#define KERNEL(on, name) RUNNEL_LIST(on, runnel_ascon_kernel, runnel_ascon_##name)
#include "kernels.inc"
#endif
        NULL,
};

#if RUNNEL_X86_64
static runnel_kernel_list ascon_batches = {
#define KERNEL(on, name)
#define BATCH(on, name) RUNNEL_LIST(on, runnel_ascon_batch, runnel_ascon_##name)
#include "kernels.inc"
    NULL,
};

/* The kernel for several messages at once on this CPU, or NULL. */
static const runnel_ascon_batch *ascon_several(void)
{
    return (const void *)runnel_first_kernel(ascon_batches, NULL, NULL, NULL);
}
#endif

static inline runnel_ascon_aead128 *ascon_of(runnel_aead_context *context)
{
    return (void *)context;
}

static int ascon_own_kernel(size_t index, runnel_kernel_info *info)
{
    const int error = runnel_list_kernel(ascon_kernels, index, info);
#if RUNNEL_X86_64
    if (!error && ascon_several() != NULL)
        info->lanes = ascon_several()->lanes;
#endif
    return error;
}

static const char *ascon_kernel_name(const runnel_aead_context *context)
{
    return ((const runnel_ascon_aead128 *)(const void *)context)->kernel->name;
}

static int ascon_set_key(const runnel_aead *aead, runnel_aead_context *context, const uint8_t *key, const char *name)
{
    runnel_ascon_aead128 *c = ascon_of(context);
    const runnel_kernel_head *kernel = runnel_first_kernel(ascon_kernels, name, NULL, NULL);
    (void)aead;
    if (kernel == NULL)
        return RUNNEL_ERR_KERNEL;
    c->kernel = (const runnel_ascon_kernel *)(const RUNNEL_IN_FLASH void *)kernel;
    c->kernel->key(c, key);
    return RUNNEL_OK;
}

static void ascon_start(runnel_aead_context *context, const uint8_t *nonce, size_t nonce_bytes)
{
    (void)nonce_bytes;
    ascon_of(context)->kernel->start(ascon_of(context), nonce);
}

static void ascon_aad(runnel_aead_context *context, const uint8_t *data, size_t bytes)
{
    ascon_of(context)->kernel->aad(ascon_of(context), data, bytes);
}

static void ascon_text(runnel_aead_context *context)
{
    ascon_of(context)->kernel->text(ascon_of(context));
}

static void ascon_crypt(runnel_aead_context *context, uint8_t *out, const uint8_t *in, size_t bytes, int decrypt)
{
    ascon_of(context)->kernel->crypt(ascon_of(context), out, in, bytes, decrypt);
}

static void ascon_tag(runnel_aead_context *context, uint8_t *longest)
{
    ascon_of(context)->kernel->tag(ascon_of(context), longest);
}

#if RUNNEL_X86_64
static void ascon_batch(runnel_aead_context *context, const runnel_aead_message *m,
                        uint8_t (*tags)[RUNNEL_AEAD_LONGEST_TAG], size_t count)
{
    const runnel_ascon_batch *b = ascon_several();
    for (size_t n; count > 0; count -= n, m += n, tags += n) {
        n = b == NULL ? 1 : count < b->lanes ? count : b->lanes;
        if (b != NULL && n >= b->worth)
            b->messages(ascon_of(context), m, tags, n);
        else
            for (size_t i = 0; i < n; i++)
                runnel_aead_by_pieces(context, &m[i], tags[i]);
    }
}
#endif

static const runnel_aead_mode ascon_mode = {
    .key = ascon_set_key,
    .kernel = ascon_kernel_name,
    .own_kernel = ascon_own_kernel,
    .start = ascon_start,
    .aad = ascon_aad,
    .text = ascon_text,
    .crypt = ascon_crypt,
    .tag = ascon_tag,
#if RUNNEL_X86_64
    .batch = ascon_batch,
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
    .tag_default = 16,
    .nonce_random = 1,
    .nonce_default = 16,
    .nonce_min = 16,
    .nonce_max = 16,
    .tag_set = (uint32_t)0x1fff << 4,
    .key_bytes = 16,
    .plaintext_max = (uint64_t)1 << 54,
    .aad_max = (uint64_t)1 << 54,
    .messages = (uint64_t)1 << 48,
    .context_bytes = sizeof(runnel_ascon_aead128),
    .mode = &ascon_mode,
};

runnel_aead_list runnel_ascon_aeads = {&ascon_aead128, NULL};

RUNNEL_DEFINE_AEAD_VERBS(ascon_aead128, runnel_ascon_aeads)
