/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The S-box of AES as a list of bytes, each written without 0x as the argument of w. A program printed it from its
 * definition (FIPS 197, 5.1.1). */
#ifndef RUNNEL_ARCH_COMMON_AES_S_BOX_H
#define RUNNEL_ARCH_COMMON_AES_S_BOX_H

#define RUNNEL_AES_S_BOX(w)                                                                                            \
    w(63) w(7c) w(77) w(7b) w(f2) w(6b) w(6f) w(c5) w(30) w(01) w(67) w(2b) w(fe) w(d7) w(ab) w(76)                    \
    w(ca) w(82) w(c9) w(7d) w(fa) w(59) w(47) w(f0) w(ad) w(d4) w(a2) w(af) w(9c) w(a4) w(72) w(c0)                    \
    w(b7) w(fd) w(93) w(26) w(36) w(3f) w(f7) w(cc) w(34) w(a5) w(e5) w(f1) w(71) w(d8) w(31) w(15)                    \
    w(04) w(c7) w(23) w(c3) w(18) w(96) w(05) w(9a) w(07) w(12) w(80) w(e2) w(eb) w(27) w(b2) w(75)                    \
    w(09) w(83) w(2c) w(1a) w(1b) w(6e) w(5a) w(a0) w(52) w(3b) w(d6) w(b3) w(29) w(e3) w(2f) w(84)                    \
    w(53) w(d1) w(00) w(ed) w(20) w(fc) w(b1) w(5b) w(6a) w(cb) w(be) w(39) w(4a) w(4c) w(58) w(cf)                    \
    w(d0) w(ef) w(aa) w(fb) w(43) w(4d) w(33) w(85) w(45) w(f9) w(02) w(7f) w(50) w(3c) w(9f) w(a8)                    \
    w(51) w(a3) w(40) w(8f) w(92) w(9d) w(38) w(f5) w(bc) w(b6) w(da) w(21) w(10) w(ff) w(f3) w(d2)                    \
    w(cd) w(0c) w(13) w(ec) w(5f) w(97) w(44) w(17) w(c4) w(a7) w(7e) w(3d) w(64) w(5d) w(19) w(73)                    \
    w(60) w(81) w(4f) w(dc) w(22) w(2a) w(90) w(88) w(46) w(ee) w(b8) w(14) w(de) w(5e) w(0b) w(db)                    \
    w(e0) w(32) w(3a) w(0a) w(49) w(06) w(24) w(5c) w(c2) w(d3) w(ac) w(62) w(91) w(95) w(e4) w(79)                    \
    w(e7) w(c8) w(37) w(6d) w(8d) w(d5) w(4e) w(a9) w(6c) w(56) w(f4) w(ea) w(65) w(7a) w(ae) w(08)                    \
    w(ba) w(78) w(25) w(2e) w(1c) w(a6) w(b4) w(c6) w(e8) w(dd) w(74) w(1f) w(4b) w(bd) w(8b) w(8a)                    \
    w(70) w(3e) w(b5) w(66) w(48) w(03) w(f6) w(0e) w(61) w(35) w(57) w(b9) w(86) w(c1) w(1d) w(9e)                    \
    w(e1) w(f8) w(98) w(11) w(69) w(d9) w(8e) w(94) w(9b) w(1e) w(87) w(e9) w(ce) w(55) w(28) w(df)                    \
    w(8c) w(a1) w(89) w(0d) w(bf) w(e6) w(42) w(68) w(41) w(99) w(2d) w(0f) w(b0) w(54) w(bb) w(16)

#endif
