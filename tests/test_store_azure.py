# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Blobs in an Azure of this process: what the tests of stores ask of S3, and what is Azure's own."""

import base64
import hashlib
import os

import pytest
import runnel
from azure_blobs import Blobs
from cli_program import accepted
from runnel.store import azure, objects, readers
from runnel.store.azure import AzureUpload, can_resume
from runnel.store.objects import Options
from runnel.store.urls import parse
from sealed_files import unseal
from store_objects import LONG, PART, content, keyset, long, names, options, parts_sent, put, stopped  # noqa: F401  # fixtures
from store_server import Server, times
from test_store import test_nothing_is_overwritten_unasked  # noqa: F401  # which holds here too
from test_store_resume import test_a_killed_command_is_taken_up  # noqa: F401  # as this


@pytest.fixture(scope="module")
def blobs():
    return Blobs()


@pytest.fixture(scope="module")
def server(blobs):
    made = Server(blobs)
    yield made
    made.close()


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
    monkeypatch.setattr("runnel.store.errors._PAUSE_SECONDS", 0.01)
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
