// SPDX-License-Identifier: Apache-2.0 OR MIT
// Where a page or a program says its outputs: to the server that it came from, or in node to its output.

import { pattern, toHex } from "./bytes.mjs";
import { sample } from "./sample.mjs";

function opened(runnel) {
  const [key, nonce, message] = [pattern(32, 7, 1), pattern(12, 5, 3), pattern(300, 11, 0)];
  const aead = runnel.aead("chacha20-poly1305", key);
  const sealed = aead.seal(nonce, message);
  if (toHex(aead.open(nonce, sealed)) !== toHex(message)) throw new Error("it opens as another message");
  sealed[7] ^= 1;
  try {
    aead.open(nonce, sealed);
  } catch (error) {
    return error.name === "AuthenticationError";
  }
  return false;
}

export async function answer(loading) {
  let report;
  try {
    const runnel = await loading;
    if (!opened(runnel)) throw new Error("a forgery was opened");
    report = { outputs: sample(runnel), agent: globalThis.navigator?.userAgent };
  } catch (error) {
    report = { error: `${error.stack}` };
  }
  const body = JSON.stringify(report);
  if (globalThis.document === undefined) {
    console.log(body);
  } else {
    const where = new URLSearchParams(location.search).get("answer") ?? "/answer";
    await fetch(where, { method: "POST", mode: "no-cors", body });
  }
}
