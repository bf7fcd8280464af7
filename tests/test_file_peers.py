# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Exchange files with pyca/cryptography's Cobblestone, both ways. Google's Tink is in test_tink_peer.py."""

import io
import json
import random
import subprocess
import sys

import pytest
import runnel
from c_programs import ROOT
from cryptography import cobblestone
from cryptography.exceptions import InvalidTag
from runnel.sealed.formats import TEMPLATES
from sealed_files import borders, every_way_to_open, seal

THEIRS = {
    "cobblestone-128": (cobblestone.Cobblestone128Encryptor, cobblestone.Cobblestone128Decryptor),
    "cobblestone-256": (cobblestone.Cobblestone256Encryptor, cobblestone.Cobblestone256Decryptor),
}


def their_seal(template, key, plaintext, context):
    encryptor = THEIRS[template][0](key, context)
    return encryptor.update(plaintext) + encryptor.finalize()


def their_open(template, key, sealed, context):
    decryptor = THEIRS[template][1](key, context)
    return decryptor.update(sealed) + decryptor.finalize()


@pytest.mark.parametrize("template", THEIRS)
@pytest.mark.parametrize("context", [b"", b"a context", bytes(1000)], ids=len)
def test_both_ways(template, context, tmp_path):
    for length in [*borders(TEMPLATES[template]), 3_000_000]:
        plaintext = random.randbytes(length)
        keyset = runnel.Keyset.generate(template)
        key = keyset.primary.secret
        sealed = seal(keyset, plaintext, context)
        assert their_open(template, key, sealed, context) == plaintext
        theirs = their_seal(template, key, plaintext, context)
        assert len(theirs) == len(sealed)
        for read in every_way_to_open(keyset, theirs, context, tmp_path):
            assert read() == plaintext


@pytest.mark.parametrize("template", THEIRS)
def test_what_we_refuse_they_refuse(template):
    keyset = runnel.Keyset.generate(template)
    sealed = seal(keyset, random.randbytes(40_000), b"x")
    for damaged in (sealed[:-1], sealed + b"\0", sealed[: 56 + 16400], b"\1" + sealed[1:] if sealed[0] != 1 else b""):
        with pytest.raises((InvalidTag, ValueError)):
            their_open(template, keyset.primary.secret, damaged, b"x")
        with pytest.raises(runnel.AuthenticationError):
            runnel.decrypt_stream(io.BytesIO(damaged), io.BytesIO(), keyset, aad=b"x")


def test_what_measures_the_formats():
    """Every program that is asked for, with its figures."""
    command = [sys.executable, ROOT / "bench" / "file_formats.py", "--mib", "1", "--runs", "1", "--cores", "1"]
    done = subprocess.run([*command, "--only", "cobblestone-128", "--json"], capture_output=True, check=True)
    result = json.loads(done.stdout)
    assert set(result["cores"]["1"]) == {"runnel cobblestone-128", "pyca cobblestone-128"}
    for verbs in result["cores"]["1"].values():
        assert all(0 < seconds < 60 for pair in verbs.values() for seconds in pair) and set(verbs) == {
            "encrypt",
            "decrypt",
        }
    assert all(speed > 0 for speeds in result["in_memory"].values() for speed in speeds.values())
