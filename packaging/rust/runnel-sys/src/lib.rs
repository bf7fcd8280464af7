// SPDX-License-Identifier: Apache-2.0 OR MIT
#![doc = include_str!("../README.md")]
#![no_std]
#![allow(non_camel_case_types)]

use core::ffi::{c_char, c_int};
use core::mem::MaybeUninit;

/// The result of everything that went well; errors are negative.
pub const RUNNEL_OK: c_int = 0;
/// The keystream ends, or the message is too long.
pub const RUNNEL_ERR_LIMIT: c_int = -6;
/// Authentication failed.
pub const RUNNEL_ERR_TAG: c_int = -13;

/// The cipher's own layout, and that of ciphers that do not count in blocks.
pub const RUNNEL_LAYOUT_DEFAULT: c_int = 0;
/// The whole block counts, its last byte first.
pub const RUNNEL_BE128: c_int = 1;
/// The last 8 bytes count.
pub const RUNNEL_BE64: c_int = 2;
/// The last 4 bytes count.
pub const RUNNEL_BE32: c_int = 3;
/// The whole block counts, its first byte first.
pub const RUNNEL_LE128: c_int = 5;
/// The first 8 bytes count.
pub const RUNNEL_LE64: c_int = 6;
/// The first 4 bytes count.
pub const RUNNEL_LE32: c_int = 7;

/// The head of the context of every stream cipher.
#[repr(C)]
pub struct runnel_stream {
    _opaque: [u8; 0],
}

/// The head of the context of every AEAD.
#[repr(C)]
pub struct runnel_aead_context {
    _opaque: [u8; 0],
}

/// Memory for one context of the library, of the size and alignment that it wants. It may be copied and moved.
///
/// # Safety
/// `key` is the function that sets a key in a context of this type.
pub unsafe trait Context: Sized {
    /// Sets a key of `key_bytes` bytes: `RUNNEL_OK`, or an error and nothing has changed.
    ///
    /// # Safety
    /// `context` and `key` point to that much memory.
    unsafe fn key(context: *mut Self, key: *const u8, key_bytes: usize) -> c_int;
}

macro_rules! context {
    ($name:ident, $key:ident, $bytes:literal) => {
        #[doc = concat!("Memory for a `", stringify!($name), "`: ", stringify!($bytes), " bytes.")]
        #[derive(Clone, Copy)]
        #[repr(C, align(64))]
        pub struct $name([MaybeUninit<u8>; $bytes]);

        unsafe extern "C" {
            #[doc = "Sets a key; see the C header."]
            pub fn $key(c: *mut $name, key: *const u8, key_bytes: usize) -> c_int;
        }

        unsafe impl Context for $name {
            unsafe fn key(context: *mut Self, key: *const u8, key_bytes: usize) -> c_int {
                unsafe { $key(context, key, key_bytes) }
            }
        }
    };
}

include!(concat!(env!("OUT_DIR"), "/contexts.rs"));

// The verbs on any context that has a key; `c/runnel.h` says what each does.
#[allow(missing_docs)]
unsafe extern "C" {
    pub fn runnel_error_text(error: c_int) -> *const c_char;

    pub fn runnel_stream_iv(s: *mut runnel_stream, iv: *const u8, iv_bytes: usize, layout: c_int) -> c_int;
    pub fn runnel_stream_xor(s: *mut runnel_stream, out: *mut u8, input: *const u8, bytes: usize) -> c_int;
    pub fn runnel_stream_seek(s: *mut runnel_stream, position: u64) -> c_int;
    pub fn runnel_stream_tell(s: *const runnel_stream) -> u64;
    pub fn runnel_stream_left(s: *const runnel_stream) -> u64;
    pub fn runnel_stream_kernel(s: *const runnel_stream) -> *const c_char;
    pub fn runnel_stream_wipe(s: *mut runnel_stream);

    pub fn runnel_aead_seal(
        c: *mut runnel_aead_context,
        nonce: *const u8,
        nonce_bytes: usize,
        aad: *const u8,
        aad_bytes: usize,
        out: *mut u8,
        input: *const u8,
        bytes: usize,
        tag: *mut u8,
        tag_bytes: usize,
    ) -> c_int;
    pub fn runnel_aead_open(
        c: *mut runnel_aead_context,
        nonce: *const u8,
        nonce_bytes: usize,
        aad: *const u8,
        aad_bytes: usize,
        out: *mut u8,
        input: *const u8,
        bytes: usize,
        tag: *const u8,
        tag_bytes: usize,
    ) -> c_int;
    pub fn runnel_aead_kernel(c: *const runnel_aead_context) -> *const c_char;
    pub fn runnel_aead_wipe(c: *mut runnel_aead_context);
}
