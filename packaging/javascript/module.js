// SPDX-License-Identifier: Apache-2.0 OR MIT
// The WebAssembly module and its memory: texts, descriptors, bytes in and out. Everything that comes in is copied.

import { RunnelError } from "./errors.js";
import { Heap } from "./heap.js";

// Of <runnel/stream.h>.
export const LAYOUT = -4;
export const STATE = -5;
export const LIMIT = -6;
export const OVERLAP = -8;
export const UNKNOWN_CIPHER = -9;
export const TAG_LENGTH = -12;
export const TAG = -13;
const STATUS = ["recommended", "legacy", "broken"];
const MODES = ["stream", "ctr", "cfb"];

/** The lengths first, first + step … last. */
function lengths(first, last, step) {
  return Array.from({ length: (last - first) / step + 1 }, (_, i) => first + i * step);
}

export class Module {
  constructor(instance) {
    this.c = instance.exports;
    this.heap = new Heap(this.c.memory, this.c.__heap_base.value);
    this.ciphers = this.#all(this.c.runnel_cipher_at, (at) => this.#cipherFacts(at));
    this.aeads = this.#all(this.c.runnel_aead_at, (at) => this.#aeadFacts(at));
  }

  /** A view of memory, good until memory grows. */
  view(address, bytes) {
    return new Uint8Array(this.c.memory.buffer, address, bytes);
  }

  /** Text that ends with 0; null for a NULL pointer. */
  text(address) {
    if (address === 0) return null;
    const all = new Uint8Array(this.c.memory.buffer, address);
    return new TextDecoder().decode(all.subarray(0, all.indexOf(0)));
  }

  /** Throws a RunnelError for a negative result. */
  check(result) {
    if (result < 0) throw new RunnelError(result, this.text(this.c.runnel_error_text(result)));
  }

  /** Copies byte arrays in, one behind the other, calls f with their addresses, and wipes them afterwards. */
  with(parts, f) {
    const start = this.heap.take(parts.reduce((sum, part) => sum + part.length, 0));
    try {
      const addresses = [];
      let at = start;
      for (const part of parts) {
        this.view(at, part.length).set(part);
        addresses.push(at);
        at += part.length;
      }
      return f(...addresses);
    } finally {
      this.heap.give(start);
    }
  }

  /** As `with`, for one text; the address is 0 without it. */
  withText(text, f) {
    return text == null ? f(0) : this.with([new TextEncoder().encode(`${text}\0`)], f);
  }

  #all(at, facts) {
    const found = new Map();
    for (let i = 0, address; (address = at(i)) !== 0; i++) {
      const known = facts(address);
      found.set(known.name, Object.freeze(known));
    }
    return found;
  }

  /** The fields common to ciphers and AEADs, and the words behind them; module.c has the same order. */
  #facts(address) {
    const words = new Uint32Array(this.c.memory.buffer, address, 17);
    const [name, title, source, remark] = Array.from(words.subarray(0, 4), (each) => this.text(each));
    const common = { name, title, source, remark, status: STATUS[words[4]], contextBytes: words[5] };
    return [common, lengths(words[6], words[7], words[8]), words.slice(9)];
  }

  #cipherFacts(address) {
    const [common, keyBytes, words] = this.#facts(this.c.cipher_facts(address));
    const [ivFirst, ivLast, ivStep, mode, seekable, layouts, layout, ivAsKey] = words;
    const layoutNames = Array.from({ length: 16 }, (_, i) => i)
      .filter((i) => i > 0 && (layouts >> i) & 1)
      .map((i) => this.text(this.c.runnel_layout_name(i)));
    return {
      ...common,
      mode: MODES[mode],
      keyBytes,
      ivBytes: lengths(ivFirst, ivLast, ivStep),
      ivAsKey: ivAsKey === 1,
      seekable: seekable === 1,
      layouts: layoutNames,
      layout: layout === 0 ? null : this.text(this.c.runnel_layout_name(layout)),
    };
  }

  #aeadFacts(address) {
    const [common, keyBytes, words] = this.#facts(this.c.aead_facts(address));
    const [nonceLeast, nonceMost, , nonceBytes, tagBytes, tags, tagFirst, commits] = words;
    return {
      ...common,
      keyBytes,
      nonceBytes,
      nonceLeast,
      nonceMost,
      tagBytes,
      tags: Array.from({ length: 32 }, (_, i) => i + 1).filter((bytes) => (tags >>> bytes % 32) & 1),
      tagFirst: tagFirst === 1,
      commits: commits === 1,
    };
  }
}
