# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Notes of objects that are done, for the command that continues a prefix."""

import json
import os

import pytest
import runnel
from cli_program import accepted, refused
from runnel_store import many, readers
from runnel_store.urls import parse
from sealed_files import unseal
from store_objects import content, keyfile, keyset, keyset_with_another_first, names, put, remove, server, store, write  # noqa: F401  # fixtures


def test_what_was_done_is_done_again_where_it_is_gone(store, keyset, tmp_path):
    key = keyfile(keyset, tmp_path)
    runnel.Keyset.generate("cobblestone-128").save(tmp_path / "other")
    for name in ("in/a", "in/b", "out/b"):
        put(f"{store}/{name}", b"x")
    ends = (f"{store}/in/", f"{store}/out/")
    refused("store", "encrypt", "-k", key, *ends, status=1)
    assert names(f"{store}/out/") == ["a", "b"]
    for name in ("a", "b"):
        remove(f"{store}/out/{name}")
    assert "another key" in refused("store", "encrypt", "-k", tmp_path / "other", *ends, status=1)
    accepted("store", "encrypt", "-k", key, *ends)
    assert [unseal(keyset, content(f"{store}/out/{name}")) for name in ("a", "b")] == [b"x", b"x"]


def test_what_was_done_is_done_again_where_its_source_has_changed(store, keyset, tmp_path):
    key = keyfile(keyset, tmp_path)
    for name, data in {"in/a": b"x", "in/b": b"x", "out/b": b"precious"}.items():
        put(f"{store}/{name}", data)
    ends = (f"{store}/in/", f"{store}/out/")
    refused("store", "encrypt", "-k", key, *ends, status=1)
    put(f"{store}/in/a", b"changed")
    accepted("store", "encrypt", "-k", key, "--force", *ends)
    assert [unseal(keyset, content(f"{store}/out/{name}")) for name in ("a", "b")] == [b"changed", b"x"]


@pytest.fixture(params=["local", "in a store"])
def half_done(request, tmp_path, keyset):
    """Run a command without its key, which has encrypted one of two objects: somebody else's has the other's name."""
    base = request.getfixturevalue("store") if request.param == "in a store" else str(tmp_path)
    for name in ("in", "out"):
        (tmp_path / name).mkdir()
    for name, data in {"in/a": b"x", "in/b": b"y", "out/b": b"precious"}.items():
        write(f"{base}/{name}", data)
    command = ("store", "encrypt", "--state", tmp_path / "state", f"{base}/in/", f"{base}/out/")
    assert "1 of 2 objects failed" in refused(*command, "-k", keyfile(keyset, tmp_path))
    return command, f"{base}/out"


def test_what_was_done_and_then_replaced_is_not_taken_for_done(half_done, keyset, tmp_path):
    command, out = half_done
    key = keyfile(keyset, tmp_path)
    write(f"{out}/a", b"not ours")
    message = refused(*command, "-k", key)
    assert message.startswith("2 of 2 objects failed; ") and "already exists" in message
    assert content(f"{out}/a") == b"not ours"
    accepted(*command, "-k", key, "--force")
    assert [unseal(keyset, content(f"{out}/{name}")) for name in ("a", "b")] == [b"x", b"y"]


def test_what_was_done_is_known_again(half_done, keyset, tmp_path):
    """By what its listing says, without a look into it."""
    command, out = half_done
    before = content(f"{out}/a")
    accepted(*command, "-k", keyfile(keyset, tmp_path), "--force", "--manifest", tmp_path / "m")
    status = {
        line.get("name"): line.get("status") for line in map(json.loads, (tmp_path / "m").read_text().splitlines())
    }
    assert (status["a"], status["b"]) == ("skipped", "done") and content(f"{out}/a") == before
    assert not os.listdir(tmp_path / "state")


def test_what_another_key_has_sealed_is_not_done(half_done, keyset, tmp_path):
    """However often the command is given again: who has a new key wants it used."""
    command, out = half_done
    accepted(*command, "-k", keyfile(keyset, tmp_path), "--force")
    before = content(f"{out}/a")
    keyset_with_another_first(keyset).save(tmp_path / "both")
    for _ in range(2):
        message = refused(*command, "-k", tmp_path / "both")
        assert message.startswith("2 of 2 objects failed; ") and "already exists" in message
    assert content(f"{out}/a") == before


def test_a_part_of_a_work_leaves_the_notes_of_the_rest(half_done, keyset, tmp_path):
    command, out = half_done
    key, manifest = keyfile(keyset, tmp_path), tmp_path / "m"
    remove(f"{out}/b")
    accepted(*command, "-k", key, "--include", "b")
    accepted(*command, "-k", key, "--manifest", manifest)
    assert json.loads(manifest.read_text().splitlines()[-1])["counts"]["skipped"] == 2
    assert not os.listdir(tmp_path / "state")


def test_no_notes_stay_of_a_part_that_is_done(half_done, keyset, tmp_path):
    command, _ = half_done
    accepted(*command, "-k", keyfile(keyset, tmp_path), "--force", "--exclude", "c")
    assert not os.listdir(tmp_path / "state")


def test_notes_that_somebody_changed_are_refused(half_done, keyset, tmp_path):
    command, out = half_done
    key = keyfile(keyset, tmp_path)
    (plan,) = (tmp_path / "state").iterdir()
    first, line = map(json.loads, plan.read_text().splitlines())
    for changed in (
        [first, line | {"done": "b"}],
        [first, line, line | {"made": "other"}],
        [first, line, {**line, "check": "no digits"}],
        [first | {"begun": "00"}, line],
        [first | {"source": "/elsewhere"}],
        [first | {"check": None}],
    ):
        plan.write_text("".join(json.dumps(each) + "\n" for each in changed))
        assert refused(*command, "-k", key, "--force").endswith("was changed; --restart starts over"), changed
    assert content(f"{out}/b") == b"precious"
    accepted(*command, "-k", key, "--force", "--restart")


def test_notes_of_another_work_are_refused(half_done, keyset, tmp_path):
    """Of the same objects at another time, or of others: under one key."""
    command, _ = half_done
    key = keyfile(keyset, tmp_path)
    (plan,) = (tmp_path / "state").iterdir()
    earlier = plan.read_text().splitlines()
    refused(*command, "-k", key, "--restart")
    begun, *_ = plan.read_text().splitlines()
    plan.write_text(f"{begun}\n{earlier[1]}\n")
    assert refused(*command, "-k", key, "--force").endswith("was changed; --restart starts over")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "b").write_bytes(b"precious")
    other = (*command[:-1], f"{tmp_path}/elsewhere/")
    refused(*other, "-k", key)
    (theirs,) = set((tmp_path / "state").iterdir()) - {plan}
    theirs.write_text("".join(f"{line}\n" for line in earlier))
    assert refused(*other, "-k", key, "--force").endswith("was changed; --restart starts over")
    assert (tmp_path / "elsewhere" / "b").read_bytes() == b"precious"


def test_a_decryption_is_not_taken_up_with_another_key(keyset, tmp_path):
    """With one keyset that has the key as with another: the primary one is not what it is opened with."""
    key, other, both = keyfile(keyset, tmp_path), tmp_path / "other", tmp_path / "both"
    new = runnel.Keyset.generate("cobblestone-128")
    new.save(other)
    runnel.Keyset(new.primary, (new.primary, *keyset.keys)).save(both)
    (tmp_path / "plain").mkdir()
    for name in ("a", "b"):
        (tmp_path / "plain" / name).write_bytes(b"x")
    accepted("store", "encrypt", "-k", key, f"{tmp_path}/plain/", f"{tmp_path}/sealed/")
    (tmp_path / "again").mkdir()
    (tmp_path / "again" / "b").write_bytes(b"precious")
    command = ("store", "decrypt", "--state", tmp_path / "state", f"{tmp_path}/sealed/", f"{tmp_path}/again/")
    refused(*command, "-k", key)
    assert "another key" in refused(*command, "-k", other)
    assert "another key" in refused(*command, "-k", key, "--aad", "other")
    accepted(*command, "-k", both, "--force")
    assert (tmp_path / "again" / "b").read_bytes() == b"x"


def test_what_a_list_has_no_etag_of_is_done_again(store, keyset, tmp_path, monkeypatch):
    """It may have changed."""
    key = keyfile(keyset, tmp_path)
    for name, text in (("a", b"old"), ("b", b"x")):
        put(f"{store}/in/{name}", text)
    put(f"{store}/out/b", b"theirs")
    without = [each._replace(etag=None) for each in readers.listing(parse(f"{store}/in/"))]
    real = many.listing
    monkeypatch.setattr(
        many, "listing", lambda location, *more: without if location.key == "in/" else real(location, *more)
    )
    command = ("store", "encrypt", "-k", key, f"{store}/in/", f"{store}/out/")
    refused(*command)
    put(f"{store}/in/a", b"new")
    assert "2 of 2 objects failed" in refused(*command)
    accepted(*command[:2], "--force", *command[2:])
    assert unseal(keyset, content(f"{store}/out/a")) == b"new"
