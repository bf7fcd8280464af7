// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Nanoseconds of a message, sealed by this crate and by RustCrypto's, in turns, each the least of many:
//! `cargo run --release --example speed`.

use std::hint::black_box;
use std::time::Instant;

use cipher::{KeyIvInit, StreamCipher};
use runnel::aead::consts::{U8, U13};
use runnel::aead::{AeadInOut, KeyInit};

const TURNS: usize = 200;

/// The least time of each of two works, in nanoseconds.
fn least(mut ours: impl FnMut(), mut theirs: impl FnMut(), repeat: u32) -> (f64, f64) {
    let timed = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        (0..repeat).for_each(|_| work());
        start.elapsed().as_nanos() as f64 / f64::from(repeat)
    };
    (0..TURNS).fold((f64::MAX, f64::MAX), |(a, b), _| (a.min(timed(&mut ours)), b.min(timed(&mut theirs))))
}

fn row(name: &str, bytes: usize, (ours, theirs): (f64, f64)) {
    println!("{name:24} {bytes:>6} bytes {ours:>9.0} ns {theirs:>9.0} ns   {:.2} times as fast", theirs / ours);
}

fn aead<Ours: AeadInOut + KeyInit, Theirs: AeadInOut + KeyInit>(name: &str, bytes: usize) {
    let key = vec![1; Ours::key_size()];
    let (ours, theirs) = (Ours::new_from_slice(&key).unwrap(), Theirs::new_from_slice(&key).unwrap());
    let (mut one, mut other) = (vec![2; bytes], vec![2; bytes]);
    let (nonce, their_nonce) = (Default::default(), Default::default());
    let seal_ours = || _ = black_box(ours.encrypt_inout_detached(&nonce, b"header", (&mut one[..]).into()));
    let seal_theirs = || _ = black_box(theirs.encrypt_inout_detached(&their_nonce, b"header", (&mut other[..]).into()));
    row(name, bytes, least(seal_ours, seal_theirs, (20_000 / bytes as u32).max(1)));
}

fn stream<Ours: KeyIvInit + StreamCipher, Theirs: KeyIvInit + StreamCipher>(name: &str, bytes: usize) {
    let (key, iv) = (vec![1; Ours::key_size()], vec![2; Ours::iv_size()]);
    let mut ours = Ours::new_from_slices(&key, &iv).unwrap();
    let mut theirs = Theirs::new_from_slices(&key, &iv).unwrap();
    let (mut one, mut other) = (vec![3; bytes], vec![3; bytes]);
    let repeat = (20_000 / bytes as u32).max(1);
    row(
        name,
        bytes,
        least(|| ours.apply_keystream(black_box(&mut one)), || theirs.apply_keystream(black_box(&mut other)), repeat),
    );
}

fn main() {
    println!("{:24} {:>12} {:>12} {:>12}", "", "", "runnel", "RustCrypto");
    for bytes in [64, 1500, 65536] {
        stream::<runnel::Ctr128BE<runnel::Aes128>, ctr::Ctr128BE<aes::Aes128>>("aes-128-ctr", bytes);
        stream::<runnel::ChaCha20, chacha20::ChaCha20>("chacha20", bytes);
        stream::<runnel::Salsa20, salsa20::Salsa20>("salsa20", bytes);
        stream::<runnel::Rabbit, rabbit::Rabbit>("rabbit", bytes);
        stream::<runnel::Ctr128BE<runnel::Aria128>, ctr::Ctr128BE<aria::Aria128>>("aria-128-ctr", bytes);
        aead::<runnel::Aes128Gcm, aes_gcm::Aes128Gcm>("aes-128-gcm", bytes);
        aead::<runnel::Ccm<runnel::Aes128, U8, U13>, ccm::Ccm<aes::Aes128, U8, U13>>("aes-128-ccm", bytes.min(60_000));
        aead::<runnel::Aes256GcmSiv, aes_gcm_siv::Aes256GcmSiv>("aes-256-gcm-siv", bytes);
        aead::<runnel::ChaCha20Poly1305, chacha20poly1305::ChaCha20Poly1305>("chacha20-poly1305", bytes);
        aead::<runnel::AsconAead128, ascon_aead::AsconAead128>("ascon-aead128", bytes);
    }
}
