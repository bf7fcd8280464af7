/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Ciphers by name. The list of folders is written by the build; each folder's own C file says what is in it. */
#include <string.h>

#include "kernel.h"

typedef const runnel_cipher *const *folder;

#define RUNNEL_FOLDER(name) extern const runnel_cipher *const runnel_##name##_ciphers[];
#include "folders.inc"
#undef RUNNEL_FOLDER

#define RUNNEL_FOLDER(name) runnel_##name##_ciphers,
static const folder folders[] = {
#include "folders.inc"
};
#undef RUNNEL_FOLDER

#define FOLDERS (sizeof folders / sizeof folders[0])

const runnel_cipher *runnel_cipher_find(const char *name)
{
    if (name == NULL)
        return NULL;
    for (size_t f = 0; f < FOLDERS; f++)
        for (folder c = folders[f]; *c != NULL; c++)
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
        for (size_t f = 0; f < FOLDERS; f++)
            for (folder c = folders[f]; *c != NULL; c++)
                if ((last == NULL || strcmp((*c)->name, last->name) > 0) &&
                    (next == NULL || strcmp((*c)->name, next->name) < 0))
                    next = *c;
        if (next == NULL)
            return NULL;
        last = next;
    }
    return last;
}
