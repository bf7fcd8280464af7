# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The ciphers as their standards define them, over words of any domain: concrete for the vectors, free for the proofs."""
