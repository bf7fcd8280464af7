# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Requests that the main thread waits for, and a signal ends. obstore hears of none while it waits for a store: another
thread waits for it, a daemon, so that the program can end meanwhile."""

from __future__ import annotations

import contextlib
import os
import queue
import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")

_PATIENCE = 5.0
"""Seconds, for what is cleaned up at a store that may not answer."""


class _Thread(threading.Thread):
    """Does one request after another: a new thread for each would cost a tenth of the time that a near store takes."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.todo: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self.start()

    def run(self) -> None:
        while (call := self.todo.get()) is not None:
            call()
            del call  # with what it was to send


_idle: list[_Thread] = []
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)  # where there is no such thread


def run_interruptible(call: Callable[[], Result], stop: Callable[[], None] | None = None) -> Result:
    """Return the result of call, in any thread, and let signals interrupt the wait. stop is then called, to let call end too,
    which then has a little time."""
    if threading.current_thread() is not threading.main_thread():
        return call()
    answers: queue.SimpleQueue[tuple[Result | None, BaseException | None]] = queue.SimpleQueue()

    def work() -> None:
        try:
            answers.put((call(), None))
        except BaseException as error:  # raised again by the thread that waits
            answers.put((None, error))

    try:
        thread = _idle.pop() if _idle else _Thread()
    except RuntimeError:  # the system's limit is reached
        return call()
    try:
        thread.todo.put(work)
        result, error = answers.get()
    except BaseException:
        thread.todo.put(None)
        if stop is not None:
            stop()
            thread.join(_PATIENCE)
        raise
    _idle.append(thread)
    if error is not None:
        try:
            raise error
        finally:
            del error  # whose traceback has this frame: the two would keep what was sent
    return result  # type: ignore[return-value]  # there is one where there is no error


def run_with_timeout(call: Callable[[], object], patient: bool = False) -> None:
    """Run call, and wait for it no longer than a little time. Errors are ignored. patient: wait for its
    end, or a signal."""

    def work() -> None:
        with contextlib.suppress(Exception):
            call()

    thread = threading.Thread(target=work, daemon=True)
    try:
        thread.start()
    except RuntimeError:
        work()
    else:
        thread.join(None if patient else _PATIENCE)
