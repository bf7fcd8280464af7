# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What we write Google's own tink package opens, and what it writes we open."""

import io
import random

import pytest
import runnel
import tink as google
from runnel import decrypt_stream, encrypt_stream, open_encrypted
from runnel.sealed.parameters import TEMPLATES
from tink import cleartext_keyset_handle, streaming_aead
from tink_vectors import keysets_with_a_member_twice

streaming_aead.register()


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
        full = [p.first_bytes, p.first_bytes + p.rest_bytes, p.first_bytes + 2 * p.rest_bytes]
        for n in (0, 1, *(n + d for n in full for d in (-1, 0, 1))):
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
def test_keysets_made_by_tink(template):
    handle = google.new_keyset_handle(getattr(streaming_aead.streaming_aead_key_templates, template))
    text = io.StringIO()
    cleartext_keyset_handle.write(google.JsonKeysetWriter(text), handle)
    keyset = runnel.Keyset.from_json(text.getvalue())
    assert keyset.primary.parameters == TEMPLATES[template]
    plaintext = random.randbytes(10_000)
    back = io.BytesIO()
    decrypt_stream(io.BytesIO(google_seal(handle, plaintext, b"")), back, keyset)
    assert back.getvalue() == plaintext


def test_a_keyset_of_another_kind_is_refused_by_its_name():
    from tink import aead

    aead.register()
    text = io.StringIO()
    cleartext_keyset_handle.write(
        google.JsonKeysetWriter(text), google.new_keyset_handle(aead.aead_key_templates.AES256_GCM)
    )
    with pytest.raises(runnel.KeysetError, match="google.crypto.tink.AesGcmKey"):
        runnel.Keyset.from_json(text.getvalue())
    text = io.StringIO()
    template = streaming_aead.streaming_aead_key_templates.AES256_GCM_HKDF_4KB
    cleartext_keyset_handle.write(google.JsonKeysetWriter(text), google.new_keyset_handle(template))
    with pytest.raises(runnel.KeysetError, match="google.crypto.tink.AesGcmHkdfStreamingKey"):
        runnel.Keyset.from_json(text.getvalue())


def test_a_member_that_occurs_twice_is_refused_by_both():
    text = runnel.Keyset.generate().to_json()
    cleartext_keyset_handle.read(google.JsonKeysetReader(text))
    for _, same_name, twice in keysets_with_a_member_twice(text):
        if same_name:  # of two names for one field Tink's package takes the one that comes last
            with pytest.raises(google.TinkError):
                cleartext_keyset_handle.read(google.JsonKeysetReader(twice))
        with pytest.raises(runnel.KeysetError):
            runnel.Keyset.from_json(twice)
