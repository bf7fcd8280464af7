// SPDX-License-Identifier: Apache-2.0 OR MIT
// node arguments.mjs PACKAGE: every argument that is bytes, in every kind of object that holds bytes.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { runInNewContext } from "node:vm";
import { entry, load } from "./package.mjs";

const runnel = await load();
const LONG = 150_000; // more than the module takes at a time, and a multiple of 8

/** A Uint8Array whose methods, getters and species are all wrong. */
class Hostile extends Uint8Array {
  static get [Symbol.species]() {
    return Array;
  }
}
for (let from = Uint8Array.prototype; from !== Object.prototype; from = Object.getPrototypeOf(from)) {
  for (const name of Reflect.ownKeys(from).filter((each) => each !== "constructor")) {
    const isGetter = Object.getOwnPropertyDescriptor(from, name).get !== undefined;
    const wrong = isGetter ? { get: () => (name === "buffer" ? new ArrayBuffer(8) : 3) } : { value: () => new Uint8Array(2) };
    Object.defineProperty(Hostile.prototype, name, { ...wrong, configurable: true });
  }
}
class HostileMemory extends ArrayBuffer {
  get byteLength() {
    return 3;
  }
  slice() {
    return new ArrayBuffer(1);
  }
}

const elsewhere = runInNewContext("({ Uint8Array, ArrayBuffer, DataView })");
const resizes = new ArrayBuffer(1, { maxByteLength: 2 }).resizable === true; // from node 20 on

/** The bytes that are written over the memory of `make(ArrayBuffer, offset, length)`. */
const filled = (bytes, make, Memory = ArrayBuffer, at = 16) => {
  const memory = new Memory(bytes.length + at);
  new Uint8Array(memory).set(bytes, at);
  return make(memory, at, bytes.length);
};
const growing = (Memory) => function (length) {
  return new Memory(length, { maxByteLength: 2 * length });
};

/** Every kind of holder that is taken: a function of the bytes that it shall have. */
const KINDS = {
  Uint8Array: (bytes) => filled(bytes, (...place) => new Uint8Array(...place)),
  Buffer: (bytes) => filled(bytes, (...place) => Buffer.from(...place)),
  "Buffer of a pool": (bytes) => Buffer.from(bytes),
  Hostile: (bytes) => filled(bytes, (...place) => new Hostile(...place)),
  "own length": (bytes) => Object.defineProperty(Uint8Array.from(bytes), "length", { value: 1 }),
  "own constructor": (bytes) => Object.assign(Uint8Array.from(bytes), { constructor: { [Symbol.species]: Array } }),
  "shared Uint8Array": (bytes) => filled(bytes, (...place) => new Uint8Array(...place), SharedArrayBuffer),
  "shared Buffer": (bytes) => filled(bytes, (...place) => Buffer.from(...place), SharedArrayBuffer),
  "shared Hostile": (bytes) => filled(bytes, (...place) => new Hostile(...place), SharedArrayBuffer),
  "shared DataView": (bytes) => filled(bytes, (...place) => new DataView(...place), SharedArrayBuffer),
  ArrayBuffer: (bytes) => filled(bytes, (memory) => memory, ArrayBuffer, 0),
  HostileMemory: (bytes) => filled(bytes, (memory) => memory, HostileMemory, 0),
  "Uint8Array of HostileMemory": (bytes) => filled(bytes, (...place) => new Uint8Array(...place), HostileMemory),
  DataView: (bytes) => filled(bytes, (...place) => new DataView(...place)),
  "Uint8Array of another realm": (bytes) => new elsewhere.Uint8Array(bytes),
  "ArrayBuffer of another realm": (bytes) => new elsewhere.Uint8Array(bytes).buffer,
  "DataView of another realm": (bytes) => new elsewhere.DataView(new elsewhere.Uint8Array(bytes).buffer),
  Int8Array: (bytes) => filled(bytes, (...place) => new Int8Array(...place)),
  Uint8ClampedArray: (bytes) => filled(bytes, (...place) => new Uint8ClampedArray(...place)),
  Uint16Array: (bytes) => filled(bytes, (memory, at, length) => new Uint16Array(memory, at, length / 2)),
  Float32Array: (bytes) => filled(bytes, (memory, at, length) => new Float32Array(memory, at, length / 4)),
  ...(resizes && {
    "resizable ArrayBuffer": (bytes) => filled(bytes, (memory) => memory, growing(ArrayBuffer), 0),
    "view of all of a resizable one": (bytes) =>
      filled(bytes, (memory, at) => new Uint8Array(memory, at), growing(ArrayBuffer)),
    "view of all of a growable one": (bytes) =>
      filled(bytes, (memory, at) => new Uint8Array(memory, at), growing(SharedArrayBuffer)),
    "Buffer of a growable one": (bytes) => filled(bytes, (...place) => Buffer.from(...place), growing(SharedArrayBuffer)),
  }),
};

/** Things that are refused with a TypeError. */
const transferred = (kind) => {
  const made = KINDS[kind](new Uint8Array(16));
  structuredClone(null, { transfer: [made.buffer ?? made] });
  return made;
};
const shrunk = (View) => {
  const memory = new ArrayBuffer(32, { maxByteLength: 32 });
  const view = new View(memory, 16, 16);
  memory.resize(20);
  return view;
};
const REFUSED = {
  null: () => null,
  number: () => 16,
  text: () => "0123456789abcdef",
  Array: () => new Array(16).fill(0),
  "Uint8Array's heir": () => Object.create(Uint8Array.prototype),
  Proxy: () => new Proxy(new Uint8Array(16), {}),
  SharedArrayBuffer: () => new SharedArrayBuffer(16),
  "what has a length": () => ({ length: 16, byteLength: 16, byteOffset: 0, buffer: new ArrayBuffer(16) }),
  "transferred Uint8Array": () => transferred("Uint8Array"),
  "transferred ArrayBuffer": () => transferred("ArrayBuffer"),
  "transferred DataView": () => transferred("DataView"),
  ...(resizes && {
    "Uint8Array beyond the end": () => shrunk(Uint8Array),
    "DataView beyond the end": () => shrunk(DataView),
  }),
};

const hex = (bytes) => Buffer.from(bytes).toString("hex");
/** The bytes that a holder has, by what node itself makes of it. */
const contents = (holder) => {
  const copy = structuredClone(holder); // of the built-in class, whatever the holder overrides
  return hex(ArrayBuffer.isView(copy) ? Buffer.from(copy.buffer, copy.byteOffset, copy.byteLength) : new Uint8Array(copy));
};

const [key, iv, nonce, aad, message] = [32, 16, 12, 24, LONG].map((length) => Uint8Array.from(randomBytes(length)));
const started = (its = key, options = { iv }) => runnel.cipher("aes-256-ctr", its, options);
const aead = (its = key) => runnel.aead("chacha20-poly1305", its);
const sealed = aead().seal(nonce, message, aad);

/** Each argument: its bytes, and what becomes of it. */
const ARGUMENTS = {
  "cipher's key": [key, (its) => started(its).keystream(64)],
  "iv among the options": [iv, (its) => started(key, { iv: its }).keystream(64)],
  "iv()": [iv, (its) => started().iv(its).keystream(64)],
  "xor's data": [message, (its) => started().xor(its)],
  "encrypt's data": [message, (its) => started().encrypt(its)],
  "decrypt's data": [message, (its) => started().decrypt(its)],
  "AEAD's key": [key, (its) => aead(its).seal(nonce, message)],
  "seal's nonce": [nonce, (its) => aead().seal(its, message)],
  "seal's message": [message, (its) => aead().seal(nonce, its)],
  "seal's aad": [aad, (its) => aead().seal(nonce, message, its)],
  "open's nonce": [nonce, (its) => aead().open(its, sealed, aad)],
  "open's sealed": [sealed, (its) => aead().open(nonce, its, aad)],
  "open's aad": [aad, (its) => aead().open(nonce, sealed, its)],
};

for (const [what, [bytes, make]] of Object.entries(ARGUMENTS)) {
  const wanted = make(Uint8Array.from(bytes));
  assert.equal(Object.getPrototypeOf(wanted), Uint8Array.prototype);
  for (const [kind, holder] of Object.entries(KINDS)) {
    if (bytes.length % 4 && /16|32/.test(kind)) continue;
    const made = make(holder(bytes));
    assert.equal(hex(made), hex(wanted), `${what}, ${kind}`);
    assert(made.buffer instanceof ArrayBuffer && Object.getPrototypeOf(made) === Uint8Array.prototype, `${what}, ${kind}`);
  }
  for (const [kind, holder] of Object.entries(REFUSED)) {
    assert.throws(() => make(holder()), { name: "TypeError", message: /memory|must be/ }, `${what}, ${kind}`);
  }
}

// Where the result goes, and in place.
const wanted = hex(started().xor(message));
for (const [kind, holder] of Object.entries(KINDS)) {
  const [into, place] = [holder(new Uint8Array(LONG)), holder(message)];
  const returned = started().xor(message, into);
  assert.equal(contents(into), wanted, `into, ${kind}`);
  assert.equal(contents(returned), wanted, `into, ${kind}`);
  if (/Uint8Array|Buffer|Hostile$|own/.test(kind) && !/ArrayBuffer/.test(kind)) assert.equal(returned, into, kind);
  started().xor(place, place);
  assert.equal(contents(place), wanted, `in place, ${kind}`);
}
for (const [kind, holder] of Object.entries(REFUSED)) {
  assert.throws(() => started().xor(new Uint8Array(16), holder()), { name: "TypeError" }, `into, ${kind}`);
}

// Two handles of one memory, as a worker gets one of them, of every kind that shared memory can be seen through.
const VIEWS = {
  Uint8Array: (...place) => new Uint8Array(...place),
  Buffer: (...place) => Buffer.from(...place),
  Hostile: (...place) => new Hostile(...place),
  Uint16Array: (memory, at, length) => new Uint16Array(memory, at, length / 2),
  DataView: (...place) => new DataView(...place),
};
for (const [first, from] of Object.entries(VIEWS)) {
  for (const [second, to] of Object.entries(VIEWS)) {
    for (const grows of resizes ? [false, true] : [false]) {
      const memory = new SharedArrayBuffer(LONG + 1000, grows ? { maxByteLength: 2 * LONG } : undefined);
      new Uint8Array(memory).set(message);
      const there = to(structuredClone(memory), 100, LONG);
      started().xor(from(memory, 0, LONG), there);
      assert.equal(contents(there), wanted, `from a ${first} to a ${second}`);
    }
  }
}
// Of one handle it is seen, whatever the views are.
for (const Memory of [ArrayBuffer, SharedArrayBuffer]) {
  for (const from of Object.values(VIEWS)) {
    const memory = new Memory(LONG + 1000);
    assert.throws(() => started().xor(from(memory, 0, LONG), new Hostile(memory, 100, LONG)), { name: "OverlapError" });
  }
}

// A view whose memory another thread may grow meanwhile has one length all the time.
if (resizes) {
  const { bytesOf } = await import(pathToFileURL(`${process.argv[2]}/bytes.js`).href);
  const memory = new SharedArrayBuffer(10, { maxByteLength: 20 });
  const fixed = bytesOf(new Uint8Array(memory), "data");
  memory.grow(20);
  assert.equal(fixed.length, 10);
}

// A conversion that wipes the object does not get at the memory that was its.
for (const call of [
  (cipher, wipes) => cipher.seek({ valueOf: wipes }),
  (cipher, wipes) => cipher.iv(iv, { toString: wipes }),
]) {
  const cipher = started();
  assert.throws(() => call(cipher, () => cipher.wipe() ?? "be32"), (error) => error.name !== "AssertionError");
  assert.throws(() => cipher.position, { name: "StateError" });
}

// The module itself, from what a program has of it.
const bytes = readFileSync(`${process.argv[2]}/runnel.wasm`);
const count = runnel.ciphers().length;
for (const [kind, holder] of Object.entries(KINDS)) {
  if (bytes.length % 4 && /16|32/.test(kind)) continue;
  assert.equal((await load(holder(bytes))).ciphers().length, count, kind);
}
const file = pathToFileURL(`${process.argv[2]}/runnel.wasm`);
const encoded = `data:application/wasm;base64,${bytes.toString("base64")}`;
const sources = () => [new WebAssembly.Module(bytes), new Response(bytes), new Blob([bytes]), file, file.href, encoded];
for (const source of [...sources(), ...sources().map((each) => Promise.resolve(each))]) {
  assert.equal((await load(source)).ciphers().length, count);
}
await assert.rejects(load(new Response("", { status: 404 })), /status 404.*runnel\/inline/);
await assert.rejects(load(new Response("<!doctype html>")), /not a WebAssembly module/);
await assert.rejects(load(new URL("none.wasm", file)), /none\.wasm: ENOENT.*runnel\/inline/);
await assert.rejects(load("runnel.wasm"), /runnel\.wasm: Invalid URL/);
assert.equal((await (await entry("./inline")).load()).ciphers().length, count);
for (const [kind, holder] of Object.entries(REFUSED)) {
  if (kind === "null") continue; // as if nothing was given
  await assert.rejects(load(holder()), kind);
}

console.log(`${Object.keys(KINDS).length} kinds`);
