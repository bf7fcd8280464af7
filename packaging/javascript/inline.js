// SPDX-License-Identifier: Apache-2.0 OR MIT
// The package with its module in a script: for bundlers that copy no other files, and for programs in one file.

import { loader } from "./load.js";
import { text } from "./runnel.wasm.js";

export { RunnelError } from "./errors.js";
export const load = loader(() => Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
