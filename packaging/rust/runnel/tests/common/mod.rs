// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Random bytes that are the same in every run.

pub struct Random(pub u64);

impl Random {
    /// splitmix64
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to most, small ones as often as large ones.
    pub fn upto(&mut self, most: usize) -> usize {
        let bits = self.word() % u64::from(usize::BITS - most.leading_zeros() + 1);
        self.word() as usize % (1 << bits).min(most + 1)
    }

    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.word() as u8).collect()
    }
}
