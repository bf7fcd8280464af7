// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The same bytes as RustCrypto's own crates: random keys, nonces, lengths and pieces, from random positions, in place and
//! from buffer to buffer; and no forgery is opened.

mod common;

use aead::inout::InOutBuf;
use aead::{AeadInOut, KeyInit};
use cipher::{KeyIvInit, StreamCipher, StreamCipherSeek};
use common::Random;

const MESSAGES: usize = 60;

/// Applies the keystream in random pieces, in place and not in turn.
fn in_pieces(random: &mut Random, cipher: &mut impl StreamCipher, text: &[u8]) -> Vec<u8> {
    let mut out = random.bytes(text.len());
    let mut at = 0;
    while at < text.len() {
        let piece = at..(at + 1 + random.upto(400)).min(text.len());
        if random.word() & 1 == 0 {
            cipher.apply_keystream_b2b(&text[piece.clone()], &mut out[piece.clone()]);
        } else {
            out[piece.clone()].copy_from_slice(&text[piece.clone()]);
            cipher.apply_keystream(&mut out[piece.clone()]);
        }
        at = piece.end;
    }
    out
}

fn same_stream<Ours: KeyIvInit + StreamCipher, Theirs: KeyIvInit + StreamCipher>(seed: u64) {
    let mut random = Random(seed);
    for _ in 0..MESSAGES {
        let key = random.bytes(Ours::key_size());
        let mut iv = random.bytes(Ours::iv_size());
        if random.word() & 1 == 0 {
            iv.fill(0xff); // counters wrap at once, each inside its field
        }
        let bytes = random.upto(5000);
        let text = random.bytes(bytes);
        let mut ours = Ours::new_from_slices(&key, &iv).unwrap();
        let mut expected = text.clone();
        Theirs::new_from_slices(&key, &iv).unwrap().apply_keystream(&mut expected);
        assert_eq!(in_pieces(&mut random, &mut ours, &text), expected, "{bytes} bytes, seed {seed}");
    }
}

fn same_seekable<Ours, Theirs>(seed: u64)
where
    Ours: KeyIvInit + StreamCipher + StreamCipherSeek,
    Theirs: KeyIvInit + StreamCipher + StreamCipherSeek,
{
    same_stream::<Ours, Theirs>(seed);
    let mut random = Random(seed);
    let (key, iv) = (random.bytes(Ours::key_size()), random.bytes(Ours::iv_size()));
    let mut ours = Ours::new_from_slices(&key, &iv).unwrap();
    let mut theirs = Theirs::new_from_slices(&key, &iv).unwrap();
    for _ in 0..MESSAGES {
        let position = random.upto(1 << 35) as u64;
        ours.seek(position);
        theirs.seek(position);
        let mut found = vec![0; random.upto(700)];
        let mut expected = found.clone();
        ours.apply_keystream(&mut found);
        theirs.apply_keystream(&mut expected);
        assert_eq!(found, expected, "from position {position}, seed {seed}");
        assert_eq!(ours.current_pos::<u64>(), position + found.len() as u64);
    }
}

fn same_aead<Ours: AeadInOut + KeyInit, Theirs: AeadInOut + KeyInit>(seed: u64) {
    let mut random = Random(seed);
    for message in 0..MESSAGES {
        let key = random.bytes(Ours::key_size());
        let (ours, theirs) = (Ours::new_from_slice(&key).unwrap(), Theirs::new_from_slice(&key).unwrap());
        let mut nonce = aead::Nonce::<Ours>::default();
        let bytes = nonce.len();
        nonce.copy_from_slice(&random.bytes(bytes));
        let their_nonce = (&nonce[..]).try_into().unwrap();
        let bytes = random.upto(5000);
        let text = random.bytes(bytes);
        let bytes = random.upto(300);
        let header = random.bytes(bytes);

        let mut sealed = text.clone();
        AeadInOut::encrypt_in_place(&ours, &nonce, &header, &mut sealed).unwrap();
        let mut expected = text.clone();
        AeadInOut::encrypt_in_place(&theirs, their_nonce, &header, &mut expected).unwrap();
        assert_eq!(sealed, expected, "message {message}, seed {seed}");
        let mut opened = sealed.clone();
        AeadInOut::decrypt_in_place(&ours, &nonce, &header, &mut opened).unwrap();
        assert_eq!(opened, text);

        // From buffer to buffer; then with one bit wrong somewhere.
        let mut out = random.bytes(text.len());
        let tag = ours.encrypt_inout_detached(&nonce, &header, InOutBuf::new(&text, &mut out).unwrap()).unwrap();
        let mut back = random.bytes(text.len());
        ours.decrypt_inout_detached(&nonce, &header, InOutBuf::new(&out, &mut back).unwrap(), &tag).unwrap();
        assert_eq!(back, text);
        let at = random.upto(sealed.len() - 1);
        sealed[at] ^= 1 << random.upto(7);
        let whole = sealed.len();
        assert!(AeadInOut::decrypt_in_place(&ours, &nonce, &header, &mut sealed).is_err(), "a changed byte {at}");
        let text_part = match Ours::TAG_POSITION {
            aead::TagPosition::Prefix => whole - text.len()..whole,
            aead::TagPosition::Postfix => 0..text.len(),
        };
        assert!(sealed[text_part].iter().all(|&byte| byte == 0), "what is not authentic leaves zeros");
        let mut wrong = tag.clone();
        wrong[0] ^= 1;
        assert!(ours.decrypt_inout_detached(&nonce, &header, InOutBuf::new(&out, &mut back).unwrap(), &wrong).is_err());
    }
}

macro_rules! peers {
    ($($same:ident { $($name:ident, $ours:ty, $theirs:ty;)* })*) => { $($(
        #[test]
        fn $name() {
            // Every pair has a seed of its own, made of its name.
            $same::<$ours, $theirs>(stringify!($name).bytes().fold(0, |sum, byte| sum.wrapping_mul(31) + u64::from(byte)));
        }
    )*)* };
}

use aead::consts::*;

peers! {
    same_seekable {
        aes_128_ctr_128be, runnel::Ctr128BE<runnel::Aes128>, ctr::Ctr128BE<aes::Aes128>;
        aes_192_ctr_128be, runnel::Ctr128BE<runnel::Aes192>, ctr::Ctr128BE<aes::Aes192>;
        aes_256_ctr_128be, runnel::Ctr128BE<runnel::Aes256>, ctr::Ctr128BE<aes::Aes256>;
        aes_128_ctr_64be, runnel::Ctr64BE<runnel::Aes128>, ctr::Ctr64BE<aes::Aes128>;
        aes_256_ctr_32be, runnel::Ctr32BE<runnel::Aes256>, ctr::Ctr32BE<aes::Aes256>;
        aes_128_ctr_128le, runnel::Ctr128LE<runnel::Aes128>, ctr::Ctr128LE<aes::Aes128>;
        aes_192_ctr_64le, runnel::Ctr64LE<runnel::Aes192>, ctr::Ctr64LE<aes::Aes192>;
        aes_256_ctr_32le, runnel::Ctr32LE<runnel::Aes256>, ctr::Ctr32LE<aes::Aes256>;
        aria_128_ctr, runnel::Ctr128BE<runnel::Aria128>, ctr::Ctr128BE<aria::Aria128>;
        aria_192_ctr, runnel::Ctr64BE<runnel::Aria192>, ctr::Ctr64BE<aria::Aria192>;
        aria_256_ctr, runnel::Ctr32BE<runnel::Aria256>, ctr::Ctr32BE<aria::Aria256>;
        chacha20_ietf, runnel::ChaCha20, chacha20::ChaCha20;
        salsa20_20, runnel::Salsa20, salsa20::Salsa20;
        salsa20_12, runnel::Salsa12, salsa20::Salsa12;
        salsa20_8, runnel::Salsa8, salsa20::Salsa8;
    }

    same_stream {
        rabbit_with_iv, runnel::Rabbit, rabbit::Rabbit;
    }

    same_aead {
        aes_128_gcm, runnel::Aes128Gcm, aes_gcm::Aes128Gcm;
        aes_192_gcm, runnel::Aes192Gcm, aes_gcm::AesGcm<aes::Aes192, U12>;
        aes_256_gcm, runnel::Aes256Gcm, aes_gcm::Aes256Gcm;
        aes_256_gcm_other_sizes, runnel::Gcm<runnel::Aes256, U7, U13>, aes_gcm::AesGcm<aes::Aes256, U7, U13>;
        aes_128_gcm_long_nonce, runnel::Gcm<runnel::Aes128, U32, U12>, aes_gcm::AesGcm<aes::Aes128, U32, U12>;
        aria_128_gcm, runnel::Aria128Gcm, aes_gcm::AesGcm<aria::Aria128, U12>;
        aria_192_gcm, runnel::Aria192Gcm, aes_gcm::AesGcm<aria::Aria192, U12>;
        aria_256_gcm, runnel::Aria256Gcm, aes_gcm::AesGcm<aria::Aria256, U12>;
        aes_128_ccm_8_13, runnel::Ccm<runnel::Aes128, U8, U13>, ccm::Ccm<aes::Aes128, U8, U13>;
        aes_192_ccm_4_11, runnel::Ccm<runnel::Aes192, U4, U11>, ccm::Ccm<aes::Aes192, U4, U11>;
        aes_256_ccm_16_12, runnel::Ccm<runnel::Aes256, U16, U12>, ccm::Ccm<aes::Aes256, U16, U12>;
        aria_128_ccm_10_12, runnel::Ccm<runnel::Aria128, U10, U12>, ccm::Ccm<aria::Aria128, U10, U12>;
        aria_256_ccm_16_7, runnel::Ccm<runnel::Aria256, U16, U7>, ccm::Ccm<aria::Aria256, U16, U7>;
        aes_128_gcm_siv, runnel::Aes128GcmSiv, aes_gcm_siv::Aes128GcmSiv;
        aes_256_gcm_siv, runnel::Aes256GcmSiv, aes_gcm_siv::Aes256GcmSiv;
        aes_128_siv, runnel::Aes128SivAead, aes_siv::Aes128SivAead;
        aes_256_siv, runnel::Aes256SivAead, aes_siv::Aes256SivAead;
        chacha20_poly1305, runnel::ChaCha20Poly1305, chacha20poly1305::ChaCha20Poly1305;
        xchacha20_poly1305, runnel::XChaCha20Poly1305, chacha20poly1305::XChaCha20Poly1305;
        ascon_aead128, runnel::AsconAead128, ascon_aead::AsconAead128;
    }
}
