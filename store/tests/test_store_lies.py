# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A store that lies about ETags, sizes, parts and listings gets no keystream twice, and no wrong content passes for right."""

import contextlib
import mmap
import os
import random
from dataclasses import replace
from pathlib import Path

import pytest
import runnel
import selection
from cli_program import accepted, refused
from lying_store import check_no_part_twice, liar, server  # noqa: F401  # fixtures
from runnel_store import many, objects
from runnel_store.many import Manifest
from runnel_store.readers import listing, reader_of
from runnel_store.stores import ChangedError
from runnel_store.urls import parse
from sealed_files import unseal
from store_objects import (  # noqa: F401  # fixtures
    LONG,
    PART,
    keyfile,
    keyset,
    keyset_with_another_first,
    killed,
    long,
    options,
    parts_sent,
    path_of,
    store,
)

OTHER = random.Random(2).randbytes(len(LONG))


def sealed(data, keyset, folder) -> bytes:
    (folder / "plain").write_bytes(data)
    runnel.encrypt_file(folder / "plain", folder / "sealed", keyset, force=True)
    return (folder / "sealed").read_bytes()


def stopped_at(number, server, call):
    """Make the store refuse this part, as if the command had been killed there."""
    with server.failing(lambda request: "403" if request.part == number else None), pytest.raises(PermissionError):
        call()


class Upload:
    """A command with an upload, its source at the store, and what the same command does after the source was swapped."""

    def __init__(self, verb, server, liar, store, keyset, options, folder):
        self.liar, self.folder, self.target = liar, folder, f"{store}/target"
        options = replace(options, threads=1)
        if verb == "rotate":
            self.keyset, self.source, self.target = keyset_with_another_first(keyset), self.target, self.target
            self.call = lambda **changes: objects.rotate(parse(self.source), self.keyset, replace(options, **changes))
        else:
            self.keyset = keyset
            self.source = f"{server.url}/web/source" if verb == "encrypt from the web" else f"{store}/source"
            do = objects.decrypt if verb == "decrypt" else objects.encrypt
            self.call = lambda **changes: do(
                parse(self.source), parse(self.target), keyset, replace(options, **changes)
            )
        self.verb = verb
        self.parts = 3 if verb == "decrypt" else 5
        self.path = "/web/source" if verb == "encrypt from the web" else path_of(self.source)
        self.old = keyset
        liar.same_etag.add(self.path)

    def set(self, data):
        self.liar.objects[self.path] = (
            sealed(data, self.old, self.folder) if self.verb in ("decrypt", "rotate") else data
        )

    def check_no_part_twice(self):
        check_no_part_twice(self.liar, self.verb != "decrypt")

    def plaintext_written(self):
        data = self.liar.objects[path_of(self.target)]
        return data if self.verb == "decrypt" else unseal(self.keyset, data)


VERBS = ["encrypt", "encrypt from the web", "decrypt", "rotate"]


@pytest.fixture(params=selection.one_in(2, VERBS))
def upload(request, server, liar, store, keyset, options, tmp_path):
    return Upload(request.param, server, liar, store, keyset, options, tmp_path)


@pytest.mark.parametrize("forgotten", [{1}, {1, 2}, set()], ids=["part 1", "both parts", "none"])
def test_a_source_swapped_under_its_etag_is_refused(forgotten, upload, server, liar):
    """Its size and its ETag are what they were, and so are the parts that were sent, or the store denies that it has them."""
    upload.set(LONG)
    stopped_at(3, server, upload.call)
    liar.forgotten = forgotten
    upload.set(OTHER)
    with pytest.raises(ChangedError, match=r"--restart starts over$"):
        upload.call()
    upload.check_no_part_twice()
    upload.call(restart=True)
    assert upload.plaintext_written() == OTHER
    upload.check_no_part_twice()


def test_the_same_source_is_taken_up(upload, server, liar):
    upload.set(LONG)
    stopped_at(3, server, upload.call)
    liar.forgotten = {1}
    with server.counting() as requests:
        upload.call()
    assert parts_sent(requests) == [1, 3, 4, 5][: upload.parts - 1]
    assert upload.plaintext_written() == LONG
    upload.check_no_part_twice()


def test_a_swapped_source_in_the_same_process(upload, server, liar):
    """A program that catches the error and tries again reads the source again."""
    upload.set(LONG)
    stopped_at(2, server, upload.call)
    liar.forgotten = {1}

    def swap(request):
        if (
            request.method == "GET"
            and request.path == upload.path
            and request.range
            and "bytes=0-" not in request.range
        ):
            server.fault = None
            upload.set(OTHER)

    with server.failing(swap), pytest.raises((ChangedError, runnel.AuthenticationError)):
        upload.call()
    upload.check_no_part_twice()


@pytest.mark.parametrize("kind", ["object", "web"])
def test_a_command_that_was_killed_seals_no_other_source(kind, server, liar, store, keyset, tmp_path):
    """The program itself, killed while the second part is sent; the store forgets the first."""
    source = f"{store}/source" if kind == "object" else f"{server.url}/web/source"
    path = path_of(source) if kind == "object" else "/web/source"
    liar.same_etag.add(path)
    liar.objects[path] = LONG
    command = [
        "store",
        "encrypt",
        "-k",
        keyfile(keyset, tmp_path),
        "--part",
        "5M",
        "--threads",
        1,
        source,
        f"{store}/x",
    ]

    def kill(request):
        if request.part == 2:
            process.kill()
            return "drop"
        return None

    with server.failing(kill):
        process = killed(tmp_path, *command)
        _, error = process.communicate(timeout=100)
    assert [number for _, number, _ in liar.received] == [1], error
    liar.forgotten = {1}
    liar.objects[path] = OTHER
    assert refused(*command).endswith("--restart starts over")
    assert path_of(f"{store}/x") not in liar.objects
    check_no_part_twice(liar)
    accepted(*command, "--restart")
    assert unseal(keyset, liar.objects[path_of(f"{store}/x")]) == OTHER
    check_no_part_twice(liar)


@pytest.mark.parametrize("forgotten", [{1}, set()], ids=["part 1", "none"])
def test_a_file_that_was_edited_and_keeps_its_times(forgotten, server, liar, store, keyset, options, long):
    """As through a mapping that was written to before: the system looks at the clock at the first time only."""
    target, single_thread = parse(f"{store}/sealed"), replace(options, threads=1)
    with open(long.key, "r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        memory[0] ^= 1
        stopped_at(3, server, lambda: objects.encrypt(long, target, keyset, single_thread))
        liar.forgotten = forgotten
        before = os.stat(long.key)
        memory[0] ^= 1
        times = [
            (each.st_size, each.st_mtime_ns, each.st_ctime_ns, each.st_ino) for each in (before, os.stat(long.key))
        ]
        with pytest.raises(ChangedError, match=r"--restart starts over$"):
            objects.encrypt(long, target, keyset, single_thread)
    assert times[0] == times[1], "nothing but the bytes has changed"
    check_no_part_twice(liar)


def test_a_note_that_cannot_be_written_sends_no_part(server, liar, store, keyset, options, long, monkeypatch):
    def full(fd):
        raise OSError(28, "No space left on device")

    begun = []

    def at_the_second_part(request):
        if request.part == 1:
            begun.append(request)
            monkeypatch.setattr("os.fsync", full)

    with server.failing(at_the_second_part), pytest.raises(OSError, match="No space left"):
        objects.encrypt(long, parse(f"{store}/sealed"), keyset, replace(options, threads=1))
    assert [number for _, number, _ in liar.received] == [1]
    monkeypatch.undo()


@pytest.mark.parametrize("lie", ["forgotten", "invented", "etags", "no upload", "all but one"])
def test_a_list_of_parts_that_lies(lie, upload, server, liar):
    """Parts sent again are the same, and parts never sent are sent."""
    upload.set(LONG)
    stopped_at(3, server, upload.call)
    if lie == "forgotten":
        liar.forgotten = {1, 2, 3, 4, 5}
    elif lie == "invented":
        liar.invented = {4: bytes(PART), 5: b"", 77: b"x"}
    elif lie == "etags":
        liar.part_etags = {1: '"another"', 2: ""}
    elif lie == "no upload":
        liar.no_upload = True
    else:
        liar.forgotten, liar.invented = {1}, {1: bytes(PART)}
    before = len(liar.received)
    with contextlib.suppress(KeyError, runnel.Error, OSError):
        upload.call()
    liar.invented, liar.no_upload = {}, False
    sent = sorted(number for _, number, _ in liar.received[before:])
    if lie == "no upload":
        assert sent == [1, 2, 3, 4, 5][: upload.parts]
    elif lie == "invented" and upload.verb != "decrypt":  # as if the plan was older than the upload
        assert sent == []
    upload.check_no_part_twice()


@pytest.mark.parametrize("kept", [1, 2, 3])
def test_a_plan_that_is_older_than_its_upload(kept, upload, server, liar, options):
    """As from a snapshot of the machine, or a backup: it lacks the commitments of parts that the store has, in whose place
    other plaintext would go under the same keystream."""
    upload.set(LONG)
    stopped_at(3, server, upload.call)
    (plan,) = Path(options.state).glob("*.plan")
    lines = plan.read_bytes().splitlines(keepends=True)
    plan.write_bytes(b"".join(lines[:kept]))
    upload.set(LONG[:PART] + OTHER[PART:])
    with pytest.raises(runnel.Error, match=r"--restart starts over$"):
        upload.call()
    upload.check_no_part_twice()
    upload.call(restart=True)
    assert upload.plaintext_written() == LONG[:PART] + OTHER[PART:]
    upload.check_no_part_twice()


def test_a_plan_of_another_object_is_refused(server, liar, store, keyset, options):
    """A header may not meet another source, though its plan is authentic, and both have one size and one ETag."""
    ends = [(parse(f"{store}/{number}"), parse(f"{store}/sealed {number}")) for number in (1, 2)]
    for (source, target), data in zip(ends, (LONG, OTHER), strict=True):
        liar.objects[path_of(source.text)] = data
        liar.same_etag.add(path_of(source.text))
        stopped_at(3, server, lambda source=source, target=target: objects.encrypt(source, target, keyset, options))
    one, other = Path(options.state).glob("*.plan")
    one.write_bytes(other.read_bytes().splitlines(keepends=True)[0])
    liar.forgotten = {1, 2, 3, 4, 5}
    outcomes = []
    for source, target in ends:
        try:
            objects.encrypt(source, target, keyset, options)
            outcomes.append("made")
        except runnel.Error as error:
            outcomes.append(str(error).rpartition(" or ")[2].partition(" ")[2])
    assert sorted(outcomes) == ["made", "was changed; --restart starts over"]
    check_no_part_twice(liar)


def test_an_upload_that_is_claimed_to_be_complete(upload, server, liar):
    """By a store that has taken all parts and says then that it knows no such upload: there is no object, or another."""
    upload.set(LONG)
    with server.failing(lambda request: "403" if request.completes else None), pytest.raises(PermissionError):
        upload.call()
    liar.no_upload = True
    path = path_of(upload.target)
    if upload.verb != "rotate":
        liar.objects[path] = bytes(len(LONG))
        with pytest.raises(FileExistsError):
            upload.call()
        del liar.objects[path]
    with contextlib.suppress(runnel.Error, OSError):
        upload.call()
    liar.no_upload = False
    upload.check_no_part_twice()
    upload.call(restart=True)
    assert upload.plaintext_written() == LONG
    upload.check_no_part_twice()


def swapped_while_read(server, liar, path, data):
    """Make the store answer the first requests from one object, and the others from another."""
    asked = []

    def swap(request):
        if request.path == path and request.method == "GET":
            asked.append(request)
            if len(asked) == 4:
                liar.objects[path] = data

    return server.failing(swap)


@pytest.mark.parametrize("verb", ["decrypt", "decrypt to a file", "verify", "cat", "rotate"])
def test_a_sealed_object_that_is_swapped_while_it_is_read(verb, server, liar, store, keyset, options, tmp_path):
    """Both are authentic, and of one size; a mixture of them is not."""
    where = f"{store}/sealed"
    path = path_of(where)
    liar.same_etag.add(path)
    liar.objects[path], other = sealed(LONG, keyset, tmp_path), sealed(OTHER, keyset, tmp_path)
    single_thread = replace(options, threads=1)
    calls = {
        "decrypt": lambda: objects.decrypt(parse(where), parse(f"{store}/out"), keyset, single_thread),
        "decrypt to a file": lambda: objects.decrypt(parse(where), parse(str(tmp_path / "out")), keyset, single_thread),
        "verify": lambda: objects.verify(parse(where), keyset, single_thread),
        "cat": lambda: b"".join(map(bytes, objects.cat(parse(where), keyset, single_thread))),
        "rotate": lambda: objects.rotate(parse(where), keyset_with_another_first(keyset), single_thread),
    }
    with swapped_while_read(server, liar, path, other), pytest.raises(runnel.AuthenticationError):
        calls[verb]()
    assert liar.objects[path] == other and path_of(f"{store}/out") not in liar.objects
    assert not (tmp_path / "out").exists() and not liar.uploads


@pytest.mark.parametrize("by", [-1, 1, -(1 << 20), 1 << 20, -len(LONG)])
@pytest.mark.parametrize("verb", ["decrypt", "verify", "cat", "rotate"])
def test_a_size_that_is_a_lie(verb, by, liar, store, keyset, options, tmp_path):
    where = f"{store}/sealed"
    path = path_of(where)
    liar.objects[path] = sealed(LONG, keyset, tmp_path)
    liar.size[path] = len(liar.objects[path]) + by
    calls = {
        "decrypt": lambda: objects.decrypt(parse(where), parse(f"{store}/out"), keyset, options),
        "verify": lambda: objects.verify(parse(where), keyset, options),
        "cat": lambda: b"".join(map(bytes, objects.cat(parse(where), keyset, options))),
        "rotate": lambda: objects.rotate(parse(where), keyset_with_another_first(keyset), options),
    }
    with pytest.raises(runnel.Error):
        calls[verb]()
    assert list(liar.objects) == [path] and not liar.uploads


@pytest.mark.parametrize("verb", ["encrypt", "decrypt", "verify", "rotate"])
def test_a_listing_that_lies(verb, liar, store, keyset, options, tmp_path):
    """About sizes and ETags: each object is made of what it is. Names that nobody has fail, each alone."""
    texts = {"a": b"short", "b": b"", "c": LONG}
    for name, text in texts.items():
        liar.objects[path_of(f"{store}/in/{name}")] = text if verb == "encrypt" else sealed(text, keyset, tmp_path)
    sizes = {"in/a": 6 * PART, "in/b": 1, "in/c": 0}
    liar.listed = lambda entries: [
        *((key, sizes.get(key, size), '"the same"') for key, size, _ in entries),
        *(() if entries and entries[0][0].startswith("out/") else [("in/nobody", 3, '"x"')]),
    ]
    keys = keyset_with_another_first(keyset) if verb == "rotate" else keyset
    target = parse(f"{store}/out/") if verb in ("encrypt", "decrypt") else None
    manifest = Manifest()
    with pytest.raises(runnel.Error, match="1 of 4 objects failed"):
        many.Job(verb, parse(f"{store}/in/"), target, keys, options).run(manifest)
    assert manifest.failures == ["nobody"]
    for name, text in texts.items():
        sealed_object = liar.objects[path_of(f"{store}/{'in' if target is None else 'out'}/{name}")]
        assert (sealed_object if verb == "decrypt" else unseal(keys, sealed_object)) == text
    if liar.received:
        check_no_part_twice(liar)


def test_ls_shows_what_the_store_says(liar, store):
    """It has no other source, reads no object and promises nothing of them."""
    liar.objects[path_of(f"{store}/in/a")] = b"short"
    liar.listed = lambda entries: [(key, 77, etag) for key, _, etag in entries]
    assert [(each.name, each.size) for each in listing(parse(f"{store}/in/"))] == [("a", 77)]


def test_the_etag_of_a_small_object_guards_nothing(liar, store, keyset, options):
    """Each attempt to make one draws a header of its own."""
    source, target = parse(f"{store}/source"), parse(f"{store}/target")
    path = path_of(source.text)
    liar.same_etag.add(path)
    sealed_object = []
    for text in (b"one text", b"another!"):
        liar.objects[path] = text
        objects.encrypt(source, target, keyset, replace(options, force=True))
        sealed_object.append(liar.objects[path_of(target.text)])
        assert unseal(keyset, sealed_object[-1]) == text and reader_of(source).identity() == (8, '"the same"')
    assert sealed_object[0][:24] != sealed_object[1][:24]
    assert Path(options.state).exists() is False or not os.listdir(options.state)
