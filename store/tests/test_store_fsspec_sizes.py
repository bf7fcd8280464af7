# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Listings of sealed files through fsspec tell what is in them: sizes of ends that were verified, each asked for once."""

import os
import pickle
import random

import pytest
import runnel
from buffered_store import BufferedStore
from fsspec.implementations.cached import SimpleCacheFileSystem
from fsspec.implementations.dirfs import DirFileSystem
from fsspec.implementations.local import LocalFileSystem
from runnel_store import fsspec_sizes
from runnel_store.fsspec import KeyPlace, SealedFileSystem
from sealed_files import ONE_OF_EACH

SIZES = {"/a/empty": 0, "/a/short": 1000, "/a/b/long": 3_000_007, "/a/b/c/edge": 1 << 16}


@pytest.fixture(params=ONE_OF_EACH)
def keyset(request):
    return runnel.Keyset.generate(request.param)


@pytest.fixture
def below():
    BufferedStore.emptied()
    yield BufferedStore()
    BufferedStore.emptied()


@pytest.fixture
def sealed(below, keyset):
    system = SealedFileSystem(below, keyset, b"aad")
    for name, size in SIZES.items():
        system.pipe_file(name, random.randbytes(size))
    below.requests.clear()
    return system


def sizes_of(entries):
    return {each["name"]: each["size"] for each in entries if each["type"] == "file"}


def test_every_call_tells_them(sealed, below):
    for name, size in SIZES.items():
        info = sealed.info(name)
        assert (info["size"], info["sealed_size"]) == (size, below.info(name)["size"])
        assert sealed.size(name) == size == sealed.du(name)
        with sealed.open(name) as file:
            assert file.details == info == file.info()
    assert sizes_of(sealed.ls("/a")) == {name: SIZES[name] for name in ("/a/empty", "/a/short")}
    for found in (sealed.find("/a", detail=True), sealed.glob("/a/**", detail=True)):
        assert sizes_of(found.values()) == SIZES
    walked = [entry for _, _, files in sealed.walk("/a", detail=True) for entry in files.values()]
    assert sizes_of(walked) == SIZES
    assert sealed.sizes(list(SIZES)) == list(SIZES.values())
    assert sealed.du("/a") == sum(SIZES.values()) and sealed.du("/a", total=False) == SIZES
    assert sealed.du("/a", total=False, withdirs=True) == {**SIZES, "/a": 0, "/a/b": 0, "/a/b/c": 0}
    assert sizes_of(DirFileSystem("/a", sealed).ls("", detail=True)) == {"empty": 0, "short": 1000}


def test_each_is_asked_for_once(sealed, below):
    """One request for a short file, two for a long one; none for the same listing again, or where names suffice."""
    for names in (sealed.ls("/a", detail=False), sealed.find("/a"), sealed.glob("/a/**"), list(sealed.walk("/a"))):
        assert names and not below.requests
    assert sealed.exists("/a/short") and sealed.isfile("/a/short") and sealed.isdir("/a/b") and not below.requests
    assert sealed.ukey("/a/short") == below.ukey("/a/short") and sealed.checksum("/a/short") == below.checksum(
        "/a/short"
    )
    assert not below.requests
    for _ in range(2):
        assert sizes_of(sealed.find("/a", detail=True).values()) == SIZES
        asked = [name for name, _, _ in below.requests]
        counts = {name: asked.count(name) for name in SIZES}
        assert counts == {"/a/empty": 1, "/a/short": 1, "/a/b/long": 2, "/a/b/c/edge": 2}
    for name, size in SIZES.items():
        assert sealed.info(name)["size"] == sealed.size(name) == size
    assert len(below.requests) == 6
    sealed.invalidate_cache()
    assert sealed.size("/a/short") == 1000 and len(below.requests) == 7


def test_a_file_that_changed_is_asked_again(sealed):
    assert sealed.size("/a/short") == 1000
    sealed.pipe_file("/a/short", b"longer" * 1000)
    assert sealed.size("/a/short") == 6000 == sealed.info("/a/short")["size"]
    assert sizes_of(sealed.ls("/a"))["/a/short"] == 6000


def test_they_can_be_turned_off(sealed, below, keyset):
    off = SealedFileSystem(below, keyset, b"aad", plaintext_sizes=False)
    for system in (off, off.__copy__()):
        assert system.ls("/a") == below.ls("/a") and system.info("/a/short") == below.info("/a/short")
        assert sizes_of(system.find("/a", detail=True).values()) == {name: below.info(name)["size"] for name in SIZES}
    assert (
        sealed.ls("/a", plaintext=False) == below.ls("/a") and sealed.info("/a/short", plaintext=False)["size"] > 1000
    )
    assert not below.requests
    assert off.info("/a/short", plaintext=True)["size"] == off.size("/a/short") == 1000
    assert sizes_of(off.ls("/a", plaintext=True)) == {"/a/empty": 0, "/a/short": 1000}
    below_says = below.ls("/a")
    sealed.ls("/a")
    assert below.ls("/a") == below_says, "entries of the system below are not changed"


def test_no_size_is_told_that_is_not_verified(sealed, below, keyset):
    """A listing with such files is still a listing; who asks for the one size gets the error."""
    whole = below.cat_file("/a/b/long")
    bad = {
        "cut": whole[:-1],
        "cut at a segment": whole[: -(len(whole) % 1000) - 100_000],
        "longer": whole + b"\0",
        "end": whole[:-1] + bytes([whole[-1] ^ 1]),
        "header": bytes([whole[0], whole[1] ^ 1]) + whole[2:],
        "foreign": b"not sealed" * 100,
        "empty": b"",
    }
    for name, data in bad.items():
        below.pipe_file(f"/bad/{name}", data)
    below.pipe_file("/bad/good", whole)
    entries = sizes_of(sealed.ls("/bad"))
    assert entries == {**{f"/bad/{name}": None for name in bad}, "/bad/good": 3_000_007}
    for name, data in bad.items():
        info = sealed.info(f"/bad/{name}")
        assert (info["size"], info["sealed_size"]) == (None, len(data)) and sealed.exists(f"/bad/{name}")
        for call in (
            sealed.size,
            lambda path: sealed.info(path, plaintext=True),
            sealed.du,
            lambda path: sealed.du("/bad"),
        ):
            with pytest.raises(runnel.AuthenticationError, match="^/bad/"):
                call(f"/bad/{name}")
    other = SealedFileSystem(below, runnel.Keyset.generate(), b"aad")
    assert set(sizes_of(other.ls("/a")).values()) == {None}
    assert set(sizes_of(SealedFileSystem(below, keyset, b"other").ls("/a")).values()) == {None}


def test_a_file_that_cannot_be_read_now_is_asked_again(sealed, below, monkeypatch):
    def failing(path, *_, **__):
        raise TimeoutError(path)

    with monkeypatch.context() as patch:
        patch.setattr(below, "cat_file", failing)
        assert sizes_of(sealed.ls("/a")) == {"/a/empty": None, "/a/short": None}
        with pytest.raises(TimeoutError):
            sealed.size("/a/short")
    assert sizes_of(sealed.ls("/a")) == {"/a/empty": 0, "/a/short": 1000}
    shorter = below.cat_file
    with monkeypatch.context() as patch:
        patch.setattr(below, "cat_file", lambda *given, **more: shorter(*given, **more)[:-1])
        assert sealed.ls("/a/b/c")[0]["size"] is None


def test_a_listing_that_tells_no_size(sealed, below, monkeypatch):
    """As of some servers of HTTP. The file is opened where one is asked for."""
    info = below.info
    monkeypatch.setattr(below, "info", lambda path, **more: {**info(path, **more), "size": None})
    assert sealed.info("/a/short")["size"] is None
    monkeypatch.setattr(below, "open", lambda path, *_, **__: below.store[path])
    below.store["/a/short"].seek(0)
    assert sealed.size("/a/short") == 1000


@pytest.mark.parametrize("remembered", [1, 3, 100])
def test_few_are_remembered_and_few_are_read_at_once(sealed, below, monkeypatch, remembered):
    monkeypatch.setattr(fsspec_sizes, "_REMEMBERED", remembered)
    monkeypatch.setattr(fsspec_sizes, "_AT_ONCE", 2)
    for _ in range(3):
        assert sizes_of(sealed.find("/a", detail=True).values()) == SIZES
        assert len(sealed._sizes._known) == min(remembered, len(SIZES))


def test_keys_of_several_formats(below):
    """Each end is looked for where the key's format has it."""
    keysets = [runnel.Keyset.generate(name) for name in ONE_OF_EACH]
    for number, keyset in enumerate(keysets):
        SealedFileSystem(below, keyset).pipe_file(f"/{number}", bytes(2_000_000 + number))
    every = runnel.Keyset(keysets[0].primary, tuple(key for keyset in keysets for key in keyset.keys))
    entries = sizes_of(SealedFileSystem(below, every).ls("/"))
    assert entries == {f"/{number}": 2_000_000 + number for number in range(len(keysets))}


def test_bound_names(below, keyset):
    system = SealedFileSystem(below, keyset, bind_names=True, root="/a")
    system.pipe_file("/a/one", b"1")
    below.cp_file("/a/one", "/a/moved")
    below.cp_file("/a/one", "/outside")
    assert sizes_of(system.find("/", detail=True).values()) == {"/a/one": 1, "/a/moved": None, "/outside": None}


def test_a_cache_below_is_not_filled_by_a_listing(sealed, below, keyset, tmp_path):
    cached = SimpleCacheFileSystem(fs=below, cache_storage=str(tmp_path), skip_instance_cache=True)
    system = SealedFileSystem(cached, keyset, b"aad")
    assert sizes_of(system.ls("/a")) == {"/a/empty": 0, "/a/short": 1000} and not list(tmp_path.iterdir())
    assert len(system.cat_file("/a/short")) == 1000 and len(list(tmp_path.iterdir())) == 1


def test_what_is_no_file_has_no_plaintext(keyset, tmp_path):
    (tmp_path / "folder").mkdir()
    system = SealedFileSystem(LocalFileSystem(), keyset)
    system.pipe_file(f"{tmp_path}/a", b"text")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "to pipe").symlink_to(tmp_path / "pipe")
    sizes = {each["name"].rpartition("/")[2]: each["size"] for each in system.ls(str(tmp_path))}
    assert (sizes["a"], sizes["link"]) == (4, 4) and system.info(f"{tmp_path}/folder")["type"] == "directory"
    assert "sealed_size" not in system.info(f"{tmp_path}/folder", plaintext=True)


def test_a_copy_in_another_process_has_the_setting(keyset, tmp_path):
    keyset.save(tmp_path / "key.json")
    for setting in (True, False):
        system = SealedFileSystem(LocalFileSystem(), KeyPlace(str(tmp_path / "key.json")), plaintext_sizes=setting)
        system.pipe_file(f"{tmp_path}/a", b"text")
        again = pickle.loads(pickle.dumps(system))
        assert (again.info(f"{tmp_path}/a")["size"] == 4) is setting
