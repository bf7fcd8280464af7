// SPDX-License-Identifier: Apache-2.0 OR MIT

/**
 * What holds bytes. A view with wider elements is taken as its bytes in memory, and a subclass such as node's Buffer as a plain
 * view, whatever it overrides. Everything that is passed in is copied. A view whose memory was transferred is a TypeError.
 */
export type Bytes = ArrayBuffer | ArrayBufferView;

/** New bytes: Uint8Array, and from TypeScript 5.7 on Uint8Array<ArrayBuffer>, which web APIs take. */
export type Output = ReturnType<Uint8Array["slice"]>;

// WebAssembly's types are the DOM's, which not every program has.
type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : object;
type WasmMemory = typeof globalThis extends { WebAssembly: { Memory: { prototype: infer Memory } } }
  ? Memory
  : { readonly buffer: ArrayBuffer };

/** Sources from which `load` can take a module: a WebAssembly.Module, its bytes, a Response or Blob that has them, its URL. */
export type Source = WasmModule | Bytes | { arrayBuffer(): Promise<ArrayBuffer> } | { readonly href: string } | string;

/** Thrown for everything that the library refuses; then nothing has changed. `name` says what it is. */
export class RunnelError extends Error {
  name:
    | "NullError"
    | "KeyLengthError" // no key of this length
    | "IvLengthError" // no IV, or no nonce, of this length
    | "LayoutError" // the cipher does not count in this counter layout
    | "StateError" // no IV was set, or the object was wiped
    | "LimitError" // the keystream ends, or would repeat, before the last byte; the message is too long
    | "SeekError" // the cipher cannot seek
    | "OverlapError" // input and output overlap without being equal
    | "UnknownCipherError" // no cipher or AEAD of this name, or it is broken
    | "KernelError" // no kernel of this name
    | "DirectionError" // the cipher encrypts and decrypts differently: encrypt or decrypt, not xor
    | "TagLengthError" // the AEAD has no tag of this length
    | "AuthenticationError" // authentication failed
    | "OneShotError"
    | "RunnelError";
  /** RUNNEL_ERR_… of the C library: -1 to -14. */
  readonly number: number;
}

export interface Info {
  /** `aes-128-ctr`. */
  readonly name: string;
  /** `AES-128 in counter mode`. */
  readonly title: string;
  /** The specification. */
  readonly source: string;
  /** A remark for users: an attack, a limit. */
  readonly remark: string | null;
  readonly status: "recommended" | "legacy" | "broken";
  /** The lengths that a key may have, ascending. */
  readonly keyBytes: readonly number[];
  /** Memory of the module that an object takes. */
  readonly contextBytes: number;
}

export interface CipherInfo extends Info {
  /** A keystream of its own; or a block cipher in counter mode, or in cipher feedback. */
  readonly mode: "stream" | "ctr" | "cfb";
  /** The lengths that an IV may have, ascending. */
  readonly ivBytes: readonly number[];
  /** The IV must be as long as the key. */
  readonly ivAsKey: boolean;
  readonly seekable: boolean;
  /** The counter layouts it counts in, `be32` …; none unless it is a counter mode. */
  readonly layouts: readonly string[];
  /** The default one. */
  readonly layout: string | null;
}

export interface AeadInfo extends Info {
  /** The preferred length of a nonce, the least and the most (65535: any). */
  readonly nonceBytes: number;
  readonly nonceLeast: number;
  readonly nonceMost: number;
  /** The length of the standard's full tag, and all lengths that there are. */
  readonly tagBytes: number;
  readonly tags: readonly number[];
  /** The sealed message begins with the tag instead of ending with it (SIV). */
  readonly tagFirst: boolean;
  /** No ciphertext opens under two keys. */
  readonly commits: boolean;
}

export interface KeyOptions {
  /** The kernel to run; without it the fastest constant-time one. Those with `table` in their names look up by secrets. */
  kernel?: string;
  /** Takes broken ciphers too. */
  allowBroken?: boolean;
}

interface Keyed<Facts> {
  readonly info: Facts;
  /** The name of the kernel that runs. */
  readonly kernel: string;
  /** Overwrites key and state in the module's memory and gives it back. After it only wipe() may be called. */
  wipe(): void;
}

/** Returns `into` if it is a Uint8Array, otherwise a Uint8Array of the same memory; without `into`, new bytes. */
interface Work {
  (data: Bytes, into?: undefined): Output;
  <Into extends Uint8Array>(data: Bytes, into: Into): Into;
  (data: Bytes, into?: Bytes): Uint8Array;
}

/**
 * A keystream, not authenticated: whoever can change the ciphertext can change the plaintext. `into` is for the result,
 * as long as `data`; it may be `data` itself, but not overlap with it otherwise (OverlapError; where only another handle of
 * one shared memory does, the result is right). Throws LimitError before the first byte, never in the middle.
 */
export interface Cipher extends Keyed<CipherInfo> {
  /**
   * Starts a message at position 0. Never use an IV twice under one key. layout: of the counter, `be32` …; without it that of
   * the options, or else the cipher's default.
   */
  iv(iv: Bytes, layout?: string): this;
  /** Returns data XOR keystream, from the position on. */
  xor: Work;
  /** As xor, with ciphers that encrypt and decrypt differently (cfb) too. */
  encrypt: Work;
  decrypt: Work;
  /** Returns the next bytes of the keystream. */
  keystream(bytes: number): Output;
  /** Moves to a position, in bytes from the IV; from 2^53 on a bigint, for a rounded number would give keystream twice. */
  seek(position: number | bigint): this;
  /** In bytes from the IV; rounded from 2^53 on. */
  readonly position: number;
}

export interface Aead extends Keyed<AeadInfo> {
  /**
   * Returns the ciphertext with the tag, behind it unless the AEAD's info says tagFirst. A nonce is for one message under a
   * key.
   */
  seal(nonce: Bytes, message: Bytes, aad?: Bytes, options?: { tagBytes?: number }): Output;
  /** Returns the message. Throws AuthenticationError if key, nonce, aad and what was sealed do not belong together. */
  open(nonce: Bytes, sealed: Bytes, aad?: Bytes, options?: { tagBytes?: number }): Output;
}

export interface Runnel {
  /** In order of name. */
  ciphers(): CipherInfo[];
  aeads(): AeadInfo[];
  /**
   * Sets a key; and an IV, where it is given with the options. layout: of every IV that comes without one. Throws
   * UnknownCipherError, KeyLengthError, KernelError, IvLengthError, LayoutError.
   */
  cipher(name: string, key: Bytes, options?: KeyOptions & { iv?: Bytes; layout?: string }): Cipher;
  aead(name: string, key: Bytes, options?: KeyOptions): Aead;
  /** Bytes of the module's memory that objects have. */
  readonly memoryUsed: number;
  /** The module's memory. */
  readonly memory: WasmMemory;
}

/**
 * Loads the module: runnel.wasm beside this file, or what is given, or a promise of it. A URL is absolute, or in a page
 * relative to it. Each call has a memory of its own.
 */
export function load(source?: Source | PromiseLike<Source>): Promise<Runnel>;

export {}; // what is not exported above stays in here
