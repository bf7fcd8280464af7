# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The number of threads worth starting."""

import os


def usable_processors() -> int:
    """Return the number of processors that this process may use; where the system does not say, of all it has."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1
