// SPDX-License-Identifier: Apache-2.0 OR MIT
// Memory of the module, handed out in pieces: contexts, and messages while they are worked on. What comes back is wiped.

const PAGE = 65536;
const ALIGN = 64;

export class Heap {
  #memory;
  #free; // [address, bytes], ascending, never adjacent
  #sizes = new Map(); // of what is handed out, by address

  /** All of `memory` from byte `start` on. */
  constructor(memory, start) {
    this.#memory = memory;
    const first = Math.ceil(start / ALIGN) * ALIGN;
    this.#free = [[first, memory.buffer.byteLength - first]];
  }

  /** Bytes that are handed out. */
  get used() {
    return [...this.#sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Returns the address of `bytes` bytes, zeroed, at a multiple of 64. Throws RangeError where the engine has no more. */
  take(bytes) {
    const wanted = Math.max(Math.ceil(bytes / ALIGN), 1) * ALIGN;
    let place = this.#free.find(([, size]) => size >= wanted);
    if (place === undefined) {
      const end = this.#memory.buffer.byteLength;
      this.#memory.grow(Math.ceil(wanted / PAGE));
      this.#add(end, this.#memory.buffer.byteLength - end);
      place = this.#free.find(([, size]) => size >= wanted);
    }
    const [address] = place;
    place[0] += wanted;
    place[1] -= wanted;
    if (place[1] === 0) this.#free.splice(this.#free.indexOf(place), 1);
    this.#sizes.set(address, wanted);
    return address;
  }

  /** Takes a piece back, and wipes it. */
  give(address) {
    const bytes = this.#sizes.get(address);
    this.#sizes.delete(address);
    new Uint8Array(this.#memory.buffer, address, bytes).fill(0);
    this.#add(address, bytes);
  }

  #add(address, bytes) {
    const at = this.#free.findIndex(([other]) => other > address);
    const index = at < 0 ? this.#free.length : at;
    this.#free.splice(index, 0, [address, bytes]);
    this.#join(index);
    if (index > 0) this.#join(index - 1);
  }

  /** Makes one piece of number `index` and the next where they are adjacent. */
  #join(index) {
    const [piece, next] = [this.#free[index], this.#free[index + 1]];
    if (next === undefined || piece[0] + piece[1] !== next[0]) return;
    piece[1] += next[1];
    this.#free.splice(index + 1, 1);
  }
}
