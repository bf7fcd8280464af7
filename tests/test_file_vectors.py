# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Published files in Tink's AES-GCM-HKDF and in Cobblestone: opened in every way, rebuilt byte for byte; what is invalid is
refused, and a stream releases no more of it than it may."""

import hashlib
import io

import pytest
import runnel
from file_vectors import NAMES, SELECTIONS, FileVector, load, rule, text_of, vectors_of
from sealed_files import every_way_to_open, seal
from test_vectors import of_the_collection
from tink_vectors import COLLECTION

SELECTED = [(name, vector) for name in NAMES for vector in vectors_of(load(name, SELECTIONS))]


def check(vector: FileVector, folder) -> None:
    if "InvalidKeySize" in vector.flags or (not vector.valid and not vector.sealed and "param" in vector.name):
        with pytest.raises(runnel.KeysetError):
            runnel.Keyset.from_json(vector.keyset)
        return
    keyset = runnel.Keyset.from_json(vector.keyset)
    if not vector.valid:
        check_refusal(vector, keyset, folder)
        return
    sealed, plaintext = vector.sealed, vector.plaintext
    if plaintext is None:
        with runnel.open_encrypted(io.BytesIO(sealed), "rb", keyset, aad=vector.aad) as reader:
            plaintext = reader.read()
    assert vector.plaintext_sha512 in (None, hashlib.sha512(plaintext).hexdigest())
    if vector.header is not None:
        keys = keyset.primary.parameters.file_keys(keyset.primary.secret, vector.header, vector.aad)
        assert {name: getattr(keys, name).hex() for name in vector.derived} == vector.derived
        written = seal(keyset, plaintext, vector.aad, vector.header)
        assert hashlib.sha256(written).hexdigest() == vector.sealed_sha256
        sealed = written
    for read in every_way_to_open(keyset, sealed, vector.aad, folder):
        assert read() == plaintext
    for at, count in vector.ranges:
        end = at + count
        runnel.decrypt_file(folder / "sealed", folder / "part", keyset, aad=vector.aad, start=at, end=end, force=True)
        assert (folder / "part").read_bytes() == plaintext[at:end]


def check_refusal(vector: FileVector, keyset: runnel.Keyset, folder) -> None:
    (folder / "opened").unlink(missing_ok=True)
    for refuse in every_way_to_open(keyset, vector.sealed, vector.aad, folder):
        with pytest.raises(runnel.AuthenticationError):
            refuse()
    assert not (folder / "opened").exists()
    released = io.BytesIO()
    with pytest.raises(runnel.AuthenticationError):
        runnel.decrypt_stream(io.BytesIO(vector.sealed), released, keyset, aad=vector.aad, threads=1)
    count, digest = vector.prefix or (0, hashlib.sha512().hexdigest())
    if vector.prefix:
        assert len(released.getvalue()) in (0, count)
        assert not released.getvalue() or hashlib.sha512(released.getvalue()).hexdigest() == digest


@pytest.mark.parametrize(("file", "vector"), SELECTED, ids=lambda v: v.name if isinstance(v, FileVector) else v)
def test_vector(file, vector, tmp_path):
    check(vector, tmp_path)


def test_every_kind_is_there():
    """Both lengths of key, every reason to refuse, and files that are longer than a block of chunks."""
    flags = {flag for _, vector in SELECTED for flag in vector.flags}
    assert flags >= {"TrailingAfterFullLast", "TrailingEmptyLast", "CounterRollover", "HeaderFailure", "InvalidKeySize"}
    assert flags >= {
        "ChunkReordering",
        "ModifiedCiphertext",
        "Truncation",
        "WrongContext",
        "WrongKey",
        "ValidFinalChunk",
    }
    invalid = sum(not vector.valid for _, vector in SELECTED)
    assert len(SELECTED) >= 148 and invalid >= 70 and sum(bool(vector.ranges) for _, vector in SELECTED) == 2


@of_the_collection
@pytest.mark.parametrize("name", NAMES)
def test_complete_collection(name, tmp_path):
    data = load(name)
    if data is None:
        pytest.skip(f"the complete collection is not at {COLLECTION} (RUNNEL_VECTORS names another place)")
    for vector in vectors_of(data):
        check(vector, tmp_path)


@of_the_collection
@pytest.mark.parametrize("name", NAMES)
def test_selection_is_what_its_program_writes(name):
    data = load(name)
    if data is None:
        pytest.skip(f"the complete collection is not at {COLLECTION} (RUNNEL_VECTORS names another place)")
    assert (SELECTIONS / f"{name}.json").read_text() == text_of(data)


def test_the_rule():
    assert rule(503) == bytes(i % 251 for i in range(503))
