# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A Ray cluster for tests, and its processes."""

import os
from pathlib import Path

import pytest


@pytest.fixture
def ray(store):
    """Yield a cluster of two workers, which have the environment of this process: what leads to the store is set before."""
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    yield ray
    ray.shutdown()


def workers() -> list[int]:
    """Processes of this one's cluster that do parts, and no others."""
    parents, busy = {}, []
    for each in Path("/proc").iterdir():
        if each.name.isdigit():
            try:
                parents[int(each.name)] = int((each / "stat").read_text().rpartition(")")[2].split()[1])
                if (each / "cmdline").read_bytes().startswith(b"ray::_"):
                    busy.append(int(each.name))
            except OSError:
                pass

    def ours(process: int) -> bool:
        return process == os.getpid() or (process in parents and ours(parents[process]))

    return [process for process in busy if ours(process)]
