/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES by the instructions of Zkne on RV64: each makes half a block of a round, so a round is two of these and the key's
 * addition. Two blocks at a time share the loads of the key. Of a run of counter blocks the last byte alone moves, which is
 * in the first half after round 1; the second is made once. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV64_ZKNE

#include "zkne.h"

#define JOB a0
#define OUT a1
#define IN a2
#define END a3 /* of OUT */
#define KEYS a4
#define FIRST a5 /* of the keys, for what is left of a block */
#define LAST a6
#define RAW a7
#define COUNT t0 /* the last byte, */
#define HIGH t1  /* and the half that it is XORed to */
#define LOW t2
#define A0 t3
#define A1 t4
#define B0 t5
#define B1 t6
#define T0 s0
#define T1 s1
#define T2 s2
#define T3 s3
#define KEY_1 s4  /* the first half of round key 1 */
#define HALF_1 s5 /* the second half after round 1 */

#define SAVED_HERE s0, s1, s2, s3, s4, s5
#define REGISTERS 0 /* stack */
#define FRAME 48

/* x0, x1 = a round of them, XOR T0 and T1. */
.macro half_rounds do, x0, x1, t
    \do     \t, \x0, \x1
    \do     \x1, \x1, \x0
    xor     \x0, \t, T0
    xor     \x1, \x1, T1
.endm

.macro round do, at, blocks
    ld      T0, \at(KEYS)
    ld      T1, \at + 8(KEYS)
    half_rounds \do, A0, A1, T2
    .if \blocks > 1
    half_rounds \do, B0, B1, T3
    .endif
.endm

.macro next_counter x0, x1
    slli    \x0, COUNT, 56
    xor     \x0, \x0, HIGH
    addi    COUNT, COUNT, 1
    aes64esm \x0, LOW, \x0
    mv      \x1, HALF_1
    xor     \x0, \x0, KEY_1
.endm

.macro load_raw x0, x1, at
    ld      \x0, \at(IN)
    ld      \x1, \at + 8(IN)
    xor     \x0, \x0, T2
    xor     \x1, \x1, T3
.endm

.macro add_input x0, x1, at
    ld      T0, \at(IN)
    ld      T1, \at + 8(IN)
    xor     \x0, \x0, T0
    xor     \x1, \x1, T1
.endm

/* As many blocks, and back to .Lnext. */
.macro make blocks
    mv      KEYS, FIRST
    bnez    RAW, .Lraw_\blocks
    next_counter A0, A1
    .if \blocks > 1
    next_counter B0, B1
    .endif
.Ltwo_rounds_\blocks: /* after round 1 an even number of rounds comes before the last */
    round   aes64esm, 0, \blocks
    round   aes64esm, 16, \blocks
    addi    KEYS, KEYS, 32
    bne     KEYS, LAST, .Ltwo_rounds_\blocks
    round   aes64es, 0, \blocks
    bnez    RAW, .Lstore_\blocks
    add_input A0, A1, 0
    .if \blocks > 1
    add_input B0, B1, 16
    .endif
.Lstore_\blocks:
    sd      A0, 0(OUT)
    sd      A1, 8(OUT)
    .if \blocks > 1
    sd      B0, 16(OUT)
    sd      B1, 24(OUT)
    .endif
    addi    IN, IN, 16 * \blocks
    addi    OUT, OUT, 16 * \blocks
    j       .Lnext
.Lraw_\blocks:
    ld      T2, -32(KEYS)
    ld      T3, -24(KEYS)
    load_raw A0, A1, 0
    .if \blocks > 1
    load_raw B0, B1, 16
    .endif
    round   aes64esm, -16, \blocks
    j       .Ltwo_rounds_\blocks
.endm

/* void runnel_aes_rv64_zkne_blocks(aes_rv64_zkne_job *job, uint8_t *out, const uint8_t *in, size_t nblocks) */
function runnel_aes_rv64_zkne_blocks
    push_frame FRAME, REGISTERS, SAVED_HERE
    slli    END, END, 4
    add     END, OUT, END
    ld      KEYS, AES_RV64_ZKNE_KEYS(JOB)
    ld      LAST, AES_RV64_ZKNE_LAST(JOB)
    ld      RAW, AES_RV64_ZKNE_RAW(JOB)
    ld      LOW, AES_RV64_ZKNE_BLOCK(JOB)
    ld      HIGH, AES_RV64_ZKNE_BLOCK + 8(JOB)
    ld      T0, 0(KEYS)
    ld      T1, 8(KEYS)
    addi    FIRST, KEYS, 32
    srli    COUNT, HIGH, 56
    xor     LOW, LOW, T0
    slli    T2, COUNT, 56
    xor     HIGH, HIGH, T1
    ld      T3, 24(KEYS)
    aes64esm HALF_1, HIGH, LOW
    xor     HIGH, HIGH, T2
    xor     HALF_1, HALF_1, T3
    ld      KEY_1, 16(KEYS)
.Lnext:
    sub     T0, END, OUT
    beqz    T0, .Ldone
    addi    T0, T0, -16
    beqz    T0, .Lone
    make    2
.Lone:
    make    1
.Ldone:
    sb      COUNT, AES_RV64_ZKNE_BLOCK + 15(JOB)
    pop_frame_return FRAME, REGISTERS, SAVED_HERE
endfunc

#define TO a0
#define KEY a1
#define KEY_BYTES a2
#define W0 t0
#define W1 t1
#define W2 t2
#define W3 t3
#define T t4

/* void runnel_aes_rv64_zkne_expand(uint8_t *keys, const uint64_t *key, size_t key_bytes) */
function runnel_aes_rv64_zkne_expand
    ld      W0, 0(KEY)
    ld      W1, 8(KEY)
    addi    T, KEY_BYTES, -24
    beqz    T, .Lkey_of_192_bits
    bgtz    T, .Lkey_of_256_bits
    .irp    number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
    sd      W0, 16 * \number(TO)
    sd      W1, 16 * \number + 8(TO)
    aes64ks1i T, W1, \number
    aes64ks2 W0, T, W0
    aes64ks2 W1, W0, W1
    .endr
    sd      W0, 160(TO)
    sd      W1, 168(TO)
    ret
.Lkey_of_192_bits:
    ld      W2, 16(KEY)
    .irp    number, 0, 1, 2, 3, 4, 5, 6, 7
    sd      W0, 24 * \number(TO)
    sd      W1, 24 * \number + 8(TO)
    sd      W2, 24 * \number + 16(TO)
    aes64ks1i T, W2, \number
    aes64ks2 W0, T, W0
    aes64ks2 W1, W0, W1
    .if \number < 7
    aes64ks2 W2, W1, W2
    .endif
    .endr
    sd      W0, 192(TO)
    sd      W1, 200(TO)
    ret
.Lkey_of_256_bits:
    ld      W2, 16(KEY)
    ld      W3, 24(KEY)
    .irp    number, 0, 1, 2, 3, 4, 5, 6
    sd      W0, 32 * \number(TO)
    sd      W1, 32 * \number + 8(TO)
    sd      W2, 32 * \number + 16(TO)
    sd      W3, 32 * \number + 24(TO)
    aes64ks1i T, W3, \number
    aes64ks2 W0, T, W0
    aes64ks2 W1, W0, W1
    .if \number < 6
    aes64ks1i T, W1, 10 /* without rotation and constant */
    aes64ks2 W2, T, W2
    aes64ks2 W3, W2, W3
    .endif
    .endr
    sd      W0, 224(TO)
    sd      W1, 232(TO)
    ret
endfunc

#endif
