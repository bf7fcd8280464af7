# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Exchange files with Google's own tink package, both ways."""

import base64
import io
import json
import random

import pytest
import runnel
import tink as google
from runnel import decrypt_stream, encrypt_stream, open_encrypted
from runnel.sealed.formats import TEMPLATES as ALL
from runnel.sealed.formats.tink import TinkParameters
from sealed_files import borders
from tink import aead, cleartext_keyset_handle, streaming_aead
from tink_vectors import base64_spellings, keysets_with_a_member_twice

streaming_aead.register()
TEMPLATES = {name: p for name, p in ALL.items() if isinstance(p, TinkParameters)}


class KeptOpen(io.BytesIO):
    """Tink closes the file it writes to."""

    def close(self):
        self.kept = self.getvalue()
        super().close()


def google_seal(handle, plaintext, aad):
    out = KeptOpen()
    with handle.primitive(streaming_aead.StreamingAead).new_encrypting_stream(out, aad) as stream:
        stream.write(plaintext)
    return out.kept


def google_open(handle, sealed, aad):
    with handle.primitive(streaming_aead.StreamingAead).new_decrypting_stream(io.BytesIO(sealed), aad) as stream:
        return stream.read()


def lengths():
    for name, p in TEMPLATES.items():
        for n in borders(p):
            yield name, n


@pytest.mark.parametrize("template, length", list(lengths()))
def test_both_ways(template, length):
    plaintext, aad = random.randbytes(length), random.choice([b"", b"associated", random.randbytes(1000)])
    ours = runnel.Keyset.generate(template)
    theirs = cleartext_keyset_handle.read(google.JsonKeysetReader(ours.to_json()))
    out = io.BytesIO()
    encrypt_stream(io.BytesIO(plaintext), out, ours, aad=aad)
    assert google_open(theirs, out.getvalue(), aad) == plaintext
    with pytest.raises(google.TinkError):
        google_open(theirs, out.getvalue()[:-1], aad)
    sealed = google_seal(theirs, plaintext, aad)
    assert len(sealed) == len(out.getvalue())
    back = io.BytesIO()
    decrypt_stream(io.BytesIO(sealed), back, ours, aad=aad)
    assert back.getvalue() == plaintext
    with open_encrypted(io.BytesIO(sealed), "rb", ours, aad=aad) as reader:
        reader.seek(length // 2)
        assert reader.read(1) == plaintext[length // 2 :][:1]


@pytest.mark.parametrize("template", TEMPLATES)
def test_keysets_from_tink(template):
    handle = google.new_keyset_handle(getattr(streaming_aead.streaming_aead_key_templates, template))
    text = io.StringIO()
    cleartext_keyset_handle.write(google.JsonKeysetWriter(text), handle)
    keyset = runnel.Keyset.from_json(text.getvalue())
    assert keyset.primary.parameters == TEMPLATES[template]
    plaintext = random.randbytes(10_000)
    back = io.BytesIO()
    decrypt_stream(io.BytesIO(google_seal(handle, plaintext, b"")), back, keyset)
    assert back.getvalue() == plaintext


def written(write):
    """What a function writes to a binary file."""
    out = io.BytesIO()
    write(out)
    return out.getvalue()


@pytest.mark.parametrize("template", TEMPLATES)
def test_binary_keysets_from_tink(template):
    """As they are, and in every form of base64."""
    handle = google.new_keyset_handle(getattr(streaming_aead.streaming_aead_key_templates, template))
    binary = written(lambda out: cleartext_keyset_handle.write(google.BinaryKeysetWriter(out), handle))
    keyset = runnel.Keyset.from_bytes(binary)
    assert keyset.primary.parameters == TEMPLATES[template]
    sealed = google_seal(handle, b"text", b"aad")
    back = io.BytesIO()
    decrypt_stream(io.BytesIO(sealed), back, keyset, aad=b"aad")
    assert back.getvalue() == b"text"
    for name, text in base64_spellings(base64.b64encode(binary).decode()):
        assert runnel.Keyset.from_bytes(text.encode()) == keyset, name


@pytest.mark.parametrize("as_json", [False, True])
def test_keysets_that_tink_encrypted(as_json, tmp_path):
    """With a key of Tink's in the place of one in a key management service."""
    aead.register()
    service = google.new_keyset_handle(aead.aead_key_templates.AES256_GCM).primitive(aead.Aead)
    handle = google.new_keyset_handle(streaming_aead.streaming_aead_key_templates.AES256_GCM_HKDF_1MB)
    path = tmp_path / "encrypted"
    if as_json:
        text = io.StringIO()
        handle.write(google.JsonKeysetWriter(text), service)
        path.write_text(text.getvalue())
    else:
        path.write_bytes(written(lambda out: handle.write(google.BinaryKeysetWriter(out), service)))
    keyset = runnel.Keyset.load(path, kms=lambda ciphertext: service.decrypt(ciphertext, b""))
    back = io.BytesIO()
    decrypt_stream(io.BytesIO(google_seal(handle, b"text", b"")), back, keyset)
    assert back.getvalue() == b"text"
    with pytest.raises(runnel.KeysetError, match="use --kms-command, or kms in Python"):
        runnel.Keyset.load(path)
    with pytest.raises(runnel.KeysetError, match="decrypted: encrypted once more"):
        runnel.Keyset.load(path, kms=lambda _: path.read_bytes())


def test_a_keyset_of_another_kind_is_refused_by_its_name():
    aead.register()
    text = io.StringIO()
    cleartext_keyset_handle.write(
        google.JsonKeysetWriter(text), google.new_keyset_handle(aead.aead_key_templates.AES256_GCM)
    )
    with pytest.raises(runnel.KeysetError, match="google.crypto.tink.AesGcmKey"):
        runnel.Keyset.from_json(text.getvalue())
    ours = cleartext_keyset_handle.read(google.JsonKeysetReader(runnel.Keyset.generate("cobblestone-128").to_json()))
    with pytest.raises(google.TinkError):  # and it refuses our own
        ours.primitive(streaming_aead.StreamingAead)


@pytest.mark.parametrize("template", ["AES128_CTR_HMAC_SHA256_4KB", "AES128_GCM_HKDF_4KB"])
def test_bytes_after_a_full_last_segment(template):
    """Tink's package opens such a file and ignores them; we refuse it."""
    ours = runnel.Keyset.generate(template)
    theirs = cleartext_keyset_handle.read(google.JsonKeysetReader(ours.to_json()))
    p = ours.primary.parameters
    plaintext = random.randbytes(p.plaintext_at(2))
    sealed = google_seal(theirs, plaintext, b"")
    for more in (b"x", bytes(5000)):
        assert google_open(theirs, sealed + more, b"") == plaintext
        with pytest.raises(runnel.AuthenticationError):
            decrypt_stream(io.BytesIO(sealed + more), io.BytesIO(), ours)


def test_a_member_that_occurs_twice_is_refused_by_both():
    text = runnel.Keyset.generate("AES256_GCM_HKDF_4KB").to_json()
    cleartext_keyset_handle.read(google.JsonKeysetReader(text))
    for _, same_name, twice in keysets_with_a_member_twice(text):
        if same_name:  # of two names for one field Tink's package takes the one that comes last
            with pytest.raises(google.TinkError):
                cleartext_keyset_handle.read(google.JsonKeysetReader(twice))
        with pytest.raises(runnel.KeysetError):
            runnel.Keyset.from_json(twice)


@pytest.mark.parametrize("template", TEMPLATES)
def test_keysets_whose_base64_is_spelled_otherwise(template):
    """Tink opens them, and takes the same key for them as we do."""
    tree = json.loads(runnel.Keyset.generate(template).to_json())
    data = tree["key"][0]["keyData"]
    for name, spelling in base64_spellings(data["value"]):
        data["value"] = spelling
        theirs = cleartext_keyset_handle.read(google.JsonKeysetReader(json.dumps(tree)))
        out = io.BytesIO()
        encrypt_stream(io.BytesIO(b"text"), out, runnel.Keyset.from_json(json.dumps(tree)), aad=b"a")
        assert google_open(theirs, out.getvalue(), b"a") == b"text", name


@pytest.mark.campaign
@pytest.mark.parametrize("template", TEMPLATES)
def test_two_hundred_files_each_way(template):
    """Of random lengths and associated data, in all templates together; each under a keyset in Tink's binary form."""
    for _ in range(-(-200 // len(TEMPLATES))):
        handle = google.new_keyset_handle(getattr(streaming_aead.streaming_aead_key_templates, template))
        keyset = runnel.Keyset.from_bytes(
            written(lambda out, handle=handle: cleartext_keyset_handle.write(google.BinaryKeysetWriter(out), handle))
        )
        plaintext, aad = random.randbytes(int(2 ** random.uniform(0, 22))), random.randbytes(random.randrange(100))
        out, back = io.BytesIO(), io.BytesIO()
        encrypt_stream(io.BytesIO(plaintext), out, keyset, aad=aad)
        assert google_open(handle, out.getvalue(), aad) == plaintext
        decrypt_stream(io.BytesIO(google_seal(handle, plaintext, aad)), back, keyset, aad=aad)
        assert back.getvalue() == plaintext
