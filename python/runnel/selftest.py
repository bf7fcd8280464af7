# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Check that everything that runs on this processor computes the right bytes: known answers, and what the kernels of a cipher
make of the same message, which must be the same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from importlib.resources import files
from typing import NamedTuple

import runnel

_MESSAGE = bytes(i * 7 % 251 for i in range(5003))
"""Longer than what any kernel makes at a time, and with a part of a block at its end."""

_DIFFER = "a long message is not what another kernel makes of it"


class Result(NamedTuple):
    """Of one kernel, or of a MAC; wrong: what, or None."""

    kind: str
    name: str
    kernel: str | None
    wrong: str | None

    def __str__(self) -> str:
        return f"{self.name}{'/' + self.kernel if self.kernel else ''}: {self.wrong or 'right'}"


class _Answer(NamedTuple):
    """One vector: its fields, and those that come several times."""

    fields: dict[str, str]
    keystreams: list[tuple[int, bytes]]
    digests: list[tuple[int, bytes]]

    def bytes(self, name: str) -> bytes:
        text = self.fields.get(name, "")
        return bytes(int(text.split()[1])) if text.startswith("zeros ") else bytes.fromhex(text.strip("-"))


def known_answers() -> str:
    """Return the known answers that were installed with the package."""
    return files("runnel").joinpath("known_answers.txt").read_text(encoding="utf-8")


def results(answers: str) -> Iterator[Result]:
    """Try every kernel that this processor can run, also those that run only when they are named."""
    known = _parsed(answers)
    for name, cipher in runnel.ciphers().items():
        first: bytes | None = None
        for kernel in _to_try(cipher.kernels):
            long = _long_message(cipher, kernel.name)
            wrong = _wrong(known[name], cipher, kernel.name)
            first = long if first is None else first
            yield Result("cipher", name, kernel.name, wrong or (None if long == first else _DIFFER))
    for name, aead in runnel.aeads().items():
        sealed: bytes | None = None
        for kernel in _to_try(aead.kernels):
            long, wrong = _sealed(aead, kernel.name)
            sealed = long if sealed is None else sealed
            yield Result("AEAD", name, kernel.name, wrong or (None if long == sealed else _DIFFER))
    for name in runnel.macs():
        yield Result("MAC", name, None, _wrong_tag(known[name], name))


def _to_try(kernels: Iterable[runnel.Kernel]) -> list[runnel.Kernel]:
    """Return the kernels that run here, the portable one first: the others are compared with it."""
    return sorted((kernel for kernel in kernels if kernel.available), key=lambda kernel: kernel.name != "portable")


def _parsed(text: str) -> dict[str, list[_Answer]]:
    found: dict[str, list[_Answer]] = defaultdict(list)
    for paragraph in text.split("\n\n"):
        answer = _Answer({}, [], [])
        for line in paragraph.splitlines():
            name, _, value = line.partition(": ")
            if name in ("keystream", "digest"):
                number, digits = value.split()
                (answer.keystreams if name == "keystream" else answer.digests).append(
                    (int(number), bytes.fromhex(digits))
                )
            else:
                answer.fields[name.rstrip(":")] = value
        found[answer.fields.get("cipher") or answer.fields["mac"]].append(answer)
    return found


def _crypt(cipher: runnel.Cipher, stream: runnel.Stream, data: bytes) -> bytes:
    return stream.encrypt(data) if cipher.directional else stream.xor(data)


def _wrong(answers: list[_Answer], cipher: runnel.Cipher, kernel: str) -> str | None:
    if not answers:
        return "no known answer"
    for answer in answers:

        def begin(answer: _Answer = answer) -> runnel.Stream:
            return runnel.new(
                cipher.name,
                answer.bytes("key"),
                answer.bytes("iv"),
                layout=answer.fields.get("layout"),
                kernel=kernel,
                allow_broken=True,
            )

        offset = int(answer.fields.get("offset", 0))
        checks = [(offset, answer.bytes("input"), answer.bytes("output"))] if "output" in answer.fields else []
        checks += [(at, bytes(len(expected)), expected) for at, expected in answer.keystreams]
        for at, data, expected in checks:
            stream = begin()
            _crypt(cipher, stream, bytes(at))
            if _crypt(cipher, stream, data) != expected:
                return f"not the known answer {answer.fields.get('name', '')}".rstrip()
            stream.reset(answer.bytes("iv"), answer.fields.get("layout"))
            if cipher.directional and at == 0 and stream.decrypt(expected) != data:
                return f"not the known plaintext {answer.fields.get('name', '')}".rstrip()
        for count, expected in answer.digests:
            if _folded(_crypt(cipher, begin(), bytes(count))) != expected:
                return f"not the known digest of {count} bytes, {answer.fields.get('name', '')}"
    return None


def _folded(data: bytes) -> bytes:
    """Return the XOR of all blocks of 64 bytes."""
    folded = 0
    for at in range(0, len(data), 64):
        folded ^= int.from_bytes(data[at : at + 64], "big")
    return folded.to_bytes(64, "big")


def _long_message(cipher: runnel.Cipher, kernel: str) -> bytes:
    key = bytes(i % 256 for i in range(1, 1 + cipher.key_bytes[-1]))
    iv = bytes(len(key) if cipher.iv_as_key else cipher.iv_bytes[-1])
    stream = runnel.new(cipher.name, key, iv, kernel=kernel, allow_broken=True)
    return _crypt(cipher, stream, _MESSAGE[:1000]) + _crypt(cipher, stream, _MESSAGE[1000:])


def _sealed(aead: runnel.AEAD, kernel: str) -> tuple[bytes, str | None]:
    key, aad = bytes(range(aead.key_bytes)), _MESSAGE[:29]
    sealer = runnel.aead(aead.name, key, kernel=kernel)
    nonce = bytes(range(aead.nonce_bytes))
    sealed = sealer.seal(nonce, _MESSAGE, aad)
    try:
        if sealer.open(nonce, sealed, aad) != _MESSAGE:
            return sealed, "opens to other bytes"
    except runnel.AuthenticationError:
        return sealed, "does not open what it sealed"
    try:
        sealer.open(nonce, sealed[:-1] + bytes([sealed[-1] ^ 1]), aad)
    except runnel.AuthenticationError:
        return sealed, None
    return sealed, "opens what was changed"


def _wrong_tag(answers: list[_Answer], name: str) -> str | None:
    if not answers:
        return "no known answer"
    for answer in answers:
        tag = answer.bytes("tag")
        if runnel.mac(name, answer.bytes("key"), answer.bytes("message"), tag_bytes=len(tag)).tag() != tag:
            return f"not the known answer {answer.fields.get('name', '')}".rstrip()
    return None
