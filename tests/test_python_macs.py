# SPDX-License-Identifier: Apache-2.0 OR MIT
"""MACs from Python: the published vectors through it, and what it refuses. The C library's own tests are test_c_macs.py."""

import hashlib
import hmac
import pickle
import random
import threading
from pathlib import Path

import pytest
import runnel

FOLDERS = Path(__file__).parents[1] / "src" / "macs"
SHORT = {"aes-cmac": 8, "hmac-sha-1": 4, "hmac-sha-256": 16, "poly1305": 16, "siphash": 8, "siphash-128": 16}


def vectors():
    for path in sorted(FOLDERS.glob("*/vectors.txt")):
        fields: dict[str, str] = {}
        for line in path.read_text().splitlines():
            if not line or line.startswith("#"):
                continue
            name, _, value = line.partition(": ")
            fields[name] = value
            if name == "tag" and fields["mac"] != "ghash":
                key, message, tag = (bytes.fromhex(fields[each].strip("-")) for each in ("key", "message", "tag"))
                yield fields["mac"], key, message, tag


VECTORS = list(vectors())


def key_for(name: str) -> bytes:
    return random.randbytes((runnel.macs()[name].key_bytes or (37,))[0])


def test_what_there_is():
    found = runnel.macs()
    assert list(found) == sorted(found) == list(SHORT) == sorted({name for name, *_ in VECTORS})
    assert found["aes-cmac"] == runnel.MAC("aes-cmac", (16, 24, 32), tuple(range(4, 17)), False)
    assert found["hmac-sha-256"].key_bytes is None
    assert [name for name, mac in found.items() if mac.single_use] == ["poly1305"]


def test_the_hash_of_gcm_is_none():
    """GHASH alone authenticates nothing."""
    with pytest.raises(runnel.UnknownMACError):
        runnel.mac("ghash", bytes(16))


def test_vectors():
    assert len(VECTORS) == 50
    for name, key, message, tag in VECTORS:
        mac = runnel.mac(name, key, message, tag_bytes=len(tag))
        assert mac.tag() == tag
        runnel.mac(name.upper(), key, message, tag_bytes=len(tag)).verify(tag)
        pieces = runnel.mac(name, bytearray(key), tag_bytes=len(tag))
        for at in range(0, len(message), 7):
            pieces.update(memoryview(message)[at : at + 7])
        pieces.verify(memoryview(tag))


@pytest.mark.parametrize("name", SHORT)
def test_every_flipped_bit_and_every_other_length_is_refused(name):
    key = key_for(name)
    tag = runnel.mac(name, key, b"message").tag()
    assert len(tag) == runnel.macs()[name].tag_bytes[-1]
    wrong = [tag[:at] + bytes([tag[at] ^ 1 << bit]) + tag[at + 1 :] for at in range(len(tag)) for bit in range(8)]
    for other in [*wrong, *(tag[:length] for length in range(len(tag))), tag + b"\0"]:
        with pytest.raises(runnel.AuthenticationError, match="wrong tag"):
            runnel.mac(name, key, b"message").verify(other)
    for message in (b"messagf", b"messag", b"message\0", b""):
        with pytest.raises(runnel.AuthenticationError):
            runnel.mac(name, key, message).verify(tag)
    runnel.mac(name, key, b"message").verify(tag)


def test_a_shorter_tag_counts_only_where_it_was_agreed_on():
    key = bytes(16)
    short = runnel.mac("aes-cmac", key, b"message", tag_bytes=4).tag()
    assert runnel.mac("aes-cmac", key, b"message").tag()[:4] == short
    with pytest.raises(runnel.AuthenticationError):
        runnel.mac("aes-cmac", key, b"message").verify(short)


@pytest.mark.parametrize("name", [name for name in SHORT if name != "poly1305"])
def test_the_next_message_starts_under_the_same_key(name):
    key = key_for(name)
    first, second = (runnel.mac(name, key, message).tag() for message in (b"first", b"second"))
    with runnel.mac(name, key, b"first") as authenticator:
        assert authenticator.tag() == first
        authenticator.update(b"second")
        authenticator.verify(second)
        for wrong in (second, b""):
            authenticator.update(b"third")
            with pytest.raises(runnel.AuthenticationError):
                authenticator.verify(wrong)
        authenticator.update(b"first")
        authenticator.verify(first)
        assert (authenticator.name, authenticator.tag_bytes) == (name, len(first))
    with pytest.raises(runnel.StateError, match="wiped"):
        authenticator.tag()


def test_a_key_for_one_message():
    authenticator = runnel.mac("poly1305", bytes(32), b"message")
    authenticator.tag()
    for call in (authenticator.tag, lambda: authenticator.update(b""), lambda: authenticator.verify(bytes(16))):
        with pytest.raises(runnel.StateError, match="for one message"):
            call()


def test_arguments():
    for call, error, text in (
        (lambda: runnel.mac("hmac-sha256", b""), runnel.UnknownMACError, "did you mean hmac-sha-256"),
        (lambda: runnel.mac("siphash", bytes(15)), runnel.KeyLengthError, "siphash: key has 15 bytes, must have 16"),
        (
            lambda: runnel.mac("aes-cmac", bytes(16), tag_bytes=3),
            runnel.TagLengthError,
            "a tag has 3 bytes, must have 4",
        ),
        (lambda: runnel.mac("aes-cmac", bytes(16), tag_bytes=2**64 - 1), runnel.TagLengthError, "must have 4 to 16"),
        (lambda: runnel.mac("aes-cmac", bytes(16), tag_bytes=-1), OverflowError, "tag_bytes"),
        (lambda: runnel.mac("aes-cmac", "key"), TypeError, "key must be a buffer"),
        (lambda: runnel.mac("aes-cmac", bytes(16), 5), TypeError, "data must be a buffer"),
        (lambda: runnel.mac("aes-cmac", bytes(16)).update("text"), TypeError, "data must be a buffer"),
        (lambda: runnel.mac("aes-cmac", bytes(16)).verify("text"), TypeError, "tag must be a buffer"),
        (lambda: pickle.dumps(runnel.mac("aes-cmac", bytes(16))), TypeError, "pickle"),
        (lambda: runnel.Authenticator(), TypeError, "cannot create"),
    ):
        with pytest.raises(error, match=text):
            call()
    assert runnel.mac("hmac-sha-256", b"").tag() == hmac.digest(b"", b"", hashlib.sha256)
    assert repr(runnel.mac("siphash", bytes(16))) == "<runnel.Authenticator siphash, tags of 8 bytes>"


def test_long_messages_let_other_threads_run():
    """And nobody else may use the authenticator meanwhile."""
    data = bytes(8 << 20)
    tag = hmac.digest(b"key", data, hashlib.sha256)

    def is_refused() -> bool:
        authenticator = runnel.mac("hmac-sha-256", b"key")
        worker = threading.Thread(target=authenticator.update, args=(data,))
        worker.start()
        refused = False
        while worker.is_alive() and not refused:
            try:
                authenticator.update(b"")
            except runnel.StateError as error:
                assert "another thread" in str(error)
                refused = True
        worker.join()
        authenticator.verify(tag)
        return refused

    # On a busy machine the message may be over before this thread runs at all.
    assert any(is_refused() for _ in range(20))
