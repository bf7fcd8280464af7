/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* OpenSSL's table code as openssl_tables.py builds it: aes_core.c under names of its own, aes-x86_64 under OpenSSL's, and
 * single blocks by the latter's full tables. */
#ifndef LAB_OPENSSL_TABLES_H
#define LAB_OPENSSL_TABLES_H

#include <stdint.h>

typedef int openssl_set_key(const uint8_t *key, int bits, void *schedule);
typedef void openssl_block(const uint8_t *in, uint8_t *out, const void *schedule);

extern openssl_set_key AES_set_encrypt_key, AES_set_decrypt_key;
extern openssl_block AES_encrypt, AES_decrypt, lab_openssl_full_encrypt, lab_openssl_full_decrypt;
extern openssl_set_key lab_openssl_c_set_encrypt_key, lab_openssl_c_set_decrypt_key;
extern openssl_block lab_openssl_c_encrypt, lab_openssl_c_decrypt;

enum { OPENSSL_SCHEDULE_BYTES = 512 }; /* more than an AES_KEY */

#endif
