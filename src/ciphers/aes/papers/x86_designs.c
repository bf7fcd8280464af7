/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Table kernels that those of Jung and Park are compared with, each by other techniques: see x86_designs_blocks.S. */
#include "x86_designs.h"

#include "arch/common/aes_s_box.h"

#if RUNNEL_X86_64_ASSEMBLY

#define ROW0(s) UINT32_C(0x##s),
#define ROW1(s) UINT32_C(0x##s) << 8,
#define ROW2(s) UINT32_C(0x##s) << 16,
#define ROW3(s) UINT32_C(0x##s) << 24,

const RUNNEL_LINE_ALIGNED aes_ttable runnel_aes_last_columns = {
    {RUNNEL_AES_S_BOX(ROW0)}, {RUNNEL_AES_S_BOX(ROW1)}, {RUNNEL_AES_S_BOX(ROW2)}, {RUNNEL_AES_S_BOX(ROW3)}};

KERNEL(x86_shift_mask, "x86-shift-mask", "shifts and masks, 2 KiB: Bernstein, Schwabe, Indocrypt 2008")
KERNEL(x86_scaled_index, "x86-scaled-index", "scaled-index loads, 2 KiB: Bernstein, Schwabe, Indocrypt 2008")
KERNEL(x86_byte_loads, "x86-byte-loads", "byte extraction by loads, 2 KiB: Bernstein, Schwabe, Indocrypt 2008")
KERNEL(x86_second_byte, "x86-second-byte", "second-byte instructions, 2 KiB: Bernstein, Schwabe, Indocrypt 2008")
KERNEL(x86_in_place, "x86-in-place", "second-byte instructions, no moves, 2 KiB: Bernstein, Schwabe, Indocrypt 2008")
KERNEL(x86_4k, "x86-4k", "second-byte instructions, 4 KiB: Bernstein, Schwabe, Indocrypt 2008")
KERNEL(x86_4k_4k, "x86-4k-4k", "4 KiB, and 4 KiB for the last round: Matsui, FSE 2006, as Jung and Park describe it")

#endif
