# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The effects of each processor's instructions on a machine."""
