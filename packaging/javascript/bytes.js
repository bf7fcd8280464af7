// SPDX-License-Identifier: Apache-2.0 OR MIT
// Bytes that callers pass in. A subclass overrides what it likes (the `slice` of node's Buffer is a view, not a copy), so
// everything is asked of the intrinsics, as they were when this was loaded, and the result is a plain Uint8Array.

const { apply } = Reflect;
const { isView } = ArrayBuffer;
const TypedArray = Object.getPrototypeOf(Uint8Array).prototype;
const { keys } = TypedArray;

/** A function that calls a getter of a prototype on what it gets; that throws TypeError for an object of another kind. */
function getter(prototype, name) {
  const { get } = Object.getOwnPropertyDescriptor(prototype, name);
  return (object) => apply(get, object, []);
}

/** The getters of a view: its memory, and where in that it lies. */
function getters(prototype) {
  return ["buffer", "byteOffset", "byteLength"].map((name) => getter(prototype, name));
}

const kindOf = getter(TypedArray, Symbol.toStringTag); // undefined for a DataView
const ofArray = getters(TypedArray);
const ofDataView = getters(DataView.prototype);
const lengthOf = getter(ArrayBuffer.prototype, "byteLength");

/** Tells whether it is an ArrayBuffer, of any realm, and not a SharedArrayBuffer or anything else. */
function isArrayBuffer(object) {
  try {
    lengthOf(object);
    return true;
  } catch {
    return false;
  }
}

/** Tells whether this is a Uint8Array, or of a subclass, of any realm. */
export function isBytes(data) {
  return isView(data) && kindOf(data) === "Uint8Array";
}

/**
 * Returns the bytes of a Uint8Array, any other view or an ArrayBuffer: a plain Uint8Array over the same memory. Its length is
 * fixed, so that memory that grows meanwhile does no harm. Throws TypeError for all else, and for a view whose memory was
 * taken away: its length reads as 0, and nothing would be encrypted.
 */
export function bytesOf(data, what) {
  const view = isView(data);
  if (!view && !isArrayBuffer(data)) throw new TypeError(`${what} must be a Uint8Array, another view or an ArrayBuffer`);
  try {
    if (!view) return new Uint8Array(data, 0, lengthOf(data));
    const array = kindOf(data) !== undefined;
    if (array) apply(keys, data, []); // throws where it lies beyond the end of memory that has shrunk
    const [buffer, offset, length] = (array ? ofArray : ofDataView).map((get) => get(data));
    return new Uint8Array(buffer, offset, length);
  } catch (cause) {
    throw new TypeError(`${what}: its memory was transferred, or has become too short for it`, { cause });
  }
}

/** Tells whether two plain arrays share some bytes without being equal. */
export function overlap(a, b) {
  const [start, end] = [Math.max(a.byteOffset, b.byteOffset), Math.min(a.byteOffset + a.length, b.byteOffset + b.length)];
  return a.buffer === b.buffer && a.byteOffset !== b.byteOffset && start < end;
}

/** Tells whether these may be two handles of one shared memory, as postMessage makes them: there is no way to tell. */
export function mayBeOneMemory(a, b) {
  return a.buffer !== b.buffer && !isArrayBuffer(a.buffer) && !isArrayBuffer(b.buffer);
}
