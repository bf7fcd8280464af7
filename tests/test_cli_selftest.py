# SPDX-License-Identifier: Apache-2.0 OR MIT
"""runnel selftest: all is tried, and what is wrong gets a line and status 1."""

import pytest
import runnel as package
from cli_program import runnel
from runnel import selftest
from runnel.cli.command import run


def available(those) -> int:
    return sum(kernel.available for each in those.values() for kernel in each.kernels)


def test_all_is_right_and_nothing_is_left_out():
    done = runnel("selftest")
    ciphers, aeads, macs = package.ciphers(), package.aeads(), package.macs()
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == (
        f"{len(aeads)} AEADs through {available(aeads)} kernels, "
        f"{len(ciphers)} ciphers through {available(ciphers)} kernels, {len(macs)} MACs: all right\n"
    )


@pytest.mark.parametrize(
    "old, new, wrong",
    [
        ("cipher: rabbit\n", "cipher: rabbit\nkeystream: 64 00\n", {"rabbit"}),
        ("digest: 512 5e68", "digest: 512 5e69", {"rabbit"}),
        ("output: 874d6191", "output: 874d6190", {"aes-128-ctr"}),
        ("tag: bb1d6929", "tag: bb1d6928", {"aes-cmac"}),
        ("cipher: trivium\n", "cipher: nobody\n", {"trivium"}),
    ],
)
def test_a_wrong_answer_is_reported_for_every_kernel(monkeypatch, capfd, old, new, wrong):
    answers = selftest.known_answers()
    assert old in answers
    monkeypatch.setattr("runnel.cli.selftest.known_answers", lambda: answers.replace(old, new))
    status, line = run(["selftest"])
    lines = capfd.readouterr().out.splitlines()
    cipher = package.ciphers().get(min(wrong))
    assert status == 1 and {each.partition(":")[0].partition("/")[0] for each in lines} == wrong
    assert len(lines) == (sum(kernel.available for kernel in cipher.kernels) if cipher else 1)
    assert line.startswith(f"{len(lines)} of ")


class Broken:
    """A stream that is wrong beyond its first kilobyte, where no known answer looks."""

    def __init__(self, stream):
        self.stream = stream

    def xor(self, data):
        output = bytearray(self.stream.xor(data))
        if len(output) > 1024:
            output[1024] ^= 1
        return bytes(output)

    def __getattr__(self, name):
        return getattr(self.stream, name)


class Credulous:
    """A sealer that says of everything that it is authentic."""

    def __init__(self, sealer):
        self.sealer, self.sealed = sealer, {}

    def seal(self, nonce, message, aad):
        sealed = self.sealer.seal(nonce, message, aad)
        self.sealed[nonce] = message
        return sealed

    def open(self, nonce, sealed, aad):
        return self.sealed[nonce]


def test_an_aead_that_takes_forgeries_is_reported(monkeypatch, capfd):
    kernel = next(each.name for each in package.aeads()["aes-256-gcm"].kernels if each.available)
    aead = package.aead

    def credulous(name, *arguments, **options):
        sealer = aead(name, *arguments, **options)
        return Credulous(sealer) if (name, options["kernel"]) == ("aes-256-gcm", kernel) else sealer

    monkeypatch.setattr(package, "aead", credulous)
    assert run(["selftest"])[0] == 1
    assert capfd.readouterr().out == f"aes-256-gcm/{kernel}: opens what was changed\n"


def test_a_wrong_kernel_is_reported(monkeypatch, capfd):
    kernel = next(k.name for k in package.ciphers()["chacha20"].kernels if k.available and k.name != "portable")
    new = package.new

    def broken(cipher, *arguments, **options):
        stream = new(cipher, *arguments, **options)
        return Broken(stream) if (cipher, options["kernel"]) == ("chacha20", kernel) else stream

    monkeypatch.setattr(package, "new", broken)
    assert run(["selftest"])[0] == 1
    message = "a long message is not what another kernel makes of it"
    assert capfd.readouterr().out == f"chacha20/{kernel}: {message}\n"
