# SPDX-License-Identifier: Apache-2.0 OR MIT
"""All objects of a prefix, by the command line of `runnel store`, and what goes wrong there."""

import errno
import json
import os
import random
import subprocess
import sys
import time

import pytest
import runnel
from cli_program import PROGRAM, accepted, refused
from cli_program import runnel as program
from runnel_store import many, objects, readers
from runnel_store.executors import max_threads
from runnel_store.manifest import Manifest
from runnel_store.objects import Options
from runnel_store.resume import Journal
from runnel_store.urls import parse
from sealed_files import unseal
from store_objects import PART, content, keyfile, keyset_with_another_first, names, put, server, store  # noqa: F401  # fixtures
from store_server import Bottomless, times


@pytest.fixture
def keyset():
    return runnel.Keyset.generate("cobblestone-128")


@pytest.fixture
def plain(store):
    """Forty small objects, an empty one, and a long one."""
    data = {f"in/{n % 3}/{n}.{'csv' if n % 2 else 'txt'}": random.randbytes(n * 1000) for n in range(41)}
    data["in/long"] = random.randbytes(PART + 100_000)
    for name, each in data.items():
        put(f"{store}/{name}", each)
    return data


def test_all_objects_of_a_prefix(store, plain, keyset, tmp_path):
    key = keyfile(keyset, tmp_path)
    accepted(
        "store", "encrypt", "-k", key, "--part", "5M", "--manifest", tmp_path / "m", f"{store}/in/", f"{store}/out/"
    )
    lines = [json.loads(line) for line in (tmp_path / "m").read_text().splitlines()]
    assert lines[-1]["counts"] == {
        "done": 42, "skipped": 0, "failed": 0, "left_out": 0, "bytes": sum(map(len, plain.values())), "unauthentic": 0
    }  # fmt: skip
    assert {line["name"] for line in lines[:-1]} == {name.removeprefix("in/") for name in plain}
    for name, data in plain.items():
        assert unseal(keyset, content(f"{store}/{name.replace('in', 'out', 1)}")) == data
    accepted("store", "verify", "-k", key, f"{store}/out/")
    accepted("store", "decrypt", "-k", key, f"{store}/out/", tmp_path / "again")
    for name, data in plain.items():
        assert (tmp_path / "again" / name.removeprefix("in/")).read_bytes() == data
    listed = program("store", "ls", "--json", "-k", key, f"{store}/out/").stdout.splitlines()
    assert {(row["name"], row["plaintext"]) for row in map(json.loads, listed)} == {
        (name.removeprefix("in/"), len(data)) for name, data in plain.items()
    }
    assert not os.listdir(tmp_path / "state" / "runnel" / "store")


def test_filters(store, plain, keyset, tmp_path):
    key = keyfile(keyset, tmp_path)
    accepted("store", "encrypt", "-k", key, "--include", "*.csv", "--exclude", "2/*", f"{store}/in/", f"{store}/out/")
    wanted = {name for name in names(f"{store}/in/") if name.endswith(".csv") and not name.startswith("2/")}
    assert set(names(f"{store}/out/")) == wanted and wanted


def test_nothing_below_a_prefix_is_an_error(store, plain, keyset, tmp_path):
    key = keyfile(keyset, tmp_path)
    for verb, more in (("verify", []), ("encrypt", [f"{store}/out/"]), ("rotate", [])):
        assert "no object below it" in refused("store", verb, "-k", key, f"{store}/typo/", *more, status=1)
    message = refused("store", "encrypt", "-k", key, "--include", "*.pdf", f"{store}/in/", f"{store}/out/", status=1)
    assert "no matching object below it" in message
    assert "does not outlive this command" in refused("store", "verify", "-k", key, "memory://b/x", status=2)
    assert not names(f"{store}/out/")


def test_a_rotation_leaves_what_is_done_and_reads_the_rest(store, plain, keyset, tmp_path):
    key = keyfile(keyset, tmp_path)
    new = runnel.Keyset.generate("AES128_GCM_HKDF_4KB").primary
    runnel.Keyset(new, (new, *keyset.keys)).save(tmp_path / "both")
    accepted("store", "encrypt", "-k", key, "--part", "5M", f"{store}/in/", f"{store}/out/")
    damaged = bytearray(content(f"{store}/out/2/20.txt"))
    damaged[100] ^= 1
    put(f"{store}/out/2/20.txt", bytes(damaged))
    line = refused("store", "rotate", "-k", tmp_path / "both", "--part", "5M", f"{store}/out/", status=3)
    assert "1 of 42 objects failed" in line and "20.txt" in line
    assert content(f"{store}/out/2/20.txt") == damaged
    for name, data in plain.items():
        if not name.endswith("/20.txt"):
            assert unseal(runnel.Keyset(new, (new,)), content(f"{store}/{name.replace('in', 'out', 1)}")) == data
    manifest = tmp_path / "m"
    refused("store", "rotate", "-k", tmp_path / "both", "--manifest", manifest, f"{store}/out/", status=3)
    counts = json.loads(manifest.read_text().splitlines()[-1])["counts"]
    assert (counts["done"], counts["skipped"], counts["failed"]) == (0, 41, 1)


def test_what_fails_is_listed_and_taken_by_the_next_run(store, plain, keyset, tmp_path, server):
    key, failures = keyfile(keyset, tmp_path), tmp_path / "failures"
    put(f"{store}/out/1/1.csv", b"somebody else's")
    command = ("store", "encrypt", "-k", key, "--part", "5M", "--failures", failures, f"{store}/in/", f"{store}/out/")
    assert "1 of 42" in refused(*command, status=1)
    assert failures.read_text() == '"1/1.csv"\n' and content(f"{store}/out/1/1.csv") == b"somebody else's"
    with server.counting() as requests:
        assert "1 of 42" in refused(*command, status=1)
    assert len([each for each in requests if each.method == "PUT"]) == 1, "what is done is not done again"
    accepted(*command[:-2], "--force", "--only", failures, *command[-2:])
    assert unseal(keyset, content(f"{store}/out/1/1.csv")) == plain["in/1/1.csv"]


def test_a_killed_command_continues(store, plain, keyset, tmp_path, server):
    command = ["store", "encrypt", "-k", keyfile(keyset, tmp_path), "--threads", 2, "--part", "5M"]
    command += [f"{store}/in/", f"{store}/out/"]
    done = []

    def stop(request):
        if request.method == "PUT":
            done.append(request)
        return 60.0 if len(done) > 10 else None

    with server.failing(stop):
        process = subprocess.Popen([*PROGRAM, *map(str, command)])
        while len(done) <= 10:
            assert process.poll() is None
            time.sleep(0.01)
        process.kill()
        process.wait()
    with server.counting() as requests:
        accepted(*command)
    assert len([each for each in requests if each.method == "PUT" and each.part is None]) <= 41 - 10 + 2 * 2
    for name, data in plain.items():
        assert unseal(keyset, content(f"{store}/{name.replace('in', 'out', 1)}")) == data


def test_names_that_lead_out_of_the_folder(store, keyset, tmp_path, monkeypatch):
    put(f"{store}/in/a", b"")
    listed = readers.Listed("../evil", 5, 0.0, None)
    monkeypatch.setattr(many, "listing", lambda *_: iter([listed]))
    manifest = Manifest()
    with pytest.raises(runnel.Error, match="not the name of a file below"):
        many.run("encrypt", parse(f"{store}/in/"), parse(f"{tmp_path}/out/"), keyset,
                 Options(state=str(tmp_path / "s")), many.Selection(), manifest)  # fmt: skip
    assert manifest.failures == ["../evil"] and not (tmp_path / "evil").exists()


def test_what_the_command_line_refuses(store, keyset, tmp_path):
    key = keyfile(keyset, tmp_path)
    (tmp_path / "file").write_bytes(b"x")
    file, there = tmp_path / "file", f"{store}/x"
    accepted("store", "encrypt", "-k", key, file, there)
    cases = [
        (2, "one of s3://", ("encrypt", "-k", key, "ftp://a/b", there)),
        (2, "no bucket", ("encrypt", "-k", key, file, "s3:///x")),
        (2, "--key-env", ("encrypt", file, there)),
        (2, "prefixes", ("encrypt", "-k", key, "--include", "*", file, there)),
        (2, "store cat", ("decrypt", "-k", key, there, "-")),
        (2, "5M to 5G", ("encrypt", "-k", key, "--part", "1M", file, there)),
        (1, "already exists (use --force", ("encrypt", "-k", key, file, there)),
        (1, "no such object", ("verify", "-k", key, f"{store}/nothing")),
        (1, "read-only", ("encrypt", "-k", key, file, "https://example.org/x")),
        (1, "has no variable", ("verify", "--key-env", "NOT_THERE", there)),
        (1, "overlap", ("encrypt", "-k", key, f"{store}/a/", f"{store}/a/b/")),
        (1, "beyond", ("cat", "-k", key, "--range", "9:", there)),
        (3, "", ("verify", "-k", key, "--aad", "other", there)),
    ]
    for status, text, arguments in cases:
        assert text in refused("store", *arguments, status=status), arguments


def test_a_missing_library_is_named(tmp_path):
    code = "import sys; sys.modules['obstore'] = None; import runnel.cli; runnel.cli.main()"
    command = [sys.executable, "-c", code, "store", "ls", "s3://bucket/"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "runnel: obstore is not installed: pip install 'runnel[store]'\n")


@pytest.mark.parametrize("mib", [400, pytest.param(20 << 10, marks=pytest.mark.campaign)])
def test_memory_stays_small(mib, keyset, tmp_path, monkeypatch, store):
    """The peak of a command that may hold no more than a few parts of a long file."""
    with open(tmp_path / "sparse", "wb") as file:
        file.truncate(mib << 20)
    where = Bottomless()
    monkeypatch.setenv("AWS_ENDPOINT_URL", where.url)
    code = (
        "import re, sys; from runnel.cli.command import run; done = run(sys.argv[1:]); assert done == (0, None), done\n"
        "print(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])"
    )
    arguments = ["store", "encrypt", "-k", keyfile(keyset, tmp_path), tmp_path / "sparse", "s3://bucket/x"]
    done = subprocess.run([sys.executable, "-c", code, *map(str, arguments)], stdout=subprocess.PIPE, check=True)
    where.close()
    assert int(done.stdout) < 200 << 10, "KiB"
    assert where.completed and sum(where.bytes.values()) == keyset.primary.parameters.sealed_bytes(mib << 20)


def test_small_objects_wait_for_no_more_than_two_requests(store, keyset, tmp_path, server):
    for n in range(10):
        put(f"{store}/in/{n}", random.randbytes(100_000))
    with server.counting() as requests, server.failing(times(2, lambda request: request.method == "GET", "500")):
        accepted("store", "encrypt", "-k", keyfile(keyset, tmp_path), f"{store}/in/", f"{store}/out/")
    assert len(requests) <= 1 + 2 * 10 + 2, requests


def test_the_list_of_failures_replaces_no_key(store, keyset, tmp_path):
    put(f"{store}/in/a", b"not sealed")
    key = keyfile(keyset, tmp_path)
    before = key.read_bytes()
    command = ("store", "verify", "-k", key, "--failures", key, f"{store}/in/")
    assert "are the same file" in refused(*command, status=1) and key.read_bytes() == before
    names_of = tmp_path / "names"
    refused("store", "verify", "-k", key, "--failures", names_of, f"{store}/in/", status=3)
    command = ("store", "verify", "-k", key, "--only", names_of, f"{store}/in/")
    refused(*command, "--failures", names_of, status=3)
    assert "one file" in refused(*command, "--manifest", names_of, status=2)
    names_of.write_text('"gone"\n')
    assert "gone: no such object" in refused(*command, status=1)


def test_names_that_the_end_came_before_stay_in_the_list(keyset, tmp_path):
    """As where a store's listing ends with an error: --only and --failures may be one file."""
    key, names_of = keyfile(keyset, tmp_path), tmp_path / "names"
    (tmp_path / "in").mkdir()
    for name in "abc":
        (tmp_path / "in" / name).write_bytes(b"not sealed")
    names_of.write_text('"a"\n"b"\n"c"\n')
    ends = """
from runnel_store import many, readers

def listing(*arguments):
    yield next(whole(*arguments))
    raise PermissionError(13, "refused", "in")

whole, many.listing = readers.listing, listing
from runnel.cli import main
main()
"""
    command = ("store", "verify", "-k", key, "--only", names_of, "--failures", names_of, f"{tmp_path}/in/")
    done = subprocess.run([sys.executable, "-c", ends, *command], capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.count("\n") == 1 and "refused" in done.stderr, done
    assert names_of.read_text() == '"a"\n"b"\n"c"\n'


def test_only_names_that_cannot_be_taken_fail(store, keyset, tmp_path):
    key = keyfile(keyset, tmp_path)
    for name in ("in/a//b", "in/../../evil", "in/good"):
        readers.s3_client().put_object(Bucket=parse(store).bucket, Key=name, Body=b"x")
    for target in (f"{tmp_path}/x/out/", f"{store}/out/"):
        assert "2 of 3 objects failed" in refused("store", "encrypt", "-k", key, f"{store}/in/", target, status=1)
    assert os.listdir(tmp_path / "x") == ["out"] and os.listdir(tmp_path / "x" / "out") == ["good"]
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "good").write_bytes(b"x")
    (tmp_path / "files" / "link").symlink_to("nowhere")
    line = refused("store", "encrypt", "-k", key, tmp_path / "files", tmp_path / "sealed", status=1)
    assert "1 of 2 objects failed; the first" in line and "No such file" in line
    assert "begins with /" in refused("store", "encrypt", "-k", key, key, f"{store}//a", status=2)


def test_only_the_object_with_the_name_of_a_folder_fails(store, keyset, tmp_path):
    """It fails if it has bytes: an empty one is how some stores list a folder."""
    key = keyfile(keyset, tmp_path)
    for name, data in (("dir/", b"bytes"), ("", b"bytes"), ("empty/", b""), ("a", b"text")):
        readers.s3_client().put_object(Bucket=parse(store + "/x").bucket, Key=f"in/{name}", Body=data)
    line = refused("store", "encrypt", "-k", key, f"{store}/in/", f"{store}/out/", status=1)
    assert "2 of 3 objects failed" in line and names(f"{store}/out/") == ["a"]


def test_a_file_is_not_named_as_what_killed_commands_leave(store, keyset, tmp_path):
    key = keyfile(keyset, tmp_path)
    for name in ("foo", ".foo.0123456789ab.tmp"):
        objects.encrypt(
            parse(str(key)), parse(f"{store}/{name}"), keyset, objects.Options(state=str(tmp_path / "state"))
        )
    line = refused("store", "decrypt", "-k", key, f"{store}/", tmp_path / "out", status=1)
    assert "1 of 2 objects failed" in line and os.listdir(tmp_path / "out") == ["foo"]


def test_small_objects_of_long_parts_take_no_more_memory():
    assert max_threads(16 << 20, 32) == 32 and max_threads(1 << 30, 32) == max_threads(5 << 30, 32) == 1


def test_what_killed_runs_left_is_no_object(keyset, tmp_path):
    key = keyfile(keyset, tmp_path)
    (tmp_path / "in").mkdir()
    for name in ("a", ".a.0123456789ab.tmp", ".a.tmp", "b.0123456789ab.tmp"):
        (tmp_path / "in" / name).write_bytes(b"text")
    accepted("store", "encrypt", "-k", key, f"{tmp_path}/in/", f"{tmp_path}/out/")
    assert sorted(os.listdir(tmp_path / "out")) == [".a.tmp", "a", "b.0123456789ab.tmp"]


def test_a_list_that_breaks_off(store, keyset, tmp_path, monkeypatch):
    """Objects begun by then are finished, and known."""
    for name in "abcd":
        put(f"{store}/in/{name}", b"text")
    real = many.listing

    def broken(location, *more):
        for number, each in enumerate(real(location, *more)):
            if number == 3:
                raise runnel.Error("it broke off")
            yield each

    monkeypatch.setattr(many, "listing", broken)
    command = ("store", "encrypt", "-k", keyfile(keyset, tmp_path), "--manifest", tmp_path / "m")
    assert refused(*command, f"{store}/in/", f"{store}/out/") == "it broke off"
    rows = [json.loads(line) for line in (tmp_path / "m").read_text().splitlines()]
    assert sorted((row["name"], row["status"]) for row in rows) == [(name, "done") for name in "abc"]
    before = (tmp_path / "m").read_bytes()
    assert "overlap" in refused(*command, f"{store}/in/", f"{store}/in/below/")
    assert (tmp_path / "m").read_bytes() == before, "a run that was over before it had done anything"


def test_an_error_without_a_number_says_what_it_is(keyset, tmp_path, monkeypatch):
    """As Ray's, where there is no cluster."""

    def fail(*_):
        raise ConnectionError("no cluster is there")

    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a").touch()
    monkeypatch.setattr(objects, "encrypt", fail)
    line = refused("store", "encrypt", "-k", keyfile(keyset, tmp_path), f"{tmp_path}/in/", f"{tmp_path}/out/")
    assert line == "1 of 1 objects failed; the first: a: no cluster is there"


def test_the_manifest_counts_plaintext(keyset, tmp_path):
    """Also of what is rotated, and of what a killed command had decrypted and not noted."""
    text, sealed = b"text" * 1000, tmp_path / "sealed" / "a"
    keyset.save(tmp_path / "key")
    keyset_with_another_first(keyset).save(tmp_path / "both")
    for folder in ("plain", "sealed"):
        (tmp_path / folder).mkdir()
    (tmp_path / "plain" / "a").write_bytes(text)

    def count(verb, *ends):
        accepted(
            "store", verb, "-k", tmp_path / "both", "--manifest", tmp_path / "m", *(f"{tmp_path}/{e}/" for e in ends)
        )
        line, last = map(json.loads, (tmp_path / "m").read_text().splitlines())
        assert (line["status"], line["bytes"]) == ("done", last["counts"]["bytes"])
        return line["bytes"]

    accepted("store", "encrypt", "-k", tmp_path / "key", tmp_path / "plain" / "a", sealed)
    assert count("rotate", "sealed") == len(text)
    (tmp_path / "again").mkdir()
    (tmp_path / "again" / "a").write_bytes(b"other")
    refused("store", "decrypt", "-k", tmp_path / "both", f"{tmp_path}/sealed/", f"{tmp_path}/again/")
    (tmp_path / "again" / "a").write_bytes(text)
    assert count("decrypt", "sealed", "again") == len(text)


def test_a_plan_that_cannot_be_written_is_named(tmp_path):
    """A line of which the disk takes a part is no reason to write the next one behind it."""
    with Journal(str(tmp_path), "a", "b") as journal, pytest.MonkeyPatch.context() as patched:
        real = os.write
        patched.setattr(os, "write", lambda fd, data: real(fd, data[:5]))
        journal.begin(1, {"verb": "encrypt"})
        journal.append({"done": "name", "id": [1, "etag"]})
        assert [line.get("done") for line in journal.read(1, done=str)] == [None, "name"]

        def full(fd, data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        patched.setattr(os, "write", full)
        with pytest.raises(OSError, match="No space left") as caught:
            journal.append({"done": "other"})
        assert caught.value.filename == journal.path
