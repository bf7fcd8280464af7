// SPDX-License-Identifier: Apache-2.0 OR MIT
#![doc = include_str!("../README.md")]
#![no_std]

mod authenticated;
mod context;
mod stream;
mod table;

pub use aead;
pub use cipher;

pub use authenticated::{
    Aead, AeadSpec, Ccm, CcmCipher, CcmNonceSize, CcmSpec, CcmTagSize, Gcm, GcmCipher, GcmNonceSize, GcmSpec,
    GcmTagSize,
};
pub use stream::{
    Be32, Be64, Be128, BlockCipher, Ctr, Ctr32BE, Ctr32LE, Ctr64BE, Ctr64LE, Ctr128BE, Ctr128LE, CtrSpec, Layout, Le32,
    Le64, Le128, Seekable, Stream, StreamSpec,
};
pub use table::*;
