/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEX as the sensor-node paper has it: S-box and tables of twice and three times a byte, all in RAM. */
#include "historic/lex/kernels.h"

#if RUNNEL_AVR

#include "arch/avr/aes_xtime.h"
#define lex_sub_word aes_xtime_sub_word
#define lex_full_round aes_xtime_full_round
#define lex_final_round aes_xtime_final_round

#include "historic/lex/steps.h"

const runnel_kernel runnel_lex_avr_c_xtime = {
    .name = RUNNEL_TEXT("avr-c-xtime"),
    .citation = RUNNEL_TEXT("Yun, Na, Lee, Park 2008, 3.1: S-box and tables of x2 and x3 in RAM"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = lex_set_key,
    .stream = {.iv = lex_set_iv, .xor_blocks = lex_xor_blocks},
};

#endif
