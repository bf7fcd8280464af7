// SPDX-License-Identifier: Apache-2.0 OR MIT
// The output of every cipher and AEAD for one message, for node and for a page; tests/test_javascript.py makes the same on this
// machine, by the library as it is built for it.

import { pattern, toHex } from "./bytes.mjs";

export function sample(runnel) {
  const found = {};
  for (const { name, keyBytes, ivBytes, ivAsKey } of runnel.ciphers()) {
    const keyLength = keyBytes.at(-1);
    const iv = pattern(ivAsKey ? keyLength : ivBytes.at(-1), 5, 3);
    const cipher = runnel.cipher(name, pattern(keyLength, 7, 1), { iv, allowBroken: true });
    found[name] = toHex(cipher.encrypt(pattern(1000, 11, 0))) + toHex(cipher.encrypt(pattern(77, 13, 0)));
    cipher.wipe();
  }
  for (const { name, keyBytes, nonceBytes } of runnel.aeads()) {
    const aead = runnel.aead(name, pattern(keyBytes[0], 7, 1), { allowBroken: true });
    found[name] = toHex(aead.seal(pattern(nonceBytes, 5, 3), pattern(300, 11, 0), pattern(20, 3, 9)));
    aead.wipe();
  }
  return found;
}
