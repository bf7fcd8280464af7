// SPDX-License-Identifier: Apache-2.0 OR MIT
//! AEADs: messages whole, in the crates' interface with buffers of the caller.

use crate::stream::row;
use crate::{Row, Subject};
use aes_gcm::AesGcm;
use aes_gcm::aead::consts::{U12, U16};
use aes_gcm::aead::inout::InOutBuf;
use aes_gcm::aead::{AeadInOut, KeyInit};
use aes_gcm::aes::{Aes128, Aes192, Aes256};
use ccm::Ccm;

struct Sealing<A>(Option<A>);

impl<A: AeadInOut + KeyInit> Subject for Sealing<A> {
    fn key(&mut self, key: &[u8]) -> Option<()> {
        self.0 = Some(A::new_from_slice(key).ok()?);
        Some(())
    }

    fn seal(&mut self, nonce: &[u8], message: &[u8], out: &mut [u8]) -> Option<()> {
        let (text, tag) = out.split_at_mut(message.len());
        let both = InOutBuf::new(message, text).ok()?;
        let made = self.0.as_ref()?.encrypt_inout_detached(nonce.try_into().ok()?, b"", both).ok()?;
        tag.copy_from_slice(&made);
        Some(())
    }
}

macro_rules! aead {
    ($name:literal, $crate_name:literal, $version:literal, $stateless:literal, $aead:ty) => {
        row!($name, $crate_name, $version, $stateless, Sealing::<$aead>(None))
    };
}

/// With the nonces of 12 bytes and tags of 16 that `runnel speed` measures.
type LongCcm<B> = Ccm<B, U16, U12>;

pub(crate) static ROWS: &[Row] = &[
    aead!("aes-128-ccm", "ccm", "VERSION_CCM", false, LongCcm<Aes128>),
    aead!("aes-192-ccm", "ccm", "VERSION_CCM", false, LongCcm<Aes192>),
    aead!("aes-256-ccm", "ccm", "VERSION_CCM", false, LongCcm<Aes256>),
    aead!("aes-128-gcm", "aes-gcm", "VERSION_AES_GCM", false, AesGcm<Aes128, U12>),
    aead!("aes-192-gcm", "aes-gcm", "VERSION_AES_GCM", false, AesGcm<Aes192, U12>),
    aead!("aes-256-gcm", "aes-gcm", "VERSION_AES_GCM", false, AesGcm<Aes256, U12>),
    aead!("aria-128-gcm", "aes-gcm", "VERSION_AES_GCM", false, AesGcm<aria::Aria128, U12>),
    aead!("aria-192-gcm", "aes-gcm", "VERSION_AES_GCM", false, AesGcm<aria::Aria192, U12>),
    aead!("aria-256-gcm", "aes-gcm", "VERSION_AES_GCM", false, AesGcm<aria::Aria256, U12>),
    aead!("aes-128-gcm-siv", "aes-gcm-siv", "VERSION_AES_GCM_SIV", false, aes_gcm_siv::Aes128GcmSiv),
    aead!("aes-256-gcm-siv", "aes-gcm-siv", "VERSION_AES_GCM_SIV", false, aes_gcm_siv::Aes256GcmSiv),
    aead!("aes-128-siv", "aes-siv", "VERSION_AES_SIV", true, aes_siv::Aes128SivAead),
    aead!("aes-256-siv", "aes-siv", "VERSION_AES_SIV", true, aes_siv::Aes256SivAead),
    aead!("ascon-aead128", "ascon-aead128", "VERSION_ASCON_AEAD128", true, ascon_aead128::AsconAead128),
    aead!(
        "chacha20-poly1305",
        "chacha20poly1305",
        "VERSION_CHACHA20POLY1305",
        true,
        chacha20poly1305::ChaCha20Poly1305
    ),
    aead!(
        "xchacha20-poly1305",
        "chacha20poly1305",
        "VERSION_CHACHA20POLY1305",
        true,
        chacha20poly1305::XChaCha20Poly1305
    ),
];
