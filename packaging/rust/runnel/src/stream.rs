// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Stream ciphers, and block ciphers in counter mode, behind the traits of `cipher`.

use core::ffi::c_int;
use core::fmt;
use core::marker::PhantomData;

use cipher::array::ArraySize;
use cipher::consts::{U8, U16};
use cipher::inout::InOutBuf;
use cipher::zeroize::ZeroizeOnDrop;
use cipher::{
    Iv, IvSizeUser, Key, KeyIvInit, KeySizeUser, OverflowError, SeekNum, StreamCipher, StreamCipherError,
    StreamCipherSeek,
};
use runnel_sys as sys;

use crate::context::{Sealed, clear_behind, keyed, text};

/// The algorithm of a [`Stream`]. All implementations come with this crate.
pub trait StreamSpec: Sealed {
    #[doc(hidden)]
    type Context: sys::Context + Clone;
    /// Bytes of the key.
    type KeySize: ArraySize;
    /// Bytes of the IV.
    type IvSize: ArraySize;
    #[doc(hidden)]
    const LAYOUT: c_int;
    /// As the command line calls it: `aes-128-ctr`.
    const NAME: &'static str;
}

/// Ciphers that find any position of their keystream in constant time.
pub trait Seekable: StreamSpec {}

/// A stream cipher with its key and IV: key and IV by [`KeyIvInit`], keystream by [`StreamCipher`], positions by
/// [`StreamCipherSeek`] where the cipher is [`Seekable`].
///
/// It works on bytes: a message may be cut anywhere. Where the keystream ends, or the counter would repeat, the methods that
/// begin with `try_` return [`StreamCipherError`] and change nothing, and the others panic; the `unchecked_` ones panic too.
///
/// The whole state lies in the value, [`CONTEXT_BYTES`](Self::CONTEXT_BYTES) bytes, and is wiped when it is dropped; a value
/// that is moved leaves a copy where it was, as with all types of Rust: put it into a `Box` first where that matters.
#[repr(C)]
pub struct Stream<S: StreamSpec> {
    context: S::Context,
}

impl<S: StreamSpec> Stream<S> {
    /// Bytes of memory that one value takes on this target.
    pub const CONTEXT_BYTES: usize = size_of::<S::Context>();

    /// The kernel that was chosen for this processor: `aesni`, `avx2`.
    pub fn kernel(&self) -> &'static str {
        // SAFETY: the context has a key.
        text(unsafe { sys::runnel_stream_kernel(self.head()) })
    }

    /// Starts the keystream of another IV under the same key, which saves setting up the key.
    pub fn set_iv(&mut self, iv: &Iv<Self>) {
        // SAFETY: the context has a key.
        let result = unsafe { sys::runnel_stream_iv(self.head_mut(), iv.as_ptr(), iv.len(), S::LAYOUT) };
        assert!(result == sys::RUNNEL_OK, "the cipher takes every IV of this length");
    }

    fn head(&self) -> *const sys::runnel_stream {
        (&raw const self.context).cast()
    }

    fn head_mut(&mut self) -> *mut sys::runnel_stream {
        (&raw mut self.context).cast()
    }

    /// # Safety
    /// `out` is memory of `bytes` bytes, `input` too, or NULL for zeros; they are the same or do not overlap.
    unsafe fn xor(&mut self, out: *mut u8, input: *const u8, bytes: usize) -> Result<(), StreamCipherError> {
        // SAFETY: the context has a key and an IV; of the buffers the caller says it.
        match unsafe { sys::runnel_stream_xor(self.head_mut(), out, input, bytes) } {
            sys::RUNNEL_OK => Ok(()),
            _ => Err(StreamCipherError),
        }
    }
}

impl<S: StreamSpec> KeySizeUser for Stream<S> {
    type KeySize = S::KeySize;
}

impl<S: StreamSpec> IvSizeUser for Stream<S> {
    type IvSize = S::IvSize;
}

impl<S: StreamSpec> KeyIvInit for Stream<S> {
    fn new(key: &Key<Self>, iv: &Iv<Self>) -> Self {
        // SAFETY: the value is a context, which has a key when the IV is set.
        unsafe { keyed::<S::Context, Self>(key, |stream| (*stream).set_iv(iv)) }
    }
}

impl<S: StreamSpec> StreamCipher for Stream<S> {
    fn check_remaining(&self, data_len: usize) -> Result<(), StreamCipherError> {
        // SAFETY: the context has a key and an IV.
        let left = unsafe { sys::runnel_stream_left(self.head()) };
        if data_len as u64 <= left { Ok(()) } else { Err(StreamCipherError) }
    }

    fn unchecked_apply_keystream_inout(&mut self, buf: InOutBuf<'_, '_, u8>) {
        self.apply_keystream_inout(buf);
    }

    fn unchecked_write_keystream(&mut self, buf: &mut [u8]) {
        self.write_keystream(buf);
    }

    fn try_apply_keystream_inout(&mut self, buf: InOutBuf<'_, '_, u8>) -> Result<(), StreamCipherError> {
        let bytes = buf.len();
        let (input, out) = buf.into_raw();
        // SAFETY: an InOutBuf is two buffers of one length, the same or apart.
        unsafe { self.xor(out, input, bytes) }
    }

    fn try_write_keystream(&mut self, buf: &mut [u8]) -> Result<(), StreamCipherError> {
        // SAFETY: out is a slice, and there is no input.
        unsafe { self.xor(buf.as_mut_ptr(), core::ptr::null(), buf.len()) }
    }
}

/// Positions are bytes from the IV; they fit into 64 bits.
impl<S: Seekable> StreamCipherSeek for Stream<S> {
    fn try_current_pos<T: SeekNum>(&self) -> Result<T, OverflowError> {
        // SAFETY: the context has a key and an IV.
        let position = unsafe { sys::runnel_stream_tell(self.head()) };
        T::from_block_byte(position, 1, 1) // with blocks of a byte, all of its bytes used
    }

    fn try_seek<T: SeekNum>(&mut self, pos: T) -> Result<(), StreamCipherError> {
        let (position, _) = pos.into_block_byte::<u64>(1).map_err(|_| StreamCipherError)?;
        // SAFETY: the context has a key and an IV.
        match unsafe { sys::runnel_stream_seek(self.head_mut(), position) } {
            sys::RUNNEL_OK => Ok(()),
            _ => Err(StreamCipherError),
        }
    }
}

/// The copy continues with the same keystream from the same position.
impl<S: StreamSpec> Clone for Stream<S> {
    fn clone(&self) -> Self {
        Self { context: self.context.clone() }
    }
}

impl<S: StreamSpec> Drop for Stream<S> {
    fn drop(&mut self) {
        // SAFETY: the context has a key, and is all of the value.
        unsafe {
            sys::runnel_stream_wipe(self.head_mut());
            clear_behind::<S::Context, _>(self);
        }
    }
}

impl<S: StreamSpec> ZeroizeOnDrop for Stream<S> {}

impl<S: StreamSpec> fmt::Debug for Stream<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(S::NAME).finish_non_exhaustive()
    }
}

/// A block cipher, as counter mode takes it.
pub trait BlockCipher: Sealed {
    #[doc(hidden)]
    type CtrContext: sys::Context + Clone;
    /// Bytes of the key.
    type KeySize: ArraySize;
    /// Bytes of a block, and of the IV: the whole first counter block.
    type BlockSize: ArraySize;
    #[doc(hidden)]
    const CTR_NAME: &'static str;
}

/// Where the counter is in a block of `BlockSize` bytes, and how it counts. It wraps inside its field, the other bytes never
/// change, and the keystream ends before it repeats.
pub trait Layout<BlockSize>: Sealed {
    #[doc(hidden)]
    const LAYOUT: c_int;
}

macro_rules! layouts {
    ($($(#[$doc:meta])* $name:ident, $alias:ident, $value:ident, $($block:ty)+;)*) => { $(
        $(#[$doc])*
        #[derive(Debug)]
        pub enum $name {}
        impl Sealed for $name {}
        $(impl Layout<$block> for $name {
            const LAYOUT: c_int = sys::$value;
        })+
        $(#[$doc])*
        pub type $alias<C> = Ctr<C, $name>;
    )* };
}

layouts! {
    /// The whole block counts, in big-endian order (SP 800-38A, OpenSSL).
    Be128, Ctr128BE, RUNNEL_BE128, U16;
    /// The last 8 bytes count, in big-endian order.
    Be64, Ctr64BE, RUNNEL_BE64, U16 U8;
    /// The last 4 bytes count, in big-endian order (RFC 3686, GCM).
    Be32, Ctr32BE, RUNNEL_BE32, U16 U8;
    /// The whole block counts, in little-endian order.
    Le128, Ctr128LE, RUNNEL_LE128, U16;
    /// The first 8 bytes count, in little-endian order.
    Le64, Ctr64LE, RUNNEL_LE64, U16 U8;
    /// The first 4 bytes count, in little-endian order (GCM-SIV).
    Le32, Ctr32LE, RUNNEL_LE32, U16 U8;
}

/// Counter mode of the block cipher `C` with the counter layout `L`, under the names that the crate `ctr` has:
/// `Ctr128BE<Aes128>`.
pub type Ctr<C, L> = Stream<CtrSpec<C, L>>;

/// See [`Ctr`].
#[derive(Debug)]
pub struct CtrSpec<C, L>(PhantomData<(C, L)>);

impl<C, L> Sealed for CtrSpec<C, L> {}

impl<C: BlockCipher, L: Layout<C::BlockSize>> StreamSpec for CtrSpec<C, L> {
    type Context = C::CtrContext;
    type KeySize = C::KeySize;
    type IvSize = C::BlockSize;
    const LAYOUT: c_int = L::LAYOUT;
    const NAME: &'static str = C::CTR_NAME;
}

impl<C: BlockCipher, L: Layout<C::BlockSize>> Seekable for CtrSpec<C, L> {}
