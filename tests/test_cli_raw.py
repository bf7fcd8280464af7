# SPDX-License-Identifier: Apache-2.0 OR MIT
"""xor, keystream and ciphers, for every cipher; more is in tests/cli."""

import json
import os
import random

import pytest
import runnel as package
import selection
from cli_program import accepted, listing, output_of, refused, runnel

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
        assert len(output_of("keystream", *common, *at, "--bytes", left)) == left
        refused("keystream", *common, *at, "--bytes", left + 1)
        (tmp_path / "in").write_bytes(bytes(left))
        accepted("xor", *common, *at, "--force", tmp_path / "in", tmp_path / "out")
        assert os.path.getsize(tmp_path / "out") == left
        os.unlink(tmp_path / "out")
        (tmp_path / "in").write_bytes(bytes(left + 1))
        assert str(tmp_path / "in") in refused("xor", *common, *at, tmp_path / "in", tmp_path / "out")
        assert listing(tmp_path) == ["in"]


def test_one_kernel_of_each_cipher_is_chosen():
    listed = json.loads(runnel("ciphers", "--json").stdout)
    assert [cipher["name"] for cipher in listed] == sorted(CIPHERS)
    for cipher in listed:
        assert cipher["key_bytes"] == sorted(CIPHERS[cipher["name"]].key_bytes) and cipher["key_bytes"]
        assert cipher["iv_bytes"] == sorted(CIPHERS[cipher["name"]].iv_bytes)
        chosen = [(each["available"], each["timing_class"]) for each in cipher["kernels"] if each["chosen"]]
        assert chosen == [(True, "constant-time")]
        assert {each["timing_class"] for each in cipher["kernels"]} <= {"constant-time", "secret-indexed"}
