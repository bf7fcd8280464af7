// SPDX-License-Identifier: Apache-2.0 OR MIT

export function fromHex(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (two) => parseInt(two, 16));
}

export function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Bytes that anyone can make again: byte i is a i + b, modulo 256. */
export function pattern(bytes, a, b) {
  return Uint8Array.from({ length: bytes }, (_, i) => a * i + b);
}
