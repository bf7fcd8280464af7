// SPDX-License-Identifier: Apache-2.0 OR MIT
// The module from whatever a program, page or bundler has of it.

import { Runnel } from "./api.js";
import { bytesOf } from "./bytes.js";

const MAGIC = [0, 0x61, 0x73, 0x6d];
const ADVICE = 'Where a bundler has left runnel.wasm behind, pass it to load(), or import "runnel/inline".';

/**
 * Returns the function `load` of an entry point. packaged: returns what is loaded where nothing is given. get: returns a
 * Response or bytes for a URL, or a promise of them.
 */
export function loader(packaged, get = (url) => fetch(url)) {
  return async function load(source) {
    const given = await (source ?? packaged());
    const module = given instanceof WebAssembly.Module ? given : await WebAssembly.compile(await contents(given, get));
    return new Runnel(await WebAssembly.instantiate(module));
  };
}

/** The module's bytes, in memory of their own: engines compile none that are in shared or resizable memory. */
async function contents(given, get) {
  if (typeof given === "string" || given instanceof URL) return contents(await fetched(given, get), get);
  const response = typeof given?.arrayBuffer === "function";
  if (response && given.ok === false) throw new Error(`${given.url}: status ${given.status}. ${ADVICE}`);
  const bytes = new Uint8Array(bytesOf(response ? await given.arrayBuffer() : given, "source"));
  if (MAGIC.some((byte, i) => bytes[i] !== byte)) {
    throw new Error(`${(response && given.url) || "source"}: not a WebAssembly module. ${ADVICE}`);
  }
  return bytes;
}

async function fetched(url, get) {
  try {
    return await get(url);
  } catch (cause) {
    throw new Error(`${url}: ${cause.message}. ${ADVICE}`, { cause });
  }
}
