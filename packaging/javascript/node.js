// SPDX-License-Identifier: Apache-2.0 OR MIT
// The package for node, whose fetch reads no files, and for what else has node's modules.

import { readFile } from "node:fs/promises";
import { loader } from "./load.js";

const get = (url) => (new URL(url).protocol === "file:" ? readFile(new URL(url)) : fetch(url));

export { RunnelError } from "./errors.js";
export const load = loader(() => new URL("./runnel.wasm", import.meta.url), get);
