# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Scripts, simulators and clocks: running programs, comparing their bytes, taking their cost."""
