// SPDX-License-Identifier: Apache-2.0 OR MIT
// Runnel beside WebCrypto, interleaved: MB/s by message length, the best of many rounds. WebCrypto is native code and
// asynchronous; each message is a call that somebody waits for, as a program that needs the bytes would.
//
// node bench.mjs PACKAGE prints a table; in a page, page.html?bench.

import { pattern } from "./bytes.mjs";

const SIZES = [64, 1024, 16384, 1 << 20];
const ROUND = 8; // ms
const ROUNDS = 25;

/** The contestants: a name, and what makes a function of a message. */
async function contestants(runnel) {
  const { subtle } = globalThis.crypto;
  const [key, iv, nonce] = [pattern(16, 7, 1), pattern(16, 5, 3), pattern(12, 5, 3)];
  const known = (list, name) => list.some((each) => each.name === name);
  const web = async (name, parameters) => {
    const imported = await subtle.importKey("raw", key, name, false, ["encrypt"]);
    return (message) => subtle.encrypt({ name, ...parameters }, imported, message);
  };
  const ours = (name, bytes, ivBytes) => {
    const cipher = runnel.cipher(name, pattern(bytes, 7, 1));
    const its = pattern(ivBytes, 5, 3);
    return (message) => cipher.iv(its).xor(message);
  };
  const sealed = (name, bytes) => {
    const aead = runnel.aead(name, pattern(bytes, 7, 1));
    return (message) => aead.seal(nonce, message);
  };
  const all = [
    ["WebCrypto AES-128-CTR", await web("AES-CTR", { counter: iv, length: 128 })],
    ["WebCrypto AES-128-GCM", await web("AES-GCM", { iv: nonce })],
  ];
  for (const [name, bytes, ivBytes] of [["aes-128-ctr", 16, 16], ["chacha20", 32, 12], ["salsa20", 32, 8]]) {
    if (known(runnel.ciphers(), name)) all.push([name, ours(name, bytes, ivBytes)]);
  }
  for (const [name, bytes] of [["aes-128-gcm", 16], ["chacha20-poly1305", 32]]) {
    if (known(runnel.aeads(), name)) all.push([name, sealed(name, bytes)]);
  }
  return all;
}

/** Returns the figures: { name: { bytes: MB/s } }. */
export async function bench(runnel) {
  const all = await contestants(runnel);
  const best = Object.fromEntries(all.map(([name]) => [name, {}]));
  for (const bytes of SIZES) {
    const message = pattern(bytes, 11, 0);
    const calls = new Map(all.map(([name]) => [name, 1]));
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, f] of all) {
        const n = calls.get(name);
        const start = performance.now();
        for (let i = 0; i < n; i++) {
          const made = f(message);
          if (made instanceof Promise) await made;
        }
        const ms = performance.now() - start;
        if (ms >= ROUND) best[name][bytes] = Math.max(best[name][bytes] ?? 0, (n * bytes) / ms / 1000);
        else calls.set(name, Math.ceil(n * Math.min(8, ROUND / Math.max(ms, 0.1)) * 1.2));
      }
    }
  }
  return best;
}

if (globalThis.process?.argv?.[1]?.endsWith("bench.mjs")) {
  const { load } = await import("./package.mjs");
  const figures = await bench(await load());
  for (const [name, row] of Object.entries(figures)) {
    console.log(name.padEnd(24), SIZES.map((bytes) => `${Math.round(row[bytes])}`.padStart(7)).join(""));
  }
}
