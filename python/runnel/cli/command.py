# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Command lines, from the words to the exit status."""

from __future__ import annotations

import os
from collections.abc import Sequence

from runnel.cli import quick

COMPLETION = "_RUNNEL_COMPLETE"
"""The variable by which a shell asks for completions."""


def run(args: Sequence[str]) -> tuple[int, str | None]:
    """Run a command line; return the exit status and what to say of an error."""
    if not os.environ.get(COMPLETION) and (done := quick.run(args)) is not None:
        return done
    from runnel.cli import group

    return group.run(args)
