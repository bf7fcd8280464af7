# SPDX-License-Identifier: Apache-2.0 OR MIT
"""keygen, encrypt, decrypt: what they do, and every way in which they refuse."""

import json
import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from cli_program import PROGRAM, accepted, listing, one_line, output_of, refused, runnel
from runnel.sealed import formats
from runnel.sealed.formats import DEFAULT_TEMPLATE, TEMPLATES
from runnel.sealed.keyset import Keyset
from sealed_files import ONE_OF_EACH, SMALL, keyset_of

PLAINTEXT = bytes(range(256)) * 150
"""Several segments in every format of ONE_OF_EACH."""
every_format = pytest.mark.parametrize("template", ONE_OF_EACH)


@pytest.fixture
def template():
    """The format of the folder's files; a test of all formats has it as a parameter."""
    return ONE_OF_EACH[0]


@pytest.fixture
def folder(tmp_path, template):
    """A folder with a key, a plaintext and its encryption with the associated data "aad"."""
    runnel("keygen", tmp_path / "key", "--template", template)
    (tmp_path / "plain").write_bytes(PLAINTEXT)
    runnel("encrypt", "--key", tmp_path / "key", "--aad", "aad", tmp_path / "plain", tmp_path / "sealed")
    return tmp_path


def test_keygen(tmp_path):
    os.umask(0)
    try:
        runnel("keygen", tmp_path / "key")
    finally:
        os.umask(0o022)
    status = os.stat(tmp_path / "key")
    assert stat.S_IMODE(status.st_mode) == 0o600
    keyset = Keyset.from_json((tmp_path / "key").read_text())
    assert keyset.primary.parameters == TEMPLATES[DEFAULT_TEMPLATE]
    before = (tmp_path / "key").read_bytes()
    assert "already exists" in one_line(runnel("keygen", tmp_path / "key", status=1).stderr)
    assert (tmp_path / "key").read_bytes() == before
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    runnel("keygen", tmp_path / "dangling", status=1)
    runnel("keygen", tmp_path, status=1)
    runnel("keygen", tmp_path / "no" / "key", status=1)
    assert listing(tmp_path) == ["dangling", "key"]
    for template, parameters in TEMPLATES.items():
        made = Keyset.from_json(runnel("keygen", "--template", template, "-").stdout)
        assert made.primary.parameters == parameters
    assert "AES256" in one_line(runnel("keygen", "--template", "AES256", tmp_path / "k", status=2).stderr)


@every_format
def test_round_trips(folder):
    key, aad = ("--key", folder / "key"), ("--aad", "aad")
    runnel("decrypt", *key, *aad, folder / "sealed", folder / "out")
    assert (folder / "out").read_bytes() == PLAINTEXT
    assert runnel("decrypt", *key, *aad, folder / "sealed", "-").stdout == PLAINTEXT
    assert runnel("decrypt", *key, *aad, "-", "-", input=(folder / "sealed").read_bytes()).stdout == PLAINTEXT
    with open(folder / "sealed", "rb") as stdin:
        assert runnel("decrypt", *key, *aad, "--range", "5:4099", "-", "-", stdin=stdin).stdout == PLAINTEXT[5:4099]
    for text in (b"", b"x", PLAINTEXT):
        sealed = runnel("encrypt", *key, "-", "-", input=text).stdout
        assert runnel("decrypt", *key, "-", folder / f"piped{len(text)}", input=sealed).stdout == b""
        assert (folder / f"piped{len(text)}").read_bytes() == text
    assert not [name for name in listing(folder) if name.startswith(".")]


@every_format
def test_associated_data_from_a_file(folder):
    (folder / "data").write_bytes(b"\0\xff@")
    key = ("--key", folder / "key")
    accepted("encrypt", *key, "--aad", f"@{folder / 'data'}", folder / "plain", folder / "two")
    accepted("decrypt", *key, "--aad", f"@{folder / 'data'}", folder / "two", folder / "out")
    assert (folder / "out").read_bytes() == PLAINTEXT
    refused("decrypt", *key, folder / "two", folder / "out2", status=3)
    (folder / "same").write_bytes(b"aad")
    accepted("decrypt", *key, "--aad", f"@{folder / 'same'}", folder / "sealed", folder / "out3")
    assert "nowhere: No such file" in refused(
        "decrypt", *key, "--aad", f"@{folder}/nowhere", folder / "two", folder / "out2"
    )


@every_format
def test_ranges(folder, template):
    size = len(PLAINTEXT)
    border = TEMPLATES[template].plaintext_at(2)
    for start, end in (
        (0, 0),
        (0, 1),
        (0, size),
        (border - 1, border + 1),
        (border, size),
        (size - 1, size),
        (size, size),
        (7, size + 99),
    ):
        out = runnel(
            "decrypt", "--key", folder / "key", "--aad", "aad", "--range", f"{start}:{end}", folder / "sealed", "-"
        )
        assert out.stdout == PLAINTEXT[start:end]
    for text, expected in ((":", PLAINTEXT), ("4000:", PLAINTEXT[4000:]), (":17000", PLAINTEXT[:17000])):
        accepted(
            "decrypt",
            "--key",
            folder / "key",
            "--aad",
            "aad",
            "--force",
            "--range",
            text,
            folder / "sealed",
            folder / "o",
        )
        assert (folder / "o").read_bytes() == expected
    for text in ("5", "", "5:4", "-1:4", "a:b", "1:2:3", "1-2", "0x1:2", "1.5:2", " 1:2", f"{10**40}:{10**39}"):
        assert "--range" in refused(
            "decrypt", "--key", folder / "key", "--range", text, folder / "sealed", folder / "o2", status=2
        )
    line = refused(
        "decrypt", "--key", folder / "key", "--aad", "aad", "--range", f"{size + 1}:", folder / "sealed", folder / "o2"
    )
    assert f"beyond the {size} bytes" in line
    for start in (str(1 << 63), "9" * 20, "9" * 60, "9" * 5000, "9T"):
        for end in ("", start, "9" * 5001):
            extent = ("--key", folder / "key", "--aad", "aad", "--range", f"{start}:{end}")
            assert f"beyond the {size} bytes" in refused("decrypt", *extent, folder / "sealed", folder / "o2")
            assert f"beyond the {size} bytes" in refused("store", "cat", *extent, folder / "sealed")
    piped = runnel("decrypt", "--key", folder / "key", "--range", "1:2", "-", "-", input=b"x" * 99, status=1)
    assert "can seek" in one_line(piped.stderr)
    assert not (folder / "o2").exists()


@pytest.mark.parametrize(
    "end", [str((1 << 63) + 1), "9" * 20, "9" * 60 + "T", "9" * 61, "9" * 5000, "0" * 5000 + "1T"], ids=len
)
def test_an_end_beyond_any_size_is_the_end(folder, end):
    wanted = ("--key", folder / "key", "--aad", "aad", "--range", f"38000:{end}", folder / "sealed")
    assert output_of("decrypt", *wanted, "-") == PLAINTEXT[38000:]
    assert output_of("store", "cat", *wanted) == PLAINTEXT[38000:]
    accepted("decrypt", *wanted, folder / "part")
    assert (folder / "part").read_bytes() == PLAINTEXT[38000:]


# Refusals


def damaged_files(sealed, p):
    header, second = p.header_bytes, p.sealed_at(1)
    yield "empty", b""
    yield "header", sealed[:header]
    yield "cut in a header", sealed[:23]
    yield "cut in a tag", sealed[: header + 10]
    yield "cut by a byte", sealed[:-1]
    yield "cut at a segment", sealed[:second]
    yield "appended", sealed + b"\0"
    yield "a flipped length", bytes([sealed[0] ^ 1]) + sealed[1:]
    yield "a flipped salt", sealed[:5] + bytes([sealed[5] ^ 1]) + sealed[6:]
    yield "a flipped byte", sealed[:1000] + bytes([sealed[1000] ^ 128]) + sealed[1001:]
    yield "a flipped last bit", sealed[:-1] + bytes([sealed[-1] ^ 1])
    yield "the first segment twice", sealed[:second] + sealed[header:second] + sealed[second:]
    yield "no first segment", sealed[second:]


@every_format
def test_damaged_files(folder, template):
    sealed = (folder / "sealed").read_bytes()
    before = listing(folder)
    for what, damaged in damaged_files(sealed, TEMPLATES[template]):
        (folder / "sealed").write_bytes(damaged)
        for extra in ((), ("--range", "0:1"), ("--range", "17000:")):
            if what == "a flipped byte" and "17000:" in extra:
                continue  # in the first segment, which this range does not need
            line = refused(
                "decrypt", "--key", folder / "key", "--aad", "aad", *extra, folder / "sealed", folder / "out", status=3
            )
            assert line.startswith(f"{folder / 'sealed'}: "), (what, line)
        assert listing(folder) == before and (folder / "sealed").read_bytes() == damaged
    piped = runnel("decrypt", "--key", folder / "key", "--aad", "aad", "-", "-", input=sealed[:-1], status=3)
    assert PLAINTEXT.startswith(piped.stdout) and one_line(piped.stderr).startswith("runnel: stdin: ")


@pytest.mark.parametrize("kind", SMALL)
def test_every_byte_of_a_file_by_command(folder, kind, monkeypatch):
    """Three segments, each byte changed in turn: status 3, one line, nothing left."""
    p = SMALL[kind]
    monkeypatch.setitem(formats.BY_TYPE_URL, p.type_url, type(p))
    (folder / "small").write_text(keyset_of(p).to_json())
    (folder / "short").write_bytes(bytes(p.plaintext_at(2) + 20))
    accepted("encrypt", "--key", folder / "small", folder / "short", folder / "three")
    sealed = (folder / "three").read_bytes()
    before = listing(folder)
    for at in range(len(sealed)):
        (folder / "three").write_bytes(sealed[:at] + bytes([sealed[at] ^ 4]) + sealed[at + 1 :])
        refused("decrypt", "--key", folder / "small", folder / "three", folder / "out", status=3)
    for length in range(len(sealed)):
        (folder / "three").write_bytes(sealed[:length])
        refused("decrypt", "--key", folder / "small", folder / "three", folder / "out", status=3)
    assert listing(folder) == before


@every_format
def test_wrong_key_and_wrong_associated_data(folder, template):
    runnel("keygen", folder / "other", "--template", template)
    runnel("keygen", folder / "longer", "--template", "AES256_GCM_HKDF_4KB")
    for arguments, message in (
        (("--key", folder / "other", "--aad", "aad"), "wrong key or associated data"),
        (("--key", folder / "key", "--aad", "aaf"), "wrong key or associated data"),
        (("--key", folder / "key"), "wrong key or associated data"),
        (("--key", folder / "longer", "--aad", "aad"), ""),
    ):
        done = runnel("decrypt", *arguments, folder / "sealed", folder / "out", status=3)
        assert message in one_line(done.stderr) and not (folder / "out").exists()


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "malformed JSON"),
        ("{", "malformed JSON (line 1)"),
        ('{"primaryKeyId": 1}', "no list called key"),
        ("\0" * 2_000_000, "more than 1 MiB"),
    ],
)
def test_broken_key_files(folder, text, message):
    (folder / "broken").write_text(text)
    done = runnel("encrypt", "--key", folder / "broken", folder / "plain", folder / "out", status=1)
    assert f"{folder / 'broken'}: " in one_line(done.stderr) and message in done.stderr.decode()


def test_a_key_of_another_type(folder):
    tree = json.loads((folder / "key").read_text())
    tree["key"][0]["keyData"]["typeUrl"] = "type.googleapis.com/google.crypto.tink.AesGcmKey"
    (folder / "other").write_text(json.dumps(tree))
    line = refused("decrypt", "--key", folder / "other", folder / "sealed", folder / "out")
    assert "google.crypto.tink.AesGcmKey" in line


def test_files_that_are_missing_or_are_no_files(folder):
    (folder / "folder").mkdir()
    (folder / "dangling").symlink_to("nowhere")
    key = ("--key", folder / "key")
    before = listing(folder)
    for verb in ("encrypt", "decrypt"):
        for wrong, message in (
            ("nowhere", "No such file"),
            ("folder", "Is a directory"),
            ("dangling", "No such file"),
            ("plain/x", "Not a directory"),
        ):
            assert f"{folder / wrong}: {message}" in refused(verb, *key, folder / wrong, folder / "out")
            assert f"{folder / wrong}: {message}" in refused(
                verb, "--key", folder / wrong, folder / "plain", folder / "out"
            )
        for out, message in (
            ("folder", "Is a directory"),
            ("nowhere/out", "No such file"),
            ("plain", "already exists"),
            ("dangling", "already exists"),
            ("plain/x", "Not a directory"),
            ("x" * 256, "name too long"),
        ):
            assert message in refused(verb, *key, folder / "sealed", folder / out)
        assert "Is a directory" in refused(verb, *key, "--force", folder / "sealed", folder / "folder")
        assert "not a regular file" in refused(verb, *key, "--force", folder / "sealed", "/dev/null")
        refused(verb, *key, folder / "sealed", "", status=2)
    assert listing(folder) == before


def test_files_whose_size_says_nothing(folder):
    """Those of /proc have 0 bytes until they are read."""
    accepted("encrypt", "--key", folder / "key", "/proc/version", folder / "out")
    accepted("decrypt", "--key", folder / "key", folder / "out", folder / "again")
    assert (folder / "again").read_bytes() == Path("/proc/version").read_bytes() != b""


def test_unreadable(tmp_path):
    """Permissions, which bind root only as somebody else."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        accepted("keygen", folder / "key")
        (folder / "plain").write_bytes(b"x")
        os.chmod(folder / "plain", 0)
        os.chmod(folder / "key", 0o644)
        os.chmod(folder, 0o755)
        root = os.geteuid() == 0
        if root:
            os.seteuid(65534)
        else:
            os.chmod(folder, 0o555)
        try:
            line = refused("encrypt", "--key", folder / "key", folder / "plain", folder / "out")
            assert line == f"{folder / 'plain'}: Permission denied"
            line = refused("encrypt", "--key", folder / "key", folder / "key", folder / "out")
            assert "the output is" in line or line == f"{folder / 'out'}: Permission denied"
        finally:
            if root:
                os.seteuid(0)
            os.chmod(folder, 0o755)
        assert listing(folder) == ["key", "plain"]


def test_the_output_is_never_an_input(folder):
    os.link(folder / "plain", folder / "hard")
    (folder / "soft").symlink_to("plain")
    key = ("--key", folder / "key")
    before = {name: (folder / name).read_bytes() for name in listing(folder)}
    for verb in ("encrypt", "decrypt"):
        for force in ((), ("--force",)):
            for out in ("plain", "hard", "soft", "../" + folder.name + "/plain"):
                assert "the output is the input" in refused(verb, *key, *force, folder / "plain", folder / out)
            assert "the output is the input" in refused(verb, *key, *force, folder / "plain", folder / "key")
    with open(folder / "plain", "ab") as stdout:
        done = runnel("encrypt", *key, folder / "plain", "-", stdout=stdout, status=1)
        assert "the output is the input" in done.stderr.decode()
    assert {name: (folder / name).read_bytes() for name in listing(folder)} == before


def test_an_existing_output(folder):
    (folder / "out").write_bytes(b"precious")
    key = ("--key", folder / "key", "--aad", "aad")
    runnel("decrypt", *key, folder / "sealed", folder / "out", status=1)
    assert (folder / "out").read_bytes() == b"precious"
    sealed = (folder / "sealed").read_bytes()
    (folder / "bad").write_bytes(sealed[:-1])
    runnel("decrypt", *key, "--force", folder / "bad", folder / "out", status=3)
    assert (folder / "out").read_bytes() == b"precious"
    runnel("decrypt", *key, "--force", folder / "sealed", folder / "out")
    assert (folder / "out").read_bytes() == PLAINTEXT
    (folder / "link").symlink_to("target")
    runnel("decrypt", *key, "--force", folder / "sealed", folder / "link")
    assert (folder / "link").is_symlink() and (folder / "target").read_bytes() == PLAINTEXT
    assert not [name for name in listing(folder) if name.startswith(".")]


def test_the_mode_follows_the_umask(folder):
    old = os.umask(0o027)
    try:
        accepted("decrypt", "--key", folder / "key", "--aad", "aad", folder / "sealed", folder / "out")
    finally:
        os.umask(old)
    assert stat.S_IMODE(os.stat(folder / "out").st_mode) == 0o640


def test_names_of_any_kind(folder):
    for name in ("with space", "new\nline", "é", "-dash", os.fsdecode(b"\xff\xfe"), "n" * 255):
        runnel("encrypt", "--key", folder / "key", "--", folder / "plain", name, cwd=folder)
        runnel("decrypt", "--key", folder / "key", "--", name, "again", cwd=folder)
        one_line(
            runnel("decrypt", "--key", folder / "key", "--aad", "x", "--", name, "again2", cwd=folder, status=3).stderr
        )
        assert (folder / "again").read_bytes() == PLAINTEXT
        (folder / "again").unlink()


@pytest.mark.parametrize(
    "arguments",
    [
        ("encrypt",),
        ("encrypt", "a", "b"),
        ("encrypt", "--key"),
        ("encrypt", "--key", "k", "a"),
        ("encrypt", "--key", "k", "a", "b", "c"),
        ("decrypt", "--key", "k", "--no-such", "a", "b"),
        ("no-such",),
        ("--no-such",),
        ("keygen",),
        ("keygen", "a", "b"),
        ("encrypt", "--key", "k", "--range", "1:2", "a", "b"),
        ("encrypt", "--key", "k", "--force=1", "a", "b"),
    ],
)
def test_wrong_command_lines(arguments, tmp_path):
    one_line(runnel(*arguments, status=2, cwd=tmp_path).stderr)
    assert listing(tmp_path) == []


def test_extra_arguments_are_not_repeated():
    line = refused("xor", "--cipher", "salsa20", "--key", "00" * 16, "--iv", "00" * 8, "a", "b", "deadbeef", status=2)
    assert "deadbeef" not in line


def test_closed_standard_streams(folder):
    command = [*PROGRAM, "encrypt", "--key", str(folder / "key")]
    for closed, arguments in (("<&-", "- out"), (">&-", "plain -")):
        script = f'"$@" {arguments} {closed}'
        done = subprocess.run(["sh", "-c", script, "sh", *command], cwd=folder, stderr=subprocess.PIPE, check=False)
        assert done.returncode == 1 and "is closed" in one_line(done.stderr)
    done = subprocess.run(["sh", "-c", '"$@" plain out <&- >&- 2>&-', "sh", *command], cwd=folder, check=False)
    assert done.returncode == 0
    assert runnel("decrypt", "--key", folder / "key", folder / "out", "-").stdout == PLAINTEXT


def test_help_and_version():
    version = runnel("--version").stdout.decode()
    assert version == f"runnel {(Path(__file__).parent.parent / 'VERSION').read_text().strip()}\n"
    text = runnel("--help").stdout.decode()
    for command in ("keygen", "encrypt", "decrypt", "key", "xor", "keystream", "ciphers", "speed"):
        assert f"  {command} " in text
        assert runnel(command, "--help").stdout
    script = Path(sys.executable).parent / "runnel"
    if script.exists():
        assert subprocess.run([script, "--version"], stdout=subprocess.PIPE, check=True).stdout.decode() == version
