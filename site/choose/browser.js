// SPDX-License-Identifier: Apache-2.0 OR MIT
// "My browser": the WebAssembly build beside WebCrypto, messages of the length that is asked for, each with its nonce.
"use strict";
(function () {
  const button = document.getElementById("measure");
  const status = document.getElementById("measure-status");
  const table = document.getElementById("measured");
  const ROUNDS = 15;
  const MILLISECONDS = 12;
  const WITHOUT =
    crypto.subtle === undefined ? " Without WebCrypto, which browsers have only for pages from https or localhost." : "";

  // The shortest time of a call, in µs, of rounds that take the ciphers in turn.
  async function inTurn(calls) {
    const best = new Map();
    for (let round = 0; round < ROUNDS; round++)
      for (const [name, call] of calls) {
        let count = 0;
        const begin = performance.now();
        let now = begin;
        while (now - begin < MILLISECONDS) {
          const answer = call();
          if (answer instanceof Promise) await answer;
          count++;
          now = performance.now();
        }
        best.set(name, Math.min(best.get(name) ?? Infinity, ((now - begin) * 1000) / count));
      }
    return best;
  }

  async function calls(message) {
    const { load } = await import("./wasm/index.js");
    const runnel = await load();
    const key = crypto.getRandomValues(new Uint8Array(32));
    const found = [];
    for (const [name, keyBytes] of [["aes-128-gcm", 16], ["chacha20-poly1305", 32]]) {
      const aead = runnel.aead(name, key.slice(0, keyBytes));
      const nonce = new Uint8Array(12);
      found.push([name, () => aead.seal(nonce, message)]);
    }
    for (const [name, keyBytes, ivBytes] of [["aes-128-ctr", 16, 16], ["chacha20", 32, 12], ["salsa20", 32, 8]]) {
      const iv = new Uint8Array(ivBytes);
      const cipher = runnel.cipher(name, key.slice(0, keyBytes), { iv });
      found.push([name, () => (cipher.iv(iv), cipher.xor(message))]);
    }
    if (crypto.subtle === undefined) return found;
    for (const [title, algorithm] of [
      ["WebCrypto AES-128-CTR", { name: "AES-CTR", counter: new Uint8Array(16), length: 128 }],
      ["WebCrypto AES-128-GCM", { name: "AES-GCM", iv: new Uint8Array(12) }],
    ]) {
      const imported = await crypto.subtle.importKey("raw", key.slice(0, 16), algorithm.name, false, ["encrypt"]);
      found.push([title, () => crypto.subtle.encrypt(algorithm, imported, message)]);
    }
    return found;
  }

  async function measure() {
    button.disabled = true;
    status.textContent = "Measuring …";
    try {
      const bytes = Math.min(Math.max(chooser.asked().bytes, 1), 1 << 24);
      const best = await inTurn(await calls(new Uint8Array(bytes)));
      const lines = [...best].sort((a, b) => a[1] - b[1]).map(([name, us]) => {
        const line = document.createElement("tr");
        [name, chooser.figure(us), chooser.figure(bytes / us)].forEach((text, n) => {
          const cell = document.createElement(n ? "td" : "th");
          if (n) cell.className = "number";
          else cell.scope = "row";
          cell.textContent = text;
          line.append(cell);
        });
        return line;
      });
      table.tBodies[0].replaceChildren(...lines);
      table.hidden = false;
      status.textContent =
        `Messages of ${chooser.number(bytes)} bytes, one after the other; other work in the browser moves it.` + WITHOUT;
    } catch (error) {
      status.textContent = `This browser cannot: ${error.message}`;
    }
    button.disabled = false;
  }

  if (location.protocol === "file:") {
    button.disabled = true;
    status.textContent = "This needs the page from a web server (https or localhost): a file may not load WebAssembly.";
  } else button.addEventListener("click", measure);
})();
