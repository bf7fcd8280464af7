// SPDX-License-Identifier: Apache-2.0 OR MIT
// The package for pages, workers and whatever else fetches what lies beside a script. Bundlers know this form of a URL.

import { loader } from "./load.js";

export { RunnelError } from "./errors.js";
export const load = loader(() => new URL("./runnel.wasm", import.meta.url));
