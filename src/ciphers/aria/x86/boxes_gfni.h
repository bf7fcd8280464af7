/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ARIA's S-boxes by GFNI. All are affine maps around the inverse in the field of AES: S1(x) = A1 x^-1 ^ 0x63, and
 * S2(x) = A2 x^-1 ^ 0xe2, because its power 247 is the eighth power, which is linear, of the inverse. S3 and S4 are
 * their inverses. A kernel defines vec_affine (GF2P8AFFINEQB with a matrix of 64 bits and a constant) and vec_inverse
 * (GF2P8AFFINEINVQB likewise). */

#define S1(x) vec_inverse(x, 0xf1e3c78f1f3e7cf8, 0x63)
#define S2(x) vec_inverse(x, 0xeafcb7c3c273c66f, 0xe2)
#define S3(x) vec_inverse(vec_affine(x, 0xa44992254a942952, 0x05), 0x0102040810204080, 0)
#define S4(x) vec_inverse(vec_affine(x, 0x186450c737d6bdc9, 0x2c), 0x0102040810204080, 0)
