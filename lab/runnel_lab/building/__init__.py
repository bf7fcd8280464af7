# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Programs for targets: which files a kernel needs, and what is measured of them."""
