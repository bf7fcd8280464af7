# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Ray runs a task again when its worker is lost: from a source that is another one then, nothing is sealed again and sent."""

import os
import random
import signal

import pytest
from cli_program import accepted, runnel
from lying_store import check_no_part_twice, liar, server  # noqa: F401  # fixtures
from ray_cluster import ray, workers  # noqa: F401  # a fixture
from sealed_files import unseal
from store_objects import LONG, keyfile, keyset, killed, path_of, store  # noqa: F401  # fixtures

pytestmark = pytest.mark.left_to("make test-ray", "ray")

OTHER = random.Random(2).randbytes(len(LONG))


@pytest.fixture
def command(liar, store, keyset, tmp_path):
    liar.same_etag.add(path_of(f"{store}/source"))
    liar.objects[path_of(f"{store}/source")] = LONG
    key = keyfile(keyset, tmp_path)
    return ["store", "encrypt", "--ray", "local", "--part", "5M", "--key", key, f"{store}/source", f"{store}/sealed"]


def test_a_worker_that_is_killed_and_another_source(ray, liar, store, keyset, command):
    """The store has the part; its worker dies before it hears that, and the source is swapped under its ETag."""
    ends = []

    def kill(number):
        if number == 2 and not ends:
            ends.extend(workers())
            liar.objects[path_of(f"{store}/source")] = OTHER
            for process in ends:
                os.kill(process, signal.SIGKILL)

    liar.after_part = kill
    accepted(*command)
    assert ends
    assert len([number for _, number, _ in liar.received if number == 2]) >= 2
    check_no_part_twice(liar)


@pytest.fixture
def killed_at_part_2(liar, store, tmp_path, command):
    """Kill the command when the store had its second part."""
    processes = []

    def kill(number):
        if number == 2 and processes:
            processes.pop().kill()

    liar.after_part = kill
    processes.append(process := killed(tmp_path, *command))
    _, error = process.communicate(timeout=200)
    assert path_of(f"{store}/sealed") not in liar.objects and liar.received, error
    liar.after_part = lambda number: None


def test_a_driver_that_is_killed_and_another_source(killed_at_part_2, liar, store, keyset, command):
    liar.forgotten = {1, 2}
    liar.objects[path_of(f"{store}/source")] = OTHER
    assert runnel(*command, status=1).stderr.endswith(b"--restart starts over\n")
    check_no_part_twice(liar)
    runnel(*command, "--restart")
    assert unseal(keyset, liar.objects[path_of(f"{store}/sealed")]) == OTHER
    check_no_part_twice(liar)


def test_a_driver_that_is_killed_and_the_same_source(killed_at_part_2, liar, store, keyset, command):
    """Parts that the store has are read again, and not sent."""
    runnel(*command)
    assert unseal(keyset, liar.objects[path_of(f"{store}/sealed")]) == LONG
    check_no_part_twice(liar)
