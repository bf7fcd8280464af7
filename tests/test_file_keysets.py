# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keysets: Tink's JSON both ways, what is refused and in which words."""

import base64
import json
import random
import sys

import pytest
import runnel
from runnel.sealed import keyset_forms as forms
from runnel.sealed.formats import TEMPLATES
from sealed_files import keyset_of_vector, replace
from tink_vectors import base64_spellings, keyset_json, keysets_with_a_member_twice, selection


def test_keyset_both_ways():
    for template, parameters in TEMPLATES.items():
        generated = runnel.Keyset.generate(template)
        assert generated.primary.parameters == parameters
        again = runnel.Keyset.from_json(generated.to_json())
        assert again == generated
        assert generated.primary.secret.hex() not in repr(generated) and repr(generated.primary.secret) not in repr(
            generated
        )
    for vector in selection():
        keyset = keyset_of_vector(vector)
        assert json.loads(keyset.to_json())["key"][0]["keyData"]["value"] == vector["value"]


def outcome(read, text):
    """Return what a reader makes of the text, for comparison: an error too."""
    try:
        return repr(read(text))
    except ValueError as error:
        return type(error), str(error)


@pytest.mark.parametrize(
    "text",
    [
        *(
            '{"a": [1, -2.5e3, true, null, "\\u00e9\\n"]}',
            ' \t\r\n{"a_b": {}} \n',
            "[NaN, Infinity, -Infinity]",
            "é",
            '"é"',
        ),
        *(
            "",
            " ",
            "{",
            "{} {}",
            '{"a": 1,}',
            '{"a": 1, "a": 2}',
            '"\n"',
            "01",
            "1" * 5000,
            "\ufeff{}",
            "\xa0{}",
            "nul",
            "[1 2]",
        ),
        *(
            '{"a_b": 1, "aB": 2}',
            b"\xff",
            '{"é": 1}'.encode("utf-16"),
            '{"é": 1}'.encode("utf-32-le"),
            b"\xef\xbb\xbf{}",
        ),
    ],
)
def test_json_is_read_as_the_standard_library_reads_it(monkeypatch, text):
    expected = outcome(lambda given: json.loads(given, object_pairs_hook=forms.members), text)
    assert outcome(forms.parsed_json, text) == expected
    monkeypatch.setitem(sys.modules, "_json", None)
    assert outcome(forms.parsed_json, text) == expected


def test_keys_without_their_primary_are_no_keyset():
    """Such a keyset could not decrypt its own files, and would not be saved."""
    new, old = (runnel.Keyset.generate().primary for _ in range(2))
    other = replace(old, key_id=new.key_id)
    for keys in ((), (old,), (new, new), (new, other), (other, old)):
        with pytest.raises(runnel.KeysetError, match=f"the primary key's number {new.key_id}"):
            runnel.Keyset(new, keys)
    keys = [new, old]
    keyset = runnel.Keyset(new, keys)
    keys.remove(new)
    assert runnel.Keyset.from_json(keyset.to_json()) == keyset == runnel.Keyset(new, (new, old))


@pytest.mark.parametrize("number", [-1, 1 << 32, True, "1", None, 1.0])
def test_numbers_that_no_key_has(number):
    with pytest.raises(runnel.KeysetError, match=f"from 0 to {2**32 - 1}"):
        replace(runnel.Keyset.generate().primary, key_id=number)


def test_no_more_keys_are_saved_than_are_read(tmp_path, monkeypatch):
    key = runnel.Keyset.generate("cobblestone-256").primary
    keyset = runnel.Keyset(key, [key, *(replace(key, key_id=(key.key_id + n) % 2**32) for n in range(1, 9))])
    size = len(keyset.to_bytes())
    monkeypatch.setattr(runnel.sealed.keyset, "KEYSET_BYTES_MAX", size)
    keyset.save(tmp_path / "key")
    assert runnel.Keyset.load(tmp_path / "key") == keyset
    monkeypatch.setattr(runnel.sealed.keyset, "KEYSET_BYTES_MAX", size - 1)
    for passphrase in (None, runnel.Passphrase("words")):
        with pytest.raises(runnel.KeysetError, match="9 keys are more than fit into 1 MiB"):
            keyset.save(tmp_path / "more", passphrase=passphrase)
    assert not (tmp_path / "more").exists()


def broken_keysets():
    good = json.loads(runnel.Keyset.generate("AES256_CTR_HMAC_SHA256_1MB").to_json())

    def changed(**entry):
        copy = json.loads(json.dumps(good))
        data = entry.pop("data", {})
        copy["key"][0]["keyData"].update(data)
        copy["key"][0].update(entry)
        return json.dumps(copy)

    def value(hexadecimal, type_url=good["key"][0]["keyData"]["typeUrl"]):
        return changed(data={"value": base64.b64encode(bytes.fromhex(hexadecimal)).decode(), "typeUrl": type_url})

    key = "1a10" + 16 * "00"
    yield "", "malformed JSON"
    yield "{", "malformed JSON"
    yield b"\xff\xfe\x00", "not a keyset"
    yield b"\x08\x96\x01\x12\x99", "not a keyset"
    yield "[" * 100000, "malformed JSON"
    yield "[]", "not an object"
    yield "null", "not an object"
    yield "{}", "no list called key"
    yield '{"key": {}}', "no list called key"
    yield '{"key": [], "primaryKeyId": 1}', "no list called key"
    yield '{"key": [1], "primaryKeyId": 1}', "key 1 of 1: not an object"
    yield json.dumps({"key": good["key"]}), "primaryKeyId is missing"
    yield json.dumps({**good, "primaryKeyId": -1}), "primaryKeyId is missing, or not a number"
    yield json.dumps({**good, "primaryKeyId": True}), "primaryKeyId"
    yield json.dumps({**good, "primaryKeyId": 1 << 32}), "primaryKeyId"
    yield (
        json.dumps({**good, "primaryKeyId": (good["primaryKeyId"] + 1) % 2**32}),
        "0 enabled keys have the primary key's number",
    )
    yield json.dumps({**good, "key": good["key"] * 2}), "2 enabled keys have the primary key's number"
    yield '{"encryptedKeyset": "AAAA", "keysetInfo": {}}', "encrypted"
    yield changed(status="DISABLED"), "no key of the keyset is enabled"
    yield changed(status="DESTROYED"), "no key of the keyset is enabled"
    yield changed(status="SLEEPING"), "status"
    yield changed(status=None), "status"
    yield changed(status=[]), "status"
    yield changed(status=0), "status"
    yield changed(keyId="x"), "keyId"
    yield changed(keyId=None), "keyId"
    yield changed(keyData=None), "no keyData"
    yield changed(data={"typeUrl": None}), "no typeUrl"
    yield (
        changed(data={"typeUrl": "type.googleapis.com/google.crypto.tink.AesGcmKey"}),
        "unsupported key type google.crypto.tink.AesGcmKey",
    )
    yield changed(data={"typeUrl": ""}), r"unsupported key type \(empty\)"
    yield changed(data={"typeUrl": "x\n\x1b[31m"}), r"unsupported key type x\?\?\[31m"
    yield changed(data={"keyMaterialType": "ASYMMETRIC_PRIVATE"}), "keyMaterialType"
    yield changed(data={"value": None}), "no value"
    yield changed(data={"value": "###"}), "not base64"
    for text in ("A", "AAAAA", "AA==AA==", "AA===", "A===", "AAAA=", "=", "AA#A", "AA\x00A", "AA\u00a0A", "AA\ufeffA"):
        yield changed(data={"value": text}), "not base64"
    yield changed(data={"value": "é"}), "not base64"
    yield value(""), "params is missing"
    yield value("0801" + "1200" + key), "version is 1"
    yield value("12"), "it ends inside a number"
    yield value("12ff"), "it ends inside a number"
    yield value("1205"), "ends beyond its message"
    yield value("12" + 10 * "ff" + "01"), "more than 10 bytes"
    yield value("0000"), "number 0"
    yield value("0b"), "wire type 3"
    yield value("0d0000"), "ends beyond its message"
    yield value("120d08802010101803220408031020"), "key_value is missing"
    yield value("120d088020100018032204080310201a00"), "derived key size is 0"
    yield value("120d08802010181803220408031020" + key), "derived key size is 24"
    yield value("120d08802010101802220408031020" + key), "hash is SHA384"
    yield value("120d08802010101803220408051020" + key), "hash is SHA224"
    yield value("120d08802010101863220408031020" + key), "hash is number 99"
    yield value("120d08802010101803220408031009" + key), "tag size is 9"
    yield value("120d08802010101803220408031021" + key), "tag size is 33"
    yield value("120d08802010101803220408011015" + key), "tag size is 21"
    yield value("120c083810101803220408031020" + key), "segment size is 56"
    yield value("121008808080800810101803220408031020" + key), "segment size is 2147483648"
    yield value("120d08802010201803220408031020" + key), "the key has 16 bytes, fewer than the 32"
    yield value("10051a00"), "params is missing"
    gcm, cobblestone = TEMPLATES["AES128_GCM_HKDF_4KB"].type_url, TEMPLATES["cobblestone-256"].type_url
    yield value("", gcm), "params is missing"
    yield value("08011200" + key, gcm), "version is 1"
    yield value("120708802010101803", gcm), "key_value is missing"
    yield value("120708802010181803" + key, gcm), "derived key size is 24"
    yield value("120708802010101802" + key, gcm), "hash is SHA384"
    yield value("12060828" + "10101803" + key, gcm), "segment size is 40 bytes, not 41"
    yield value("120708802010201803" + key, gcm), "the key has 16 bytes, fewer than the 32"
    for length in (0, 15, 16, 31, 33):
        yield value("00" * length, cobblestone), f"the key has {length} bytes, not 32"
    yield value("00" * 16, cobblestone + "x"), "unsupported key type"


def with_value(keyset, value):
    tree = json.loads(keyset.to_json())
    tree["key"][0]["keyData"]["value"] = value
    return json.dumps(tree)


@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("last", [b"", b"\xfb", b"\xff\xfe", b"\xfa\xef\xbe"], ids=bytes.hex)
def test_base64_in_all_spellings(template, last):
    """Both alphabets, with and without padding, in lines, as protocol buffers allow and Tink opens."""
    generated = runnel.Keyset.generate(template).primary
    generated = replace(generated, secret=generated.secret[len(last) :] + last)
    keyset = runnel.Keyset(generated, (generated,))
    value = json.loads(keyset.to_json())["key"][0]["keyData"]["value"]
    for name, spelling in base64_spellings(value):
        assert runnel.Keyset.from_json(with_value(keyset, spelling)) == keyset, name


def encodings(text):
    """Return a text file's variants by editors and shells."""
    for name in ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le"):
        yield ("\ufeff" + text).encode(name)


def test_a_byte_order_mark(tmp_path):
    keyset = runnel.Keyset.generate()
    assert runnel.Keyset.from_json("\ufeff" + keyset.to_json()) == keyset
    for number, data in enumerate(encodings(keyset.to_json())):
        assert runnel.Keyset.from_json(data) == keyset
        (tmp_path / str(number)).write_bytes(data)
        assert runnel.Keyset.load(tmp_path / str(number)) == keyset
    for text in ("\ufeff\ufeff" + keyset.to_json(), " \ufeff" + keyset.to_json(), keyset.to_json() + "\ufeff"):
        with pytest.raises(runnel.KeysetError, match="malformed JSON"):
            runnel.Keyset.from_json(text)


BROKEN = list(broken_keysets())


@pytest.mark.parametrize("number", range(len(BROKEN)))  # not the texts: they hold random keys
def test_broken_keyset(number):
    text, message = BROKEN[number]
    with pytest.raises(runnel.KeysetError, match=message) as caught:
        runnel.Keyset.from_json(text)
    assert "\n" not in str(caught.value)


def test_a_member_that_occurs_twice_is_refused():
    """Whichever of the two counted, another reader might take the other. Tink refuses them too, by the same name."""
    cases = list(keysets_with_a_member_twice(runnel.Keyset.generate().to_json()))
    assert len(cases) == 2 * (3 + 7 + 5)  # members without, and twice those with, a capital letter
    for name, _, text in cases:
        with pytest.raises(runnel.KeysetError, match=f"duplicate field {name}") as caught:
            runnel.Keyset.from_json(text)
        assert "\n" not in str(caught.value)
    with pytest.raises(runnel.KeysetError, match="duplicate field") as caught:
        runnel.Keyset.from_json('{"a\\n\\u001b[31m%s": 1, "a\\n\\u001b[31m%s": 2}' % (2 * (9999 * "x",)))
    assert str(caught.value).isprintable() and len(str(caught.value)) < 300


def test_keysets_that_tink_also_accepts():
    generated = runnel.Keyset.generate()
    tree = json.loads(generated.to_json())
    tree["key"].append({"status": "DISABLED", "keyId": 1})
    assert runnel.Keyset.from_json(json.dumps(tree)) == generated
    entry = tree["key"][0]
    snake = {
        "primary_key_id": str(tree["primaryKeyId"]),
        "key": [
            {
                "key_data": {
                    "type_url": entry["keyData"]["typeUrl"],
                    "value": entry["keyData"]["value"],
                    "key_material_type": "SYMMETRIC",
                },
                "status": 1,
                "key_id": entry["keyId"],
                "output_prefix_type": "TINK",
            }
        ],
    }
    assert runnel.Keyset.from_json(json.dumps(snake)) == generated


def test_random_keysets_never_surprise():
    """Whatever the bytes are: a keyset or a KeysetError."""
    rng = random.Random(1)
    for template in ("AES256_CTR_HMAC_SHA256_1MB", "AES256_GCM_HKDF_1MB"):
        data = json.loads(runnel.Keyset.generate(template).to_json())["key"][0]["keyData"]
        try_wires(rng, base64.b64decode(data["value"]), data["typeUrl"])


def try_wires(rng, good, type_url):
    for _ in range(5000):
        wire = bytearray(good[: rng.randrange(len(good) + 1)])
        for _ in range(rng.randrange(4)):
            if wire:
                wire[rng.randrange(min(len(wire), 20))] = rng.randrange(256)
        try:
            runnel.Keyset.from_json(json.dumps(keyset_json(base64.b64encode(wire).decode(), type_url)))
        except runnel.KeysetError:
            pass
