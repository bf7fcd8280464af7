/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The functions that OpenSSL calls on a context, by kind of cipher. What each has to do is in OpenSSL's manual page
 * provider-cipher(7); they return 1, or 0 with an error in the program's queue. */
#ifndef RUNNEL_OPENSSL_KINDS_H
#define RUNNEL_OPENSSL_KINDS_H

#include "provider.h"

/* Keystreams: stream.c. */
void *stream_new(const provider_context *p, const algorithm *a);
OSSL_FUNC_cipher_freectx_fn stream_free;
OSSL_FUNC_cipher_dupctx_fn stream_duplicate;
OSSL_FUNC_cipher_encrypt_init_fn stream_init; /* both directions do the same */
OSSL_FUNC_cipher_update_fn stream_update;
OSSL_FUNC_cipher_final_fn stream_final;
OSSL_FUNC_cipher_get_ctx_params_fn stream_get_params;
OSSL_FUNC_cipher_set_ctx_params_fn stream_set_params;
OSSL_FUNC_cipher_gettable_ctx_params_fn stream_gettable;
OSSL_FUNC_cipher_settable_ctx_params_fn stream_settable;

/* AEADs: aead.c; ccm.c and siv.c where a text comes in one call. */
void *aead_new(const provider_context *p, const algorithm *a);
OSSL_FUNC_cipher_freectx_fn aead_free;
OSSL_FUNC_cipher_dupctx_fn aead_duplicate;
OSSL_FUNC_cipher_encrypt_init_fn aead_encrypt_init;
OSSL_FUNC_cipher_decrypt_init_fn aead_decrypt_init;
OSSL_FUNC_cipher_update_fn aead_update, ccm_update, siv_update;
OSSL_FUNC_cipher_final_fn aead_final, ccm_final, siv_final;
OSSL_FUNC_cipher_cipher_fn aead_cipher, ccm_cipher, siv_cipher; /* update, or final where there is no input */
OSSL_FUNC_cipher_get_ctx_params_fn aead_get_params;
OSSL_FUNC_cipher_set_ctx_params_fn aead_set_params;
OSSL_FUNC_cipher_gettable_ctx_params_fn aead_gettable;
OSSL_FUNC_cipher_settable_ctx_params_fn aead_settable;

#endif
