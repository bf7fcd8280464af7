/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Runnel's ciphers in libsrtp 2.x: AES-ICM with keys of 128, 192 and 256 bits, HMAC-SHA1, AES-GCM of 128 and 256. */
#ifndef RUNNEL_LIBSRTP_H
#define RUNNEL_LIBSRTP_H

#ifdef __cplusplus
extern "C" {
#endif

/* Puts Runnel's types in place of libsrtp's, after srtp_init, which sets the latter, and before the first session: contexts
 * that exist keep their own. libsrtp runs the published vectors of both through them first. Returns how many of the six
 * were taken; what was not stays libsrtp's own. Not thread-safe, as srtp_init is not. */
__attribute__((visibility("default"))) int runnel_srtp_install(void);

#ifdef __cplusplus
}
#endif
#endif
