# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every carry and every end of every counter layout, and cuts of messages, with new keys and IVs."""

from campaign import programs
from campaign.work import Work

GOALS = ("G4", "G5", "G6")


def run(work: Work) -> None:
    programs.properties(
        work, "counters", {"boundaries": ("carries", 0), "limits": ("limits", 0), "splits": ("cuts", 0)}
    )
