// SPDX-License-Identifier: Apache-2.0 OR MIT
// A program for node, with node's types and not the DOM's.

import { createHash, randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { load } from "runnel";

const runnel = await load(readFile(new URL("runnel.wasm", import.meta.url)));
const buffer: Buffer = runnel.cipher("aes-256-ctr", randomBytes(32)).iv(randomBytes(16)).xor(randomBytes(9), Buffer.alloc(9));
const sealed = runnel.aead("chacha20-poly1305", randomBytes(32)).seal(randomBytes(12), buffer, Buffer.from("header"));
await writeFile("sealed", sealed);
console.log(createHash("sha256").update(sealed).digest("hex"), runnel.memory.buffer.byteLength);
