# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keysets in the wire format of protocol buffers and encrypted ones, written here byte by byte; objects that hold keys."""

import base64
import copy
import hashlib
import hmac
import json

import pytest
import runnel
from runnel.sealed.formats import key_material, wire
from runnel.sealed.keyset import Key, KeyPlace
from sealed_files import replace

FIRST, SECOND = (runnel.Keyset.generate(template).primary for template in ("cobblestone-256", "AES256_GCM_HKDF_4KB"))
FIRST, SECOND = replace(FIRST, key_id=7), replace(SECOND, key_id=300)
BOTH = runnel.Keyset(SECOND, (FIRST, SECOND))


def varint(value: int) -> bytes:
    return bytes([value & 127 | 128]) + varint(value >> 7) if value > 127 else bytes([value])


def text(number: int, data: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(data)) + data


def number(number: int, value: int) -> bytes:
    return varint(number << 3) + varint(value)


def entry(key: Key, status: int = 1, material: int = 1, key_id: int | None = None) -> bytes:
    data = text(1, key.parameters.type_url.encode()) + text(2, key.parameters.write_key(key.secret))
    return text(1, data + number(3, material)) + number(2, status) + number(3, key.key_id if key_id is None else key_id)


def binary(*entries: bytes, primary: int = 300) -> bytes:
    return number(1, primary) + b"".join(text(2, each) for each in entries)


GOOD = binary(entry(FIRST), entry(SECOND))


def refused(data: bytes, **more) -> str:
    with pytest.raises(runnel.KeysetError) as caught:
        runnel.Keyset.from_bytes(data, **more)
    return str(caught.value)


def test_a_binary_keyset():
    """Also in base64 of either alphabet, in lines; with numbers of 64 bits, and fields that nobody knows."""
    assert runnel.Keyset.from_bytes(GOOD) == BOTH and runnel.Keyset.from_bytes(BOTH.to_bytes()).primary == SECOND
    for encoded in (base64.b64encode(GOOD), base64.urlsafe_b64encode(GOOD), base64.encodebytes(GOOD),
                    base64.b64encode(BOTH.to_json().encode())):  # fmt: skip
        assert runnel.Keyset.from_bytes(encoded) == BOTH
    negative = (1 << 64) - 5
    unknown = b"\x29" + bytes(range(8)) + b"\x35" + bytes(4)  # field 5 of 64 bits, field 6 of 32
    data = binary(unknown + entry(SECOND, key_id=negative), primary=negative) + unknown
    assert runnel.Keyset.from_bytes(data).primary == replace(SECOND, key_id=(1 << 32) - 5)
    assert runnel.Keyset.from_bytes(binary(entry(FIRST, status=2), entry(SECOND), entry(FIRST, status=3))).keys == (
        SECOND,
    )


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\x08\x01", "not a keyset: it has no key"),
        (GOOD[:-1], "not a keyset: neither JSON nor binary (a field ends beyond its message)"),
        (b"\x08", "not a keyset: neither JSON nor binary (it ends inside a number)"),
        (binary(entry(FIRST)), "0 enabled keys have the primary key's number 300, not one"),
        (binary(entry(FIRST, status=2)), "no key of the keyset is enabled"),
        (binary(entry(SECOND), entry(FIRST, status=0)), "key 2 of 2: its status is not ENABLED, DISABLED or DESTROYED"),
        (binary(entry(SECOND, material=2)), "key 1 of 1: its key_material_type is not SYMMETRIC"),
        (number(1, 1) + number(2, 1), "key 1 of 1: not a message"),
        (binary(number(2, 1) + number(3, 1)), "key 1 of 1: its value is malformed: key_data is missing"),
        (binary(number(1, 1) + number(2, 1)), "key 1 of 1: its value is malformed: key_data is missing"),
        (binary(text(1, b"") + number(2, 1)), "key 1 of 1: its value is malformed: type_url is missing"),
        (binary(text(1, text(1, b"a/\xff")) + number(2, 1)), "key 1 of 1: unsupported key type \ufffd"),
        (binary(text(1, text(1, b"a/" + b"b" * 201)) + number(2, 1)), f"key 1 of 1: unsupported key type {'b' * 200}"),
        (binary(text(2, b"")), "key 1 of 1: its value is malformed: a number is missing"),
        (binary(b"\x2c"), "key 1 of 1: its value is malformed: wire type 4"),
        (binary(b"\x02\x00"), "key 1 of 1: its value is malformed: a field has number 0"),
    ],
    ids=range(16),
)  # fmt: skip
def test_binary_keysets_that_are_none(data, why):
    assert refused(data) == why


def test_an_encrypted_keyset():
    """By whatever decrypts it: in the wire format or JSON, and in it any form of one in clear text."""
    sealed = {b"one": GOOD, b"two": BOTH.to_bytes(), b"three": base64.b64encode(GOOD)}
    needs = "the keyset is encrypted with the key of a key management service: use --kms-command, or kms in Python"
    for ciphertext in sealed:
        encrypted = json.dumps({"encryptedKeyset": base64.b64encode(ciphertext).decode()})
        for data in (text(2, ciphertext) + text(3, b"info"), encrypted.encode()):
            assert runnel.Keyset.from_bytes(data, kms=sealed.__getitem__) == BOTH
            assert refused(data) == needs
            assert refused(data, kms=lambda _: b"\x08\x01") == "decrypted: not a keyset: it has no key"
            assert refused(data, kms=lambda _: text(2, b"again")) == "decrypted: encrypted once more"
        with pytest.raises(runnel.KeysetError) as caught:
            runnel.Keyset.from_json(encrypted)
        assert str(caught.value) == needs
    assert (
        refused(GOOD, kms=lambda data: data) == "the keyset is not encrypted with the key of a key management service"
    )
    assert refused(b'{"encryptedKeyset": 1}') == "it has no encryptedKeyset"
    assert refused(b'{"encryptedKeyset": "#"}') == "its encryptedKeyset is not base64"


@pytest.mark.parametrize("value", ["4294967295", "0", 0])
def test_numbers_in_json(value):
    tree = json.loads(runnel.Keyset(FIRST, (FIRST,)).to_json())
    tree["primaryKeyId"] = tree["key"][0]["keyId"] = value
    assert runnel.Keyset.from_json(json.dumps(tree)).primary.key_id == int(value)


@pytest.mark.parametrize("value", ["4294967296", "00000000001", "", "-1", 1 << 32, 1.0])
def test_numbers_in_json_that_are_none(value):
    tree = json.loads(runnel.Keyset(FIRST, (FIRST,)).to_json()) | {"primaryKeyId": value}
    with pytest.raises(runnel.KeysetError, match="^primaryKeyId is missing, or not a number from 0 to 4294967295$"):
        runnel.Keyset.from_json(json.dumps(tree))


def test_fields_are_written_as_they_are_read():
    for value in (0, 1, 127, 128, 300, 1 << 31, (1 << 64) - 1):
        assert wire.field(1, value) == number(1, value) and list(wire.fields(number(16, value))) == [(16, value)]
    assert wire.field(16, b"ab") == b"\x82\x01\x02ab" and wire.field(1, bytes(200)) == text(1, bytes(200))
    assert wire.number_of({}, 1) == 0
    with pytest.raises(runnel.KeysetError, match="a number has more than 10 bytes$"):
        list(wire.fields(b"\x08" + b"\xff" * 10 + b"\x01"))


@pytest.mark.parametrize("digest", key_material.DIGEST_BYTES)
def test_hkdf_is_what_its_definition_says(digest):
    size = hashlib.new(digest).digest_size
    key = key_material.extract(digest, b"salt", b"secret")
    assert key == hmac.digest(b"salt", b"secret", digest) and size == key_material.DIGEST_BYTES[digest]
    block, blocks = b"", b""
    for count in range(1, 256):
        block = hmac.digest(key, block + b"info" + bytes([count]), digest)
        blocks += block
    for count in (0, 1, size, size + 1, 255 * size):
        assert key_material.expand(digest, key, b"info", count) == blocks[:count]
    with pytest.raises(
        ValueError, match=f"^HKDF with {digest} makes at most {255 * size} bytes, not {255 * size + 1}$"
    ):
        key_material.expand(digest, key, b"info", 255 * size + 1)


def test_what_holds_a_key_stays_as_it_is():
    for given, name in ((FIRST, "key_id"), (BOTH, "primary")):
        assert copy.copy(given) is given and copy.deepcopy(given) is given
        with pytest.raises(AttributeError, match=f"^cannot assign to field '{name}'$"):
            setattr(given, name, 1)
        with pytest.raises(AttributeError, match=f"^cannot delete field '{name}'$"):
            delattr(given, name)
        assert given != 1 and given == given and hash(given) == hash(given)
    again = replace(FIRST, key_id=8)
    assert again != FIRST and replace(again, key_id=7) == FIRST and hash(replace(again, key_id=7)) == hash(FIRST)
    assert repr(FIRST) == f"Key(key_id=7, parameters={FIRST.parameters!r})"
    assert repr(BOTH) == f"Keyset(primary={SECOND!r}, keys={(FIRST, SECOND)!r})"


def test_new_keys_have_numbers_but_zero(monkeypatch):
    drawn = [bytes(4), bytes(4), b"\1\2\3\4"]
    monkeypatch.setattr("runnel.sealed.keyset.os.urandom", lambda count: drawn.pop(0) if count == 4 else bytes(count))
    assert Key.new(FIRST.parameters, FIRST.secret).key_id == 0x01020304 and drawn == []


def test_places_of_keys(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    BOTH.save("key")
    assert KeyPlace("key").load() == BOTH and KeyPlace("key").absolute() == KeyPlace(str(tmp_path / "key"))
    assert KeyPlace(variable="KEY").absolute() == KeyPlace(None, "KEY")
    monkeypatch.setenv("KEY", BOTH.to_json())
    assert KeyPlace(variable="KEY").load() == BOTH == KeyPlace(variable="KEY").load()
    with pytest.raises(
        runnel.KeysetError, match="names a file or a variable of the environment, and this one neither$"
    ):
        KeyPlace().load()
