// SPDX-License-Identifier: Apache-2.0 OR MIT
// node sample-node.mjs PACKAGE: prints the sample as JSON.

import { pathToFileURL } from "node:url";
import { sample } from "./sample.mjs";

const { load } = await import(pathToFileURL(`${process.argv[2]}/index.js`).href);
console.log(JSON.stringify(sample(await load())));
