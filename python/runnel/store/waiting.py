# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Requests that the main thread waits for, and a signal ends. obstore hears of none while it waits for a store: another
thread waits for it, a daemon, so that the program can end meanwhile."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")

_PATIENCE = 5.0
"""Seconds, for what is cleaned up at a store that may not answer."""


def apart(call: Callable[[], Result], stop: Callable[[], None] | None = None) -> Result:
    """What call returns, whichever thread it is called in. stop: called where a signal ends the wait, to let call end too,
    which then has a little time."""
    if threading.current_thread() is not threading.main_thread():
        return call()
    answers: queue.SimpleQueue[tuple[Result | None, BaseException | None]] = queue.SimpleQueue()

    def work() -> None:
        try:
            answers.put((call(), None))
        except BaseException as error:  # raised again by the thread that waits
            answers.put((None, error))

    thread = threading.Thread(target=work, daemon=True)
    try:
        thread.start()
    except RuntimeError:  # the system lets this user have no more of them
        return call()
    try:
        result, error = answers.get()
    except BaseException:
        if stop is not None:
            stop()
            thread.join(_PATIENCE)
        raise
    if error is not None:
        raise error
    return result  # type: ignore[return-value]  # there is one where there is no error


def briefly(call: Callable[[], object]) -> None:
    """Calls it, and waits for it no longer than a little time. What goes wrong is nobody's concern."""

    def work() -> None:
        with contextlib.suppress(Exception):
            call()

    thread = threading.Thread(target=work, daemon=True)
    try:
        thread.start()
    except RuntimeError:
        work()
    else:
        thread.join(_PATIENCE)
