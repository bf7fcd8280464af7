# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Objects on Ray, with a worker that is killed and a driver that is.

`make test-ray` brings what they need: hundreds of megabytes, which `make test` is spared."""

import os
import signal
import subprocess
import threading
import time

import pytest
import runnel
from cli_program import PROGRAM, accepted
from ray_cluster import ray, workers  # noqa: F401  # a fixture
from runnel.sealed.formats import bound
from sealed_files import unseal
from store_objects import LONG, PART, content, keyfile, keyset, killed, long, names, server, store  # noqa: F401  # fixtures
from store_objects import keyset_with_another_first as with_another_first

pytestmark = pytest.mark.left_to("make test-ray", "ray")

COMMAND = ["store", "encrypt", "--ray", "local", "--part", "5M", "--key"]


def test_every_verb(ray, store, keyset, long, tmp_path):
    key = keyfile(keyset, tmp_path)
    common = ["--ray", "local", "--part", "5M", "--key", key]
    accepted("store", "encrypt", *common, long.key, f"{store}/sealed")
    assert unseal(keyset, content(f"{store}/sealed")) == LONG
    accepted("store", "verify", *common, f"{store}/sealed")
    accepted("store", "decrypt", *common, f"{store}/sealed", f"{store}/plain")
    assert content(f"{store}/plain") == LONG


def test_a_worker_that_is_killed_in_mid_part(ray, server, store, keyset, long, tmp_path):
    ends = []

    def stop(request):
        if request.part == 2 and not ends:
            ends.append(workers())
            for process in ends[0]:
                os.kill(process, signal.SIGKILL)
        return

    with server.failing(stop):
        accepted(*COMMAND, keyfile(keyset, tmp_path), long.key, f"{store}/sealed")
    assert ends and ends[0], "workers were killed"
    assert unseal(keyset, content(f"{store}/sealed")) == LONG


def test_a_driver_that_is_killed_is_taken_up(server, store, keyset, long, tmp_path):
    command = [*COMMAND, keyfile(keyset, tmp_path), long.key, f"{store}/sealed"]
    reached = threading.Event()

    def stop(request):
        if request.part == 4:
            reached.set()
            return 20.0
        return None

    with server.counting() as first, server.failing(stop):
        process = killed(tmp_path, *command)
        assert reached.wait(150)
        time.sleep(0.5)
        process.kill()
        process.wait()
    assert names(f"{store}/") == []
    with server.counting() as second:
        subprocess.run([*PROGRAM, *map(str, command)], check=True)
    before = {each.part for each in first if each.part is not None}
    again = [each.part for each in second if each.part is not None]
    assert len(before & set(again)) <= 4 and len(again) < 5 + 4, (before, again)
    assert unseal(keyset, content(f"{store}/sealed")) == LONG


def test_the_key_is_in_no_task(ray, store, keyset, long, tmp_path):
    """Neither in what is sent to workers nor in Ray's files."""
    import ray.cloudpickle as pickle

    sent = []
    remote = ray.remote

    class Noting:
        def __init__(self, task):
            self._task = task

        def remote(self, *arguments):
            sent.append(pickle.dumps(arguments))
            return self._task.remote(*arguments)

    ray.remote = lambda **options: lambda function: Noting(remote(**options)(function))
    try:
        accepted(*COMMAND, keyfile(keyset, tmp_path), long.key, f"{store}/sealed")
    finally:
        ray.remote = remote
    secret = keyset.primary.secret
    assert sent and not any(secret in each or secret.hex().encode() in each for each in sent)


def test_workers_without_the_key_say_so(ray, store, keyset, long, tmp_path):
    locked = tmp_path / "locked"
    keyset.save(locked, passphrase=runnel.Passphrase("x"))
    from runnel.sealed.keyset import KeyPlace
    from runnel_store import objects
    from runnel_store.urls import parse

    options = objects.Options(part_bytes=PART, ray="local", place=KeyPlace(str(locked)), state=str(tmp_path / "s"))
    with pytest.raises(runnel.Error, match="is locked: a passphrase"):
        objects.encrypt(long, parse(f"{store}/x"), keyset, options)


def test_workers_know_the_names_that_objects_are_bound_to(ray, store, keyset, tmp_path):
    """Also where an object is opened with other associated data than it is sealed with."""
    key = keyfile(keyset, tmp_path)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "long").write_bytes(LONG)
    accepted(*COMMAND, key, f"{tmp_path}/in/", f"{store}/out/")
    both = with_another_first(keyset)
    both.save(tmp_path / "both")
    words = ("--ray", "local", "--part", "5M", "--key", tmp_path / "both", "--bind-names")
    accepted("store", "rotate", *words, "--accept-unbound", f"{store}/out/")
    accepted("store", "verify", *words, f"{store}/out/")
    assert (
        unseal(runnel.Keyset(both.primary, (both.primary,)), content(f"{store}/out/long"), bound(b"", "long")) == LONG
    )
