/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Key set-up of HIGHT for 8-bit AVR: the key in r0..r15, both halves of which are rotated by a byte for every sixteen
 * subkeys. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR

#define SUBKEY r16
#define DELTA r17 /* seven bits, the newest on top */
#define OLDER r18
#define TURNS r19

code runnel_hight_avr_key

.Lstore_subkey:
    add SUBKEY, DELTA
    st Y+, SUBKEY
    mov OLDER, DELTA
    lsr OLDER
    lsr OLDER
    lsr OLDER
    eor OLDER, DELTA
    lsr DELTA
    bst OLDER, 0
    bld DELTA, 6
    ret

/* void key(r25:r24 state, r23:r22 key, r21:r20 key_bytes) */
entry runnel_hight_avr_key
    push_all
    movw r28, r24
    movw r26, r22
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    ld \n, X+
    .endr
    .irp n, 12, 13, 14, 15, 0, 1, 2, 3
    st Y+, \n
    .endr
    ldi DELTA, 0x5a
    ldi TURNS, 8
.Lsixteen_subkeys:
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    mov SUBKEY, \n
    rcall .Lstore_subkey
    .endr
    mov OLDER, r7
    .irp n, 7, 6, 5, 4, 3, 2, 1
    mov \n, \n-1
    .endr
    mov r0, OLDER
    mov OLDER, r15
    .irp n, 15, 14, 13, 12, 11, 10, 9
    mov \n, \n-1
    .endr
    mov r8, OLDER
    dec TURNS
    breq .Lkey_done
    rjmp .Lsixteen_subkeys
.Lkey_done:
    pop_all_return
endfunc

#endif
