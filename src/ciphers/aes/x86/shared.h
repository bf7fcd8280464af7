/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shared by the files of the x86 kernels: key set-up, and the functions for GCM and GCM-SIV. */
#ifndef RUNNEL_AES_X86_SHARED_H
#define RUNNEL_AES_X86_SHARED_H

#include "ciphers/aes/kernels.h"

/* Key set-up: round keys in keys.bytes. */
void runnel_aes_x86_key(void *state, const uint8_t *key, size_t key_bytes);
void runnel_aes_x86_key_and_zero(void *state, const uint8_t *key, size_t key_bytes, uint8_t *zero);

extern const struct runnel_gcm_functions runnel_aes_gcm_vaes512, runnel_aes_gcm_vaes, runnel_aes_gcm_aesni_avx2,
    runnel_aes_gcm_aesni;
extern const struct runnel_gcm_siv_functions runnel_aes_gcm_siv_vaes512, runnel_aes_gcm_siv_vaes,
    runnel_aes_gcm_siv_aesni;

#endif
