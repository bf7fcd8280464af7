# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Shared by tests of objects in stores: an S3 in the process with a bucket for each test, objects in it, commands."""

import hashlib
import os
import random
import subprocess
from dataclasses import replace

import pytest
import runnel
from cli_program import PROGRAM
from runnel_store import objects, readers
from runnel_store.fingerprints import fingerprint
from runnel_store.objects import Options
from runnel_store.readers import reader_of
from runnel_store.uploads import put_whole
from runnel_store.urls import parse
from runnel_store.work import Work
from store_server import Server

PART = 5 << 20
LONG = random.Random(1).randbytes(4 * PART + 12_345)


@pytest.fixture(scope="module")
def server():
    created = Server()
    yield created
    created.close()


@pytest.fixture
def store(server, monkeypatch, tmp_path):
    """Create a bucket for each test; the state of commands is beside it."""
    for name, value in server.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("runnel_store.errors._PAUSE_SECONDS", 0.01)
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


def write(url: str, data: bytes) -> None:
    """Put an object into a store, or a file into a folder, as somebody does who has no key."""
    if url.startswith("/"):
        os.makedirs(os.path.dirname(url), exist_ok=True)
        with open(url, "wb") as file:
            file.write(data)
    else:
        put(url, data)


def remove(url: str) -> None:
    if url.startswith("/"):
        os.unlink(url)
    else:
        readers.s3_client().delete_object(Bucket=parse(url).bucket, Key=parse(url).key)


def names(url: str) -> list[str]:
    return sorted(each.name for each in readers.listing(parse(url)))


def path_of(url: str) -> str:
    """Return the path of a request for the object."""
    return "/" + url.partition("://")[2]


def uploads(url: str) -> list:
    return readers.s3_client().list_multipart_uploads(Bucket=parse(url).bucket).get("Uploads", [])


def parts_sent(requests) -> list[int]:
    return sorted(each.part for each in requests if each.part is not None)


def stopped(server, source, target, keyset, options) -> str:
    """Begin an upload of which the store takes parts 1 and 2 and refuses the third; return the path of its plan."""
    with server.failing(lambda request: "403" if request.part == 3 else None), pytest.raises(PermissionError):
        objects.encrypt(source, target, keyset, replace(options, threads=1))
    (name,) = os.listdir(options.state)
    return os.path.join(options.state, name)


def sealing(source, keyset) -> tuple[readers.Reader, Work]:
    """Return a file and the work of sealing it, as one process hands it to others."""
    reader, key = reader_of(source), keyset.primary
    header = key.new_file(b"").header
    check = fingerprint(key, header, b"")
    return reader, Work("seal", source, reader.identity(), reader.size, b"", None, header, check)


def keyset_with_another_first(keyset):
    new = runnel.Keyset.generate("cobblestone-128").primary
    return runnel.Keyset(new, (new, *keyset.keys))


def keyfile(keyset, tmp_path):
    path = tmp_path / "key.json"
    if not path.exists():
        keyset.save(path)
    return path


def killed(tmp_path, *arguments) -> subprocess.Popen:
    """Kill a command while a fault of the server holds it up."""
    return subprocess.Popen([*PROGRAM, *map(str, arguments)], stderr=subprocess.PIPE, cwd=tmp_path)
