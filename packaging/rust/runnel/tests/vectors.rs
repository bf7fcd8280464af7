// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Published bytes through every type. The files are written when the crate is packed, of the vectors of the C library.

use std::collections::BTreeMap;
use std::fs;

use cipher::consts::*;
use cipher::dev::stream::{TestVector, stream_cipher_test};
use cipher::{KeyIvInit, StreamCipher};
use runnel::aead::{AeadInOut, KeyInit, dev};
use runnel::*;

fn bytes(hex: &str) -> &'static [u8] {
    let text = if hex == "-" { "" } else { hex };
    (0..text.len() / 2).map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap()).collect::<Vec<_>>().leak()
}

/// The lines of a file without comments, in words.
fn lines(name: &str) -> Vec<Vec<String>> {
    let path = format!("{}/tests/vectors/{name}", env!("CARGO_MANIFEST_DIR"));
    let text =
        fs::read_to_string(&path).unwrap_or_else(|why| panic!("{path}: {why}; it comes when the crate is packed"));
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split(' ').map(str::to_owned).collect())
        .collect()
}

/// Returns whether the vector is of this type, and not of a shorter IV.
fn stream<C: KeyIvInit + StreamCipher>(line: &[String]) -> bool {
    let [_, _, key, iv, input, output] = line else { panic!("{line:?}") };
    if (bytes(key).len(), bytes(iv).len()) != (C::key_size(), C::iv_size()) {
        return false;
    }
    let vector = TestVector { key: bytes(key), iv: bytes(iv), plaintext: bytes(input), ciphertext: bytes(output) };
    stream_cipher_test::<C>(&vector).unwrap_or_else(|why| panic!("{why}: {line:?}"));
    true
}

fn aead<A: AeadInOut + KeyInit>(line: &[String]) -> bool {
    let [_, _, _, result, key, nonce, aad, plaintext, ciphertext] = line else { panic!("{line:?}") };
    if bytes(key).len() != A::key_size() {
        assert!(result == "invalid" && A::new_from_slice(bytes(key)).is_err(), "{line:?}");
        return false;
    }
    let vector = dev::TestVector {
        key: bytes(key),
        nonce: bytes(nonce),
        aad: bytes(aad),
        plaintext: bytes(plaintext),
        ciphertext: bytes(ciphertext),
    };
    let check = if result == "valid" { dev::pass_test::<A> } else { dev::fail_test::<A> };
    check(&vector).unwrap_or_else(|why| panic!("{why}: {line:?}"));
    true
}

type Check = fn(&[String]) -> bool;

/// Runs each line by the check of its first words, and asks that each check has a line.
fn run(name: &str, words: usize, checks: &[(&str, Check)]) {
    let by_name: BTreeMap<_, _> = checks.iter().copied().collect();
    assert_eq!(by_name.len(), checks.len(), "a name twice");
    let mut seen = BTreeMap::<String, usize>::new();
    for line in lines(name) {
        let key = line[..words].join(" ");
        if by_name.get(key.as_str()).is_some_and(|check| check(&line)) {
            *seen.entry(key).or_default() += 1;
        }
    }
    for (key, _) in checks {
        assert!(seen.contains_key(*key), "no vector for {key}");
    }
}

/// By cipher and counter layout.
#[test]
fn streams() {
    run(
        "streams.txt",
        2,
        &[
            ("aes-128-ctr be128", stream::<Ctr128BE<Aes128>>),
            ("aes-192-ctr be128", stream::<Ctr128BE<Aes192>>),
            ("aes-256-ctr be128", stream::<Ctr128BE<Aes256>>),
            ("aes-128-ctr be32", stream::<Ctr32BE<Aes128>>),
            ("aria-128-ctr be128", stream::<Ctr128BE<Aria128>>),
            ("aria-192-ctr be128", stream::<Ctr128BE<Aria192>>),
            ("aria-256-ctr be128", stream::<Ctr128BE<Aria256>>),
            ("lea-128-ctr be128", stream::<Ctr128BE<Lea128>>),
            ("lea-192-ctr be128", stream::<Ctr128BE<Lea192>>),
            ("lea-256-ctr be128", stream::<Ctr128BE<Lea256>>),
            ("seed-ctr be128", stream::<Ctr128BE<Seed>>),
            ("hight-ctr be64", stream::<Ctr64BE<Hight>>),
            ("chacha20 -", stream::<ChaCha20>),
            ("salsa20 -", stream::<Salsa20>),
            ("salsa20-12 -", stream::<Salsa12>),
            ("salsa20-8 -", stream::<Salsa8>),
            ("rabbit -", stream::<Rabbit>),
            ("hc-128 -", stream::<Hc128>),
            ("sosemanuk -", |line| {
                let mut padded = line.to_vec(); // as the specification says of shorter IVs
                padded[3] = format!("{:0<32}", line[3]);
                stream::<Sosemanuk128>(&padded) || stream::<Sosemanuk256>(&padded)
            }),
            ("trivium -", stream::<Trivium>),
            ("grain-128 -", stream::<Grain128>),
        ],
    );
}

/// By AEAD, bytes of its nonce and of its tag.
#[test]
fn aeads() {
    run(
        "aeads.txt",
        3,
        &[
            ("aes-128-gcm 12 16", aead::<Aes128Gcm>),
            ("aes-192-gcm 12 16", aead::<Aes192Gcm>),
            ("aes-256-gcm 12 16", aead::<Aes256Gcm>),
            ("aria-128-gcm 12 16", aead::<Aria128Gcm>),
            ("aria-192-gcm 12 16", aead::<Aria192Gcm>),
            ("aria-256-gcm 12 16", aead::<Aria256Gcm>),
            ("lea-128-gcm 12 16", aead::<Lea128Gcm>),
            ("lea-192-gcm 12 16", aead::<Lea192Gcm>),
            ("lea-256-gcm 12 16", aead::<Lea256Gcm>),
            ("seed-gcm 12 16", aead::<SeedGcm>),
            ("seed-gcm 12 12", aead::<Gcm<Seed, U12, U12>>),
            ("aes-128-ccm 13 8", aead::<Ccm<Aes128, U8, U13>>),
            ("aes-192-ccm 12 16", aead::<Ccm<Aes192, U16, U12>>),
            ("aes-256-ccm 12 16", aead::<Ccm<Aes256, U16, U12>>),
            ("aria-128-ccm 12 16", aead::<Ccm<Aria128, U16, U12>>),
            ("lea-128-ccm 12 16", aead::<Ccm<Lea128, U16, U12>>),
            ("lea-192-ccm 12 16", aead::<Ccm<Lea192, U16, U12>>),
            ("lea-256-ccm 12 16", aead::<Ccm<Lea256, U16, U12>>),
            ("seed-ccm 12 10", aead::<Ccm<Seed, U10, U12>>),
            ("aes-128-gcm-siv 12 16", aead::<Aes128GcmSiv>),
            ("aes-256-gcm-siv 12 16", aead::<Aes256GcmSiv>),
            ("aes-128-siv 16 16", aead::<Aes128SivAead>),
            ("aes-256-siv 16 16", aead::<Aes256SivAead>),
            ("ascon-aead128 16 16", aead::<AsconAead128>),
            ("chacha20-poly1305 12 16", aead::<ChaCha20Poly1305>),
            ("aegis-128l 16 16", aead::<Aegis128L>),
            ("aegis-128l 16 32", aead::<Aegis128LLongTag>),
            ("aegis-256 32 16", aead::<Aegis256>),
            ("aegis-256 32 32", aead::<Aegis256LongTag>),
            ("xaes-256-gcm 24 16", aead::<Xaes256Gcm>),
            ("xchacha20-poly1305 24 16", aead::<XChaCha20Poly1305>),
            ("grain-128aead-v2 12 8", aead::<Grain128Aead>),
        ],
    );
}
