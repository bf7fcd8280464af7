# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every length of message, in place and apart, at every alignment, beside pages that may not be touched; every tail."""

from campaign import programs
from campaign.work import Work

GOALS = ("G3", "G12")


def run(work: Work) -> None:
    names = {
        "guard": "guarded pages",
        "tails": "tails",
        "lengths": "lengths",
        "alignments": "alignments",
    }  # the longest last
    programs.properties(work, "lengths", {name: (called, 0) for name, called in names.items()})
