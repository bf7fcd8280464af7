// SPDX-License-Identifier: Apache-2.0 OR MIT
/** As `runnel`, except that the module is in the script itself and nothing is fetched. */
export * from "./index.js";
