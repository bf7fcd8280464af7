# SPDX-License-Identifier: Apache-2.0 OR MIT
"""AArch64: SLEIGH's p-code, and semantics of our own for what works on vectors."""
