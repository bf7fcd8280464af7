# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The pool of threads, with the same rules for files, for parts of objects and for single requests.

Signals. Threads begin with signals blocked, so that they come to the thread that waits. It waits at simple queues, which are
safe where a signal's exception may come at any moment; locks and events are not.

Errors. What a call raises is raised by, or handed to, the thread that waits for it.

Work that is given up, after an error or a signal: calls that have not begun never do. Those that have are waited for where
they write to descriptors that their caller is about to close, and left to themselves where they may wait for a network:
threads are daemons, and a program can end meanwhile.

Threads are started as they are needed. Where the system starts no more of them, those that there are do the work, and the
calling thread where there are none.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # what `signal` is made of, which loads more
import operator
import os
from _queue import SimpleQueue  # queue loads threading, which small files do not need
from collections.abc import Callable, Iterable, Iterator

from runnel._typing import TYPE_CHECKING, Generic
from runnel.imports import imported

if TYPE_CHECKING:
    import threading
    from typing import Any, TypeVar

    Item = TypeVar("Item")
    Result = TypeVar("Result")
else:
    Item = Result = None

_SIGNALS = {number for name in ("SIGINT", "SIGTERM", "SIGHUP") if (number := getattr(_signal, name, None))}
_PATIENCE = 5.0
"""Seconds, for what is cleaned up at a store that may not answer."""
_END: Any = object()


def usable_processors() -> int:
    """Return the number of processors that this process may use; where the system does not say, of all it has."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


class _SignalsBlocked:
    """Holds signals back, as a context, and in threads that begin in it for good."""

    def __enter__(self) -> None:
        self._before = _signal.pthread_sigmask(_signal.SIG_BLOCK, _SIGNALS)

    def __exit__(self, *raised: object) -> None:
        _signal.pthread_sigmask(_signal.SIG_SETMASK, self._before)


class Pool(Generic[Item, Result]):
    """Makes calls on up to a number of threads. A context: an exception that leaves it gives up what has not begun."""

    def __init__(self, limit: int, call: Callable[[Item], Result], *, waits: bool) -> None:
        """Start no thread yet. limit: the most there will be. call: what is done with each item. waits: whether the end waits
        for calls that have begun, also after an error."""
        self.limit = limit
        """Lowered where the system starts no more."""
        self.threads: list[threading.Thread] = []
        self.given_up = False
        self._call = call
        self._waits = waits
        self._todo: SimpleQueue[Item] = SimpleQueue()
        self._finished: SimpleQueue[tuple[Item, Result | None, BaseException | None]] = SimpleQueue()
        self._wake: tuple[int, int] | None = None

    def submit(self, item: Item, *, here: bool = False) -> None:
        """Have the call made with item. here: by this thread, now."""
        if not here and len(self.threads) < self.limit:
            self._start()
        if self.threads and not here:
            self._todo.put(item)
        else:
            self._make(item, Exception)  # of a signal nobody has to be told

    def finished(self) -> tuple[Item, Result | None, BaseException | None]:
        """Wait for the next call that is finished; return (item, result, error)."""
        return self._finished.get()

    def has_finished(self) -> bool:
        """Return whether finished would not wait."""
        return not self._finished.empty()

    def wake_descriptor(self) -> int:
        """Return a descriptor that has input when a call is finished, for who waits for other descriptors too."""
        self._wake = os.pipe()
        for fd in self._wake:
            os.set_blocking(fd, False)
        return self._wake[0]

    def give_up(self) -> None:
        """Begin no further call, and let the threads end."""
        self.given_up = True
        self._todo.put(_END)

    def join(self, seconds: float | None = None) -> None:
        """Wait for the threads, which end once the pool does: so long at most, each of them; None: without limit."""
        for thread in self.threads:
            thread.join(seconds)

    def __enter__(self) -> Pool[Item, Result]:
        return self

    def __exit__(self, kind: object, *rest: object) -> None:
        self.given_up = self.given_up or kind is not None
        self._todo.put(_END)
        if self._waits:
            self.join()
            for fd in self._wake or ():
                os.close(fd)

    def _start(self) -> None:
        # An exception of a signal's handler inside start() would leave a thread that nobody knows of.
        with _SignalsBlocked():
            try:
                thread = imported("threading").Thread(target=self._work, daemon=True)
                thread.start()
                self.threads.append(thread)
            except RuntimeError:
                self.limit = len(self.threads)

    def _work(self) -> None:
        while (item := self._todo.get()) is not _END:
            if not self.given_up:
                self._make(item, BaseException)
            del item  # with what it was to send
        self._todo.put(_END)  # for the next one

    def _make(self, item: Item, caught: type[BaseException]) -> None:
        try:
            self._finished.put((item, self._call(item), None))
        except caught as error:  # raised again by the thread that waits
            self._finished.put((item, None, error))
        if self._wake is not None:
            try:
                os.write(self._wake[1], b"\0")
            except BlockingIOError:  # enough of them are in the pipe
                pass


def concurrently(
    count: int, call: Callable[[Item], Result], items: Iterable[Item], more: Callable[[], bool] = lambda: True
) -> Iterator[tuple[Item, Result]]:
    """Yield (item, result) as they are finished, at most count calls being under way. more: whether another item may be begun
    while others are under way. Where the items end with an error, it is raised when those that were begun are finished."""
    rest = iter(items)
    under_way = 0
    exhausted = False
    ended: Exception | None = None
    with Pool(count, call, waits=False) as pool:
        while True:
            while not exhausted and under_way < max(1, pool.limit) and (not under_way or more()):
                try:
                    item = next(rest)
                except StopIteration:
                    exhausted = True
                    break
                except Exception as why:
                    exhausted, ended = True, why
                    break
                pool.submit(item)
                under_way += 1
            if not under_way:
                if ended is not None:
                    raise ended
                return
            item, result, error = pool.finished()
            under_way -= 1
            if error is not None:
                raise error
            yield item, result  # type: ignore[misc]  # there is one where there is no error


def in_order(count: int, call: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """Yield results in the order of the items; those that came too early wait, at most as many as there are threads."""
    early: dict[int, Result] = {}
    wanted = 0

    def numbered_call(pair: tuple[int, Item]) -> Result:
        return call(pair[1])

    for (number, _), result in concurrently(count, numbered_call, enumerate(items), lambda: len(early) < count):
        early[number] = result
        while wanted in early:
            yield early.pop(wanted)
            wanted += 1


# Requests that the main thread waits for, and a signal ends. A library that is in C, or in Rust, hears of none while it waits
# for a store: another thread waits for it.

_idle: list[Pool[Callable[[], Any], Any]] = []
"""Pools of one thread: a new thread for each request would cost a tenth of the time that a near store takes."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)  # where there are no such threads


def run_interruptible(call: Callable[[], Result], stop: Callable[[], None] | None = None) -> Result:
    """Return the result of call, in any thread, and let signals interrupt the wait. stop is then called, to let call end too,
    which then has a little time."""
    threading = imported("threading")
    if threading.current_thread() is not threading.main_thread():
        return call()
    pool = _idle.pop() if _idle else Pool(1, operator.call, waits=False)
    try:
        pool.submit(call)
        _, result, error = pool.finished()
    except BaseException:
        pool.give_up()
        if stop is not None:
            stop()
            pool.join(_PATIENCE)
        raise
    if pool.threads:
        _idle.append(pool)
    if error is not None:
        try:
            raise error
        finally:
            del error  # whose traceback has this frame: the two would keep what was sent
    return result  # type: ignore[return-value]  # there is one where there is no error


def run_with_timeout(call: Callable[[], object], patient: bool = False) -> None:
    """Make a call, and wait for it no longer than a little time. Errors are ignored. patient: wait for its end, or a
    signal."""
    pool: Pool[Callable[[], object], object] = Pool(1, operator.call, waits=False)
    with pool:
        pool.submit(call)
    pool.join(None if patient else _PATIENCE)
