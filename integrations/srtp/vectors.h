/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A published vector for each type. */
#ifndef RUNNEL_SRTP_VECTORS_H
#define RUNNEL_SRTP_VECTORS_H

#include "types.h"

extern const srtp_cipher_test_case_t runnel_icm_128_vector, runnel_icm_192_vector, runnel_icm_256_vector,
    runnel_gcm_128_vector, runnel_gcm_256_vector;
extern const srtp_auth_test_case_t runnel_hmac_sha1_vector;

#endif
