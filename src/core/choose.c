/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Which kernel runs. */
#include "driver.h"

const runnel_kernel *runnel_choose_kernel(const runnel_cipher *cipher, size_t key_bytes, const char *name)
{
    return runnel_find_kernel(cipher, key_bytes, name);
}

int runnel_cipher_kernel(const runnel_cipher *cipher, size_t index, runnel_kernel_info *info)
{
    if (cipher == NULL || info == NULL)
        return RUNNEL_ERR_NULL;
    for (const runnel_kernel *const RUNNEL_IN_FLASH *k = cipher->kernels; *k != NULL; k++)
        if (runnel_cipher_has(cipher, *k) && index-- == 0) {
            *info = (runnel_kernel_info){(*k)->name,
                                         (*k)->citation,
                                         (*k)->cpu,
                                         (*k)->timing,
                                         (uint8_t)runnel_kernel_available(*k),
                                         runnel_choose_kernel(cipher, cipher->key_bytes.first, NULL) == *k,
                                         RUNNEL_LANES_OF(*k)};
            return RUNNEL_OK;
        }
    return RUNNEL_ERR_KERNEL;
}
