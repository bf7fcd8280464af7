/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Knobs of the library for boards with little memory. */
#ifndef RUNNEL_CONFIG_FILE_H
#define RUNNEL_CONFIG_FILE_H

#if defined(__AVR__)
#define RUNNEL_AES_KERNEL avr_small
#define RUNNEL_AES_KEY_BITS 128
#endif

#endif
