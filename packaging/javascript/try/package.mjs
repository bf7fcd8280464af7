// SPDX-License-Identifier: Apache-2.0 OR MIT
// The package in the folder that is a program's first argument, as `import "runnel"` finds it in node.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];

/** Imports what the manifest's `exports` name for node. */
export function entry(name = ".") {
  const { exports } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const { node, default: otherwise } = exports[name];
  return import(pathToFileURL(`${folder}/${node ?? otherwise}`).href);
}

export const { load, RunnelError } = await entry();
