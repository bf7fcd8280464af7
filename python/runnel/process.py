# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Identify this process, for work that a forked one must not continue."""

import os

_forks = 0


def _after_fork() -> None:
    global _forks
    _forks += 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def this_process() -> tuple[int, int]:
    """Return its number, which the system gives again once a process has ended, and how many forks led to it. Of a fork that
    Python did not make only the number tells."""
    return os.getpid(), _forks
