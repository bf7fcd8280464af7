# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Work that was stopped: taken up where it was, by nobody else, and only as it was noted."""

import errno
import json
import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
import runnel
from cli_program import accepted
from runnel_store import objects, readers
from runnel_store.readers import reader_of
from runnel_store.resume import Journal
from runnel_store.urls import parse
from sealed_files import unseal
from store_objects import (  # noqa: F401  # fixtures
    LONG,
    PART,
    content,
    keyfile,
    keyset,
    keyset_with_another_first,
    killed,
    long,
    names,
    options,
    parts_sent,
    put,
    server,
    stopped,
    store,
    uploads,
)

KILLED = {("encrypt", 3), ("decrypt", 1), ("rotate", "complete"), ("encrypt", "completed")}
"""Pairs in the short suite; the campaign has all pairs."""


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
        with server.counting() as requests, pytest.raises(runnel.Error, match=r"--restart starts over$"):
            objects.encrypt(long, target, keyset, options)
        assert not parts_sent(requests), changed

    good, other = {"part": 3, "sealed": 32 * "00", "etag": ""}, {"sealed": 32 * "11"}
    for wrong in ({"part": []}, {"part": 0}, {"part": 6}, {"etag": 5}, {"sealed": 5}, {"sealed": "no number"}):
        refused(lines[0], json.dumps(good | wrong))
    refused(lines[0], json.dumps(good), json.dumps(good | other))
    refused(lines[0], json.dumps(good | {"part": 1}))
    for line in ('{"part":3}', "{}", "[]", "5", "no JSON"):
        refused(lines[0], line)
    for change in ({"per_part": 1}, {"header": 5}, {"upload": None}):
        refused(json.dumps(first | change))
    refused('{"version":1}')
    refused("[]")
    with open(long.key, "r+b") as file:
        file.write(b"!")
    refused(json.dumps(first | {"identity": list(reader_of(long).identity())}))


@pytest.mark.parametrize("damage", ["another version", "a damaged line", "no line end"])
def test_a_new_beginning_gives_up_the_upload_of_any_plan(damage, store, options, keyset, long, server):
    target = parse(f"{store}/sealed")
    path = stopped(server, long, target, keyset, options)
    with open(path) as file:
        first, *_ = file.read().splitlines()
    plan = json.loads(first)
    text = {
        "another version": json.dumps(plan | {"version": 1}) + "\n",
        "a damaged line": f"{first}\nno JSON\n",
        "no line end": first,
    }[damage]
    with open(path, "w") as file:
        file.write(text)
    assert len(uploads(store)) == 1
    objects.encrypt(long, target, keyset, replace(options, restart=True))
    assert not uploads(store) and not os.listdir(options.state)
    assert unseal(keyset, content(target.text)) == LONG


def test_a_new_beginning_that_is_refused_gives_up_nothing(store, options, keyset, long, server):
    target = parse(f"{store}/sealed")
    stopped(server, long, target, keyset, options)
    put(target.text, b"theirs")
    with pytest.raises(FileExistsError):
        objects.encrypt(long, target, keyset, replace(options, restart=True))
    assert len(uploads(store)) == 1
    with server.counting() as requests:
        objects.encrypt(long, target, keyset, replace(options, force=True))
    assert parts_sent(requests) == [3, 4, 5]


@pytest.mark.parametrize(
    "line", [b"", b"\xff", b"[]", b"5", b"{}", b'{"upload":5}', b'{"upload":""}', 9_999 * b"["], ids=range(8)
)
def test_a_plan_that_names_no_upload(line, tmp_path):
    with Journal(str(tmp_path), "a", "b") as journal:
        with open(journal.path, "wb") as file:
            file.write(line + b"\n")
        assert journal.upload() is None


def test_a_line_of_a_plan_that_was_cut_counts_for_nothing(store, options, keyset, long, server):
    """As a power cut leaves it: that part is sent again."""
    target = parse(f"{store}/sealed")
    path = stopped(server, long, target, keyset, options)
    with open(path, "rb") as file:
        *lines, second, third = file.read().splitlines(keepends=True)
    assert json.loads(second)["etag"] and not json.loads(third)["etag"], "the third is noted before it is sent"
    os.truncate(path, sum(map(len, lines)) + len(second) - 5)
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


@pytest.mark.parametrize("why", ["a longer part", "a shorter source", "restart"])
def test_an_upload_is_given_up_where_one_request_does(why, store, options, keyset, long, server):
    target = parse(f"{store}/sealed")
    stopped(server, long, target, keyset, options)
    assert len(uploads(store)) == 1
    size = len(LONG)
    if why == "a shorter source":
        size = 1000
        os.truncate(long.key, size)
    else:
        options = replace(options, part_bytes=5 * PART, restart=why == "restart")
    objects.encrypt(long, target, keyset, options)
    assert unseal(keyset, content(target.text)) == LONG[:size]
    assert not uploads(store) and not os.listdir(options.state)


def test_a_disk_that_failed_once_keeps_no_line_durably(tmp_path, monkeypatch):
    """The system tells of it once, and of lines of other threads too."""
    with Journal(str(tmp_path), "a", "b") as journal:
        journal.begin(1, {})

        def fail(fd):
            monkeypatch.undo()
            raise OSError(errno.EIO, os.strerror(errno.EIO))

        monkeypatch.setattr("os.fsync", fail)
        for _ in range(2):
            with pytest.raises(OSError, match="Input/output error") as caught:
                journal.append({"part": 1}, durable=True)
            assert caught.value.filename == journal.path


def test_lines_of_many_threads_are_on_disk_when_they_say_so(tmp_path, monkeypatch):
    """One call of the system is enough for all that are there: the first takes until all threads have added theirs."""
    on_disk, calls, real, deadline = set(), [], os.fsync, time.monotonic() + 60

    def written():
        with open(journal.path, "rb") as file:
            return [json.loads(line)["part"] for line in file.read().splitlines()[1:]]

    def sync(fd):
        there = written()
        real(fd)
        while not calls and len(written()) < 16 and time.monotonic() < deadline:
            time.sleep(0.01)
        on_disk.update(there)
        calls.append(fd)

    def add(number):
        journal.append({"part": number}, durable=True)
        return number in on_disk

    with Journal(str(tmp_path), "a", "b") as journal:
        journal.begin(1, {})
        monkeypatch.setattr("os.fsync", sync)
        with ThreadPoolExecutor(16) as pool:
            assert all(pool.map(add, range(16)))
    assert len(calls) <= 2


def test_a_thread_that_is_late_adds_no_line(tmp_path, monkeypatch):
    """After the error of another part: its own is not sent then. A line that is being written is written before."""
    within, real = threading.Event(), os.fsync

    def sync(fd):
        within.set()
        time.sleep(0.2)
        real(fd)

    with Journal(str(tmp_path), "a", "b") as journal:
        journal.begin(1, {})
        monkeypatch.setattr("os.fsync", sync)
        thread = threading.Thread(target=journal.append, args=({"part": 1},), kwargs={"durable": True})
        thread.start()
        assert within.wait(10)
    with Journal(str(tmp_path), "a", "b") as again:
        assert [line.get("part") for line in again.read(1)] == [None, 1]
        for durable in (True, False):
            with pytest.raises(OSError, match="Bad file descriptor"):
                journal.append({"part": 2}, durable=durable)
        assert len(again.read(1)) == 2
    thread.join()


def test_a_folder_without_locks_is_named(tmp_path, monkeypatch):
    def refuse(fd, how):
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    monkeypatch.setattr("fcntl.flock", refuse)
    before = os.listdir("/proc/self/fd")
    journal = Journal(str(tmp_path), "a", "b")
    with pytest.raises(OSError, match=r"locked \(Function not implemented\); .* with --state") as caught, journal:
        pass
    assert caught.value.filename == journal.path and os.listdir("/proc/self/fd") == before


def test_two_commands_are_not_at_one_work(store, options, keyset, long, server):
    """They would send parts of two uploads under one plan."""
    target = parse(f"{store}/sealed")
    messages = []

    def second(request):
        if request.part is not None:
            server.fault = None
            with pytest.raises(runnel.Error) as caught:
                objects.encrypt(long, target, keyset, options)
            messages.append(str(caught.value))

    with server.failing(second):
        objects.encrypt(long, target, keyset, replace(options, threads=1))
    assert len(messages) == 1 and messages[0].endswith("another process is doing the same work")
    assert unseal(keyset, content(target.text)) == LONG
