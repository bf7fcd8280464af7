/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* F0 and F1 are linear in the bits of a byte: each is one GF2P8AFFINEQB, by the matrix given here as rows. */
#define F0_ROWS 0xc2850b162c58b061
#define F1_ROWS 0x3468d0a143860d1a
