/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the assembly kernels of HIGHT for 8-bit AVR share: the block in r0..r7, byte n in r<n>, Y the schedule. */

#define KEY 21
#define SUBKEYS 8 /* in the schedule, behind the whitening */

.macro whiten_input
    ldd KEY, Y+0
    add 0, KEY
    ldd KEY, Y+1
    eor 2, KEY
    ldd KEY, Y+2
    add 4, KEY
    ldd KEY, Y+3
    eor 6, KEY
.endm

.macro whiten_output
    ldd KEY, Y+4
    add 1, KEY
    ldd KEY, Y+5
    eor 3, KEY
    ldd KEY, Y+6
    add 5, KEY
    ldd KEY, Y+7
    eor 7, KEY
.endm

/* The block after the rounds, to Z: the last one moves nothing, which leaves the bytes one place on. */
.macro output
    .irp n, 1, 2, 3, 4, 5, 6, 7, 0
    st Z+, \n
    .endr
.endm

.macro xor_output
    .irp n, 1, 2, 3, 4, 5, 6, 7, 0
    ld KEY, X+
    eor \n, KEY
    st Z+, \n
    .endr
.endm
