# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The commands of runnel lab."""
