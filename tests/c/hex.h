/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef RUNNEL_TESTS_HEX_H
#define RUNNEL_TESTS_HEX_H

/* The value of a hexadecimal digit; -1: it is none. */
static inline int hex_digit(int c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

#endif
