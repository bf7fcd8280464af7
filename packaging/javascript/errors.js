// SPDX-License-Identifier: Apache-2.0 OR MIT
// The errors of <runnel/stream.h>, by their numbers.

const NAMES = {
  [-1]: "NullError",
  [-2]: "KeyLengthError",
  [-3]: "IvLengthError",
  [-4]: "LayoutError",
  [-5]: "StateError",
  [-6]: "LimitError",
  [-7]: "SeekError",
  [-8]: "OverlapError",
  [-9]: "UnknownCipherError",
  [-10]: "KernelError",
  [-11]: "DirectionError",
  [-12]: "TagLengthError",
  [-13]: "AuthenticationError",
  [-14]: "OneShotError",
};

export class RunnelError extends Error {
  /** number: the library's, -1 to -14. */
  constructor(number, message) {
    super(message);
    this.name = NAMES[number] ?? "RunnelError";
    this.number = number;
  }
}
