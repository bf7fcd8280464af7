// SPDX-License-Identifier: Apache-2.0 OR MIT
// node members.mjs PACKAGE: the public members of all objects, and the names of all errors, as JSON.

import { RunnelError, entry } from "./package.mjs";

const exported = await entry();
const runnel = await exported.load();
const key = new Uint8Array(32);
const found = new Set(Object.keys(exported));
for (const made of [runnel, runnel.cipher("salsa20", key), runnel.aead("chacha20-poly1305", key)]) {
  for (let each = made; each !== Object.prototype; each = Object.getPrototypeOf(each)) {
    for (const name of Object.getOwnPropertyNames(each)) found.add(name);
  }
  for (const name of Object.keys(made.info ?? {})) found.add(name);
}
const errors = Array.from({ length: 15 }, (_, i) => new RunnelError(-1 - i, "").name);
console.log(JSON.stringify([[...found].filter((name) => name !== "constructor" && !name.startsWith("_")), errors]));
