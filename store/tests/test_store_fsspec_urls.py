# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sealed files by the URLs of fsspec, chained with those of other file systems, caches on disk above and below among them."""

import json
import os
import pickle
import random
from importlib.metadata import entry_points

import fsspec
import pytest
import runnel
from buffered_store import BufferedStore
from fsspec.implementations.local import LocalFileSystem
from runnel_store import fsspec as sealed_fsspec
from runnel_store.fsspec import KeyPlace, SealedFileSystem
from sealed_files import unseal

DATA = random.randbytes(3_000_007)
CACHES = ("simplecache", "filecache", "blockcache", "cached")
CHAINS = [f"runnel::{cache}" for cache in CACHES] + [f"{cache}::runnel" for cache in CACHES]


@pytest.fixture
def keyset(tmp_path):
    created = runnel.Keyset.generate("cobblestone-128")
    created.save(tmp_path / "key.json")
    return created


@pytest.fixture
def options(keyset, tmp_path):
    return {"runnel": {"key": str(tmp_path / "key.json")}}


@pytest.fixture(autouse=True)
def below():
    fsspec.register_implementation("buffered", BufferedStore, clobber=True)
    BufferedStore.emptied()
    yield BufferedStore()
    BufferedStore.emptied()


def test_the_protocol_is_registered():
    [found] = entry_points(group="fsspec.specs", name="runnel")
    assert found.load() is SealedFileSystem is fsspec.get_filesystem_class("runnel")
    assert "runnel" in fsspec.available_protocols()


def test_a_chained_url(keyset, options, below, tmp_path, monkeypatch):
    with fsspec.open("runnel::buffered://a/b", "wb", **options) as file:
        file.write(DATA)
    assert unseal(keyset, below.cat_file("/a/b")) == DATA
    monkeypatch.setenv("THE_KEY", (tmp_path / "key.json").read_text())
    for given in (
        options,
        options["runnel"],
        {"key_env": "THE_KEY"},
        {"keyset": keyset},
        {"runnel": {"keyset": keyset}},
    ):
        with fsspec.open("runnel::buffered://a/b", **given) as file:
            assert file.read() == DATA and file.size == len(DATA)
    place = KeyPlace(str(tmp_path / "key.json"))
    with pickle.loads(pickle.dumps(fsspec.open("runnel::buffered://a/b", keyset=place))) as file:
        assert file.read(9) == DATA[:9]
    monkeypatch.setitem(fsspec.config.conf, "runnel", {"key_env": "THE_KEY"})
    with fsspec.open("runnel::buffered://a/b") as file:
        assert file.read(9) == DATA[:9]


def test_several_files_and_other_forms(options, below, tmp_path):
    with fsspec.open(f"runnel::file://{tmp_path}/text.gz", "wt", compression="infer", **options) as file:
        file.write("text")
    with fsspec.open(f"runnel::{tmp_path}/text.gz", "rt", compression="infer", **options) as file:
        assert file.read() == "text"
    for number, opened in enumerate(fsspec.open_files("runnel::buffered://a/*.part", "wb", num=3, **options)):
        with opened as file:
            file.write(DATA[number:])
    for number, opened in enumerate(fsspec.open_files("runnel::buffered://a/*.part", **options)):
        with opened as file:
            assert file.read() == DATA[number:]
    system, path = fsspec.url_to_fs("runnel::buffered://a", bind_names=True, root="/a", **options["runnel"])
    system.pipe_file(f"{path}/bound", DATA)
    system = fsspec.filesystem("runnel", target_protocol="buffered", target_options={}, **options["runnel"])
    with pytest.raises(runnel.AuthenticationError):
        system.cat_file("/a/bound")
    mapper = fsspec.get_mapper("runnel::buffered://map", **options)
    mapper["x/y"] = b"value"
    assert dict(mapper) == {"x/y": b"value"} and below.cat_file("/map/x/y") != b"value"


@pytest.mark.parametrize("mode", ["xb", "xt"])
def test_an_exclusive_file(mode, options, below):
    text = b"first" if mode == "xb" else "first"
    with fsspec.open("runnel::buffered://a/b", mode, **options) as file:
        file.write(text)
    with pytest.raises(FileExistsError), fsspec.open("runnel::buffered://a/b", mode, **options) as file:
        file.write(text)
    system, path = fsspec.url_to_fs("runnel::buffered://a/b", **options)
    with pytest.raises(FileExistsError):
        system.pipe_file(path, b"other", mode="create")
    assert system.cat_file(path) == b"first" and len(system.ls("/a")) == 1


def storage(chain, tmp_path):
    """Return the option of the chain's cache, which would else be that of other tests too."""
    [cache] = set(chain.split("::")) - {"runnel"}
    return {cache: {"cache_storage": str(tmp_path / "cache")}}


@pytest.mark.parametrize("chain", CHAINS)
def test_every_cache_on_disk(chain, keyset, options, below, tmp_path):
    """Above it, with the plaintext, and below it, with what is sealed."""
    SealedFileSystem(below, keyset).pipe_file("/a/b", DATA)
    system, path = fsspec.url_to_fs(f"{chain}::buffered://a/b", **options, **storage(chain, tmp_path))
    for _ in range(3):
        with system.open(path) as file:
            assert file.read(10) == DATA[:10] and file.seek(-5, 2) == len(DATA) - 5 and file.read() == DATA[-5:]
            file.seek(1_000_000)
            assert file.read(100_000) == DATA[1_000_000:1_100_000]
            file.seek(0)
            assert file.read() == DATA
    assert system.info(path)["size"] == len(DATA) and [each["size"] for each in system.ls("/a")] == [len(DATA)]
    assert system.exists(path) and not system.exists("/a/c") and system.cat_file(path, 5, 9) == DATA[5:9]
    again = pickle.loads(pickle.dumps(system))
    assert again.cat_file(path, 5, 9) == DATA[5:9]
    BufferedStore.requests.clear()
    with system.open(path) as file:
        assert file.read() == DATA
    read = sum(end - start for _, start, end in below.requests)
    assert read < len(DATA) // 2, "the rest came from the disk"
    with system.open("/a/new", "wb") as file:
        file.write(b"new")
    with system.open("/a/new") as file:
        assert file.read() == b"new"
    assert unseal(keyset, below.cat_file("/a/new")) == b"new"


@pytest.mark.parametrize("chain", CHAINS)
def test_a_cache_on_disk_has_nothing_that_was_not_verified(chain, keyset, options, below, tmp_path):
    SealedFileSystem(below, keyset).pipe_file("/a/b", DATA)
    sealed = bytearray(below.cat_file("/a/b"))
    sealed[1_500_000] ^= 1
    below.pipe_file("/a/b", bytes(sealed))
    system, path = fsspec.url_to_fs(f"{chain}::buffered://a/b", **options, **storage(chain, tmp_path))
    for _ in range(2):
        with pytest.raises(runnel.AuthenticationError), system.open(path) as file:
            file.read()
    kept = [each.read_bytes() for each in (tmp_path / "cache").iterdir()]
    for start in range(1_500_000 - 2000, 1_500_000, 100):
        assert not any(DATA[start : start + 64] in each for each in kept)
    if chain in ("simplecache::runnel", "filecache::runnel"):
        assert not any(each[:64] == DATA[:64] for each in kept), "a part would be taken for the whole"
        with pytest.raises(runnel.AuthenticationError):
            system.cat(path)


def test_a_copy_to_this_machine_is_complete_or_absent(keyset, below, tmp_path):
    system = SealedFileSystem(below, keyset)
    system.pipe_file("/a/b", DATA)
    (tmp_path / "old").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "old")
    system.get_file("/a/b", str(tmp_path / "new" / "file"))
    assert (tmp_path / "new" / "file").read_bytes() == DATA
    system.get_file("/a/b", "/dev/null")
    assert not os.path.isfile("/dev/null")
    sealed = bytearray(below.cat_file("/a/b"))
    sealed[2_500_000] ^= 1
    below.pipe_file("/a/bad", bytes(sealed))
    for name in ("old", "link", "none"):
        with pytest.raises(runnel.AuthenticationError):
            system.get_file("/a/bad", tmp_path / name)
    assert (tmp_path / "old").read_bytes() == b"old" and sorted(os.listdir(tmp_path)) == [
        "key.json",
        "link",
        "new",
        "old",
    ]
    system.get_file("/a/b", tmp_path / "link")
    assert (tmp_path / "old").read_bytes() == DATA and (tmp_path / "link").is_symlink()
    below.rm_file("/a/bad")
    system.get("/a/", str(tmp_path / "all"), recursive=True)
    assert (tmp_path / "all" / "b").read_bytes() == DATA


def test_ranges(keyset, below):
    system = SealedFileSystem(below, keyset)
    system.pipe_file("/a", DATA)
    assert system.cat_ranges(["/a", "/a"], [0, 5], [3, 9]) == [DATA[:3], DATA[5:9]]
    below.pipe_file("/bad", b"bad")
    with pytest.raises(runnel.AuthenticationError):
        system.cat_ranges(["/a", "/bad"], 0, 3)
    whole, error = system.cat_ranges(["/a", "/bad"], 0, 3, on_error="return")
    assert whole == DATA[:3] and isinstance(error, runnel.AuthenticationError)


def test_as_json(options, below):
    """As kerchunk and dask keep them: with the key's place."""
    system, path = fsspec.url_to_fs("runnel::buffered://a/b", **options)
    system.pipe_file(path, DATA)
    text = system.to_json()
    assert json.loads(text)["cls"] == "runnel_store.fsspec:SealedFileSystem"
    again = fsspec.AbstractFileSystem.from_json(text)
    assert again == system and again.cat_file(path) == DATA


def test_what_is_missing_or_given_twice(keyset, options, below, tmp_path, monkeypatch):
    key = options["runnel"]["key"]
    for given, message in (
        ({"below": below}, "the keyset must be a runnel.Keyset or a KeyPlace, not NoneType"),
        ({"below": below, "keyset": keyset, "key": key}, "more than one is given of keyset, key and key_env"),
        ({"below": below, "key": key, "key_env": "X"}, "more than one is given of keyset, key and key_env"),
        ({"key": key}, "the file system of the sealed files is missing: below, or target_protocol"),
        ({"below": below, "fs": below, "key": key}, "more than one is given of below, fs and target_protocol"),
    ):
        with pytest.raises(TypeError, match=f"^{message}$"):
            SealedFileSystem(**given)
    assert SealedFileSystem(fs=below, key=key)._below is below
    with pytest.raises(FileNotFoundError):
        fsspec.open("runnel::buffered://a/b", key=str(tmp_path / "none"))
    with pytest.raises(runnel.KeysetError, match="NO_SUCH_KEY"):
        fsspec.open("runnel::buffered://a/b", key_env="NO_SUCH_KEY")
    monkeypatch.setattr(sealed_fsspec, "_Base", fsspec.AbstractFileSystem)
    with pytest.raises(ValueError, match=r"needs fsspec 2025\.10"):
        SealedFileSystem(fs=LocalFileSystem(), key=key, fo="a")
