/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Messages of an AEAD in small pieces. A kernel makes many blocks at a time and a MAC absorbs many; a small piece would pay
 * for a call of both. From the second piece on keystream is made ahead into the context, the ciphertext of a piece takes
 * the place of the keystream that made it, and the MAC absorbs what has gathered when all is used. */
#ifndef RUNNEL_CORE_AHEAD_H
#define RUNNEL_CORE_AHEAD_H

#include "aead.h"

#if RUNNEL_HOSTED
/* After key set-up: nothing is there, neither of a message nor of what lay in the context's memory. */
void runnel_ahead_clear(runnel_aead_context *c);
/* As the mode's crypt, of pieces of any length; moves text_bytes. */
void runnel_ahead_crypt(runnel_aead_context *c, uint8_t *out, const uint8_t *in, size_t bytes, int decrypt);
/* Before the mode's tag: the MAC absorbs the ciphertext, and the keystream behind it is forgotten. */
void runnel_ahead_finish(runnel_aead_context *c);
/* Before the mode's start: forgets what an unfinished message has left. */
void runnel_ahead_drop(runnel_aead_context *c);
#endif

#endif
