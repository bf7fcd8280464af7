# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Passphrases in the place of key files, and key files that are locked with one: from Python, by the command, and from
a terminal. The format is in docs/file-formats.md."""

import contextlib
import errno
import hashlib
import io
import json
import os
import pty
import select
import stat
import struct
import termios
import time

import pytest
import runnel as package
from cli_program import PROGRAM, accepted, listing, one_line, output_of, refused, runnel
from cryptography.cobblestone import Cobblestone256Decryptor
from runnel import Keyset, Passphrase
from runnel.sealed import passphrase as module
from sealed_files import every_way_to_open, unseal

HEAD = struct.Struct(">16sBBBI32s")
TEXT = b"some plaintext" * 100


@pytest.fixture
def quick(monkeypatch):
    """scrypt with so little work that a test may do it a thousand times."""
    monkeypatch.setattr(module, "LOG2_N", 4)
    monkeypatch.setattr(module, "R", 1)


@pytest.fixture
def folder(tmp_path, quick, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain").write_bytes(TEXT)
    (tmp_path / "right").write_bytes(b"correct horse\n")
    (tmp_path / "wrong").write_bytes(b"correct house\n")
    return tmp_path


def lock(text: bytes, secret: str | bytes = "secret", aad: bytes = b"") -> bytes:
    out = io.BytesIO()
    package.encrypt_stream(io.BytesIO(text), out, Passphrase(secret), aad=aad)
    return out.getvalue()


# From Python


@pytest.mark.parametrize("length", [0, 1, 16384, 100_000])
def test_every_way_opens_it(length, tmp_path, quick):
    text = os.urandom(length)
    (tmp_path / "plain").write_bytes(text)
    package.encrypt_file(tmp_path / "plain", tmp_path / "locked", Passphrase("ä secret"), aad=b"aad")
    with package.open_encrypted(tmp_path / "written", "wb", Passphrase("ä secret"), aad=b"aad") as out:
        out.write(text)
    for name in ("locked", "written"):
        for read in every_way_to_open(
            Passphrase("ä secret".encode()), (tmp_path / name).read_bytes(), b"aad", tmp_path
        ):
            assert read() == text
        for secret, aad in (("a secret", b"aad"), ("ä secret", b"")):
            for refuse in every_way_to_open(Passphrase(secret), (tmp_path / name).read_bytes(), aad, tmp_path):
                with pytest.raises(package.AuthenticationError):
                    refuse()
    package.decrypt_file(
        tmp_path / "locked", tmp_path / "part", Passphrase("ä secret"), aad=b"aad", start=length // 2, end=length
    )
    assert (tmp_path / "part").read_bytes() == text[length // 2 :]
    with package.open_encrypted(tmp_path / "locked", "rb", Passphrase("ä secret"), aad=b"aad") as reader:
        assert reader.size == length and reader.seek(-length // 2, os.SEEK_END) == length + -length // 2
        assert reader.read() == text[-length // 2 :] if length else True


def test_the_format_is_the_documented_one(quick):
    """Opened by other programs alone: Python's scrypt, pyca's Cobblestone."""
    locked = lock(TEXT, "secret", b"aad")
    magic, log2_n, r, p, count, salt = HEAD.unpack(locked[: HEAD.size])
    assert (magic, log2_n, r, p, HEAD.size) == (b"runnel+scrypt/v1", 4, 1, 1, 55)
    key = hashlib.scrypt(b"secret", salt=salt, n=1 << log2_n, r=r, p=p, dklen=32)
    decryptor = Cobblestone256Decryptor(key, locked[: HEAD.size])
    text = decryptor.update(locked[HEAD.size : HEAD.size + count]) + decryptor.finalize()
    keyset = Keyset.from_json(text)
    assert unseal(keyset, locked[HEAD.size + count :], b"aad") == TEXT
    assert json.loads(text)["primaryKeyId"] == keyset.primary.key_id


def test_new_files_cost_what_is_documented():
    """128 MiB; every file its own salt and key."""
    assert (module.LOG2_N, module.R, module.P) == (17, 8, 1)
    assert HEAD.unpack(lock(b"")[: HEAD.size])[1:4] == (17, 8, 1)


def test_no_two_files_share_a_key(quick):
    files = [lock(b"same") for _ in range(50)]
    assert len({HEAD.unpack(file[: HEAD.size])[-1] for file in files}) == 50
    keysets = [Passphrase("secret").unwrap("", lambda at, count, file=file: file[at : at + count])[0] for file in files]
    assert len({Keyset.from_json(text).primary.secret for text in keysets}) == 50


def test_every_flipped_bit_and_every_cut_is_refused(quick):
    locked = lock(b"")
    for at in range(len(locked)):
        for bit in range(8):
            changed = bytearray(locked)
            changed[at] ^= 1 << bit
            if at == 16 and 1 << bit == 16:
                continue  # 2^20: allowed, and slow
            with pytest.raises(package.AuthenticationError):
                unseal(Passphrase("secret"), bytes(changed))
        with pytest.raises(package.AuthenticationError):
            unseal(Passphrase("secret"), locked[:at])


@pytest.mark.parametrize("secret", [999, True, 0, [1, 2, 3], None, 2.5, memoryview(b"abcd")[::2]])
def test_what_is_no_passphrase(secret):
    """bytes() would make 999 zeros of 999."""
    with pytest.raises(TypeError):
        Passphrase(secret)


def test_a_text_that_is_no_text_is_not_shown():
    with pytest.raises(ValueError, match="^the passphrase cannot be encoded as UTF-8$") as caught:
        Passphrase("correct\udcff")
    assert type(caught.value) is ValueError and caught.value.__context__ is None


def test_passphrases_of_any_contiguous_buffer(quick):
    locked = lock(TEXT, "secret")
    for secret in (b"secret", bytearray(b"secret"), memoryview(b"secret")):
        assert unseal(Passphrase(secret), locked) == TEXT


@pytest.mark.parametrize("text", [b"nope", b"{}", b"\xff\xff"])
def test_a_wrapped_keyset_that_is_none_names_the_file(text, folder):
    wrapped = Passphrase("correct horse").wrap(text)
    (folder / "file").write_bytes(wrapped + bytes(100))
    (folder / "key").write_bytes(wrapped)
    assert refused("decrypt", "--passphrase-file", "right", "file", "out").startswith("file: not a keyset: ")
    message = refused("encrypt", "--passphrase-file", "right", "-k", "key", "plain", "out")
    assert message.startswith("key: not a keyset: ")


def test_scrypt_without_memory(folder, monkeypatch):
    """OpenSSL says it in words that nobody would understand."""

    def fails(*_, **__):
        raise ValueError("[digital envelope routines] malloc failure")

    monkeypatch.setattr(hashlib, "scrypt", fails)
    with pytest.raises(MemoryError):
        lock(TEXT)
    assert refused("encrypt", "--passphrase-file", "right", "plain", "out") == "not enough memory"


@pytest.mark.parametrize(
    "parameters",
    [(0, 8, 1), (24, 1, 1), (17, 0, 1), (17, 8, 0), (20, 9, 1), (17, 8, 9), (255, 255, 255), (32, 1, 1), (16, 1, 1)],
)
def test_parameters_that_nobody_should_work_for(parameters, quick, monkeypatch):
    """Refused before any of the work is done."""
    locked = lock(b"")
    monkeypatch.setattr(hashlib, "scrypt", None)
    changed = locked[:16] + bytes(parameters) + locked[19:]
    with pytest.raises(package.AuthenticationError, match="unsupported scrypt parameters"):
        unseal(Passphrase("secret"), changed)
    with pytest.raises(package.AuthenticationError, match="too large"):
        unseal(Passphrase("secret"), locked[:19] + b"\xff" + locked[20:])


def test_what_is_accepted_of_others(monkeypatch):
    """Other parameters than ours, up to the limit."""
    for parameters in ((1, 1, 1), (10, 8, 4), (15, 8, 2)):
        for name, value in zip(("LOG2_N", "R", "P"), parameters):
            monkeypatch.setattr(module, name, value)
        assert unseal(Passphrase("secret"), lock(TEXT)) == TEXT


def test_a_passphrase_shows_nothing_and_is_not_empty():
    assert "secret" not in repr(Passphrase("secret")) + str(Passphrase(b"secret"))
    for wrong in ("", b"", "x" * 1025):
        with pytest.raises(ValueError, match="1 to 1024 bytes"):
            Passphrase(wrong)


def test_locked_keysets(folder):
    for template in ("cobblestone-128", "AES256_GCM_HKDF_1MB"):
        keyset = Keyset.generate(template)
        keyset.save(f"{template}.key", passphrase=Passphrase("secret"))
        assert stat.S_IMODE(os.stat(f"{template}.key").st_mode) == 0o600
        assert Keyset.load(f"{template}.key", passphrase=Passphrase("secret")) == keyset
        assert keyset.primary.secret not in (folder / f"{template}.key").read_bytes()
        with pytest.raises(
            package.AuthenticationError, match=f"{template}.key: authentication failed: wrong passphrase"
        ):
            Keyset.load(f"{template}.key", passphrase=Passphrase("other"))
        with pytest.raises(package.KeysetError, match="locked: a passphrase is required"):
            Keyset.load(f"{template}.key")
    (folder / "more").write_bytes((folder / "cobblestone-128.key").read_bytes() + b"\0")
    with pytest.raises(package.AuthenticationError, match="1 bytes follow"):
        Keyset.load("more", passphrase=Passphrase("secret"))
    Keyset.generate().save("clear")
    with pytest.raises(package.KeysetError, match="clear: the keyset is not locked"):
        Keyset.load("clear", passphrase=Passphrase("secret"))


# By the command, with the passphrase in a file


def test_files_by_the_command(folder):
    accepted("encrypt", "--passphrase-file", "right", "--aad", "x", "plain", "locked")
    accepted("decrypt", "--passphrase-file", "right", "--aad", "x", "locked", "out")
    assert (folder / "out").read_bytes() == TEXT
    assert (
        output_of("decrypt", "--passphrase-file", "right", "--aad", "x", "--range", "10:30", "locked", "-")
        == TEXT[10:30]
    )
    for name in ("no newline", "dos"):
        (folder / name).write_bytes(b"correct horse" + (b"\r\n" if name == "dos" else b""))
        assert output_of("decrypt", "--passphrase-file", name, "--aad", "x", "locked", "-") == TEXT
    before = listing(folder)
    assert "locked: authentication failed: wrong passphrase" in refused(
        "decrypt", "--passphrase-file", "wrong", "locked", "o", status=3
    )
    assert "wrong key or associated data" in refused("decrypt", "--passphrase-file", "right", "locked", "o", status=3)
    assert "plain: not encrypted with a passphrase" in refused(
        "decrypt", "--passphrase-file", "right", "plain", "o", status=3
    )
    accepted("keygen", "key")
    line = refused("decrypt", "--key", "key", "locked", "o", status=3)
    assert line == "locked: encrypted with a passphrase, not with a key"
    assert listing(folder) == sorted([*before, "key"])


def test_pipes_and_descriptors(folder):
    with open("right", "rb") as given:
        sealed = runnel(
            "encrypt", "--passphrase-file", f"/dev/fd/{given.fileno()}", "-", "-", input=TEXT, pass_fds=[given.fileno()]
        ).stdout
    (folder / "sealed").write_bytes(sealed)
    assert runnel("decrypt", "--passphrase-file", "-", "sealed", "-", input=b"correct horse\n").stdout == TEXT
    assert runnel("decrypt", "--passphrase-file", "right", "-", "-", input=sealed).stdout == TEXT
    line = refused("decrypt", "--passphrase-file", "-", "-", "out", status=2)
    assert "--passphrase-file and IN cannot both be the standard input" in line


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "1 to 1024 bytes"),
        (b"\n", "1 to 1024"),
        (b"a\nb\n", "one line"),
        (b"x" * 5000, "1 to 1024"),
        (b"\xef\xbb\xbfa\n", "begins with a byte order mark"),
    ],
)
def test_files_that_hold_no_passphrase(folder, content, message):
    (folder / "bad").write_bytes(content)
    line = refused("encrypt", "--passphrase-file", "bad", "plain", "out")
    assert line.startswith("bad: ") and message in line
    assert not (folder / "out").exists()


def test_what_the_options_refuse(folder):
    accepted("keygen", "key")
    assert "no key: use --key FILE, --key-env NAME, or --passphrase" in refused("encrypt", "plain", "out", status=2)
    assert "--passphrase or --passphrase-file" in refused(
        "encrypt", "--passphrase", "--passphrase-file", "right", "plain", "out", status=2
    )
    assert "key: the keyset is not locked" in refused(
        "encrypt", "--key", "key", "--passphrase-file", "right", "plain", "out"
    )
    assert "output and input are the same file" in refused(
        "encrypt", "--passphrase-file", "right", "--force", "plain", "right"
    )
    assert not (folder / "out").exists()


def test_locked_key_files(folder):
    accepted("keygen", "--passphrase-file", "right", "--template", "cobblestone-128", "key")
    assert stat.S_IMODE(os.stat("key").st_mode) == 0o600 and (folder / "key").read_bytes().startswith(b"runnel+scrypt")
    with_key = ("--key", "key", "--passphrase-file", "right")
    accepted("encrypt", *with_key, "plain", "sealed")
    accepted("decrypt", *with_key, "sealed", "out")
    assert (folder / "out").read_bytes() == TEXT
    with_wrong = ("--key", "key", "--passphrase-file", "wrong")
    assert "key: authentication failed: wrong passphrase" in refused("decrypt", *with_wrong, "sealed", "o", status=3)
    accepted("key", "export", "--passphrase-file", "right", "key", "raw")
    assert (folder / "raw").read_bytes() == Keyset.load("key", passphrase=Passphrase("correct horse")).primary.secret
    key_file = output_of("keygen", "--passphrase-file", "right", "-")
    (folder / "piped").write_bytes(key_file)
    accepted("encrypt", "--key", "piped", "--passphrase-file", "right", "plain", "sealed2")


# Raw keys


@pytest.mark.parametrize("template", ["cobblestone-128", "cobblestone-256"])
def test_raw_keys_both_ways(folder, template):
    accepted("keygen", "--template", template, "key")
    accepted("key", "export", "key", "raw")
    secret = Keyset.load("key").primary.secret
    assert (folder / "raw").read_bytes() == secret and stat.S_IMODE(os.stat("raw").st_mode) == 0o600
    assert output_of("key", "export", "key", "-") == secret
    accepted("key", "import", "raw", "again")
    assert Keyset.load("again").primary.secret == secret
    assert Keyset.load("again").primary.parameters == Keyset.load("key").primary.parameters
    accepted("key", "import", "--passphrase-file", "right", "raw", "locked")
    assert Keyset.load("locked", passphrase=Passphrase("correct horse")).primary.secret == secret
    accepted("encrypt", "--key", "key", "plain", "sealed")
    accepted("decrypt", "--key", "again", "sealed", "out")
    for taken in ("raw", "again"):
        before = (folder / taken).read_bytes()
        words = ("export", "key") if taken == "raw" else ("import", "raw")
        assert "already exists" in refused("key", *words, taken)
        assert (folder / taken).read_bytes() == before


def test_keys_that_are_no_raw_keys(folder):
    accepted("keygen", "--template", "AES128_GCM_HKDF_4KB", "tink")
    assert "tink: its primary key belongs to one of Tink's formats" in refused("key", "export", "tink", "out")
    for length in (0, 15, 17, 31, 33, 100):
        (folder / "raw").write_bytes(bytes(length))
        assert "has 16 or 32 bytes" in refused("key", "import", "raw", "out")
    accepted("keygen", "--template", "cobblestone-128", "key")
    assert "output and input are the same file" in refused("key", "export", "key", "key")
    assert not (folder / "out").exists()


# On a terminal


def at_a_terminal(arguments, *lines: bytes, folder, interrupt=None) -> tuple[int, bytes]:
    """(status, what the terminal showed) of the command in a session with a terminal of its own, into which a person
    types the lines, each when a prompt with a colon has come."""
    process, terminal = pty.fork()
    if not process:
        os.chdir(folder)
        os.execv(PROGRAM[0], [*PROGRAM, *arguments])
    shown = b""
    left = list(lines)
    answered = 0
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if left and shown.count(b": ") > answered:
            answered += 1
            time.sleep(0.05)
            os.write(terminal, left.pop(0))
        if select.select([terminal], [], [], 0.02)[0]:
            try:
                part = os.read(terminal, 4096)
            except OSError:  # the other end is closed
                part = b""
            if not part:
                break
            shown += part
    _, status = os.waitpid(process, 0)
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), shown


@pytest.fixture
def real_folder(tmp_path):
    (tmp_path / "plain").write_bytes(TEXT)
    return tmp_path


def test_asked_twice_without_an_echo(real_folder):
    status, shown = at_a_terminal(
        ["encrypt", "-p", "plain", "locked"], b"hush hush\n", b"hush hush\n", folder=real_folder
    )
    assert status == 0 and b"New passphrase for locked: " in shown and b"Repeat passphrase: " in shown
    assert b"hush" not in shown
    status, shown = at_a_terminal(["decrypt", "-p", "locked", "out"], b"hush hush\n", folder=real_folder)
    assert status == 0 and b"Passphrase for locked: " in shown and b"hush" not in shown and b"again" not in shown
    assert (real_folder / "out").read_bytes() == TEXT
    status, shown = at_a_terminal(["decrypt", "-p", "locked", "out2"], b"hush\n", folder=real_folder)
    assert status == 3 and b"locked: authentication failed: wrong passphrase" in shown
    assert listing(real_folder) == ["locked", "out", "plain"]


def test_a_locked_key_file_asks_by_itself(real_folder):
    status, _ = at_a_terminal(["keygen", "-p", "key"], b"hush\n", b"hush\n", folder=real_folder)
    assert status == 0
    status, shown = at_a_terminal(["encrypt", "-k", "key", "plain", "sealed"], b"hush\n", folder=real_folder)
    assert status == 0 and b"Passphrase for key: " in shown and b"again" not in shown


@pytest.mark.parametrize(
    ("lines", "status", "message"),
    [
        ([b"one\n", b"two\n"], 1, b"the passphrases do not match"),
        ([b"\n"], 1, b"no passphrase given"),
        ([b"\x04"], 1, b"no passphrase given"),
        ([b"par\x03"], 130, b"interrupted"),
    ],
)
def test_second_thoughts(real_folder, lines, status, message):
    found, shown = at_a_terminal(["encrypt", "-p", "plain", "locked"], *lines, folder=real_folder)
    assert found == status and message in shown and b"Traceback" not in shown
    assert listing(real_folder) == ["plain"]


def test_the_echo_comes_back(real_folder):
    """After an answer and after Ctrl-C."""
    for line in (b"x\n", b"\x03"):
        process, terminal = pty.fork()
        if not process:
            os.chdir(real_folder)
            os.execv(
                "/bin/sh", ["sh", "-c", 'trap : INT; "$@"; stty -a; exec sleep 0', "sh", *PROGRAM, "keygen", "-p", "k"]
            )
        shown = b""
        with contextlib.suppress(OSError):
            while b"for k: " not in shown:
                shown += os.read(terminal, 4096)
            time.sleep(0.05)
            os.write(terminal, line)
            while b"Repeat passphrase: " not in shown and line != b"\x03":
                shown += os.read(terminal, 4096)
            time.sleep(0.05)
            if line != b"\x03":
                os.write(terminal, b"other\n")
            while True:
                shown += os.read(terminal, 4096)
        os.waitpid(process, 0)
        os.close(terminal)
        assert b" echo " in shown and b" -echo " not in shown


def test_without_a_terminal(real_folder):
    done = runnel("encrypt", "--passphrase", "plain", "out", cwd=real_folder, status=1, start_new_session=True)
    assert "no terminal to read the passphrase from: use --passphrase-file FILE" in one_line(done.stderr)
    assert listing(real_folder) == ["plain"]


def test_a_terminal_that_does_not_answer(folder, monkeypatch):
    """That of a process in the background, whose shell has gone."""

    def refuse(*_):
        raise termios.error(errno.EIO, "Input/output error")

    monkeypatch.setattr("runnel.cli.passphrase._TERMINAL", os.devnull)
    monkeypatch.setattr(termios, "tcgetattr", refuse)
    assert "no terminal to read the passphrase from" in refused("encrypt", "--passphrase", "plain", "out")
