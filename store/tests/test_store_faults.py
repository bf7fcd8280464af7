# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A store that fails, answers too little or too late: asked again or refused, and nothing is left behind."""

import contextlib
import errno
import gc
import itertools
import os
import signal
import threading
import time
import types
import weakref
from dataclasses import replace

import pytest
import runnel
from botocore.exceptions import ClientError
from runnel.inputs import Inputs
from runnel.output import OutputFile
from runnel_store import errors, executors, objects, readers, waiting
from runnel_store.errors import TransientError
from runnel_store.readers import reader_of
from runnel_store.resume import Journal
from runnel_store.uploads import FileUpload, S3Upload
from runnel_store.urls import parse
from sealed_files import in_a_child, unseal
from store_objects import (  # noqa: F401  # fixtures
    LONG,
    PART,
    content,
    keyfile,
    keyset,
    keyset_with_another_first,
    killed,
    long,
    options,
    put,
    server,
    store,
    uploads,
)
from store_server import times


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


def test_an_answer_that_is_lost_after_the_upload_was_complete(server, store, options, keyset, long):
    with server.failing(times(1, lambda request: request.completes, "cut after")):
        objects.encrypt(long, parse(f"{store}/sealed"), keyset, options)
    assert unseal(keyset, content(f"{store}/sealed")) == LONG and uploads(store) == []


def test_an_upload_that_is_over_because_it_was_completed(server, store, options, keyset, long):
    """Without a condition the store says that there is no such upload."""
    options = replace(options, force=True)
    completions = times(1, lambda request: request.completes, "cut after")
    with server.failing(lambda request: completions(request) or ("404" if request.completes else None)):
        objects.encrypt(long, parse(f"{store}/sealed"), keyset, options)
    assert unseal(keyset, content(f"{store}/sealed")) == LONG and not os.listdir(options.state)
    with server.failing(lambda request: "404" if request.completes else None), pytest.raises(FileNotFoundError):
        objects.encrypt(long, parse(f"{store}/sealed"), keyset, replace(options, restart=True))


def test_slow_progress_has_time_and_silence_is_noticed(server, store, monkeypatch):
    monkeypatch.setattr(readers, "_SILENT_SECONDS", 0.5)
    readers._store.cache_clear()
    with server.failing(lambda request: 1.0 if request.method == "PUT" else "slow"):
        put(f"{store}/plain", LONG[:100_000])
        before = time.monotonic()
        assert content(f"{store}/plain") == LONG[:100_000]
        assert time.monotonic() - before > 1
    with server.failing(times(1, lambda request: request.method == "GET", 30.0)):
        before = time.monotonic()
        assert content(f"{store}/plain") == LONG[:100_000]
        assert time.monotonic() - before < 15


def test_the_time_to_send_grows_with_what_is_sent(store):
    limits = [readers.store_of(parse(f"{store}/x"), sent=16 << each).client_options for each in (10, 20, 28)]
    assert [int(each["timeout"].rstrip("s")) for each in limits] == [388, 4414, 1_099_631]
    assert all(each["connect_timeout"] == "10s" for each in limits)


@pytest.mark.parametrize("method", ["GET", "PUT"])
def test_a_command_ends_though_the_store_says_nothing(method, server, store, keyset, tmp_path):
    """obstore, which waits, hears of no signal."""
    put(f"{store}/plain", b"x")
    reached = threading.Event()
    answered = threading.Event()

    def hold(request):
        if request.method == method:
            reached.set()
            answered.wait(60)

    with server.failing(hold):
        process = killed(
            tmp_path, "store", "encrypt", "-k", keyfile(keyset, tmp_path), f"{store}/plain", f"{store}/sealed"
        )
        assert reached.wait(60)
        time.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        try:
            assert process.wait(20) == 143 and process.stderr.read() == b"runnel: terminated\n"
        finally:
            process.kill()
            answered.set()


def test_requests_of_the_main_thread_share_another(monkeypatch):
    """A new one for each would cost as much as a tenth of the request."""
    start, started = threading.Thread.start, []
    monkeypatch.setattr(threading.Thread, "start", lambda thread: started.append(thread) or start(thread))
    seen = {waiting.run_interruptible(threading.get_ident) for _ in range(10)}
    assert len(seen) == 1 and threading.get_ident() not in seen and len(started) <= 1


def test_a_process_that_was_forked_waits_for_no_thread_of_the_other():
    assert waiting.run_interruptible(lambda: 1) == 1

    def ask():
        signal.alarm(20)  # which ends it
        return waiting.run_interruptible(lambda: 7)

    assert in_a_child(ask) == "7"


def test_what_a_request_was_to_send_is_not_kept():
    """Neither by its error, until somebody collects garbage, nor by the thread that waits for the next one."""

    class Sent:
        pass

    def request(error):
        sent = Sent()
        kept.append(weakref.ref(sent))

        def send():
            assert sent
            if error:
                raise OSError("no answer")

        with contextlib.suppress(OSError):
            waiting.run_interruptible(send)

    kept = []
    gc.disable()
    try:
        for error in (False, True):
            request(error)
        until = time.monotonic() + 10
        while any(each() is not None for each in kept) and time.monotonic() < until:
            time.sleep(0.01)
        assert [each() for each in kept] == [None, None]
    finally:
        gc.enable()


def test_a_request_ends_wherever_a_signal_ends_the_wait_for_it(monkeypatch):
    """As while its thread begins."""
    start = threading.Thread.start
    stopped, sent = threading.Event(), threading.Event()

    def interrupted(thread):
        start(thread)
        raise KeyboardInterrupt

    def send():
        if not stopped.wait(0.2):
            sent.set()

    monkeypatch.setattr(waiting, "_idle", [], raising=False)
    monkeypatch.setattr(threading.Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        waiting.run_interruptible(send, stopped.set)
    assert not sent.wait(0.5)


def test_a_target_that_comes_meanwhile_is_kept_by_a_store_that_does_not_look(
    server, store, options, keyset, long, monkeypatch
):
    complete = S3Upload.complete
    monkeypatch.setattr(S3Upload, "complete", lambda self, etags, force, replaced=None: complete(self, etags, True))

    def put_it(request):
        if request.part == 2:
            put(f"{store}/sealed", b"theirs")

    with server.failing(put_it), pytest.raises(FileExistsError):
        objects.encrypt(long, parse(f"{store}/sealed"), keyset, options)
    assert content(f"{store}/sealed") == b"theirs"


def test_an_upload_whose_plan_cannot_be_written_is_given_up(store, options, keyset, long, monkeypatch):
    """Without a plan, the upload would be lost."""

    def full(self, version, plan):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), self.path)

    monkeypatch.setattr(Journal, "begin", full)
    with pytest.raises(OSError, match="No space"):
        objects.encrypt(long, parse(f"{store}/sealed"), keyset, options)
    assert not uploads(store) and not os.listdir(options.state)


@pytest.mark.parametrize("name", ["a/../b", "./b", "a\nb", "a\x7fb"])
def test_a_name_that_could_not_be_read_is_not_written(name, server, store, options, keyset, long):
    """botocore, which uploads, would take it; obstore, which reads, does not."""
    with server.counting() as requests, pytest.raises(runnel.Error, match="Could not parse path"):
        objects.encrypt(long, parse(f"{store}/{name}"), keyset, replace(options, force=True))
    assert not requests


def test_a_bucket_that_is_missing_or_impossible_is_named(store, options, keyset, long, tmp_path):
    (tmp_path / "small").write_bytes(b"x")
    for source in (long, parse(str(tmp_path / "small"))):
        with pytest.raises(FileNotFoundError, match="no such bucket"):
            objects.encrypt(source, parse("s3://no-such-bucket/x"), keyset, options)
    with pytest.raises(FileNotFoundError, match="no such bucket"):
        list(readers.listing(parse("s3://no-such-bucket/")))
    with pytest.raises(FileNotFoundError, match="no such object"):
        reader_of(parse(f"{store}/NoSuchBucket"))
    answer = {"Error": {"Code": "NoSuchUpload"}, "ResponseMetadata": {"HTTPStatusCode": 404}}
    with pytest.raises(FileNotFoundError, match="upload no longer exists"), errors.translate_errors("s3://bucket/x"):
        raise ClientError(answer, "UploadPart")
    with pytest.raises(runnel.Error, match='bucket name "bad!bucket"'):
        list(readers.listing(parse("s3://bad!bucket/")))


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
    monkeypatch.setattr("runnel_store.errors.ATTEMPTS", 3)
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


@pytest.mark.parametrize("verb", ["encrypt", "rotate"])
@pytest.mark.parametrize("size", [1000, 100_000])
@pytest.mark.parametrize("fault", ["500 after", "cut after"])
def test_an_object_whose_answer_was_lost_is_written(fault, verb, size, server, store, options, keyset):
    """The library sends it again then, and finds it there."""
    put(f"{store}/plain", LONG[:size])
    where = parse(f"{store}/sealed")
    if verb == "rotate":
        objects.encrypt(parse(f"{store}/plain"), where, keyset, options)
        keyset = keyset_with_another_first(keyset)
    written = []

    def write_and_fail(request):
        """Answer as a store that did it, and failed then."""
        if request.method == "PUT" and not written:
            written.append(request)
            return fault
        return None

    with server.counting() as requests, server.failing(write_and_fail):
        if verb == "rotate":
            assert objects.rotate(where, keyset, options).changed
        else:
            etag = objects.encrypt(parse(f"{store}/plain"), where, keyset, options).etag
            assert etag == reader_of(where).identity()[1]
    assert len([each for each in requests if each.method == "PUT"]) == 2
    assert unseal(runnel.Keyset(keyset.primary, (keyset.primary,)), content(where.text)) == LONG[:size]
    with pytest.raises(FileExistsError):
        objects.encrypt(parse(f"{store}/plain"), where, keyset, options)


def test_an_object_of_the_same_plaintext_is_not_taken_for_the_new_one(store, options, keyset):
    put(f"{store}/plain", b"x")
    ends = parse(f"{store}/plain"), parse(f"{store}/sealed")
    objects.encrypt(*ends, keyset, options)
    with pytest.raises(FileExistsError):
        objects.encrypt(*ends, keyset, options)
    put(f"{store}/again", b"x")
    with pytest.raises(FileExistsError):
        objects.decrypt(parse(f"{store}/sealed"), parse(f"{store}/again"), keyset, options)


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


@pytest.mark.parametrize("most", [0, 1, 3])
def test_a_system_that_starts_no_more_threads(most, monkeypatch):
    """The work continues with those that there are, if need be the one that is there always."""
    start, started = threading.Thread.start, []

    def limited(thread):
        if len(started) == most:
            raise RuntimeError("can't start new thread")
        start(thread)
        started.append(thread)

    monkeypatch.setattr(threading.Thread, "start", limited)
    assert list(executors.in_order(8, lambda n: n * n, range(100))) == [n * n for n in range(100)]
    assert len(started) == most
    with pytest.raises(ZeroDivisionError):
        list(executors.in_order(8, lambda n: 1 // n, range(100)))


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
