/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Everything: the ciphers by name, and each cipher of this build by its own header. */
#ifndef RUNNEL_RUNNEL_H
#define RUNNEL_RUNNEL_H

#include <runnel/cipher.h>
#include <runnel/cpu.h>
#include <runnel/ranges.h>
#include <runnel/srtp.h>
#include <runnel/stream.h>

/*CIPHER-HEADERS*/

#endif
