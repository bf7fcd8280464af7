// SPDX-License-Identifier: Apache-2.0 OR MIT
// The objects that a program works with; index.d.ts has their documentation.

import { bytesOf, isBytes, mayBeOneMemory, overlap } from "./bytes.js";
import { RunnelError } from "./errors.js";
import { LAYOUT, LIMIT, Module, OVERLAP, STATE, TAG, TAG_LENGTH, UNKNOWN_CIPHER } from "./module.js";

// How much of a message is in the module's memory at a time, where the cipher works piece by piece.
const WINDOW = 65536;
const LONGEST = 2 ** 31 - 1;

/** A context in the module's memory, wiped by wipe(), or at the latest some time after nobody has it any more. */
class Context {
  constructor(module, bytes, wipe) {
    this.module = module;
    this.wipe = wipe;
    this.address = module.heap.take(bytes);
  }

  free() {
    if (this.address === 0) return;
    this.wipe(this.address);
    this.module.heap.give(this.address);
    this.address = 0;
  }
}

const forgotten = new FinalizationRegistry((context) => context.free());

/** The common base of both kinds of objects. */
class Keyed {
  /** The facts of the cipher or AEAD. */
  info;
  #context;

  constructor(module, info, { find, setKey, wipe }, key, { kernel, allowBroken = false } = {}) {
    if (info.status === "broken" && !allowBroken) {
      throw new RunnelError(UNKNOWN_CIPHER, `${info.name} is broken: ask for it with allowBroken: true`);
    }
    const bytes = bytesOf(key, "key");
    const context = new Context(module, info.contextBytes, wipe);
    this.info = info;
    this.#context = context;
    try {
      module.withText(info.name, (name) =>
        module.withText(kernel, (kernelName) =>
          module.with([bytes], (at) =>
            module.check(setKey(find(name), context.address, at, bytes.length, kernelName)),
          ),
        ),
      );
    } catch (error) {
      context.free();
      throw error;
    }
    forgotten.register(this, context, this);
  }

  get _module() {
    return this.#context.module;
  }

  get _address() {
    if (this.#context.address === 0) throw new RunnelError(STATE, "it was wiped");
    return this.#context.address;
  }

  wipe() {
    forgotten.unregister(this);
    this.#context.free();
  }
}

class Cipher extends Keyed {
  #layout;

  constructor(module, info, key, options = {}) {
    const { runnel_cipher_find: find, runnel_cipher_key: setKey, runnel_stream_wipe: wipe } = module.c;
    super(module, info, { find, setKey, wipe }, key, options);
    this.#layout = options.layout;
    try {
      if (this.#layout !== undefined) module.check(["default", ...info.layouts].includes(this.#layout) ? 0 : LAYOUT);
      if (options.iv !== undefined) this.iv(options.iv);
    } catch (error) {
      this.wipe();
      throw error;
    }
  }

  get kernel() {
    return this._module.text(this._module.c.runnel_stream_kernel(this._address));
  }

  /** The position in bytes from the IV. */
  get position() {
    return Number(BigInt.asUintN(64, this._module.c.runnel_stream_tell(this._address)));
  }

  iv(iv, layout = this.#layout) {
    const [module, bytes] = [this._module, bytesOf(iv, "iv")];
    let number = 0;
    if (layout !== undefined) {
      number = module.withText(layout, (name) => module.c.runnel_layout_find(name));
      module.check(number);
    }
    const address = this._address; // only now: a layout's toString() may have wiped it
    module.with([bytes], (at) => module.check(module.c.runnel_stream_iv(address, at, bytes.length, number)));
    return this;
  }

  seek(position) {
    const [to, module, address] = [BigInt(position), this._module, this._address];
    if (to < 0n) throw new RangeError("a position is not negative");
    if (typeof position === "number" && !Number.isSafeInteger(position)) {
      throw new RangeError("a position beyond 2^53 is a bigint: a number may have been rounded");
    }
    module.check(to >> 64n ? LIMIT : module.c.runnel_stream_seek(address, to));
    return this;
  }

  xor(data, into) {
    return this.#work(this._module.c.runnel_stream_xor, data, into);
  }

  encrypt(data, into) {
    return this.#work(this._module.c.runnel_stream_encrypt, data, into);
  }

  decrypt(data, into) {
    return this.#work(this._module.c.runnel_stream_decrypt, data, into);
  }

  keystream(bytes) {
    if (!Number.isSafeInteger(bytes) || bytes < 0) throw new RangeError("bytes must be a whole number, not negative");
    return this.xor(new Uint8Array(bytes));
  }

  /** Piece by piece; what is wrong with any piece is decided before the first. */
  #work(function_, data, into) {
    const [module, address, from] = [this._module, this._address, bytesOf(data, "data")];
    const to = into === undefined ? new Uint8Array(from.length) : bytesOf(into, "into");
    const result = isBytes(into) ? into : to;
    if (to.length !== from.length) throw new RangeError("into must be as long as data");
    if (from.length === 0) {
      module.check(function_(address, 0, 0, 0));
      return result;
    }
    if (overlap(from, to)) throw new RunnelError(OVERLAP, "data and into overlap without being equal");
    if (from.length > LONGEST) throw new RangeError("at most 2 GiB in a call");
    const source = from.length > WINDOW && mayBeOneMemory(from, to) ? new Uint8Array(from) : from;
    const left = BigInt.asUintN(64, module.c.runnel_stream_left(address));
    const window = module.heap.take(Math.min(from.length, WINDOW));
    try {
      // Asked for all at once, so that an error comes before the first byte; this call cannot succeed.
      if (left < from.length) module.check(function_(address, window, window, from.length));
      for (let at = 0; at < from.length; at += WINDOW) {
        const n = Math.min(from.length - at, WINDOW);
        module.view(window, n).set(source.subarray(at, at + n));
        module.check(function_(address, window, window, n));
        to.set(module.view(window, n), at);
      }
    } finally {
      module.heap.give(window);
    }
    return result;
  }
}

class Aead extends Keyed {
  constructor(module, info, key, options) {
    const { runnel_aead_find: find, runnel_aead_key: setKey, runnel_aead_wipe: wipe } = module.c;
    super(module, info, { find, setKey, wipe }, key, options);
  }

  get kernel() {
    return this._module.text(this._module.c.runnel_aead_kernel(this._address));
  }

  seal(nonce, message, aad = new Uint8Array(), { tagBytes = this.info.tagBytes } = {}) {
    const [module, c] = [this._module, this._address];
    const [n, text, header] = [bytesOf(nonce, "nonce"), bytesOf(message, "message"), bytesOf(aad, "aad")];
    this.#takesTag(tagBytes);
    const [inFront, behind] = this.#around(tagBytes);
    return module.with([inFront, text, behind, n, header], (start, at, end, nonceAt, aadAt) => {
      const tag = this.info.tagFirst ? start : end;
      const { runnel_aead_seal: seal } = module.c;
      module.check(seal(c, nonceAt, n.length, aadAt, header.length, at, at, text.length, tag, tagBytes));
      return module.view(start, text.length + tagBytes).slice();
    });
  }

  open(nonce, sealed, aad = new Uint8Array(), { tagBytes = this.info.tagBytes } = {}) {
    const [module, c] = [this._module, this._address];
    const [n, all, header] = [bytesOf(nonce, "nonce"), bytesOf(sealed, "sealed"), bytesOf(aad, "aad")];
    this.#takesTag(tagBytes);
    if (all.length < tagBytes) throw new RunnelError(TAG, "it is shorter than a tag");
    const bytes = all.length - tagBytes;
    return module.with([all, n, header], (start, nonceAt, aadAt) => {
      const [at, tag] = this.info.tagFirst ? [start + tagBytes, start] : [start, start + bytes];
      const { runnel_aead_open: open } = module.c;
      module.check(open(c, nonceAt, n.length, aadAt, header.length, at, at, bytes, tag, tagBytes));
      return module.view(at, bytes).slice();
    });
  }

  /** Room for a tag: in front of the text, or behind it. */
  #around(tagBytes) {
    const [tag, nothing] = [new Uint8Array(tagBytes), new Uint8Array()];
    return this.info.tagFirst ? [tag, nothing] : [nothing, tag];
  }

  #takesTag(tagBytes) {
    this._module.check(this.info.tags.includes(tagBytes) ? 0 : TAG_LENGTH);
  }
}

export class Runnel {
  #module;

  constructor(instance) {
    this.#module = new Module(instance);
  }

  ciphers() {
    return [...this.#module.ciphers.values()];
  }

  aeads() {
    return [...this.#module.aeads.values()];
  }

  cipher(name, key, options) {
    return new Cipher(this.#module, known(this.#module.ciphers, "cipher", name), key, options);
  }

  aead(name, key, options) {
    return new Aead(this.#module, known(this.#module.aeads, "AEAD", name), key, options);
  }

  /** Bytes of the module's memory in use by contexts. */
  get memoryUsed() {
    return this.#module.heap.used;
  }

  /** The module's memory itself, for tests of what is left in it. */
  get memory() {
    return this.#module.c.memory;
  }
}

function known(all, what, name) {
  const info = all.get(name);
  if (info === undefined) throw new RunnelError(UNKNOWN_CIPHER, `no ${what} ${name}`);
  return info;
}
