# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Catalogs and commands that were killed, or that others write beside: all can be completed, and no older version passes."""

import os
import subprocess
import time
from dataclasses import replace
from unittest.mock import Mock

import pytest
from catalogs import FILES, base, generation, key, keyset, new_version, plain, sealed  # noqa: F401  # fixtures
from cli_program import PROGRAM, accepted, refused
from runnel_store import catalog, many, objects, readers
from runnel_store.catalog import NAME
from runnel_store.objects import Options
from runnel_store.readers import reader_of
from runnel_store.stores import ChangedError
from runnel_store.urls import parse
from store_objects import PART, content, keyset_with_another_first, remove, server, store, write  # noqa: F401  # fixtures


def held_up(server, name: str, *words: object) -> None:
    """Runs a command until it sends the object of this name, and kills it there."""
    came = []

    def stall(request):
        if request.method == "PUT" and request.path.endswith(name):
            came.append(request)
            return 60.0
        return None

    with server.failing(stall):
        process = subprocess.Popen([*PROGRAM, *map(str, words)])
        while not came:
            assert process.poll() is None
            time.sleep(0.01)
        process.kill()
        process.wait()


@pytest.mark.parametrize("where", ["out/b", NAME])
@pytest.mark.parametrize("verb", ["encrypt", "rotate"])
def test_a_killed_command_is_completed_by_the_same(verb, where, store, server, plain, keyset, key, tmp_path):
    out = f"{store}/out/"
    command = ["store", verb, "-k", key, "--threads", 1, "--part", "5M", "--catalog"]
    if verb == "rotate":
        accepted("store", "encrypt", "-k", key, "--part", "5M", "--catalog", plain, out)
        keyset_with_another_first(keyset).save(tmp_path / "both")
        command[3] = tmp_path / "both"
    command += [*([plain] if verb == "encrypt" else []), out]
    held_up(server, where, *command)
    refused("store", "verify", "-k", command[3], "--catalog", out, status=3)
    accepted(*command)
    accepted("store", "verify", "-k", command[3], "--catalog", out)
    accepted("store", "decrypt", "-k", command[3], "--catalog", out, tmp_path / "again")
    for name, data in FILES.items():
        assert (tmp_path / "again" / name).read_bytes() == data
    assert not [name for name in os.listdir(tmp_path / "state" / "runnel" / "store") if name.endswith(".plan")]


def test_a_killed_rotation_accepts_no_older_object(store, server, plain, keyset, key, tmp_path):
    """Only what it was about to make itself."""
    out = f"{store}/out/"
    accepted("store", "encrypt", "-k", key, "--part", "5M", "--catalog", plain, out)
    before = content(out + "a")
    new_version(tmp_path, plain, key, out)
    keyset_with_another_first(keyset).save(tmp_path / "both")
    command = ("store", "rotate", "-k", tmp_path / "both", "--threads", 1, "--part", "5M", "--catalog", out)
    held_up(server, NAME, *command)
    rotated = content(out + "a")
    write(out + "a", before)
    assert f"1 of 4 objects failed; the first: {out}a: not the version" in refused(*command, status=3)
    write(out + "a", rotated)
    accepted(*command)
    accepted("store", "verify", "-k", tmp_path / "both", "--catalog", out)


@pytest.mark.parametrize("ended", ["killed", "one failed"])
def test_a_resumed_rotation_accepts_no_version_that_was_replaced(ended, store, server, plain, keyset, key, tmp_path):
    """It was about to make one of an object that another command has replaced by now."""
    out = f"{store}/out/"
    accepted("store", "encrypt", "-k", key, "--part", "5M", "--catalog", plain, out)
    keyset_with_another_first(keyset).save(tmp_path / "both")
    command = ("store", "rotate", "-k", tmp_path / "both", "--threads", 1, "--part", "5M", "--catalog", out)
    if ended == "killed":
        held_up(server, NAME, *command)
    else:
        damaged = content(out + "b")
        write(out + "b", damaged[:-1])
        refused(*command, status=3)
        write(out + "b", damaged)
    rotated = content(out + "a")
    (tmp_path / "in" / "a").write_bytes(b"second of a")
    words = ("-k", tmp_path / "both", "--force", "--catalog", "--include", "a", plain, out)
    accepted("store", "encrypt", *words)
    newest = content(out + "a")
    write(out + "a", rotated)
    assert f"1 of 4 objects failed; the first: {out}a: not the version" in refused(*command, status=3)
    write(out + "a", newest)
    accepted(*command)
    accepted("store", "verify", "-k", tmp_path / "both", "--catalog", out)


@pytest.mark.parametrize("ended", ["killed", "one failed"])
def test_a_resumed_encryption_lists_no_version_that_was_replaced(ended, store, server, plain, key, tmp_path):
    """Its own result is as it was noted, but is not what the catalog lists by now."""
    out = f"{store}/out/"
    command = ("store", "encrypt", "-k", key, "--threads", 1, "--part", "5M", "--catalog", plain, out)
    if ended == "killed":
        accepted("store", "encrypt", "-k", key, "--catalog", "--include", "a", plain, out)
        remove(out + "a")
        held_up(server, NAME, *command)
    else:
        write(out + "b", b"something else")
        refused(*command)
        remove(out + "b")
    first = content(out + "a")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a").write_bytes(b"second of a")
    accepted("store", "encrypt", "-k", key, "--force", "--catalog", f"{tmp_path}/elsewhere/", out)
    write(out + "a", first)
    assert f"1 of 4 objects failed; the first: {out}a: already exists" in refused(*command)
    assert "1 of 4 objects failed" in refused("store", "verify", "-k", key, "--catalog", out, status=3)
    accepted(*command, "--force")
    accepted("store", "verify", "-k", key, "--catalog", out)


def test_an_upload_that_was_completed_long_ago_is_not_what_the_catalog_lists_by_now(
    store, plain, keyset, tmp_path, monkeypatch
):
    """Its command was killed when it had the object, another command replaced that, and the store put it back."""
    source, target = parse(f"{plain}long"), parse(f"{store}/long")
    options = Options(part_bytes=PART, state=str(tmp_path / "state"))
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("runnel_store.journal.Journal.remove", Mock(side_effect=KeyboardInterrupt))
        objects.encrypt(source, target, keyset, options)
    newest = objects.encrypt(source, parse(f"{store}/newest"), keyset, options).entry
    listed = replace(options, expected=frozenset({newest}))
    with pytest.raises(FileExistsError):
        objects.encrypt(source, target, keyset, listed)
    assert (
        objects.encrypt(source, target, keyset, options).entry
        == objects.open_expected(reader_of(target), keyset, options).entry
    )


def test_an_upload_that_was_begun_without_a_catalog_is_known_too(store, server, plain, keyset, key, tmp_path):
    """It keeps the header that it was begun with, which the rotation that takes it up has to note."""
    out = f"{store}/out/"
    accepted("store", "encrypt", "-k", key, "--part", "5M", "--catalog", plain, out)
    keyset_with_another_first(keyset).save(tmp_path / "both")
    rotate = ("store", "rotate", "-k", tmp_path / "both", "--threads", 1, "--part", "5M")
    held_up(server, "out/long", *rotate, "--include", "long", out)
    held_up(server, NAME, *rotate, "--catalog", out)
    accepted(*rotate, "--catalog", out)
    accepted("store", "verify", "-k", tmp_path / "both", "--catalog", out)


def test_a_decryption_continues_only_with_the_versions_of_the_catalog(sealed, plain, key, tmp_path, monkeypatch):
    """The previous run's result may be older than what the catalog lists, though the store says it is the same."""
    decrypt = ("store", "decrypt", "-k", key, "--catalog", sealed, f"{tmp_path}/again/")
    (tmp_path / "again" / "b").mkdir(parents=True)
    assert "1 of 4 objects failed" in refused(*decrypt)
    old = {each.name: each for each in readers.listing(parse(sealed))}
    new_version(tmp_path, plain, key, sealed)
    (tmp_path / "again" / "b").rmdir()
    whole = many.listing
    lies = lambda *words: (each._replace(etag=old[each.name].etag, size=old[each.name].size) if each.name == "a" else each for each in whole(*words))  # noqa: E731, E501  # fmt: skip
    monkeypatch.setattr(
        many, "listing", lambda place, *more: lies(place, *more) if place.text == sealed else whole(place, *more)
    )
    refused(*decrypt)
    accepted(*decrypt, "--force")
    assert (tmp_path / "again" / "a").read_bytes() == b"second of a"


def test_two_commands_at_once_are_both_listed(sealed, key, base, tmp_path, monkeypatch):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / name).write_bytes(b"text")
    real = catalog.write

    def other_first(*words):
        monkeypatch.setattr(catalog, "write", real)
        accepted("store", "encrypt", "-k", key, "--catalog", f"{tmp_path}/two/", sealed)
        real(*words)

    monkeypatch.setattr(catalog, "write", other_first)
    accepted("store", "encrypt", "-k", key, "--catalog", f"{tmp_path}/one/", sealed)
    assert generation(key, sealed) == 3
    accepted("store", "verify", "-k", key, "--catalog", sealed)


def test_others_who_never_stop(sealed, key, tmp_path, monkeypatch):
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "one").write_bytes(b"text")

    def changed(*words):
        raise ChangedError("changed")

    monkeypatch.setattr(catalog, "write", changed)
    line = refused("store", "encrypt", "-k", key, "--catalog", f"{tmp_path}/one/", sealed)
    assert "other commands keep changing it" in line
