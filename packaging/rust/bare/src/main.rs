// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A program without an operating system's library and without an allocator. It seals a reading, opens it, and refuses a copy
//! with a bit changed. What it has of a system are two calls of Linux on Arm, which the emulator answers.
#![no_std]
#![no_main]

use core::arch::asm;
use core::panic::PanicInfo;

use runnel::aead::consts::{U8, U13};
use runnel::aead::{AeadInOut, KeyInit};
use runnel::cipher::{KeyIvInit, StreamCipher};
use runnel::{Aes128, AsconAead128, Ccm, ChaCha20};

const EXIT: usize = 1;
const WRITE: usize = 4;

fn system(number: usize, a: usize, b: usize, c: usize) {
    // SAFETY: r7 has the call's number, and is the frame's pointer otherwise.
    unsafe {
        asm!("push {{r7}}", "mov r7, {number}", "svc 0", "pop {{r7}}",
            number = in(reg) number, inlateout("r0") a => _, in("r1") b, in("r2") c);
    }
}

fn exit(status: usize) -> ! {
    system(EXIT, status, 0, 0);
    loop {}
}

#[panic_handler]
fn panic(_: &PanicInfo) -> ! {
    exit(1)
}

fn say(name: &str, parts: &[&[u8]]) {
    let digit = |value: u8| b"0123456789abcdef"[usize::from(value)];
    system(WRITE, 1, name.as_ptr() as usize, name.len());
    for byte in parts.iter().flat_map(|part| part.iter()) {
        let text = [digit(byte >> 4), digit(byte & 15)];
        system(WRITE, 1, text.as_ptr() as usize, 2);
    }
    system(WRITE, 1, b"\n".as_ptr() as usize, 1);
}

fn seal<A: AeadInOut + KeyInit>(name: &str) {
    let key = b"sixteen bytes...";
    let aead = A::new_from_slice(key).unwrap();
    let nonce = Default::default();
    let mut reading = *b"21.5 C, 48 %";
    let tag = aead.encrypt_inout_detached(&nonce, b"node 7", (&mut reading[..]).into()).unwrap();
    say(name, &[&reading, &tag]);
    let mut copy = reading;
    copy[3] ^= 1;
    assert!(aead.decrypt_inout_detached(&nonce, b"node 7", (&mut copy[..]).into(), &tag).is_err());
    aead.decrypt_inout_detached(&nonce, b"node 7", (&mut reading[..]).into(), &tag).unwrap();
    assert!(reading == *b"21.5 C, 48 %");
}

#[unsafe(no_mangle)]
extern "C" fn _start() -> ! {
    seal::<AsconAead128>("ascon-aead128 ");
    seal::<Ccm<Aes128, U8, U13>>("aes-128-ccm ");
    let mut keystream = [0; 16];
    ChaCha20::new(b"sixteen bytes...and sixteen more".into(), &[0; 12].into()).apply_keystream(&mut keystream);
    say("chacha20 ", &[&keystream]);
    exit(0)
}
