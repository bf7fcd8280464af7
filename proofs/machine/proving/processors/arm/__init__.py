# SPDX-License-Identifier: Apache-2.0 OR MIT
"""32-bit ARM: Thumb-2 by SLEIGH's p-code."""
