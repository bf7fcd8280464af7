# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Blobs in an Azure of this process: what the tests of stores ask of S3, and what is Azure's own."""

import base64
import hashlib
import os
import signal
import threading
import time
import types
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
import runnel
from azure_blobs import Blobs
from cli_program import accepted, refused
from runnel_store import azure, objects, readers, uploads, waiting
from runnel_store.azure import AzureUpload, can_resume
from runnel_store.errors import ChangedError
from runnel_store.objects import Options
from runnel_store.readers import reader_of
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
    stopped,
)
from store_server import Server, times
from test_store import test_nothing_is_overwritten_unasked  # noqa: F401  # which holds here too
from test_store_resume import test_a_killed_command_is_taken_up  # noqa: F401  # as this


@pytest.fixture(scope="module")
def blobs():
    return Blobs()


@pytest.fixture(scope="module")
def server(blobs):
    created = Server(blobs)
    yield created
    created.close()


@pytest.fixture
def store(server, monkeypatch, tmp_path):
    environment = {
        "AZURE_STORAGE_ACCOUNT_NAME": "account",
        "AZURE_STORAGE_ACCOUNT_KEY": base64.b64encode(b"key").decode(),
        "AZURE_STORAGE_ENDPOINT": server.url,
        "XDG_STATE_HOME": str(tmp_path / "state"),
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("runnel_store.errors._PAUSE_SECONDS", 0.01)
    for cached in (readers._store, azure._signed):
        cached.cache_clear()
    return f"az://{hashlib.sha256(os.fsencode(tmp_path)).hexdigest()[:12]}"


def test_faults_are_survived(server, store, options, keyset, long):
    """A part, the completion, and the answer to the completion, after which the store has it."""
    target = f"{store}/sealed"
    with server.failing(times(2, lambda request: request.part is not None, "drop")):
        objects.encrypt(long, parse(target), keyset, options)
    assert unseal(keyset, content(target)) == LONG
    with server.failing(times(1, lambda request: request.completes, "cut after")):
        objects.encrypt(long, parse(f"{store}/other"), keyset, options)
    assert unseal(keyset, content(f"{store}/other")) == LONG
    assert not os.listdir(options.state)


@pytest.mark.parametrize("answer", ["<html><body><p>Sign in<br></body></html>", "<html/>", "not at all"])
def test_a_list_of_blocks_that_is_none(answer, server, store, options, keyset, long, monkeypatch):
    """But the page of a proxy."""
    target = parse(f"{store}/sealed")
    stopped(server, long, target, keyset, options)
    send = AzureUpload._send

    def asked(self, method, query, *more):
        if "blocklist" in query and method == "GET":
            return types.SimpleNamespace(data=answer.encode())
        return send(self, method, query, *more)

    monkeypatch.setattr(AzureUpload, "_send", asked)
    with pytest.raises(runnel.Error, match="unexpected answer of the store to a request for its blocks"):
        objects.encrypt(long, target, keyset, options)


def test_a_block_is_sent_in_pieces(store, monkeypatch):
    """Each has the time for a connection, which a slow one does not send a whole block in."""
    sent = []

    def request(method, url, body, headers, redirect):
        sent.append((body, headers))
        return types.SimpleNamespace(status=201)

    monkeypatch.setattr(azure, "_pool", lambda url: types.SimpleNamespace(request=request))
    AzureUpload.begin(parse(f"{store}/x")).put(1, 0, bytearray(LONG[:100_000]))
    ((body, headers),) = sent
    assert b"".join(body) == LONG[:100_000] and headers == {"Content-Length": "100000"}
    assert max(map(len, body)) <= 16 << 10


def test_folders_of_consoles_are_no_objects(blobs, store, keyset, tmp_path, capfd):
    """Empty blobs whose names end with /, which obstore leaves out: also beside a blob of the same name without it."""
    texts = {"a": b"text", "sub/b": b"", "twice": b"text", "twice-1": b"", "twice/c": b"text"}
    for name, text in texts.items():
        put(f"{store}/in/{name}", text)
    for name in ("sub/", "twice/"):
        blobs.blobs[f"/{parse(store + '/x').bucket}/in/{name}"] = (b"", '"0x0"', {})
    keyset.save(tmp_path / "key.json")
    accepted("store", "encrypt", "--key", tmp_path / "key.json", f"{store}/in/", f"{store}/out/")
    assert {name: unseal(keyset, content(f"{store}/out/{name}")) for name in names(f"{store}/out/")} == texts
    accepted("store", "ls", f"{store}/in/")
    assert [line.split()[-1] for line in capfd.readouterr().out.splitlines()] == list(texts)


def test_a_copy_that_takes_its_time(blobs, store, options, keyset, long, monkeypatch):
    """The copy's source stays until the copy is complete."""
    monkeypatch.setattr(blobs, "pending", 3)
    monkeypatch.setattr("runnel_store.uploads._COPY_PAUSE_SECONDS", 0.01)
    target = parse(f"{store}/day=1/long")
    objects.encrypt(long, target, keyset, options)
    assert unseal(keyset, content(target.text)) == LONG and names(f"{store}/") == ["day=1/long"]
    monkeypatch.setattr(blobs, "pending", 1_000_000)
    monkeypatch.setattr("runnel_store.uploads._COPY_SECONDS", 0.1)
    with pytest.raises(runnel.Error, match=r"may still be copying it from day=1/long\.[0-9a-f]{12}\.tmp"):
        objects.encrypt(long, target, keyset, replace(options, force=True))
    assert len(names(f"{store}/")) == 2


@pytest.mark.parametrize("ended", ["a signal", "403", "drop", "409"])
def test_a_rotation_that_ends_while_the_store_copies_loses_nothing(
    ended, blobs, server, store, options, keyset, long, monkeypatch
):
    """The copy is made over the only other one, of which there is nothing more by then. 409: asked a second time, after its
    answer was lost, the store says that it is making one."""
    target = parse(f"{store}/day=1/long")
    objects.encrypt(long, target, keyset, options)
    both = keyset_with_another_first(keyset)
    monkeypatch.setattr(blobs, "pending", 1_000_000)
    copied = []

    def stop(seconds):
        raise KeyboardInterrupt

    def fail(request):
        if request.method == "PUT" and request.path.endswith(target.key):
            copied.append(request)
            return "500 after" if ended == "drop" or (ended == "409" and len(copied) == 1) else None
        return ended if copied and request.method != "POST" and ended != "409" else None

    if ended == "a signal":
        monkeypatch.setattr(uploads, "time", types.SimpleNamespace(sleep=stop, monotonic=lambda: 0.0))
    with server.failing(None if ended == "a signal" else fail), pytest.raises(BaseException) as caught:
        objects.rotate(target, both, options)
    (temporary,) = (name for name in names(f"{store}/") if name != target.key)
    assert content(target.text) == b"" and unseal(both, content(f"{store}/{temporary}")) == LONG
    if ended == "a signal":
        assert caught.type is KeyboardInterrupt
    else:
        assert caught.type is runnel.Error and f"from {temporary}: remove that" in str(caught.value)


@pytest.mark.parametrize("held", ["a block", "the copy"])
def test_a_stream_ends_though_the_store_says_nothing(held, server, store, keyset, long, tmp_path):
    """obstore, which waits, hears of no signal."""
    reached, answered = threading.Event(), threading.Event()

    def hold(request):
        if request.method == "PUT" and ("blockid" in request.query if held == "a block" else not request.query):
            reached.set()
            answered.wait(60)

    with server.failing(hold):
        process = killed(
            tmp_path, "store", "encrypt", "-k", keyfile(keyset, tmp_path), "--part", "5M", long.key, f"{store}/day=1/x"
        )
        assert reached.wait(60)
        time.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        try:
            assert process.wait(30) == 143 and process.stderr.read() == b"runnel: terminated\n"
        finally:
            process.kill()
            answered.set()


def test_a_stream_that_is_ended_leaves_nothing(server, store, keyset, long, tmp_path):
    """Test it with a store that answers."""
    reached = threading.Event()

    def slowly(request):
        if "blockid" in request.query:
            reached.set()
            return 0.5
        return None

    with server.failing(slowly):
        process = killed(
            tmp_path, "store", "encrypt", "-k", keyfile(keyset, tmp_path), "--part", "5M", long.key, f"{store}/day=1/x"
        )
        assert reached.wait(60)
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 143
        assert names(f"{store}/") == []


def test_a_temporary_that_the_store_removes_slowly(server, store, options, keyset, long, monkeypatch):
    """After success there is time for it."""
    monkeypatch.setattr(waiting, "_PATIENCE", 0.05)
    with server.failing(lambda request: 0.5 if request.method == "POST" else None):
        objects.encrypt(long, parse(f"{store}/day=1/long"), keyset, options)
    assert names(f"{store}/") == ["day=1/long"]


def test_a_stream_has_no_more_parts_than_a_store_takes(server, store, options, keyset, long, monkeypatch):
    monkeypatch.setattr(uploads, "PARTS_MAX", 2)
    with server.counting() as requests:
        objects.encrypt(long, parse(f"{store}/day=1/long"), keyset, options)
    lengths = [int(each.environ["CONTENT_LENGTH"]) for each in requests if "blockid" in each.query]
    assert len(lengths) == 2 and sum(lengths) == len(content(f"{store}/day=1/long"))


@pytest.mark.parametrize("fault", ["500 after", "cut after"])
def test_a_copy_whose_answer_was_lost_is_completed(fault, server, store, options, keyset, long):
    """The library asks for it again then, and hears that it is there."""
    target = parse(f"{store}/day=1/long")
    copies = times(1, lambda request: request.method == "PUT" and request.path.endswith(target.key), fault)
    with server.failing(copies):
        assert objects.encrypt(long, target, keyset, options).etag == reader_of(target).identity()[1]
    assert unseal(keyset, content(target.text)) == LONG and names(f"{store}/") == [target.key]
    with pytest.raises(FileExistsError):
        objects.encrypt(long, target, runnel.Keyset.generate("AES128_GCM_HKDF_1MB"), options)


def test_a_proxy_with_a_password_and_one_without_a_scheme(blobs, server, store, monkeypatch):
    """As for reading; what is wrong with it does not show the password."""
    upload, host = AzureUpload.begin(parse(f"{store}/x")), urlsplit(server.url).netloc
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AZURE_STORAGE_ENDPOINT", "http://no-such-host.invalid")
    heard = []

    def note(request):
        heard.append(request.environ.get("HTTP_PROXY_AUTHORIZATION"))

    for user, wanted in (("", None), ("us%40er:pass@", b"us@er:pass"), ("user@", b"user:")):
        for scheme in ("http://", ""):
            monkeypatch.setenv("http_proxy", f"{scheme}{user}{host}")
            for cached in (readers._store, azure._signed, azure._pool_of):
                cached.cache_clear()
            with server.failing(note):
                upload.put(1, 0, bytearray(10))
            assert heard.pop() == (wanted and f"Basic {base64.b64encode(wanted).decode()}")
    for wrong in ("http://user:SECRET@h:99999", "http://user:SECRET@[", "socks5://user:SECRET@h"):
        monkeypatch.setenv("http_proxy", wrong)
        with pytest.raises(runnel.Error, match="^the environment's proxy: not an http or https URL with a host$"):
            upload.put(1, 0, bytearray(10))


@pytest.mark.parametrize("name", ["AZURE_STORAGE_ENDPOINT", "AZURE_ENDPOINT", "AZURITE_BLOB_STORAGE_URL"])
def test_an_endpoint_that_is_no_url(name, store, keyset, tmp_path, monkeypatch):
    """And has a password in it, which is not shown."""
    keyset.save(tmp_path / "key.json")
    monkeypatch.delenv("AZURE_STORAGE_ENDPOINT")
    monkeypatch.setenv("AZURE_STORAGE_USE_EMULATOR", "true" if name.startswith("AZURITE") else "false")
    for endpoint in ("http://user:SECRET@[", "http://user:SECRET@host"):
        monkeypatch.setenv(name, endpoint)
        readers._store.cache_clear()
        line = refused("store", "verify", "--key", tmp_path / "key.json", f"{store}/x")
        assert line == f"{name}: not an http or https URL with a host, and without a user or a query"


def test_another_upload_to_the_same_name(server, store, options, keyset, long):
    """Whoever completes first has the name; the store forgets the other's blocks, which begins anew."""
    target = parse(f"{store}/sealed")
    stopped(server, long, target, keyset, options)
    other = AzureUpload.begin(target)
    other.complete({1: other.put(1, 0, bytearray(b"precious"))}, force=False)
    with pytest.raises(FileExistsError):
        objects.encrypt(long, target, keyset, options)
    assert content(target.text) == b"precious"
    forced = Options(part_bytes=PART, force=True, state=options.state)
    with server.counting() as requests:
        objects.encrypt(long, target, keyset, forced)
    assert parts_sent(requests) == [1, 2, 3, 4, 5]
    assert unseal(keyset, content(target.text)) == LONG


def test_a_block_that_the_store_has_lost_is_sent_again(blobs, server, store, options, keyset, long):
    target = parse(f"{store}/sealed")
    stopped(server, long, target, keyset, options)
    blocks = blobs.blocks[f"/{target.bucket}/{target.key}"]
    del blocks[next(iter(blocks))]
    with server.counting() as requests:
        objects.encrypt(long, target, keyset, options)
    assert parts_sent(requests) == [1, 3, 4, 5]
    assert unseal(keyset, content(target.text)) == LONG


def test_a_source_swapped_under_its_etag(blobs, server, store, options, keyset):
    """And a block of it that the store denies to have."""
    source, target = parse(f"{store}/source"), parse(f"{store}/sealed")
    put(source.text, LONG)
    stopped(server, source, target, keyset, options)
    path, kept = f"/{source.bucket}/{source.key}", f"/{target.bucket}/{target.key}"
    blobs.blobs[path] = (LONG[::-1], *blobs.blobs[path][1:])
    blocks = blobs.blocks[kept]
    del blocks[next(iter(blocks))]
    before = dict(blocks)
    with server.counting() as requests, pytest.raises(ChangedError, match=r"--restart starts over$"):
        objects.encrypt(source, target, keyset, options)
    assert not parts_sent(requests) and blobs.blocks[kept] == before
    objects.encrypt(source, target, keyset, replace(options, restart=True))
    assert unseal(keyset, content(target.text)) == LONG[::-1]


def test_names_and_credentials_that_cannot_be_signed(blobs, store, options, keyset, long, monkeypatch, tmp_path):
    """Go to the store as a stream under another name, which is gone afterwards."""
    plain, escaped = parse(f"{store}/a-b_c.d~/e"), parse(f"{store}/day=1/long")
    assert can_resume(plain) and not can_resume(escaped)
    objects.encrypt(long, escaped, keyset, options)
    assert unseal(keyset, content(escaped.text)) == LONG
    assert names(f"{store}/") == ["day=1/long"]
    monkeypatch.delenv("AZURE_STORAGE_ACCOUNT_KEY")
    monkeypatch.setenv("AZURE_STORAGE_SAS_KEY", "sv=2023-11-03&sp=rw&sig=abc")
    for cached in (readers._store, azure._signed):
        cached.cache_clear()
    assert not can_resume(plain)
    monkeypatch.setattr(objects, "available", lambda *_: None)  # as Ray is no Threads
    with pytest.raises(ValueError, match="no URL of this one can be signed"):
        objects.encrypt(long, parse(f"{store}/other"), keyset, options)


def test_an_empty_blob_has_no_ranges(store):
    put(f"{store}/empty", b"")
    assert content(f"{store}/empty") == b""


def test_a_rotation_replaces_the_blob_that_was_read(server, store, keyset, long, tmp_path):
    new = runnel.Keyset.generate("cobblestone-128").primary
    runnel.Keyset(new, (new, *keyset.keys)).save(tmp_path / "key.json")
    where = f"{store}/sealed"
    objects.encrypt(long, parse(where), keyset, Options(part_bytes=PART))
    accepted("store", "rotate", "--key", tmp_path / "key.json", "--part", "5M", where)
    assert unseal(runnel.Keyset(new, (new,)), content(where)) == LONG

    def arrives(request):
        if request.completes:
            server.fault = None
            put(where, b"precious")

    with server.failing(arrives), pytest.raises(runnel.Error, match="changed meanwhile"):
        objects.rotate(parse(where), runnel.Keyset.load(tmp_path / "key.json"), Options(part_bytes=PART, force=True))
    assert content(where) == b"precious"
