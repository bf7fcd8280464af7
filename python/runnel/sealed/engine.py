# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A job on all cores: from its source, block by block, to its sink.

A block is memory for about 1 MiB of whole segments; a task is one block's work. A worker thread reads a task's block,
works on it in place and writes it, where source and sink have positions (files); else (pipes) the calling thread reads
and writes in order, and the workers only compute. Blocks of files are larger where the format's cipher works on several
segments at once; a pipe does not wait for so many. Reading, the ciphers, HMAC and writing all release the interpreter
lock for blocks of this size. Memory: two blocks a thread and one more, fewer where that were more than 49 MiB; at least
two.
"""

from __future__ import annotations

import errno
import operator
import os
import select
from _queue import SimpleQueue  # queue loads threading, which small files do not need
from collections import deque
from collections.abc import Callable, Iterator

from runnel import _interrupt
from runnel._typing import TYPE_CHECKING
from runnel.errors import Error
from runnel.imports import imported
from runnel.processors import usable_processors
from runnel.sealed.blocks import Block, Task, affordable_threads, planned
from runnel.sealed.io import PositionalSink, PositionalSource, SequentialSink, SequentialSource
from runnel.sealed.jobs import Job
from runnel.sealed.segments import SegmentCipher

if TYPE_CHECKING:
    import threading

THREADS_MAX = 16

# A socket's other end is gone without an error.
_NOBODY_READS = select.POLLERR | select.POLLHUP | select.POLLNVAL

Progress = Callable[[int], None]


def checked_threads(threads: int | None) -> int:
    """Return how many are wanted. Raises TypeError, ValueError."""
    if threads is None:
        return min(usable_processors(), THREADS_MAX)
    threads = operator.index(threads)
    if not 1 <= threads <= THREADS_MAX:
        raise ValueError(f"threads must be from 1 to {THREADS_MAX}, not {threads}")
    return threads


class Run:
    """One job, from its first task to its last, on 1 to 16 threads; None: as many as there are processors.

    Where the system gives fewer threads, those do the work, and the calling thread where it gives none.
    """

    def __init__(self, job: Job, threads: int | None, progress: Progress | None) -> None:
        p = job.parameters
        self._job = job
        self._progress = progress
        self._threads_max = min(checked_threads(threads), affordable_threads(p))
        self._per_block, self._blocks_left = planned(p, self._threads_max, None)
        self._free: list[Block] = []
        self._pending: deque[Task] = deque()
        # Simple queues are safe where a signal's exception may come at any moment; locks and events are not.
        self._todo: SimpleQueue[Task | None] = SimpleQueue()
        self._finished: SimpleQueue[Task] = SimpleQueue()
        self._workers: list[threading.Thread] = []
        self._abandoned = False
        self._wake: tuple[int, int] | None = None

    def positional(self, first: int, after: int, count: int, size: int) -> None:
        """Process segments first to after - 1, of the count segments that hold size bytes of plaintext."""
        self._per_block, self._blocks_left = planned(self._job.parameters, self._threads_max, max(1, after - first))
        self._work_through(self._positional_tasks(first, after, count, size))

    def sequential(self) -> None:
        """Process segments from number 0 on until the source ends."""
        self._work_through(self._sequential_tasks())

    def _positional_tasks(self, first: int, after: int, count: int, size: int) -> Iterator[Task]:
        p = self._job.parameters
        if count > p.segments_max:
            raise self._too_long()
        for start in range(first, after, self._per_block):
            end = min(start + self._per_block, after)
            body_bytes = (size if end == count else p.plaintext_at(end)) - p.plaintext_at(start)
            block = self._take_block()
            yield Task(block, block.holding(start, end - start, body_bytes), start, end == count, body_bytes)

    def _sequential_tasks(self) -> Iterator[Task]:
        job = self._job
        assert isinstance(job.source, SequentialSource)
        wait = self._poller(job.source.polled)
        held: Task | None = None
        start = 0
        while True:
            block = self._take_block()
            whole = block.whole(start)
            views = job.input(whole)
            taken = job.source.read_into(views, wait)
            if held is not None:
                held.last = not taken and job.parameters.last_may_be_full
                yield held
                if held.last:
                    return
            full = taken == sum(map(len, views))
            if full:
                count, body_bytes = len(whole.each), sum(map(len, whole.bodies))
            else:
                count, body_bytes = job.body_bytes(start, taken)
            if start + count > job.parameters.segments_max:
                raise self._too_long()
            held = Task(block, block.holding(start, count, body_bytes), start, not full, body_bytes)
            if not full:
                yield held
                return
            start += count

    def _too_long(self) -> Error:
        return Error(f"{self._job.source.name}: {self._job.parameters.too_long()}")

    def _work_through(self, tasks: Iterator[Task]) -> None:
        try:
            for task in tasks:
                self._pending.append(task)
                in_this_thread = task.last and len(self._pending) == 1 and not self._workers
                if not in_this_thread and len(self._workers) < self._threads_max:
                    self._start_worker()
                if self._workers:
                    self._todo.put(task)
                else:
                    self._do(None, task)
            while self._pending:
                self._deliver()
        except BaseException:
            self._abandoned = True
            raise
        finally:
            self._todo.put(None)
            for worker in self._workers:
                worker.join()
            if self._wake:
                for fd in self._wake:
                    os.close(fd)

    def _take_block(self) -> Block:
        """Return a block that is free, or becomes free as work is finished."""
        if not self._free and self._blocks_left:
            self._blocks_left -= 1
            return Block(self._job.parameters, self._per_block)
        while not self._free:
            self._deliver()
        return self._free.pop()

    def _deliver(self) -> None:
        """Wait for the oldest task, raise its error, and write what is to be written in order."""
        task = self._pending[0]
        while not task.done:
            self._finished.get().done = True
        self._pending.popleft()
        if task.error is not None:
            raise task.error
        if isinstance(self._job.sink, SequentialSink):
            self._job.sink.write(self._job.output(task))
        self._free.append(task.block)
        if self._progress is not None:
            self._progress(task.body_bytes)

    def _start_worker(self) -> None:
        # An exception of a signal's handler inside start() would leave a thread that nobody knows of. The thread
        # keeps the mask, so that signals come to the thread that waits for it.
        with _interrupt.Blocked():
            try:
                worker = imported("threading").Thread(target=self._worker, daemon=True)
                worker.start()
                self._workers.append(worker)
            except RuntimeError:  # the system gives no more: those that there are, or none, have to do
                self._threads_max = len(self._workers)

    def _worker(self) -> None:
        cipher = None
        while (task := self._todo.get()) is not None:
            if not self._abandoned:
                cipher = self._do(cipher, task)
        self._todo.put(None)  # for the next one

    def _do(self, cipher: SegmentCipher | None, task: Task) -> SegmentCipher | None:
        """Do the task with the thread's cipher, or a new one; return that for the thread's next task."""
        job = self._job
        try:
            cipher = job.keys.cipher() if cipher is None else cipher
            if isinstance(job.source, PositionalSource):
                job.source.read_at(job.input(task.segments), job.read_at(task.start))
            job.work(cipher, task)
            # Who abandons the job closes the file, and its descriptor may be another one's by then.
            if isinstance(job.sink, PositionalSink) and not self._abandoned:
                job.sink.write_at(job.output(task), job.write_at(task))
        except BaseException as error:  # raised again by the thread that delivers
            task.error = error
        self._finished.put(task)
        if self._wake:
            try:
                os.write(self._wake[1], b"\0")
            except BlockingIOError:  # enough of them are in the pipe
                pass
        return cipher

    def _deliver_finished(self) -> None:
        """Deliver what is finished by now, in order."""
        while not self._finished.empty():
            self._finished.get().done = True
        while self._pending and self._pending[0].done:
            self._deliver()

    def _poller(self, fd: int | None) -> Callable[[], None]:
        """Return the function to call before a read that may block: it returns when the descriptor fd has input, and
        meanwhile delivers what is finished and notices when nobody reads the output any more. Without fd it does not
        wait for input."""
        sink = self._job.sink
        if fd is None:
            return self._deliver_finished
        wake, waker = self._wake = os.pipe()
        os.set_blocking(wake, False)
        os.set_blocking(waker, False)
        poll = select.poll()
        poll.register(fd, select.POLLIN)
        poll.register(wake, select.POLLIN)
        if isinstance(sink, SequentialSink) and sink.fd is not None and sink.fd != fd:
            poll.register(sink.fd, 0)

        def wait() -> None:
            while True:
                events = dict(poll.poll())
                if wake in events:
                    os.read(wake, 1 << 16)
                    self._deliver_finished()
                if isinstance(sink, SequentialSink) and sink.fd is not None and events.get(sink.fd, 0) & _NOBODY_READS:
                    raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE), sink.name)
                if fd in events:
                    return

        return wait
