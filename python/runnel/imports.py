# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Imports that are put off until they are needed, and finished before this process forks.

The child of a fork has only the thread that forked. A module that another thread was importing would stay half imported
there, and its lock locked: anyone who needed it in the child would wait forever. So a fork waits for these imports. It does
not for those that a program starts by itself with an import statement."""

import os
import sys
from _thread import RLock, get_ident  # threading loads much that nobody else here needs

from ._typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

_FORK_WAITS = 10.0
"""Seconds. An import that takes longer may be waiting for the thread that forks, by a lock of another library."""

_lock = RLock()  # its thread may import within an import, and fork within one
_forking: set[int] = set()
"""The threads that hold the lock while they fork."""


def imported(module: str) -> "Any":
    """Return the module, imported when it is first asked for. Raises ImportError and whatever its code raises."""
    with _lock:
        __import__(module)  # importlib would load more, for names that are relative
        return sys.modules[module]


def _before_fork() -> None:
    if _lock.acquire(timeout=_FORK_WAITS):
        _forking.add(get_ident())


def _after_fork() -> None:
    if get_ident() in _forking:
        _forking.remove(get_ident())
        _lock.release()


def _after_fork_in_child() -> None:
    global _lock
    if get_ident() in _forking:
        _after_fork()
    else:  # held by a thread that is not there
        _lock = RLock()
    _forking.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork_in_child)
