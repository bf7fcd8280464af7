// SPDX-License-Identifier: Apache-2.0 OR MIT
// node sample-node.mjs PACKAGE: prints the sample as JSON.

import { load } from "./package.mjs";
import { sample } from "./sample.mjs";

console.log(JSON.stringify(sample(await load())));
