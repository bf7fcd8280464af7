// SPDX-License-Identifier: Apache-2.0 OR MIT
// A program of a page: what comes out goes into the web's own functions.

import { type Output, load } from "runnel";

export async function all(key: CryptoKey): Promise<void> {
  const runnel = await load(fetch("/runnel.wasm"));
  await load(new URL("https://example.org/runnel.wasm"));
  await load("/runnel.wasm");
  await load(await WebAssembly.compileStreaming(fetch("/runnel.wasm")));
  await load(new Blob([]));
  const memory: WebAssembly.Memory = runnel.memory;
  const secret = crypto.getRandomValues(new Uint8Array(32));
  const cipher = runnel.cipher("aes-256-ctr", secret, { iv: secret.subarray(16) });
  const aead = runnel.aead("chacha20-poly1305", secret);
  const sealed = aead.seal(secret.subarray(0, 12), new TextEncoder().encode("text"));
  const made: Output[] = [sealed, aead.open(sealed, sealed), cipher.keystream(7), cipher.xor(sealed)];
  made.push(cipher.xor(memory.buffer), cipher.encrypt(sealed), cipher.decrypt(sealed, new Uint8Array(9)));
  for (const each of made) {
    await crypto.subtle.digest("SHA-256", each);
    await crypto.subtle.encrypt({ name: "AES-GCM", iv: each }, key, each);
    await fetch("/", { method: "POST", body: each });
    new Response(new Blob([each, each.buffer]));
    crypto.getRandomValues(each);
    new WebSocket("wss://example.org").send(each);
  }
}
