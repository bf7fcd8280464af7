# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Prefixes of many objects, the command line of `runnel store`, and what goes wrong there."""

import errno
import json
import os
import random
import subprocess
import sys
import time
from dataclasses import replace

import pytest
import runnel
from cli_program import PROGRAM, accepted, output_of, refused
from cli_program import runnel as program
from runnel.cli.store import _utc
from runnel.store import many, objects, readers
from runnel.store.executors import most_threads
from runnel.store.manifest import Manifest
from runnel.store.objects import Options
from runnel.store.resume import Journal
from runnel.store.urls import parse
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
        assert "no object is below it" in refused("store", verb, "-k", key, f"{store}/typo/", *more, status=1)
    said = refused("store", "encrypt", "-k", key, "--include", "*.pdf", f"{store}/in/", f"{store}/out/", status=1)
    assert "no object of these names is below it" in said
    assert "ends with this command" in refused("store", "verify", "-k", key, "memory://b/x", status=2)
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


def test_a_killed_command_goes_on(store, plain, keyset, tmp_path, server):
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
    with pytest.raises(runnel.Error, match="no name of a file below"):
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
        (1, "exists already (--force", ("encrypt", "-k", key, file, there)),
        (1, "no such object", ("verify", "-k", key, f"{store}/nothing")),
        (1, "only be read", ("encrypt", "-k", key, file, "https://example.org/x")),
        (1, "has no variable", ("verify", "--key-env", "NOT_THERE", there)),
        (1, "around it", ("encrypt", "-k", key, f"{store}/a/", f"{store}/a/b/")),
        (1, "beyond", ("cat", "-k", key, "--range", "9:", there)),
        (3, "", ("verify", "-k", key, "--aad", "other", there)),
    ]
    for status, text, arguments in cases:
        assert text in refused("store", *arguments, status=status), arguments


@pytest.mark.parametrize(
    "url, scheme, bucket, key",
    [
        ("a b%20c", "file", "", "a b%20c"),
        ("file:///a%20b/c", "file", "", "/a b/c"),
        ("file://localhost/a", "file", "", "/a"),
        ("S3://Bucket/a%20b", "s3", "Bucket", "a%20b"),
        ("gs://bucket/", "gs", "bucket", ""),
        ("https://Example.org:8000/a%20b", "https", "https://example.org:8000", "a b"),
    ],
)
def test_what_urls_name(url, scheme, bucket, key):
    found = parse(url)
    assert (found.scheme, found.bucket, found.key, str(found)) == (scheme, bucket, key, url)


@pytest.mark.parametrize(
    "url", ["", "file://another.host/a", "file:///a%00b", "ftp://host/a", "s3://", "s3:///a", "s3://b//a", "https:///a"]
)
def test_what_is_no_url_of_an_object(url):
    with pytest.raises(ValueError):
        parse(url)


@pytest.mark.parametrize("url", ["https://example.org/x?sig=word", "https://ann:word@example.org/x"])
def test_a_url_that_holds_a_secret_is_refused_and_not_shown(url, keyset, tmp_path):
    line = refused("store", "verify", "-k", keyfile(keyset, tmp_path), url, status=2)
    assert "not supported" in line and "word" not in line


def test_keys_of_the_environment(store, keyset, tmp_path, monkeypatch):
    monkeypatch.setenv("OUR_KEY", keyset.to_json())
    (tmp_path / "file").write_bytes(b"some bytes")
    accepted("store", "encrypt", "--key-env", "OUR_KEY", tmp_path / "file", f"{store}/x")
    assert output_of("store", "cat", "--key-env", "OUR_KEY", "--range", "2:5", f"{store}/x") == b"me "


def test_a_keyset_in_the_place_of_its_name_is_not_shown(keyset, tmp_path, monkeypatch):
    """Nor what is like no name, even where there is such a variable."""
    line = refused("store", "verify", "--key-env", keyset.to_json(), tmp_path / "x")
    assert line == "the environment has no variable of the name that was given; a name is wanted, not the keyset"
    for name, shown in (("OUR-KEY", "the variable that was given"), ("OUR_KEY", "$OUR_KEY")):
        monkeypatch.setenv(name, "no keyset")
        assert refused("store", "verify", "--key-env", name, tmp_path / "x").startswith(f"{shown}: ")


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
        "import re, sys; from runnel.cli.group import run; done = run(sys.argv[1:]); assert done == (0, None), done\n"
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
    assert "is the input" in refused(*command, status=1) and key.read_bytes() == before
    names_of = tmp_path / "names"
    refused("store", "verify", "-k", key, "--failures", names_of, f"{store}/in/", status=3)
    command = ("store", "verify", "-k", key, "--only", names_of, f"{store}/in/")
    refused(*command, "--failures", names_of, status=3)
    assert "one file" in refused(*command, "--manifest", names_of, status=2)
    names_of.write_text('"gone"\n')
    assert "gone: no such object" in refused(*command, status=1)


def test_what_was_done_is_done_again_where_it_is_gone(store, keyset, tmp_path):
    key = keyfile(keyset, tmp_path)
    runnel.Keyset.generate("cobblestone-128").save(tmp_path / "other")
    for name in ("in/a", "in/b", "out/b"):
        put(f"{store}/{name}", b"x")
    ends = (f"{store}/in/", f"{store}/out/")
    refused("store", "encrypt", "-k", key, *ends, status=1)
    assert names(f"{store}/out/") == ["a", "b"]
    for name in ("a", "b"):
        remove(f"{store}/out/{name}")
    assert "another key" in refused("store", "encrypt", "-k", tmp_path / "other", *ends, status=1)
    accepted("store", "encrypt", "-k", key, *ends)
    assert [unseal(keyset, content(f"{store}/out/{name}")) for name in ("a", "b")] == [b"x", b"x"]


def test_what_was_done_is_done_again_where_its_source_has_changed(store, keyset, tmp_path):
    key = keyfile(keyset, tmp_path)
    for name, data in {"in/a": b"x", "in/b": b"x", "out/b": b"precious"}.items():
        put(f"{store}/{name}", data)
    ends = (f"{store}/in/", f"{store}/out/")
    refused("store", "encrypt", "-k", key, *ends, status=1)
    put(f"{store}/in/a", b"changed")
    accepted("store", "encrypt", "-k", key, "--force", *ends)
    assert [unseal(keyset, content(f"{store}/out/{name}")) for name in ("a", "b")] == [b"changed", b"x"]


@pytest.fixture(params=["local", "in a store"])
def half_done(request, tmp_path, keyset):
    """A command without its key, which has encrypted one of two objects: somebody else's has the other's name."""
    base = request.getfixturevalue("store") if request.param == "in a store" else str(tmp_path)
    for name in ("in", "out"):
        (tmp_path / name).mkdir()
    for name, data in {"in/a": b"x", "in/b": b"y", "out/b": b"precious"}.items():
        write(f"{base}/{name}", data)
    command = ("store", "encrypt", "--state", tmp_path / "state", f"{base}/in/", f"{base}/out/")
    assert "1 of 2 objects failed" in refused(*command, "-k", keyfile(keyset, tmp_path))
    return command, f"{base}/out"


def write(url, data):
    if url.startswith("/"):
        with open(url, "wb") as file:
            file.write(data)
    else:
        put(url, data)


def remove(url):
    if url.startswith("/"):
        os.unlink(url)
    else:
        readers.s3_client().delete_object(Bucket=parse(url).bucket, Key=parse(url).key)


def test_what_was_done_and_then_replaced_is_not_taken_for_done(half_done, keyset, tmp_path):
    command, out = half_done
    key = keyfile(keyset, tmp_path)
    write(f"{out}/a", b"not ours")
    said = refused(*command, "-k", key)
    assert said.startswith("2 of 2 objects failed; ") and "exists already" in said
    assert content(f"{out}/a") == b"not ours"
    accepted(*command, "-k", key, "--force")
    assert [unseal(keyset, content(f"{out}/{name}")) for name in ("a", "b")] == [b"x", b"y"]


def test_what_was_done_is_known_again(half_done, keyset, tmp_path):
    """By what its listing says, without a look into it."""
    command, out = half_done
    before = content(f"{out}/a")
    accepted(*command, "-k", keyfile(keyset, tmp_path), "--force", "--manifest", tmp_path / "m")
    status = {
        line.get("name"): line.get("status") for line in map(json.loads, (tmp_path / "m").read_text().splitlines())
    }
    assert (status["a"], status["b"]) == ("skipped", "done") and content(f"{out}/a") == before
    assert not os.listdir(tmp_path / "state")


def test_what_another_key_has_sealed_is_not_done(half_done, keyset, tmp_path):
    """However often the command is given again: who has a new key wants it used."""
    command, out = half_done
    accepted(*command, "-k", keyfile(keyset, tmp_path), "--force")
    before = content(f"{out}/a")
    keyset_with_another_first(keyset).save(tmp_path / "both")
    for _ in range(2):
        said = refused(*command, "-k", tmp_path / "both")
        assert said.startswith("2 of 2 objects failed; ") and "exists already" in said
    assert content(f"{out}/a") == before


def test_a_part_of_a_work_leaves_the_notes_of_the_rest(half_done, keyset, tmp_path):
    command, out = half_done
    key, manifest = keyfile(keyset, tmp_path), tmp_path / "m"
    remove(f"{out}/b")
    accepted(*command, "-k", key, "--include", "b")
    accepted(*command, "-k", key, "--manifest", manifest)
    assert json.loads(manifest.read_text().splitlines()[-1])["counts"]["skipped"] == 2
    assert not os.listdir(tmp_path / "state")


def test_no_notes_stay_of_a_part_that_is_done(half_done, keyset, tmp_path):
    command, _ = half_done
    accepted(*command, "-k", keyfile(keyset, tmp_path), "--force", "--exclude", "c")
    assert not os.listdir(tmp_path / "state")


def test_notes_that_somebody_changed_are_refused(half_done, keyset, tmp_path):
    command, out = half_done
    key = keyfile(keyset, tmp_path)
    (plan,) = (tmp_path / "state").iterdir()
    first, line = map(json.loads, plan.read_text().splitlines())
    for changed in (
        [first, line | {"done": "b"}],
        [first, line, line | {"made": "other"}],
        [first, line, {**line, "check": "no digits"}],
        [first | {"begun": "00"}, line],
        [first | {"source": "/elsewhere"}],
        [first | {"check": None}],
    ):
        plan.write_text("".join(json.dumps(each) + "\n" for each in changed))
        assert refused(*command, "-k", key, "--force").endswith("was changed; --restart begins anew"), changed
    assert content(f"{out}/b") == b"precious"
    accepted(*command, "-k", key, "--force", "--restart")


def test_notes_of_another_work_are_refused(half_done, keyset, tmp_path):
    """Of the same objects at another time, or of others: under one key."""
    command, _ = half_done
    key = keyfile(keyset, tmp_path)
    (plan,) = (tmp_path / "state").iterdir()
    earlier = plan.read_text().splitlines()
    refused(*command, "-k", key, "--restart")
    begun, *_ = plan.read_text().splitlines()
    plan.write_text(f"{begun}\n{earlier[1]}\n")
    assert refused(*command, "-k", key, "--force").endswith("was changed; --restart begins anew")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "b").write_bytes(b"precious")
    other = (*command[:-1], f"{tmp_path}/elsewhere/")
    refused(*other, "-k", key)
    (theirs,) = set((tmp_path / "state").iterdir()) - {plan}
    theirs.write_text("".join(f"{line}\n" for line in earlier))
    assert refused(*other, "-k", key, "--force").endswith("was changed; --restart begins anew")
    assert (tmp_path / "elsewhere" / "b").read_bytes() == b"precious"


def test_a_decryption_is_not_taken_up_with_another_key(keyset, tmp_path):
    """With one keyset that has the key as with another: the primary one is not what it is opened with."""
    key, other, both = keyfile(keyset, tmp_path), tmp_path / "other", tmp_path / "both"
    new = runnel.Keyset.generate("cobblestone-128")
    new.save(other)
    runnel.Keyset(new.primary, (new.primary, *keyset.keys)).save(both)
    (tmp_path / "plain").mkdir()
    for name in ("a", "b"):
        (tmp_path / "plain" / name).write_bytes(b"x")
    accepted("store", "encrypt", "-k", key, f"{tmp_path}/plain/", f"{tmp_path}/sealed/")
    (tmp_path / "again").mkdir()
    (tmp_path / "again" / "b").write_bytes(b"precious")
    command = ("store", "decrypt", "--state", tmp_path / "state", f"{tmp_path}/sealed/", f"{tmp_path}/again/")
    refused(*command, "-k", key)
    assert "another key" in refused(*command, "-k", other)
    assert "another key" in refused(*command, "-k", key, "--aad", "other")
    accepted(*command, "-k", both, "--force")
    assert (tmp_path / "again" / "b").read_bytes() == b"x"


def test_names_that_cannot_be_taken_fail_alone(store, keyset, tmp_path):
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


@pytest.mark.parametrize(
    "endpoint",
    ["nonsense", "http://h:99999", "http://", "http://[::1", "http://a b:1", "https://u:SECRET@h", "http://h/?SECRET"],
)
def test_an_endpoint_that_is_no_url(endpoint, store, keyset, tmp_path, monkeypatch):
    """And perhaps has a password in it, which is not shown."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
    readers._store.cache_clear()
    line = refused("store", "verify", "-k", keyfile(keyset, tmp_path), f"{store}/x", status=1)
    assert line == "AWS_ENDPOINT_URL: no URL of http or https with a host, and without a user or a query"


def test_regions_and_buckets_that_are_none(store, keyset, tmp_path, monkeypatch):
    key = keyfile(keyset, tmp_path)
    assert "no bucket has such a name" in refused("store", "verify", "-k", key, "s3://b b/x", status=2)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "no region")
    readers._session.cache_clear()
    readers._store.cache_clear()
    assert "the region of S3 has other characters" in refused("store", "verify", "-k", key, f"{store}/x", status=1)


ENDPOINTS = [
    ({}, "endpoint_url = http://all:1", "http://all:1"),
    ({}, "endpoint_url = http://all:1\nservices = mine", "http://s3-alone:1"),
    ({"AWS_ENDPOINT_URL": "http://said:1"}, "endpoint_url = http://all:1\nservices = mine", "http://said:1"),
    ({"AWS_ENDPOINT": "http://obstore:1"}, "", "http://obstore:1"),
    ({"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "true", "AWS_ENDPOINT_URL": "http://said:1"}, "", None),
    ({}, "", None),
]


@pytest.mark.parametrize("variables, profile, endpoint", ENDPOINTS)
def test_both_libraries_ask_the_endpoint_of_the_profile(variables, profile, endpoint, tmp_path, monkeypatch):
    for name in [name for name in os.environ if name.startswith("AWS_ENDPOINT")]:
        monkeypatch.delenv(name)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    config = tmp_path / "config"
    config.write_text(f"[default]\n{profile}\n[services mine]\ns3 =\n  endpoint_url = http://s3-alone:1\n")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(config))
    for cache in (readers._session, readers._store, readers.s3_client):
        cache.cache_clear()
    try:
        assert readers.s3_settings()[0] == endpoint
        assert readers.s3_client().meta.endpoint_url == (endpoint or "https://s3.amazonaws.com")
        asked = readers.store_of(parse("s3://bucket/x")).config.get("endpoint")
        assert asked == (endpoint or ("https://s3.us-east-1.amazonaws.com" if variables else None))
    finally:
        for cache in (readers._session, readers._store, readers.s3_client):
            cache.cache_clear()


@pytest.mark.parametrize("name", ["a%2Fb", "/a", "a%FFb"])
def test_names_in_the_web_that_would_be_asked_for_as_others(name):
    with pytest.raises(ValueError, match="is not supported|no UTF-8"):
        parse(f"http://127.0.0.1:1/{name}")


def test_an_object_with_the_name_of_a_folder_fails_alone(store, keyset, tmp_path):
    """Where it has bytes: an empty one is how some stores list a folder."""
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


def test_a_list_for_a_closed_output(store):
    put(f"{store}/a", b"")
    done = subprocess.run(
        [*PROGRAM, "store", "ls", f"{store}/"], preexec_fn=lambda: os.close(1), stderr=-1, check=False
    )
    assert (done.returncode, done.stderr) == (1, b"runnel: stdout: is closed\n")


def test_a_list_that_nobody_reads_to_its_end(tmp_path):
    for number in range(300):
        (tmp_path / f"{number:0100}").touch()
    for arguments in (["store", "ls"], ["store", "ls", "--json"]):
        with open("/dev/full", "wb") as full:
            done = program(*arguments, f"{tmp_path}/", stdout=full, status=1)
        assert done.stderr == b"runnel: stdout: No space left on device\n"
        process = subprocess.Popen([*PROGRAM, *arguments, f"{tmp_path}/"], stdout=-1, stderr=-1)
        process.stdout.close()
        assert (process.stderr.read(), process.wait()) == (b"runnel: stdout: Broken pipe\n", 1)
        process.stderr.close()


def test_small_objects_of_long_parts_take_no_more_memory():
    assert most_threads(16 << 20, 32) == 32 and most_threads(1 << 30, 32) == most_threads(5 << 30, 32) == 1


def test_what_killed_runs_left_is_no_object(keyset, tmp_path):
    key = keyfile(keyset, tmp_path)
    (tmp_path / "in").mkdir()
    for name in ("a", ".a.0123456789ab.tmp", ".a.tmp", "b.0123456789ab.tmp"):
        (tmp_path / "in" / name).write_bytes(b"text")
    accepted("store", "encrypt", "-k", key, f"{tmp_path}/in/", f"{tmp_path}/out/")
    assert sorted(os.listdir(tmp_path / "out")) == [".a.tmp", "a", "b.0123456789ab.tmp"]


def test_times_that_no_calendar_has(tmp_path, monkeypatch, capfd):
    """Only some file systems keep them, so that here the listing is told of one."""
    (tmp_path / "a").touch()
    far = (1 << 40, -(1 << 40), 1 << 56, -(1 << 56), 1e300)
    assert [_utc(seconds) for seconds in (0, *far)] == ["1970-01-01T00:00:00Z", None, None, None, None, None]
    monkeypatch.setattr("runnel.cli.store._utc", lambda _: None)
    accepted("store", "ls", f"{tmp_path}/")
    accepted("store", "ls", "--json", f"{tmp_path}/")
    text, row = capfd.readouterr().out.splitlines()
    assert text.split() == ["0", "-", "a"] and json.loads(row)["modified"] is None


def test_a_list_goes_on_after_what_cannot_be_opened(keyset, tmp_path, capfd):
    key = keyfile(keyset, tmp_path)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a").symlink_to("a")
    accepted("store", "encrypt", "-k", key, key, tmp_path / "in" / "b")
    accepted("store", "ls", "-k", key, f"{tmp_path}/in/")
    first, second = (line.split() for line in capfd.readouterr().out.splitlines())
    assert (first[-3:], second[-2:]) == (["?", "?", "a"], [str(key.stat().st_size), "b"])


def test_a_list_tells_what_no_key_opens_from_what_cannot_be_read(server, store, tmp_path, capfd):
    zero = replace(runnel.Keyset.generate("cobblestone-128").primary, key_id=0)
    key = keyfile(runnel.Keyset(zero, (zero,)), tmp_path)
    accepted("store", "encrypt", "-k", key, key, f"{store}/a")
    for name in "bc":
        put(f"{store}/{name}", b"text")
    with server.failing(lambda request: "403" if request.path.endswith("/c") else None):
        accepted("store", "ls", "-k", key, f"{store}/")
        accepted("store", "ls", "-k", key, "--json", f"{store}/")
    *lines, a, b, c = capfd.readouterr().out.splitlines()
    assert [line.split()[2:] for line in lines] == [
        ["0", str(key.stat().st_size), "a"],
        ["-", "-", "b"],
        ["?", "?", "c"],
    ]
    assert "error" not in json.loads(a) | json.loads(b) and "refuses access" in json.loads(c)["error"]


def test_a_list_that_breaks_off(store, keyset, tmp_path, monkeypatch):
    """What was begun by then is finished, and known."""
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
    assert "around it" in refused(*command, f"{store}/in/", f"{store}/in/below/")
    assert (tmp_path / "m").read_bytes() == before, "a run that was over before it had done anything"


@pytest.mark.parametrize("proxy", ["http://user:SECRET@127.0.0.1:99999", "socks5://user:SEC@RET@127.0.0.1:1"])
def test_the_password_of_a_proxy_is_not_shown(proxy, store, monkeypatch):
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://no-such-host.invalid")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    monkeypatch.setenv("http_proxy", proxy)
    for cached in (readers.s3_client, readers._session, readers._store):
        cached.cache_clear()
    line = refused("store", "ls", f"{store}/")
    assert "://***@127.0.0.1:" in line and "SEC" not in line and "RET" not in line


def test_an_error_without_a_number_says_what_it_is(keyset, tmp_path, monkeypatch):
    """As Ray's, where there is no cluster."""

    def fail(*_):
        raise ConnectionError("no cluster is there")

    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a").touch()
    monkeypatch.setattr(objects, "encrypt", fail)
    line = refused("store", "encrypt", "-k", keyfile(keyset, tmp_path), f"{tmp_path}/in/", f"{tmp_path}/out/")
    assert line == "1 of 1 objects failed; the first: a: no cluster is there"


def test_what_a_list_has_no_etag_of_is_done_again(store, keyset, tmp_path, monkeypatch):
    """It may have changed."""
    key = keyfile(keyset, tmp_path)
    for name, text in (("a", b"old"), ("b", b"x")):
        put(f"{store}/in/{name}", text)
    put(f"{store}/out/b", b"theirs")
    without = [each._replace(etag=None) for each in readers.listing(parse(f"{store}/in/"))]
    real = many.listing
    monkeypatch.setattr(
        many, "listing", lambda location, *more: without if location.key == "in/" else real(location, *more)
    )
    command = ("store", "encrypt", "-k", key, f"{store}/in/", f"{store}/out/")
    refused(*command)
    put(f"{store}/in/a", b"new")
    assert "2 of 2 objects failed" in refused(*command)
    accepted(*command[:2], "--force", *command[2:])
    assert unseal(keyset, content(f"{store}/out/a")) == b"new"


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


def test_a_list_has_no_commands_for_a_terminal(tmp_path, capfd):
    (tmp_path / "a\x1b[2J\nb").touch()
    accepted("store", "ls", f"{tmp_path}/")
    (line,) = capfd.readouterr().out.splitlines()
    assert line.endswith("a?[2J?b")


def test_a_plan_that_cannot_be_written_is_named(tmp_path):
    """A line of which the disk takes a part is no reason to write the next one behind it."""
    with Journal(str(tmp_path), "a", "b") as journal, pytest.MonkeyPatch.context() as patched:
        real = os.write
        patched.setattr(os, "write", lambda fd, data: real(fd, data[:5]))
        journal.begin({"verb": "encrypt"})
        journal.append({"done": "name", "id": [1, "etag"]})
        assert [line.get("done") for line in journal.read(done=str)] == [None, "name"]

        def full(fd, data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        patched.setattr(os, "write", full)
        with pytest.raises(OSError, match="No space left") as caught:
            journal.append({"done": "other"})
        assert caught.value.filename == journal.path
