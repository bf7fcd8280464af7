/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Counter mode: one call, from any block of any message, after no bytes or all but one that are left over. It ends in a
 * state that a message may be in. */
#include "ciphers.h"

enum { MOST_BYTES = IN_SHORT ? 2 : 17 };

static void one_call(const runnel_cipher *cipher, const runnel_kernel *kernel, int layout, size_t leftover,
                     size_t bytes, int way)
{
    ctr_context c;
    runnel_stream *const s = &c.head.stream;
    any_message(s, cipher, kernel, layout, leftover);
    const int error = runnel_stream_xor(s, OUT(bytes), IN(way, bytes), bytes);
    /*@ assert error == RUNNEL_OK || error == RUNNEL_ERR_LIMIT || error == RUNNEL_ERR_OVERLAP; */
    (void)error;
    check_message_state(s);
    FORGET_OUTPUT();
}

/* In every way; or only apart, which is all the same where keystream is made. */
static void all_calls(const runnel_cipher *cipher, int layout, size_t leftover, size_t least, size_t most, int ways)
{
    const runnel_kernel_head *const *const kernels = cipher->kernels;
    for (int k = 0; k < 3; k++)
        for (size_t bytes = least; bytes <= most; bytes++)
            for (int way = 0; way < ways; way++)
                one_call(cipher, runnel_kernel_of(kernels[k]), layout, leftover, bytes, way);
}

int main(void)
{
    ANY_BYTES(in_buffer);
    FORGET_OUTPUT();
    for (int layout = 1; layout < (IN_SHORT ? 1 : RUNNEL_LAYOUTS); layout++) {
        if (ctr_16.layouts >> layout & 1)
            all_calls(&ctr_16, layout, 0, 32, 33, 1);
        if (ctr_8.layouts >> layout & 1)
            all_calls(&ctr_8, layout, 0, 16, 17, 1);
    }
    for (size_t leftover = 0; leftover < 16; leftover += 15)
        all_calls(&ctr_16, RUNNEL_LAYOUT_DEFAULT, leftover, 0, MOST_BYTES, WAYS);
    for (size_t leftover = 0; leftover < 8; leftover += 7)
        all_calls(&ctr_8, RUNNEL_LAYOUT_DEFAULT, leftover, 0, MOST_BYTES / 2, 1);
    if (!IN_SHORT) /* more than a buffer of counter blocks */
        one_call(&ctr_16, &plain_16, RUNNEL_LAYOUT_DEFAULT, 0, 32 * 16 + 17, APART);
    Frama_C_show_each_all_done();
    return 0;
}
