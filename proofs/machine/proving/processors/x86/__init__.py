# SPDX-License-Identifier: Apache-2.0 OR MIT
"""x86-64: scalar instructions by SLEIGH's p-code, vectors and masks by semantics of our own over capstone's disassembly."""
