# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Short runs of the campaign's parts soak, disk and powercut, and what each of them must find."""

import random

import c_programs
import pytest
from campaign.disk import Host, Kind, Plan, copied
from campaign.parts import disk, powercut, soak
from campaign.work import Work
from campaign.writers import OLD, Writer, begin, contents, prepare, words_of, writers


@pytest.fixture(scope="module")
def host():
    c_programs.build(c_programs.BUILD)
    with Host(c_programs.BUILD) as running:
        yield running


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    folder = tmp_path_factory.mktemp("base")
    prepare(folder)
    return folder


@pytest.fixture
def work(tmp_path):
    return Work(seconds=0, seed=random.getrandbits(32), folder=tmp_path, build=c_programs.BUILD)


def some(base, count):
    return random.sample([each for each in writers(base) if each.complete and not each.slow], count)


def in_place(code, replaces=True):
    return Writer("a careless program", code, {"out": lambda data: data == b"new" * 9999}, replaces)


CARELESS = "open('out', 'wb').write(b'new' * 9999)"
SILENT = """
import os
with open('new', 'wb', buffering=0) as file:
    try:
        file.write(b'new' * 9999)
        os.fsync(file.fileno())
    except OSError:
        pass
os.replace('new', 'out')
"""


# A disk that fails


def test_a_disk_that_fails_at_every_call(host, base):
    for writer in some(base, 3):
        for name in random.sample(sorted(disk.FAULTS), 2):
            tried, complaints = disk.every_call(host, base, writer, name)
            assert tried > 5 and complaints == []


@pytest.mark.parametrize("fault", ["full", "SIGKILL after"])
def test_a_program_that_writes_in_place_is_found_out(host, base, fault):
    complaints = disk.every_call(host, base, in_place(CARELESS), fault)[1]
    assert any("neither the old file nor the new one" in each for each in complaints)


def test_a_program_that_says_nothing_is_found_out(host, base):
    complaints = disk.every_call(host, base, in_place(SILENT), "ENOSPC once")[1]
    assert any("(write): status 0, and out" in each for each in complaints)
    assert any("(sync): status 0" in each for each in complaints)


def test_a_command_that_is_refused_is_found_out(host, base):
    """It meets no fault, so none of what it was to do was tried."""
    refused = Writer("a mistyped command", ["encrypt", "--nonsense"], {"out": lambda _: True})
    tried, complaints = disk.every_call(host, base, refused, "full")
    assert tried == 1 and len(complaints) == 3 and "no call met the fault" in complaints[0]


def test_every_kind_of_fault_does_what_it_says(host, base):
    """With a program that writes once, in 29,997 bytes."""
    sizes = {}
    for name, (kind, value) in disk.FAULTS.items():
        with copied(base) as folder:
            done = host.run(folder, CARELESS, Plan(kind, 2, int(value)))
            assert done.hit == "write", name
            sizes[name] = (done.status, len((folder / "out").read_bytes()))
    assert sizes["ENOSPC once"] == sizes["full"] == (1, 0) and sizes["half a write, then full"] == (1, 29997 // 2)
    assert sizes["half a write"] == (0, 29997) and sizes["SIGKILL before"] == (-9, 0)
    assert sizes["SIGKILL after"] == (-9, 29997) and sizes["SIGTERM after"][0] == -15


# The power cut


def test_the_power_cut_at_every_call(host, base):
    chance = random.Random()
    for writer in some(base, 2):
        states, complaints = powercut.cut(host, base, writer, chance, torn=3)
        assert states > 50 and complaints == []


@pytest.mark.parametrize(
    ("without", "found"),
    [("sync of a file", "neither the old file nor the new one"), ("sync of a folder", "is not the new file")],
)
def test_what_is_not_flushed_is_found_out(host, base, without, found):
    writer = next(each for each in writers(base) if each.name == "encrypt cobblestone-128, replacing")
    complaints = powercut.cut(host, base, writer, random.Random(), without=[without])[1]
    assert any(found in each for each in complaints)


@pytest.mark.parametrize(
    "kept", [powercut.counter, powercut.journal, powercut.firmware], ids=lambda each: each.__name__
)
def test_what_is_kept_after_the_power_cut(host, kept):
    """The counter of nonces in a file, the plan of an upload, and the counters that talk to the example firmware."""
    states, complaints = kept(host, random.Random(), torn=1)
    assert states > 100 and complaints == []
    for without in ("sync of a file", "sync of a folder"):
        assert kept(host, random.Random(), torn=1, without=[without])[1]


def test_the_calls_of_a_run_are_all_of_it(host, base):
    """Rebuilt from its log, with nothing lost, the folder is what it is."""
    for writer in some(base, 1):
        with copied(base) as folder:
            begin(writer, folder)
            rebuilt = powercut.Disk(folder)
            done = host.run(folder, words_of(writer, folder), log=True)
            for call in done.calls:
                rebuilt.follow(call)
            states = list(rebuilt.states(random.Random(), 0))
            assert contents(writer, folder) == {name: states[-1].get(name) for name in writer.complete}
            assert OLD not in [states[-1].get(name) for name in writer.complete]


# The soak


def test_mixed_load(work):
    soak.load(work, 0, rounds=30)
    assert work.findings == [] and work.figures[0].count > 30 * 100


def test_leaks_are_found(work):
    soak.load(work, 0, rounds=15, leaks=["bytes", "objects", "handle", "thread"])
    assert [each.split(":")[0] for each in work.findings] == ["allocated", "objects", "handles", "threads"]


def test_what_drifts():
    """A slow leak over many rounds is one; noise, and a step at the start, are none."""

    def noise():
        resident, allocated = 50_000_000 + random.randrange(1_000_000), 6_500_000 + random.randrange(100_000)
        return {"resident": resident, "allocated": allocated, "objects": 100_000, "handles": 9, "threads": 3}

    rounds = [noise() for _ in range(5000)]
    assert list(soak.drifts(rounds)) == []
    for what, rate in (("resident", 1000), ("allocated", 1000), ("objects", 50), ("handles", 0.001)):
        risen = [{**each, what: each[what] + int(n * rate)} for n, each in enumerate(rounds)]
        assert [each.split(":")[0] for each in soak.drifts(risen)] == [what]
    for what in ("resident", "allocated", "objects"):
        assert list(soak.drifts([{**each, what: 1000} if n < 1000 else each for n, each in enumerate(rounds)])) == []
    assert list(soak.drifts([{**each, "resident": n << 20} for n, each in enumerate(rounds[:99])])) == []


def test_no_nonce_comes_twice(work):
    soak.nonces(work, 0, processes=1, threads=4, least=2)
    assert work.findings == [] and work.figures[0].count > 1 and work.figures[1].count >= 2


def test_a_counter_that_is_saved_too_late_is_found_out(work):
    soak.nonces(work, 0, processes=1, threads=4, ahead=0, least=2)
    assert len(work.findings) == 1 and "came twice" in work.findings[0]


def test_signals_at_random_times(work):
    soak.signals(work, 1.5)
    assert work.findings == [] and work.figures[0].count > 0


@pytest.mark.parametrize("script", [": > .left; exec sleep 60", "echo runnel: no >&2; exit 1"])
def test_a_command_that_ends_otherwise_after_a_signal_is_found_out(script, work, monkeypatch):
    """One that leaves a temporary, and one with a line and a status of its own."""
    monkeypatch.setattr(soak, "PROGRAM", ["sh", "-c", script])
    monkeypatch.setattr(soak.random, "uniform", lambda *_: 1.0)
    soak.signals(work, 0.5)
    assert len(work.findings) == 1 and work.figures[0].found == 1


def test_clocks_that_are_wrong(work):
    soak.clocks(work, some=1)
    assert work.findings == [] and work.figures[0].count == len(soak.CLOCKS)


def test_the_clock_is_moved(host, base):
    with copied(base) as folder:
        done = host.run(folder, "import time\nopen('out', 'w').write(str(time.time()))", clock=soak.CLOCKS["2107"])
        assert done.status == 0 and float((folder / "out").read_text()) > 4e9
        assert host.run(folder, "pass", Plan(Kind.FAIL, 1, 5)).hit == ""
