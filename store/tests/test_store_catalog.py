# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Catalogs of prefixes: what a store puts back, takes away, adds or exchanges is noticed, also in the catalog itself."""

import json
import os
import shutil

import pytest
import runnel
from catalogs import FILES, base, generation, key, keyset, new_version, plain, sealed  # noqa: F401  # fixtures
from cli_program import accepted, output_of, refused
from runnel_store import catalog, many
from runnel_store.catalog import NAME
from runnel_store.urls import parse
from sealed_files import ONE_OF_EACH
from store_objects import PART, content, names, remove, server, store, write  # noqa: F401  # fixtures

# Attacks of a store, which has no key.


def everything(prefix: str) -> dict[str, bytes]:
    return {name: content(prefix + name) for name in names(prefix)}


def put_back(prefix: str, state: dict[str, bytes]) -> None:
    for name in set(names(prefix)) - set(state):
        remove(prefix + name)
    for name, data in state.items():
        write(prefix + name, data)


def forget(tmp_path) -> None:
    """Forget what was seen, as on a machine that has not seen the prefix."""
    shutil.rmtree(tmp_path / "state")


def all_refuse(key, sealed: str, tmp_path, *texts: str, released: tuple[str, ...] = (), more: tuple = ()) -> None:
    """verify, decrypt and rotate end with status 3, and what is not as the catalog says is not decrypted."""
    before = everything(sealed)
    for verb, words in (("verify", []), ("rotate", ["--force"]), ("decrypt", [f"{tmp_path}/again/"])):
        line = refused("store", verb, "-k", key, "--part", "5M", "--catalog", *more, sealed, *words, status=3)
        assert all(text in line for text in texts), line
        if verb == "rotate" and not released:
            assert everything(sealed) == before
    found = sorted(names(f"{tmp_path}/again/")) if (tmp_path / "again").exists() else []
    assert found == sorted(released)


def test_what_is_as_it_was_is_accepted(sealed, plain, key, keyset, tmp_path):
    manifest = tmp_path / "m"
    accepted("store", "verify", "-k", key, "--catalog", "--manifest", manifest, sealed)
    counts = json.loads(manifest.read_text().splitlines()[-1])
    assert counts["generation"] == 1 and counts["counts"]["done"] == 4
    accepted("store", "decrypt", "-k", key, "--generation", 1, sealed, tmp_path / "again")
    for name, data in FILES.items():
        assert (tmp_path / "again" / name).read_bytes() == data
    assert sorted(names(f"{tmp_path}/again/")) == sorted(FILES)
    accepted("store", "verify", "-k", key, sealed)
    head, *lines = map(json.loads, output_of("store", "catalog", "-k", key, sealed).splitlines())
    assert head == {"prefix": parse(sealed).folder, "generation": 1, "objects": 4}
    for line in lines:
        assert content(sealed + line["name"]).hex().startswith(line["header"])
        assert (
            line["bytes"]
            == len(content(sealed + line["name"]))
            == keyset.primary.parameters.sealed_bytes(len(FILES[line["name"]]))
        )


def test_exchanged(sealed, key, tmp_path):
    a, b = content(sealed + "a"), content(sealed + "b")
    write(sealed + "a", b)
    write(sealed + "b", a)
    all_refuse(key, sealed, tmp_path, "2 of 4 objects failed; the first: ", "not the version that the catalog lists",
               released=("day=1/c", "long"))  # fmt: skip


@pytest.mark.parametrize("name", ["a", "long"])
def test_put_back(name, sealed, plain, key, tmp_path):
    before = content(sealed + name)
    new_version(tmp_path, plain, key, sealed, name, FILES[name][::-1])
    write(sealed + name, before)
    rest = tuple(set(FILES) - {name})
    all_refuse(key, sealed, tmp_path, f"1 of 4 objects failed; the first: {sealed}{name}: not the version",
               released=rest)  # fmt: skip


def test_removed(sealed, key, tmp_path):
    remove(sealed + "b")
    all_refuse(key, sealed, tmp_path, f"{sealed}b: listed in the catalog, but missing",
               released=("a", "day=1/c", "long"))  # fmt: skip


def test_left_out_of_the_listing(sealed, key, tmp_path, monkeypatch):
    """While the object is there, and can be read by its name."""
    whole = many.listing
    monkeypatch.setattr(many, "listing", lambda *words: (each for each in whole(*words) if each.name != "long"))
    accepted("store", "verify", "-k", key, sealed)
    line = refused("store", "verify", "-k", key, "--catalog", sealed, status=3)
    assert line == f"1 of 4 objects failed; the first: {sealed}long: listed in the catalog, but missing"
    accepted("store", "verify", "-k", key, "--catalog", "--include", "a", sealed)
    refused("store", "verify", "-k", key, "--catalog", "--include", "l*", sealed, status=3)
    (tmp_path / "names").write_text('"long"\n"a"\n')
    refused("store", "verify", "-k", key, "--catalog", "--only", tmp_path / "names", sealed, status=3)


def test_added(sealed, key, tmp_path):
    """A copy of what is sealed with the key, and something else."""
    write(sealed + "copy", content(sealed + "a"))
    write(sealed + "day=1/junk", b"junk")
    all_refuse(key, sealed, tmp_path, "2 of 6 objects failed", "not listed in the catalog", released=tuple(FILES))


def test_cut(sealed, key, tmp_path):
    write(sealed + "long", content(sealed + "long")[: PART // 2])
    all_refuse(
        key, sealed, tmp_path, f"1 of 4 objects failed; the first: {sealed}long: ", released=("a", "b", "day=1/c")
    )


def test_all_put_back(sealed, plain, key, tmp_path):
    """With the catalog: only its generation tells."""
    before = everything(sealed)
    new_version(tmp_path, plain, key, sealed)
    after = everything(sealed)
    assert generation(key, sealed) == 2
    put_back(sealed, before)
    all_refuse(key, sealed, tmp_path, f"{sealed}{NAME}: its generation is 1, and 2 was seen")
    line = refused("store", "encrypt", "-k", key, "--force", "--catalog", plain, sealed, status=3)
    assert "its generation is 1, and 2 was seen" in line and everything(sealed) == before
    forget(tmp_path)
    all_refuse(key, sealed, tmp_path, "its generation is 1, and 2 was seen", more=("--generation", "2"))
    accepted("store", "verify", "-k", key, "--catalog", sealed)
    put_back(sealed, after)
    accepted("store", "verify", "-k", key, "--catalog", sealed)
    put_back(sealed, before)
    refused("store", "verify", "-k", key, "--catalog", sealed, status=3)


def test_only_the_catalog_put_back(sealed, plain, key, tmp_path):
    before = content(sealed + NAME)
    new_version(tmp_path, plain, key, sealed)
    write(sealed + NAME, before)
    all_refuse(key, sealed, tmp_path, "its generation is 1, and 2 was seen")
    forget(tmp_path)
    line = refused("store", "verify", "-k", key, "--catalog", sealed, status=3)
    assert f"1 of 4 objects failed; the first: {sealed}a: not the version" in line


def test_the_catalog_removed(sealed, plain, key, tmp_path):
    remove(sealed + NAME)
    all_refuse(key, sealed, tmp_path, f"{sealed}{NAME}: no catalog found, and generation 1 was seen")
    refused("store", "encrypt", "-k", key, "--force", "--catalog", plain, sealed, status=3)
    forget(tmp_path)
    all_refuse(key, sealed, tmp_path, f"{sealed}{NAME}: no catalog found")
    refused("store", "encrypt", "-k", key, "--force", "--generation", 1, plain, sealed, status=3)
    assert "no catalog found" in refused("store", "catalog", "-k", key, sealed, status=1)
    accepted("store", "verify", "-k", key, sealed)


def test_the_catalog_of_another_prefix(base, plain, sealed, key, tmp_path):
    """Also where all objects come with it."""
    other = f"{base}/other/"
    accepted("store", "encrypt", "-k", key, "--part", "5M", "--catalog", plain, other)
    before = everything(sealed)
    write(sealed + NAME, content(other + NAME))
    texts = (f"{sealed}{NAME}: catalog of {parse(other).folder}, not of {parse(sealed).folder}",)
    all_refuse(key, sealed, tmp_path, *texts)
    put_back(sealed, everything(other))
    all_refuse(key, sealed, tmp_path, *texts)
    accepted("store", "verify", "-k", key, "--catalog-of", other, sealed)
    put_back(sealed, before)
    accepted("store", "verify", "-k", key, "--catalog", sealed)
    refused("store", "verify", "-k", key, "--catalog-of", other, sealed, status=3)


@pytest.mark.parametrize(
    "change",
    [
        lambda data: b"",
        lambda data: data[:20],
        lambda data: data[:-1],
        lambda data: data + b"x",
        lambda data: data[:60] + bytes((data[60] ^ 1,)) + data[61:],
        lambda data: b'{"catalog":1,"prefix":"","generation":9,"objects":0}\n',
    ],
    ids=["empty", "short", "cut", "longer", "flipped", "not sealed"],
)
def test_the_catalog_changed(change, sealed, key, tmp_path):
    write(sealed + NAME, change(content(sealed + NAME)))
    all_refuse(key, sealed, tmp_path, f"{sealed}{NAME}: ")
    assert refused("store", "catalog", "-k", key, sealed, status=3).startswith(f"{sealed}{NAME}: ")


def test_the_catalog_under_another_key(sealed, plain, base, tmp_path, key):
    other = runnel.Keyset.generate("cobblestone-128")
    other.save(tmp_path / "another key")
    accepted("store", "encrypt", "-k", tmp_path / "another key", "--part", "5M", "--catalog", plain, f"{base}/other/")
    found = catalog.read(parse(f"{base}/other/"), other, b"").catalog
    found.prefix = parse(sealed).folder
    catalog.write(parse(sealed), found, other, b"", catalog.unread(parse(sealed)))
    all_refuse(
        key, sealed, tmp_path, f"{sealed}{NAME}: authentication failed: wrong key or associated data, or damaged"
    )
    refused("store", "verify", "-k", tmp_path / "another key", "--catalog", sealed, status=3)


def test_an_object_is_no_catalog(sealed, keyset, key, tmp_path):
    """An encrypted object is not taken for a catalog, whatever it says, nor is a catalog for an object."""
    text = f'{{"catalog":1,"prefix":"{parse(sealed).folder}","generation":9,"objects":0}}\n'
    (tmp_path / "text").write_text(text)
    for more in ([], ["--bind-names"], ["--name", NAME]):
        accepted("store", "encrypt", "-k", key, "--force", *more, tmp_path / "text", sealed + NAME)
        all_refuse(key, sealed, tmp_path, f"{sealed}{NAME}: authentication failed: wrong key or associated data")


def test_associated_data_is_the_catalogs_too(base, plain, key):
    accepted("store", "encrypt", "-k", key, "--part", "5M", "--aad", "x", "--catalog", plain, f"{base}/out/")
    accepted("store", "verify", "-k", key, "--aad", "x", "--catalog", f"{base}/out/")
    assert NAME in refused("store", "verify", "-k", key, "--aad", "y", "--catalog", f"{base}/out/", status=3)


# Steps of a user


def test_what_is_encrypted_later_is_added(sealed, plain, key, base, tmp_path):
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "d").write_bytes(b"first of d")
    accepted("store", "encrypt", "-k", key, "--catalog", f"{tmp_path}/more/", sealed)
    assert generation(key, sealed) == 2
    new_version(tmp_path, plain, key, sealed)
    assert generation(key, sealed) == 3
    accepted("store", "verify", "-k", key, "--generation", "3", sealed)
    accepted("store", "decrypt", "-k", key, "--catalog", sealed, tmp_path / "again")
    assert (tmp_path / "again" / "a").read_bytes() == b"second of a"
    assert (tmp_path / "again" / "d").read_bytes() == b"first of d"


def test_what_fails_is_no_part_of_it(base, plain, key, tmp_path):
    """And is added by the run in which it does not."""
    out = f"{base}/out/"
    write(out + "b", b"somebody else's")
    command = ("store", "encrypt", "-k", key, "--part", "5M", "--catalog", "--failures", tmp_path / "failures")
    assert "1 of 4 objects failed" in refused(*command, plain, out, status=1)
    assert "b: not listed in the catalog" in refused("store", "verify", "-k", key, "--catalog", out, status=3)
    accepted(*command, "--only", tmp_path / "failures", "--force", plain, out)
    accepted("store", "verify", "-k", key, "--catalog", out)
    assert generation(key, out) == 2


@pytest.mark.parametrize("template", ONE_OF_EACH)
def test_a_rotation_writes_the_next(template, sealed, keyset, tmp_path):
    new = runnel.Keyset.generate(template).primary
    both, new_only = tmp_path / "both", tmp_path / "new"
    runnel.Keyset(new, (new, *keyset.keys)).save(both)
    runnel.Keyset(new, (new,)).save(new_only)
    accepted("store", "rotate", "-k", both, "--part", "5M", "--catalog", sealed)
    assert generation(new_only, sealed) == 2
    accepted("store", "verify", "-k", new_only, "--catalog", sealed)
    accepted("store", "rotate", "-k", both, "--catalog", sealed)
    assert generation(new_only, sealed) == 2, "nothing has changed"
    accepted("store", "decrypt", "-k", new_only, "--catalog", sealed, tmp_path / "again")
    assert (tmp_path / "again" / "long").read_bytes() == FILES["long"]
    assert not [name for name in os.listdir(tmp_path / "state" / "runnel" / "store") if name.endswith(".plan")]


def test_a_catalog_of_what_is_there(base, plain, key, tmp_path):
    out = f"{base}/out/"
    accepted("store", "encrypt", "-k", key, "--part", "5M", plain, out)
    assert "no catalog found" in refused("store", "rotate", "-k", key, "--catalog", out, status=3)
    accepted("store", "rotate", "-k", key, "--new-catalog", out)
    accepted("store", "verify", "-k", key, "--catalog", out)
    remove(out + "b")
    refused("store", "verify", "-k", key, "--catalog", out, status=3)
    accepted("store", "rotate", "-k", key, "--new-catalog", out)
    accepted("store", "verify", "-k", key, "--generation", 2, out)
    write(out + NAME, b"damaged")
    write(out + "junk", b"junk")
    refused("store", "rotate", "-k", key, "--new-catalog", out, status=3)
    assert content(out + NAME) == b"damaged", "something failed"
    remove(out + "junk")
    accepted("store", "rotate", "-k", key, "--new-catalog", out)
    accepted("store", "verify", "-k", key, "--generation", 3, out)


def test_a_prefix_that_was_moved(sealed, key, base, tmp_path):
    moved = f"{base}/moved/"
    for name, data in everything(sealed).items():
        write(moved + name, data)
    assert "not of" in refused("store", "verify", "-k", key, "--catalog", moved, status=3)
    accepted("store", "rotate", "-k", key, "--catalog-of", sealed, moved)
    accepted("store", "verify", "-k", key, "--catalog", moved)
    assert generation(key, moved) == 2


def test_a_catalog_is_no_object(sealed, key, tmp_path, capfd):
    """Not of the prefix, and not of one around it; a file of that name is not left out in silence."""
    above = sealed.removesuffix("out/")
    accepted("store", "ls", sealed)
    assert NAME not in capfd.readouterr().out
    accepted("store", "verify", "-k", key, "--include", "out/*", above)
    assert not os.path.exists(tmp_path / "again" / NAME)
    line = refused("store", "encrypt", "-k", key, sealed, tmp_path / "twice", status=1)
    assert f"1 of 5 objects failed; the first: {sealed}{NAME}: " in line and "--exclude" in line
    accepted("store", "encrypt", "-k", key, "--exclude", NAME, sealed, tmp_path / "twice2")


def test_what_is_remembered_is_no_object(plain, key, tmp_path, monkeypatch):
    """Test it among the objects."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
    out = tmp_path / "out"
    for _ in range(2):
        accepted("store", "encrypt", "-k", key, "--force", "--catalog", "--state", out / "state", plain, out)
        accepted("store", "verify", "-k", key, "--catalog", "--state", out / "state", out)
    assert [name.rpartition(".")[2] for name in os.listdir(out / "state")] == ["generation"]


def test_what_the_command_line_refuses(tmp_path, key):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a").write_bytes(b"x")
    file, folder = tmp_path / "in" / "a", f"{tmp_path}/in/"
    cases = [
        ("--catalog is for prefixes", ("verify", "-k", key, "--catalog", file)),
        ("--catalog-of is for prefixes", ("verify", "-k", key, "--catalog-of", folder, file)),
        ("--new-catalog is for prefixes", ("rotate", "-k", key, "--new-catalog", file)),
        ("cannot be used together", ("rotate", "-k", key, "--new-catalog", "--include", "a", folder)),
        ("cannot be used together", ("rotate", "-k", key, "--new-catalog", "--catalog", folder)),
        ("--generation", ("verify", "-k", key, "--generation", "0", folder)),
    ]
    for text, words in cases:
        assert text in refused("store", *words, status=2), words
