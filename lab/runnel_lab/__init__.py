# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The lab: builds every kernel for every target, runs it, compares its bytes with the host's, and only then records
what it costs. It works on the source tree, not on the installed package."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import runnel


class LabError(runnel.Error):
    """An error in one line: a tree that is not there, a build that failed, bytes that differ."""


class UnknownNameError(LabError):
    """No target, cipher, kernel or paper has this name."""

    exit_status = 2  # the command line is wrong


class Skipped(LabError):
    """A tool is missing, or the processor cannot run the kernel, so that there is no figure."""


class DoesNotFit(LabError):
    """The program is larger than the target's memory."""


@contextmanager
def understanding(file: Path) -> Iterator[None]:
    """Turns what a malformed description leads to in the body into a LabError of one line that names the file: in TOML and
    JSON there may be anything where something else is expected."""
    try:
        yield
    except LabError:
        raise
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        message = "".join(c if c.isprintable() else "?" for c in " ".join(str(error).split()))
        raise LabError(f"{file}: {message or type(error).__name__}") from None
