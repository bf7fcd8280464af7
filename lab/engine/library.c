/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "library.h"

#include <dlfcn.h>
#include <string.h>

int library_load(const char *file, const library_symbol *symbols, size_t count)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        return 0;
    for (size_t i = 0; i < count; i++) {
        void *address = dlsym(library, symbols[i].name);
        if (address == NULL) {
            dlclose(library);
            return 0;
        }
        memcpy(symbols[i].slot, &address, sizeof address);
    }
    return 1;
}
