/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SEED's S-boxes for kernels that look them up, as lists: SEED_S0(w) is w(a9) w(85) … for the values in hexadecimal. A
 * program printed them from their rule, S0(x) = A0 x^247 ^ 0xa9 and S1(x) = A1 x^251 ^ 0x38 in GF(2^8) modulo
 * x^8 + x^6 + x^5 + x + 1. */
#ifndef RUNNEL_SEED_S_BOXES_H
#define RUNNEL_SEED_S_BOXES_H

#define SEED_S0(w)                                                                                                     \
    w(a9) w(85) w(d6) w(d3) w(54) w(1d) w(ac) w(25) w(5d) w(43) w(18) w(1e) w(51) w(fc) w(ca) w(63)                    \
    w(28) w(44) w(20) w(9d) w(e0) w(e2) w(c8) w(17) w(a5) w(8f) w(03) w(7b) w(bb) w(13) w(d2) w(ee)                    \
    w(70) w(8c) w(3f) w(a8) w(32) w(dd) w(f6) w(74) w(ec) w(95) w(0b) w(57) w(5c) w(5b) w(bd) w(01)                    \
    w(24) w(1c) w(73) w(98) w(10) w(cc) w(f2) w(d9) w(2c) w(e7) w(72) w(83) w(9b) w(d1) w(86) w(c9)                    \
    w(60) w(50) w(a3) w(eb) w(0d) w(b6) w(9e) w(4f) w(b7) w(5a) w(c6) w(78) w(a6) w(12) w(af) w(d5)                    \
    w(61) w(c3) w(b4) w(41) w(52) w(7d) w(8d) w(08) w(1f) w(99) w(00) w(19) w(04) w(53) w(f7) w(e1)                    \
    w(fd) w(76) w(2f) w(27) w(b0) w(8b) w(0e) w(ab) w(a2) w(6e) w(93) w(4d) w(69) w(7c) w(09) w(0a)                    \
    w(bf) w(ef) w(f3) w(c5) w(87) w(14) w(fe) w(64) w(de) w(2e) w(4b) w(1a) w(06) w(21) w(6b) w(66)                    \
    w(02) w(f5) w(92) w(8a) w(0c) w(b3) w(7e) w(d0) w(7a) w(47) w(96) w(e5) w(26) w(80) w(ad) w(df)                    \
    w(a1) w(30) w(37) w(ae) w(36) w(15) w(22) w(38) w(f4) w(a7) w(45) w(4c) w(81) w(e9) w(84) w(97)                    \
    w(35) w(cb) w(ce) w(3c) w(71) w(11) w(c7) w(89) w(75) w(fb) w(da) w(f8) w(94) w(59) w(82) w(c4)                    \
    w(ff) w(49) w(39) w(67) w(c0) w(cf) w(d7) w(b8) w(0f) w(8e) w(42) w(23) w(91) w(6c) w(db) w(a4)                    \
    w(34) w(f1) w(48) w(c2) w(6f) w(3d) w(2d) w(40) w(be) w(3e) w(bc) w(c1) w(aa) w(ba) w(4e) w(55)                    \
    w(3b) w(dc) w(68) w(7f) w(9c) w(d8) w(4a) w(56) w(77) w(a0) w(ed) w(46) w(b5) w(2b) w(65) w(fa)                    \
    w(e3) w(b9) w(b1) w(9f) w(5e) w(f9) w(e6) w(b2) w(31) w(ea) w(6d) w(5f) w(e4) w(f0) w(cd) w(88)                    \
    w(16) w(3a) w(58) w(d4) w(62) w(29) w(07) w(33) w(e8) w(1b) w(05) w(79) w(90) w(6a) w(2a) w(9a)

#define SEED_S1(w)                                                                                                     \
    w(38) w(e8) w(2d) w(a6) w(cf) w(de) w(b3) w(b8) w(af) w(60) w(55) w(c7) w(44) w(6f) w(6b) w(5b)                    \
    w(c3) w(62) w(33) w(b5) w(29) w(a0) w(e2) w(a7) w(d3) w(91) w(11) w(06) w(1c) w(bc) w(36) w(4b)                    \
    w(ef) w(88) w(6c) w(a8) w(17) w(c4) w(16) w(f4) w(c2) w(45) w(e1) w(d6) w(3f) w(3d) w(8e) w(98)                    \
    w(28) w(4e) w(f6) w(3e) w(a5) w(f9) w(0d) w(df) w(d8) w(2b) w(66) w(7a) w(27) w(2f) w(f1) w(72)                    \
    w(42) w(d4) w(41) w(c0) w(73) w(67) w(ac) w(8b) w(f7) w(ad) w(80) w(1f) w(ca) w(2c) w(aa) w(34)                    \
    w(d2) w(0b) w(ee) w(e9) w(5d) w(94) w(18) w(f8) w(57) w(ae) w(08) w(c5) w(13) w(cd) w(86) w(b9)                    \
    w(ff) w(7d) w(c1) w(31) w(f5) w(8a) w(6a) w(b1) w(d1) w(20) w(d7) w(02) w(22) w(04) w(68) w(71)                    \
    w(07) w(db) w(9d) w(99) w(61) w(be) w(e6) w(59) w(dd) w(51) w(90) w(dc) w(9a) w(a3) w(ab) w(d0)                    \
    w(81) w(0f) w(47) w(1a) w(e3) w(ec) w(8d) w(bf) w(96) w(7b) w(5c) w(a2) w(a1) w(63) w(23) w(4d)                    \
    w(c8) w(9e) w(9c) w(3a) w(0c) w(2e) w(ba) w(6e) w(9f) w(5a) w(f2) w(92) w(f3) w(49) w(78) w(cc)                    \
    w(15) w(fb) w(70) w(75) w(7f) w(35) w(10) w(03) w(64) w(6d) w(c6) w(74) w(d5) w(b4) w(ea) w(09)                    \
    w(76) w(19) w(fe) w(40) w(12) w(e0) w(bd) w(05) w(fa) w(01) w(f0) w(2a) w(5e) w(a9) w(56) w(43)                    \
    w(85) w(14) w(89) w(9b) w(b0) w(e5) w(48) w(79) w(97) w(fc) w(1e) w(82) w(21) w(8c) w(1b) w(5f)                    \
    w(77) w(54) w(b2) w(1d) w(25) w(4f) w(00) w(46) w(ed) w(58) w(52) w(eb) w(7e) w(da) w(c9) w(fd)                    \
    w(30) w(95) w(65) w(3c) w(b6) w(e4) w(bb) w(7c) w(0e) w(50) w(39) w(26) w(32) w(84) w(69) w(93)                    \
    w(37) w(e7) w(24) w(a4) w(cb) w(53) w(0a) w(87) w(d9) w(4c) w(83) w(8f) w(ce) w(3b) w(4a) w(b7)

#define SEED_BYTE(s) 0x##s,

/* The extended S-boxes: for byte i of a word a byte of its S-box four times, each with its mask: 0xfc, 0xf3, 0xcf, 0x3f,
 * from byte i on. */
#define SEED_WORD0(s) (0x##s * 0x01010101u & 0x3fcff3fc),
#define SEED_WORD1(s) (0x##s * 0x01010101u & 0xfc3fcff3),
#define SEED_WORD2(s) (0x##s * 0x01010101u & 0xf3fc3fcf),
#define SEED_WORD3(s) (0x##s * 0x01010101u & 0xcff3fc3f),

#define SEED_EXTENDED_S_BOXES                                                                                          \
    {                                                                                                                  \
        {SEED_S0(SEED_WORD0)}, {SEED_S1(SEED_WORD1)}, {SEED_S0(SEED_WORD2)}, {SEED_S1(SEED_WORD3)}                     \
    }

#endif
