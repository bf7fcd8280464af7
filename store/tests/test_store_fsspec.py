# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sealed files through fsspec: what is written is a sealed file, what is read is its plaintext, and only on closing."""

import contextlib
import copy
import errno
import gc
import gzip
import os
import pickle
import random
import shutil

import fsspec.compression
import numpy
import pytest
import runnel
from fsspec.implementations.dirfs import DirFileSystem
from fsspec.implementations.local import LocalFileSystem
from fsspec.implementations.memory import MemoryFileSystem
from runnel.sealed.writer import EncryptedWriter
from runnel_store.fsspec import SealedFileSystem
from runnel_store.fsspec_files import FileBelow, LocalFile
from sealed_files import ONE_OF_EACH, in_a_child, unseal


@pytest.fixture(params=ONE_OF_EACH)
def keyset(request):
    return runnel.Keyset.generate(request.param)


@pytest.fixture
def sealed(keyset):
    return SealedFileSystem(LocalFileSystem(), keyset, b"a")


def test_there_and_back(sealed, keyset, tmp_path):
    name, data = str(tmp_path / "a"), random.randbytes(300_000)
    with sealed.open(name, "wb") as file:
        for at in range(0, len(data), 70_000):
            assert file.write(data[at : at + 70_000]) == len(data[at : at + 70_000])
        assert not list(tmp_path.glob("a"))
    assert unseal(keyset, (tmp_path / "a").read_bytes(), b"a") == data
    assert sealed.cat_file(name) == data and sealed.cat_file(name, 5, -7) == data[5:-7]
    assert sealed.cat_file(name, 400_000) == b"" and sealed.size(name) == len(data)
    with sealed.open(name) as file:
        assert file.seek(-10, 2) == len(data) - 10 and file.read() == data[-10:]
        for _ in range(30):
            at = random.randrange(len(data))
            file.seek(at)
            assert file.read(1000) == data[at : at + 1000]
    with pytest.raises(runnel.AuthenticationError):
        SealedFileSystem(LocalFileSystem(), keyset, b"other").cat_file(name)


def test_nothing_appears_where_writing_failed(sealed, tmp_path):
    name = str(tmp_path / "a")
    with pytest.raises(ZeroDivisionError), sealed.open(name, "wb") as file:
        file.write(b"half")
        raise ZeroDivisionError
    dropped = sealed.open(name, "wb")
    dropped.write(b"half")
    del dropped
    assert not sealed.exists(name)
    with pytest.raises(ValueError, match="wb"):
        sealed.open(name, "ab")


def test_a_file_here_is_replaced_as_a_whole(keyset, tmp_path):
    """Written beside its place, on the same disk, and only then given its name; what was there is there until then."""
    sealed = SealedFileSystem(LocalFileSystem(auto_mkdir=True), keyset)
    place = tmp_path / "new" / "a"
    for data in (b"old", b"new"):
        with sealed.open(f"file://{place}", "wb") as file:
            before = place.read_bytes() if place.exists() else None
            file.write(data)
            [temporary] = place.parent.glob(".a.*.tmp")
            assert temporary.stat().st_size > 0 and (place.read_bytes() if place.exists() else None) == before
        assert sealed.cat_file(str(place)) == data and list(place.parent.iterdir()) == [place]


class Swapping(MemoryFileSystem):
    """Another object of the same size takes the place of one, after so many reads of it."""

    store: dict = {}  # noqa: RUF012  # as MemoryFileSystem's
    reads = 0

    def open(self, path, mode="rb", **options):
        file = super().open(path, mode, **options)
        if mode == "rb":
            other, read, readinto, left = self.store["/other"].getvalue(), file.read, file.readinto, [self.reads]

            def swapped(call, argument):
                if not left[0]:
                    at = file.tell()
                    file.getbuffer()[:] = other
                    file.seek(at)
                left[0] -= 1
                return call(argument)

            file.read = lambda count=-1: swapped(read, count)
            file.readinto = lambda view: swapped(readinto, view)
        return file


@pytest.mark.parametrize("reads", range(2, 5))  # the first looks for a passphrase's mark
def test_a_file_that_is_swapped_while_it_is_read(reads, keyset):
    """Both are authentic; a mixture is not."""
    below, texts = Swapping(), [random.randbytes(4 << 20) for _ in range(2)]
    sealed = SealedFileSystem(below, keyset)
    for name, text in zip(("one", "other"), texts, strict=True):
        with sealed.open(f"/{name}", "wb") as file:
            file.write(text)
    below.reads = reads
    with pytest.raises(runnel.AuthenticationError):
        sealed.cat_file("/one")
    below.reads = 1 << 30
    with sealed.open("/one") as file:
        assert file.read() == texts[1]


class Elsewhere(LocalFileSystem):
    """Not known to the package, so that a file is committed or discarded by the file system's own means."""

    protocol = "elsewhere"


@pytest.mark.parametrize("below", [LocalFileSystem, Elsewhere])
def test_a_transaction_commits_or_discards_all_of_it(below, keyset, tmp_path):
    sealed, names = SealedFileSystem(below(), keyset), [str(tmp_path / name) for name in "abc"]
    with sealed.transaction:
        for name in names[:2]:
            with sealed.open(name, "wb") as file:
                file.write(name.encode())
        left_open = sealed.open(names[2], "wb")
        left_open.write(b"c")
        assert not any(map(sealed.exists, names))
    assert sealed.cat(names) == {name: name.encode() if name != names[2] else b"c" for name in names}
    with pytest.raises(ZeroDivisionError), sealed.transaction:
        with sealed.open(names[0], "wb") as file:
            file.write(b"new")
        raise ZeroDivisionError
    with sealed.transaction, contextlib.suppress(ZeroDivisionError), sealed.open(names[1], "wb") as file:
        file.write(b"half")
        raise ZeroDivisionError
    assert [sealed.cat_file(name) for name in names] == [names[0].encode(), names[1].encode(), b"c"]
    assert sorted(map(str, tmp_path.iterdir())) == names


@pytest.mark.parametrize("below", [LocalFileSystem, Elsewhere])
def test_a_disk_that_is_full_leaves_nothing(below, keyset, tmp_path, monkeypatch):
    sealed, name = SealedFileSystem(below(), keyset), str(tmp_path / "a")
    kind = LocalFile if below is LocalFileSystem else FileBelow
    write = kind.write
    for count in range(3):
        left = iter(range(count))

        def full(self, data, left=left):
            if next(left, None) is None:
                raise OSError(errno.ENOSPC, "No space left on device")
            return write(self, data)

        with monkeypatch.context() as patch:
            patch.setattr(kind, "write", full)
            kept = []  # no destructor cleans up
            with pytest.raises(OSError, match="No space left"):
                kept.append(sealed.open(name, "wb"))
                kept[0].write(bytes(5 << 20))
        assert not list(tmp_path.iterdir()), count


def test_readers_say_their_size(sealed, tmp_path):
    name = str(tmp_path / "a")
    sealed.pipe_file(name, b"one\ntwo\nthree\n")
    with sealed.open(name) as file:
        assert file.size == 14
    assert sealed.read_block(name, 5, 4, delimiter=b"\n") == b"three\n"


def test_another_file_system_commits_or_discards(keyset, tmp_path):
    sealed, there, half = SealedFileSystem(Elsewhere(), keyset, b"a"), tmp_path / "there", tmp_path / "half"
    with sealed.open(str(there), "wb") as file:
        file.write(b"text")
        assert not there.exists()
    assert unseal(keyset, there.read_bytes(), b"a") == b"text" and sealed.cat_file(str(there)) == b"text"
    with pytest.raises(ZeroDivisionError), sealed.open(str(half), "wb") as file:
        file.write(b"half")
        raise ZeroDivisionError
    dropped = sealed.open(str(half), "wb")
    dropped.write(b"half")
    del dropped
    assert list(tmp_path.iterdir()) == [there]


@pytest.mark.parametrize("keyset", ["cobblestone-128"], indirect=True)
@pytest.mark.parametrize("below", [LocalFileSystem, Elsewhere])
def test_a_forked_process_and_a_copy_do_not_touch_the_file(below, keyset, tmp_path):
    sealed, name = SealedFileSystem(below(), keyset), str(tmp_path / "a")
    file = sealed.open(name, "wb")
    file.write(b"A" * 30)
    for call, expected in (
        (lambda: file.write(b"B"), "StateError"),
        (file.close, "StateError"),
        (file.discard, "None"),
    ):
        assert in_a_child(call) == expected
    for double in (copy.copy, pickle.dumps):
        with pytest.raises(TypeError, match="cannot be copied or pickled"):
            double(file)
    file.close()
    assert sealed.cat_file(name) == b"A" * 30 and os.listdir(tmp_path) == ["a"]


@pytest.mark.parametrize("lock", [None, "keyset.json", b"0" * 32, runnel.Passphrase("words")])
def test_what_is_no_keyset_is_refused(lock):
    with pytest.raises(TypeError, match="the keyset must be a runnel.Keyset or a KeyPlace, not"):
        SealedFileSystem(LocalFileSystem(), lock)


class Closing(gzip.GzipFile):
    """It closes what it writes to, as zstandard's compressor does."""

    def __init__(self, file, mode="rb"):
        super().__init__(fileobj=file, mode=mode)
        self._below = file

    def close(self):
        super().close()
        self._below.close()


@pytest.fixture(autouse=True)
def closing(monkeypatch):
    monkeypatch.setitem(fsspec.compression.compr, "closing", Closing)


@pytest.mark.parametrize("keyset", ["cobblestone-128"], indirect=True)
@pytest.mark.parametrize("below", [LocalFileSystem, Elsewhere])
@pytest.mark.parametrize("compression", [None, "gzip", "bz2", "xz", "zip", "closing"])
@pytest.mark.parametrize("mode, half, text", [("b", b"half", b"all of it"), ("t", "half", "all of it, \xe9")])
def test_a_file_that_is_wrapped_is_complete_or_absent(below, compression, mode, half, text, keyset, tmp_path):
    """fsspec's wrappers close a file too late or too soon, and as text it would be kept after an exception."""
    sealed, names = SealedFileSystem(below(), keyset), [str(tmp_path / name) for name in "ab"]
    options = {"compression": compression, **({"encoding": "utf-8"} if mode == "t" else {})}

    def write(name, what, fails=False):
        with sealed.open(name, f"w{mode}", **options) as file:
            assert file.write(what) == len(what)
            if fails:
                raise ZeroDivisionError

    def read(name):
        with sealed.open(name, f"r{mode}", **options) as file:
            return file.read()

    write(names[0], text)
    with pytest.raises(ZeroDivisionError):
        write(names[0], half, fails=True)
    dropped = sealed.open(names[0], f"w{mode}", **options)
    dropped.write(half)
    del dropped
    gc.collect()
    assert read(names[0]) == text and sorted(map(str, tmp_path.iterdir())) == names[:1]
    with sealed.transaction:
        write(names[0], half)
        left_open = sealed.open(names[1], f"w{mode}", **options)
        left_open.write(text)
    assert (read(names[0]), read(names[1])) == (half, text)
    with pytest.raises(ZeroDivisionError), sealed.transaction:
        write(names[0], text)
        raise ZeroDivisionError
    assert read(names[0]) == half and sorted(map(str, tmp_path.iterdir())) == names


def test_text_that_cannot_be_written_leaves_nothing(sealed, tmp_path):
    file = sealed.open(str(tmp_path / "a"), "w", encoding="ascii")
    file.write("half")
    with pytest.raises(UnicodeEncodeError):
        file.write("\xe9")
    file.close()
    for options in ({"compression": "none such"}, {"encoding": "none such"}):
        with pytest.raises((ValueError, LookupError)):
            sealed.open(str(tmp_path / "a"), "w", **options)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("options", [{}, {"compression": "gzip"}, {"mode": "w"}], ids=["plain", "gzip", "text"])
def test_a_program_that_continues_learns_that_the_file_was_given_up(sealed, options, tmp_path):
    name = str(tmp_path / "a")
    with pytest.raises(runnel.Error, match="/a: discarded, because a write failed$"):  # noqa: SIM117
        with sealed.open(name, **{"mode": "wb", **options}) as file:
            with pytest.raises(TypeError):
                file.write(5)
    assert not list(tmp_path.iterdir())


def test_a_program_that_continues_learns_that_text_was_not_written(sealed, tmp_path, monkeypatch):
    """Also where it was flushed, which is when text is written."""

    def full(self, rest):
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(runnel.Error, match="/a: discarded, because a write failed$"):  # noqa: SIM117
        with sealed.open(str(tmp_path / "a"), "w") as file:
            file.write("text")
            monkeypatch.setattr(EncryptedWriter, "_fill", full)
            with pytest.raises(OSError, match="No space"):
                file.flush()
    assert not list(tmp_path.iterdir())
    monkeypatch.undo()
    with sealed.transaction:
        file = sealed.open(str(tmp_path / "a"), "w")
        file.close()
        with pytest.raises(ValueError, match="closed"):
            file.flush()
    assert sealed.cat_file(str(tmp_path / "a")) == b"", "it was complete"


@pytest.mark.parametrize("below", [LocalFileSystem, MemoryFileSystem])
def test_a_folder_is_removed_with_all_that_is_in_it(below, keyset, tmp_path):
    sealed = SealedFileSystem(below(), keyset)
    for name in ("a", "b/c"):
        sealed.makedirs(f"{tmp_path}/x/b", exist_ok=True)
        sealed.pipe_file(f"{tmp_path}/x/{name}", b"text")
    sealed.rm(f"{tmp_path}/x", recursive=True)
    assert not sealed.exists(f"{tmp_path}/x")
    for name in "ab":
        sealed.pipe_file(f"{tmp_path}/{name}", b"text")
    sealed.rm([f"{tmp_path}/a", f"runnel://{tmp_path}/b"])
    assert not sealed.exists(f"{tmp_path}/a") and not sealed.exists(f"{tmp_path}/b")


@pytest.fixture
def memory():
    """MemoryFileSystem has one memory for all."""
    yield MemoryFileSystem()
    MemoryFileSystem.store.clear()
    MemoryFileSystem.pseudo_dirs[:] = [""]


IGNORANT = {"memory": MemoryFileSystem, "folder": lambda: DirFileSystem("/", MemoryFileSystem())}


@pytest.mark.parametrize("keyset", ["cobblestone-128"], indirect=True)
@pytest.mark.parametrize("name", ["a", "[a]*", "é" * 100])
@pytest.mark.parametrize("below", IGNORANT.values(), ids=IGNORANT)
def test_a_system_that_ignores_autocommit_keeps_what_is_there(below, name, keyset, tmp_path, memory):
    """Its own file is there, and empty, as soon as it is opened."""
    sealed, name = SealedFileSystem(below(), keyset), f"{tmp_path}/{name}"
    sealed.makedirs(str(tmp_path), exist_ok=True)
    sealed.pipe_file(name, b"precious")

    def only(data):
        return (sealed.cat_file(name), len(sealed.ls(str(tmp_path)))) == (data, 1)

    with pytest.raises(ZeroDivisionError), sealed.open(name, "wb") as file:
        file.write(b"half")
        raise ZeroDivisionError
    assert only(b"precious")
    dropped = sealed.open(name, "wb")
    dropped.write(b"half")
    assert sealed.cat_file(name) == b"precious"
    del dropped
    assert only(b"precious")
    with pytest.raises(ZeroDivisionError), sealed.transaction:
        with sealed.open(name, "wb") as file:
            file.write(b"half")
        raise ZeroDivisionError
    assert only(b"precious")
    for end, data in (("discard", b"precious"), ("commit", b"later")):
        later = sealed.open(name, "wb", autocommit=False)
        later.write(b"later")
        later.close()
        assert sealed.cat_file(name) == b"precious"
        getattr(later, end)()
        assert only(data)
    with sealed.transaction, sealed.open(name, "wb") as file:
        file.write(b"new")
    assert only(b"new")


@pytest.mark.parametrize("keyset", ["cobblestone-128"], indirect=True)
def test_a_move_that_fails_leaves_the_old_file(keyset, memory, monkeypatch):
    sealed = SealedFileSystem(memory, keyset)
    sealed.pipe_file("/a", b"precious")

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(memory, "cp_file", full)
    with pytest.raises(OSError, match="No space"):
        sealed.pipe_file("/a", b"new")
    assert sealed.cat_file("/a") == b"precious" and list(memory.store) == ["/a"]
    memory.mkdir("/folder")
    with pytest.raises(IsADirectoryError):
        sealed.open("/folder", "wb")


@pytest.mark.parametrize("keyset", ["cobblestone-128"], indirect=True)
@pytest.mark.parametrize("bind_names", [False, True])
@pytest.mark.parametrize("below", [LocalFileSystem, MemoryFileSystem])
def test_a_move_onto_itself_loses_nothing(below, bind_names, keyset, tmp_path, memory):
    """However the place is spelled, and through links: the file is not written, and then removed as the old one."""
    options = {"bind_names": True, "root": str(tmp_path)} if bind_names else {}
    sealed = SealedFileSystem(below(), keyset, **options)
    a, protocol = f"{tmp_path}/d/a", "file://" if below is LocalFileSystem else "memory://"
    sealed.makedirs(f"{tmp_path}/d")
    sealed.pipe_file(a, b"text")
    for other in (a, f"runnel://{a}", f"{protocol}{a}", f"runnel://{protocol}{a}"):
        sealed.mv(a, other)
        sealed.mv(other, a)
        sealed.mv(f"{tmp_path}/d", f"{other.removesuffix('/a')}/", recursive=True)
        with pytest.raises(shutil.SameFileError):
            sealed.cp_file(a, other)
    with pytest.raises(ValueError, match="cannot be moved into itself"):
        sealed.mv(f"{tmp_path}/d", f"{protocol}{tmp_path}/d/e", recursive=True)
    if below is LocalFileSystem:
        for link in (os.symlink, os.link):
            link(a, f"{tmp_path}/link")
            with pytest.raises(shutil.SameFileError):
                sealed.mv(a, f"{tmp_path}/link")
            os.unlink(f"{tmp_path}/link")
    assert sealed.cat_file(a) == b"text"
    sealed.mv(a, f"{tmp_path}/d/ab")
    assert sealed.cat_file(f"{tmp_path}/d/ab") == b"text" and not sealed.exists(a)


@pytest.mark.parametrize("keyset", ["cobblestone-128"], indirect=True)
@pytest.mark.parametrize("module, name", [("s3fs.core", "S3FileSystem"), ("gcsfs.core", "GCSFileSystem")])
def test_a_store_that_holds_files_back_is_left_to_it(module, name, keyset, tmp_path):
    """A move would be a copy of everything."""
    store = type(name, (Elsewhere,), {"__module__": module, "mv": None, "cp_file": None})
    for system in (store, type("Mine", (store,), {})):
        sealed, place = SealedFileSystem(system(), keyset), tmp_path / "a"
        sealed.pipe_file(str(place), b"old")
        with pytest.raises(ZeroDivisionError), sealed.open(str(place), "wb") as file:
            file.write(b"half")
            assert os.listdir(tmp_path) == ["a"]
            raise ZeroDivisionError
        assert sealed.cat_file(str(place)) == b"old" and os.listdir(tmp_path) == ["a"]
        with pytest.raises(FileExistsError):
            sealed.open(str(place), "xb")
        with pytest.raises(FileExistsError), sealed.open(str(tmp_path / "b"), "xb") as file:
            file.write(b"late")
            (tmp_path / "b").write_bytes(b"came meanwhile")
        assert (tmp_path / "b").read_bytes() == b"came meanwhile" and sorted(os.listdir(tmp_path)) == ["a", "b"]
        (tmp_path / "b").unlink()


@pytest.mark.parametrize("keyset", ["cobblestone-128"], indirect=True)
@pytest.mark.parametrize("spelled", ["runnel://{}".format, os.fsencode], ids=["protocol", "bytes"])
@pytest.mark.parametrize("below", [LocalFileSystem, MemoryFileSystem])
def test_every_method_takes_a_path_with_its_protocol_and_as_bytes(below, spelled, keyset, tmp_path, memory):
    sealed, name = SealedFileSystem(below(), keyset), f"{tmp_path}/new/a.gz"
    folder, file, other = map(spelled, (f"{tmp_path}/new", name, f"{tmp_path}/new/b"))
    sealed.makedirs(folder)
    sealed.mkdir(spelled(f"{tmp_path}/new/empty"))
    sealed.rmdir(spelled(f"{tmp_path}/new/empty"))
    sealed.pipe_file(file, b"text")
    assert sealed.cat_file(file) == b"text" and sealed.size(file) == 4 and sealed.exists(file)
    assert sealed.info(file)["name"] == name and sealed.isfile(file) and sealed.isdir(folder)
    assert sealed.ls(folder, detail=False) == [name] and sealed.created(file) and sealed.modified(file)
    sealed.cp_file(file, other)
    sealed.rm_file(file)
    assert sealed.cat_file(other) == b"text" and not sealed.exists(file)
    with sealed.open(file, "w", compression="infer") as out:
        out.write("packed")
    with sealed.open(file, "r", compression="infer") as packed:
        assert packed.read() == "packed"
    sealed.rm([file, other])
    sealed.rm(folder, recursive=True)
    assert not sealed.exists(folder)


def test_errors_name_the_file(keyset):
    sealed = SealedFileSystem(MemoryFileSystem(), keyset)
    sealed._below.pipe_file("/folder/a", b"not sealed")
    with pytest.raises(runnel.AuthenticationError, match="^/folder/a: "):
        sealed.open("/folder/a")


def test_numpy_reads_and_writes(sealed, tmp_path):
    array = numpy.arange(100_000).reshape(100, 1000)
    with sealed.open(str(tmp_path / "a.npy"), "wb") as file:
        numpy.save(file, array)
    with sealed.open(str(tmp_path / "a.npy")) as file:
        assert (numpy.load(file) == array).all()
