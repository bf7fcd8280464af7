// SPDX-License-Identifier: Apache-2.0 OR MIT
// node against-node.mjs PACKAGE: random messages, by the package and by node:crypto.

import assert from "node:assert/strict";
import { createCipheriv, randomBytes, randomInt } from "node:crypto";
import { load } from "./package.mjs";

const runnel = await load();
let messages = 0;

const length = (i) => randomInt(0, i % 25 === 0 ? 200000 : 2000);

for (let i = 0; i < 150; i++) {
  const key = randomBytes([16, 24, 32][i % 3]);
  const iv = randomBytes(16);
  if (i % 2 === 0) iv.fill(255, 4 + (i % 12)); // a carry soon
  const message = randomBytes(length(i));
  const name = `aes-${8 * key.length}-ctr`;
  const wanted = createCipheriv(name, key, iv).update(message);
  const cipher = runnel.cipher(name, key, { iv });
  const cut = randomInt(0, message.length + 1);
  const got = [cipher.xor(message.subarray(0, cut)), cipher.xor(message.subarray(cut))];
  assert(Buffer.concat(got).equals(wanted), `${name}, ${message.length} bytes`);
  cipher.seek(cut);
  const rest = Buffer.from(message.subarray(cut));
  cipher.xor(rest, rest);
  assert(rest.equals(wanted.subarray(cut)), `${name} from ${cut}, in place`);
  assert.equal(cipher.position, message.length);
  messages++;
}

for (const [name, keys] of [["gcm", [16, 24, 32]], ["chacha20-poly1305", [32]]]) {
  for (let i = 0; i < 150; i++) {
    const key = randomBytes(keys[i % keys.length]);
    const [nonce, aad, message] = [randomBytes(12), randomBytes(randomInt(0, 100)), randomBytes(length(i))];
    const full = name === "gcm" ? `aes-${8 * key.length}-gcm` : name;
    const theirs = createCipheriv(full, key, nonce, { authTagLength: 16 }).setAAD(aad, { plaintextLength: message.length });
    const wanted = Buffer.concat([theirs.update(message), theirs.final(), theirs.getAuthTag()]);
    const aead = runnel.aead(full, key);
    const sealed = aead.seal(nonce, message, aad);
    assert(wanted.equals(sealed), `${full}, ${message.length} bytes`);
    assert(message.equals(aead.open(nonce, sealed, aad)));
    sealed[randomInt(0, sealed.length)] ^= 1 << randomInt(0, 8);
    assert.throws(() => aead.open(nonce, sealed, aad), { name: "AuthenticationError" });
    aead.wipe();
    messages++;
  }
}
console.log(JSON.stringify({ messages }));
