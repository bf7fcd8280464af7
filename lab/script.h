/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the measured programs for MACs and packets share: numbers of the script, status bytes, calls between two marks, and
 * a context with something behind it that no call may change. bench.c, which also runs where there is an operating system and
 * paints stacks, has its own. */
#ifndef LAB_SCRIPT_H
#define LAB_SCRIPT_H

#include "channel.h"
#include "mark.h"

/* Carries out a statement between the marks. */
#define MEASURE(statement)                                                                                             \
    do {                                                                                                               \
        LAB_BEGIN();                                                                                                   \
        statement;                                                                                                     \
        LAB_END();                                                                                                     \
    } while (0)

#define CANARY 0xa5

/* Defines subject.context, what plants the canary, and what gives status 127 instead of a call's if it is gone. */
#define SUBJECT(type)                                                                                                  \
    static struct {                                                                                                    \
        type context;                                                                                                  \
        uint8_t canary[16];                                                                                            \
    } subject;                                                                                                         \
    static void plant(void)                                                                                            \
    {                                                                                                                  \
        for (unsigned i = 0; i < sizeof subject.canary; i++)                                                           \
            subject.canary[i] = CANARY;                                                                                \
    }                                                                                                                  \
    static int checked(int status)                                                                                     \
    {                                                                                                                  \
        for (unsigned i = 0; i < sizeof subject.canary; i++)                                                           \
            if (subject.canary[i] != CANARY)                                                                           \
                return 127;                                                                                            \
        return status;                                                                                                 \
    }                                                                                                                  \
    _Static_assert(sizeof subject.canary > 0, "a semicolon follows")

static unsigned read_number(void)
{
    uint8_t bytes[2];
    lab_read(bytes, 2);
    return bytes[0] | (unsigned)bytes[1] << 8;
}

static int answer(int status)
{
    uint8_t byte = (uint8_t)status;
    lab_write(&byte, 1);
    return status;
}

#endif
