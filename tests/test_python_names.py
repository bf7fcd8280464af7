# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Names of ciphers, layouts and kernels: in upper and lower case, with a suggestion where one is wrong; many packets in one
call."""

import pytest
import runnel
from runnel._names import closest, unknown

KEY, IV = bytes(range(16)), bytes(16)


def test_every_name_is_found_in_capitals():
    for name, cipher in runnel.ciphers().items():
        assert name == name.lower() and runnel.cipher(name.upper()) == cipher
        for kernel in cipher.kernels:
            assert kernel.name == kernel.name.lower()
        key = bytes(max(cipher.key_bytes[0], 16) if 16 in cipher.key_bytes else cipher.key_bytes[-1])
        iv = bytes(len(key) if cipher.iv_as_key else cipher.iv_bytes[-1])
        for kernel in (each for each in cipher.kernels if each.available):
            stream = runnel.new(name.title(), key, iv, kernel=kernel.name.upper(), allow_broken=True)
            assert (stream.cipher, stream.kernel) == (name, kernel.name)
        for layout in cipher.layouts:
            assert layout == layout.lower()
            stream = runnel.new(name, key, iv, layout=layout.upper(), allow_broken=True)
            assert stream.layout == layout
            stream.reset(iv, layout=layout.capitalize())
            assert stream.layout == layout


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("aes128-ctr", "aes-128-ctr"),
        ("AES_256_CTR", "aes-256-ctr"),
        ("aes-128-crt", "aes-128-ctr"),
        ("salsa", "salsa20"),
        ("ChaCha-20", "chacha20"),
        ("hc128", "hc-128"),
        ("triv", "trivium"),
        ("sosemanuc", "sosemanuk"),
        ("aes", None),
        ("", None),
        ("des", None),
        ("x" * 1000, None),
    ],
)
def test_the_cipher_that_was_meant(given, meant):
    text = f"no cipher '{given}'" + (f"; did you mean {meant}?" if meant else "; runnel.ciphers() lists them")
    for call in (
        lambda: runnel.new(given, KEY, IV),
        lambda: runnel.xor(given, KEY, IV, b""),
        lambda: runnel.xor_packets(given, KEY, [IV], [b""]),
        lambda: runnel.xor_packets(given, KEY, [], []),
        lambda: runnel.cipher(given),
    ):
        with pytest.raises(runnel.UnknownCipherError) as caught:
            call()
        assert str(caught.value) == text


@pytest.mark.parametrize("name", [5, None, b"aes-128-ctr"])
def test_a_name_is_text(name):
    for call in (lambda: runnel.cipher(name), lambda: runnel.xor_packets(name, KEY, [], [])):
        with pytest.raises(TypeError):
            call()


def test_the_kernel_that_was_meant():
    with pytest.raises(runnel.KernelError, match="aes-128-ctr: no kernel 'Portabel'; did you mean portable?"):
        runnel.new("aes-128-ctr", KEY, IV, kernel="Portabel")
    with pytest.raises(runnel.KernelError, match="aes-128-ctr: no kernel 'x', only .*portable"):
        runnel.new("aes-128-ctr", KEY, IV, kernel="x")


def test_no_other_layout_is_suggested():
    """be16 is one letter from le16 and the opposite of it."""
    with pytest.raises(runnel.LayoutError, match="no counter layout 'le16', only be128, be64"):
        runnel.new("aes-128-ctr", KEY, IV, layout="le16")


def test_suggestions():
    known = ["encrypt", "decrypt", "keygen", "keystream"]
    assert closest("encrpyt", known) == "encrypt"
    assert closest("KEY-GEN", known) == "keygen"
    assert closest("key", known) is None  # two of them
    assert closest("keys", known) == "keystream"
    assert unknown("command", "key", known) == "no command 'key', only encrypt, decrypt, keygen, keystream"


def test_the_old_keyword_is_gone():
    with pytest.raises(TypeError, match="counter"):
        runnel.new("aes-128-ctr", KEY, IV, counter="be32")


@pytest.mark.parametrize("name", ["aes-128-ctr", "rabbit", "chacha20", "salsa20"])
def test_packets_in_one_call(name):
    cipher = runnel.cipher(name)
    key = bytes(range(cipher.key_bytes[-1]))
    ivs = [bytes([number]) * cipher.iv_bytes[-1] for number in range(5)]
    packets = [bytes(range(length)) for length in (0, 1, 16, 100, 160)]
    expected = [runnel.xor(name, key, iv, packet) for iv, packet in zip(ivs, packets)]
    assert runnel.xor_packets(name, key, ivs, packets) == expected
    assert runnel.xor_packets(name, bytearray(key), iter(ivs), iter(packets), kernel="portable") == expected
    assert runnel.xor_packets(name, key, [], []) == []
    with pytest.raises(ValueError, match="ivs has 5 items, packets 4"):
        runnel.xor_packets(name, key, ivs, packets[:-1])
    with pytest.raises(runnel.IVLengthError):
        runnel.xor_packets(name, key, [*ivs[:-1], b"short"], packets)
    with pytest.raises(runnel.KeyLengthError):
        runnel.xor_packets(name, key[:-1], [], [])


def test_packets_with_a_layout_and_a_broken_cipher():
    iv = bytes(15) + b"\xff"
    assert runnel.xor_packets("aes-128-ctr", KEY, [iv], [bytes(40)], layout="LE32") == [
        runnel.xor("aes-128-ctr", KEY, iv, bytes(40), layout="le32")
    ]
    broken = next(
        cipher for cipher in runnel.ciphers().values() if cipher.status == "broken" and 16 in cipher.key_bytes
    )
    iv = bytes(16 if broken.iv_as_key else broken.iv_bytes[-1])
    with pytest.raises(runnel.BrokenCipherError):
        runnel.xor_packets(broken.name, KEY, [iv], [b"data"])
    if not broken.directional:
        assert len(runnel.xor_packets(broken.name, KEY, [iv], [b"data"], allow_broken=True)) == 1
