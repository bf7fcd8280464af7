# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What else than an argument can be wrong with a GPU."""

from ..errors import Error


class DeviceError(Error, RuntimeError):
    """There is no device, no driver or no compiler for it, or the device failed."""
