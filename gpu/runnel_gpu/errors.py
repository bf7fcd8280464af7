# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Errors of a GPU, other than those of arguments."""

from runnel.errors import Error


class DeviceError(Error, RuntimeError):
    """There is no device, no driver or no compiler for it, or the device failed."""
