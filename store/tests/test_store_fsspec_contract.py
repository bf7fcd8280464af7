# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sealed files keep the contract of fsspec: its own tests of file systems, its caches of every kind and the file systems
that wrap another one take them."""

import importlib
import io
import json
import os
import pickle
import random
import zipfile

import fsspec
import fsspec.generic
import pytest
import runnel
from fsspec.caching import caches
from fsspec.implementations.asyn_wrapper import AsyncFileSystemWrapper
from fsspec.implementations.dirfs import DirFileSystem
from fsspec.implementations.local import LocalFileSystem
from fsspec.implementations.memory import MemoryFileSystem
from fsspec.spec import AbstractBufferedFile
from fsspec.tests import abstract
from runnel_store.fsspec import KeyPlace, SealedFileSystem
from sealed_files import ONE_OF_EACH, unseal

DATA = random.randbytes(300_007)
LINES = [b"line %d\n" % number for number in range(2_000)] + [b"x" * 9_000 + b"\n", b"\n", b"the last, without an end"]


class _Sealed(abstract.AbstractFixtures):
    """fsspec's own tests, of sealed files."""

    @pytest.fixture
    def fs_join(self):
        return lambda *names: "/".join(names)


class _Local(_Sealed):
    @pytest.fixture
    def fs(self):
        return SealedFileSystem(LocalFileSystem(auto_mkdir=True), runnel.Keyset.generate())

    @pytest.fixture
    def fs_path(self, tmpdir):
        return str(tmpdir)


class _Memory(_Sealed):
    @pytest.fixture
    def fs(self):
        below = MemoryFileSystem()
        below.store.clear()
        below.pseudo_dirs[:] = [""]
        yield SealedFileSystem(below, runnel.Keyset.generate())
        below.store.clear()
        below.pseudo_dirs[:] = [""]

    @pytest.fixture
    def fs_path(self):
        return ""


class TestLocalCopy(abstract.AbstractCopyTests, _Local):
    pass


class TestLocalGet(abstract.AbstractGetTests, _Local):
    pass


class TestLocalPut(abstract.AbstractPutTests, _Local):
    pass


class TestLocalOpen(abstract.AbstractOpenTests, _Local):
    pass


class TestLocalPipe(abstract.AbstractPipeTests, _Local):
    pass


class TestMemoryCopy(abstract.AbstractCopyTests, _Memory):
    pass


class TestMemoryGet(abstract.AbstractGetTests, _Memory):
    pass


class TestMemoryPut(abstract.AbstractPutTests, _Memory):
    pass


class TestMemoryOpen(abstract.AbstractOpenTests, _Memory):
    pass


class TestMemoryPipe(abstract.AbstractPipeTests, _Memory):
    pass


# The file that is read


@pytest.fixture(params=ONE_OF_EACH)
def keyset(request):
    return runnel.Keyset.generate(request.param)


@pytest.fixture
def sealed(keyset, tmp_path):
    """Sealed files, with DATA in `data` and LINES in `lines` of the current folder."""
    system = SealedFileSystem(LocalFileSystem(), keyset, b"aad")
    system.pipe_file(str(tmp_path / "data"), DATA)
    system.pipe_file(str(tmp_path / "lines"), b"".join(LINES))
    return system


def check_reads(file):
    """Any reads at any places have the bytes of DATA."""
    assert file.read() == DATA and file.read() == b"" == file.read(5)
    for _ in range(60):
        start = random.choice((random.randrange(len(DATA)), 0, len(DATA) - 3, len(DATA), len(DATA) + 9))
        count = random.choice((0, 1, 1000, 70_000, -1))
        assert file.seek(start) == start == file.tell()
        assert file.read(count) == (DATA[start:] if count < 0 else DATA[start : start + count])
        assert file.tell() == max(start, min(len(DATA), start + count if count >= 0 else len(DATA)))
    assert file.seek(-9, os.SEEK_END) == len(DATA) - 9 and file.read() == DATA[-9:]
    room = bytearray(1000)
    file.seek(77)
    assert file.readinto(room) == 1000 and room == DATA[77:1077]


@pytest.mark.parametrize("block_size", [None, "default", 1000, 1 << 16, 1 << 22])
@pytest.mark.parametrize("cache_type", [name for name in caches if name != "parts"], ids=str)
def test_every_cache(sealed, tmp_path, cache_type, block_size):
    with sealed.open(str(tmp_path / "data"), "rb", block_size=block_size, cache_type=cache_type) as file:
        check_reads(file)
        assert file.cache.name == (cache_type or "none")


def test_a_cache_of_known_parts(sealed, tmp_path):
    """The cache reads nothing else."""
    options = {"data": {(0, 100): b"known" * 20}}
    with sealed.open(str(tmp_path / "data"), cache_type="parts", cache_options=options) as file:
        assert file.read(10) == b"knownknown"
        file.seek(1000)
        with pytest.raises(ValueError):
            file.read(10)


def test_what_a_file_tells_of_itself(sealed, tmp_path):
    name = str(tmp_path / "data")
    file = sealed.open(name, block_size=1 << 16, cache_type="bytes")
    assert isinstance(file, AbstractBufferedFile) and isinstance(file, io.IOBase)
    assert (file.fs, file.path, file.mode, file.blocksize) == (sealed, name, "rb", 1 << 16)
    assert file.size == len(DATA) == file.details["size"] == file.info()["size"]
    assert file.info()["name"] == name and file.info()["type"] == "file"
    assert file.full_name == f"runnel://{name}" and file.kwargs == {} and file.autocommit
    assert (file.readable(), file.seekable(), file.writable(), file.closed) == (True, True, False, False)
    assert file.loc == 0 and file.read(10) and file.loc == 10 == file.tell()
    assert file._fetch_range(5, 9) == DATA[5:9] and file._fetch_range(len(DATA) - 1, len(DATA) + 9) == DATA[-1:]
    assert file == sealed.open(name) and file != sealed.open(str(tmp_path / "lines")) and "data" in repr(file)
    with pytest.raises(ValueError, match="before start"):
        file.seek(-1)
    file.close()
    file.close()
    assert file.closed
    for call in (file.read, file.readline, file.readlines, lambda: file.readinto(bytearray(1)), file.__enter__().read):
        with pytest.raises(ValueError, match="closed"):
            call()


def test_what_a_file_that_is_written_tells_of_itself(sealed, tmp_path):
    name = str(tmp_path / "new")
    with sealed.open(name, "wb", block_size=1 << 16) as file:
        assert (file.fs, file.path, file.mode, file.blocksize) == (sealed, name, "wb", 1 << 16)
        assert file.full_name == f"runnel://{name}" and file.kwargs == {} and file.autocommit
        assert (file.readable(), file.seekable(), file.writable(), file.closed) == (False, False, True, False)
        assert file.write(b"12345") == 5 == file.loc == file.tell()
        with pytest.raises(ValueError, match="being written"):
            file.info()
    assert sealed.cat_file(name) == b"12345"


def test_lines(sealed, tmp_path):
    name = str(tmp_path / "lines")
    with sealed.open(name) as file:
        assert list(file) == LINES and file.readline() == b"" and file.readlines() == []
    with sealed.open(name) as file:
        assert file.readlines() == LINES
    with sealed.open(name) as file:
        assert file.readline(3) == LINES[0][:3] and file.readline() == LINES[0][3:] and file.readline(0) == b""
        assert file.readuntil(b"2") == b"line 1\nline 2" and file.tell() == 7 + 7 + 6
        assert file.readlines(20) == [b"\n", *LINES[3:6]]
    with sealed.open(name, "rt", newline="\n") as file:
        assert list(file) == [line.decode() for line in LINES]
    with io.BufferedReader(sealed.open(name)) as file:
        assert list(file) == LINES
    with sealed.open(name, cache_type="none", block_size=7) as file:
        whole = b"".join(LINES)
        for _ in range(300):  # in any order with other reads
            at, count = file.tell(), random.choice((-1, 0, 1, 5, 9_002))
            wanted = whole[at : whole.find(b"\n", at) + 1 or None]
            assert file.readline(count) == (wanted if count < 0 else wanted[:count])
            if random.random() < 0.3:
                assert file.read(3) == whole[file.tell() - 3 : file.tell()] or file.tell() == len(whole)
            if random.random() < 0.2:
                file.seek(random.randrange(len(whole) + 2))
    for offset in (0, 1, 1000):
        block = sealed.read_block(name, offset, 5000, delimiter=b"\n")
        assert block and block in b"".join(LINES) and block.endswith(b"\n")
    whole = b"".join(sealed.read_block(name, at, 7000, delimiter=b"\n") for at in range(0, sealed.size(name), 7000))
    assert whole == b"".join(LINES)


def test_a_copy_is_another_reader(keyset, tmp_path):
    """As dask sends files to its workers. The copy has a place of its own, and reads the key for itself."""
    keyset.save(tmp_path / "key.json")
    system = SealedFileSystem(LocalFileSystem(), KeyPlace(str(tmp_path / "key.json")))
    system.pipe_file(str(tmp_path / "data"), DATA)
    with system.open(str(tmp_path / "data"), block_size=5000, cache_type="readahead") as file:
        file.seek(100)
        with pickle.loads(pickle.dumps(file)) as again:
            assert again.tell() == 100 and again.blocksize == 5000 and again.cache.name == "readahead"
            assert again.read(50) == DATA[100:150] and file.tell() == 100
    with fsspec.core.OpenFile(system, str(tmp_path / "data")) as file:
        check_reads(file)
    with pickle.loads(pickle.dumps(fsspec.core.OpenFile(system, str(tmp_path / "data")))) as file:
        check_reads(file)


def test_what_does_not_open_leaves_no_file_open(sealed, tmp_path, monkeypatch):
    opened = []
    true = LocalFileSystem.open
    monkeypatch.setattr(
        LocalFileSystem, "open", lambda *given, **more: opened.append(true(*given, **more)) or opened[-1]
    )
    with pytest.raises(KeyError):
        sealed.open(str(tmp_path / "data"), cache_type="no such cache")
    with pytest.raises(runnel.AuthenticationError):
        SealedFileSystem(LocalFileSystem(), runnel.Keyset.generate()).open(str(tmp_path / "data"))
    with sealed.open(str(tmp_path / "data")) as file:
        file.read(1)
    assert len(opened) == 3 and all(each.closed for each in opened)


def test_what_is_damaged_is_not_released(keyset, tmp_path):
    name = str(tmp_path / "data")
    system = SealedFileSystem(LocalFileSystem(), keyset)
    system.pipe_file(name, DATA)
    text = bytearray((tmp_path / "data").read_bytes())
    text[len(text) // 2] ^= 1
    (tmp_path / "data").write_bytes(text)
    for cache_type in caches:
        if cache_type != "parts":
            with pytest.raises(runnel.AuthenticationError), system.open(name, cache_type=cache_type) as file:
                file.read()


@pytest.mark.parametrize("cache_type", [name for name in caches if name not in ("parts", "all")], ids=str)
def test_after_an_error_no_cache_invents_bytes(cache_type, keyset, tmp_path):
    """Whatever is read again is as it was, or fails again: fsspec's mmap cache would have zeros there."""
    name = str(tmp_path / "data")
    system = SealedFileSystem(LocalFileSystem(), keyset)
    system.pipe_file(name, DATA)
    text = bytearray((tmp_path / "data").read_bytes())
    text[len(text) // 3] ^= 1
    (tmp_path / "data").write_bytes(text)
    failed = 0
    with system.open(name, block_size=10_000, cache_type=cache_type) as file:
        for _ in range(100):
            start = random.randrange(len(DATA))
            try:
                file.seek(start)
                assert file.read(30_000) == DATA[start : start + 30_000]
            except runnel.AuthenticationError:
                failed += 1
        assert failed
        for _ in range(3):
            file.seek(len(DATA) // 3 - 2000)
            with pytest.raises(runnel.AuthenticationError):
                file.read(4000)


# File systems over it


@pytest.mark.parametrize("protocol", ["blockcache", "filecache", "simplecache"])
@pytest.mark.parametrize("block_size", [None, 1 << 12])
def test_caches_on_disk(sealed, tmp_path, protocol, block_size):
    def opened():
        cached = fsspec.filesystem(protocol, fs=sealed, cache_storage=str(tmp_path / "cache"), skip_instance_cache=True)
        return cached.open(str(tmp_path / "data"), block_size=block_size)

    with opened() as file:
        file.seek(9_000)
        assert file.read(9) == DATA[9_000:9_009]
    for _ in range(2):
        with opened() as file:
            check_reads(file)
    (tmp_path / "data").unlink()
    if protocol != "blockcache":
        with opened() as file:
            check_reads(file)


def test_a_cache_on_disk_passes_on_what_is_written(sealed, tmp_path):
    for protocol in ("blockcache", "filecache", "simplecache"):
        cached = fsspec.filesystem(protocol, fs=sealed, cache_storage=str(tmp_path / "cache"), skip_instance_cache=True)
        with cached.open(str(tmp_path / protocol), "wb") as file:
            file.write(DATA)
        assert sealed.cat_file(str(tmp_path / protocol)) == DATA


def test_file_systems_that_wrap_it(sealed, keyset, tmp_path):
    inside = DirFileSystem(str(tmp_path), sealed)
    with inside.open("data") as file:
        check_reads(file)
    assert inside.cat_file("data", 5, 9) == DATA[5:9]
    awaited = AsyncFileSystemWrapper(sealed, asynchronous=False)
    assert awaited.cat_file(str(tmp_path / "data"), 5, 9) == DATA[5:9]
    sealed.get_file(str(tmp_path / "data"), str(tmp_path / "plain"))
    assert (tmp_path / "plain").read_bytes() == DATA
    sealed.put_file(str(tmp_path / "plain"), str(tmp_path / "again"))
    assert unseal(keyset, (tmp_path / "again").read_bytes(), b"aad") == DATA
    places = [str(tmp_path / "data")] * 3
    assert sealed.cat_ranges(places, [0, 5, -4], [3, 9, None]) == [DATA[:3], DATA[5:9], DATA[-4:]]
    assert sealed.head(places[0], 7) == DATA[:7] and sealed.tail(places[0], 7) == DATA[-7:]


def test_by_its_protocol(keyset, tmp_path, monkeypatch):
    """fsspec.open_files, and the generic file system, which copies from one file system to another."""
    monkeypatch.setitem(importlib.import_module("fsspec.registry")._registry, "runnel", SealedFileSystem)
    monkeypatch.setattr(fsspec.generic, "_generic_fs", {})
    options = {"below": LocalFileSystem(), "keyset": keyset}
    names = [f"runnel://{tmp_path}/{number}" for number in range(3)]
    for number, file in enumerate(fsspec.open_files(names, "wb", **options)):
        with file as opened:
            opened.write(DATA[number:])
    for number, file in enumerate(fsspec.open_files(f"runnel://{tmp_path}/*", **options)):
        with file as opened:
            assert opened.read() == DATA[number:]
    fsspec.generic.set_generic_fs("runnel", **options)
    fsspec.generic.set_generic_fs("file")
    generic = fsspec.generic.GenericFileSystem(default_method="generic", skip_instance_cache=True)
    generic.cp_file(names[0], f"file://{tmp_path}/plain")
    assert (tmp_path / "plain").read_bytes() == DATA
    generic.cp_file(f"file://{tmp_path}/plain", f"runnel://{tmp_path}/sealed")
    assert unseal(keyset, (tmp_path / "sealed").read_bytes()) == DATA


@pytest.mark.parametrize("kind", [LocalFileSystem, MemoryFileSystem])
def test_an_exclusive_file_replaces_none(keyset, tmp_path, kind):
    system, name = SealedFileSystem(kind(), keyset), str(tmp_path / "new")
    with system.open(name, "xb") as file:
        file.write(b"first")
    with pytest.raises(FileExistsError):
        system.open(name, "xb")
    other = str(tmp_path / "other")
    with pytest.raises(FileExistsError), system.open(other, "xt") as file:
        file.write("late")
        system.pipe_file(other, b"came meanwhile")
    assert (system.cat_file(name), system.cat_file(other)) == (b"first", b"came meanwhile")
    assert sorted(os.path.basename(each) for each in system.ls(str(tmp_path), detail=False)) == ["new", "other"]
    system.rm([name, other])


def test_what_the_system_below_remembers_can_be_forgotten(keyset, monkeypatch):
    forgotten = []
    below = MemoryFileSystem()
    monkeypatch.setattr(below, "invalidate_cache", forgotten.append, raising=False)
    system = SealedFileSystem(below, keyset)
    system.invalidate_cache("runnel:///a/b")
    system.invalidate_cache()
    assert forgotten == ["/a/b", None]


def test_other_modes_are_refused(sealed, tmp_path):
    for mode in ("ab", "r+b", "w+b"):
        with pytest.raises(ValueError, match="is opened as 'rb', 'wb' or 'xb'"):
            sealed.open(str(tmp_path / "data"), mode)


def test_others_read_it(sealed, tmp_path):
    with sealed.open(str(tmp_path / "zip"), "wb") as file, zipfile.ZipFile(file, "w") as packed:
        packed.writestr("data", DATA)
    with sealed.open(str(tmp_path / "zip")) as file, zipfile.ZipFile(file) as packed:
        assert packed.read("data") == DATA
    with sealed.open(str(tmp_path / "j.gz"), "wt", compression="infer") as file:
        json.dump(list(range(9999)), file)
    with sealed.open(str(tmp_path / "j.gz"), "rt", compression="infer") as file:
        assert json.load(file) == list(range(9999))


def test_neither_key_nor_keyset_goes_into_json(keyset):
    system = SealedFileSystem(LocalFileSystem(), keyset)
    with pytest.raises(TypeError) as caught:
        system.to_json()
    assert keyset.primary.secret.hex() not in str(caught.value)
