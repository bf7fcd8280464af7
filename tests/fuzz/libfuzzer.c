/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One target for libFuzzer; -DFUZZ_ONE=fuzz_streams names it. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    choices c = {data, bytes};
    doing = FUZZ_ONE.name;
    FUZZ_ONE.run(&c);
    return 0;
}
