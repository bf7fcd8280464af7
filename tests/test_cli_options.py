# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Options that mean the same everywhere: keys, sizes, layouts, force; and what a terminal gets."""

import os
import pty
import select
import subprocess

import click
import pytest
import runnel as package
from cli_program import PROGRAM, accepted, commands, one_line, output_of, refused, runnel
from runnel.cli.names import suggestion
from runnel.cli.values import FileName, KeyOrFileName, size_of

KEY = "000102030405060708090a0b0c0d0e0f"
IV = ("--iv", "00" * 16)
STREAM = package.new("aes-128-ctr", bytes.fromhex(KEY), bytes(16)).keystream(64)
KEYSTREAM = ("keystream", "--cipher", "aes-128-ctr", *IV, "--bytes", "64")
XOR = ("xor", "--cipher", "aes-128-ctr", *IV)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder, with a key in a file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "key").write_text(KEY)
    return tmp_path


# Keys


@pytest.mark.parametrize(
    "options", [("--key", "key"), ("-k", "key"), ("--key", "@key"), ("--key", KEY), ("--key-hex", KEY)], ids=" ".join
)
def test_ways_to_give_a_key(folder, options):
    assert output_of(*KEYSTREAM, *options) == STREAM
    assert output_of(*XOR, *options, stdin=bytes(64)) == STREAM


def test_a_file_whose_name_is_hexadecimal(folder):
    """If it is there, it is the file; if not, it is a key as it has always been."""
    other = "ff" * 16
    assert output_of(*KEYSTREAM, "--key", other) != STREAM
    (folder / other).write_text(KEY)
    assert output_of(*KEYSTREAM, "--key", other) == STREAM
    assert output_of(*KEYSTREAM, "--key-hex", other) != STREAM


def test_a_key_from_the_standard_input(folder):
    for text in (KEY.encode() + b"\n", bytes.fromhex(KEY)):
        assert output_of(*KEYSTREAM, "--key", "-", stdin=text) == STREAM
        (folder / "zeros").write_bytes(bytes(64))
        assert output_of(*XOR, "--key", "-", "zeros", stdin=text) == STREAM
    accepted("keygen", "keyset")
    accepted("encrypt", "--key", "keyset", "zeros", "sealed")
    keyset = (folder / "keyset").read_bytes()
    assert output_of("decrypt", "-k", "-", "sealed", "-", stdin=keyset) == bytes(64)
    assert runnel("decrypt", "-k", "-", "sealed", "-", input=keyset).stdout == bytes(64)
    assert "-: not a keyset" in one_line(runnel("decrypt", "-k", "-", "sealed", "-", input=b"x", status=1).stderr)


@pytest.mark.parametrize("command", ["encrypt", "decrypt", "keygen", "xor", "store encrypt", "store ls", "key export"])
def test_an_empty_name_is_no_file(folder, command):
    """A script's variable that is not set: `--only ""` must not mean all objects."""
    words = command.split()
    for parameter in next(each for each, name in commands() if name[1:] == words).params:
        if isinstance(parameter.type, FileName) and not isinstance(parameter.type, KeyOrFileName):
            given = [parameter.opts[0], ""] if isinstance(parameter, click.Option) else ["", ""]
            assert "empty file name" in refused(*words, *given, status=2)


def test_what_may_be_secret_is_not_shown(folder):
    """A keyset, a raw key or a passphrase where the name of its file belongs."""
    accepted("keygen", "keyset")
    keyset = (folder / "keyset").read_text()
    for text in (keyset, "\ufeff" + keyset, "\ufeff\n" + keyset):
        assert refused("encrypt", "--key", text, "key", "out", status=2).count("keyset") == 1
    raw = "000102030405060708090a0b0c0d0e0f"
    assert raw not in refused("encrypt", "--key", raw, "key", "out", status=2)
    (folder / raw).write_text(keyset)
    accepted("encrypt", "--key", raw, "key", "out")
    assert "correct horse" not in refused("encrypt", "--passphrase-file", "correct horse", "key", "out")


def test_a_dash_that_is_text(folder):
    """--aad takes TEXT or @FILE, all others a file: `-` and `@-` are the standard input in one of them each."""
    accepted("keygen", "keyset")
    (folder / "@-").write_bytes((folder / "keyset").read_bytes())
    sealed = output_of("encrypt", "--key", "@-", "--aad", "-", "-", "-", stdin=b"text")
    assert output_of("decrypt", "--key", "keyset", "--aad", "-", "-", "-", stdin=sealed) == b"text"
    assert "'--aad': no name follows @" in refused("encrypt", "--key", "keyset", "--aad", "@", "key", "out", status=2)
    raw = ("keystream", "--cipher", "chacha20", "--iv", "00" * 12, "--bytes", 1)
    assert "'--key': no name follows @" in refused(*raw, "--key", "@", status=2)


def test_a_locale_that_is_not_utf_8(folder):
    """Names in any bytes, and associated data that means the same everywhere."""
    accepted("keygen", "keyset")
    ascii_alone = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    arguments = ("--key", "keyset", "--aad", "für", "key")
    subprocess.run([*PROGRAM, "encrypt", *arguments, "日"], env=ascii_alone, check=True)
    assert output_of("decrypt", "--key", "keyset", "--aad", "für", "日", "-") == KEY.encode()


@pytest.mark.parametrize(
    "command",
    [
        (*XOR, "--key", "-"),
        (*XOR, "--key", "-", "-", "out"),
        ("encrypt", "--key", "-", "-", "out"),
        ("decrypt", "--key", "-", "-", "out"),
        ("decrypt", "--key", "key", "--aad", "@-", "-", "out"),
    ],
)
def test_the_standard_input_is_read_once(folder, command):
    assert "are both the standard input" in refused(*command, status=2)
    assert os.listdir(folder) == ["key"]


def test_two_standard_inputs_are_called_as_the_usage_calls_them(folder):
    locked = ("--passphrase-file", "-", "-", "out")
    for names, *command in (
        ("--aad and IN", "encrypt", "--key", "key", "--aad", "@-", "-", "out"),
        ("IN and --passphrase-file", "key", "import", *locked),
        ("KEYFILE and --passphrase-file", "key", "export", *locked),
    ):
        assert refused(*command, status=2).startswith(f"{names} cannot both be the standard input: name a file ")


@pytest.mark.parametrize(
    "options, status, message",
    [
        ((), 2, "--key FILE or as --key-hex HEX"),
        (("--key", "key", "--key-hex", KEY), 2, "--key FILE or as --key-hex HEX"),
        (("--key-hex", KEY[:-1]), 2, "odd number"),
        (("--key-hex", "key"), 2, "character 1 is not"),
        (("--key", "nowhere"), 1, "nowhere: No such file"),
        (("--key", "./" + KEY), 1, f"./{KEY}: No such file"),
        (("--key", "@" + KEY), 1, f"{KEY}: No such file"),
        (("--key", "."), 1, ".: Is a directory"),
    ],
)
def test_wrong_keys(folder, options, status, message):
    assert message in refused(*KEYSTREAM, *options, status=status)


@pytest.mark.parametrize("mistyped", [KEY[:-1] + "o", " " + KEY, "0x" + KEY, "AAECAwQFBgcICQoLDA0ODw=="])
def test_a_mistyped_key_is_not_shown(folder, mistyped):
    line = refused(*KEYSTREAM, "--key", mistyped, status=2)
    assert "neither a file nor a key in hexadecimal" in line and mistyped.strip() not in line


# Sizes, layouts, broken ciphers


SIZES = {
    "0": 0,
    "4096": 4096,
    "1K": 1 << 10,
    "1k": 1 << 10,
    "3KiB": 3 << 10,
    "64M": 64 << 20,
    "2G": 2 << 30,
    "1T": 1 << 40,
    "0" * 5000 + "7k": 7 << 10,
    "9" * 60: 10**60 - 1,
    "9" * 5000: 10**60,
}
NO_SIZES = ("", "K", "1 K", "1KB", "1.5K", "-1", "+1", "1e3", "0x10", "٣")


@pytest.mark.parametrize(
    "text, size", [*SIZES.items(), *((text, None) for text in NO_SIZES)], ids=lambda each: str(each)[:9]
)
def test_sizes(text, size):
    assert size_of(text) == size


def test_sizes_wherever_one_is_taken(folder):
    one = output_of(*KEYSTREAM[:-1], "2K", "--key", "key", "--offset", "1K")
    assert one == package.xor("aes-128-ctr", bytes.fromhex(KEY), bytes(16), bytes(3072))[1024:]
    (folder / "plain").write_bytes(os.urandom(5000))
    accepted("keygen", "keyset")
    accepted("encrypt", "-k", "keyset", "plain", "sealed")
    for extent, part in (("1K:2K", slice(1024, 2048)), ("4k:", slice(4096, None)), (":1KiB", slice(1024))):
        assert (
            output_of("decrypt", "-k", "keyset", "--range", extent, "sealed", "-")
            == (folder / "plain").read_bytes()[part]
        )


def test_layouts(folder):
    """--counter is what the option was called first."""
    ours = package.new("aes-128-ctr", bytes.fromhex(KEY), bytes.fromhex("ff" * 16), layout="le32").keystream(64)
    command = ("keystream", "--cipher", "aes-128-ctr", "--iv", "ff" * 16, "--bytes", 64, "--key", "key")
    for option in (("--layout", "le32"), ("--layout", "LE32"), ("--counter", "le32")):
        assert output_of(*command, *option) == ours
    assert "--counter" not in runnel("keystream", "--help").stdout.decode()
    assert "no layout 'le33'; it has be128" in refused(*command, "--layout", "le33", status=2)
    other = ("keystream", "--cipher", "salsa20", "--iv", "00" * 8, "--bytes", 1, "--key", "key")
    assert "not a counter mode: no --layout" in refused(*other, "--layout", "be32", status=2)


def test_broken_ciphers_in_the_words_of_the_command_line():
    broken = ("keystream", "--cipher", "f-fcsr-16", "--iv", "00" * 16, "--bytes", 1, "--key-hex", "00" * 16)
    short = ("keystream", "--cipher", "trivium", "--iv", "00" * 10, "--bytes", 1, "--key-hex", "00" * 10)
    assert "f-fcsr-16 is broken: " in refused(*broken, status=2)
    assert "a key of 10 bytes, which is too short" in refused(*short, status=2)
    for command in (broken, short):
        line = refused(*command, status=2)
        assert "--allow-broken" in line and "allow_broken" not in line
        assert len(output_of(*command, "--allow-broken")) == 1


def test_an_output_that_exists_names_force(folder):
    accepted("keygen", "keyset")
    (folder / "out").write_bytes(b"old")
    for command in ((*XOR, "--key", "key", "key", "out"), ("encrypt", "-k", "keyset", "key", "out")):
        assert refused(*command) == "out: already exists (use --force to replace it)"
        accepted(*command, "-f")
    assert refused("keygen", "keyset") == "keyset: already exists"


def test_suggestions_resemble():
    assert suggestion("encrpyt", ["encrypt", "keygen"], "no") == "did you mean encrypt?"
    assert suggestion("AES128", ["aes-128", "aes-192"], "no") == "did you mean aes-128?"
    assert suggestion("qqq", ["encrypt"], "no") == "no"


# Terminals


def on_terminal(*arguments: object, **options) -> tuple[int, bytes, bytes]:
    """Runs the command with a terminal as its standard output: (status, what it shows, standard error output)."""
    ours, theirs = pty.openpty()
    try:
        done = subprocess.Popen(
            [*PROGRAM, *map(str, arguments)], stdout=theirs, stderr=subprocess.PIPE, stdin=subprocess.PIPE, **options
        )
        _, stderr = done.communicate(timeout=30)
        shown = b""
        while select.select([ours], [], [], 0)[0]:
            shown += os.read(ours, 4096)
        return done.returncode, shown, stderr
    finally:
        os.close(ours)
        os.close(theirs)


@pytest.mark.parametrize(
    "arguments",
    [
        ("encrypt", "--key", "keyset", "--aad", "@-", "text", "-"),
        ("encrypt", "--passphrase-file", "-", "text", "-"),
        ("store", "verify", "-q", "--key", "keyset", "--only", "-", "many/"),
    ],
    ids=["aad", "passphrase", "only"],
)
def test_what_is_typed_ends_where_it_is_ended(arguments, folder):
    """One end, ^D, is enough."""
    accepted("keygen", "keyset")
    (folder / "text").write_text("text")
    (folder / "many").mkdir()
    accepted("encrypt", "--key", "keyset", "text", "many/typed")
    ours, theirs = pty.openpty()
    try:
        os.write(ours, b'"typed"\n\x04')
        runnel(*arguments, stdin=theirs)
    finally:
        os.close(ours)
        os.close(theirs)


@pytest.fixture
def sealed(folder):
    """Encrypted text and encrypted binary data, and how to decrypt them."""
    accepted("keygen", "keyset")
    (folder / "text").write_text("grüße\tan alle\n")
    (folder / "binary").write_bytes(b"text and then \x1b[2J")
    for name in ("text", "binary"):
        accepted("encrypt", "-k", "keyset", name, f"{name}.sealed")
    return folder


def test_no_binary_data_for_a_terminal(sealed):
    for command in (
        ("encrypt", "-k", "keyset", "text", "-"),
        ("decrypt", "-k", "keyset", "binary.sealed", "-"),
        (*XOR, "-k", "key", "text"),
        (*KEYSTREAM, "-k", "key"),
    ):
        status, shown, stderr = on_terminal(*command)
        assert (status, shown) == (1, b"") and "a terminal gets no binary data" in one_line(stderr)
        assert b"--force" in stderr and (b"--hex" in stderr) == (command[0] == "keystream")


def test_by_force_it_gets_them(sealed):
    status, shown, stderr = on_terminal("decrypt", "-k", "keyset", "--force", "binary.sealed", "-")
    assert (status, stderr) == (0, b"") and b"\x1b[2J" in shown
    assert on_terminal(*KEYSTREAM, "-k", "key", "-f")[0] == 0


def test_text_is_for_terminals(sealed):
    for command in (
        ("decrypt", "-k", "keyset", "text.sealed", "-"),
        ("ciphers",),
        (*KEYSTREAM, "-k", "key", "--hex"),
        ("keygen", "-"),
    ):
        status, shown, stderr = on_terminal(*command)
        assert (status, stderr) == (0, b"") and shown
    assert "grüße" in on_terminal("decrypt", "-k", "keyset", "text.sealed", "-")[1].decode()
