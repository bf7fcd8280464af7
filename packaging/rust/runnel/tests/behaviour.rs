// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Limits, errors, copies, threads, and what is left in memory.

mod common;

use std::mem::MaybeUninit;
use std::ptr;

use cipher::{KeyIvInit, StreamCipher, StreamCipherSeek, stream_cipher_seek_test};
use common::Random;
use runnel::aead::{Aead as _, AeadInOut, KeyInit};
use runnel::*;

stream_cipher_seek_test!(seeks_aes_128be, Ctr128BE<Aes128>);
stream_cipher_seek_test!(seeks_lea_64le, Ctr64LE<Lea256>);
stream_cipher_seek_test!(seeks_hight, Ctr64BE<Hight>);
stream_cipher_seek_test!(seeks_chacha20, ChaCha20);
stream_cipher_seek_test!(seeks_salsa20, Salsa20);

/// A counter of 32 bits has 2^32 blocks, from whatever it starts.
#[test]
fn the_keystream_ends_before_it_repeats() {
    let mut stream = Ctr32BE::<Aes128>::new(&[1; 16].into(), &[0xfe; 16].into());
    let end = 1_u64 << 36;
    stream.seek(end - 20);
    assert!(stream.check_remaining(20).is_ok());
    assert!(stream.check_remaining(21).is_err());
    let mut data = [7; 21];
    assert!(stream.try_apply_keystream(&mut data).is_err());
    assert!(stream.try_write_keystream(&mut data).is_err());
    assert_eq!((data, stream.current_pos::<u64>()), ([7; 21], end - 20), "an error changes nothing");
    stream.apply_keystream(&mut data[..20]);
    assert_eq!(stream.current_pos::<u64>(), end);
    assert!(stream.try_apply_keystream(&mut data[..1]).is_err());
    assert!(stream.try_seek(end + 1).is_err());
    assert!(stream.try_seek(end).is_ok());
}

#[test]
#[should_panic]
fn even_unchecked_the_keystream_does_not_repeat() {
    let mut stream = ChaCha20::new(&[1; 32].into(), &[2; 12].into());
    stream.seek((1_u64 << 38) - 1);
    stream.unchecked_apply_keystream(&mut [0; 2]);
}

#[test]
fn positions_of_any_type() {
    let mut stream = Salsa20::new(&[1; 32].into(), &[2; 8].into());
    stream.seek(1_u128 << 40);
    assert!(stream.try_current_pos::<u32>().is_err());
    assert_eq!(stream.current_pos::<u128>(), 1 << 40);
    assert!(stream.try_seek(-1_i32).is_err());
    assert!(stream.try_seek(u128::MAX).is_err());
    assert_eq!(stream.current_pos::<u64>(), 1 << 40);
}

#[test]
fn keystream_is_what_zeros_become() {
    let mut stream = Hc128::new(&[1; 16].into(), &[2; 16].into());
    let mut copy = stream.clone();
    let (mut zeros, mut keystream) = ([0; 100], [9; 100]);
    stream.apply_keystream(&mut zeros);
    copy.write_keystream(&mut keystream);
    assert_eq!(zeros, keystream);
}

#[test]
fn a_copy_continues_and_another_iv_starts() {
    let mut stream = Sosemanuk256::new(&[1; 32].into(), &[2; 16].into());
    let mut start = [0; 33];
    stream.apply_keystream(&mut start);
    let (mut one, mut other) = ([0; 50], [0; 50]);
    stream.clone().apply_keystream(&mut one);
    stream.apply_keystream(&mut other);
    assert_eq!(one, other);
    stream.set_iv(&[2; 16].into());
    let mut again = [0; 33];
    stream.apply_keystream(&mut again);
    assert_eq!(again, start);
}

/// Drops a value and looks at its memory: where the key was, and everywhere, are zeros.
fn assert_wiped<T>(value: T, key: &[u8]) {
    let mut place = Box::new(MaybeUninit::new(value));
    let address = place.as_mut_ptr();
    // SAFETY: the box has the memory as long as it is read, byte by byte; the value is dropped once.
    let memory = || -> Vec<u8> {
        (0..size_of::<T>()).map(|at| unsafe { address.cast::<u8>().add(at).read_volatile() }).collect()
    };
    let has_key = |memory: Vec<u8>| memory.windows(8).any(|window| window == &key[..8]);
    assert!(has_key(memory()), "the test looks in the wrong place");
    unsafe { ptr::drop_in_place(address) };
    assert!(memory().iter().all(|&byte| byte == 0));
}

#[test]
fn nothing_of_it_stays_in_memory() {
    let key = Random(7).bytes(32);
    let mut stream = Ctr128BE::<Aes256>::new_from_slices(&key, &[2; 16]).unwrap();
    stream.apply_keystream(&mut [0; 1001]);
    assert_wiped(stream, &key);
    let mut stream = ChaCha20::new_from_slices(&key, &[2; 12]).unwrap();
    stream.apply_keystream(&mut [0; 1001]);
    assert_wiped(stream, &key);
    let aead = Aes256Gcm::new_from_slice(&key).unwrap();
    aead.encrypt(&[2; 12].into(), &[3; 1001][..]).unwrap();
    assert_wiped(aead, &key);
    assert_wiped(AsconAead128::new_from_slice(&key[..16]).unwrap(), &key);
}

#[test]
fn threads_share_a_key() {
    fn shared<A: AeadInOut + KeyInit + Sync + Send>() {
        let aead = A::new_from_slice(&Random(1).bytes(A::key_size())).unwrap();
        let messages = |thread: u64| {
            let mut random = Random(thread);
            (0..300)
                .map(|_| {
                    let mut nonce = runnel::aead::Nonce::<A>::default();
                    nonce[0] = random.word() as u8;
                    let bytes = random.upto(600);
                    let text = random.bytes(bytes);
                    let sealed = aead.encrypt(&nonce, &text[..]).unwrap();
                    assert_eq!(aead.decrypt(&nonce, &sealed[..]).unwrap(), text);
                    sealed
                })
                .collect::<Vec<_>>()
        };
        let alone: Vec<_> = (0..4).map(messages).collect();
        let together: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|thread| scope.spawn(move || messages(thread))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(alone, together);
    }
    shared::<Aes128Gcm>();
    shared::<ChaCha20Poly1305>();
    shared::<Grain128Aead>();
}

#[test]
fn send_and_sync() {
    fn both<T: Send + Sync>() {}
    both::<Ctr32BE<Seed>>();
    both::<Trivium>();
    both::<Ccm<Lea128, cipher::consts::U8, cipher::consts::U13>>();
    both::<XChaCha20Poly1305>();
}

/// With a nonce of 13 bytes a message of CCM has less than 2^16.
#[test]
fn too_long_a_message_is_refused() {
    type Short = Ccm<Aes128, cipher::consts::U16, cipher::consts::U13>;
    let aead = Short::new(&[1; 16].into());
    let nonce = [2; 13].into();
    let mut message = vec![3; 65535];
    assert!(aead.encrypt(&nonce, &message[..]).is_ok());
    message.push(3);
    assert!(aead.encrypt_inout_detached(&nonce, b"", (&mut message[..]).into()).is_err());
    assert!(message.iter().all(|&byte| byte == 3), "an error changes nothing");
}

#[test]
fn too_short_a_ciphertext_is_refused() {
    let aead = Aes128SivAead::new(&[1; 32].into());
    assert!(aead.decrypt(&[2; 16].into(), &[0; 15][..]).is_err());
    let empty = aead.encrypt(&[2; 16].into(), &[][..]).unwrap();
    assert_eq!(empty.len(), 16);
    assert_eq!(aead.decrypt(&[2; 16].into(), &empty[..]).unwrap(), b"");
}

#[test]
fn a_name_and_no_secret_is_shown() {
    let stream = Ctr128BE::<Lea192>::new(&[1; 24].into(), &[2; 16].into());
    assert_eq!(format!("{stream:?}"), "lea-192-ctr { .. }");
    assert_eq!(format!("{:?}", SeedGcm::new(&[1; 16].into())), "seed-gcm { .. }");
    assert!(!stream.kernel().is_empty() && !Aes128Gcm::new(&[1; 16].into()).kernel().is_empty());
    assert!(size_of_val(&stream) >= Ctr128BE::<Lea192>::CONTEXT_BYTES);
}
