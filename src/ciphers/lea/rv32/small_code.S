/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA on RV32I in few bytes of code: a round of one block in a loop. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32

#include "job.h"

#define KEYS a0
#define KEYS_END a1
#define PLACE a2
#define OUT a3
#define IN a4
#define BLOCKS a5
#define KEY a6
#define X0 a7
#define X1 t0
#define X2 t1
#define X3 t2
#define T t3
#define U t4
#define NEXT t5 /* x2 */
#define END t6

#define COUNTER 0 /* stack: the counter block, its encryption */
#define RESULT 16
#define FRAME 32

#if LEA_RV32_EACH == 4 /* where the words are of which three are one */
#define AT_1 4
#define AT_3 4
#define AT_4 12
#define AT_5 4
#else
#define AT_1 4
#define AT_3 12
#define AT_4 16
#define AT_5 20
#endif

/* to = ((x ^ key) + (y ^ key)) rotated to the right */
.macro mix to, x, at_x, y, at_y, bits
    lw      T, \at_x(KEY)
    lw      U, \at_y(KEY)
    xor     T, T, \x
    xor     U, U, \y
    add     T, T, U
    rotate_right \to, T, \bits, U
.endm

/* void runnel_lea_rv32_small_ctr(const uint32_t *keys, const uint32_t *end, const uint8_t *block, uint8_t *out,
 *                                const uint8_t *in, size_t nblocks) */
function runnel_lea_rv32_small_ctr
    addi    sp, sp, -FRAME
    mv      U, sp
    addi    END, sp, COUNTER+16
.Lcopy:
    lbu     T, 0(PLACE)
    addi    PLACE, PLACE, 1
    sb      T, 0(U)
    addi    U, U, 1
    bne     U, END, .Lcopy

.Lblock:
    mv      KEY, KEYS
    lw      X0, COUNTER(sp)
    lw      X1, COUNTER+4(sp)
    lw      X2, COUNTER+8(sp)
    lw      X3, COUNTER+12(sp)
.Lround:
    mix     NEXT, X2, AT_4, X3, AT_5, 3
    mv      X3, X0
    mix     X0, X0, 0, X1, AT_1, 23
    mix     X1, X1, 8, X2, AT_3, 5
    mv      X2, NEXT
    addi    KEY, KEY, 4*LEA_RV32_EACH
    bne     KEY, KEYS_END, .Lround
    sw      X0, RESULT(sp)
    sw      X1, RESULT+4(sp)
    sw      X2, RESULT+8(sp)
    sw      X3, RESULT+12(sp)

    addi    PLACE, sp, RESULT
    addi    END, sp, RESULT+16
.Lbyte:
    lbu     T, 0(PLACE)
    sb      zero, 0(PLACE)
    addi    PLACE, PLACE, 1
    beqz    IN, .Lkeystream
    lbu     U, 0(IN)
    addi    IN, IN, 1
    xor     T, T, U
.Lkeystream:
    sb      T, 0(OUT)
    addi    OUT, OUT, 1
    bne     PLACE, END, .Lbyte

    addi    BLOCKS, BLOCKS, -1
    beqz    BLOCKS, .Lend  /* a raw block is not counted: where its carry ends would be seen */
    addi    PLACE, sp, COUNTER+16
.Lcount:
    addi    PLACE, PLACE, -1
    lbu     T, 0(PLACE)
    addi    T, T, 1
    sb      T, 0(PLACE)
    andi    T, T, 0xff
    beqz    T, .Lcount  /* never further than four bytes */
    j       .Lblock

.Lend:
    .irp    at, 0, 4, 8, 12 /* as a block it may be a secret */
    sw      zero, COUNTER+\at(sp)
    .endr
    addi    sp, sp, FRAME
    ret
endfunc

#endif
