/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Trivium for 8-bit AVR: eight steps at once, so that a tap is a byte, made of two neighbours by a shift. New bytes go
 * to rings of eight in memory and come back when they are eight bytes old (66 is the first tap). From there on
 * registers hold what is still needed, mostly no longer bytes but windows that are ready:
 *   A: window 69, which three bytes later is window 93; windows 92 and 91 are one and two bits further;
 *   B: window 69, which two bytes later is one bit before 84; windows 83, 82 and 78 lie around it;
 *   C: window 87, made at that age, which three bytes later is window 111; then windows 110 and 109.
 * Where a new window begins, a multiplication shifts: its low byte belongs to this window, its high byte to the next.
 *
 * Included by the kernels' assembly. The registers' roles move on by one from step to step. Nothing secret decides on a
 * branch or an address. */

/* Registers are numbers. In step i:
 *   A(i) to A(i+2)  window 69 of three, two and one steps ago     A(i+3)  what the byte before gives to the next one
 *   B(i+1), B(i+2)  window 69 of two and one steps ago            B(i+3)  the same
 *   C(i) to C(i+2)  window 87 of three, two and one steps ago     C(i+3) to C(i+5)  bytes of 11, 10 and 9 steps ago
 *   A66(i), C66(i)  what the byte before gives to window 66 */
#define A(n) (2 + ((n) & 3))
#define B(n) (6 + ((n) & 3))
#define C(n) (10 + (n) % 6)
#define A66(n) (16 + ((n) & 1))
#define C66(n) (18 + ((n) & 1))
#define KEYSTREAM 20
#define BYTE 21
#define FOUR 22
#define THIRTY_TWO 23
#define COUNT 24 /* and 25 */

/* The state at Y. */
#define RING_A 0
#define RING_B 8
#define RING_C 16
#define REGISTERS 24

.macro step i
    /* What B takes in. */
    ldd BYTE, Y+RING_A+\i
    mul BYTE, FOUR
    eor A66(\i), 0       /* window 66 */
    mov A66(\i+1), 1
    eor A66(\i), A(\i)   /* 93 */
    mov KEYSTREAM, A66(\i)
    mov 0, A(\i+1)
    lsr 0
    ror A(\i)            /* 92 */
    mov 1, A(\i)
    lsr 0
    ror A(\i)            /* 91 */
    and 1, A(\i)
    eor A66(\i), 1
    mul BYTE, THIRTY_TWO
    eor A(\i+3), 0       /* 69 */
    mov A(\i), 1
    ldd BYTE, Y+RING_B+\i
    mov 0, B(\i+1)
    lsl 0
    mov 1, B(\i+2)
    rol 1                /* 78 */
    eor A66(\i), 1
    std Y+RING_B+\i, A66(\i)
    /* What C takes in, summed up in A66(i). */
    mov 0, B(\i+2)
    lsr 0
    ror B(\i+1)          /* 84 */
    eor KEYSTREAM, B(\i+1)
    mov A66(\i), B(\i+1)
    lsr 0
    ror B(\i+1)          /* 83 */
    mov 1, B(\i+1)
    lsr 0
    ror B(\i+1)          /* 82 */
    and 1, B(\i+1)
    eor A66(\i), 1
    mul BYTE, THIRTY_TWO
    eor B(\i+3), 0       /* 69 */
    mov B(\i), 1
    eor KEYSTREAM, B(\i+3)
    eor A66(\i), B(\i+3)
    mov 0, C(\i+4)
    lsr 0
    ror C(\i+3)          /* 87 */
    eor A66(\i), C(\i+3)
    /* What A takes in. */
    eor C66(\i), C(\i)   /* 111 */
    eor KEYSTREAM, C66(\i)
    mov 0, C(\i+1)
    lsr 0
    ror C(\i)            /* 110 */
    mov 1, C(\i)
    lsr 0
    ror C(\i)            /* 109 */
    and 1, C(\i)
    eor C66(\i), 1
    eor C66(\i), A(\i+3)
    ldd C(\i), Y+RING_C+\i
    std Y+RING_C+\i, A66(\i)
    mul C(\i), FOUR
    eor C66(\i), 0       /* 66 */
    eor KEYSTREAM, 0
    mov C66(\i+1), 1
    std Y+RING_A+\i, C66(\i)
    ld BYTE, X+
    eor KEYSTREAM, BYTE
    st Z+, KEYSTREAM
.endm

/* Carries out \do for each register that is kept between calls, and its place. */
.macro for_registers do
    .irp n, 2, 3, 4, 5
    \do \n, REGISTERS+\n-2
    .endr
    .irp n, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
    \do \n, REGISTERS+\n-3
    .endr
    \do C66(0), REGISTERS+14
.endm

.macro load to, place
    ldd \to, Y+\place
.endm

.macro store from, place
    std Y+\place, \from
.endm

/* Pushes what the caller keeps and loads the state; X: in, Y: the state, Z: out, COUNT: r19:r18. */
.macro enter
    .irp n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
    push \n
    .endr
    movw r28, r24
    movw r30, r22
    movw r26, r20
    movw COUNT, r18
    for_registers load
    ldi FOUR, 4
    ldi THIRTY_TWO, 32
.endm

.macro leave
    for_registers store
    .irp n, 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
    pop \n
    .endr
    clr r1
    ret
.endm
