// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A context of the C library, by value. It has no pointers but to constants of the library, so that it may be moved.

use core::ffi::{CStr, c_char};
use core::mem::MaybeUninit;

use runnel_sys as sys;
use zeroize::Zeroize;

/// Only this crate says what the library has.
pub trait Sealed {}

/// Returns a context with a key of a length that its type takes.
pub(crate) fn keyed<C: sys::Context>(key: &[u8]) -> C {
    let mut context = MaybeUninit::<C>::uninit();
    // SAFETY: the context is memory of the right size; where a key was set, the function has filled what is read later.
    unsafe {
        let result = C::key(context.as_mut_ptr(), key.as_ptr(), key.len());
        assert!(result == sys::RUNNEL_OK, "no kernel of the library runs here");
        context.assume_init()
    }
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
