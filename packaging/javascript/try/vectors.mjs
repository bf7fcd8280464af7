// SPDX-License-Identifier: Apache-2.0 OR MIT
// node vectors.mjs PACKAGE <JSON: { "files": vectors.txt …, "aeads": lines of tests/test_c_aeads.py } prints how many vectors
// of each cipher were right, and ends with 1 at the first that was wrong.

import { readFileSync } from "node:fs";
import { load } from "./package.mjs";
import { fromHex, toHex } from "./bytes.mjs";

const runnel = await load();
const counts = {};

function same(got, wanted, where) {
  if (toHex(got) !== wanted.toLowerCase()) throw new Error(`${where}: ${toHex(got).slice(0, 64)}…, not ${wanted.slice(0, 64)}…`);
}

/** Paragraphs of `name: value`; the format: tests/vectors/README.md. */
function* vectors(file) {
  const standing = {};
  for (const paragraph of readFileSync(file, "utf8").split(/\n\s*\n/)) {
    const vector = { keystreams: [] };
    for (const line of paragraph.split("\n").filter((each) => each && !each.startsWith("#"))) {
      const [, field, value] = line.match(/^(\w+):\s*(.*)$/);
      if (field === "keystream") vector.keystreams.push(value.split(" "));
      else if (field === "source" || field === "cipher") standing[field] = value;
      else vector[field] = value;
    }
    if (vector.key !== undefined && vector.layout !== "ecb") yield { ...standing, ...vector };
  }
}

function digest(keystream) {
  const sum = new Uint8Array(64);
  keystream.forEach((byte, i) => (sum[i % 64] ^= byte));
  return sum;
}

function tryStream(v) {
  const where = `${v.cipher}, ${v.name}`;
  const start = () => runnel.cipher(v.cipher, fromHex(v.key), { iv: fromHex(v.iv), layout: v.layout, allowBroken: true });
  const cipher = start();
  if (v.output !== undefined) {
    const zeros = v.input.match(/^zeros (\d+)$/);
    const input = zeros ? new Uint8Array(Number(zeros[1])) : fromHex(v.input);
    if (v.offset !== undefined) cipher.seek(BigInt(v.offset));
    const cut = Math.floor(input.length / 3);
    same([...cipher.encrypt(input.subarray(0, cut)), ...cipher.encrypt(input.subarray(cut))], v.output, where);
    if (v.offset === undefined) same(start().decrypt(fromHex(v.output)), toHex(input), `${where}, back`);
  }
  for (const [offset, wanted] of v.keystreams) {
    const from = start();
    const bytes = wanted.length / 2;
    if (cipher.info.seekable) same(from.seek(BigInt(offset)).keystream(bytes), wanted, where);
    else same(from.encrypt(new Uint8Array(Number(offset) + bytes)).subarray(Number(offset)), wanted, where);
  }
  if (v.digest !== undefined) {
    const [bytes, wanted] = v.digest.split(" ");
    same(digest(start().keystream(Number(bytes))), wanted, `${where}, digest`);
  }
}

function tryAead(line) {
  const [name, ...fields] = line.split(" ");
  const valid = fields.pop() === "1";
  const [key, nonce, aad, plain, cipher, tag] = fields.map((field) => fromHex(field === "-" ? "" : field));
  const aead = runnel.aead(name, key, { allowBroken: true });
  const all = new Uint8Array(aead.info.tagFirst ? [...tag, ...cipher] : [...cipher, ...tag]);
  const options = { tagBytes: tag.length };
  if (valid) {
    same(aead.seal(nonce, plain, aad, options), toHex(all), line.slice(0, 80));
    same(aead.open(nonce, all, aad, options), toHex(plain), line.slice(0, 80));
  } else {
    try {
      aead.open(nonce, all, aad, options);
    } catch (error) {
      if (["AuthenticationError", "IvLengthError", "TagLengthError"].includes(error.name)) return name;
      throw error;
    }
    throw new Error(`opened: ${line.slice(0, 80)}`);
  }
  return name;
}

const { files, aeads } = JSON.parse(readFileSync(0, "utf8"));
for (const file of files) {
  for (const vector of vectors(file)) {
    tryStream(vector);
    counts[vector.cipher] = (counts[vector.cipher] ?? 0) + 1;
  }
}
for (const line of aeads) {
  const name = tryAead(line);
  counts[name] = (counts[name] ?? 0) + 1;
}
console.log(JSON.stringify(counts));
