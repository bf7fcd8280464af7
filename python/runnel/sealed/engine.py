# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Segments on all cores: from a source, block by block, to a sink.

A block is memory for about 1 MiB of whole segments; a task is one block's work. A thread of the pool reads a task's block,
works on it in place and writes it, where source and sink have positions (files); else (pipes) the calling thread reads
and writes in order, and the pool only computes. Blocks of files are larger where the format's cipher works on several
segments at once; a pipe does not wait for so many. Reading, the ciphers, HMAC and writing all release the interpreter
lock for blocks of this size. Memory: two blocks a thread and one more, fewer where that were more than 49 MiB; at least
two.
"""

from __future__ import annotations

import contextlib
import errno
import mmap
import operator
import os
import select
from collections import deque
from collections.abc import Callable, Iterator

from runnel._typing import Protocol
from runnel.errors import Error
from runnel.sealed.formats import FileKeys, Parameters, Segment, SegmentCipher, Segments, segment_in
from runnel.sealed.io import PositionalSink, PositionalSource, SequentialSink, SequentialSource, Sink, Source
from runnel.threads import Pool, usable_processors

BLOCK_BYTES = 1 << 20
BLOCKS_BYTES_MAX = 49 << 20
HUGE_BYTES = 4 << 20  # from so many on huge pages save time
BLOCK_SEGMENTS_MAX = 512  # one system call reads or writes a block; Linux takes at most 1024 pieces
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


# Blocks


def segments_in_a_block(parameters: Parameters) -> int:
    return max(1, min(BLOCK_BYTES // parameters.segment_bytes, BLOCK_SEGMENTS_MAX))


def planned(parameters: Parameters, threads: int, total: int | None) -> tuple[int, int]:
    """Return (segments in a block, blocks at most) for so many threads; total: the number of segments, None where it is not
    known and nobody is to wait for many."""
    affordable = BLOCKS_BYTES_MAX // parameters.segment_bytes
    count = segments_in_a_block(parameters)
    if total is not None:
        at_once = max(count, min(parameters.segments_at_once, affordable // (threads + 1)))
        turns = -(-total // (at_once * threads))
        share = -(-total // (turns * threads))  # so that no thread has a block more than another
        count = min(max(share, count), total)
    return count, max(2, min(2 * threads + 1, affordable // count))


def affordable_threads(parameters: Parameters) -> int:
    """Return how many threads may have a block of the smallest size each, and one more block."""
    return max(1, BLOCKS_BYTES_MAX // (segments_in_a_block(parameters) * parameters.segment_bytes) - 1)


def _pages(size: int) -> mmap.mmap:
    # Python's own choice is shared memory, which does not get huge pages.
    pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if size >= HUGE_BYTES and hasattr(mmap, "MADV_HUGEPAGE"):
        with contextlib.suppress(OSError):  # a kernel without them
            pages.madvise(mmap.MADV_HUGEPAGE)
    return pages


class Block:
    """Memory for a number of whole segments, each as lead | body | tag. Untouched pages cost nothing."""

    def __init__(self, parameters: Parameters, count: int) -> None:
        self._parameters = parameters
        self._stride = parameters.lead_bytes + parameters.segment_bytes
        self._memory = memoryview(_pages(count * self._stride))
        self._rest = [self._segment(slot, False, parameters.rest_bytes) for slot in range(count)]
        self._whole = self._segments(self._rest, False)

    def _begin(self, slot: int, first: bool) -> int:
        """Return where a slot's segment begins. A file's first one may be shorter, and ends where the next one begins."""
        return slot * self._stride + (self._parameters.rest_bytes - self._parameters.first_bytes if first else 0)

    def _segment(self, slot: int, first: bool, body_bytes: int) -> Segment:
        return segment_in(self._memory[self._begin(slot, first) :], self._parameters, body_bytes)

    def _segments(self, each: list[Segment], first: bool) -> Segments:
        end = self._begin(len(each) - 1, first and len(each) == 1) + len(each[-1].whole)
        memory = self._memory[self._begin(0, first) : end]
        return Segments(each, [segment.sealed for segment in each] if self._parameters.lead_bytes else [memory], memory)

    def whole(self, start: int) -> Segments:
        """Return views of whole segments, of which the first has number start."""
        if start:
            return self._whole
        first = self._segment(0, True, self._parameters.first_bytes)
        return self._segments([first, *self._rest[1:]], True)

    def holding(self, start: int, count: int, body_bytes: int) -> Segments:
        """Return views of count segments from number start on, with body_bytes bytes of plaintext in all."""
        p = self._parameters
        short = (p.first_bytes if start == 0 else p.rest_bytes) + (count - 1) * p.rest_bytes - body_bytes
        if not short and count == len(self._rest):
            return self.whole(start)
        each = list(self.whole(start).each[:count])
        if short:
            first = start == 0 and count == 1
            each[-1] = self._segment(count - 1, first, len(each[-1].body) - short)
        return self._segments(each, start == 0)


# Tasks


class Task:
    """The work on one block."""

    def __init__(self, block: Block, segments: Segments, start: int, last: bool, body_bytes: int) -> None:
        self.block = block
        self.segments = segments
        self.start = start
        self.last = last
        self.body_bytes = body_bytes
        self.done = False
        self.error: BaseException | None = None


class Transform(Protocol):
    """What is done with a source for a sink: encryption or decryption."""

    keys: FileKeys
    parameters: Parameters
    source: Source
    sink: Sink

    def input(self, segments: Segments) -> list[memoryview]:
        """Return the memory that the source is read into."""
        ...

    def read_at(self, start: int) -> int:
        """Return the position in the source of segment number start."""
        ...

    def body_bytes(self, start: int, taken: int) -> tuple[int, int]:
        """Return (segments, plaintext bytes) in the task that begins with segment start and ends the source after so many
        bytes of it."""
        ...

    def work(self, cipher: SegmentCipher, task: Task) -> None:
        """Encrypt, or verify and decrypt, in place."""
        ...

    def output(self, task: Task) -> list[memoryview]:
        """Return what goes to the sink."""
        ...

    def write_at(self, task: Task) -> int:
        """Return the position of that in the sink."""
        ...


class Run:
    """One transform, from its first task to its last, on 1 to 16 threads; None: as many as there are processors."""

    def __init__(self, transform: Transform, threads: int | None, progress: Progress | None) -> None:
        p = transform.parameters
        self._transform = transform
        self._progress = progress
        self._threads_max = min(checked_threads(threads), affordable_threads(p))
        self._per_block, self._blocks_left = planned(p, self._threads_max, None)
        self._free: list[Block] = []
        self._pending: deque[Task] = deque()
        self._ciphers: list[SegmentCipher] = []
        """Those that no thread has at the moment."""

    def positional(self, first: int, after: int, count: int, size: int) -> None:
        """Process segments first to after - 1, of the count segments that hold size bytes of plaintext."""
        parameters = self._transform.parameters
        self._per_block, self._blocks_left = planned(parameters, self._threads_max, max(1, after - first))
        self._work_through(self._positional_tasks(first, after, count, size))

    def sequential(self) -> None:
        """Process segments from number 0 on until the source ends."""
        self._work_through(self._sequential_tasks())

    def _positional_tasks(self, first: int, after: int, count: int, size: int) -> Iterator[Task]:
        p = self._transform.parameters
        if count > p.segments_max:
            raise self._too_long()
        for start in range(first, after, self._per_block):
            end = min(start + self._per_block, after)
            body_bytes = (size if end == count else p.plaintext_at(end)) - p.plaintext_at(start)
            block = self._take_block()
            yield Task(block, block.holding(start, end - start, body_bytes), start, end == count, body_bytes)

    def _sequential_tasks(self) -> Iterator[Task]:
        transform = self._transform
        source, p = transform.source, transform.parameters
        assert isinstance(source, SequentialSource)
        wait = self._poller(source.polled)
        held: Task | None = None
        start = 0
        while True:
            block = self._take_block()
            whole = block.whole(start)
            views = transform.input(whole)
            taken = source.read_into(views, wait)
            if held is not None:
                held.last = not taken and p.last_may_be_full
                yield held
                if held.last:
                    return
            full = taken == sum(map(len, views))
            if full:
                count, body_bytes = len(whole.each), sum(map(len, whole.bodies))
            else:
                count, body_bytes = transform.body_bytes(start, taken)
            if start + count > p.segments_max:
                raise self._too_long()
            held = Task(block, block.holding(start, count, body_bytes), start, not full, body_bytes)
            if not full:
                yield held
                return
            start += count

    def _too_long(self) -> Error:
        return Error(f"{self._transform.source.name}: {self._transform.parameters.too_long()}")

    def _work_through(self, tasks: Iterator[Task]) -> None:
        self._pool: Pool[Task, None] = Pool(self._threads_max, self._do, waits=True)
        try:
            with self._pool as pool:
                for task in tasks:
                    self._pending.append(task)
                    # A thread for the only task of a small file would cost more than its work.
                    pool.submit(task, here=task.last and len(self._pending) == 1 and not pool.threads)
                while self._pending:
                    self._deliver()
        finally:  # the pool refers to this object, and the memory is not to wait for the collector
            self._free.clear()
            self._pending.clear()
            self._ciphers.clear()

    def _take_block(self) -> Block:
        """Return a block that is free, or becomes free as work is finished."""
        if not self._free and self._blocks_left:
            self._blocks_left -= 1
            return Block(self._transform.parameters, self._per_block)
        while not self._free:
            self._deliver()
        return self._free.pop()

    def _deliver(self) -> None:
        """Wait for the oldest task, raise its error, and write what is to be written in order."""
        task = self._pending[0]
        while not task.done:
            self._take_finished()
        self._pending.popleft()
        if task.error is not None:
            raise task.error
        if isinstance(self._transform.sink, SequentialSink):
            self._transform.sink.write(self._transform.output(task))
        self._free.append(task.block)
        if self._progress is not None:
            self._progress(task.body_bytes)

    def _take_finished(self) -> None:
        task, _, error = self._pool.finished()
        task.done, task.error = True, error

    def _deliver_finished(self) -> None:
        """Deliver what is finished by now, in order."""
        while self._pool.has_finished():
            self._take_finished()
        while self._pending and self._pending[0].done:
            self._deliver()

    def _do(self, task: Task) -> None:
        transform = self._transform
        try:
            cipher = self._ciphers.pop()
        except IndexError:
            cipher = transform.keys.cipher()
        if isinstance(transform.source, PositionalSource):
            transform.source.read_at(transform.input(task.segments), transform.read_at(task.start))
        transform.work(cipher, task)
        if isinstance(transform.sink, PositionalSink) and not self._pool.given_up:
            transform.sink.write_at(transform.output(task), transform.write_at(task))
        self._ciphers.append(cipher)

    def _poller(self, fd: int | None) -> Callable[[], None]:
        """Return the function to call before a read that may block: it returns when the descriptor fd has input, and
        meanwhile delivers what is finished and notices when nobody reads the output any more. Without fd it does not
        wait for input."""
        sink = self._transform.sink
        if fd is None:
            return self._deliver_finished
        wake = self._pool.wake_descriptor()
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
