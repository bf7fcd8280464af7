# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Whichever file `runnel store` is told to write, folders of objects lose nothing."""

import json
import os
import pwd

import pytest
import runnel
from cli_program import accepted, refused
from cli_program import runnel as program
from runnel.inputs import Inputs
from runnel_store import objects
from runnel_store.objects import Options
from runnel_store.urls import parse
from sealed_files import unseal

TEXTS = {f"f{n}": b"text %d" % n for n in range(4)}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """plain/ and sealed/, of which the first two are sealed under the older of the keys."""
    monkeypatch.chdir(tmp_path)
    old, new = (runnel.Keyset.generate("cobblestone-128") for _ in range(2))
    old.save("old.json")
    runnel.Keyset(new.primary, (new.primary, old.primary)).save("key.json")
    (tmp_path / "plain").mkdir()
    for name, text in TEXTS.items():
        (tmp_path / "plain" / name).write_bytes(text)
    store("encrypt", "--include", "f[01]", "plain/", "sealed/", key="old.json")
    store("encrypt", "--include", "f[23]", "plain/", "sealed/")
    return tmp_path


def store(verb, *arguments, key="key.json"):
    accepted("store", verb, "-q", "-k", key, *arguments)


def refusal(verb, *arguments, status=1):
    return refused("store", verb, "-q", "-k", "key.json", *arguments, status=status)


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def check(folder):
    """Check that all is there."""
    assert contents(folder / "plain") == TEXTS
    (folder / "again").mkdir()
    store("decrypt", "sealed/", "again/")
    assert contents(folder / "again") == TEXTS


@pytest.mark.parametrize("option", ["--manifest", "--failures"])
@pytest.mark.parametrize(
    ("verb", "ends", "name"),
    [
        ("encrypt", ("plain", "new"), "plain/f1"),
        ("encrypt", ("plain", "sealed"), "sealed/f1"),
        ("encrypt", ("plain", "sealed"), "sealed/manifest"),
        ("decrypt", ("sealed", "new"), "sealed/f1"),
        ("verify", ("sealed",), "sealed/f1"),
        ("rotate", ("sealed",), "sealed/f1"),
        ("rotate", ("sealed",), "plain/../sealed/f3"),
        ("rotate", ("sealed",), "link"),
    ],
)
def test_a_report_is_no_object(folder, verb, ends, name, option):
    os.symlink("sealed/f3", "link")
    expected = "sealed/" if name == "link" else name.rpartition("/")[0].removeprefix("plain/../") + "/"
    message = refusal(verb, option, name, *(f"{end}/" for end in ends))
    assert message == f"{name}: lies among the objects of {expected}; name a file elsewhere"
    check(folder)


def test_names_that_failed_are_those_of_the_last_run(folder):
    """And none where none did: --only would take those of an earlier one."""
    (folder / "plain/f4").symlink_to("nowhere")
    command = ("encrypt", "--failures", "names", "--restart", "--force", "plain/", "new/")
    assert "1 of 5 objects failed" in refusal(*command)
    assert (folder / "names").read_text() == '"f4"\n'
    assert "output and input overlap" in refusal(*command[:-1], "plain/new/")
    assert (folder / "names").read_text() == '"f4"\n', "nothing was begun"
    (folder / "plain/f4").unlink()
    store(*command)
    assert (folder / "names").read_text() == ""


def test_reports_go_to_the_standard_output(folder, monkeypatch):
    (folder / "sealed/f1").write_bytes(b"not sealed")
    done = program("store", "verify", "-k", "key.json", "--manifest", "-", "sealed/", status=3)
    *lines, last = map(json.loads, done.stdout.splitlines())
    assert {line["name"] for line in lines if line["status"] == "failed"} == {"f1"} and last["counts"]["done"] == 3
    done = program("store", "verify", "-k", "key.json", "--failures", "-", "sealed/", status=3)
    assert done.stdout == b'"f1"\n'
    done = program("store", "verify", "-k", "key.json", "--only", "-", "sealed/", input=b'"f0"\n"f2"\n')
    assert "name one file" in refusal("verify", "--manifest", "-", "--failures", "-", "sealed/", status=2)
    assert "cannot both be the standard input" in refusal("verify", "--aad", "@-", "--only", "-", "sealed/", status=2)
    with open("sealed/list", "wb") as among:
        done = program("store", "verify", "-k", "key.json", "--manifest", "-", "sealed/", stdout=among, status=1)
    assert done.stderr.startswith(b"runnel: /dev/stdout: lies among the objects of sealed/")
    assert not os.path.exists("-")


@pytest.mark.parametrize("name", ["f1", "f3"])
@pytest.mark.parametrize("verb", ["verify", "rotate"])
def test_a_report_is_not_what_a_link_among_the_objects_leads_to(folder, verb, name):
    os.rename(f"sealed/{name}", "elsewhere")
    os.symlink("../elsewhere", f"sealed/{name}")
    message = refusal(verb, "--manifest", "elsewhere", "sealed/")
    assert message == f"elsewhere: output and input are the same file: sealed/{name}"
    check(folder)


def test_an_input_has_the_name_of_the_last_file_of_its_number(tmp_path):
    """As where rotation has removed the one before."""
    inputs = Inputs()
    (tmp_path / "file").write_bytes(b"")
    with open(tmp_path / "file", "rb") as file:
        for name in ("gone", "here"):
            inputs.remember(file.fileno(), name)
        with pytest.raises(ValueError, match="^out: output and input are the same file: here$"):
            inputs.check(os.fstat(file.fileno()), "out")


@pytest.mark.parametrize(
    ("links", "message"),
    [
        ({"f0": "../plain/f3"}, "new/f0: leads by a link to {}/plain/f3, which lies in plain/"),
        ({"f0": "f3"}, "new/f0: leads by a link to {}/new/f3, which lies in new/"),
        ({"f0": "../x", "f2": "../x"}, "new/f2: leads by a link to {}/x, as another object does"),
    ],
)
def test_no_object_is_written_over_another_by_a_link(folder, links, message):
    os.mkdir("new")
    for name, leads in links.items():
        os.symlink(leads, f"new/{name}")
    message = f"1 of 4 objects failed; the first: {message.format(folder)}"
    assert refusal("encrypt", "--force", "--threads", "1", "plain/", "new/") == message
    check(folder)


def test_no_object_is_written_over_another_of_the_same_run(folder):
    """As on a disk that takes A for a, which has none of the links that are looked for."""
    options = Options(force=True)
    keyset = runnel.Keyset.load("key.json")
    objects.decrypt(parse("sealed/f0"), parse("a"), keyset, options)
    with pytest.raises(ValueError, match="^a: is the file a, which this command has just made"):
        objects.decrypt(parse("sealed/f1"), parse("a"), keyset, options)
    assert (folder / "a").read_bytes() == TEXTS["f0"]
    objects.decrypt(parse("sealed/f1"), parse("a"), keyset, Options(force=True))
    assert (folder / "a").read_bytes() == TEXTS["f1"]


def test_links_out_of_the_folders_are_followed(folder):
    os.mkdir("new")
    os.symlink("../elsewhere", "new/f0")
    store("encrypt", "--force", "plain/", "new/")
    assert os.path.islink("new/f0")
    assert unseal(runnel.Keyset.load("key.json"), (folder / "elsewhere").read_bytes()) == TEXTS["f0"]


def test_everything_is_no_source_of_a_folder_in_it(folder):
    assert "output and input overlap: /" in refusal("encrypt", "--exclude", "*", "/", f"{folder}/new/")


def test_all_names_of_one_file_are_rotated(folder):
    for number in range(30):
        os.link("sealed/f0", f"sealed/name{number}")
    store("rotate", "sealed/")
    rotated = {name: unseal(runnel.Keyset.load("key.json"), data) for name, data in contents(folder / "sealed").items()}
    assert rotated == {**TEXTS, **{f"name{number}": TEXTS["f0"] for number in range(30)}}


def test_what_has_no_size_or_no_end_is_no_source(folder):
    """The same where a link in a folder leads there; a pipe would hang."""
    os.mkfifo("pipe")
    for name, reason in (("pipe", "not a regular file"), ("/proc/cpuinfo", "unknown size")):
        for command in (("encrypt", name, "new"), ("verify", name)):
            assert refusal(*command).startswith(f"{name}: {reason}")
    os.symlink("/proc/cpuinfo", "plain/processors")
    assert "1 of 5 objects failed; the first: plain/processors: unknown size" in refusal("encrypt", "plain/", "new/")
    assert sorted(contents(folder / "new")) == sorted(TEXTS)


def test_what_is_no_object_is_named_in_the_manifest(folder):
    os.mkfifo("plain/pipe")
    os.mkdir("elsewhere")
    os.symlink("../elsewhere", "plain/link")
    store("encrypt", "--manifest", "m", "--exclude", "f[1-3]", "plain/", "new/")
    *lines, last = map(json.loads, (folder / "m").read_text().splitlines())
    assert [line for line in lines if line["status"] == "left_out"] == [
        {"name": "link", "status": "left_out", "bytes": 0, "error": "a link to a folder, which is not followed"},
        {"name": "pipe", "status": "left_out", "bytes": 0, "error": "not a regular file"},
    ]
    assert (last["counts"]["done"], last["counts"]["left_out"]) == (1, 2)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("pipe", "not a regular file"),
        ("link", "a link to a folder, which is not followed"),
        (f"{32 * '0'}.plan", "the plan of an unfinished command"),
        ("gone", "no such object"),
    ],
)
def test_a_name_that_is_asked_for_and_left_out_fails_with_the_reason(folder, name, why):
    os.mkfifo("plain/pipe")
    os.mkdir("elsewhere")
    os.symlink("../elsewhere", "plain/link")
    (folder / "plain" / f"{32 * '0'}.plan").touch()
    (folder / "names").write_text(json.dumps(name) + "\n")
    message = refusal("encrypt", "--only", "names", "--state", "plain", "plain/", "new/")
    assert message == f"1 of 1 objects failed; the first: plain/{name}: {why}"


@pytest.mark.parametrize("state", ["plain", "plain/.local/state/runnel"])
def test_plans_among_the_objects_are_none(folder, state):
    os.makedirs(state, exist_ok=True)
    other = f"{state}/{32 * '0'}.plan"
    (folder / other).touch()  # another command's
    alike = [] if state == "plain" else [os.path.basename(other)]
    for name in ("mine.plan", *alike):
        (folder / "plain" / name).touch()
    store("encrypt", "--state", state, "--manifest", "m", "plain/", "new/")
    assert sorted(contents(folder / "new")) == sorted([*TEXTS, "mine.plan", *alike])
    assert os.listdir(state).count(os.path.basename(other)) == 1
    lines = map(json.loads, (folder / "m").read_text().splitlines())
    left_out = {line["name"]: line["error"] for line in lines if line.get("status") == "left_out"}
    assert left_out.pop(os.path.relpath(other, "plain")) == "the plan of an unfinished command"
    assert set(left_out.values()) <= {"the plan of an unfinished command"} and len(left_out) == 1, "its own"


def without_a_home(monkeypatch):
    """Run without a home folder, as in a container, whose user nobody knows."""

    def unknown(user):
        raise KeyError(user)

    for name in ("HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", unknown)


def test_no_object_counts_as_a_plan_where_plans_have_no_folder(folder, monkeypatch, capfd):
    """The working folder has such a name too."""
    without_a_home(monkeypatch)
    name = f"{32 * '0'}.plan"
    (folder / "sealed" / name).write_bytes(b"not sealed")
    monkeypatch.chdir(folder / "sealed")
    message = refused("store", "verify", "-q", "-k", "../key.json", "./", status=3)
    assert message.startswith("1 of 5 objects failed; ") and name in message
    accepted("store", "ls", "./")
    assert name in capfd.readouterr().out


def test_plans_have_a_folder_without_a_home(folder, monkeypatch):
    without_a_home(monkeypatch)
    before = sorted(os.listdir())
    message = "no folder for the plan: neither XDG_STATE_HOME nor HOME is set; name one with --state"
    assert refusal("encrypt", "plain/", "new/") == message
    store("verify", "sealed/")
    store("encrypt", "plain/f0", "one")
    store("encrypt", "--state", "state", "plain/", "new/")
    assert sorted(os.listdir()) == sorted([*before, "new", "one", "state"])


def test_files_are_closed(folder):
    """As Python's developers have it complain: nothing is printed, or the command would fail."""
    environment = {**os.environ, "PYTHONDEVMODE": "1", "PYTHONWARNINGS": "error"}
    commands = (
        ["encrypt", "plain/f0", "new"],
        ["decrypt", "new", "again"],
        ["verify", "new"],
        ["cat", "new"],
        ["rotate", "--force", "new"],
        ["encrypt", "plain/", "newer/"],
        ["ls", "newer/"],
    )
    for verb, *arguments in commands:
        program("store", verb, "-k", "key.json", *arguments, env=environment)


def test_plaintext_is_not_put_behind_its_ciphertext(folder):
    before = (folder / "sealed/f1").read_bytes()
    with open("sealed/f1", "ab") as out:
        done = program("store", "cat", "-k", "key.json", "sealed/f1", stdout=out, status=1)
    assert done.stderr == b"runnel: stdout: output and input are the same file: sealed/f1\n"
    assert (folder / "sealed/f1").read_bytes() == before


def test_an_input_is_found_among_any_number(tmp_path):
    """In one look: each output of a folder is compared with all inputs."""
    looks = 0

    class Counted(dict):
        def get(self, *arguments):
            nonlocal looks
            looks += 1
            return super().get(*arguments)

    inputs = Inputs()
    for n in range(100):
        (tmp_path / str(n)).touch()
        inputs.remember_all([tmp_path / str(n)])
    inputs._files = Counted(inputs._files)
    with pytest.raises(ValueError, match="output and input are the same.*/99"):
        inputs.check(os.stat(tmp_path / "99"), "x")
    assert looks == 1


def test_a_folder_is_looked_into_once_for_what_killed_commands_left(folder, monkeypatch):
    stale = folder / "sealed" / ".f2.0123456789ab.tmp"
    stale.touch()
    looks = []
    listdir = os.listdir
    monkeypatch.setattr(os, "listdir", lambda path: looks.append(path) or listdir(path))
    store("encrypt", "--force", "plain/", "sealed/")
    mine = [path for path in looks if str(path).startswith(str(folder))]  # importing looks into others
    assert mine == [str(folder / "sealed")] and not stale.exists()
    check(folder)
