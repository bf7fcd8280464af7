# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Random messages through every kernel and through independent libraries (tests/c/peers), where these are installed."""

import pytest
import selection
from c_programs import BUILD, build, check, ciphers

PEERS = {
    "openssl": "libssl-dev",
    "gcrypt": "libgcrypt20-dev",
    "sodium": "libsodium-dev",
    "botan": "libbotan-2-dev",
    "cryptopp": "libcrypto++-dev",
}
HAVE = {
    "aes": ["openssl", "gcrypt", "botan", "cryptopp"],
    "aria": ["openssl", "botan", "cryptopp"],
    "chacha20": ["openssl", "gcrypt", "sodium", "botan", "cryptopp"],
    "hc-128": ["cryptopp"],
    "hight": ["cryptopp"],
    "lea": ["cryptopp"],
    "rabbit": ["cryptopp"],
    "salsa20": ["gcrypt", "sodium", "botan", "cryptopp"],
    "salsa20-12": ["gcrypt", "sodium", "cryptopp"],
    "salsa20-8": ["cryptopp"],
    "seed": ["gcrypt", "botan", "cryptopp"],
    "seed-cfb": ["openssl", "gcrypt", "botan", "cryptopp"],
    "sosemanuk": ["cryptopp"],
}
PAIRS = [(cipher, peer) for cipher in ciphers() for peer in HAVE.get(cipher) or HAVE.get(cipher.split("-")[0], [])]


@pytest.mark.parametrize("cipher, peer", PAIRS, ids=lambda v: v)
def test_same_bytes(cipher, peer):
    program = build(BUILD) / f"runnel-peer-{peer}"
    if not program.exists():
        pytest.skip(f"{PEERS[peer]} is not installed")
    most = 3000 if cipher.endswith("-cfb") else 10000  # feedback mode encrypts one block after another
    messages = most if selection.scale() <= selection.SUITE_SCALE else most // 20
    output = check(program.name, cipher, messages)
    counts = [int(line.split()[-2]) for line in output.splitlines() if line.endswith(" messages")]
    assert counts and all(count >= messages // 5 for count in counts), output
