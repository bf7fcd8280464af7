/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For the copy of core/aead.c that runnel-aeads has: whether a tag is right is public. */
#ifndef RUNNEL_TESTS_MADE_PUBLIC_H
#define RUNNEL_TESTS_MADE_PUBLIC_H

#include "secrets.h"

#define RUNNEL_MADE_PUBLIC(value) make_public(&(value), sizeof(value))

#endif
