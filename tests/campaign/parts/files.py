# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Files and stores under faults: reads, writes and flushes that fail or do less, cuts, wrong keys, failing requests."""

import contextlib
import errno
import io
import os
import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import runnel
from runnel.errors import Error
from sealed_files import SMALL, keyset_of, seal

from campaign.work import Work

GOALS = ("G25",)

TURNS = 40
"""Files between two objects in a store, whose requests take longer."""

ERRORS = (errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EROFS, errno.ESTALE)
POSITIONAL = ("preadv", "pwritev")
ONCE = ("fsync", "link", "rename", "replace", "fchmod", "open")


class Faults:
    """Makes some of a call's uses go wrong, and counts them."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.fails_at = rng.choice([None, rng.randrange(30)])  # of all uses together
        self.is_short = rng.random() < 0.5
        self.uses = self.count = 0
        self.failed = False

    def next(self) -> None:
        """Raises at the chosen use."""
        self.uses += 1
        if self.fails_at is not None and self.uses > self.fails_at and not self.failed:
            self.count += 1
            self.failed = True
            code = self.rng.choice(ERRORS)
            raise OSError(code, os.strerror(code))

    def shorter(self, length: int) -> int:
        """Return how many bytes a read or write gets, at most all that there are."""
        if not self.is_short or length < 2 or self.rng.random() < 0.5:
            return length
        self.count += 1
        return self.rng.randrange(1, length)

    def once(self, real: Callable) -> Callable:
        def call(*arguments: object, **options: object) -> object:
            self.next()
            return real(*arguments, **options)

        return call

    def positional(self, name: str, real: Callable) -> Callable:
        """Return preadv or pwritev with faults: fewer bytes, an error."""

        def call(fd: int, views: list, position: int) -> int:
            self.next()
            whole = sum(memoryview(view).nbytes for view in views)
            if name == "preadv":
                whole = min(whole, max(0, os.fstat(fd).st_size - position))
            length = self.shorter(whole)
            if length == whole:
                return real(fd, views, position)
            first = memoryview(views[0])
            return real(fd, [first[: max(1, min(length, first.nbytes))]], position)

        return call

    @contextlib.contextmanager
    def of_the_system(self) -> Iterator[None]:
        with contextlib.ExitStack() as stack:
            for name in POSITIONAL:
                stack.enter_context(mock.patch.object(os, name, self.positional(name, getattr(os, name))))
            for name in ONCE:
                stack.enter_context(mock.patch.object(os, name, self.once(getattr(os, name))))
            yield

    def reader(self, data: bytes) -> SimpleNamespace:
        inner = io.BytesIO(data)

        def readinto(view: memoryview) -> int:
            self.next()
            return inner.readinto(view[: self.shorter(min(len(view), len(data) - inner.tell()))])

        return SimpleNamespace(readinto=readinto)

    def writer(self, kept: io.BytesIO) -> SimpleNamespace:
        def write(data: memoryview) -> int:
            self.next()
            return kept.write(data[: self.shorter(len(data))])

        return SimpleNamespace(write=write)


class Case:
    """A plaintext, its file, and what may become of both."""

    def __init__(self, work: Work, seed: int, folder: Path) -> None:
        self.work, self.seed, self.folder = work, seed, folder
        self.rng = random.Random(seed)
        random.seed(seed)  # for the keys
        self.name = self.rng.choice(list(SMALL))
        self.keyset, self.aad = keyset_of(SMALL[self.name]), self.rng.randbytes(3)
        self.text = self.rng.randbytes(self.rng.choice([0, 1, 48, self.rng.randrange(700)]))
        self.sealed = seal(self.keyset, self.text, self.aad)

    def wrong(self, what: str) -> None:
        self.work.finding(f"{self.name}, seed {self.seed}: {what}")

    def count(self, faults: int) -> None:
        self.work.add(f"files in {self.name}", faults, "faults")

    def streams(self) -> None:
        """Inject a fault of the source or the target; short counts by themselves change nothing."""
        faults, kept = Faults(self.rng), io.BytesIO()
        encrypts = self.rng.random() < 0.5
        call = runnel.encrypt_stream if encrypts else runnel.decrypt_stream
        try:
            call(
                faults.reader(self.text if encrypts else self.sealed), faults.writer(kept), self.keyset, aad=self.aad,
                threads=1,
            )  # fmt: skip
        except OSError:
            if not faults.failed:
                self.wrong("an error that nothing caused")
            if encrypts:
                self.is_refused(kept.getvalue())
            elif not self.text.startswith(kept.getvalue()):
                self.wrong("an interrupted decryption has released what is not the text")
        except Error as error:
            self.wrong(f"short reads or writes, or an error of the system, become: {error}")
        else:
            if faults.failed:
                self.wrong("an error was lost")
            got = kept.getvalue() if not encrypts else self.opened(kept.getvalue())
            if got != self.text:
                self.wrong("short reads or writes change the text")
        self.count(faults.count)

    def opened(self, sealed: bytes) -> bytes:
        out = io.BytesIO()
        runnel.decrypt_stream(io.BytesIO(sealed), out, self.keyset, aad=self.aad)
        return out.getvalue()

    def is_refused(self, sealed: bytes, **changed: object) -> None:
        out = io.BytesIO()
        arguments = {"keyset": self.keyset, "aad": self.aad, **changed}
        try:
            runnel.decrypt_stream(io.BytesIO(sealed), out, **arguments)
        except runnel.AuthenticationError:
            if not self.text.startswith(out.getvalue()):
                self.wrong("a refused file has released what is not the text")
        else:
            self.wrong("what is cut, or under another key, opens")

    def damage(self) -> None:
        """Cuts, another key, other associated data."""
        self.is_refused(self.sealed[: self.rng.randrange(len(self.sealed))])
        self.is_refused(self.sealed, keyset=keyset_of(SMALL[self.name]))
        self.is_refused(self.sealed, aad=self.aad + b"x")
        self.count(3)

    def files(self) -> None:
        """Inject a fault of a system call: the new file is complete or absent, an old one stays whole, nothing else is
        left."""
        source, target, old = self.folder / "source", self.folder / "target", self.rng.random() < 0.5
        encrypts = self.rng.random() < 0.5
        source.write_bytes(self.text if encrypts else self.sealed)
        if old:
            target.write_bytes(b"old")
        call = runnel.encrypt_file if encrypts else runnel.decrypt_file
        faults = Faults(self.rng)
        try:
            with faults.of_the_system():
                call(source, target, self.keyset, aad=self.aad, force=old, threads=1)
        except OSError:
            if not faults.failed:
                self.wrong("an error that nothing caused")
        except Error as error:
            self.wrong(f"short reads or writes, or an error of the system, become: {error}")
        there = target.read_bytes() if target.exists() else None
        if there != (b"old" if old else None):
            if there is None or (self.opened(there) if encrypts else there) != self.text:
                self.wrong("a target is neither old nor new")
        elif not faults.failed:
            self.wrong("a file was not written, without an error")
        left = {each.name for each in self.folder.iterdir()} - {"source", "target"}
        if left:
            self.wrong(f"left behind: {left}")
        self.count(faults.count)


def store_faults(rng: random.Random, counter: list[int]) -> Callable:
    """Return a function that fails one request in so many, in one way or another."""
    share = rng.choice([0.05, 0.2, 0.5])

    def fault(request: object) -> object:
        if rng.random() >= share:
            return None
        what = rng.choice(["500", "drop", "drop", 0.01, *(["cut"] if getattr(request, "method", "") == "GET" else [])])
        counter[0] += 1
        return what

    return fault


class Store:
    """A store in this process; objects are encrypted to it and decrypted from it while requests fail."""

    def __init__(self, folder: Path) -> None:
        from store_server import Server  # starts threads, which a run without stores does not need

        self.server, self.folder, self.stack = Server(), folder, contextlib.ExitStack()
        self.stack.callback(self.server.close)
        self.stack.enter_context(
            mock.patch.dict(os.environ, {**self.server.environment, "XDG_STATE_HOME": str(folder)})
        )
        self.stack.enter_context(mock.patch("runnel_store.errors._PAUSE_SECONDS", 0.001))
        from runnel_store import readers

        for cached in (readers.s3_client, readers._session, readers._store):
            cached.cache_clear()
        readers.s3_client().create_bucket(Bucket="bucket")

    def close(self) -> None:
        self.stack.close()

    def turn(self, work: Work, seed: int) -> None:
        """Encrypts and decrypts while requests fail; then, without faults, what is there is whole."""
        from runnel_store import objects
        from runnel_store.objects import Options
        from runnel_store.urls import parse

        rng, counter = random.Random(seed), [0]
        keyset = runnel.Keyset.generate("AES128_GCM_HKDF_1MB")
        text = rng.randbytes(rng.choice([0, 1000, rng.randrange(200_000)]))
        (self.folder / "plain").write_bytes(text)
        sealed, back = f"s3://bucket/{seed}", self.folder / f"back-{seed}"
        options = Options(part_bytes=5 << 20, state=str(self.folder / "state"), threads=2)
        steps = ((str(self.folder / "plain"), sealed, objects.encrypt), (sealed, str(back), objects.decrypt))
        for source, target, call in steps:
            try:
                with self.server.failing(store_faults(rng, counter)):
                    call(parse(source), parse(target), keyset, options)
            except (Error, OSError):
                with contextlib.suppress(FileExistsError):  # it had arrived, and its answer was lost
                    call(parse(source), parse(target), keyset, options)
        if back.read_bytes() != text:
            work.finding(f"store, seed {seed}: what comes back is not what went there")
        back.unlink()
        work.add("objects in a store", counter[0], "faults")


def run(work: Work) -> None:
    seeds = random.Random(work.seed)
    store: Store | None = None
    turns = 0
    with tempfile.TemporaryDirectory(dir=work.folder) as name, contextlib.ExitStack() as stack:
        while turns == 0 or work.left() > 0:
            with tempfile.TemporaryDirectory(dir=name) as folder:
                case = Case(work, seeds.getrandbits(63), Path(folder))
                for test in (case.streams, case.damage, case.files):
                    test()
            turns += 1
            if turns % TURNS == 0:
                if store is None:
                    (Path(name) / "store").mkdir()
                    store = Store(Path(name) / "store")
                    stack.callback(store.close)
                store.turn(work, seeds.getrandbits(63))
