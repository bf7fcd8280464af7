# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sources that change, and keys that are others: noticed before anything is sealed twice under one header."""

import os
import random
from dataclasses import replace
from pathlib import Path

import pytest
import runnel
from runnel.sealed.keyset import Key
from runnel.sealed.place import KeyPlace
from runnel_store import objects, parts, plan, readers
from runnel_store.errors import ChangedError
from runnel_store.fingerprints import fingerprint
from runnel_store.objects import Options
from runnel_store.opened import open_sealed
from runnel_store.readers import reader_of
from runnel_store.urls import parse
from runnel_store.work import Worker, worker_of
from sealed_files import unseal
from store_objects import (  # noqa: F401  # fixtures
    LONG,
    PART,
    content,
    keyset,
    keyset_with_another_first,
    long,
    names,
    options,
    put,
    sealing,
    server,
    store,
    uploads,
)


def test_a_source_that_changes_is_refused(server, store, options, keyset, long, tmp_path):
    put(f"{store}/plain", LONG)

    def change_object(request):
        if request.part is not None:
            server.fault = None
            put(f"{store}/plain", LONG[::-1])

    def change_file(request):
        if request.part is not None:
            server.fault = None
            with open(tmp_path / "long", "r+b") as file:
                file.write(b"!")

    for source, change in ((parse(f"{store}/plain"), change_object), (long, change_file)):
        with server.failing(change), pytest.raises(runnel.Error, match="chang"):
            objects.encrypt(source, parse(f"{store}/sealed"), keyset, options)
        assert names(f"{store}/") == ["plain"]
        with pytest.raises(runnel.Error, match="restart"):
            objects.encrypt(source, parse(f"{store}/sealed"), keyset, options)
    assert len(uploads(store)) == 2
    objects.encrypt(long, parse(f"{store}/sealed"), keyset, Options(part_bytes=PART, state=options.state, restart=True))
    assert len(uploads(store)) == 1
    assert unseal(keyset, content(f"{store}/sealed")) == b"!" + LONG[1:]


def test_a_change_after_the_last_part_is_noticed(store, options, keyset, monkeypatch, tmp_path):
    """Every part was that of one object; the whole would be of none that there is."""
    put(f"{store}/plain", LONG)
    objects.encrypt(parse(f"{store}/plain"), parse(f"{store}/sealed"), keyset, options)
    single_thread = replace(options, threads=1)
    make = Worker.make

    def changing(worker, part):
        sealed = make(worker, part)
        if part.after == plan.cut(worker.keys.parameters, worker.work.size, PART).segments:
            put(worker.work.source.text, random.randbytes(len(LONG)))
        return sealed

    monkeypatch.setattr(Worker, "make", changing)
    for call in (
        lambda: objects.encrypt(parse(f"{store}/plain"), parse(f"{store}/again"), keyset, single_thread),
        lambda: objects.encrypt(parse(f"{store}/plain"), parse(str(tmp_path / "out")), keyset, single_thread),
        lambda: objects.encrypt(
            parse(f"{store}/plain"), parse(f"{store}/whole"), keyset, replace(single_thread, part_bytes=5 * PART)
        ),
        lambda: objects.verify(parse(f"{store}/sealed"), keyset, single_thread),
    ):
        with pytest.raises(runnel.Error, match="was changed while it was read"):
            call()
    assert names(f"{store}/") == ["plain", "sealed"] and not (tmp_path / "out").exists()


def test_a_changed_file_is_noticed_before_a_part_of_it_leaves(keyset, long):
    """Sent already, it would have been under the same keystream as the part that it replaces."""
    reader, work = sealing(long, keyset)
    worker = Worker(work, keyset, reader)
    part = plan.cut(worker.keys.parameters, reader.size, PART).part(2)
    assert worker.make(part) == worker.make(part)
    with open(long.key, "r+b") as file:
        file.write(b"!")
    with pytest.raises(runnel.Error, match="changed while it was read"):
        worker.make(part)
    with pytest.raises(runnel.Error, match="changed since the work began"):
        Worker(work, keyset)


def test_a_file_that_changes_while_its_part_is_sealed(keyset, long, monkeypatch):
    reader, work = sealing(long, keyset)

    def changing(*arguments):
        sealed = parts.seal(*arguments)
        with open(long.key, "r+b") as file:
            file.write(b"!")
        return sealed

    monkeypatch.setattr("runnel_store.work.seal", changing)
    with pytest.raises(runnel.Error, match="changed while it was read"):
        Worker(work, keyset, reader).make(plan.cut(keyset.primary.parameters, reader.size, PART).part(2))


def test_a_file_that_loses_another_of_its_names_while_it_is_opened_is_not_changed(keyset, tmp_path):
    """As by a rotation of all of them: that sets the time of its status, and nothing else."""
    name = tmp_path / "file"
    runnel.encrypt_file(write(tmp_path / "plain", b"some text"), name, keyset)
    for other in ("a", "b"):
        os.link(name, tmp_path / other)
    opened = open_sealed(reader_of(parse(str(name))), keyset, b"")
    time = name.stat().st_mtime_ns
    for other in ("a", "b"):
        os.unlink(tmp_path / other)
        opened.check()
    write(name, name.read_bytes())
    os.utime(name, ns=(time, time))
    with pytest.raises(runnel.Error, match="changed while it was read"):
        opened.check()


@pytest.mark.parametrize("replaced", [True, False])
def test_a_rotation_replaces_no_other_file_of_that_name(replaced, keyset, tmp_path):
    """The file that was read has lost its only name then, as one that is rotated may lose its others."""
    name, other = tmp_path / "file", tmp_path / "other"
    for text, path in ((b"old", name), (b"new", other)):
        runnel.encrypt_file(write(tmp_path / "plain", text), path, keyset)
    theirs, options = other.read_bytes(), Options(state=str(tmp_path / "state"))

    def replace_it(count):
        name.unlink()
        if replaced:
            other.rename(name)

    with pytest.raises(runnel.Error, match="replaced while it was read"):
        objects.rotate(parse(str(name)), keyset_with_another_first(keyset), replace(options, progress=replace_it))
    assert [path.read_bytes() for path in (name, other) if path.exists()] == [theirs]


def test_a_file_that_loses_another_of_its_names_may_hide_a_change(keyset, tmp_path):
    """Nothing else tells of one, where the time of the bytes was set back, and nothing authenticates a plaintext."""
    name, other = write(tmp_path / "file", b"some text"), tmp_path / "other"
    os.link(name, other)
    reader, work = sealing(parse(str(name)), keyset)
    time = name.stat().st_mtime_ns
    write(name, b"other txt")
    os.utime(name, ns=(time, time))
    os.unlink(other)
    with pytest.raises(runnel.Error, match="changed while it was read"):
        Worker(work, keyset, reader).make(plan.Cut(1, 1).part(1))
    with pytest.raises(runnel.Error, match="changed while it was read"):
        reader.check()


def write(path, data):
    path.write_bytes(data)
    return path


def test_a_file_that_becomes_shorter_is_noticed(long):
    reader = reader_of(long)
    os.truncate(long.key, PART)
    with pytest.raises(runnel.Error, match="was truncated"):
        reader.read(PART - 1, PART + 1)


def test_an_object_that_became_shorter_is_told_as_changed(store):
    """The store finds out by the ETag, before it looks at the range."""
    put(f"{store}/plain", LONG)
    reader = reader_of(parse(f"{store}/plain"))
    put(f"{store}/plain", LONG[: readers.FIRST_BYTES])
    with pytest.raises(ChangedError, match="it was changed meanwhile"):
        reader.read(50_000, 60_000)


@pytest.mark.parametrize("etag, identity", [('"1"', (5, '"1"')), ('W/"1"', None), (None, None)])
def test_a_weak_etag_tells_nothing(etag, identity, store, monkeypatch):
    """It stays where the bytes change."""
    meta = {"size": 5, "e_tag": etag, "last_modified": None}
    monkeypatch.setattr(readers.StoredObject, "_begin", lambda *_: (memoryview(b""), meta))
    assert reader_of(parse(f"{store}/plain")).identity() == identity


def test_a_store_that_does_not_know_if_match(store, monkeypatch):
    put(f"{store}/plain", LONG)
    reader = reader_of(parse(f"{store}/plain"))
    monkeypatch.setattr(reader, "_options", {})
    put(f"{store}/plain", LONG[::-1])
    with pytest.raises(runnel.Error, match="changed while it was read"):
        reader.read(50_000, 60_000)


def test_a_process_with_another_key_does_no_part_of_a_work(keyset, long, monkeypatch):
    """Such as a machine of a cluster whose key is an older one: under one header no other key may seal."""
    _, work = sealing(long, keyset)
    ours = keyset.primary
    other = Key(ours.key_id, ours.parameters, bytes(len(ours.secret)))
    monkeypatch.setenv("OURS", keyset.to_json())
    monkeypatch.setenv("OTHER", runnel.Keyset(other, (other,)).to_json())
    assert worker_of(work, KeyPlace(variable="OURS"), None).keys.header == work.header
    for place, what in (("OTHER", work), ("OURS", replace(work, aad=b"other"))):
        with pytest.raises(runnel.Error, match="another key or other associated data"):
            worker_of(what, KeyPlace(variable=place), None)


@pytest.mark.parametrize("template", ["AES128_GCM_HKDF_1MB", "AES256_CTR_HMAC_SHA256_4KB", "cobblestone-128"])
@pytest.mark.parametrize("number", [1, 2, 5])
def test_a_commitment_is_to_every_byte_of_the_plaintext(template, number, long):
    keyset = runnel.Keyset.generate(template)
    reader, work = sealing(long, keyset)
    worker = Worker(work, keyset, reader)
    p = worker.keys.parameters
    part = plan.cut(p, reader.size, PART).part(number)
    sealed_part = worker.make(part)
    first = worker.commitment(part, sealed_part)
    assert first == worker.commitment(part, worker.make(part)) and len(first) == 32
    low, high = parts.plaintext_range(p, part.first, part.after, reader.size)
    for at in {low, high - 1, p.plaintext_at(part.after - 1), random.randrange(low, high)}:
        text = bytearray(LONG)
        text[at] ^= 1
        write(Path(long.key), text)
        changed = Worker(replace(work, identity=None), keyset, reader_of(long))
        assert changed.commitment(part, changed.make(part)) != first
    other = Worker(sealing(long, keyset)[1], keyset)
    assert other.commitment(part, sealed_part) != first, "of another header"
    assert worker.commitment(plan.Part(number + 1, part.first, part.after), sealed_part) != first


def test_nothing_is_sent_but_what_was_committed_to(keyset, long):
    """As where a task has sealed a part, and sealed it again since from another source, because its worker was lost."""
    sent = []

    class Upload:
        def put(self, number, position, data):
            sent.append(number)
            return "etag"

    reader, work = sealing(long, keyset)
    worker = Worker(work, keyset, reader, Upload())
    part = plan.cut(worker.keys.parameters, reader.size, PART).part(2)
    sealed_part = worker.make(part)
    committed = worker.commitment(part, sealed_part)
    write(Path(long.key), LONG[::-1])
    again = Worker(replace(work, identity=None), keyset, reader_of(long)).make(part)
    for other in (again, sealed_part[:-1], b""):
        with pytest.raises(ChangedError):
            worker.send_committed(part, other, committed)
    assert not sent
    assert worker.send_committed(part, sealed_part, committed).etag == "etag" and sent == [2]


def test_a_fingerprint_is_of_the_key_and_all_that_it_says(keyset):
    key, other = keyset.primary, runnel.Keyset.generate("AES128_GCM_HKDF_1MB").primary
    seen = [fingerprint(key, b"h", b"a"), fingerprint(key, b"h", b"b"), fingerprint(key, b"g", b"a")]
    assert len({*seen, fingerprint(other, b"h", b"a"), fingerprint(key, b"ha", b"")}) == 5
    shorter = Key(key.key_id, replace(key.parameters, segment_bytes=4096), key.secret)
    assert fingerprint(shorter, b"h", b"a") not in seen
