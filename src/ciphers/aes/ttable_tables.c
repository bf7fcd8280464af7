/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The tables of the table kernels, computed by the compiler from the S-box and its inverse, which a program printed
 * from its definition (FIPS 197, 5.1.1). */
#include "ttable.h"

#include "arch/common/aes_s_box.h"

#define INVERSE_S_BOX(w)                                                                                               \
    w(52) w(09) w(6a) w(d5) w(30) w(36) w(a5) w(38) w(bf) w(40) w(a3) w(9e) w(81) w(f3) w(d7) w(fb)                    \
    w(7c) w(e3) w(39) w(82) w(9b) w(2f) w(ff) w(87) w(34) w(8e) w(43) w(44) w(c4) w(de) w(e9) w(cb)                    \
    w(54) w(7b) w(94) w(32) w(a6) w(c2) w(23) w(3d) w(ee) w(4c) w(95) w(0b) w(42) w(fa) w(c3) w(4e)                    \
    w(08) w(2e) w(a1) w(66) w(28) w(d9) w(24) w(b2) w(76) w(5b) w(a2) w(49) w(6d) w(8b) w(d1) w(25)                    \
    w(72) w(f8) w(f6) w(64) w(86) w(68) w(98) w(16) w(d4) w(a4) w(5c) w(cc) w(5d) w(65) w(b6) w(92)                    \
    w(6c) w(70) w(48) w(50) w(fd) w(ed) w(b9) w(da) w(5e) w(15) w(46) w(57) w(a7) w(8d) w(9d) w(84)                    \
    w(90) w(d8) w(ab) w(00) w(8c) w(bc) w(d3) w(0a) w(f7) w(e4) w(58) w(05) w(b8) w(b3) w(45) w(06)                    \
    w(d0) w(2c) w(1e) w(8f) w(ca) w(3f) w(0f) w(02) w(c1) w(af) w(bd) w(03) w(01) w(13) w(8a) w(6b)                    \
    w(3a) w(91) w(11) w(41) w(4f) w(67) w(dc) w(ea) w(97) w(f2) w(cf) w(ce) w(f0) w(b4) w(e6) w(73)                    \
    w(96) w(ac) w(74) w(22) w(e7) w(ad) w(35) w(85) w(e2) w(f9) w(37) w(e8) w(1c) w(75) w(df) w(6e)                    \
    w(47) w(f1) w(1a) w(71) w(1d) w(29) w(c5) w(89) w(6f) w(b7) w(62) w(0e) w(aa) w(18) w(be) w(1b)                    \
    w(fc) w(56) w(3e) w(4b) w(c6) w(d2) w(79) w(20) w(9a) w(db) w(c0) w(fe) w(78) w(cd) w(5a) w(f4)                    \
    w(1f) w(dd) w(a8) w(33) w(88) w(07) w(c7) w(31) w(b1) w(12) w(10) w(59) w(27) w(80) w(ec) w(5f)                    \
    w(60) w(51) w(7f) w(a9) w(19) w(b5) w(4a) w(0d) w(2d) w(e5) w(7a) w(9f) w(93) w(c9) w(9c) w(ef)                    \
    w(a0) w(e0) w(3b) w(4d) w(ae) w(2a) w(f5) w(b0) w(c8) w(eb) w(bb) w(3c) w(83) w(53) w(99) w(61)                    \
    w(17) w(2b) w(04) w(7e) w(ba) w(77) w(d6) w(26) w(e1) w(69) w(14) w(63) w(55) w(21) w(0c) w(7d)

/* Products in GF(2^8) of a byte that is written without its 0x. */
#define X1(s) UINT32_C(0x##s)
#define X2(s) (X1(s) << 1 ^ (X1(s) >> 7) * 0x11b)
#define X4(s) (X1(s) << 2 ^ (X1(s) >> 7) * 0x236 ^ (X1(s) >> 6 & 1) * 0x11b)
#define X8(s) (X1(s) << 3 ^ (X1(s) >> 7) * 0x46c ^ (X1(s) >> 6 & 1) * 0x236 ^ (X1(s) >> 5 & 1) * 0x11b)

/* A column of the matrix of MixColumns times the byte, row 0 in the low byte; and of its inverse. */
#define COLUMN(s) (X2(s) | X1(s) << 8 | X1(s) << 16 | (X2(s) ^ X1(s)) << 24)
#define INVERSE_COLUMN(s)                                                                                              \
    ((X8(s) ^ X4(s) ^ X2(s)) | (X8(s) ^ X1(s)) << 8 | (X8(s) ^ X4(s) ^ X1(s)) << 16 | (X8(s) ^ X2(s) ^ X1(s)) << 24)
#define ROTATED(w, rows) ((w) << 8 * (rows) | (w) >> (32 - 8 * (rows)))

#define BYTE(s) 0x##s,
#define ROW0(s) COLUMN(s),
#define ROW1(s) ROTATED(COLUMN(s), 1),
#define ROW2(s) ROTATED(COLUMN(s), 2),
#define ROW3(s) ROTATED(COLUMN(s), 3),
#define INVERSE_ROW0(s) INVERSE_COLUMN(s),
#define INVERSE_ROW1(s) ROTATED(INVERSE_COLUMN(s), 1),
#define INVERSE_ROW2(s) ROTATED(INVERSE_COLUMN(s), 2),
#define INVERSE_ROW3(s) ROTATED(INVERSE_COLUMN(s), 3),

/* For loads of 32 bits at byte 0, 3, 2 or 1 of an entry: a column, rotated as rows 0 to 3 have it; and a byte of the
 * S-box in that row, the others zero. */
#define DOUBLED(w) ((uint64_t)(w) << 32 | (w))
#define DOUBLED_COLUMN(s) DOUBLED(COLUMN(s)),
#define DOUBLED_INVERSE_COLUMN(s) DOUBLED(INVERSE_COLUMN(s)),
#define LONE_BYTE(s) DOUBLED(X1(s)),

const uint8_t runnel_aes_s_box[256] = {RUNNEL_AES_S_BOX(BYTE)};
const uint8_t runnel_aes_inverse_s_box[256] = {INVERSE_S_BOX(BYTE)};
const RUNNEL_LINE_ALIGNED aes_ttable runnel_aes_ttable_encryption = {
    {RUNNEL_AES_S_BOX(ROW0)}, {RUNNEL_AES_S_BOX(ROW1)}, {RUNNEL_AES_S_BOX(ROW2)}, {RUNNEL_AES_S_BOX(ROW3)}};
const RUNNEL_LINE_ALIGNED aes_ttable runnel_aes_ttable_decryption = {
    {INVERSE_S_BOX(INVERSE_ROW0)},
    {INVERSE_S_BOX(INVERSE_ROW1)},
    {INVERSE_S_BOX(INVERSE_ROW2)},
    {INVERSE_S_BOX(INVERSE_ROW3)},
};
const RUNNEL_LINE_ALIGNED aes_doubled_ttable runnel_aes_doubled_encryption = {
    {RUNNEL_AES_S_BOX(DOUBLED_COLUMN)}, {RUNNEL_AES_S_BOX(LONE_BYTE)}};
const RUNNEL_LINE_ALIGNED aes_doubled_ttable runnel_aes_doubled_decryption = {
    {INVERSE_S_BOX(DOUBLED_INVERSE_COLUMN)}, {INVERSE_S_BOX(LONE_BYTE)}};
