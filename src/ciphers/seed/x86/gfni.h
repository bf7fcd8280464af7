/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The S-boxes by GFNI: with the isomorphism P of aes.h, S0(x) = A0 (P x)^-1 ^ a9 and S1(x) = A1 (P x)^-1 ^ 38
 * (hexadecimal), where the inverse is that in the field of AES, which GF2P8AFFINEINVQB takes. The matrices as that and
 * GF2P8AFFINEQB want them, the row of bit 0 in the highest byte. */
#ifndef RUNNEL_SEED_X86_GFNI_H
#define RUNNEL_SEED_X86_GFNI_H

#define SEED_TO_AES_FIELD 0x0bccb02e16183c70
#define SEED_S0_MATRIX 0x9a5c7193dadface8
#define SEED_S1_MATRIX 0x6c46dac00bd2d78f
#define SEED_S0_CONSTANT 0xa9
#define SEED_S1_CONSTANT 0x38

#endif
