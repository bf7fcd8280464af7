# SPDX-License-Identifier: Apache-2.0 OR MIT
"""SRTP's counter mode with SEED and ARIA through the public interface: the first counter block is made of salt, SSRC,
roll-over counter and sequence number; only its last two bytes count. Its AEAD profiles with AES, SEED and ARIA. The examples
of RFC 5669, RFC 7714 and RFC 8269."""

import json

import pytest
import runnel
from c_programs import ROOT

SALT = bytes.fromhex("cd3a7c42c671e0067a2a2639b43a")
SSRC, ROC, SEQ = 0x20E8F5EB, 0, 0x315E
KEY = bytes.fromhex("0c5ffd37a11edc42c325287fc0604f2e3e8cd5671a00fe3216aa5eb105783b54")
PAYLOAD = bytes.fromhex("f57af5fd4ae19562976ec57a5a7ad55a5af5c5e5c5fdf5c55ad57a4a7272d57262e9729566ed66e9")
EXAMPLES = [  # cipher, length of the key, encrypted payload
    ("seed-ctr", 16, "df5a89291e7e383e9beff765e691a73749c9e33139ad3001cd8da73ad07f69a2805a70358b5c7c8c"),
    ("aria-128-ctr", 16, "1bf753f412e6f35058cc398dc851aae3a6ccdcb463fbed9cfb3de2fb76fdffa9e481f5efb64c9248"),
    ("aria-256-ctr", 32, "c424c59fd5696305e5b13d8e8ca7656617ccd7471088af9debf07b55c750f804a5ac2b737be48140"),
]
MOST = 16 << 16  # bytes of a packet


def packet_iv(salt: bytes, ssrc: int, roc: int, seq: int) -> bytes:
    """RFC 3711 4.1.1: (salt << 16) XOR (SSRC << 64) XOR (index << 16), of which the last two bytes are the counter."""
    number = int.from_bytes(salt, "big") << 16 ^ ssrc << 64 ^ (roc << 16 | seq) << 16
    return number.to_bytes(16, "big")


def test_iv():
    assert packet_iv(SALT, SSRC, ROC, SEQ).hex() == "cd3a7c42e69915ed7a2a263985640000"
    assert packet_iv(bytes(14), 0x01020304, 0x05060708, 0x090A).hex() == "000000000102030405060708090a0000"


@pytest.mark.parametrize("cipher, key_bytes, expected", EXAMPLES, ids=lambda v: v if "-ctr" in str(v) else "")
def test_packet(cipher, key_bytes, expected):
    key, iv = KEY[:key_bytes], packet_iv(SALT, SSRC, ROC, SEQ)
    assert runnel.xor(cipher, key, iv, PAYLOAD, layout="be16").hex() == expected
    assert runnel.xor(cipher, key, iv, bytes.fromhex(expected), layout="be16") == PAYLOAD
    # The longest packet's last block is the one that counts ffff; there is none after it, rather than a second use of
    # the first.
    stream = runnel.new(cipher, key, iv, layout="be16")
    assert stream.left() == MOST
    last = runnel.xor(cipher, key, iv[:14] + b"\xff\xff", bytes(16))
    assert stream.xor(bytes(MOST))[-16:] == last
    assert stream.left() == 0
    with pytest.raises(runnel.LimitError):
        stream.xor(bytes(1))
    with pytest.raises(runnel.LimitError):
        runnel.xor(cipher, key, iv, bytes(MOST + 1), layout="be16")


# The AEAD profiles: the header is authenticated, the tag follows the ciphertext.


def packet_nonce(salt: bytes, header: bytes, roc: int) -> bytes:
    """RFC 7714 8.1, RFC 5669 3.2 and RFC 8269 3.2: (0 || SSRC || ROC || SEQ) XOR salt, 12 bytes."""
    number = bytes(2) + header[8:12] + roc.to_bytes(4, "big") + header[2:4]
    return bytes(a ^ b for a, b in zip(number, salt, strict=True))


HEADER, LATIN = bytes.fromhex("8040f17b8041f8d35501a0b2"), b"Gallia est omnis divisa in partes tres"
LATIN_128 = (
    "f24de3a3fb34de6cacba861c9d7e4bcabe633bd50d294e6f42a5f47a51c7d19b36de3adf8833899d7f27beb16a9152cf765ee4390cce"
)
LATIN_256 = (
    "32b1de78a822fe12ef9f78fa332e33aab18012389a58e2f3b50b2a0276ffae0f1ba63799b87b7aa3db36dfffd6b0f9bb7878d7a76c13"
)
AEAD_EXAMPLES = [  # RFC 7714 16.1.1 and 16.2.1: AEAD, key, salt, header, payload, what is sent of it
    ("aes-128-gcm", bytes(range(16)), b"Quid pro quo", HEADER, LATIN, LATIN_128),
    ("aes-256-gcm", bytes(range(32)), b"Quid pro quo", HEADER, LATIN, LATIN_256),
]
for file, names in {  # whose examples have a salt of zeros
    "seed_ccm_rfc5669": ["seed-ccm"],
    "seed_gcm_rfc5669": ["seed-gcm"],
    "aria_gcm_rfc8269": ["aria-128-gcm", "aria-256-gcm"],
}.items():
    vectors = json.loads((ROOT / "tests" / "vectors" / "aead" / f"{file}.json").read_text())["vectors"]
    for name, v in zip(names, vectors, strict=True):
        key, aad, payload = (bytes.fromhex(v[field]) for field in ("key", "aad", "plaintext"))
        AEAD_EXAMPLES.append((name, key, bytes(12), aad, payload, v["ciphertext"] + v["tag"]))


@pytest.mark.parametrize(
    "aead, key, salt, header, payload, sent", AEAD_EXAMPLES, ids=[each[0] for each in AEAD_EXAMPLES]
)
def test_aead_packet(aead, key, salt, header, payload, sent):
    sent = bytes.fromhex(sent)
    sealer = runnel.aead(aead, key, tag_bytes=len(sent) - len(payload))
    nonce = packet_nonce(salt, header, 0)
    assert sealer.seal(nonce, payload, header) == sent
    assert sealer.open(nonce, sent, header) == payload
    assert sealer.open_batch([nonce] * 2, [sent, sent[:-1] + bytes([sent[-1] ^ 1])], [header] * 2) == [payload, None]
    for other in (packet_nonce(salt, header, 1), packet_nonce(salt, header[:3] + b"\0" + header[4:], 0)):
        with pytest.raises(runnel.AuthenticationError):  # after the roll-over, and with another sequence number
            sealer.open(other, sent, header)
    with pytest.raises(runnel.AuthenticationError):
        sealer.open(nonce, sent, header[:1] + b"\xff" + header[2:])
