# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Objects in a store: every byte against the local file's, every fault survived or refused, nothing lost."""

import hashlib
import itertools
import json
import os
import random
import signal
import subprocess
import threading
import time
import types
from dataclasses import replace

import pytest
import runnel
from cli_program import PROGRAM, accepted
from runnel.inputs import Inputs
from runnel.output import OutputFile
from runnel.sealed.formats import TEMPLATES
from runnel.sealed.gcm_hkdf import GcmHkdf
from runnel.sealed.keyset import Key
from runnel.store import errors, objects, parts, plan, readers
from runnel.store.errors import ChangedError, TransientError
from runnel.store.objects import Options
from runnel.store.readers import reader_of
from runnel.store.uploads import FileUpload, put_whole
from runnel.store.urls import parse
from runnel.store.work import KeyPlace, Work, Worker, fingerprint, worker_of
from sealed_files import ONE_OF_EACH, SMALL, borders, keyset_of, unseal
from store_server import Server, times

PART = 5 << 20
LONG = random.Random(1).randbytes(4 * PART + 12_345)


@pytest.fixture(scope="module")
def server():
    made = Server()
    yield made
    made.close()


@pytest.fixture
def store(server, monkeypatch, tmp_path):
    """A bucket of its own for each test; the state of commands is beside it."""
    for name, value in server.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("runnel.store.errors._PAUSE_SECONDS", 0.01)
    for cached in (readers.s3_client, readers._session, readers._store):
        cached.cache_clear()
    bucket = f"bucket-{hashlib.sha256(os.fsencode(tmp_path)).hexdigest()[:12]}"
    readers.s3_client().create_bucket(Bucket=bucket)
    return f"s3://{bucket}"


@pytest.fixture
def keyset():
    return runnel.Keyset.generate("AES128_GCM_HKDF_1MB")


@pytest.fixture
def options(tmp_path):
    return Options(part_bytes=PART, state=str(tmp_path / "state"), threads=2)


@pytest.fixture
def long(tmp_path):
    (tmp_path / "long").write_bytes(LONG)
    return parse(str(tmp_path / "long"))


def content(url: str) -> bytes:
    reader = reader_of(parse(url))
    return bytes(reader.read(0, reader.size))


def put(url: str, data: bytes) -> None:
    put_whole(parse(url), data, force=True)


def names(url: str) -> list[str]:
    return sorted(each.name for each in readers.listing(parse(url)))


def uploads(url: str) -> list:
    return readers.s3_client().list_multipart_uploads(Bucket=parse(url).bucket).get("Uploads", [])


def parts_sent(requests) -> list[int]:
    return sorted(each.part for each in requests if each.part is not None)


def stopped(server, source, target, keyset, options) -> str:
    """An upload of which the store has parts 1 and 2, and refused the third; returns the path of its plan."""
    with server.failing(lambda request: "403" if request.part == 3 else None), pytest.raises(PermissionError):
        objects.encrypt(source, target, keyset, replace(options, threads=1))
    (name,) = os.listdir(options.state)
    return os.path.join(options.state, name)


def sealing(source, keyset) -> tuple[readers.Reader, Work]:
    """A file and the work of sealing it, as one process hands it to others."""
    reader, key = reader_of(source), keyset.primary
    header = key.new_file(b"").header
    check = fingerprint(key, header, b"")
    return reader, Work("seal", source, reader.identity(), reader.size, b"", None, key.key_id, header, check)


@pytest.mark.parametrize("name", SMALL)
def test_parts_are_the_file_whatever_they_are(name):
    """Every way to cut a file, and back."""
    p = SMALL[name]
    keyset = keyset_of(p)
    for size in borders(p, 5):
        plaintext = random.randbytes(size)

        def read(start, end, plaintext=plaintext):
            return plaintext[start:end]

        keys = keyset.primary.new_file(b"a")
        count = p.segments(size)
        for step in range(1, count + 1):
            made = b"".join(
                bytes(parts.seal(keys, first, min(first + step, count), size, read, step % 2 == 0))
                for first in range(0, count, step)
            )
            assert unseal(keyset, made, b"a") == plaintext


@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("plain", [False, True])
def test_a_cut_keeps_the_rules_of_multipart_uploads(template, plain):
    p = TEMPLATES[template]
    for size in (0, 1, PART, PART + 1, 20 * PART + 7, 3 << 40, 40 << 40):
        if p.segments(size) > p.segments_max:
            continue
        cut = plan.cut(p, size, PART, plain=plain)
        assert 1 <= cut.parts <= plan.PARTS_MAX
        at = p.plaintext_at if plain else p.sealed_at
        assert cut.part(1).first == 0 and cut.part(cut.parts).after == p.segments(size)
        if cut.parts > 1:
            first, other = cut.part(1), cut.part(2)
            assert at(first.after) >= PART
            assert cut.parts == 2 or PART <= at(other.after) - at(other.first) <= plan.PART_BYTES_MAX


def test_a_cut_is_never_below_what_a_store_takes():
    """Also where parts of 5 MiB are whole segments, of which the first one holds less, and where shorter ones are asked
    for; an object that is too long for any store is refused before anything is read."""
    p = GcmHkdf(segment_bytes=(1 << 16) + 16, derived_key_bytes=16)
    for asked in (1, PART):
        for plain in (False, True):
            cut = plan.cut(p, 4 * PART, asked, plain=plain)
            assert (p.plaintext_at if plain else p.sealed_at)(cut.part(1).after) >= PART
            assert cut.part(cut.parts).after == p.segments(4 * PART)
    with pytest.raises(runnel.Error, match="an object"):
        plan.cut(TEMPLATES["AES128_GCM_HKDF_1MB"], plan.OBJECT_BYTES_MAX, PART)


@pytest.mark.parametrize("template", ONE_OF_EACH)
def test_there_and_back(template, store, options, long, tmp_path):
    keyset = runnel.Keyset.generate(template)
    target = parse(f"{store}/folder/sealed")
    objects.encrypt(long, target, keyset, options)
    sealed = content(str(target))
    assert unseal(keyset, sealed) == LONG, "what a store holds is the file"
    assert len(sealed) == keyset.primary.parameters.sealed_bytes(len(LONG))
    objects.decrypt(target, parse(str(tmp_path / "again")), keyset, options)
    assert (tmp_path / "again").read_bytes() == LONG
    objects.decrypt(target, parse(f"{store}/plain"), keyset, options)
    assert content(f"{store}/plain") == LONG
    objects.encrypt(parse(f"{store}/plain"), parse(str(tmp_path / "sealed")), keyset, options)
    assert unseal(keyset, (tmp_path / "sealed").read_bytes()) == LONG
    assert objects.verify(target, keyset, options) == len(LONG)
    assert names(f"{store}/") == ["folder/sealed", "plain"] and not uploads(store)
    assert not os.listdir(tmp_path / "state")


@pytest.mark.parametrize("template", ONE_OF_EACH)
def test_a_rotation_between_keys_of_one_kind(template, store, options, tmp_path):
    """Both come into question for every object; the one that fits is found."""
    old, new = (runnel.Keyset.generate(template).primary for _ in range(2))
    (tmp_path / "plain").write_bytes(LONG[:100_000])
    where = parse(f"{store}/x")
    objects.encrypt(parse(str(tmp_path / "plain")), where, runnel.Keyset(old, (old,)), options)
    both = runnel.Keyset(new, (new, old))
    assert objects.rotate(where, both, options) and not objects.rotate(where, both, options)
    assert unseal(runnel.Keyset(new, (new,)), content(str(where))) == LONG[:100_000]


@pytest.mark.parametrize("size", [1000, len(LONG)])  # in one request, and in parts
def test_a_rotation_replaces_nothing_but_what_it_read(size, server, store, options, keyset, tmp_path):
    """The store is told which object that was: somebody may write one after the last look at it."""
    (tmp_path / "plain").write_bytes(LONG[:size])
    where = parse(f"{store}/x")
    objects.encrypt(parse(str(tmp_path / "plain")), where, keyset, options)
    _, etag = reader_of(where).identity()
    with server.counting() as requests:
        assert objects.rotate(where, keyset_with_another_first(keyset), options)
    (last,) = [each for each in requests if each.completes or (each.method == "PUT" and each.part is None)]
    assert last.if_match == etag


def test_what_runnel_and_tink_write_is_read(store, options, keyset, tmp_path):
    (tmp_path / "plain").write_bytes(LONG)
    runnel.encrypt_file(tmp_path / "plain", tmp_path / "sealed", keyset, aad=b"x")
    put(f"{store}/sealed", (tmp_path / "sealed").read_bytes())
    options = Options(aad=b"x", part_bytes=PART, threads=2)
    assert b"".join(map(bytes, objects.cat(parse(f"{store}/sealed"), keyset, options))) == LONG


def test_peers_open_what_a_store_holds(store, options, long):
    from cryptography import cobblestone
    from test_tink_peer import cleartext_keyset_handle, google, google_open

    keyset = runnel.Keyset.generate("cobblestone-256")
    objects.encrypt(long, parse(f"{store}/a"), keyset, options)
    theirs = cobblestone.Cobblestone256Decryptor(keyset.primary.secret, b"")
    assert theirs.update(content(f"{store}/a")) + theirs.finalize() == LONG
    keyset = runnel.Keyset.generate("AES256_CTR_HMAC_SHA256_1MB")
    objects.encrypt(long, parse(f"{store}/b"), keyset, options)
    handle = cleartext_keyset_handle.read(google.JsonKeysetReader(keyset.to_json()))
    assert google_open(handle, content(f"{store}/b"), b"") == LONG


def test_a_range_costs_two_requests_and_the_check_of_the_end_one(server, store, options, keyset, long):
    where = parse(f"{store}/sealed")
    objects.encrypt(long, where, keyset, options)
    for check_end, count in ((True, 3), (False, 2)):
        with server.counting() as requests:
            got = b"".join(map(bytes, objects.cat(where, keyset, options, 9_000_000, 9_000_100, check_end=check_end)))
        assert got == LONG[9_000_000:9_000_100] and len(requests) == count, requests
    for _ in range(20):
        start, end = sorted(random.choices(range(len(LONG) + 1), k=2))
        assert b"".join(map(bytes, objects.cat(where, keyset, options, start, end))) == LONG[start:end]


def test_damage_is_refused_and_nothing_is_released(store, options, keyset, long, tmp_path):
    where = f"{store}/sealed"
    objects.encrypt(long, parse(where), keyset, options)
    good = content(where)
    p = keyset.primary.parameters
    swapped = bytearray(good)
    one, two = (slice(p.sealed_at(n), p.sealed_at(n + 1)) for n in (3, 9))
    swapped[one], swapped[two] = good[two], good[one]
    foreign = unseal_header_of(keyset) + good[p.header_bytes :]
    for bad in (good[: p.sealed_at(7)], good[:-1], good + b"\0", bytes(swapped), foreign, good[: p.header_bytes]):
        put(where, bad)
        for call in (
            lambda: objects.verify(parse(where), keyset, options),
            lambda: objects.decrypt(parse(where), parse(str(tmp_path / "out")), keyset, options),
            lambda: objects.decrypt(parse(where), parse(f"{store}/out"), keyset, options),
            lambda: objects.rotate(parse(where), keyset_with_another_first(keyset), options),
        ):
            with pytest.raises(runnel.AuthenticationError):
                call()
        assert content(where) == bad
    assert not [each for each in os.listdir(tmp_path) if "out" in each] and names(f"{store}/") == ["sealed"]


def unseal_header_of(keyset):
    return keyset.primary.new_file(b"").header


def keyset_with_another_first(keyset):
    new = runnel.Keyset.generate("cobblestone-128").primary
    return runnel.Keyset(new, (new, *keyset.keys))


def test_nothing_is_overwritten_unasked(server, store, options, keyset, long, tmp_path):
    where = f"{store}/there"
    put(where, b"precious")
    short = tmp_path / "short"
    short.write_bytes(b"short")
    for source in (long, parse(str(short))):
        with server.counting() as requests, pytest.raises(FileExistsError):
            objects.encrypt(source, parse(where), keyset, options)
        assert not parts_sent(requests), "a long object is not sent in vain"
    assert content(where) == b"precious"
    put(f"{store}/other", b"")

    def arrives(request):  # somebody else's object comes while ours is uploaded
        if request.completes:
            server.fault = None
            put(f"{store}/late", b"precious")

    with server.failing(arrives), pytest.raises(FileExistsError):
        objects.encrypt(long, parse(f"{store}/late"), keyset, options)
    assert content(f"{store}/late") == b"precious"
    objects.encrypt(long, parse(where), keyset, Options(part_bytes=PART, force=True, state=options.state))
    assert unseal(keyset, content(where)) == LONG


def test_the_output_is_not_the_input_in_any_spelling(store, keyset, long, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.symlink("long", tmp_path / "link")
    os.link(tmp_path / "long", tmp_path / "hard")
    put(f"{store}/a", LONG)
    options = Options(part_bytes=PART, force=True, state=str(tmp_path / "state"))
    spellings = [(long.text, other) for other in ("long", "./long", "link", "hard", f"file://{tmp_path}/./long")]
    spellings += [("link", long.text), (f"{store}/a", f"{store}/a"), (f"{store}/a", f"S3{store[2:]}/a")]
    for source, target in spellings:
        with pytest.raises(ValueError, match="is the input"):
            objects.encrypt(parse(source), parse(target), keyset, options)
    assert (tmp_path / "long").read_bytes() == LONG == content(f"{store}/a")


@pytest.mark.parametrize("what", ["drop", "cut", *(pytest.param(w, marks=pytest.mark.campaign) for w in ("500", 0.3))])
def test_faults_of_the_store_are_survived(what, server, store, options, keyset, long):
    put(f"{store}/plain", LONG)
    if what != "cut":  # of what the store answers
        with server.failing(times(3, lambda request: request.part is not None, what)):
            objects.encrypt(long, parse(f"{store}/sealed"), keyset, options)
    else:
        objects.encrypt(long, parse(f"{store}/sealed"), keyset, options)
    with server.failing(times(3, lambda request: request.method == "GET" and request.range is not None, what)):
        assert b"".join(map(bytes, objects.cat(parse(f"{store}/sealed"), keyset, options))) == LONG
    with server.failing(times(3, lambda request: request.method == "GET", what)):
        objects.encrypt(parse(f"{store}/plain"), parse(f"{store}/again"), keyset, options)
    assert unseal(keyset, content(f"{store}/again")) == LONG


def test_an_answer_that_is_too_short_is_asked_for_again(store, keyset, monkeypatch):
    """Beside what the libraries repeat themselves."""
    put(f"{store}/plain", LONG)
    reader = reader_of(parse(f"{store}/plain"))
    obstore, asked = readers.need("obstore", "store"), []

    def get(where, key, options):
        low, high = options["range"]
        asked.append((low, high))
        return obstore.get(where, key, options={**options, "range": (low, high - 1 if len(asked) < 4 else high)})

    monkeypatch.setattr(reader, "_obstore", type("Short", (), {"get": staticmethod(get)}))
    assert bytes(reader.read(50_000, 60_000)) == LONG[50_000:60_000]
    assert asked == [(50_000, 60_000)] * 4
    asked.clear()
    monkeypatch.setattr("runnel.store.errors.ATTEMPTS", 3)
    with pytest.raises(runnel.Error, match="9999 of 10000 bytes"):
        reader.read(50_000, 60_000)
    assert len(asked) == 3


@pytest.mark.parametrize("status, error", [("400", runnel.Error), ("403", PermissionError), ("404", FileNotFoundError)])
def test_a_refusal_is_not_asked_for_again(status, error, server, store, options, keyset, long):
    """Of an object that is read, whatever its name is, and of a part."""
    put(f"{store}/plain-416", LONG)

    def read(request):
        return request.method == "GET" and request.path.endswith("/plain-416")

    def sent(request):
        return request.part is not None

    for matches, source in ((read, parse(f"{store}/plain-416")), (sent, long)):
        fault = lambda request, matches=matches: status if matches(request) else None  # noqa: E731
        with server.counting() as requests, server.failing(fault), pytest.raises(error):
            objects.encrypt(source, parse(f"{store}/sealed"), keyset, replace(options, threads=1))
        assert len([each for each in requests if matches(each)]) == 1, requests


def test_a_failing_store_is_asked_later_each_time(monkeypatch):
    pauses: list[float] = []
    monkeypatch.setattr(errors, "time", types.SimpleNamespace(sleep=pauses.append))
    failures = [TransientError("once more")] * (errors.ATTEMPTS - 1)

    def call():
        if failures:
            raise failures.pop()
        return "an answer"

    assert errors.retried(call) == "an answer"
    assert len(pauses) == errors.ATTEMPTS - 1 and pauses[0] > 0
    assert all(later >= 2 * pause for pause, later in itertools.pairwise(pauses))


def test_pieces_come_in_order_and_few_of_them_wait(server, store, options, keyset, long):
    """The first is the last that the store gives."""
    where = parse(f"{store}/sealed")
    objects.encrypt(long, where, keyset, options)
    opened = objects.cat(where, keyset, replace(options, threads=2), check_end=False)
    first = f"bytes={keyset.primary.parameters.sealed_at(0)}-"
    asked: list[str] = []
    third, fourth = threading.Event(), threading.Event()
    late: list[bool] = []

    def hold(request):
        if request.range in (None, f"bytes=0-{readers.FIRST_BYTES - 1}"):  # before the pieces, and after them
            return
        asked.append(request.range)
        if len(asked) >= 3:
            (third if len(asked) == 3 else fourth).set()
        if request.range.startswith(first):
            third.wait(10)
            late.append(fourth.wait(0.2))

    with server.failing(hold):
        assert b"".join(map(bytes, opened)) == LONG
    assert late == [False] and len(asked) == 6


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
    alone = replace(options, threads=1)
    make = Worker.make

    def changing(worker, part):
        made = make(worker, part)
        if part.after == plan.cut(worker.keys.parameters, worker.work.size, PART).segments:
            put(worker.work.source.text, random.randbytes(len(LONG)))
        return made

    monkeypatch.setattr(Worker, "make", changing)
    for call in (
        lambda: objects.encrypt(parse(f"{store}/plain"), parse(f"{store}/again"), keyset, alone),
        lambda: objects.encrypt(parse(f"{store}/plain"), parse(str(tmp_path / "out")), keyset, alone),
        lambda: objects.encrypt(
            parse(f"{store}/plain"), parse(f"{store}/whole"), keyset, replace(alone, part_bytes=5 * PART)
        ),
        lambda: objects.verify(parse(f"{store}/sealed"), keyset, alone),
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
    with pytest.raises(runnel.Error, match="not any more"):
        Worker(work, keyset)


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


def keyfile(keyset, tmp_path):
    path = tmp_path / "key.json"
    if not path.exists():
        keyset.save(path)
    return path


def killed(tmp_path, *arguments) -> subprocess.Popen:
    """A command that a fault of the server holds up until it is killed."""
    return subprocess.Popen([*PROGRAM, *map(str, arguments)], stderr=subprocess.PIPE, cwd=tmp_path)


KILLED = {("encrypt", 3), ("decrypt", 1), ("rotate", "complete"), ("encrypt", "completed")}
"""What the short suite has; the campaign has all pairs."""


@pytest.mark.parametrize(
    "verb, moment",
    [
        pytest.param(verb, moment, marks=() if (verb, moment) in KILLED else pytest.mark.campaign)
        for verb in ("encrypt", "decrypt", "rotate")
        for moment in (1, 3, "complete", "completed")
    ],
)
def test_a_killed_command_is_taken_up(verb, moment, server, store, keyset, long, tmp_path):
    both = keyset_with_another_first(keyset) if verb == "rotate" else keyset
    where = f"{store}/sealed"
    runnel.encrypt_file(long.key, tmp_path / "sealed", keyset)
    put(where, (tmp_path / "sealed").read_bytes())
    ends = {"encrypt": [long.key, f"{store}/target"], "decrypt": [where, f"{store}/target"], "rotate": [where]}[verb]
    command = ["store", verb, "--key", keyfile(both, tmp_path), "--part", "5M", "--threads", 2, *ends]
    reached = []

    def stop(request):
        if (request.completes and moment in ("complete", "completed")) or request.part == moment:
            reached.append(request)
            if moment != "completed":
                return 60.0 if not reached[1:] else None
            process.send_signal(signal.SIGSTOP)  # it never hears that the store has completed its object
        return None

    with server.counting() as first, server.failing(stop):
        process = killed(tmp_path, *command)
        deadline = time.monotonic() + 30
        while not reached and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.3)
        process.kill()
        process.wait()
    assert reached, process.stderr.read()
    if verb != "rotate" and moment != "completed":
        assert names(f"{store}/") == ["sealed"], "nothing has the name before all is there"
    done = {request.part for request in first if request.part is not None}
    with server.counting() as second:
        accepted(*command)
    again = [request.part for request in second if request.part is not None]
    if verb != "rotate" or moment != "completed":  # then it is under the primary key already
        assert len(set(again) & done) <= 2 and len(again) == len(set(again)), (done, again)
    target = {"rotate": where}.get(verb, f"{store}/target")
    plaintext = content(target) if verb == "decrypt" else unseal(both, content(target))
    assert plaintext == LONG
    state = tmp_path / "state" / "runnel" / "store"
    assert not os.listdir(state)


def test_a_plan_that_was_changed_is_refused(store, options, keyset, long, server):
    """With another source's identity in it, the header would meet other plaintext."""
    target = parse(f"{store}/sealed")
    path = stopped(server, long, target, keyset, options)
    with open(path) as file:
        lines = file.read().splitlines()
    first = json.loads(lines[0])

    def refused(*changed):
        with open(path, "w") as file:
            file.write("\n".join([*changed, *lines[1:]]) + "\n")
        with server.counting() as requests, pytest.raises(runnel.Error, match=r"--restart begins anew$"):
            objects.encrypt(long, target, keyset, options)
        assert not parts_sent(requests), changed

    for line in ('{"part":[],"etag":""}', '{"part":3,"etag":5}', '{"part":3}', "{}", "[]", "5", "no JSON"):
        refused(lines[0], line)
    for change in ({"per_part": 1}, {"header": 5}, {"upload": None}):
        refused(json.dumps(first | change))
    refused('{"version":1}')
    refused("[]")
    with open(long.key, "r+b") as file:
        file.write(b"!")
    refused(json.dumps(first | {"identity": list(reader_of(long).identity())}))


def test_a_line_of_a_plan_that_was_cut_counts_for_nothing(store, options, keyset, long, server):
    """As a power cut leaves it: that part is sent again."""
    target = parse(f"{store}/sealed")
    path = stopped(server, long, target, keyset, options)
    os.truncate(path, os.path.getsize(path) - 5)
    with server.counting() as requests:
        objects.encrypt(long, target, keyset, options)
    assert parts_sent(requests) == [2, 3, 4, 5]
    assert unseal(keyset, content(target.text)) == LONG


def test_a_part_that_is_not_the_noted_one_is_sent_again(store, options, keyset, long, server):
    """Somebody else's, or one of an earlier attempt that came late."""
    target = parse(f"{store}/sealed")
    stopped(server, long, target, keyset, options)
    (upload,) = uploads(store)
    names_of_it = {"Bucket": target.bucket, "Key": target.key, "UploadId": upload["UploadId"]}
    readers.s3_client().upload_part(**names_of_it, PartNumber=1, Body=bytes(PART))
    with server.counting() as requests:
        objects.encrypt(long, target, keyset, options)
    assert parts_sent(requests) == [1, 3, 4, 5]
    assert unseal(keyset, content(target.text)) == LONG


def test_two_commands_are_not_at_one_work(store, options, keyset, long, server):
    """They would send parts of two uploads under one plan."""
    target = parse(f"{store}/sealed")
    said = []

    def second(request):
        if request.part is not None:
            server.fault = None
            with pytest.raises(runnel.Error) as caught:
                objects.encrypt(long, target, keyset, options)
            said.append(str(caught.value))

    with server.failing(second):
        objects.encrypt(long, target, keyset, replace(options, threads=1))
    assert len(said) == 1 and said[0].endswith("another process is at the same work")
    assert unseal(keyset, content(target.text)) == LONG


def test_nothing_is_left_of_a_decryption_that_failed(store, options, keyset, long, tmp_path):
    runnel.encrypt_file(long.key, tmp_path / "sealed", keyset)
    damaged = bytearray((tmp_path / "sealed").read_bytes())
    damaged[3 * PART] ^= 1
    put(f"{store}/sealed", bytes(damaged))
    with pytest.raises(runnel.AuthenticationError):
        objects.decrypt(parse(f"{store}/sealed"), parse(f"{store}/out"), keyset, options)
    assert not uploads(store) and not os.listdir(options.state)


def test_a_thread_that_is_late_writes_to_no_other_file(tmp_path):
    """After the error of another part, the number of the output's descriptor is the next output's."""
    with OutputFile(tmp_path / "one", inputs=Inputs()) as out:
        late = FileUpload(out.fileno(), "one")
    with OutputFile(tmp_path / "two", inputs=Inputs()) as out:
        late.put(1, 0, bytearray(b"of one"))
        out.commit()
    assert (tmp_path / "two").read_bytes() == b""


def test_a_fingerprint_is_of_the_key_and_all_that_it_says(keyset):
    key, other = keyset.primary, runnel.Keyset.generate("AES128_GCM_HKDF_1MB").primary
    seen = [fingerprint(key, b"h", b"a"), fingerprint(key, b"h", b"b"), fingerprint(key, b"g", b"a")]
    assert len({*seen, fingerprint(other, b"h", b"a"), fingerprint(key, b"ha", b"")}) == 5


def test_a_file_that_changes_while_its_part_is_sealed(keyset, long, monkeypatch):
    reader, work = sealing(long, keyset)

    def changing(*arguments):
        made = parts.seal(*arguments)
        with open(long.key, "r+b") as file:
            file.write(b"!")
        return made

    monkeypatch.setattr("runnel.store.work.seal", changing)
    with pytest.raises(runnel.Error, match="changed while it was read"):
        Worker(work, keyset, reader).make(plan.cut(keyset.primary.parameters, reader.size, PART).part(2))


def test_a_file_that_becomes_shorter_is_noticed(long):
    reader = reader_of(long)
    os.truncate(long.key, PART)
    with pytest.raises(runnel.Error, match="became shorter"):
        reader.read(PART - 1, PART + 1)


def test_an_object_that_became_shorter_is_told_as_changed(store):
    """Which the store finds out by the ETag, before it looks at the range."""
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
