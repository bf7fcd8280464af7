// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The library's algorithms, a row each: sizes in bytes, and the C library's contexts.

use core::ffi::c_int;

use aead::TagPosition;
use cipher::consts::{U8, U10, U12, U16, U24, U32, U48, U64};
use runnel_sys as sys;

use crate::authenticated::{Aead, AeadSpec, CcmCipher, GcmCipher};
use crate::context::Sealed;
use crate::stream::{BlockCipher, Seekable, Stream, StreamSpec};

macro_rules! block_ciphers {
    ($($(#[$doc:meta])* $name:ident, $text:literal, key $key:ty, block $block:ty, $ctr:ident
        $(, $gcm:ident, $gcm_alias:ident, $ccm:ident)?;)*) => { $(
        $(#[$doc])*
        #[derive(Debug)]
        pub enum $name {}
        impl Sealed for $name {}
        impl BlockCipher for $name {
            type CtrContext = sys::$ctr;
            type KeySize = $key;
            type BlockSize = $block;
            const CTR_NAME: &'static str = concat!($text, "-ctr");
        }
        $(
            impl GcmCipher for $name {
                type GcmContext = sys::$gcm;
                type KeySize = $key;
                const GCM_NAME: &'static str = concat!($text, "-gcm");
            }
            impl CcmCipher for $name {
                type CcmContext = sys::$ccm;
                type KeySize = $key;
                const CCM_NAME: &'static str = concat!($text, "-ccm");
            }
            #[doc = concat!("`", $text, "-gcm`, with nonces of 12 bytes and tags of 16; others by [`Gcm`](crate::Gcm).")]
            pub type $gcm_alias = crate::Gcm<$name>;
        )?
    )* };
}

macro_rules! stream_ciphers {
    ($($(#[$doc:meta])* $name:ident, $spec:ident, $text:literal, key $key:ty, iv $iv:ty, $context:ident
        $(, $seekable:ident)?;)*) => { $(
        #[doc = concat!("See [`", stringify!($name), "`].")]
        #[derive(Debug)]
        pub enum $spec {}
        impl Sealed for $spec {}
        impl StreamSpec for $spec {
            type Context = sys::$context;
            type KeySize = $key;
            type IvSize = $iv;
            const LAYOUT: c_int = sys::RUNNEL_LAYOUT_DEFAULT;
            const NAME: &'static str = $text;
        }
        $(impl $seekable for $spec {})?
        $(#[$doc])*
        pub type $name = Stream<$spec>;
    )* };
}

macro_rules! aeads {
    ($($(#[$doc:meta])* $name:ident, $spec:ident, $text:literal, key $key:ty, nonce $nonce:ty, tag $tag:ty, $position:ident,
        $context:ident;)*) => { $(
        #[doc = concat!("See [`", stringify!($name), "`].")]
        #[derive(Debug)]
        pub enum $spec {}
        impl Sealed for $spec {}
        impl AeadSpec for $spec {
            type Context = sys::$context;
            type KeySize = $key;
            type NonceSize = $nonce;
            type TagSize = $tag;
            const TAG_POSITION: TagPosition = TagPosition::$position;
            const NAME: &'static str = $text;
        }
        $(#[$doc])*
        pub type $name = Aead<$spec>;
    )* };
}

block_ciphers! {
    /// AES with keys of 16 bytes (FIPS 197).
    Aes128, "aes-128", key U16, block U16, runnel_aes_ctr, runnel_aes_gcm, Aes128Gcm, runnel_aes_ccm;
    /// AES with keys of 24 bytes.
    Aes192, "aes-192", key U24, block U16, runnel_aes_ctr, runnel_aes_gcm, Aes192Gcm, runnel_aes_ccm;
    /// AES with keys of 32 bytes.
    Aes256, "aes-256", key U32, block U16, runnel_aes_ctr, runnel_aes_gcm, Aes256Gcm, runnel_aes_ccm;
    /// ARIA with keys of 16 bytes (RFC 5794).
    Aria128, "aria-128", key U16, block U16, runnel_aria_ctr, runnel_aria_gcm, Aria128Gcm, runnel_aria_ccm;
    /// ARIA with keys of 24 bytes.
    Aria192, "aria-192", key U24, block U16, runnel_aria_ctr, runnel_aria_gcm, Aria192Gcm, runnel_aria_ccm;
    /// ARIA with keys of 32 bytes.
    Aria256, "aria-256", key U32, block U16, runnel_aria_ctr, runnel_aria_gcm, Aria256Gcm, runnel_aria_ccm;
    /// LEA with keys of 16 bytes (KS X 3246, ISO/IEC 29192-2).
    Lea128, "lea-128", key U16, block U16, runnel_lea_ctr, runnel_lea_gcm, Lea128Gcm, runnel_lea_ccm;
    /// LEA with keys of 24 bytes.
    Lea192, "lea-192", key U24, block U16, runnel_lea_ctr, runnel_lea_gcm, Lea192Gcm, runnel_lea_ccm;
    /// LEA with keys of 32 bytes.
    Lea256, "lea-256", key U32, block U16, runnel_lea_ctr, runnel_lea_gcm, Lea256Gcm, runnel_lea_ccm;
    /// SEED, keys of 16 bytes (RFC 4269). Legacy.
    Seed, "seed", key U16, block U16, runnel_seed_ctr, runnel_seed_gcm, SeedGcm, runnel_seed_ccm;
    /// HIGHT, keys of 16 bytes, blocks of 8 (TTAS.KO-12.0040), in KISA's byte order: reverse what ISO
    /// prints. Legacy: change the key long before 2^32 blocks.
    Hight, "hight", key U16, block U8, runnel_hight_ctr;
}

stream_ciphers! {
    /// ChaCha20 (RFC 8439). The counter begins at 0: the RFC's counter 1 is position 64. 2^38 bytes for each IV.
    ChaCha20, ChaCha20Spec, "chacha20", key U32, iv U12, runnel_chacha20, Seekable;
    /// Salsa20 with keys of 32 bytes (Bernstein 2005).
    Salsa20, Salsa20Spec, "salsa20", key U32, iv U8, runnel_salsa20, Seekable;
    /// Salsa20 with 12 rounds, the eSTREAM portfolio's choice.
    Salsa12, Salsa12Spec, "salsa20-12", key U32, iv U8, runnel_salsa20_12, Seekable;
    /// Salsa20 with 8 rounds. Legacy.
    Salsa8, Salsa8Spec, "salsa20-8", key U32, iv U8, runnel_salsa20_8, Seekable;
    /// Rabbit (RFC 4503), in eSTREAM's byte order: reverse what the RFC prints. Legacy.
    Rabbit, RabbitSpec, "rabbit", key U16, iv U8, runnel_rabbit;
    /// HC-128 (Wu 2004): reverse the bytes of each word that the paper prints. Legacy: each IV costs as much as
    /// several KiB of keystream.
    Hc128, Hc128Spec, "hc-128", key U16, iv U16, runnel_hc128;
    /// SOSEMANUK with keys of 16 bytes (Berbain and others 2005). Legacy.
    Sosemanuk128, Sosemanuk128Spec, "sosemanuk", key U16, iv U16, runnel_sosemanuk;
    /// SOSEMANUK with keys of 32 bytes, and security of 128 bits. Legacy.
    Sosemanuk256, Sosemanuk256Spec, "sosemanuk", key U32, iv U16, runnel_sosemanuk;
    /// Trivium (ISO/IEC 29192-3). Legacy: a key of 80 bits is too short for lasting secrets.
    Trivium, TriviumSpec, "trivium", key U10, iv U10, runnel_trivium;
    /// Grain-128 of eSTREAM's phase 3: reverse the bits of each byte that the paper prints. Legacy: for new
    /// work [`Grain128Aead`].
    Grain128, Grain128Spec, "grain-128", key U16, iv U12, runnel_grain128;
}

aeads! {
    /// ChaCha20-Poly1305 (RFC 8439).
    ChaCha20Poly1305, ChaCha20Poly1305Spec, "chacha20-poly1305", key U32, nonce U12, tag U16, Postfix,
        runnel_chacha20_poly1305;
    /// XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha): nonces may be drawn at random.
    XChaCha20Poly1305, XChaCha20Poly1305Spec, "xchacha20-poly1305", key U32, nonce U24, tag U16, Postfix,
        runnel_xchacha20_poly1305;
    /// XAES-256-GCM (C2SP): AES-256-GCM whose nonces may be drawn at random.
    Xaes256Gcm, Xaes256GcmSpec, "xaes-256-gcm", key U32, nonce U24, tag U16, Postfix, runnel_xaes_256_gcm;
    /// AES-128-GCM-SIV (RFC 8452): a nonce that comes twice tells only whether the messages are equal.
    Aes128GcmSiv, Aes128GcmSivSpec, "aes-128-gcm-siv", key U16, nonce U12, tag U16, Postfix, runnel_aes_gcm_siv;
    /// AES-256-GCM-SIV.
    Aes256GcmSiv, Aes256GcmSivSpec, "aes-256-gcm-siv", key U32, nonce U12, tag U16, Postfix, runnel_aes_gcm_siv;
    /// AES-SIV (RFC 5297) with two AES-128 keys in one of 32 bytes; the tag comes before the ciphertext.
    Aes128SivAead, Aes128SivAeadSpec, "aes-128-siv", key U32, nonce U16, tag U16, Prefix, runnel_aes_siv;
    /// AES-SIV with two AES-192 keys.
    Aes192SivAead, Aes192SivAeadSpec, "aes-192-siv", key U48, nonce U16, tag U16, Prefix, runnel_aes_siv;
    /// AES-SIV with two AES-256 keys.
    Aes256SivAead, Aes256SivAeadSpec, "aes-256-siv", key U64, nonce U16, tag U16, Prefix, runnel_aes_siv;
    /// AEGIS-128L (RFC 10032) with tags of 16 bytes. A nonce that comes twice gives messages away.
    Aegis128L, Aegis128LSpec, "aegis-128l", key U16, nonce U16, tag U16, Postfix, runnel_aegis_128l;
    /// AEGIS-128L with tags of 32 bytes.
    Aegis128LLongTag, Aegis128LLongTagSpec, "aegis-128l", key U16, nonce U16, tag U32, Postfix, runnel_aegis_128l;
    /// AEGIS-256 (RFC 10032) with tags of 16 bytes: nonces may be drawn at random.
    Aegis256, Aegis256Spec, "aegis-256", key U32, nonce U32, tag U16, Postfix, runnel_aegis_256;
    /// AEGIS-256 with tags of 32 bytes.
    Aegis256LongTag, Aegis256LongTagSpec, "aegis-256", key U32, nonce U32, tag U32, Postfix, runnel_aegis_256;
    /// Ascon-AEAD128 (SP 800-232), for small nodes.
    AsconAead128, AsconAead128Spec, "ascon-aead128", key U16, nonce U16, tag U16, Postfix, runnel_ascon_aead128;
    /// Grain-128AEADv2, finalist of NIST's lightweight competition.
    Grain128Aead, Grain128AeadSpec, "grain-128aead-v2", key U16, nonce U12, tag U8, Postfix, runnel_grain128aead;
}
