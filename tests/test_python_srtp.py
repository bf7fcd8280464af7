# SPDX-License-Identifier: Apache-2.0 OR MIT
"""SRTP's counter mode with SEED and ARIA through the public interface: the first counter block is made of salt, SSRC,
roll-over counter and sequence number; only its last two bytes count. The examples of RFC 5669 A.1 and RFC 8269 A.1."""

import pytest
import runnel

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
