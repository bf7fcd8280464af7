/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For the copies of the library's files that runnel-aeads has: whether a tag is right is public, and a tag that is sent. */
#ifndef RUNNEL_TESTS_MADE_PUBLIC_H
#define RUNNEL_TESTS_MADE_PUBLIC_H

#include "secrets.h"

#define RUNNEL_MADE_PUBLIC(value) make_public(&(value), sizeof(value))

#endif
