// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Threads with the stack that the README names: one that were too small would end the program.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Builder};

use cipher::{KeyIvInit, StreamCipher};
use runnel::aead::array::Array;
use runnel::aead::{AeadInOut, KeyInit};
use runnel::*;

const STACK_BYTES: usize = if cfg!(debug_assertions) { 64 << 10 } else { 48 << 10 };

fn small(work: impl FnOnce() + Send) {
    thread::scope(|scope| Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work).unwrap().join().unwrap());
}

fn message<A: AeadInOut>(aead: &A) {
    let (nonce, mut data) = (Array::default(), [7; 1500]);
    let tag = aead.encrypt_inout_detached(&nonce, b"header", (&mut data[..]).into()).unwrap();
    aead.decrypt_inout_detached(&nonce, b"header", (&mut data[..]).into(), &tag).unwrap();
    assert_eq!(data, [7; 1500]);
}

#[test]
fn an_aead_is_made_and_used() {
    fn used<A: AeadInOut + KeyInit>() {
        small(|| message(&A::new(&Array::default())));
        small(|| message(&*Box::new(A::new(&Array::default()))));
    }
    used::<Aes256Gcm>();
    used::<Aes256GcmSiv>();
    used::<Aes256SivAead>();
    used::<Xaes256Gcm>();
    used::<Gcm<Aria256>>();
    used::<Gcm<Seed>>();
    used::<ChaCha20Poly1305>();
}

/// Some of these messages come while another thread works in the context.
#[test]
fn a_context_of_its_own_fits_too() {
    let (aead, done) = (Aes256Gcm::new(&Array::default()), AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                aead.encrypt_inout_detached(&Array::default(), b"", (&mut [0; 20000][..]).into()).unwrap();
            }
        });
        small(|| (0..300).for_each(|_| message(&aead)));
        done.store(true, Ordering::Relaxed);
    });
}

#[test]
fn a_stream_is_made_and_used() {
    fn used<S: StreamCipher + KeyIvInit>() {
        small(|| S::new(&Array::default(), &Array::default()).apply_keystream(&mut [0; 1500]));
    }
    used::<Ctr128BE<Aes256>>();
    used::<Ctr32BE<Aria256>>();
    used::<Hc128>();
    used::<Sosemanuk256>();
}
