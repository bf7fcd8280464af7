/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "random.h"

enum { LONGEST = 16384, TAG = 16 };

static int say(char *text, size_t text_bytes, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, text_bytes, format, arguments);
    va_end(arguments);
    return 0;
}

/* Tells whether n bytes agree; otherwise says where they do not. */
static int same(const uint8_t *a, const uint8_t *b, size_t n, const char *what, char *text, size_t text_bytes)
{
    if (memcmp(a, b, n) == 0)
        return 1;
    size_t i = 0;
    while (a[i] == b[i])
        i++;
    return say(text, text_bytes, "%s of %zu bytes differs from byte %zu on", what, n, i);
}

int check_agree(const bench_shape *shape, const bench_subject *ours, const bench_subject *other, char *text,
                size_t text_bytes)
{
    static const size_t messages[] = {1, 15, 16, 17, 64, 100, 128, 1000, 1024, 4096 + 48, LONGEST};
    static const size_t pieces[] = {64, 16, 1024, 64, 1500, 4096, 3, 6400, 256};
    static uint8_t in[LONGEST], ours_out[SUBJECT_FRONT + LONGEST + TAG], other_out[SUBJECT_FRONT + LONGEST + TAG];
    uint8_t *const a = ours_out + SUBJECT_FRONT, *const b = other_out + SUBJECT_FRONT;
    uint8_t key[256], iv[256];

    for (int round = 0; round < 3; round++) {
        random_bytes(key, shape->key_bytes);
        if (ours->verbs->key(ours->context, key) || other->verbs->key(other->context, key))
            return say(text, text_bytes, "setting a key fails");
        for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++) {
            random_bytes(iv, shape->iv_bytes);
            random_bytes(in, messages[i]);
            if (ours->verbs->message(ours->context, iv, a, in, messages[i]) ||
                other->verbs->message(other->context, iv, b, in, messages[i]))
                return say(text, text_bytes, "a message of %zu bytes fails", messages[i]);
            if (!same(a, b, messages[i] + shape->tag_bytes, "a message", text, text_bytes))
                return 0;
        }
        random_bytes(key, shape->key_bytes);
        if (subject_key_message(ours->verbs, ours->context, key, iv, a, in, 64) ||
            subject_key_message(other->verbs, other->context, key, iv, b, in, 64))
            return say(text, text_bytes, "a message under a new key fails");
        if (!same(a, b, 64 + shape->tag_bytes, "a message under a new key", text, text_bytes))
            return 0;
        if (ours->verbs->update == NULL || other->verbs->update == NULL)
            continue;
        random_bytes(iv, shape->iv_bytes);
        if (ours->verbs->key(ours->context, key) || other->verbs->key(other->context, key) ||
            ours->verbs->iv(ours->context, iv) || other->verbs->iv(other->context, iv))
            return say(text, text_bytes, "setting key and IV fails");
        size_t at = 0;
        for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
            if (!subject_can_continue(ours->verbs, pieces[i]) || !subject_can_continue(other->verbs, pieces[i]))
                continue;
            if (ours->verbs->update(ours->context, a + at, in + at, pieces[i]) ||
                other->verbs->update(other->context, b + at, in + at, pieces[i]))
                return say(text, text_bytes, "%zu bytes of a stream that continues fail", pieces[i]);
            at += pieces[i];
        }
        if (!same(a, b, at, "a stream that continues", text, text_bytes))
            return 0;
        if (ours->verbs->iv(ours->context, iv) || other->verbs->iv(other->context, iv)) /* gives an AEAD's message up */
            return say(text, text_bytes, "setting an IV again fails");
    }
    return 1;
}
