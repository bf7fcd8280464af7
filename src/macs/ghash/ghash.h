/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* GHASH (NIST SP 800-38D 6.4): key of 16 bytes, the hash subkey; result of 16 bytes. It is the universal hash of GCM
 * and GMAC and no MAC by itself: its result is to be encrypted before anyone sees it. The input is whole blocks, in
 * GCM what is padded and ends with the lengths; a last block that is not whole is filled up with zeros. */
#ifndef RUNNEL_GHASH_H
#define RUNNEL_GHASH_H

#include <runnel/aead.h>
#include <runnel/mac.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct runnel_ghash {
    runnel_mac mac;
    uint8_t waiting[16];
    runnel_ghash_state state;
} runnel_ghash;

RUNNEL_DECLARE_MAC_VERBS(ghash)

#ifdef __cplusplus
}
#endif
#endif
