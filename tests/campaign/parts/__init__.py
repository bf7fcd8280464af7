# SPDX-License-Identifier: Apache-2.0 OR MIT
"""One module a part."""
