# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Access control lists as Linux keeps them with files and folders: see acl(5).

Where a file has one, the group's bits of its mode are the list's mask: the most that anybody has but the owner and all
others. What of it the file's group has, only the list says.
"""

from __future__ import annotations

import errno
import os
import struct

ACCESS, DEFAULT = "system.posix_acl_access", "system.posix_acl_default"
"""The list of a file, and the one that a folder gives to new files in it: the names of extended attributes."""

_VERSION_BYTES = 4
_ENTRY = struct.Struct("<HHI")  # a tag, permissions, and the number of a user or group
_OWNER, _GROUP, _MASK, _OTHERS = 0x01, 0x04, 0x10, 0x20  # tags
_HAS_NONE = {errno.ENODATA, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL, errno.EPERM, errno.EACCES}


class AccessList:
    """One list. Permissions are numbers from 0 to 7, as in a mode."""

    def __init__(self, data: bytes) -> None:
        self._version = data[:_VERSION_BYTES]
        self._entries = list(_ENTRY.iter_unpack(data[_VERSION_BYTES:]))
        has: dict[int, int] = {tag: permissions for tag, permissions, _ in self._entries}
        self.owner = has.get(_OWNER, 0)
        self.mask = has.get(_MASK, has.get(_GROUP, 0))
        self.group = has.get(_GROUP, 0) & self.mask
        self.others = has.get(_OTHERS, 0)
        self._limit = _MASK if _MASK in has else _GROUP

    def masked(self, mask: int) -> bytes:
        """Return the attribute with another mask."""
        entries = [(tag, mask if tag == self._limit else has, number) for tag, has, number in self._entries]
        return self._version + b"".join(_ENTRY.pack(*entry) for entry in entries)


def of(file: str | int, attribute: str) -> AccessList | None:
    """Return the list of a path or an open file; None: it has none, or the system has no such lists. Raises OSError."""
    if not hasattr(os, "getxattr"):
        return None
    try:
        data = os.getxattr(file, attribute)
    except OSError as error:
        if error.errno in _HAS_NONE:
            return None
        raise
    return AccessList(data)


def give(fd: int, data: bytes) -> bool:
    """Set the list of an open file, which sets its mode too. Return False where the file can have no list."""
    try:
        os.setxattr(fd, ACCESS, data)
    except OSError as error:
        if error.errno in _HAS_NONE:
            return False
        raise
    return True


def remove(fd: int) -> None:
    """Take from an open file the list that its folder gave it. Raises OSError."""
    if of(fd, ACCESS) is not None:
        os.removexattr(fd, ACCESS)
