# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Objects that are bound to their names: what stands under another's name is refused, by every verb and through fsspec."""

import copy
import os
import pickle
import random

import pytest
import runnel
from cli_program import accepted, output_of, refused
from fsspec.implementations.dirfs import DirFileSystem
from fsspec.implementations.local import LocalFileSystem
from fsspec.implementations.memory import MemoryFileSystem
from runnel.sealed.binding import bound
from runnel_store.fsspec import KeyPlace, SealedFileSystem
from sealed_files import ONE_OF_EACH, unseal
from store_objects import PART, content, keyfile, keyset_with_another_first, server, store, write  # noqa: F401  # fixtures

FILES = {"a": b"for Ann", "day=1/b": b"for Bob", "day=1/long": random.Random(2).randbytes(PART + 100_000)}


@pytest.fixture(params=ONE_OF_EACH)
def keyset(request):
    return runnel.Keyset.generate(request.param)


@pytest.fixture(params=["local", "in a store"])
def base(request, tmp_path):
    return request.getfixturevalue("store") if request.param == "in a store" else str(tmp_path)


@pytest.fixture
def plain(tmp_path):
    for name, data in FILES.items():
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_bytes(data)
    return f"{tmp_path}/in/"


def exchange(one: str, other: str) -> None:
    """Exchange objects, as a store can without a key."""
    first, second = content(one), content(other)
    write(one, second)
    write(other, first)


@pytest.fixture
def sealed(base, plain, keyset, tmp_path):
    (tmp_path / "out").mkdir()
    key = keyfile(keyset, tmp_path)
    accepted("store", "encrypt", "-k", key, "--part", "5M", "--aad", "x", "--bind-names", plain, f"{base}/out/")
    return f"{base}/out"


@pytest.fixture
def command(sealed, keyset, tmp_path):
    """Words of a command that follow its verb."""
    return ("-k", keyfile(keyset, tmp_path), "--aad", "x", "--bind-names")


def test_bound_objects_open_under_their_names(sealed, command, keyset, tmp_path, capfd):
    for name, data in FILES.items():
        assert unseal(keyset, content(f"{sealed}/{name}"), bound(b"x", name)) == data
    accepted("store", "verify", *command, f"{sealed}/")
    accepted("store", "decrypt", *command, f"{sealed}/", tmp_path / "again")
    for name, data in FILES.items():
        assert (tmp_path / "again" / name).read_bytes() == data
        assert output_of("store", "cat", *command, "--name", name, f"{sealed}/{name}") == data
    assert output_of("store", "cat", *command, f"{sealed}/a") == FILES["a"]
    accepted("store", "ls", *command, f"{sealed}/")
    assert [line.split()[2] for line in capfd.readouterr().out.splitlines()] == [str(keyset.primary.key_id)] * 3


def test_objects_that_were_exchanged_are_refused(sealed, command, tmp_path):
    exchange(f"{sealed}/a", f"{sealed}/day=1/b")
    for verb, more in (("verify", []), ("rotate", ["--force"]), ("decrypt", [tmp_path / "again"])):
        line = refused("store", verb, *command, f"{sealed}/", *more, status=3)
        assert f"2 of 3 objects failed; the first: {sealed}/" in line and "a name other than" in line
    assert sorted(os.listdir(tmp_path / "again")) == ["day=1"] and os.listdir(tmp_path / "again" / "day=1") == ["long"]
    for verb, more in (("verify", []), ("cat", []), ("rotate", ["--force"]), ("decrypt", [tmp_path / "one"])):
        line = refused("store", verb, *command, f"{sealed}/a", *more, status=3)
        assert line.startswith(f"{sealed}/a: ") and "a name other than 'a'" in line
    assert not (tmp_path / "one").exists()


def test_without_binding_they_are_taken_for_each_other(base, plain, keyset, tmp_path):
    """As docs/scale.md says: the key cannot tell."""
    (tmp_path / "out").mkdir()
    key = keyfile(keyset, tmp_path)
    accepted("store", "encrypt", "-k", key, plain, f"{base}/out/")
    exchange(f"{base}/out/a", f"{base}/out/day=1/b")
    accepted("store", "verify", "-k", key, f"{base}/out/")
    accepted("store", "decrypt", "-k", key, f"{base}/out/", tmp_path / "again")
    assert (tmp_path / "again" / "a").read_bytes() == FILES["day=1/b"]


def test_objects_that_are_not_bound_can_be_bound(base, plain, keyset, tmp_path):
    (tmp_path / "out").mkdir()
    key, out = keyfile(keyset, tmp_path), f"{base}/out/"
    accepted("store", "encrypt", "-k", key, "--part", "5M", plain, out)
    line = refused("store", "rotate", "-k", key, "--bind-names", out, status=3)
    assert "3 of 3" in line and "not bound to a name" in line
    assert "needs --bind-names" in refused("store", "rotate", "-k", key, "--accept-unbound", out, status=2)
    accepted("store", "rotate", "-k", key, "--part", "5M", "--bind-names", "--accept-unbound", out)
    before = {name: content(out + name) for name in FILES}
    for name, data in FILES.items():
        assert unseal(keyset, before[name], bound(b"", name)) == data
    accepted("store", "rotate", "-k", key, "--bind-names", "--accept-unbound", out)
    assert {name: content(out + name) for name in FILES} == before, "what is bound already stays"
    exchange(out + "a", out + "day=1/b")
    assert "2 of 3" in refused("store", "rotate", "-k", key, "--bind-names", "--accept-unbound", out, status=3)


def test_a_rotation_keeps_the_binding(sealed, command, keyset, tmp_path):
    both = keyset_with_another_first(keyset)
    both.save(tmp_path / "both")
    accepted("store", "rotate", "--part", "5M", "-k", tmp_path / "both", *command[2:], f"{sealed}/")
    new = runnel.Keyset(both.primary, (both.primary,))
    for name, data in FILES.items():
        assert unseal(new, content(f"{sealed}/{name}"), bound(b"x", name)) == data


@pytest.mark.parametrize("verb", ["encrypt", "decrypt"])
def test_a_single_object_is_bound_to_the_last_part_of_its_url(verb, base, keyset, tmp_path):
    key, where = keyfile(keyset, tmp_path), f"{base}/a.sealed"
    (tmp_path / "text").write_bytes(b"text")
    accepted("store", "encrypt", "-k", key, "--bind-names", tmp_path / "text", where)
    assert unseal(keyset, content(where), bound(b"", "a.sealed")) == b"text"
    accepted("store", "encrypt", "-k", key, "--force", "--name", "deep/a", tmp_path / "text", where)
    assert unseal(keyset, content(where), bound(b"", "deep/a")) == b"text"
    refused("store", "cat", "-k", key, "--bind-names", where, status=3)
    refused("store", "cat", "-k", key, where, status=3)
    assert "single objects" in refused("store", "verify", "-k", key, "--name", "a", f"{base}/", status=2)
    assert "empty name" in refused("store", "verify", "-k", key, "--name", "", where, status=2)


def test_a_bound_object_opens_as_a_file(sealed, command, keyset, tmp_path):
    """By name, and by the bytes that docs/file-formats.md gives for programs without that option."""
    (tmp_path / "file").write_bytes(content(f"{sealed}/day=1/b"))
    key = keyfile(keyset, tmp_path)
    assert output_of("decrypt", "-k", key, "--aad", "x", "--name", "day=1/b", tmp_path / "file", "-") == b"for Bob"
    (tmp_path / "aad").write_bytes(b"runnel name v1\0" + b"\0\0\0\0\0\0\0\x07" + b"day=1/b" + b"x")
    assert output_of("decrypt", "-k", key, "--aad", f"@{tmp_path}/aad", tmp_path / "file", "-") == b"for Bob"
    refused("decrypt", "-k", key, "--aad", "x", "--name", "a", tmp_path / "file", "-", status=3)
    accepted("encrypt", "-k", key, "--aad", "x", "--name", "a", key, tmp_path / "sealed")
    write(f"{sealed}/a", (tmp_path / "sealed").read_bytes())
    accepted("store", "verify", *command, f"{sealed}/")


def test_notes_of_an_unbound_run_are_none_of_a_bound_one(base, plain, keyset, tmp_path):
    (tmp_path / "out").mkdir()
    key, out = keyfile(keyset, tmp_path), f"{base}/out/"
    write(out + "a", b"somebody else's")
    words = ("store", "encrypt", "-k", key, "--state", tmp_path / "notes", plain, out)
    refused(*words)
    assert "--restart starts over" in refused(*words, "--bind-names")
    accepted(*words, "--bind-names", "--restart", "--force")
    accepted("store", "verify", "-k", key, "--bind-names", out)


def test_names_and_associated_data_are_told_apart():
    assert bound(b"", "a") == b"runnel name v1\0\0\0\0\0\0\0\0\x01a"
    assert bound(b"b", "a") != bound(b"", "ab")
    for name in ("", "\ud800"):
        with pytest.raises(ValueError, match="cannot bind to"):
            bound(b"", name)


def taken_apart(whole: bytes) -> tuple[bytes, bytes]:
    """(aad, name), as docs/file-formats.md says, by nothing of the package."""
    label, rest = whole[:15], whole[15:]
    assert label == b"runnel name v1\0"
    length = int.from_bytes(rest[:8], "big")
    assert len(rest) >= 8 + length
    return rest[8 + length :], rest[8 : 8 + length]


def any_name(chance: random.Random) -> str:
    """Return a name of any length and script, also with bytes that are not UTF-8, or the encoding's own label."""
    kinds = (
        lambda: "".join(
            chr(chance.choice((0, 47, 97, 233, 0x3B1, 0xFFFF, 0x10FFFF))) for _ in range(chance.randrange(9))
        ),
        lambda: os.fsdecode(chance.randbytes(chance.randrange(300))),
        lambda: chance.choice(("runnel name v1\0", "runnel name v1\0\0\0\0\0\0\0\0\x01a", "a", "a/b")),
    )
    return "".join(chance.choice(kinds)() for _ in range(chance.randrange(4))) or "a"


def test_the_encoding_can_be_taken_apart():
    """So that no two pairs of a name and associated data are taken for each other."""
    chance, seen = random.Random(5), {}
    for _ in range(20_000):
        name = any_name(chance)
        aad = chance.choice((b"", name.encode("utf-8", "surrogateescape"), chance.randbytes(chance.randrange(20))))
        whole = bound(aad, name)
        assert taken_apart(whole) == (aad, name.encode("utf-8", "surrogateescape"))
        assert seen.setdefault(whole, (aad, name)) == (aad, name)


# fsspec


def test_fsspec_and_the_command_line_bind_alike(plain, keyset, tmp_path):
    key, out = keyfile(keyset, tmp_path), tmp_path / "out"
    accepted("store", "encrypt", "-k", key, "--bind-names", plain, f"{out}/")
    for root in (str(out), f"{out}/", f"file://{out}", f"runnel://{out}"):
        system = SealedFileSystem(LocalFileSystem(), keyset, bind_names=True, root=root)
        for name, data in FILES.items():
            assert system.cat_file(f"{out}/{name}") == data and system.size(f"{out}/{name}") == len(data)
    inside = SealedFileSystem(DirFileSystem(str(out), LocalFileSystem()), keyset, bind_names=True, root="")
    assert inside.cat_file("day=1/b") == b"for Bob"
    (out / "new").mkdir()
    system.pipe_file(f"{out}/new/c", b"text")
    accepted("store", "verify", "-k", key, "--bind-names", f"{out}/")
    with pytest.raises(runnel.AuthenticationError):
        SealedFileSystem(LocalFileSystem(), keyset).cat_file(f"{out}/a")


def test_fsspec_refuses_files_that_were_exchanged(keyset):
    below = MemoryFileSystem()
    system = SealedFileSystem(below, keyset, bind_names=True, root="/root")
    system.pipe({"/root/a": b"for Ann", "/root/day/b": b"for Bob"})
    a, b = below.cat_file("/root/a"), below.cat_file("/root/day/b")
    below.pipe({"/root/a": b, "/root/day/b": a})
    for read in (system.cat_file, system.open, system.size, lambda path: system.copy(path, "/root/c")):
        with pytest.raises(runnel.AuthenticationError, match="^/root/a: "):
            read("/root/a")
    assert not below.exists("/root/c")
    below.rm("/root", recursive=True)


def test_fsspec_seals_anew_what_it_copies_or_moves(keyset):
    below = MemoryFileSystem()
    system = SealedFileSystem(below, keyset, b"x", bind_names=True, root="root")
    system.pipe({"/root/a": b"for Ann", "/root/day/b": b"for Bob"})
    system.copy("/root/a", "/root/c")
    system.mv("/root/a", "/root/d")
    system.mv("/root/day", "/root/night", recursive=True)
    assert system.cat(system.find("/root")) == {
        "/root/c": b"for Ann", "/root/d": b"for Ann", "/root/night/b": b"for Bob"
    }  # fmt: skip
    assert unseal(keyset, below.cat_file("/root/night/b"), bound(b"x", "night/b")) == b"for Bob"
    below.rm("/root", recursive=True)


@pytest.mark.parametrize(
    "path", ["/other/a", "/roots/a", "/root", "/root/", "/root/../a", "/root/x/../a", "/root//a", "/root/./a"]
)
def test_fsspec_refuses_names_that_are_not_below_the_root(path, keyset):
    system = SealedFileSystem(MemoryFileSystem(), keyset, bind_names=True, root="/root")
    for call in (system.cat_file, lambda path: system.pipe_file(path, b"")):
        with pytest.raises(ValueError, match="not the name of a file below root"):
            call(path)


def test_fsspec_binds_in_copies_and_in_other_processes_too(keyset, tmp_path):
    place = KeyPlace(str(keyfile(keyset, tmp_path)))
    system = SealedFileSystem(LocalFileSystem(), place, b"x", bind_names=True, root=str(tmp_path))
    for each_system in (system, copy.copy(system), copy.deepcopy(system), pickle.loads(pickle.dumps(system))):
        each_system.pipe_file(f"{tmp_path}/a", b"text")
        assert unseal(keyset, (tmp_path / "a").read_bytes(), bound(b"x", "a")) == b"text"


def test_fsspec_wants_a_root_with_names(keyset):
    with pytest.raises(ValueError, match="needs root"):
        SealedFileSystem(MemoryFileSystem(), keyset, bind_names=True)
    with pytest.raises(ValueError, match="no effect"):
        SealedFileSystem(MemoryFileSystem(), keyset, root="/root")
