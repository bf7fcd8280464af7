/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* As much of a C library as the library asks for: WebAssembly has none, and copies and fills memory by instructions. */
#ifndef RUNNEL_MODULE_STRING_H
#define RUNNEL_MODULE_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
size_t strlen(const char *s);
int strcmp(const char *a, const char *b);
size_t strcspn(const char *s, const char *stop);

#endif
