# SPDX-License-Identifier: Apache-2.0 OR MIT
"""xor, keystream, ciphers: what they do, and every way in which they refuse."""

import json
import os
import random

import pytest
import runnel as package
import selection
from cli_program import accepted, listing, one_line, refused, runnel

CIPHERS = package.ciphers()
DIRECTIONAL = [name for name, cipher in CIPHERS.items() if cipher.directional]
SEEKABLE = [name for name, cipher in CIPHERS.items() if cipher.seekable]


def key_and_iv(name):
    cipher = CIPHERS[name]
    return random.randbytes(cipher.key_bytes[-1]), random.randbytes(cipher.iv_bytes[-1])


def options(name, key, iv):
    broken = ("--allow-broken",) if CIPHERS[name].status == "broken" or len(key) < 16 else ()
    return ("--cipher", name, "--key", key.hex(), "--iv", iv.hex(), *broken)


@pytest.mark.parametrize("name", selection.one_in(3, DIRECTIONAL))
def test_directions(name, tmp_path):
    key, iv = key_and_iv(name)
    data = random.randbytes(3_000_001)  # more than one piece
    expected = package.new(name, key, iv, allow_broken=True).encrypt(data)
    (tmp_path / "in").write_bytes(data)
    accepted("xor", *options(name, key, iv), tmp_path / "in", tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == expected
    assert runnel("xor", "--decrypt", *options(name, key, iv), input=expected).stdout == data
    assert runnel("xor", *options(name, key, iv), input=expected).stdout != data
    for kernel in CIPHERS[name].kernels:
        if kernel.available:
            done = runnel("xor", *options(name, key, iv), "--kernel", kernel.name, input=data[:99])
            assert done.stdout == expected[:99]
    for command in (("keystream", "--bytes", 5), ("xor", "--offset", 0)):
        line = refused(command[0], *options(name, key, iv), *command[1:], status=2)
        assert name in line and ("differ" in line or "seek" in line)


@pytest.mark.parametrize("name", selection.one_in(3, [name for name in CIPHERS if name not in DIRECTIONAL]))
def test_every_cipher(name, tmp_path):
    key, iv = key_and_iv(name)
    data = random.randbytes(100_000)
    expected = package.xor(name, key, iv, data, allow_broken=True)
    (tmp_path / "in").write_bytes(data)
    assert runnel("xor", *options(name, key, iv), input=data).stdout == expected
    accepted("xor", *options(name, key, iv), tmp_path / "in", tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == expected
    accepted("xor", "--decrypt", *options(name, key, iv), tmp_path / "out", tmp_path / "back")
    assert (tmp_path / "back").read_bytes() == data
    plain = package.xor(name, key, iv, bytes(3000), allow_broken=True)
    assert runnel("keystream", *options(name, key, iv), "--bytes", 3000).stdout == plain
    assert (
        runnel("keystream", *options(name, key, iv), "--bytes", 33, "--hex").stdout.decode() == plain[:33].hex() + "\n"
    )
    assert runnel("keystream", *options(name, key, iv), "--bytes", 0).stdout == b""
    for kernel in CIPHERS[name].kernels:
        if kernel.available:
            done = runnel("keystream", *options(name, key, iv), "--kernel", kernel.name, "--bytes", 99)
            assert done.stdout == plain[:99]


@pytest.mark.parametrize("name", selection.one_in(3, SEEKABLE))
def test_offset(name):
    key, iv = key_and_iv(name)
    plain = package.xor(name, key, iv, bytes(2000))
    for offset in (0, 1, 15, 16, 64, 1000):
        done = runnel("keystream", *options(name, key, iv), "--offset", offset, "--bytes", 1000)
        assert done.stdout == plain[offset : offset + 1000]
    assert runnel("xor", *options(name, key, iv), "--offset", 77, input=bytes(99)).stdout == plain[77:176]


def test_offset_where_there_is_no_seek():
    for name in set(CIPHERS) - set(SEEKABLE) - set(DIRECTIONAL):
        for offset in (0, 5):
            line = refused("keystream", *options(name, *key_and_iv(name)), "--offset", offset, "--bytes", 1, status=2)
            assert "seek" in line
    assert "rabbit" not in SEEKABLE


def test_an_iv_of_no_bytes():
    key = random.randbytes(16)
    assert runnel(
        "keystream", "--cipher", "rabbit", "--key", key.hex(), "--iv", "", "--bytes", 50
    ).stdout == package.xor("rabbit", key, b"", bytes(50))


def test_counter_layouts():
    key, iv = random.randbytes(16), bytes.fromhex("ff" * 16)
    seen = set()
    for layout in CIPHERS["aes-128-ctr"].layouts:
        done = runnel("keystream", *options("aes-128-ctr", key, iv), "--layout", layout, "--bytes", 100)
        assert done.stdout == package.xor("aes-128-ctr", key, iv, bytes(100), layout=layout)
        seen.add(done.stdout)
    assert len(seen) > 4
    assert "be12" in refused("keystream", *options("aes-128-ctr", key, iv), "--layout", "be12", "--bytes", 1, status=2)
    refused("keystream", *options("salsa20", *key_and_iv("salsa20")), "--layout", "be32", "--bytes", 1, status=2)


def ends():
    """(cipher, further options, position of the keystream's end)"""
    yield "chacha20", (), 64 << 32
    yield "aes-128-ctr", ("--layout", "be32"), 16 << 32
    yield "aes-128-ctr", ("--layout", "le32"), 16 << 32
    yield "aes-256-ctr", ("--layout", "be16"), 16 << 16
    yield "seed-ctr", ("--layout", "be32-left"), 16 << 32


@pytest.mark.parametrize("name, more, end", list(ends()), ids=lambda x: str(x))
def test_the_end_of_the_keystream(name, more, end, tmp_path):
    common = (*options(name, *key_and_iv(name)), *more)
    for left in (0, 1, 15, 16, 17, 100):
        at = ("--offset", end - left)
        assert len(runnel("keystream", *common, *at, "--bytes", left).stdout) == left
        refused("keystream", *common, *at, "--bytes", left + 1)
        (tmp_path / "in").write_bytes(bytes(left))
        accepted("xor", *common, *at, "--force", tmp_path / "in", tmp_path / "out")
        assert os.path.getsize(tmp_path / "out") == left
        os.unlink(tmp_path / "out")
        (tmp_path / "in").write_bytes(bytes(left + 1))
        assert str(tmp_path / "in") in refused("xor", *common, *at, tmp_path / "in", tmp_path / "out")
        assert listing(tmp_path) == ["in"]
    for beyond in (end + 1, 1 << 64, "9" * 30, "9" * 5000):
        assert "past the end of the keystream" in refused("keystream", *common, "--offset", beyond, "--bytes", 0)
    assert "bytes of keystream left" in refused("keystream", *common, "--bytes", "9" * 5000)
    piped = runnel("xor", *common, "--offset", end - 100, input=bytes(101), status=1)
    assert piped.stdout == b"" and "stdin" in one_line(piped.stderr)
    assert runnel("xor", *common, "--offset", end - 100, input=bytes(100)).returncode == 0
    piped = runnel("xor", *common, "--offset", end - 200_000, input=bytes(200_001), status=1)
    assert piped.stdout == b"", "more than a pipe holds is read to its end too, before anything is written"
    assert len(runnel("xor", *common, "--offset", end - 200_000, input=bytes(200_000)).stdout) == 200_000
    for beyond in (end + 1, end * 2, 1 << 63, 1 << 64, 10**40):
        refused("xor", *common, "--offset", beyond, tmp_path / "in", tmp_path / "out")
    assert listing(tmp_path) == ["in"]


def test_a_whole_period_of_a_narrow_counter(tmp_path):
    common = (*options("aes-128-ctr", *key_and_iv("aes-128-ctr")), "--layout", "be16")
    assert len(runnel("xor", *common, input=bytes(1 << 20)).stdout) == 1 << 20
    assert runnel("xor", *common, input=bytes((1 << 20) + 1), status=1).stdout == b""


@pytest.mark.parametrize(
    "change, message",
    [
        ({"--cipher": "aes"}, "aes"),
        ({"--cipher": "AES-129-CTR"}, "AES-129-CTR"),
        ({"--cipher": ""}, "''"),
        ({"--key": "0"}, "odd number"),
        ({"--key": "00" * 15}, "15"),
        ({"--key": "00" * 17}, "17"),
        ({"--key": ""}, "0"),
        ({"--key": "zz" * 16}, "character 1 is not"),
        ({"--key": "0x" + "00" * 15}, "character 2 is not"),
        ({"--key": " " + "00" * 16}, "character 1 is not"),
        ({"--key": "00" * 15 + "é0"}, "character 31 is not"),
        ({"--key": "٠" * 32}, "character 1 is not"),
        ({"--iv": "00" * 15}, "15"),
        ({"--iv": "00" * 17}, "17"),
        ({"--iv": ""}, "0"),
        ({"--iv": "0"}, "odd number"),
        ({"--iv": "0g"}, "character 2 is not"),
        ({"--kernel": "nonsense"}, "nonsense"),
        ({"--layout": "be8"}, "be8"),
        ({"--offset": "-1"}, "-1"),
        ({"--offset": "1kb"}, "1kb"),
        ({"--bytes": "-1"}, "-1"),
        ({"--bytes": "x"}, "x"),
        ({"--bytes": None}, "--bytes"),
        ({"--key": None}, "--key"),
        ({"--iv": None}, "--iv"),
        ({"--cipher": None}, "--cipher"),
    ],
)
def test_wrong_command_lines(change, message):
    secret = random.randbytes(16).hex()
    given = {"--cipher": "aes-128-ctr", "--key": secret, "--iv": "00" * 16, "--bytes": "1", **change}
    arguments = [part for name, value in given.items() if value is not None for part in (name, value)]
    line = refused("keystream", *arguments, status=2)
    assert message in line
    if change.get("--key"):
        assert change["--key"] not in line
    assert secret not in line
    if "--bytes" not in change:
        del given["--bytes"]
        arguments = [part for name, value in given.items() if value is not None for part in (name, value)]
        refused("xor", *arguments, status=2)


def test_what_is_wrong_is_found_before_a_file_is_touched(tmp_path):
    refused(
        "xor", "--cipher", "aes-128-ctr", "--key", "00", "--iv", "00" * 16, tmp_path / "no", tmp_path / "out", status=2
    )
    refused("xor", "--cipher", "aes-128-ctr", "--key", f"@{tmp_path}/no", "--iv", "00", tmp_path / "no", status=2)
    assert listing(tmp_path) == []


def test_key_in_a_file(tmp_path):
    key, iv = random.randbytes(16), bytes(16)
    expected = package.xor("aes-128-ctr", key, iv, bytes(20))
    file = tmp_path / "key"
    for content in (
        key,
        key.hex().encode(),
        key.hex().upper().encode() + b"\n",
        b" ".join(key.hex().encode()[i : i + 2] for i in range(0, 32, 2)),
    ):
        file.write_bytes(content)
        done = runnel("keystream", "--cipher", "aes-128-ctr", "--key", f"@{file}", "--iv", iv.hex(), "--bytes", 20)
        assert done.stdout == expected
    secret = os.urandom(15)
    for content in (b"", secret, secret.hex().encode(), bytes(1 << 20)):
        file.write_bytes(content)
        line = refused("keystream", "--cipher", "aes-128-ctr", "--key", f"@{file}", "--iv", iv.hex(), "--bytes", 20)
        assert str(file) in line and secret.hex() not in line
    assert "No such file" in refused(
        "keystream", "--cipher", "aes-128-ctr", "--key", "@nowhere", "--iv", iv.hex(), "--bytes", 20
    )


def test_files(tmp_path):
    common = options("salsa20", *key_and_iv("salsa20"))
    (tmp_path / "in").write_bytes(b"abc")
    (tmp_path / "old").write_bytes(b"precious")
    assert "No such file" in refused("xor", *common, tmp_path / "no", tmp_path / "out")
    assert "Is a directory" in refused("xor", *common, tmp_path, tmp_path / "out")
    assert "Is a directory" in refused("xor", *common, tmp_path / "in", tmp_path)
    assert "already exists" in refused("xor", *common, tmp_path / "in", tmp_path / "old")
    assert (tmp_path / "old").read_bytes() == b"precious"
    for force in ((), ("--force",)):
        assert "the output is the input" in refused("xor", *common, *force, tmp_path / "in", tmp_path / "in")
    accepted("xor", *common, "--force", tmp_path / "in", tmp_path / "old")
    assert listing(tmp_path) == ["in", "old"] and os.path.getsize(tmp_path / "old") == 3
    assert runnel("xor", *common, tmp_path / "old").stdout == b"abc"
    full = open("/dev/full", "wb")
    assert "stdout: No space left" in one_line(runnel("xor", *common, tmp_path / "in", stdout=full, status=1).stderr)
    assert "stdout: No space left" in one_line(runnel("keystream", *common, "--bytes", 9, stdout=full, status=1).stderr)
    assert "stdout: No space left" in one_line(runnel("ciphers", stdout=full, status=1).stderr)
    assert "No space left" in one_line(runnel("--help", stdout=full, status=1).stderr)


def test_ciphers():
    listed = json.loads(runnel("ciphers", "--json").stdout)
    assert [cipher["name"] for cipher in listed] == sorted(CIPHERS)
    for cipher in listed:
        assert cipher["key_bytes"] == sorted(CIPHERS[cipher["name"]].key_bytes) and cipher["key_bytes"]
        assert cipher["iv_bytes"] == sorted(CIPHERS[cipher["name"]].iv_bytes)
        assert cipher["status"] in ("recommended", "legacy", "broken")
        assert isinstance(cipher["seekable"], bool) and cipher["context_bytes"] > 0
        assert sum(kernel["chosen"] for kernel in cipher["kernels"]) == 1
        for kernel in cipher["kernels"]:
            assert kernel["timing_class"] in ("constant-time", "secret-indexed") and isinstance(
                kernel["available"], bool
            )
            assert not kernel["chosen"] or (kernel["available"] and kernel["timing_class"] == "constant-time")
    text = runnel("ciphers").stdout.decode()
    for name in CIPHERS:
        assert name in text
