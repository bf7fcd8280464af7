# SPDX-License-Identifier: Apache-2.0 OR MIT
"""32-bit ARM: ARM code and Thumb-2 by SLEIGH's p-code, NEON by semantics of our own."""
