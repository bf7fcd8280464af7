# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Signal handling of the command: SIGINT, SIGTERM and SIGHUP end it with one line and exit status 128 plus their number.

While it starts there is nothing to clean up, and it ends at once: an exception would go through other people's
imports. From unwind() on it is an exception; from the first signal or done() on, nothing disturbs the clean-up any more.
The handlers stay in place then: Python complains about a signal that finds its handler replaced by SIG_IGN. Only when nothing
is left but to exit are signals blocked.

Only main() of runnel.cli installs handlers, as the first thing that it does; a program that uses the package keeps its own.
Nothing is imported here that the interpreter has not loaded before: `signal` would load more while nobody handles signals.
"""

import _signal  # type: ignore[import-not-found]  # what `signal` is made of
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

_NAMES = {"SIGINT": "interrupted", "SIGTERM": "terminated", "SIGHUP": "terminated"}  # not every system has the last
_WORDS = {getattr(_signal, name): word for name, word in _NAMES.items() if hasattr(_signal, name)}

_AT_ONCE, _UNWIND, _DONE = range(3)
_phase = _AT_ONCE
_came = False


class Interrupted(BaseException):
    """A signal came."""

    def __init__(self, number: int) -> None:
        self.status = 128 + number
        self.line = _WORDS[number]


def begin() -> None:
    """Let signals end the program from here on. Those that are ignored, by nohup or a shell's &, stay ignored."""
    for number in _WORDS:
        if _signal.getsignal(number) != _signal.SIG_IGN:
            _signal.signal(number, _handle)
    sys.unraisablehook = _unraisable


def unwind() -> None:
    """Let the first signal raise Interrupted from here on, as there may be something to clean up."""
    global _phase
    if _phase == _AT_ONCE:
        _phase = _UNWIND


def came() -> bool:
    """Return whether a signal ends the command: the rest of the output may then wait for nobody."""
    return _came


def done() -> None:
    """Ignore signals from here on."""
    global _phase
    _phase = _DONE


def leave() -> None:
    """Block signals from here on. The interpreter gives them back to the system as it ends, and one that came then
    would end a command that is done by a signal."""
    if hasattr(_signal, "pthread_sigmask"):
        _signal.pthread_sigmask(_signal.SIG_BLOCK, _WORDS)


def remove_temporaries(how: str = "remove_temporaries") -> None:
    """Remove temporaries that a signal at the worst moment may have left behind. how: the function of runnel.output
    that does it."""
    remove = getattr(sys.modules.get("runnel.output"), how, None)  # None: not imported, or not yet
    if remove is not None:
        remove()


def _handle(number: int, frame: "FrameType | None") -> None:
    global _phase, _came
    if _phase == _DONE:
        return
    _came = True
    before, _phase = _phase, _DONE
    if before == _AT_ONCE:
        _exit(Interrupted(number))
    raise Interrupted(number)


def _unraisable(unraisable: "sys.UnraisableHookArgs") -> None:
    """Exit on a signal in a finaliser, where Python drops exceptions because it cannot raise them."""
    if isinstance(unraisable.exc_value, Interrupted):
        _exit(unraisable.exc_value)
    sys.__unraisablehook__(unraisable)


def _exit(interrupted: Interrupted) -> None:
    remove_temporaries("end")
    try:
        os.write(2, f"runnel: {interrupted.line}\n".encode())
    except OSError:
        pass
    os._exit(interrupted.status)
