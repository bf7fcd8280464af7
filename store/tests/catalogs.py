# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A prefix with a catalog, in a local folder and in an S3, for tests of catalogs: fixtures, and what a user does to it."""

import json
import random

import pytest
import runnel
from cli_program import accepted, output_of
from store_objects import PART, keyfile

FILES = {"a": b"first of a", "b": b"first of b", "day=1/c": b"", "long": random.Random(3).randbytes(PART + 100_000)}


@pytest.fixture
def keyset():
    return runnel.Keyset.generate("cobblestone-128")


@pytest.fixture(params=["local", "in a store"])
def base(request, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return request.getfixturevalue("store") if request.param == "in a store" else str(tmp_path)


@pytest.fixture
def key(keyset, tmp_path):
    return keyfile(keyset, tmp_path)


@pytest.fixture
def plain(tmp_path):
    for name, data in FILES.items():
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_bytes(data)
    return f"{tmp_path}/in/"


@pytest.fixture
def sealed(base, plain, key):
    accepted("store", "encrypt", "-k", key, "--part", "5M", "--catalog", plain, f"{base}/out/")
    return f"{base}/out/"


def generation(key, prefix: str) -> int:
    return json.loads(output_of("store", "catalog", "-k", key, prefix).splitlines()[0])["generation"]


def new_version(tmp_path, plain, key, sealed, name="a", data=b"second of a") -> None:
    (tmp_path / "in" / name).write_bytes(data)
    accepted("store", "encrypt", "-k", key, "--force", "--catalog", "--include", name, plain, sealed)
