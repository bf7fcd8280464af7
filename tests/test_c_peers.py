# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Random messages through every kernel and through independent libraries (tests/c/peers), where these are installed."""
import pytest

from c_programs import BUILD, build, check, ciphers

PEERS = {"openssl": "libssl-dev", "gcrypt": "libgcrypt20-dev", "sodium": "libsodium-dev", "botan": "libbotan-2-dev",
         "cryptopp": "libcrypto++-dev"}
HAVE = {"aes": ["openssl", "gcrypt", "botan", "cryptopp"], "chacha20": ["openssl", "gcrypt", "sodium", "botan", "cryptopp"],
        "hc-128": ["cryptopp"], "rabbit": ["cryptopp"], "salsa20": ["gcrypt", "sodium", "botan", "cryptopp"],
        "salsa20-12": ["gcrypt", "sodium", "cryptopp"], "salsa20-8": ["cryptopp"],
        "seed": ["gcrypt", "botan", "cryptopp"], "sosemanuk": ["cryptopp"]}
HAVE |= {f"aes-{bits}-cfb": ["openssl"] for bits in (128, 192, 256)}
PAIRS = [(cipher, peer) for cipher in ciphers() for peer in HAVE.get(cipher) or HAVE.get(cipher.split("-")[0], [])]


@pytest.mark.parametrize("cipher, peer", PAIRS, ids=lambda v: v)
def test_same_bytes(cipher, peer):
    program = build(BUILD) / f"runnel-peer-{peer}"
    if not program.exists():
        pytest.skip(f"{PEERS[peer]} is not installed")
    output = check(program.name, cipher)
    counts = [int(line.split()[-2]) for line in output.splitlines() if line.endswith(" messages")]
    assert counts and all(count >= 2000 for count in counts), output
