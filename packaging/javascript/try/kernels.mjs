// SPDX-License-Identifier: Apache-2.0 OR MIT
// node kernels.mjs PACKAGE: each cipher and the kernel that is chosen; PACKAGE imports: how many imports the module has.

import { readFileSync } from "node:fs";

if (process.argv[3] === "imports") {
  console.log(WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(`${process.argv[2]}/runnel.wasm`))).length);
} else {
  const { load } = await import("./package.mjs");
  const runnel = await load();
  const kernelOf = (make, { name, keyBytes }) => make(name, new Uint8Array(keyBytes.at(-1)), { allowBroken: true }).kernel;
  for (const info of runnel.ciphers()) console.log(info.name, kernelOf(runnel.cipher.bind(runnel), info));
  for (const info of runnel.aeads()) console.log(info.name, kernelOf(runnel.aead.bind(runnel), info));
}
