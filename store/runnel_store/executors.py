# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Executors of parts: threads of this process, or tasks of Ray. Few are under way at a time, so memory is bounded."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeVar

from runnel.errors import AuthenticationError, Error
from runnel.processors import usable_processors
from runnel.sealed.place import KeyPlace

from runnel_store.errors import ChangedError, TransientError
from runnel_store.needs import need
from runnel_store.plan import Part
from runnel_store.work import Done, Work, Worker, worker_of

Item = TypeVar("Item")
Result = TypeVar("Result")

_MEMORY_BYTES = 4 << 30
_OF_A_PART = 3  # what was read, a block of it, what is sent
THREADS_MAX = 64


def threads_for(part_bytes: int, wanted: int | None = None) -> int:
    """Return twice the processors, because half of them wait for the network; fewer where parts are very long."""
    least = wanted or max(4, 2 * usable_processors())
    return max_threads(part_bytes, min(least, THREADS_MAX))


def max_threads(part_bytes: int, wanted: int) -> int:
    """Return as many threads as are wanted, and no more than the memory for all allows."""
    return max(1, min(wanted, _MEMORY_BYTES // (_OF_A_PART * part_bytes)))


class Executor(Protocol):
    def each(self, worker: Worker, parts: Iterable[Part]) -> Iterator[Done]:
        """Do the parts, in whatever order; raise the first error, after which no further part is begun."""
        ...


class Threads:
    def __init__(self, count: int) -> None:
        self.count = count

    def each(self, worker: Worker, parts: Iterable[Part]) -> Iterator[Done]:
        return (done for _, done in concurrently(self.count, worker.do, parts))


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


def concurrently(
    count: int, call: Callable[[Item], Result], items: Iterable[Item], more: Callable[[], bool] = lambda: True
) -> Iterator[tuple[Item, Result]]:
    """Yield (item, result) as they are finished. more: whether another item may be begun while others are under way.
    Where the items end with an error, it is raised when those that were begun are finished."""
    # Daemons, so that a program that was told to end does not wait for a store that does not answer.
    todo: queue.SimpleQueue[Item | None] = queue.SimpleQueue()
    finished: queue.SimpleQueue[tuple[Item, Result | None, BaseException | None]] = queue.SimpleQueue()

    def work() -> None:
        while (item := todo.get()) is not None:
            try:
                finished.put((item, call(item), None))
            except BaseException as error:  # raised again by the thread that waits
                finished.put((item, None, error))

    rest = iter(items)
    under_way = started = 0
    exhausted = False
    ended: Exception | None = None
    try:
        while True:
            while not exhausted and under_way < count and (not under_way or more()):
                try:
                    todo.put(next(rest))
                except StopIteration:
                    exhausted = True
                    break
                except Exception as why:
                    exhausted, ended = True, why
                    break
                under_way += 1
                if started < count and _started(work):
                    started += 1
                else:
                    count = max(1, started)
            if not under_way:
                if ended is not None:
                    raise ended
                return
            if not started:  # this one does what is to do
                todo.put(None)
                work()
            item, result, error = finished.get()
            under_way -= 1
            if error is not None:
                raise error
            yield item, result  # type: ignore[misc]  # there is one where there is no error
    finally:
        for _ in range(started):
            todo.put(None)


def _started(work: Callable[[], None]) -> bool:
    """Start another thread; return False if the system does not let this user have another."""
    try:
        threading.Thread(target=work, daemon=True).start()
    except RuntimeError:
        return False
    return True


_Step = Callable[[Any], "Done | dict[Any, _Step]"]
"""The step that follows when a task is done, given its outcome: the part is done, or other tasks that are now under way."""
_Begin = Callable[[Part], dict[Any, _Step]]


class Ray:
    """Tasks of a Ray cluster, which runs a task again when its machine is lost. The driver alone keeps the plan."""

    RETRIES = 4

    def __init__(self, address: str, place: KeyPlace) -> None:
        self._ray = need("ray", "ray")
        self._place = place
        if not self._ray.is_initialized():
            self._ray.init(
                address=None if address == "local" else address,
                include_dashboard=False if address == "local" else None,
                log_to_driver=False,
                logging_level="ERROR",
            )

    def each(self, worker: Worker, parts: Iterable[Part]) -> Iterator[Done]:
        ray = self._ray
        at_once = max(2, 2 * int(ray.cluster_resources().get("CPU", 1)))
        steps = self._sealing(worker) if worker.commitments is not None else self._whole(worker)
        pending: dict[Any, _Step] = {}
        """Tasks under way, by the reference to its outcome."""
        rest = iter(parts)
        exhausted = False
        try:
            while True:
                while not exhausted and len(pending) < at_once:
                    part = next(rest, None)
                    if part is None:
                        exhausted = True
                    else:
                        pending |= steps(part)
                if not pending:
                    return
                (ready, *_), _ = ray.wait(list(pending), num_returns=1)
                step = pending.pop(ready)
                with _ray_errors(ray):
                    outcome = ray.get(ready)
                following = step(_outcome(outcome))
                if isinstance(following, Done):
                    yield following
                else:
                    pending |= following
        finally:
            for each in pending:
                ray.cancel(each)

    def _task(self, function: Callable[..., Any], **options: Any) -> Any:
        return self._ray.remote(max_retries=self.RETRIES, num_cpus=1, **options)(function)

    def _whole(self, worker: Worker) -> _Begin:
        """Return what begins each part as one task, which may be run again at any time."""
        task, work, upload = self._task(_do), worker.work, worker.upload
        return lambda part: {task.remote(work, self._place, upload, part): lambda done: done}

    def _sealing(self, worker: Worker) -> _Begin:
        """Return what begins each part as two tasks. The first seals it; the driver records what that made; the second sends
        that and nothing else: Ray runs a task again when its worker is lost, and the source may have changed by then."""
        work, upload, commitments = worker.work, worker.upload, worker.commitments
        assert commitments is not None
        make, send = self._task(_make, num_returns=2), self._task(_send)

        def begin(part: Part) -> dict[Any, _Step]:
            there = commitments.sent.get(part.number)
            commitment, sealed = make.remote(work, self._place, upload, part, there is None)

            def committed_to(committed: bytes) -> Done | dict[Any, _Step]:
                commitments.commit(part, committed)
                if there is not None:
                    return worker.done(part, there)
                return {send.remote(work, self._place, upload, part, sealed, committed): lambda done: done}

            return {commitment: committed_to}

        return begin


class _ray_errors:
    """Ray's own errors, such as workers that die again and again, in one line."""

    def __init__(self, ray: Any) -> None:
        self._errors = ray.exceptions.RayError

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, self._errors):
            raise Error(f"Ray: {str(error).strip().splitlines()[0]}") from None


_KINDS: dict[str, type[Exception]] = {
    each.__name__: each for each in (AuthenticationError, ChangedError, TransientError, Error)
}


_Failure = tuple[str, str, int | None, str | None]


def _do(work: Work, place: KeyPlace, upload: Any, part: Part) -> Any:
    """Do a part; return it, or why it failed."""
    return _attempted(lambda: worker_of(work, place, upload).do(part))


def _make(work: Work, place: KeyPlace, upload: Any, part: Part, wanted: bool) -> tuple[Any, bytes]:
    """Seal a part; return (the commitment to it, or why it failed; the sealed part, if it is wanted)."""
    sealed = bytearray()

    def commitment() -> bytes:
        nonlocal sealed
        worker = worker_of(work, place, upload)
        sealed = worker.make(part)
        return worker.commitment(part, sealed)

    outcome = _attempted(commitment)
    return outcome, bytes(sealed) if wanted else b""


def _send(work: Work, place: KeyPlace, upload: Any, part: Part, sealed: bytes, committed: bytes) -> Any:
    return _attempted(lambda: worker_of(work, place, upload).send_committed(part, sealed, committed))


def _attempted(call: Callable[[], Result]) -> Result | _Failure:
    """Return what the call returns, or its error in plain values: Ray would wrap the exception, and repeat in vain."""
    try:
        return call()
    except OSError as error:
        return "OSError", error.strerror or str(error), error.errno, error.filename
    except Exception as error:
        kind = next((name for name, each in _KINDS.items() if isinstance(error, each)), "Error")
        return kind, str(error), None, None


def _outcome(outcome: Any) -> Any:
    """Return what a task made. Raises the error that it returned instead."""
    if isinstance(outcome, (Done, bytes)):
        return outcome
    kind, text, number, name = outcome
    if kind == "OSError":
        raise OSError(number, text, name)
    raise _KINDS[kind](text)


def available(address: str | None, place: KeyPlace | None, part_bytes: int, threads: int | None) -> Executor:
    """Return Ray at this address, or threads."""
    if address is None:
        return Threads(threads_for(part_bytes, threads))
    if place is None:
        raise ValueError("--ray needs a key that workers can read: --key FILE, not locked, or --key-env NAME")
    return Ray(address, place.absolute())
