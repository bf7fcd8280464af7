# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Stand-ins for `typing` on the way of a short command, which takes longer to import than a small file to encrypt. Anyone who
checks types sees the real thing."""

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Generic as Generic
    from typing import Protocol as Protocol
    from typing import overload as overload
else:
    Protocol = object

    class Generic:
        def __class_getitem__(cls, parameters):
            return cls

    def overload(function):
        return function
