/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The heads of MACs' contexts. */
#ifndef RUNNEL_DETAIL_MAC_H
#define RUNNEL_DETAIL_MAC_H

#include <stdint.h>

/* The head of every context; right behind it are the last bytes of the message, which do not fill a block yet. */
typedef struct runnel_mac_context {
    uint8_t keyed;  /* 1: a key is set */
    uint8_t filled; /* bytes that wait */
} runnel_mac_context;

#endif
