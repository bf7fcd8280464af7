// SPDX-License-Identifier: Apache-2.0 OR MIT
// A program for no platform in particular: it has neither the DOM's types nor node's.

import { type Aead, type Bytes, type Cipher, type CipherInfo, type Output, type Runnel, RunnelError, load } from "runnel";
import { load as loadInline } from "runnel/inline";

export async function all(key: Uint8Array, iv: ArrayBuffer, message: DataView): Promise<Output[]> {
  const runnel: Runnel = await load();
  const cipher: Cipher = runnel.cipher("aes-256-ctr", key, { iv, layout: "be32" });
  const aead: Aead = (await loadInline(new Uint8Array(8))).aead("chacha20-poly1305", key);
  const sealed = aead.seal(iv, message, undefined, { tagBytes: 16 });
  const facts: readonly CipherInfo[] = runnel.ciphers();
  const shared = new Uint8Array(new SharedArrayBuffer(facts.length));
  const same: typeof shared = cipher.xor(shared, shared);
  const found: ArrayBuffer = sealed.buffer as ArrayBuffer;
  const bytes: Bytes[] = [found, same, new Uint16Array(2), runnel.memory.buffer];
  const returned: Uint8Array = cipher.seek(2n ** 60n).encrypt(message, new DataView(found));
  for (const each of bytes) cipher.iv(each).decrypt(each);
  // @ts-expect-error: text is not bytes
  aead.open(iv, "text");
  // @ts-expect-error: nor is a length
  cipher.xor(7);
  return [sealed, aead.open(iv, returned), cipher.xor(key), cipher.encrypt(key, undefined), cipher.keystream(7)];
}

export function reason(error: unknown): number | undefined {
  return error instanceof RunnelError && error.name === "LimitError" ? error.number : undefined;
}
