/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The AES S-box for assembly files: s_0 to s_255, worked out by the assembler. p goes through all but 0 by the
 * generator 3 and q = 1 / p by its inverse 0xf6 (FIPS 197, 5.1.1). */
    .altmacro
.macro define_s x, s
    .set    s_\x, \s
.endm
    .set    p, 1
    .set    q, 1
    .rept   255
    .set    p, p ^ p << 1
    .set    p, p ^ (p >> 8) * 0x11b
    .set    q, q ^ q << 1
    .set    q, q ^ q << 2
    .set    q, (q ^ q << 4) & 0xff
    .set    q, q ^ (q >> 7) * 0x09
    .set    turned, q * 0x101
    define_s %p, %((q ^ turned >> 7 ^ turned >> 6 ^ turned >> 5 ^ turned >> 4 ^ 0x63) & 0xff)
    .endr
    define_s 0, 0x63

/* The symbol `name` = S(x); x is written %(expression). */
.macro set_to_s name, x
    .set    \name, s_\x
.endm
