/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "types.h"

#include "runnel_libsrtp.h"

int runnel_srtp_install(void)
{
    static const srtp_cipher_type_t *const ciphers[] = {&runnel_icm_128, &runnel_icm_192, &runnel_icm_256,
                                                        &runnel_gcm_128, &runnel_gcm_256};
    int taken = 0;
    for (size_t i = 0; i < sizeof ciphers / sizeof ciphers[0]; i++)
        taken += srtp_replace_cipher_type(ciphers[i], ciphers[i]->id) == srtp_err_status_ok;
    return taken + (srtp_replace_auth_type(&runnel_hmac_sha1, runnel_hmac_sha1.id) == srtp_err_status_ok);
}
