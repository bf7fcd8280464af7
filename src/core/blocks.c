/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Raw blocks: the block cipher itself, for modes of the caller's own. */
#include "driver.h"

/* A runnel_kernel_suits: takes the key and can decrypt. */
static int blocks_decrypts(const runnel_kernel_head *kernel, const void *key_bytes)
{
    return runnel_kernel_of(kernel)->block.decrypt_blocks != NULL && runnel_takes_key(kernel, key_bytes);
}

/* The kernel that counter mode would take, or if that one cannot decrypt the first that can. */
static const runnel_kernel *blocks_choose(const runnel_cipher *cipher, size_t key_bytes, const char *name)
{
    const runnel_kernel *best = runnel_choose_kernel(cipher, key_bytes, name);
    if (name != NULL || best == NULL || best->block.decrypt_blocks != NULL)
        return best;
    const runnel_kernel_head *able = runnel_first_kernel(cipher->kernels, NULL, blocks_decrypts, &key_bytes);
    return able != NULL ? runnel_kernel_of(able) : best;
}

int runnel_blocks_key(runnel_cipher_list ciphers, runnel_blocks *b, void *encrypt_state, void *decrypt_state,
                      const uint8_t *key, size_t key_bytes, const char *kernel_name)
{
    if (b == NULL || (key == NULL && key_bytes > 0))
        return RUNNEL_ERR_NULL;
    for (; *ciphers != NULL; ciphers++)
        if (runnel_has_length(&(*ciphers)->key_bytes, key_bytes)) {
            const runnel_kernel *kernel = blocks_choose(*ciphers, key_bytes, kernel_name);
            if (kernel == NULL)
                return RUNNEL_ERR_KERNEL;
            b->kernel = kernel;
            kernel->key(encrypt_state, key, key_bytes);
            if (RUNNEL_DECRYPT && kernel->block.decrypt_key != NULL)
                kernel->block.decrypt_key(decrypt_state, key, key_bytes);
            return RUNNEL_OK;
        }
    return RUNNEL_ERR_KEY_LENGTH;
}

#if RUNNEL_HOSTED
int runnel_blocks_key_and_zero(runnel_cipher_list ciphers, runnel_blocks *b, void *encrypt_state, const uint8_t *key,
                               size_t key_bytes, const char *kernel_name, uint8_t *zero)
{
    while (*ciphers != NULL && !runnel_has_length(&(*ciphers)->key_bytes, key_bytes))
        ciphers++;
    if (*ciphers == NULL)
        return RUNNEL_ERR_KEY_LENGTH;
    const runnel_kernel *kernel = runnel_choose_kernel(*ciphers, key_bytes, kernel_name);
    if (kernel == NULL)
        return RUNNEL_ERR_KERNEL;
    b->kernel = kernel;
    runnel_key_and_zero(kernel, encrypt_state, key, key_bytes, zero);
    return RUNNEL_OK;
}
#endif

static int blocks_check(const runnel_blocks *b, const uint8_t *out, const uint8_t *in, size_t nblocks,
                        size_t block_bytes)
{
    if (b == NULL)
        return RUNNEL_ERR_NULL;
    if (b->kernel == NULL)
        return RUNNEL_ERR_STATE;
    if (nblocks == 0)
        return RUNNEL_OK;
    if (out == NULL || in == NULL)
        return RUNNEL_ERR_NULL;
    return nblocks > SIZE_MAX / block_bytes || runnel_partial_overlap(out, in, nblocks * block_bytes)
               ? RUNNEL_ERR_OVERLAP
               : RUNNEL_OK;
}

int runnel_blocks_encrypt(const runnel_blocks *b, const void *state, uint8_t *out, const uint8_t *in, size_t nblocks,
                          size_t block_bytes)
{
    int error = blocks_check(b, out, in, nblocks, block_bytes);
    if (!error && nblocks > 0)
        b->kernel->block.encrypt_blocks(state, out, in, nblocks);
    return error;
}

int runnel_blocks_decrypt(const runnel_blocks *b, const void *state, uint8_t *out, const uint8_t *in, size_t nblocks,
                          size_t block_bytes)
{
    int error = blocks_check(b, out, in, nblocks, block_bytes);
    if (!error && (!RUNNEL_DECRYPT || b->kernel->block.decrypt_blocks == NULL))
        error = RUNNEL_ERR_KERNEL;
    if (!error && nblocks > 0)
        b->kernel->block.decrypt_blocks(state, out, in, nblocks);
    return error;
}

void runnel_blocks_wipe(runnel_blocks *b, size_t context_bytes)
{
    if (b == NULL)
        return;
    runnel_wipe(b, context_bytes);
    runnel_wipe_stack(RUNNEL_STACK_BYTES);
}
