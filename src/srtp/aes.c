/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES for packets: the same kernels as everywhere, in contexts that end before the prefix tables. */
#include "core/aead.h"
#include "modes/gcm/mode.h"
#include "ciphers.h"
#include "ciphers/aes/kernels.h"

#if RUNNEL_HOSTED

static runnel_kernel_list kernels = {
#define KERNEL(on, name) RUNNEL_LIST_KERNEL(on, runnel_aes_##name)
#define PAPER(on, name)
#include "ciphers/aes/kernels.inc"
    NULL,
};

#if RUNNEL_AES_PREFIX_BYTES
_Static_assert(RUNNEL_SRTP_AES_CTR_BYTES <= offsetof(runnel_aes_ctr, prefix), "the context ends before the tables");
#endif

#define CTR(bits)                                                                                                      \
    {.name = "aes-" #bits "-ctr",                                                                                      \
     .family = "aes_ctr",                                                                                              \
     .mode = RUNNEL_MODE_CTR,                                                                                          \
     .seekable = 1,                                                                                                    \
     .layout = RUNNEL_BE16,                                                                                            \
     .layouts = 1 << RUNNEL_BE16 | 1 << RUNNEL_BE32,                                                                   \
     .key_bytes = {bits / 8, bits / 8, 1},                                                                             \
     .iv_bytes = {16, 16, 1},                                                                                          \
     .block_bytes = 16,                                                                                                \
     .context_bytes = RUNNEL_SRTP_AES_CTR_BYTES,                                                                       \
     .state_offset = offsetof(runnel_aes_ctr, schedule),                                                               \
     .kernels = kernels}

static const runnel_cipher ctr_128 = CTR(128), ctr_192 = CTR(192), ctr_256 = CTR(256);
static runnel_cipher_list ctr_family = {&ctr_128, &ctr_192, &ctr_256, NULL};

#define GCM(bits)                                                                                                      \
    {.name = "aes-" #bits "-gcm",                                                                                      \
     .family = "aes_gcm",                                                                                              \
     .mode = &runnel_gcm_mode,                                                                                         \
     .multipart = 1,                                                                                                   \
     .tag_default = 16,                                                                                                \
     .nonce_default = 12,                                                                                              \
     .nonce_min = 12,                                                                                                  \
     .nonce_max = 12,                                                                                                  \
     .tag_set = RUNNEL_GCM_TAGS,                                                                                       \
     .key_bytes = bits / 8,                                                                                            \
     .plaintext_max = ((uint64_t)1 << 36) - 32,                                                                        \
     .aad_max = ((uint64_t)1 << 61) - 1,                                                                               \
     .context_bytes = RUNNEL_SRTP_AES_GCM_BYTES,                                                                       \
     .mode_offset = offsetof(runnel_aes_gcm, part),                                                                    \
     .cipher_offset = offsetof(runnel_aes_gcm, cipher),                                                                \
     .ciphers = ctr_family}

static const runnel_aead gcm_128 = GCM(128), gcm_256 = GCM(256);
static runnel_aead_list gcm_family = {&gcm_128, &gcm_256, NULL};

int runnel_srtp_aes_ctr_key(void *context, const uint8_t *key, size_t key_bytes)
{
    return runnel_family_key(ctr_family, context, key, key_bytes, NULL);
}

int runnel_srtp_aes_gcm_key(void *context, const uint8_t *key, size_t key_bytes)
{
    return runnel_aead_family_key(gcm_family, context, key, key_bytes, NULL);
}

const runnel_srtp_functions runnel_srtp_aes_cm = {.ctr_key = runnel_srtp_aes_ctr_key};
const runnel_srtp_functions runnel_srtp_aes_gcm = {.ctr_key = runnel_srtp_aes_ctr_key, .key = runnel_srtp_aes_gcm_key};

#endif
