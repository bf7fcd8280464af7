/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Grain-128AEADv2: the descriptor, and what is the same on every processor. */
#include "grain128aead.h"

#include "arch/common/bytes.h"
#include "core/aead.h"

#if RUNNEL_AVR_MUL
#include "avr/registers.h"
#else
#include "portable.h"
#endif

enum { GRAIN128AEAD_TAG = 8 };

static inline runnel_grain128aead *grain128aead_of(runnel_aead_context *context)
{
    return (void *)context;
}

static int grain128aead_set_key(const runnel_aead *aead, runnel_aead_context *context, const uint8_t *key,
                                const char *kernel)
{
    runnel_grain128aead *c = grain128aead_of(context);
    (void)aead;
    if (kernel != NULL && (!RUNNEL_TEXTS || strcmp(kernel, KERNEL) != 0))
        return RUNNEL_ERR_KERNEL;
    c->key[0] = runnel_load64le(key);
    c->key[1] = runnel_load64le(key + 8);
    return RUNNEL_OK;
}

static int grain128aead_own_kernel(size_t index, runnel_kernel_info *info)
{
    if (index > 0)
        return RUNNEL_ERR_KERNEL;
    *info = (runnel_kernel_info){
        .name = RUNNEL_TEXT(KERNEL),
        .citation = RUNNEL_TEXT(CITATION),
        .timing = RUNNEL_CONSTANT_TIME,
        .available = 1,
        .chosen = 1,
        .lanes = 1,
    };
    return RUNNEL_OK;
}

static const char *grain128aead_kernel_name(const runnel_aead_context *context)
{
    (void)context;
    return RUNNEL_TEXT(KERNEL);
}

static void grain128aead_start(runnel_aead_context *context, const uint8_t *nonce, size_t nonce_bytes)
{
    (void)nonce_bytes;
    grain128aead_begin(grain128aead_of(context), nonce);
}

/* The length of the associated data as DER has it: below 128 one byte; else 0x80 and how many bytes follow, the highest
 * first. */
static void grain128aead_lengths(runnel_aead_context *context)
{
    uint8_t der[5];
    const uint32_t bytes = (uint32_t)context->aad_total; /* aad_max is UINT32_MAX */
    unsigned more = 0;
    while (more < 4 && bytes >> 8 * more > 0)
        more++;
    if (bytes < 128) {
        der[0] = (uint8_t)bytes;
        more = 0;
    } else {
        der[0] = (uint8_t)(0x80 | more);
        for (unsigned i = 0; i < more; i++)
            der[1 + i] = (uint8_t)(bytes >> 8 * (more - 1 - i));
    }
    grain128aead_authenticate(grain128aead_of(context), der, 1 + more);
}

static void grain128aead_aad(runnel_aead_context *context, const uint8_t *data, size_t bytes)
{
    grain128aead_authenticate(grain128aead_of(context), data, bytes);
}

static void grain128aead_text(runnel_aead_context *context)
{
    (void)context;
}

static void grain128aead_crypt(runnel_aead_context *context, uint8_t *out, const uint8_t *in, size_t bytes, int decrypt)
{
    grain128aead_encrypt_or_decrypt(grain128aead_of(context), out, in, bytes, decrypt);
}

static void grain128aead_tag(runnel_aead_context *context, uint8_t *longest)
{
    runnel_grain128aead *c = grain128aead_of(context);
    memset(longest, 0, RUNNEL_AEAD_LONGEST_TAG);
    runnel_store64le(longest, c->sum ^ c->shift);
}

static const runnel_aead_mode grain128aead_mode = {
    .key = grain128aead_set_key,
    .kernel = grain128aead_kernel_name,
    .own_kernel = grain128aead_own_kernel,
    .start = grain128aead_start,
    .lengths = grain128aead_lengths,
    .aad = grain128aead_aad,
    .text = grain128aead_text,
    .crypt = grain128aead_crypt,
    .tag = grain128aead_tag,
};

static const runnel_aead grain128aead = {
    .name = RUNNEL_TEXT("grain-128aead-v2"),
    .family = RUNNEL_TEXT("grain128aead"),
    .title = RUNNEL_TEXT("Grain-128AEADv2"),
    .source = RUNNEL_TEXT("Grain-128AEADv2, finalist of NIST's lightweight cryptography"),
    .remark = RUNNEL_TEXT("tags of 8 bytes: count failures; no standard, NIST chose Ascon"),
    .nonce_reuse = RUNNEL_TEXT("shows the XOR of both messages, and bits of the MAC's registers"),
    .status = RUNNEL_RECOMMENDED,
    .multipart = 1,
    .lengths_first = 1,
    .tag_default = GRAIN128AEAD_TAG,
    .nonce_default = 12,
    .nonce_min = 12,
    .nonce_max = 12,
    .tag_set = RUNNEL_TAG(GRAIN128AEAD_TAG),
    .key_bytes = 16,
    .plaintext_max = ((uint64_t)1 << 61) - 1,
    .aad_max = UINT32_MAX,
    .context_bytes = sizeof(runnel_grain128aead),
    .mode = &grain128aead_mode,
};

runnel_aead_list runnel_grain128aead_aeads = {&grain128aead, NULL};

RUNNEL_DEFINE_AEAD_VERBS(grain128aead, runnel_grain128aead_aeads)
