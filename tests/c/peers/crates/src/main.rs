// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Answers the lines of child.c with what crates make.

use ascon_aead128::AsconAead128;
use ascon_aead128::aead::{AeadInOut, KeyInit};
use std::io::{BufRead, Write};
use trivium::{BitOrder, PackOrder, Trivium};

fn bytes(field: &str) -> Vec<u8> {
    let digits = &field[1..];
    (0..digits.len() / 2)
        .map(|i| u8::from_str_radix(&digits[2 * i..2 * i + 2], 16).expect("hexadecimal"))
        .collect()
}

fn field(bytes: &[u8]) -> String {
    bytes.iter().fold(String::from("x"), |text, byte| text + &format!("{byte:02x}"))
}

/// The crate puts the first bit that it reads into cell 1; eSTREAM's Trivium has the last one of key and IV there.
fn backwards(data: Vec<u8>) -> Vec<u8> {
    data.into_iter().rev().chain(std::iter::repeat(0)).take(10).collect()
}

fn xor(f: &[&str]) -> Option<String> {
    if f[1] != "trivium" || f[4] != "0" {
        return None;
    }
    let (key, iv) = (backwards(bytes(f[2])), backwards(bytes(f[3])));
    Some(field(&Trivium::new(&key, &iv, BitOrder::Msb, PackOrder::Lsb).xor_bytes(&bytes(f[5]))))
}

fn seal(f: &[&str]) -> Option<String> {
    let (key, nonce, aad, mut text) = (bytes(f[2]), bytes(f[3]), bytes(f[4]), bytes(f[5]));
    if f[1] != "ascon-aead128" || f[6] != "16" {
        return None;
    }
    let cipher = AsconAead128::new_from_slice(&key).ok()?;
    let nonce = nonce.as_slice().try_into().ok()?;
    let tag = cipher.encrypt_inout_detached(nonce, &aad, text.as_mut_slice().into()).ok()?;
    Some(format!("{} {}", field(&text), field(&tag)))
}

fn main() {
    let mut out = std::io::stdout().lock();
    let mut answer = |text: &str| {
        writeln!(out, "{text}").and_then(|()| out.flush()).expect("a reader");
    };
    answer("crates");
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("text");
        let f: Vec<&str> = line.split(' ').collect();
        let made = if f[0] == "xor" { xor(&f) } else { seal(&f) };
        answer(&made.unwrap_or(String::from("no")));
    }
}
