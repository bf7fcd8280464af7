# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compares the semantics of instructions with processors."""
