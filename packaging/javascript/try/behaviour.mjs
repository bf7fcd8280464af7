// SPDX-License-Identifier: Apache-2.0 OR MIT
// node --expose-gc behaviour.mjs PACKAGE: errors, of which nothing changes, and memory: no key, message or keystream stays in it.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { RunnelError, load } from "./package.mjs";

const runnel = await load();

function refuses(name, f) {
  assert.throws(f, (error) => error instanceof RunnelError && error.name === name && error.message.length > 5, name);
}

/** Tells whether memory has these bytes anywhere. */
function holds(bytes) {
  return Buffer.from(runnel.memory.buffer).includes(Buffer.from(bytes));
}

// Errors.
const key = randomBytes(32);
refuses("UnknownCipherError", () => runnel.cipher("aes-129-ctr", key));
refuses("UnknownCipherError", () => runnel.aead("aes-128-ctr", key));
refuses("KeyLengthError", () => runnel.cipher("aes-128-ctr", key));
refuses("KernelError", () => runnel.cipher("aes-256-ctr", key, { kernel: "vaes" }));
refuses("IvLengthError", () => runnel.cipher("aes-256-ctr", key, { iv: randomBytes(15) }));
for (const iv of [undefined, randomBytes(16)]) {
  refuses("LayoutError", () => runnel.cipher("aes-256-ctr", key, { iv, layout: "be17" }));
  refuses("LayoutError", () => runnel.cipher("salsa20", key, { layout: "be32" }));
}
assert.throws(() => runnel.cipher("aes-256-ctr", "a key"), TypeError);
for (const { name, status, keyBytes } of runnel.ciphers()) {
  if (status === "broken") refuses("UnknownCipherError", () => runnel.cipher(name, new Uint8Array(keyBytes.at(-1))));
}
assert.equal(runnel.memoryUsed, 0);

const cipher = runnel.cipher("aes-256-ctr", key);
refuses("StateError", () => cipher.xor(new Uint8Array(1)));
cipher.iv(randomBytes(16), "be32");
const end = 2n ** 36n;
refuses("LimitError", () => cipher.seek(end + 1n));
cipher.seek(end - 70000n);
const [message, into] = [new Uint8Array(70001), new Uint8Array(70001).fill(7)];
refuses("LimitError", () => cipher.xor(message, into));
assert(into.every((byte) => byte === 7) && cipher.position === Number(end - 70000n));
assert.equal(cipher.xor(message.subarray(1)).length, 70000);
const both = new Uint8Array(20);
refuses("OverlapError", () => cipher.seek(0).xor(both.subarray(0, 10), both.subarray(5, 15)));
assert.throws(() => cipher.xor(both, new Uint8Array(19)), RangeError);
for (const wrong of [-1, 1.5, NaN, Infinity, 2 ** 53]) assert.throws(() => cipher.seek(wrong), RangeError);
refuses("LimitError", () => cipher.seek(2n ** 64n));
refuses("DirectionError", () => runnel.cipher("aes-128-cfb", randomBytes(16), { iv: randomBytes(16) }).xor(both));

// A layout is that of every IV, wherever it was given.
const carry = new Uint8Array(16).fill(255);
const streamed = (options, ...layout) => {
  const made = runnel.cipher("aes-256-ctr", key, options);
  const bytes = made.iv(carry, ...layout).keystream(64);
  made.wipe();
  return Buffer.from(bytes).toString("hex");
};
const be32 = streamed({}, "be32");
assert.notEqual(streamed({}), be32);
assert.equal(streamed({ layout: "be32" }), be32);
assert.equal(streamed({ layout: "be32", iv: randomBytes(16) }), be32);
assert.equal(streamed({ layout: "le32" }, "be32"), be32);
assert.equal(streamed({ layout: "default" }), streamed({}));

const aead = runnel.aead("chacha20-poly1305", key);
refuses("IvLengthError", () => aead.seal(randomBytes(11), both));
refuses("TagLengthError", () => aead.seal(randomBytes(12), both, undefined, { tagBytes: 17 }));
refuses("AuthenticationError", () => aead.open(randomBytes(12), new Uint8Array(15)));
refuses("AuthenticationError", () => aead.open(randomBytes(12), new Uint8Array(16)));

// Memory.
const secret = Buffer.from("a secret that is nowhere else in memory, nor its ciphertext");
const streams = runnel.memoryUsed;
assert(streams > 0 && holds(key), "ChaCha20's state has the key as it is");
const output = cipher.iv(randomBytes(16)).xor(secret);
const sealed = aead.seal(randomBytes(12), secret);
assert(!holds(secret.subarray(0, 16)) && !holds(output.subarray(0, 16)) && !holds(sealed.subarray(0, 16)));
assert.equal(runnel.memoryUsed, streams);
cipher.wipe();
aead.wipe();
aead.wipe();
assert(!holds(key.subarray(0, 8)) && !holds(key.subarray(24)), "the key is gone");
refuses("StateError", () => cipher.xor(both));
refuses("StateError", () => aead.seal(randomBytes(12), both));

// A message larger than memory was, and pieces that come back in another order.
const large = new Uint8Array(5_000_000);
const third = runnel.aead("aes-128-gcm", randomBytes(16));
const nonce = randomBytes(12);
assert.deepEqual(Buffer.from(third.open(nonce, third.seal(nonce, large))).equals(Buffer.from(large)), true);
const several = Array.from({ length: 20 }, () => runnel.cipher("salsa20", randomBytes(32), { iv: randomBytes(8) }));
const bytes = runnel.memory.buffer.byteLength;
for (const i of [3, 1, 2, 19, 0, ...Array.from({ length: 14 }, (_, n) => n + 4), 18]) several[i].wipe();
third.wipe();
const again = runnel.aead("aes-128-gcm", randomBytes(16));
again.seal(nonce, large);
assert.equal(runnel.memory.buffer.byteLength, bytes, "what came back is used again");

// Objects that nobody has any more.
again.wipe();
for (let i = 0; i < 10; i++) runnel.cipher("chacha20", key, { iv: randomBytes(12) });
assert(holds(key));
for (let i = 0; i < 100 && runnel.memoryUsed > 0; i++) {
  globalThis.gc();
  await new Promise((done) => setTimeout(done, 10));
}
assert.equal(runnel.memoryUsed, 0);
assert(!holds(key), "wiped when collected");

console.log("all as it should be");
