/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Ciphers by name. The list of folders is written by the build; each folder's own C file says what is in it. */
#include <string.h>

#include "aead.h"

typedef const runnel_cipher *const RUNNEL_IN_FLASH *folder;

#define RUNNEL_FOLDER(name) extern runnel_cipher_list runnel_##name##_ciphers;
#include "folders.inc"
#undef RUNNEL_FOLDER

#define RUNNEL_FOLDER(name) runnel_##name##_ciphers,
static const folder folders[] = {
#include "folders.inc"
    NULL, /* a single file for some families may have no cipher, or no AEAD */
};
#undef RUNNEL_FOLDER

const runnel_cipher *runnel_cipher_find(const char *name)
{
    if (name == NULL)
        return NULL;
    for (const folder *f = folders; *f != NULL; f++)
        for (folder c = *f; *c != NULL; c++)
            if (strcmp((*c)->name, name) == 0)
                return *c;
    return NULL;
}

const runnel_cipher *runnel_cipher_at(size_t index)
{
    /* Finds the next name in order, index times: there are few ciphers, and callers list them once. */
    const runnel_cipher *last = NULL;
    for (size_t i = 0; i <= index; i++) {
        const runnel_cipher *next = NULL;
        for (const folder *f = folders; *f != NULL; f++)
            for (folder c = *f; *c != NULL; c++)
                if ((last == NULL || strcmp((*c)->name, last->name) > 0) &&
                    (next == NULL || strcmp((*c)->name, next->name) < 0))
                    next = *c;
        if (next == NULL)
            return NULL;
        last = next;
    }
    return last;
}

typedef const runnel_aead *const RUNNEL_IN_FLASH *aeads;

#define RUNNEL_AEAD(name) extern runnel_aead_list runnel_##name##_aeads;
#include "aeads.inc"
#undef RUNNEL_AEAD

#define RUNNEL_AEAD(name) runnel_##name##_aeads,
static const aeads aead_folders[] = {
#include "aeads.inc"
    NULL,
};
#undef RUNNEL_AEAD

size_t runnel_aead_count(void)
{
    size_t count = 0;
    for (const aeads *f = aead_folders; *f != NULL; f++)
        for (aeads a = *f; *a != NULL; a++)
            count++;
    return count;
}

const runnel_aead *runnel_aead_find(const char *name)
{
    if (name == NULL)
        return NULL;
    for (const aeads *f = aead_folders; *f != NULL; f++)
        for (aeads a = *f; *a != NULL; a++)
            if (strcmp((*a)->name, name) == 0)
                return *a;
    return NULL;
}

const runnel_aead *runnel_aead_at(size_t index)
{
    const runnel_aead *last = NULL;
    for (size_t i = 0; i <= index; i++) {
        const runnel_aead *next = NULL;
        for (const aeads *f = aead_folders; *f != NULL; f++)
            for (aeads a = *f; *a != NULL; a++)
                if ((last == NULL || strcmp((*a)->name, last->name) > 0) &&
                    (next == NULL || strcmp((*a)->name, next->name) < 0))
                    next = *a;
        if (next == NULL)
            return NULL;
        last = next;
    }
    return last;
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
