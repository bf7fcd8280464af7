# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Random calls in any order on two contexts, every kernel beside a naive model."""

from campaign import programs
from campaign.work import Work

GOALS = ("G7",)


def run(work: Work) -> None:
    programs.properties(work, "machine", {"machine": ("calls", 100_000)})
