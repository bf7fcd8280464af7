// SPDX-License-Identifier: Apache-2.0 OR MIT
//! RustCrypto's ciphers and AEADs behind the C functions of `bench/peers/shim.h`.

mod aead;
mod stream;

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::slice::{from_raw_parts, from_raw_parts_mut};

/// A cipher or an AEAD. What one of them has not fails.
trait Subject {
    fn key(&mut self, key: &[u8]) -> Option<()>;

    fn iv(&mut self, _iv: &[u8]) -> Option<()> {
        None
    }

    fn process(&mut self, _message: &[u8], _out: &mut [u8]) -> Option<()> {
        None
    }

    /// The tag goes behind the ciphertext: `out` is 16 bytes longer than the message.
    fn seal(&mut self, _nonce: &[u8], _message: &[u8], _out: &mut [u8]) -> Option<()> {
        None
    }
}

/// The symbol that is opened by name: the crate with its version, whether setting a key only stores it, and the subject.
struct Row {
    name: &'static str,
    version: &'static str,
    stateless: bool,
    make: fn() -> Box<dyn Subject>,
}

const STATELESS: c_uint = 1;

fn find(name: &str) -> Option<&'static Row> {
    stream::ROWS.iter().chain(aead::ROWS).find(|row| row.name == name)
}

fn status(done: Option<()>) -> c_int {
    c_int::from(done.is_none())
}

/// # Safety
/// `cipher` comes from `shim_open`.
unsafe fn of<'a>(cipher: *mut c_void) -> &'a mut dyn Subject {
    unsafe { &mut **cipher.cast::<Box<dyn Subject>>() }
}

/// # Safety
/// `out` has 24 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_version(out: *mut c_char) {
    unsafe { *out = 0 }; // each crate has its own
}

/// # Safety
/// `cipher` is a string, `flags` points to one, `version` has 32 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_open(cipher: *const c_char, flags: *mut c_uint, version: *mut c_char) -> *mut c_void {
    let Some(row) = unsafe { CStr::from_ptr(cipher) }.to_str().ok().and_then(find) else {
        return std::ptr::null_mut();
    };
    let length = row.version.len().min(31);
    unsafe {
        *flags = if row.stateless { STATELESS } else { 0 };
        version.copy_from_nonoverlapping(row.version.as_ptr().cast(), length);
        *version.add(length) = 0;
    }
    Box::into_raw(Box::new((row.make)())).cast()
}

/// # Safety
/// `cipher` comes from `shim_open`; `key` has `key_bytes` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_key(
    cipher: *mut c_void,
    key: *const u8,
    key_bytes: usize,
    _iv: *const u8,
    _iv_bytes: usize,
) -> c_int {
    status(unsafe { of(cipher).key(from_raw_parts(key, key_bytes)) })
}

/// # Safety
/// `cipher` comes from `shim_open`; `iv` has `iv_bytes` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_iv(cipher: *mut c_void, iv: *const u8, iv_bytes: usize) -> c_int {
    status(unsafe { of(cipher).iv(from_raw_parts(iv, iv_bytes)) })
}

/// # Safety
/// `cipher` comes from `shim_open`; `message` and `out` have `bytes` bytes each and do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_process(cipher: *mut c_void, out: *mut u8, message: *const u8, bytes: usize) -> c_int {
    status(unsafe { of(cipher).process(from_raw_parts(message, bytes), from_raw_parts_mut(out, bytes)) })
}

/// # Safety
/// `cipher` comes from `shim_open`; `nonce` has `nonce_bytes` bytes, `message` `bytes`, `out` 16 more; `out` and `message`
/// do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_seal(
    cipher: *mut c_void,
    nonce: *const u8,
    nonce_bytes: usize,
    out: *mut u8,
    message: *const u8,
    bytes: usize,
) -> c_int {
    status(unsafe {
        of(cipher).seal(
            from_raw_parts(nonce, nonce_bytes),
            from_raw_parts(message, bytes),
            from_raw_parts_mut(out, bytes + 16),
        )
    })
}
