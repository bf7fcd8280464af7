# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Random messages of ciphers and AEADs through every kernel and through independent libraries (tests/c/peers), where these
are installed, and through the tests' own models (models/)."""

import models
import pytest
import selection
from c_programs import BUILD, build, check, ciphers

PEERS = {
    "openssl": "libssl-dev",
    "gcrypt": "libgcrypt20-dev",
    "sodium": "libsodium-dev",
    "botan": "libbotan-2-dev",
    "cryptopp": "libcrypto++-dev",
    "cryptx": "libcryptx-perl",
    "models": "python3",
}
HAVE = {
    "aes": ["openssl", "gcrypt", "botan", "cryptopp"],
    "aria": ["openssl", "botan", "cryptopp"],
    "chacha20": ["openssl", "gcrypt", "sodium", "botan", "cryptopp"],
    "hc-128": ["cryptopp"],
    "hight": ["cryptopp"],
    "lea": ["cryptopp"],
    "rabbit": ["cryptopp", "cryptx"],
    "salsa20": ["gcrypt", "sodium", "botan", "cryptopp"],
    "salsa20-12": ["gcrypt", "sodium", "cryptopp"],
    "salsa20-8": ["cryptopp", "cryptx"],
    "seed": ["gcrypt", "botan", "cryptopp"],
    "seed-cfb": ["openssl", "gcrypt", "botan", "cryptopp"],
    "sosemanuk": ["cryptopp", "cryptx"],
}
PAIRS = [(cipher, peer) for cipher in ciphers() for peer in HAVE.get(cipher) or HAVE.get(cipher.split("-")[0], [])]
PAIRS += [(cipher, "models") for cipher in ciphers() if cipher in models.ENCRYPT]


def messages_of(cipher: str, peer: str) -> int:
    if peer == "models":  # bit by bit
        return {"mickey-128": 16, "decim": 40}.get(cipher, 60)
    return 3000 if cipher.endswith("-cfb") else 10000  # feedback mode encrypts one block after another


def modes(cipher: str, *names: str) -> list[str]:
    return [f"{cipher}-{n}-{mode}" for mode in names for n in ((128, 256) if mode == "gcm-siv" else (128, 192, 256))]


@pytest.mark.parametrize("cipher, peer", PAIRS, ids=lambda v: v)
def test_same_bytes(cipher, peer):
    program = build(BUILD) / f"runnel-peer-{peer}"
    if not program.exists():
        pytest.skip(f"{PEERS[peer]} is not installed")
    messages = messages_of(cipher, peer) // (1 if selection.scale() <= selection.SUITE_SCALE else 20) or 2
    output = check(program.name, cipher, messages)
    counts = [int(line.split()[-2]) for line in output.splitlines() if line.endswith(" messages")]
    assert counts and all(count >= messages // 5 for count in counts), output


# What each has of the AEADs: modes of block ciphers, and others by name.
AEADS = {
    "openssl": [*modes("aes", "gcm", "ccm", "siv"), *modes("aria", "gcm", "ccm"), "chacha20-poly1305"],
    "gcrypt": [*modes("aes", "gcm", "ccm", "gcm-siv", "siv"), "seed-gcm", "seed-ccm", "chacha20-poly1305"],
    "sodium": ["aes-256-gcm", "chacha20-poly1305", "xchacha20-poly1305"],
    "botan": [*modes("aes", "gcm", "ccm", "siv"), *modes("aria", "gcm", "ccm"), "seed-gcm", "seed-ccm"],
    "cryptopp": [name for cipher in ("aes", "aria", "lea") for name in modes(cipher, "gcm", "ccm")],
}
AEADS["botan"] += ["chacha20-poly1305", "xchacha20-poly1305"]
AEADS["cryptopp"] += ["seed-gcm", "seed-ccm", "chacha20-poly1305", "xchacha20-poly1305"]


@pytest.mark.parametrize("aead, peer", [(aead, peer) for peer in AEADS for aead in AEADS[peer]], ids=lambda v: v)
def test_same_ciphertext_and_tag(aead, peer):
    program = build(BUILD) / f"runnel-peer-{peer}"
    if not program.exists():
        pytest.skip(f"{PEERS[peer]} is not installed")
    messages = 400 if selection.scale() <= selection.SUITE_SCALE else 40
    output = check(program.name, aead, messages)
    counts = [int(line.split()[-2]) for line in output.splitlines() if line.endswith(" messages")]
    assert counts and all(count >= messages // 8 for count in counts), output
