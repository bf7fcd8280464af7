/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Ciphers, AEADs and MACs by name. The lists of folders are written by the build; each folder's own C file says what is in
 * it. */
#include <string.h>

#include "aead.h"
#include "mac.h"

/* The descriptors of a folder, in an array that ends with NULL. */
#define FOLDER(what) const runnel_##what *const RUNNEL_IN_FLASH

/* Defines find and at of a registry. `at` finds the next name in order, index times: there are few names, and callers list
 * them once. A single file for some families may have no folder of a kind, so that lists end with NULL. */
#define REGISTRY(what, folders)                                                                                        \
    const runnel_##what *runnel_##what##_find(const char *name)                                                        \
    {                                                                                                                  \
        if (name == NULL)                                                                                              \
            return NULL;                                                                                               \
        for (FOLDER(what) *const *f = folders; *f != NULL; f++)                                                        \
            for (FOLDER(what) *each = *f; *each != NULL; each++)                                                       \
                if (strcmp((*each)->name, name) == 0)                                                                  \
                    return *each;                                                                                      \
        return NULL;                                                                                                   \
    }                                                                                                                  \
    const runnel_##what *runnel_##what##_at(size_t index)                                                              \
    {                                                                                                                  \
        const runnel_##what *last = NULL;                                                                              \
        for (size_t i = 0; i <= index; i++) {                                                                          \
            const runnel_##what *next = NULL;                                                                          \
            for (FOLDER(what) *const *f = folders; *f != NULL; f++)                                                    \
                for (FOLDER(what) *each = *f; *each != NULL; each++)                                                   \
                    if ((last == NULL || strcmp((*each)->name, last->name) > 0) &&                                     \
                        (next == NULL || strcmp((*each)->name, next->name) < 0))                                       \
                        next = *each;                                                                                  \
            if (next == NULL)                                                                                          \
                return NULL;                                                                                           \
            last = next;                                                                                               \
        }                                                                                                              \
        return last;                                                                                                   \
    }

#define RUNNEL_FOLDER(name) extern runnel_cipher_list runnel_##name##_ciphers;
#include "folders.inc"
#undef RUNNEL_FOLDER

#define RUNNEL_FOLDER(name) runnel_##name##_ciphers,
static FOLDER(cipher) *const registry_cipher_folders[] = {
#include "folders.inc"
    NULL,
};
#undef RUNNEL_FOLDER

REGISTRY(cipher, registry_cipher_folders)

#define RUNNEL_AEAD(name) extern runnel_aead_list runnel_##name##_aeads;
#include "aeads.inc"
#undef RUNNEL_AEAD

#define RUNNEL_AEAD(name) runnel_##name##_aeads,
static FOLDER(aead) *const registry_aead_folders[] = {
#include "aeads.inc"
    NULL,
};
#undef RUNNEL_AEAD

REGISTRY(aead, registry_aead_folders)

size_t runnel_aead_count(void)
{
    size_t count = 0;
    for (FOLDER(aead) *const *f = registry_aead_folders; *f != NULL; f++)
        for (FOLDER(aead) *a = *f; *a != NULL; a++)
            count++;
    return count;
}

int runnel_aead_kernel_at(const runnel_aead *aead, size_t index, runnel_kernel_info *info)
{
    if (aead == NULL || info == NULL)
        return RUNNEL_ERR_NULL;
    if (aead->ciphers != NULL)
        for (const runnel_cipher *const RUNNEL_IN_FLASH *c = aead->ciphers; *c != NULL; c++)
            if ((*c)->key_bytes.first == aead->key_bytes / (1 + aead->two_keys))
                return runnel_cipher_kernel(*c, index, info);
    return aead->mode->own_kernel != NULL ? aead->mode->own_kernel(index, info) : RUNNEL_ERR_KERNEL;
}

#define RUNNEL_MAC(name) extern runnel_mac_list runnel_##name##_macs;
#include "macs.inc"
#undef RUNNEL_MAC

#define RUNNEL_MAC(name) runnel_##name##_macs,
static FOLDER(mac) *const registry_mac_folders[] = {
#include "macs.inc"
    NULL,
};
#undef RUNNEL_MAC

REGISTRY(mac, registry_mac_folders)

#if RUNNEL_HOSTED
int runnel_mac_describe(const runnel_mac *mac, runnel_mac_info *info)
{
    if (mac == NULL || info == NULL)
        return RUNNEL_ERR_NULL;
    *info = (runnel_mac_info){
        .name = mac->name,
        .key_bytes = mac->key_bytes,
        .tag_bytes = mac->tag_bytes,
        .context_bytes = mac->context_bytes,
        .block_bytes = mac->block_bytes,
        .single_use = mac->single_use,
        .component = mac->component,
    };
    return RUNNEL_OK;
}

int runnel_mac_kernel_at(const runnel_mac *mac, size_t index, runnel_kernel_info *info)
{
    if (mac == NULL || info == NULL)
        return RUNNEL_ERR_NULL;
    if (mac->ciphers != NULL)
        return runnel_cipher_kernel(mac->ciphers[0], index, info);
    return mac->kernels != NULL ? runnel_list_kernel(mac->kernels, index, info) : RUNNEL_ERR_KERNEL;
}
#endif

int runnel_mac_key(const runnel_mac *mac, runnel_mac_context *c, const uint8_t *key, size_t key_bytes)
{
    return runnel_mac_set_key(mac, c, key, key_bytes);
}

int runnel_mac_update(const runnel_mac *mac, runnel_mac_context *c, const uint8_t *data, size_t bytes)
{
    return runnel_mac_add(mac, c, data, bytes);
}

int runnel_mac_tag(const runnel_mac *mac, runnel_mac_context *c, uint8_t *tag, size_t tag_bytes)
{
    return runnel_mac_make_tag(mac, c, tag, tag_bytes);
}

int runnel_mac_verify(const runnel_mac *mac, runnel_mac_context *c, const uint8_t *tag, size_t tag_bytes)
{
    return runnel_mac_check_tag(mac, c, tag, tag_bytes);
}

void runnel_mac_wipe(const runnel_mac *mac, runnel_mac_context *c)
{
    runnel_mac_wipe_bytes(c, mac->context_bytes);
}
