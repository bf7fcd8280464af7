# SPDX-License-Identifier: Apache-2.0 OR MIT
"""How work is done: the options of a command, and executors of parts, on threads of this process or as tasks of Ray.

Few parts are under way at a time, so memory is bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar

from runnel.errors import AuthenticationError, Error
from runnel.inputs import Inputs
from runnel.output import Leftovers
from runnel.sealed.formats import bound
from runnel.sealed.keyset import KeyPlace
from runnel.threads import concurrently, usable_processors

from runnel_store.journal import state_folder
from runnel_store.parts import PART_BYTES, Done, Entry, Part, Work, Worker, worker_of
from runnel_store.readers import FIRST_BYTES
from runnel_store.stores import ChangedError, TransientError, need

Result = TypeVar("Result")

Progress = Callable[[int], None]
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


@dataclass(frozen=True)
class Options:
    """Options that do not change the bytes of the result."""

    aad: bytes = b""
    name: str | None = None
    """The name that the object is bound to; None: to no name."""
    bind_names: bool = False
    """Bind each object below a prefix to its name there."""
    accept_unbound: bool = False
    """rotate: also objects that are bound to no name, which are then bound to theirs."""
    expected: frozenset[Entry] | None = None
    """The versions that a sealed object may have that is read, or that an earlier run has made; None: any."""
    begun: Callable[[Entry], None] | None = None
    """Told which sealed object will be made, before the store gets any of it."""
    force: bool = False
    part_bytes: int = PART_BYTES
    threads: int | None = None
    ray: str | None = None
    place: KeyPlace | None = None
    """Where Ray's workers find the key."""
    state: str = field(default_factory=state_folder)
    resumed: bool = False
    """An earlier run over this prefix was killed: objects that it finished are no errors."""
    restart: bool = False
    """Give up what a killed command had done."""
    first_bytes: int = FIRST_BYTES
    """Bytes that the first request for an object asks for: all of small ones."""
    progress: Progress | None = None
    inputs: Inputs = field(default_factory=Inputs)
    """Files that are read, and therefore never written."""
    leftovers: Leftovers = field(default_factory=Leftovers)
    written: dict[tuple[int, int], str] = field(default_factory=dict)
    """Files that were made, by device and inode."""

    @property
    def associated_data(self) -> bytes:
        """Return the object's associated data: aad, and its name if it is bound to that."""
        return self.aad if self.name is None else bound(self.aad, self.name)

    def below(self, name: str) -> Options:
        """Return the options for the object of this name below a prefix."""
        return replace(self, name=name) if self.bind_names else self

    def expects(self, entry: Entry) -> bool:
        return self.expected is None or entry in self.expected

    def executor(self, part_bytes: int) -> Executor:
        return available(self.ray, self.place, part_bytes, self.threads)

    def done(self, count: int) -> None:
        if self.progress is not None:
            self.progress(count)


class Executor(Protocol):
    def each(self, worker: Worker, parts: Iterable[Part]) -> Iterator[Done]:
        """Do the parts, in whatever order; raise the first error, after which no further part is begun."""
        ...


class Threads:
    def __init__(self, count: int) -> None:
        self.count = count

    def each(self, worker: Worker, parts: Iterable[Part]) -> Iterator[Done]:
        return (done for _, done in concurrently(self.count, worker.do, parts))


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
