/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES for 8-bit AVR with the whole state in registers; included by the assembly file of each kernel, which defines
 *   KERNEL(name)   the kernel's symbols
 *   SBOX_IN_SRAM   1: S-box in SRAM, XTIME_IN_SRAM 1 or 0: the table of doubles in SRAM or flash; 0: S-box in flash and
 *                  doubles computed
 *
 * S-box and key addition. A byte of the new state is summed up in the low half of a pointer whose high half holds the
 * S-box's page, starting with the round key's byte instead of a move, so that SubBytes of the next round is one load.
 * MixColumns of a0..a3: with p01 = a0 ^ a1, p23 = a2 ^ a3, w = a1 ^ p23, v = a3 ^ p01 and x.. the doubles of the sums,
 *   b0 = x01 ^ w, b1 = x12 ^ w ^ p01, b2 = x23 ^ v, b3 = x30 ^ v ^ p23; x30 = x01 ^ x12 ^ x23 costs no look-up.
 * ShiftRows is a choice of registers. A column's first byte goes to the one spare register, the others to registers
 * that the column has done with; after round_a and round_b, with rows and columns in this order, every byte is home
 * again (found by search).
 *
 * Counter mode keeps, for 256 blocks, what the last counter byte does not change (rd1 and rd2 of Bernstein and Schwabe,
 * "New AES software speed records", 2008): column 0 of round 1 and all of round 2. A block begins with one look-up for
 * that byte and four for the column that it moves.
 *
 * Nothing secret goes to memory but into the prefix; no branch depends on a secret. */

/* r0..r15: the state, byte n in r<n> between round_b and round_a; r16: the spare register. */
#define TURNS r17
#define XT r18
#define XS r19
#define PREFIX r20  /* r21:r20; raw encryption: the schedule */
#define IN r22      /* r23:r22 */
#define IN_HIGH r23
#define OUT r24     /* r25:r24 */

#if SBOX_IN_SRAM
#define ACC r26     /* sums a byte; its page is the S-box's */
#define ACC_PAGE r27
#define PAIR r30    /* what is to be doubled; its page is that of the doubles */
#define PAIR_PAGE r31
#define FREE Z      /* PAIR's pointer, where nothing is doubled */
#define FREE_LOW r30
#else
#define ACC r30
#define ACC_PAGE r31
#define PAIR r26
#define PAIR_PAGE r27
#define FREE X
#define FREE_LOW r26
#endif

/* The prefix, from PREFIX; Y points there too outside the rounds. */
#define MARK 0      /* VALID, or 0 after key set-up */
#define TAG 1       /* the 15 bytes of the counter block that the rest depends on */
#define COUNTER 16  /* the next block's last byte */
#define LAST_KEY 17 /* byte 15 of round key 0 */
#define COLUMN 18   /* column 0 after round 1, but for byte 15 */
#define ROUND2 22   /* the state after round 2, but for column 0 of round 1 */
#define KEYS 38     /* the schedule, at round 3 */
#define REPEAT 40   /* half the rounds less one */
#define STOP 41     /* COUNTER after the last block of this run */
#define BLOCKS 42   /* blocks beyond this run, 16 bits */
#define PREFIX_BYTES 44
#define VALID 1

/* ---- Look-ups ---- */

.macro sbox to /* \to = S(ACC) */
#if SBOX_IN_SRAM
    ld \to, X
#else
    lpm \to, Z
#endif
.endm

.macro double to /* \to = 2 * PAIR, PAIR is lost */
#if !SBOX_IN_SRAM
    lsl PAIR
    sbc \to, \to
    andi \to, 0x1b
    eor \to, PAIR
#elif XTIME_IN_SRAM
    ld \to, Z
#else
    lpm \to, Z
#endif
.endm

.macro set_pages
#if SBOX_IN_SRAM
    ldi r27, hi8(KERNEL(sbox))
    ldi r31, hi8(KERNEL(doubles))
#else
    ldi r31, hi8(KERNEL(sbox))
#endif
.endm

/* ---- Rounds ---- */

.macro lookup_it to, offset
    sbox \to
.endm

.macro store_it to, offset
    std Y+\offset, ACC
.endm

/* MixColumns of a0..a3, XOR the bytes at Y + k0..k3; then \finish. The a are lost, d1 may be a1, d2 a0 or a3, d3 a2. */
.macro column finish, k0, k1, k2, k3, a0, a1, a2, a3, d0, d1, d2, d3
    eor \a0, \a1 /* p01 */
    eor \a2, \a3 /* p23 */
    mov PAIR, \a0
    double XS
    eor \a1, \a2 /* w */
    ldd ACC, Y+\k0
    eor ACC, XS
    eor ACC, \a1
    \finish \d0, \k0
    mov PAIR, \a1
    eor PAIR, \a3
    double XT
    ldd ACC, Y+\k1
    eor ACC, XT
    eor ACC, \a1
    eor ACC, \a0
    \finish \d1, \k1
    eor XS, XT
    mov PAIR, \a2
    double XT
    eor \a0, \a3 /* v */
    eor XT, \a0
    ldd ACC, Y+\k2
    eor ACC, XT
    \finish \d2, \k2
    ldd ACC, Y+\k3
    eor ACC, XT
    eor ACC, XS
    eor ACC, \a2
    \finish \d3, \k3
.endm

/* Round keys at Y + 1, and Y + 17. */
.macro round_a
    column lookup_it,  4,  1,  2,  3, r15,  r0,  r5, r10, r16,  r0, r15, r10
    column lookup_it, 12,  9, 10, 11,  r7,  r8, r13,  r2,  r5,  r8,  r7,  r2
    column lookup_it,  8,  5,  6,  7,  r3,  r4,  r9, r14, r13,  r4,  r3, r14
    column lookup_it, 16, 13, 14, 15, r11, r12,  r1,  r6,  r9, r12, r11,  r6
.endm

.macro round_b
    column lookup_it, 18, 19, 20, 17,  r3,  r2,  r9,  r0,  r1,  r2,  r3,  r0
    column lookup_it, 26, 27, 28, 25, r11, r10, r13,  r8,  r9, r10, r11,  r8
    column lookup_it, 30, 31, 32, 29, r15, r14,  r5, r12, r13, r14, r15, r12
    column lookup_it, 22, 23, 24, 21,  r7,  r6, r16,  r4,  r5,  r6,  r7,  r4
.endm

/* Carries out \do for each n = 0..15 and the register that round_b takes byte n of the state from. */
.macro for_state_of_b do
    \do 0, r0
    \do 1, r15
    \do 2, r10
    \do 3, r16
    \do 4, r4
    \do 5, r3
    \do 6, r14
    \do 7, r13
    \do 8, r8
    \do 9, r7
    \do 10, r2
    \do 11, r5
    \do 12, r12
    \do 13, r11
    \do 14, r6
    \do 15, r9
.endm

/* For each register in the order of the output after the last ShiftRows. */
.macro for_output do
    \do 0, r0
    \do 1, r5
    \do 2, r10
    \do 3, r15
    \do 4, r4
    \do 5, r9
    \do 6, r14
    \do 7, r3
    \do 8, r8
    \do 9, r13
    \do 10, r2
    \do 11, r7
    \do 12, r12
    \do 13, r1
    \do 14, r6
    \do 15, r11
.endm

.macro push_all
    .irp n, 2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,28,29
    push r\n
    .endr
.endm

/* ---- Block by block ---- */

pop_all_return:
    .irp n, 29,28,17,16,15,14,13,12,11,10,9,8,7,6,5,4,3,2
    pop r\n
    .endr
    clr r1
    ret

.macro whiten n, to
    ld ACC, FREE+
    ldd XT, Y+1+\n
    eor ACC, XT
    sbox \to
.endm

/* void encrypt_blocks(r25:r24 state, r23:r22 out, r21:r20 in, r19:r18 nblocks) */
    .global KERNEL(encrypt_blocks)
KERNEL(encrypt_blocks):
    push_all
    movw r30, r24 /* out and in change their places, the schedule goes to PREFIX */
    movw OUT, r22
    movw IN, r20
    movw PREFIX, r30
    set /* T: nothing to XOR */
1:  push r19 /* blocks still to do */
    push r18
    movw r28, PREFIX
    ld TURNS, Y
    lsr TURNS
    set_pages
    movw FREE_LOW, IN
    for_state_of_b whiten
#if SBOX_IN_SRAM
    movw IN, r30
    set_pages
#else
    movw IN, r26
#endif
    rjmp rounds
next_raw_block:
    pop r18
    pop r19
    subi r18, 1
    sbci r19, 0
    breq 2f
    rjmp 1b
2:  rjmp pop_all_return

/* ---- The rounds, for both ---- */

    /* From the state that round_b takes, Y 16 bytes before its round key, TURNS times round_b. */
again:
    round_a
rounds:
    round_b
    adiw r28, 32
    dec TURNS
    breq last_round
    rjmp again

.macro store_with_key n, from
    ldd XT, Y+1+\n
    eor \from, XT
    st Z+, \from
.endm

.macro xor_with_key n, from
    ldd XT, Y+1+\n
    eor \from, XT
    ld XT, X+
    eor \from, XT
    st Z+, \from
.endm

last_round:
    movw r30, OUT
    brtc 1f
    rjmp 2f
1:  movw r26, IN
    for_output xor_with_key
    movw IN, r26
    movw OUT, r30
    rjmp next_counter_block
2:  for_output store_with_key
    movw OUT, r30
    mov XT, IN
    or XT, IN_HIGH
    breq next_counter_block
    rjmp next_raw_block

/* ---- Counter mode ---- */

next_counter_block:
    movw r28, PREFIX
    set_pages
    ldd ACC, Y+COUNTER
    inc ACC
    std Y+COUNTER, ACC
    ldd XT, Y+STOP
    cpse ACC, XT
    rjmp counter_block
    rjmp run_is_done

/* Adds what byte \from, in row \row0 before MixColumns, makes of the column at \offset, and looks it up. */
.macro moved_column offset, from, row0, row1, row2, row3, to0, to1, to2, to3
    mov PAIR, \from
    double XS
    ldd ACC, Y+\offset+(\row0)
    eor ACC, XS
    sbox \to0
    ldd ACC, Y+\offset+(\row1)
    eor ACC, \from
    sbox \to1
    ldd ACC, Y+\offset+(\row2)
    eor ACC, \from
    sbox \to2
    ldd ACC, Y+\offset+(\row3)
    eor ACC, XS
    eor ACC, \from
    sbox \to3
.endm

    /* Y: the prefix, ACC: the last byte of the block */
counter_block:
    ldd XT, Y+LAST_KEY
    eor ACC, XT
    sbox XT
    /* Byte 15 is in row 3 of column 0, whose four bytes go to registers that round_b does not need, and one that is
     * filled with the last use of it. */
    moved_column COLUMN, XT, 3, 0, 1, 2, r1, TURNS, r12, XT
    moved_column ROUND2, TURNS, 0, 1, 2, 3, r0, r15, r10, r16
    moved_column ROUND2+12, r12, 1, 2, 3, 0, r11, r6, r9, r12
    moved_column ROUND2+8, XT, 2, 3, 0, 1, r2, r5, r8, r7
    moved_column ROUND2+4, r1, 3, 0, 1, 2, r13, r4, r3, r14
    ldd TURNS, Y+REPEAT
    ldd XT, Y+KEYS
    ldd r29, Y+KEYS+1
    mov r28, XT
    rjmp rounds

run_is_done:
    ldd r18, Y+BLOCKS
    ldd r19, Y+BLOCKS+1
    mov r17, r18
    or r17, r19
    breq 3f
    ldi r17, 4 /* carry into bytes 14 to 12 */
    movw r30, PREFIX
    adiw r30, COUNTER
2:  ld r16, -Z
    inc r16
    st Z, r16
    brne 1f
    dec r17
    brne 2b
1:  rcall start_run
    rcall build
    ldd ACC, Y+COUNTER
    rjmp counter_block
3:  rjmp pop_all_return

    /* Y, PREFIX: the prefix; ACC free; r19:r18: blocks to do. Sets STOP and BLOCKS. */
start_run:
    clr r1
    clr r16 /* r16:r17 = blocks to the end of this run of 256 */
    ldi r17, 1
    ldd r30, Y+COUNTER
    sub r16, r30
    sbc r17, r1
    cp r18, r16
    cpc r19, r17
    brsh 1f
    movw r16, r18
1:  add r30, r16
    std Y+STOP, r30
    sub r18, r16
    sbc r19, r17
    std Y+BLOCKS, r18
    std Y+BLOCKS+1, r19
    ret

/* void ctr32(r25:r24 state, r23:r22 prefix, r21:r20 block, r19:r18 out, r17:r16 in, r15:r14 nblocks) */
    .global KERNEL(ctr32)
KERNEL(ctr32):
    cp r22, r1
    cpc r23, r1
    brne with_prefix
    rjmp without_prefix
with_prefix:
    push_all
    movw r28, r22
    movw r26, r20
    movw r30, r24
    movw PREFIX, r22
    movw OUT, r18
    movw IN, r16
    ld r17, Z
    adiw r30, 32
    std Y+KEYS, r30
    std Y+KEYS+1, r31
    clt
    cp IN, r1
    cpc IN_HIGH, r1
    brne 1f
    set
1:  lsr r17
    dec r17
    std Y+REPEAT, r17
    ldd r17, Y+MARK
    cpi r17, VALID
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14
    ld r0, X+
    ldd r16, Y+TAG+\n
    cpc r0, r16
    .endr
    breq 1f
    sbiw r26, 15
    rcall take_tag
    ld r17, X
    std Y+COUNTER, r17
    push r15
    push r14
    rcall build
    pop r18
    pop r19
    rjmp 2f
1:  ld r17, X
    std Y+COUNTER, r17
    movw r18, r14
2:  rcall start_run
    set_pages
    ldd ACC, Y+COUNTER
    rjmp counter_block

    /* The prefix on the stack, for this call. */
without_prefix:
    push r28
    push r29
    in r28, 0x3d
    in r29, 0x3e
    sbiw r28, PREFIX_BYTES
    rcall set_stack
    adiw r28, 1
    std Y+MARK, r1
    movw r22, r28
    rcall with_prefix
    movw r30, r28
    ldi r18, PREFIX_BYTES
1:  st Z+, r1
    dec r18
    brne 1b
    adiw r28, PREFIX_BYTES-1
    rcall set_stack
    pop r29
    pop r28
    ret

    /* SP = Y for the caller. */
set_stack:
    pop r31
    pop r30
    in r0, 0x3f
    cli
    out 0x3e, r29
    out 0x3f, r0
    out 0x3d, r28
    ijmp

    /* Copies the 15 bytes at X to the tag; X moves. */
take_tag:
    movw r30, r28
    ldi r17, VALID
    st Z+, r17
    ldi r17, 3
1:  .rept 5
    ld r16, X+
    st Z+, r16
    .endr
    dec r17
    brne 1b
    ret

/* void nonce(r25:r24 state, r23:r22 prefix, r21:r20 block) */
    .global KERNEL(nonce)
KERNEL(nonce):
    push_all
    movw r28, r22
    movw r26, r20
    movw PREFIX, r22
    adiw r24, 32
    std Y+KEYS, r24
    std Y+KEYS+1, r25
    rcall take_tag
    rcall build
    rjmp pop_all_return

.macro whiten_tag n, to
    ld XT, FREE+
    ldd ACC, Y+TAG+\n
    eor ACC, XT
    sbox \to
.endm

/* Mixes r\a0, r\a1 … into the four bytes at Y. */
.macro mix a0, a1, a2, a3
    mov r20, \a0
    mov r21, \a1
    mov r22, \a2
    mov r23, \a3
    rcall mix_column
.endm

/* Builds the prefix at Y for its tag, and sets the pages. Uses all registers but r20 to r25 and Y. */
build:
    .irp n, 20,21,22,23,24,25
    push r\n
    .endr
    set_pages
    ldd r18, Y+KEYS
    ldd r19, Y+KEYS+1
    subi r18, 31 /* KEYS is round key 2 less one */
    sbci r19, 0
    movw FREE_LOW, r18
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14
    whiten_tag \n, r\n
    .endr
    ld r16, FREE+
    std Y+LAST_KEY, r16
    clr r15
    adiw r28, COLUMN
    rcall copy_round_key
    set_pages
    mix r0, r5, r10, r15
    mix r4, r9, r14, r3
    mix r8, r13, r2, r7
    mix r12, r1, r6, r11
    sbiw r28, 12
    .irp n, 4,5,6,7,8,9,10,11,12,13,14,15
    ld ACC, Y+
    sbox r\n
    .endr
    .irp n, 0,1,2,3
    clr r\n
    .endr
    sbiw r28, 12
    ldd r24, Y+KEYS-ROUND2
    ldd r25, Y+KEYS-ROUND2+1
    adiw r24, 1
    movw FREE_LOW, r24
    rcall copy_round_key
    set_pages
    mix r0, r5, r10, r15
    mix r4, r9, r14, r3
    mix r8, r13, r2, r7
    mix r12, r1, r6, r11
    sbiw r28, KEYS
    .irp n, 25,24,23,22,21,20
    pop r\n
    .endr
    clr r1
    ret

    /* Copies a round key from FREE to Y. */
copy_round_key:
    ldi r16, 4
1:  .rept 4
    ld r17, FREE+
    st Y+, r17
    .endr
    dec r16
    brne 1b
    sbiw r28, 16
    ret

mix_column:
    column store_it, 0, 1, 2, 3, r20, r21, r22, r23, 0, 0, 0, 0
    adiw r28, 4
    ret
