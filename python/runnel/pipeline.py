# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Segments of :mod:`runnel.tink` on all cores: from a source, through encryption or decryption, to a sink.

A block is memory for about 1 MiB of whole segments; a task is one block's work. A worker thread reads a task's
block, works on it in place and writes it, where source and sink have positions (files); else (pipes) the calling
thread reads and writes in order, and the workers only compute. Reading, the cipher, HMAC and writing all release
the interpreter lock for blocks of this size. Memory: two blocks a thread and one more, at most 64 MiB where the
segments are not larger than that themselves.
"""

from __future__ import annotations

import contextlib
import errno
import mmap
import os
import queue
import select
import signal
import stat
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO

from runnel.inputs import Inputs
from runnel.tink import (
    IV_BYTES,
    SEGMENTS_MAX,
    DamagedError,
    FileKeys,
    Key,
    Keyset,
    Parameters,
    Segment,
    SegmentCipher,
    TinkError,
)

BLOCK_BYTES = 1 << 20
BLOCK_SEGMENTS_MAX = 512  # one system call reads or writes a block; Linux takes at most 1024 pieces
BLOCKS_BYTES_MAX = 64 << 20
THREADS_MAX = 16

Progress = Callable[[int], None]


class PositionalSource:
    """A file that is read at positions, by several threads. Positions count from where the descriptor stood."""

    def __init__(self, fd: int, name: str, size: int) -> None:
        self.fd = fd
        self.name = name
        self._base = os.lseek(fd, 0, os.SEEK_CUR)
        self._end = size
        self.bytes = max(0, size - self._base)

    def read_at(self, views: Sequence[memoryview], position: int) -> None:
        wanted = sum(map(len, views))
        with _naming(self.name):
            done = os.preadv(self.fd, views, self._base + position)
            while done < wanted:
                more = os.preadv(self.fd, _from(views, done), self._base + position + done)
                if not more:
                    raise TinkError(f"{self.name}: the file became shorter while it was read")
                done += more

    def check_unchanged(self) -> None:
        """Raises TinkError when the file has grown since it was opened."""
        if os.preadv(self.fd, [bytearray(1)], self._end):
            raise TinkError(f"{self.name}: the file became longer while it was read")


class SequentialSource:
    """Anything with readinto (or read) that is read once, in order."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self.name = name
        self.fd = _descriptor(file)
        self._readinto: Callable[[memoryview], int | None] = getattr(file, "readinto", None) or _readinto_by_read(file)
        self._pushed_back = memoryview(b"")

    def push_back(self, data: bytes | bytearray) -> None:
        """Lets the next read begin with data."""
        self._pushed_back = memoryview(bytes(data) + bytes(self._pushed_back))

    def read_into(self, views: Sequence[memoryview], wait: Callable[[], None] | None = None) -> int:
        """Fills the views, or what of them is left before the end; gives the number of bytes. wait is called
        before each read that may block."""
        total = 0
        with _naming(self.name):
            for view in views:
                done = min(len(view), len(self._pushed_back))
                view[:done] = self._pushed_back[:done]
                self._pushed_back = self._pushed_back[done:]
                while done < len(view):
                    if wait is not None:
                        wait()
                    count = self._readinto(view[done:])
                    if count is None:  # a descriptor that does not block
                        _until_ready(self.fd, select.POLLIN)
                    elif not count:
                        return total + done
                    else:
                        done += count
                total += done
        return total


class PositionalSink:
    """A file that is written at positions, by several threads."""

    def __init__(self, fd: int, name: str) -> None:
        self.fd = fd
        self.name = name

    def write_at(self, views: Sequence[memoryview], position: int) -> None:
        wanted = sum(map(len, views))
        with _naming(self.name):
            done = os.pwritev(self.fd, views, position) if wanted else 0
            while done < wanted:
                done += os.pwritev(self.fd, _from(views, done), position + done)


class SequentialSink:
    """Anything with write that takes the bytes in order."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self.name = name
        self.fd = _descriptor(file)
        self._write = file.write

    def write(self, views: Sequence[memoryview]) -> None:
        rest = views[0] if len(views) == 1 else memoryview(b"".join(views))
        with _naming(self.name):
            while len(rest):
                count = self._write(rest)
                if count is None:
                    _until_ready(self.fd, select.POLLOUT)
                else:
                    rest = rest[count:]


Source = PositionalSource | SequentialSource
Sink = PositionalSink | SequentialSink


def source_of(file: BinaryIO, name: str) -> Source:
    """The best source for an open file: positional where it has a size, else sequential."""
    fd = _descriptor(file)
    if fd is not None:
        status = os.fstat(fd)
        if stat.S_ISREG(status.st_mode) and status.st_size:  # 0: also the files of /proc, whose length is not known
            return PositionalSource(fd, name, status.st_size)
        if stat.S_ISBLK(status.st_mode):
            here = os.lseek(fd, 0, os.SEEK_CUR)
            size = os.lseek(fd, 0, os.SEEK_END)
            os.lseek(fd, here, os.SEEK_SET)
            return PositionalSource(fd, name, size)
    return SequentialSource(file, name)


def encrypt(
    keyset: Keyset,
    source: Source,
    sink: Sink,
    *,
    aad: bytes = b"",
    threads: int | None = None,
    progress: Progress | None = None,
    keys: FileKeys | None = None,
) -> None:
    """Encrypts source to sink with the keyset's primary key; keys are the file's, when they are not to be new.
    See runnel.files.encrypt_file."""
    _check_apart(source, sink)
    keys = keys or FileKeys.new(keyset.primary, aad)
    header = [memoryview(keys.header)]
    if isinstance(sink, PositionalSink):
        sink.write_at(header, 0)
    else:
        sink.write(header)
    job = _Encryption(keys, source, sink)
    if isinstance(source, PositionalSource):
        count = keys.parameters.segments(source.bytes)
        _Run(job, threads, progress).positional(0, count, count, source.bytes)
        source.check_unchanged()
    else:
        _Run(job, threads, progress).sequential()


def decrypt(
    keyset: Keyset,
    source: Source,
    sink: Sink,
    *,
    aad: bytes = b"",
    start: int = 0,
    end: int | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Decrypts source, or the range from start to end of its plaintext, to sink. See runnel.files.decrypt_file."""
    _check_apart(source, sink)
    if start < 0 or (end is not None and end < start):
        raise ValueError("a range begins at 0 or later and does not end before it begins")
    if isinstance(source, PositionalSource):
        whole = start == 0 and end is None
        keys = find_keys_at(keyset, source, aad, last=not whole)
        p = keys.parameters
        try:
            count, size = p.opened(source.bytes)
        except DamagedError as error:
            raise DamagedError(f"{source.name}: {error}") from None
        if start > size:
            raise TinkError(f"{source.name}: the range begins at {start}, beyond the {size} bytes of plaintext")
        end = size if end is None else min(end, size)
        job = _Decryption(keys, source, sink, start, end)
        if whole:
            first, after = 0, count
        elif start == end:
            first, after = 0, 0  # the end of the file has been verified already
        else:
            first, after = p.segment_of(start), p.segment_of(end - 1) + 1
        _Run(job, threads, progress).positional(first, after, count, size)
        source.check_unchanged()
    elif start or end is not None:
        raise TinkError(f"{source.name}: a range needs a file that can seek")
    else:
        keys = _find_keys_in_stream(keyset, source, aad)
        _Run(_Decryption(keys, source, sink, 0, None), threads, progress).sequential()


def _check_apart(source: Source, sink: Sink) -> None:
    """Raises ValueError where source and sink are the same file."""
    if source.fd is not None and sink.fd is not None:
        inputs = Inputs()
        inputs.remember(source.fd, source.name)
        inputs.check(os.fstat(sink.fd), sink.name)


# Which key


def find_keys_at(keyset: Keyset, source: PositionalSource, aad: bytes, last: bool) -> FileKeys:
    """The key that verifies the file's first segment, or its last. Raises DamagedError: none does. The first
    segment is not tried where only one key comes into question."""

    def read(position: int, count: int) -> bytes:
        data = bytearray(max(0, min(count, source.bytes - position)))
        source.read_at([memoryview(data)], position)
        return bytes(data)

    candidates = _candidates(keyset, read(0, 1), source.name)
    if len(candidates) == 1 and not last:
        header = read(0, candidates[0].parameters.header_bytes)
        return _keys_of(candidates[0], header, aad, source.name)
    for key in candidates:
        p = key.parameters
        try:
            keys = FileKeys.from_header(key, read(0, p.header_bytes), aad)
            count, _ = p.opened(source.bytes)
        except DamagedError:
            continue
        index = count - 1 if last else 0
        position = p.sealed_at(index)
        if _verifies(keys, read(position, p.sealed_at(index + 1) - position), index, index == count - 1):
            return keys
    raise _no_key(source.name, "last segment" if last else "first segment")


def _find_keys_in_stream(keyset: Keyset, source: SequentialSource, aad: bytes) -> FileKeys:
    def read(count: int) -> bytes:
        data = bytearray(count)
        return bytes(data[: source.read_into([memoryview(data)])])

    length = read(1)
    candidates = _candidates(keyset, length, source.name)
    header = length + read(candidates[0].parameters.header_bytes - 1)
    if len(candidates) == 1:
        return _keys_of(candidates[0], header, aad, source.name)
    largest = max(key.parameters.segment_bytes for key in candidates) - len(header)
    ahead = read(largest + 1)  # one more shows whether the segment is the last
    source.push_back(ahead)
    for key in candidates:
        room = key.parameters.segment_bytes - len(header)
        keys = _keys_of(key, header, aad, source.name)
        if _verifies(keys, ahead[:room], 0, len(ahead) <= room):
            return keys
    raise _no_key(source.name, "first segment")


def _candidates(keyset: Keyset, length: bytes, name: str) -> list[Key]:
    if not length:
        raise DamagedError(f"{name}: empty, not an encrypted file")
    keys = [key for key in keyset.keys if key.parameters.header_bytes == length[0]]
    if not keys:
        raise DamagedError(f"{name}: not a file for this key: its first byte is {length[0]}, not the header's length")
    return keys


def _keys_of(key: Key, header: bytes, aad: bytes, name: str) -> FileKeys:
    try:
        return FileKeys.from_header(key, header, aad)
    except DamagedError:
        raise DamagedError(f"{name}: cut: it ends inside the header") from None


def _verifies(keys: FileKeys, sealed: bytes, index: int, last: bool) -> bool:
    if len(sealed) < keys.parameters.tag_bytes:
        return False
    memory = memoryview(bytearray(IV_BYTES) + sealed)
    return keys.cipher().open([segment_in(memory, len(sealed) - keys.parameters.tag_bytes)], index, last) == 1


def _no_key(name: str, where: str) -> DamagedError:
    return DamagedError(f"{name}: wrong key or associated data, or damaged or cut (no key verifies the {where})")


# Memory


def segment_in(memory: memoryview, body_bytes: int, tag_bytes: int | None = None) -> Segment:
    """The views of one segment that begins with its IV in memory; tag_bytes: None for all the rest."""
    body_end = IV_BYTES + body_bytes
    end = len(memory) if tag_bytes is None else body_end + tag_bytes
    return memory[:IV_BYTES], memory[IV_BYTES:body_end], memory[:body_end], memory[body_end:end], memory[IV_BYTES:end]


class _Block:
    """Memory for a number of whole segments, each as IV | body | tag. Untouched pages cost nothing."""

    def __init__(self, parameters: Parameters, count: int) -> None:
        self._parameters = parameters
        self._stride = IV_BYTES + parameters.segment_bytes
        self._memory = memoryview(mmap.mmap(-1, count * self._stride))
        self._whole = [self._segment(slot, parameters.rest_bytes) for slot in range(count)]

    def _segment(self, slot: int, body_bytes: int) -> Segment:
        return segment_in(self._memory[slot * self._stride :], body_bytes, self._parameters.tag_bytes)

    def whole(self, start: int) -> list[Segment]:
        """Views of whole segments, of which the first has number start."""
        if start:
            return self._whole
        return [self._segment(0, self._parameters.first_bytes), *self._whole[1:]]

    def holding(self, start: int, count: int, body_bytes: int) -> list[Segment]:
        """Views of count segments from number start on, with body_bytes bytes of plaintext together."""
        segments = self.whole(start)[:count]
        short = sum(len(segment[1]) for segment in segments) - body_bytes
        if short:
            segments[-1] = self._segment(count - 1, len(segments[-1][1]) - short)
        return segments


class _Task:
    def __init__(self, block: _Block, segments: list[Segment], start: int, last: bool, body_bytes: int) -> None:
        self.block = block
        self.segments = segments
        self.start = start
        self.last = last
        self.body_bytes = body_bytes
        self.done = False
        self.error: BaseException | None = None


# The two jobs


class _Encryption:
    def __init__(self, keys: FileKeys, source: Source, sink: Sink) -> None:
        self.keys = keys
        self.parameters = keys.parameters
        self.source = source
        self.sink = sink

    def input(self, segments: list[Segment]) -> list[memoryview]:
        return [segment[1] for segment in segments]

    def read_at(self, start: int) -> int:
        return self.parameters.plaintext_at(start)

    def body_bytes(self, start: int, taken: int) -> tuple[int, int]:
        """(segments, plaintext bytes) in the task that begins with segment start and has this much input."""
        return self.parameters.segments(self.parameters.plaintext_at(start) + taken) - start, taken

    def work(self, cipher: SegmentCipher, task: _Task) -> None:
        cipher.seal(task.segments, task.start, task.last)

    def output(self, task: _Task) -> list[memoryview]:
        return [segment[4] for segment in task.segments]

    def write_at(self, task: _Task) -> int:
        return self.parameters.sealed_at(task.start)


class _Decryption:
    def __init__(self, keys: FileKeys, source: Source, sink: Sink, low: int, high: int | None) -> None:
        self.keys = keys
        self.parameters = keys.parameters
        self.source = source
        self.sink = sink
        self._low = low
        self._high = high

    def input(self, segments: list[Segment]) -> list[memoryview]:
        return [segment[4] for segment in segments]

    def read_at(self, start: int) -> int:
        return self.parameters.sealed_at(start)

    def body_bytes(self, start: int, taken: int) -> tuple[int, int]:
        p = self.parameters
        try:
            count, end = p.opened(p.sealed_at(start) + taken)
        except DamagedError as error:
            raise DamagedError(f"{self.source.name}: {error}") from None
        return count - start, end - p.plaintext_at(start)

    def work(self, cipher: SegmentCipher, task: _Task) -> None:
        good = cipher.open(task.segments, task.start, task.last)
        if good < len(task.segments):
            raise DamagedError(f"{self.source.name}: {damage(self.parameters, task.start + good)}")

    def output(self, task: _Task) -> list[memoryview]:
        bodies = [segment[1] for segment in task.segments]
        position = self.parameters.plaintext_at(task.start)
        before = max(0, self._low - position)
        behind = 0 if self._high is None else max(0, position + task.body_bytes - self._high)
        return _from(bodies, before, behind) if before or behind else bodies

    def write_at(self, task: _Task) -> int:
        return max(self._low, self.parameters.plaintext_at(task.start)) - self._low


def damage(p: Parameters, index: int) -> str:
    """What it means that segment number index does not verify."""
    if index == 0:
        return "wrong key or associated data, or damaged (the first segment does not verify)"
    return f"damaged, cut or extended: segment {index}, from byte {p.sealed_at(index)} on, does not verify"


Job = _Encryption | _Decryption


class _Run:
    """One job, from its first task to its last."""

    def __init__(self, job: Job, threads: int | None, progress: Progress | None) -> None:
        p = job.parameters
        self._job = job
        self._progress = progress
        self._per_block = max(1, min(BLOCK_BYTES // p.segment_bytes, BLOCK_SEGMENTS_MAX))
        affordable = (BLOCKS_BYTES_MAX // (self._per_block * p.segment_bytes) - 1) // 2
        self._threads_max = max(1, min(threads or len(os.sched_getaffinity(0)), THREADS_MAX, affordable))
        self._blocks_left = 2 * self._threads_max + 1
        self._free: list[_Block] = []
        self._pending: deque[_Task] = deque()
        # Simple queues are safe where a signal's exception may come at any moment; locks and events are not.
        self._todo: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._finished: queue.SimpleQueue[_Task] = queue.SimpleQueue()
        self._workers: list[threading.Thread] = []
        self._abandoned = False
        self._wake: tuple[int, int] | None = None

    def positional(self, first: int, after: int, count: int, size: int) -> None:
        """Does segments number first to after - 1, of the count segments that hold size bytes of plaintext."""
        self._per_block = min(self._per_block, max(1, after - first))
        self._work_through(self._positional_tasks(first, after, count, size))

    def sequential(self) -> None:
        """Does segments from number 0 on until the source ends."""
        self._work_through(self._sequential_tasks())

    def _positional_tasks(self, first: int, after: int, count: int, size: int) -> Iterator[_Task]:
        p = self._job.parameters
        if count > SEGMENTS_MAX:
            raise self._too_long()
        for start in range(first, after, self._per_block):
            end = min(start + self._per_block, after)
            body_bytes = (size if end == count else p.plaintext_at(end)) - p.plaintext_at(start)
            block = self._take_block()
            yield _Task(block, block.holding(start, end - start, body_bytes), start, end == count, body_bytes)

    def _sequential_tasks(self) -> Iterator[_Task]:
        job = self._job
        assert isinstance(job.source, SequentialSource)
        wait = self._poller()
        held: _Task | None = None
        start = 0
        while True:
            block = self._take_block()
            views = job.input(block.whole(start))
            taken = job.source.read_into(views, wait)
            if held is not None:
                held.last = not taken
                yield held
                if not taken:
                    return
            count, body_bytes = job.body_bytes(start, taken)
            if start + count > SEGMENTS_MAX:
                raise self._too_long()
            held = _Task(block, block.holding(start, count, body_bytes), start, False, body_bytes)
            if taken < sum(map(len, views)):
                held.last = True
                yield held
                return
            start += count

    def _too_long(self) -> TinkError:
        p = self._job.parameters
        return TinkError(f"{self._job.source.name}: more than 2^32 segments of {p.segment_bytes} bytes")

    def _work_through(self, tasks: Iterator[_Task]) -> None:
        try:
            for task in tasks:
                self._pending.append(task)
                if task.last and len(self._pending) == 1 and not self._workers:
                    self._do(self._job.keys.cipher(), task)
                else:
                    if len(self._workers) < self._threads_max:
                        self._start_worker()
                    self._todo.put(task)
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

    def _take_block(self) -> _Block:
        """A block that is free, or becomes free as work is finished."""
        if not self._free and self._blocks_left:
            self._blocks_left -= 1
            return _Block(self._job.parameters, self._per_block)
        while not self._free:
            self._deliver()
        return self._free.pop()

    def _deliver(self) -> None:
        """Waits for the oldest task, raises what it raised, and writes what is to be written in order."""
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
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
        try:
            worker = threading.Thread(target=self._worker, daemon=True)
            worker.start()
            self._workers.append(worker)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)

    def _worker(self) -> None:
        cipher = self._job.keys.cipher()
        while (task := self._todo.get()) is not None:
            if not self._abandoned:
                self._do(cipher, task)
        self._todo.put(None)  # for the next one

    def _do(self, cipher: SegmentCipher, task: _Task) -> None:
        job = self._job
        try:
            if isinstance(job.source, PositionalSource):
                job.source.read_at(job.input(task.segments), job.read_at(task.start))
            job.work(cipher, task)
            if isinstance(job.sink, PositionalSink):
                job.sink.write_at(job.output(task), job.write_at(task))
        except BaseException as error:  # raised again by the thread that delivers
            task.error = error
        self._finished.put(task)
        if self._wake:
            try:
                os.write(self._wake[1], b"\0")
            except BlockingIOError:  # enough of them are in the pipe
                pass

    def _poller(self) -> Callable[[], None] | None:
        """What to call before a read that may block: it returns when there is input, and meanwhile delivers what
        is finished and notices when nobody reads the output any more. None where there are no descriptors."""
        fd, sink = self._job.source.fd, self._job.sink
        if fd is None:
            return None
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
                    while not self._finished.empty():
                        self._finished.get().done = True
                    while self._pending and self._pending[0].done:
                        self._deliver()
                if isinstance(sink, SequentialSink) and sink.fd is not None and events.get(sink.fd, 0) & select.POLLERR:
                    raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE), sink.name)
                if fd in events:
                    return

        return wait


# Small things


@contextlib.contextmanager
def _naming(name: str) -> Iterator[None]:
    """Lets errors of the operating system say which file they are about."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = name
        raise


def _from(views: Sequence[memoryview], skip: int, drop: int = 0) -> list[memoryview]:
    """The views without their first skip and last drop bytes."""
    left = sum(map(len, views)) - skip - drop
    out = []
    for view in views:
        if skip >= len(view):
            skip -= len(view)
            continue
        part = view[skip : skip + left]
        skip = 0
        left -= len(part)
        if not len(part):
            break
        out.append(part)
    return out


def _until_ready(fd: int | None, events: int) -> None:
    """Waits for a descriptor that was made not to block."""
    if fd is None:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
    poll = select.poll()
    poll.register(fd, events)
    poll.poll()


def _descriptor(file: BinaryIO) -> int | None:
    try:
        return file.fileno()
    except (AttributeError, OSError):  # io.UnsupportedOperation is an OSError
        return None


def _readinto_by_read(file: BinaryIO) -> Callable[[memoryview], int | None]:
    def readinto(view: memoryview) -> int:
        data = file.read(len(view))
        view[: len(data)] = data
        return len(data)

    return readinto
