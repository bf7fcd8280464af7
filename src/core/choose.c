/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Properties of kernels, and the choice among a cipher's. */
#include "choose.h"

const runnel_kernel *runnel_choose_kernel(const runnel_cipher *cipher, size_t key_bytes, const char *name)
{
    return runnel_find_kernel(cipher, key_bytes, name);
}

void runnel_describe_kernel(const runnel_kernel_head *kernel, int chosen, unsigned lanes, runnel_kernel_info *info)
{
    *info = (runnel_kernel_info){
        .name = kernel->name,
        .citation = kernel->citation,
        .cpu = kernel->cpu,
        .timing = kernel->timing,
        .available = (uint8_t)runnel_kernel_available(kernel),
        .chosen = (uint8_t)chosen,
        .lanes = (uint8_t)lanes,
    };
}

int runnel_list_kernel(const runnel_kernel_head *const RUNNEL_IN_FLASH *kernels, size_t index, runnel_kernel_info *info)
{
    const runnel_kernel_head *chosen = runnel_first_kernel(kernels, NULL, runnel_takes_one, NULL);
    for (; *kernels != NULL; kernels++, index--)
        if (index == 0) {
            runnel_describe_kernel(*kernels, *kernels == chosen, runnel_lanes_of(*kernels), info);
            return RUNNEL_OK;
        }
    return RUNNEL_ERR_KERNEL;
}

int runnel_cipher_kernel(const runnel_cipher *cipher, size_t index, runnel_kernel_info *info)
{
    if (cipher == NULL || info == NULL)
        return RUNNEL_ERR_NULL;
    for (const runnel_kernel_head *const RUNNEL_IN_FLASH *at = cipher->kernels; *at != NULL; at++) {
        const runnel_kernel *k = runnel_kernel_of(*at);
        if (runnel_cipher_has(cipher, k) && index-- == 0) {
            unsigned lanes = 1;
#if RUNNEL_HOSTED
            if (runnel_batch_of(k) != NULL)
                lanes = runnel_lanes_of(RUNNEL_HEAD_OF(k->batch));
#endif
            runnel_describe_kernel(*at, runnel_choose_kernel(cipher, cipher->key_bytes.first, NULL) == k, lanes, info);
            return RUNNEL_OK;
        }
    }
    return RUNNEL_ERR_KERNEL;
}
