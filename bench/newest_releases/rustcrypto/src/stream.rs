// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Counter mode, feedback mode and stream ciphers.

use crate::{Row, Subject};
use aes::cipher::array::Array;
use aes::cipher::consts::U16;
use aes::cipher::{BlockCipherEncrypt, BlockSizeUser, InnerIvInit, Iv, Key, KeyInit, KeyIvInit, StreamCipher};
use cfb_mode::BufEncryptor;
use ctr::{Ctr128BE, CtrCore};

/// A mode that refers to an expanded block cipher.
trait Mode<B>: Sized {
    fn new(block: &'static B, iv: &[u8]) -> Option<Self>;
    fn process(&mut self, message: &[u8], out: &mut [u8]) -> Option<()>;
}

impl<B: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16>> Mode<B> for Ctr128BE<&'static B> {
    fn new(block: &'static B, iv: &[u8]) -> Option<Self> {
        Some(Self::from_core(CtrCore::inner_iv_init(block, iv.try_into().ok()?)))
    }

    fn process(&mut self, message: &[u8], out: &mut [u8]) -> Option<()> {
        self.try_apply_keystream_b2b(message, out).ok()
    }
}

/// In place, as the crate's interface for messages in pieces is.
impl<B: BlockCipherEncrypt> Mode<B> for BufEncryptor<&'static B> {
    fn new(block: &'static B, iv: &[u8]) -> Option<Self> {
        Some(Self::inner_iv_init(block, iv.try_into().ok()?))
    }

    fn process(&mut self, message: &[u8], out: &mut [u8]) -> Option<()> {
        out.copy_from_slice(message);
        self.encrypt(out);
        Some(())
    }
}

/// A block cipher that is expanded once for each key, and its mode.
struct Blocks<B: 'static, M> {
    mode: Option<M>,
    block: Option<Box<B>>,
}

impl<B: KeyInit, M: Mode<B>> Subject for Blocks<B, M> {
    fn key(&mut self, key: &[u8]) -> Option<()> {
        self.mode = None;
        let block = B::new_from_slice(key).ok()?;
        match &mut self.block {
            Some(place) => **place = block,
            none => *none = Some(Box::new(block)),
        }
        Some(())
    }

    fn iv(&mut self, iv: &[u8]) -> Option<()> {
        let block: *const B = &**self.block.as_ref()?;
        // SAFETY: the block stays in its box as long as this lives, and key ends the mode before it changes the block.
        self.mode = Some(M::new(unsafe { &*block }, iv)?);
        Some(())
    }

    fn process(&mut self, message: &[u8], out: &mut [u8]) -> Option<()> {
        self.mode.as_mut()?.process(message, out)
    }
}

/// A stream cipher, which takes key and IV together.
struct Stream<C: KeyIvInit> {
    key: Key<C>,
    cipher: Option<C>,
}

impl<C: KeyIvInit + StreamCipher> Subject for Stream<C> {
    fn key(&mut self, key: &[u8]) -> Option<()> {
        self.key = Array::try_from(key).ok()?;
        Some(())
    }

    fn iv(&mut self, iv: &[u8]) -> Option<()> {
        let iv: &Iv<C> = iv.try_into().ok()?;
        self.cipher = Some(C::new(&self.key, iv));
        Some(())
    }

    fn process(&mut self, message: &[u8], out: &mut [u8]) -> Option<()> {
        self.cipher.as_mut()?.try_apply_keystream_b2b(message, out).ok()
    }
}

/// A row: the name on our side, the crate and the constant with its version, and what it is made of.
macro_rules! row {
    ($name:literal, $crate_name:literal, $version:literal, $stateless:literal, $subject:expr) => {
        Row {
            name: $name,
            version: concat!($crate_name, " ", env!($version)),
            stateless: $stateless,
            make: || Box::new($subject),
        }
    };
}
pub(crate) use row;

macro_rules! ctr {
    ($name:literal, $crate_name:literal, $version:literal, $block:ty) => {
        row!(
            $name,
            $crate_name,
            $version,
            false,
            Blocks::<$block, Ctr128BE<&'static $block>> { mode: None, block: None }
        )
    };
}

macro_rules! cfb {
    ($name:literal, $crate_name:literal, $version:literal, $block:ty) => {
        row!(
            $name,
            $crate_name,
            $version,
            false,
            Blocks::<$block, BufEncryptor<&'static $block>> { mode: None, block: None }
        )
    };
}

macro_rules! stream {
    ($name:literal, $crate_name:literal, $version:literal, $cipher:ty) => {
        row!($name, $crate_name, $version, true, Stream::<$cipher> { key: Array::default(), cipher: None })
    };
}

pub(crate) static ROWS: &[Row] = &[
    ctr!("aes-128-ctr", "aes", "VERSION_AES", aes::Aes128),
    ctr!("aes-192-ctr", "aes", "VERSION_AES", aes::Aes192),
    ctr!("aes-256-ctr", "aes", "VERSION_AES", aes::Aes256),
    cfb!("aes-128-cfb", "aes", "VERSION_AES", aes::Aes128),
    cfb!("aes-192-cfb", "aes", "VERSION_AES", aes::Aes192),
    cfb!("aes-256-cfb", "aes", "VERSION_AES", aes::Aes256),
    ctr!("aria-128-ctr", "aria", "VERSION_ARIA", aria::Aria128),
    ctr!("aria-192-ctr", "aria", "VERSION_ARIA", aria::Aria192),
    ctr!("aria-256-ctr", "aria", "VERSION_ARIA", aria::Aria256),
    stream!("chacha20", "chacha20", "VERSION_CHACHA20", chacha20::ChaCha20),
    stream!("rabbit", "rabbit", "VERSION_RABBIT", rabbit::Rabbit),
    stream!("salsa20", "salsa20", "VERSION_SALSA20", salsa20::Salsa20),
    stream!("salsa20-12", "salsa20", "VERSION_SALSA20", salsa20::Salsa12),
    stream!("salsa20-8", "salsa20", "VERSION_SALSA20", salsa20::Salsa8),
];
