# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A platform for tests without PlatformIO's registry."""

from platformio.public import PlatformBase


class NativePlatform(PlatformBase):
    def is_embedded(self) -> bool:
        return False
