# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The meaning of every exception to the user: exit status and line."""

from __future__ import annotations

from runnel import errors

FAILED, WRONG_COMMAND_LINE, NOT_AUTHENTIC = 1, 2, 3


class UnknownFeatureError(ValueError):
    """RUNNEL_CPU has a word that is no CPU feature's name: what runs might be slower than anybody wants."""


# Wrong with the command line alone: a name, a length, an option that the cipher cannot honour.
_USAGE = (
    errors.UnknownCipherError,
    errors.UnknownAEADError,
    errors.BrokenCipherError,
    errors.KeyLengthError,
    errors.IVLengthError,
    errors.LayoutError,
    errors.SeekError,
    errors.DirectionError,
    UnknownFeatureError,
)


def explain(error: Exception) -> tuple[int, str]:
    """Return the exit status and the line for an error. Raises the error again if it is one of the program itself."""
    match error:
        case errors.AuthenticationError():
            return NOT_AUTHENTIC, str(error)
        case _ if isinstance(error, _USAGE):
            return WRONG_COMMAND_LINE, str(error)
        case OSError():
            return FAILED, _operating_system(error)
        case MemoryError():
            return FAILED, "not enough memory"
        case RuntimeError() if "can't start new thread" in str(error):
            return FAILED, "cannot start a thread: the system's limit is reached"
        case errors.Error() | ValueError():
            return getattr(error, "exit_status", FAILED), str(error)
        case _:
            raise error


def _operating_system(error: OSError) -> str:
    what = error.strerror or str(error)
    return f"{_text(error.filename)}: {what}" if error.filename is not None else what


def _text(name: object) -> str:
    return name.decode(errors="surrogateescape") if isinstance(name, bytes) else str(name)
