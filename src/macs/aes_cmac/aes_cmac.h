/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-CMAC (NIST SP 800-38B, RFC 4493): key of 16, 24 or 32 bytes, tag of 4 to 16 bytes. Read SP 800-38B, appendix A,
 * before taking less than 8. The key is good for 2^48 messages; firmware names its AES kernel and its longest key as
 * <runnel/aes.h> says. */
#ifndef RUNNEL_AES_CMAC_H
#define RUNNEL_AES_CMAC_H

#include <runnel/mac.h>

#include "aes.h" /* lies beside this file where it is installed, and in a folder of its own in the source tree */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct runnel_aes_cmac {
    runnel_mac mac;
    uint8_t waiting[16];
    uint8_t chain[16];  /* the last block's encryption */
    uint8_t subkey[16]; /* for a whole last block; for another, its double */
    runnel_aes_blocks aes;
} runnel_aes_cmac;

RUNNEL_DECLARE_MAC_VERBS(aes_cmac)

#ifdef __cplusplus
}
#endif
#endif
