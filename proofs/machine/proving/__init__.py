# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proofs of kernels from their machine code: ../README.md."""
