# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The format of catalogs: it is the documented one, and nothing else is read. And the generations that are remembered."""

import os
import random

import pytest
import runnel
from runnel_store import catalog
from runnel_store.catalog import NAME, Catalog, Entry
from runnel_store.journal import Generations
from runnel_store.urls import parse
from sealed_files import unseal
from store_objects import content


@pytest.fixture
def keyset():
    return runnel.Keyset.generate("cobblestone-128")


@pytest.fixture
def place(tmp_path):
    return parse(f"{tmp_path}/prefix/")


def text_of(place, keyset) -> bytes:
    return unseal(keyset, content(place.below(NAME).text), b"runnel catalog v1\0x")


def test_the_format_is_the_documented_one(place, keyset):
    entries = {"b": Entry(99, b"\x01\x02"), "a/\udcff\n": Entry(56, b"\xff" * 56)}
    catalog.write(place, Catalog("s3://b/p/", 7, entries), keyset, b"x", catalog.unread(place))
    assert text_of(place, keyset).decode() == (
        '{"catalog":1,"prefix":"s3://b/p/","generation":7,"objects":2}\n'
        f'["a/\\udcff\\n",56,"{"ff" * 56}"]\n'
        '["b",99,"0102"]\n'
    )
    found = catalog.read(place, keyset, b"x").catalog
    assert found == Catalog("s3://b/p/", 7, entries)


GOOD = ['{"catalog":1,"prefix":"p","generation":7,"objects":2}', '["a",56,"ff"]', '["b",56,"ff"]']


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["[]"],
        ["{}"],
        [GOOD[0].replace(":7", ":0"), *GOOD[1:]],
        [GOOD[0].replace(":7", ":true"), *GOOD[1:]],
        [GOOD[0].replace(":7", ":7.0"), *GOOD[1:]],
        [GOOD[0].replace(":2", ":3"), *GOOD[1:]],
        [GOOD[0].replace('"p"', "1"), *GOOD[1:]],
        [GOOD[0].replace("{", '{"more":1,'), *GOOD[1:]],
        [GOOD[0].replace(":", ": "), *GOOD[1:]],
        [GOOD[0], GOOD[2], GOOD[1]],
        [GOOD[0], GOOD[1], GOOD[1]],
        [GOOD[0], GOOD[1], '["b",56]'],
        [GOOD[0], GOOD[1], '["b",56,"f"]'],
        [GOOD[0], GOOD[1], '["b",56,"FF"]'],
        [GOOD[0], GOOD[1], '["b","56","ff"]'],
        [GOOD[0], GOOD[1], "[" * 100_000],
        [*GOOD, ""],
        [*GOOD[:2], GOOD[2][:-1]],
        [*GOOD, "\xff"],
    ],
)
def test_what_is_not_written_is_not_read(lines, place, keyset, monkeypatch):
    text = "".join(f"{line}\n" for line in lines).encode("latin-1")
    monkeypatch.setattr(catalog, "_text", lambda _: [text])
    catalog.write(place, Catalog("p", 7), keyset, b"", catalog.unread(place))
    with pytest.raises(runnel.Error, match="not a catalog as this version of Runnel writes it") as caught:
        catalog.read(place, keyset, b"")
    assert not isinstance(caught.value, runnel.AuthenticationError)


def test_a_text_that_ends_within_a_line_is_not_read(place, keyset, monkeypatch):
    for text in ("\n".join(GOOD), "\n".join(GOOD)[:-3], "\n".join(GOOD[:2])):
        monkeypatch.setattr(catalog, "_text", lambda _, text=text: [text.encode()])
        catalog.write(place, Catalog("p", 7), keyset, b"", catalog.unread(place))
        with pytest.raises(runnel.Error, match="not a catalog"):
            catalog.read(place, keyset, b"")


def test_another_version_is_named(place, keyset, monkeypatch):
    monkeypatch.setattr(catalog, "_VERSION", 2)
    catalog.write(place, Catalog("p", 7), keyset, b"", catalog.unread(place))
    monkeypatch.undo()
    with pytest.raises(runnel.Error, match="of another version of Runnel"):
        catalog.read(place, keyset, b"")


def test_lines_across_pieces(place, keyset, monkeypatch):
    chance = random.Random(6)
    entries = {
        os.fsdecode(chance.randbytes(chance.randrange(1, 40)).replace(b"\0", b"0")): Entry(
            chance.randrange(1, 1 << 60), chance.randbytes(56)
        )
        for _ in range(500)
    }
    catalog.write(place, Catalog("p", 7, entries), keyset, b"", catalog.unread(place))
    for step in (7, 100, 1000, 1 << 20):
        monkeypatch.setattr(catalog, "_READ_BYTES", step)
        assert catalog.read(place, keyset, b"").catalog == Catalog("p", 7, entries)


def test_a_catalog_that_is_too_long(place, keyset, monkeypatch):
    entries = {str(n): Entry(100, bytes(56)) for n in range(100)}
    catalog.write(place, Catalog("p", 7, entries), keyset, b"", catalog.unread(place))
    monkeypatch.setattr(catalog, "BYTES_MAX", 1000)
    with pytest.raises(runnel.Error, match="more than a catalog may have"):
        catalog.read(place, keyset, b"")
    with pytest.raises(runnel.Error, match="100 objects are more than a catalog"):
        catalog.write(place, Catalog("p", 8, entries), keyset, b"", catalog.unread(place))


def test_generations_are_remembered(tmp_path):
    one, other = (Generations(str(tmp_path / "state"), prefix) for prefix in ("s3://b/p/", "s3://b/q/"))
    assert one.seen() == 0
    for generation_, seen in ((3, 3), (1, 3), (1000, 1000), (999, 1000)):
        one.remember(generation_)
        assert one.seen() == seen
    assert other.seen() == 0
    for text in ("{}", "[]", '{"generation": "1"}', '{"generation": -1}', '{"generation": 1', "\xff"):
        with open(one.path, "w", encoding="latin-1") as file:
            file.write(text)
        for call in (one.seen, lambda: one.remember(1)):
            with pytest.raises(runnel.Error, match="damaged"):
                call()
    with open(one.path, "w"):
        pass
    assert one.seen() == 0


def test_without_a_folder_nothing_is_remembered(tmp_path, monkeypatch):
    """Also where the current folder happens to be one."""
    Generations(str(tmp_path), "s3://b/p/").remember(5)
    monkeypatch.chdir(tmp_path)
    nowhere = Generations("", "s3://b/p/")
    nowhere.remember(3)
    assert nowhere.seen() == 0 and Generations(str(tmp_path), "s3://b/p/").seen() == 5


def test_what_is_remembered_outlives_a_loss_of_power(tmp_path, monkeypatch):
    """The file's name has to be on disk too: without it an older catalog would be accepted."""
    flushed, fsync = [], os.fsync
    monkeypatch.setattr("os.fsync", lambda fd: (fsync(fd), flushed.append(os.stat(fd).st_ino)))
    generations = Generations(str(tmp_path), "s3://b/p/")
    generations.remember(1)
    assert flushed[-2:] == [os.stat(generations.path).st_ino, os.stat(tmp_path).st_ino]
