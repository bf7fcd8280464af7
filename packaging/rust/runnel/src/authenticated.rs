// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Authenticated encryption behind the traits of `aead`.

use core::cell::UnsafeCell;
use core::ffi::c_int;
use core::fmt;
use core::marker::PhantomData;
#[cfg(target_has_atomic = "8")]
use core::sync::atomic::{AtomicBool, Ordering};

use aead::array::ArraySize;
use aead::array::typenum::{NonZero, Unsigned};
use aead::consts::{U4, U6, U7, U8, U9, U10, U11, U12, U13, U14, U15, U16};
use aead::inout::InOutBuf;
use aead::{AeadCore, AeadInOut, Error, Key, KeyInit, KeySizeUser, Nonce, Tag, TagPosition};
use cipher::zeroize::ZeroizeOnDrop;
use runnel_sys as sys;

use crate::context::{Sealed, clear_behind, keyed, text};

/// The algorithm of an [`Aead`]. All implementations come with this crate.
pub trait AeadSpec: Sealed {
    #[doc(hidden)]
    type Context: sys::Context;
    /// Bytes of the key.
    type KeySize: ArraySize;
    /// Bytes of the nonce.
    type NonceSize: ArraySize;
    /// Bytes of the tag.
    type TagSize: ArraySize;
    /// Where [`AeadInOut::encrypt_in_place`] puts the tag.
    const TAG_POSITION: TagPosition;
    /// As the command line calls it: `aes-128-gcm`.
    const NAME: &'static str;
}

/// An AEAD with its key, for any number of messages: [`AeadInOut`], and with the feature `alloc` `aead::Aead`.
///
/// A nonce is for one message under a key. [`aead::Error`] means that message or associated data are too long, and nothing has
/// changed; or, when decrypting, that key, nonce, associated data, ciphertext and tag do not belong together: the output is
/// then all zeros, in place too, where the ciphertext is gone. Nothing is released before the tag was compared, in constant time.
///
/// It may be shared between threads, and none waits for another: one works in the value's own context, of
/// [`CONTEXT_BYTES`](Self::CONTEXT_BYTES) bytes, others that come meanwhile set up one of their own on their stacks, which
/// costs the set-up of a key. A clone for each thread avoids that.
///
/// Key and context are wiped when the value is dropped; a value that is moved leaves a copy where it was, as with all types of
/// Rust: put it into a `Box` first where that matters.
#[repr(C)]
pub struct Aead<S: AeadSpec> {
    context: UnsafeCell<S::Context>,
    /// Whether somebody works in the context.
    #[cfg(target_has_atomic = "8")]
    busy: AtomicBool,
    key: Key<Self>,
}

// SAFETY: the context is used by whoever has set `busy`, and by nobody else.
unsafe impl<S: AeadSpec> Sync for Aead<S> {}

/// A context for one call.
#[repr(C)]
struct Own<C: sys::Context>(C);

impl<C: sys::Context> Drop for Own<C> {
    fn drop(&mut self) {
        // SAFETY: the context has a key, and is all of the value.
        unsafe {
            sys::runnel_aead_wipe((&raw mut self.0).cast());
            clear_behind::<C, _>(self);
        }
    }
}

/// `runnel_aead_seal` or `runnel_aead_open`, which differ in what they do with the tag.
type Verb<T> = unsafe extern "C" fn(
    *mut sys::runnel_aead_context,
    *const u8,
    usize,
    *const u8,
    usize,
    *mut u8,
    *const u8,
    usize,
    T,
    usize,
) -> c_int;

impl<S: AeadSpec> Aead<S> {
    /// Bytes of memory that one context takes on this target.
    pub const CONTEXT_BYTES: usize = size_of::<S::Context>();

    /// The kernel that was chosen for this processor: `aesni`, `avx2`.
    pub fn kernel(&self) -> &'static str {
        // SAFETY: the context has a key.
        self.with(|context| text(unsafe { sys::runnel_aead_kernel(context) }))
    }

    fn with<R>(&self, work: impl FnOnce(*mut sys::runnel_aead_context) -> R) -> R {
        #[cfg(target_has_atomic = "8")]
        if !self.busy.swap(true, Ordering::Acquire) {
            let result = work(self.context.get().cast());
            self.busy.store(false, Ordering::Release);
            return result;
        }
        self.with_own(work)
    }

    /// Apart from `with`, whose stack would have room for a context in every call.
    #[inline(never)]
    fn with_own<R>(&self, work: impl FnOnce(*mut sys::runnel_aead_context) -> R) -> R {
        // SAFETY: the value is a context.
        let mut own: Own<S::Context> = unsafe { keyed::<S::Context, _>(&self.key, |_| ()) };
        work((&raw mut own.0).cast())
    }

    /// Seals or opens a message.
    ///
    /// # Safety
    /// `tag` has room for `S::TagSize` bytes, to be used as the function says.
    unsafe fn call<T>(
        &self,
        function: Verb<T>,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
        tag: T,
    ) -> aead::Result<()> {
        let bytes = buffer.len();
        let (input, out) = buffer.into_raw();
        let (aad, aad_bytes) = (associated_data.as_ptr(), associated_data.len());
        // SAFETY: the context has a key; an InOutBuf is two buffers of one length, the same or apart.
        let result = self.with(|context| unsafe {
            function(context, nonce.as_ptr(), nonce.len(), aad, aad_bytes, out, input, bytes, tag, S::TagSize::USIZE)
        });
        if result == sys::RUNNEL_OK { Ok(()) } else { Err(Error) }
    }
}

impl<S: AeadSpec> KeySizeUser for Aead<S> {
    type KeySize = S::KeySize;
}

impl<S: AeadSpec> KeyInit for Aead<S> {
    fn new(key: &Key<Self>) -> Self {
        // SAFETY: the value begins with its context, and these are its other fields.
        unsafe {
            keyed::<S::Context, _>(key, |value: *mut Self| {
                #[cfg(target_has_atomic = "8")]
                (&raw mut (*value).busy).write(AtomicBool::new(false));
                (&raw mut (*value).key).write(key.clone());
            })
        }
    }
}

impl<S: AeadSpec> AeadCore for Aead<S> {
    type NonceSize = S::NonceSize;
    type TagSize = S::TagSize;
    const TAG_POSITION: TagPosition = S::TAG_POSITION;
}

impl<S: AeadSpec> AeadInOut for Aead<S> {
    fn encrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
    ) -> aead::Result<Tag<Self>> {
        let mut tag = Tag::<Self>::default();
        // SAFETY: the function writes the bytes of a tag there.
        unsafe { self.call(sys::runnel_aead_seal, nonce, associated_data, buffer, tag.as_mut_ptr()) }?;
        Ok(tag)
    }

    fn decrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
        tag: &Tag<Self>,
    ) -> aead::Result<()> {
        // SAFETY: the function reads the bytes of a tag there.
        unsafe { self.call(sys::runnel_aead_open, nonce, associated_data, buffer, tag.as_ptr()) }
    }
}

impl<S: AeadSpec> Clone for Aead<S> {
    fn clone(&self) -> Self {
        Self::new(&self.key)
    }
}

impl<S: AeadSpec> Drop for Aead<S> {
    fn drop(&mut self) {
        // SAFETY: the context has a key, the value begins with it, and nobody else has it.
        unsafe {
            sys::runnel_aead_wipe(self.context.get().cast());
            clear_behind::<S::Context, _>(self);
        }
    }
}

impl<S: AeadSpec> ZeroizeOnDrop for Aead<S> {}

impl<S: AeadSpec> fmt::Debug for Aead<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(S::NAME).finish_non_exhaustive()
    }
}

/// A block cipher that GCM takes.
pub trait GcmCipher: Sealed {
    #[doc(hidden)]
    type GcmContext: sys::Context;
    /// Bytes of the key.
    type KeySize: ArraySize;
    #[doc(hidden)]
    const GCM_NAME: &'static str;
}

/// A block cipher that CCM takes.
pub trait CcmCipher: Sealed {
    #[doc(hidden)]
    type CcmContext: sys::Context;
    /// Bytes of the key.
    type KeySize: ArraySize;
    #[doc(hidden)]
    const CCM_NAME: &'static str;
}

macro_rules! sizes {
    ($($(#[$doc:meta])* $name:ident: $($size:ty)+;)*) => { $(
        $(#[$doc])*
        pub trait $name: ArraySize {}
        $(impl $name for $size {})+
    )* };
}

sizes! {
    /// Bytes that a tag of GCM may have; 4 and 8 for special uses only (SP 800-38D, appendix C).
    GcmTagSize: U4 U8 U12 U13 U14 U15 U16;
    /// Bytes that a tag of CCM may have.
    CcmTagSize: U4 U6 U8 U10 U12 U14 U16;
    /// Bytes that a nonce of CCM may have; under one of n bytes a message has less than 2^(120 - 8 n) bytes.
    CcmNonceSize: U7 U8 U9 U10 U11 U12 U13;
}

/// Bytes that a nonce of GCM may have: any number but 0, preferably 12.
pub trait GcmNonceSize: ArraySize {}
impl<N: ArraySize + NonZero> GcmNonceSize for N {}

/// Galois/Counter Mode (SP 800-38D) of the block cipher `C`, with nonces of `N` and tags of `T` bytes: `Gcm<Aria128>`. A
/// message has up to 2^36 - 32 bytes.
pub type Gcm<C, N = U12, T = U16> = Aead<GcmSpec<C, N, T>>;

/// See [`Gcm`].
#[derive(Debug)]
pub struct GcmSpec<C, N, T>(PhantomData<(C, N, T)>);

impl<C, N, T> Sealed for GcmSpec<C, N, T> {}

impl<C: GcmCipher, N: GcmNonceSize, T: GcmTagSize> AeadSpec for GcmSpec<C, N, T> {
    type Context = C::GcmContext;
    type KeySize = C::KeySize;
    type NonceSize = N;
    type TagSize = T;
    const TAG_POSITION: TagPosition = TagPosition::Postfix;
    const NAME: &'static str = C::GCM_NAME;
}

/// CCM (SP 800-38C) of the block cipher `C`, with tags of `M` and nonces of `N` bytes, in the order of the crate `ccm`:
/// `Ccm<Aes128, U8, U13>`.
pub type Ccm<C, M, N> = Aead<CcmSpec<C, M, N>>;

/// See [`Ccm`].
#[derive(Debug)]
pub struct CcmSpec<C, M, N>(PhantomData<(C, M, N)>);

impl<C, M, N> Sealed for CcmSpec<C, M, N> {}

impl<C: CcmCipher, M: CcmTagSize, N: CcmNonceSize> AeadSpec for CcmSpec<C, M, N> {
    type Context = C::CcmContext;
    type KeySize = C::KeySize;
    type NonceSize = N;
    type TagSize = M;
    const TAG_POSITION: TagPosition = TagPosition::Postfix;
    const NAME: &'static str = C::CCM_NAME;
}
