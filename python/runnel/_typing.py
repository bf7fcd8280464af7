# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Stand-ins for `typing` on the way of a short command, which takes longer to import than a small file to encrypt. Whoever
checks types sees the real thing."""

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Protocol as Protocol
else:
    Protocol = object
