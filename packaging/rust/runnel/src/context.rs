// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A context of the C library, by value. It has no pointers but to constants of the library, so that it may be moved.

use core::ffi::{CStr, c_char};
use core::mem::MaybeUninit;

use runnel_sys as sys;
use zeroize::Zeroize;

/// Only this crate says what the library has.
pub trait Sealed {}

/// Returns a value that begins with a context, whose key has a length that its type takes. The key is set where the value is
/// returned: each copy of a context would take several KiB of stack, in release builds too. `rest` writes the other fields.
///
/// # Safety
/// `V` begins with `C`, and `rest` writes all that is behind it.
pub(crate) unsafe fn keyed<C: sys::Context, V>(key: &[u8], rest: impl FnOnce(*mut V)) -> V {
    // SAFETY: the context has a key, and the caller says that the rest has been written.
    unsafe { in_place::<C, V>(key, rest).assume_init() }
}

#[inline(never)] // so that the compiler sees whose memory it is
fn in_place<C: sys::Context, V>(key: &[u8], rest: impl FnOnce(*mut V)) -> MaybeUninit<V> {
    let mut value = MaybeUninit::<V>::uninit();
    // SAFETY: the context is memory of the right size; where a key was set, the function has filled what is read later.
    let result = unsafe { C::key(value.as_mut_ptr().cast(), key.as_ptr(), key.len()) };
    assert!(result == sys::RUNNEL_OK, "no kernel of the library runs here");
    rest(value.as_mut_ptr());
    value
}

/// Clears what a value has behind its context: a key, and padding, which moves may have filled with anything.
///
/// # Safety
/// The value begins with its context and is not used again.
pub(crate) unsafe fn clear_behind<C: sys::Context, V>(value: *mut V) {
    let begin = size_of::<C>() - align_of::<C>().min(size_of::<C>()); // where the context's own padding may begin
    // SAFETY: the rest of the value, as bytes of which nothing is asked.
    let rest =
        unsafe { core::slice::from_raw_parts_mut(value.cast::<MaybeUninit<u8>>().add(begin), size_of::<V>() - begin) };
    rest.zeroize();
}

/// The name of a kernel as the library has it.
pub(crate) fn text(name: *const c_char) -> &'static str {
    if name.is_null() {
        return ""; // built without texts
    }
    // SAFETY: names are constants of the library.
    unsafe { CStr::from_ptr(name) }.to_str().unwrap_or("")
}
