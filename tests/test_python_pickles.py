# SPDX-License-Identifier: Apache-2.0 OR MIT
"""No key gets into a pickle: libraries for many machines pickle what they are given, and write it to disks and sockets."""

from __future__ import annotations

import base64
import copy
import gc
import inspect
import io
import pickle
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import fsspec
import pytest
import runnel
import runnel.fsspec
from fsspec.implementations.local import LocalFileSystem
from fsspec.mapping import FSMap
from runnel.sealed.formats import TEMPLATES
from runnel.sealed.formats.key_material import HoldsKey
from runnel.sealed.keyset import Key
from runnel_store.fsspec import KeyPlace, SealedFileSystem
from runnel_store.parts import Work
from runnel_store.urls import parse

SECRET = bytes(range(100, 132))
PASSPHRASE = b"correct horse battery staple"
PLAINTEXT = b"text" * 100
PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)
# Those without a key, or whose attributes are all public: facts, errors, counters.
WITHOUT_KEYS = {"AEAD", "MAC", "Cipher", "Kernel", "NonceCounter", "Recipients"}


def known(secret: bytes) -> set[bytes]:
    """Return the secret as it may be found in a pickle: protocol 0 writes text with escapes."""
    texts = {secret, secret.hex().encode(), base64.b64encode(secret).rstrip(b"="), repr(secret)[2:-1].encode()}
    return texts | {secret.decode("latin-1").encode(), secret.decode("latin-1").encode("raw_unicode_escape")}


def leaks(thing: object, secrets: set[bytes]) -> Iterator[str]:
    """Yield the ways in which a secret gets out of a thing; none where it refuses."""
    for protocol in PROTOCOLS:
        try:
            data = pickle.dumps(thing, protocol)
        except Exception:
            continue
        if any(each in data for each in secrets):
            yield f"{type(thing).__module__}.{type(thing).__qualname__} in protocol {protocol}"


def keyset_of(template: str = "cobblestone-256", secret: bytes = SECRET) -> runnel.Keyset:
    parameters = TEMPLATES[template]
    key = Key(7, parameters, secret[: parameters.key_bytes])
    return runnel.Keyset(key, [key])


def public(folder: Path) -> dict[str, object]:
    """Return one of each public class that holds a key, by the name of the class."""
    keyset = keyset_of()
    file = folder / "sealed"
    with runnel.open_encrypted(file, "wb", keyset) as out:
        out.write(PLAINTEXT)
    return {
        "Authenticator": runnel.mac("hmac-sha-256", SECRET),
        "EncryptedReader": runnel.open_encrypted(file, "rb", keyset),
        "EncryptedWriter": runnel.open_encrypted(folder / "new", "wb", keyset),
        "Identities": runnel.Identities.generate(),
        "Keyset": keyset,
        "Passphrase": runnel.Passphrase(PASSPHRASE),
        "Sealer": runnel.aead("aes-256-gcm", SECRET),
        "Stream": runnel.new("aes-256-ctr", SECRET, bytes(16)),
        "SealedFileSystem": SealedFileSystem(LocalFileSystem(), keyset),
    }


def test_every_public_class_that_holds_a_key_is_tried(tmp_path):
    """A new one has to be put into `public`, or among those without a key."""
    classes = {name for name in runnel.__all__ if inspect.isclass(getattr(runnel, name))}
    classes -= {name for name in classes if issubclass(getattr(runnel, name), Exception)}
    assert classes - WITHOUT_KEYS == public(tmp_path).keys() - {"SealedFileSystem"}


def test_public_classes_refuse_in_words_that_say_why(tmp_path):
    for name, thing in public(tmp_path).items():
        for protocol in PROTOCOLS:
            with pytest.raises(TypeError, match=rf"a runnel\.(fsspec\.)?{name} .*cannot be (copied or )?pickled"):
                pickle.dumps(thing, protocol)
            with pytest.raises(TypeError):
                pickle.dumps({"in": [partial(print, thing)]}, protocol)


@pytest.mark.parametrize("template", sorted(TEMPLATES))
def test_no_object_of_the_package_writes_a_key_into_a_pickle(template, tmp_path):
    """Whatever of the package's is alive while files are read and written, also what is not public."""
    parameters = TEMPLATES[template]
    keyset = keyset_of(template)
    secrets = known(SECRET[: parameters.key_bytes]) | known(PASSPHRASE)
    runnel.encrypt_stream(io.BytesIO(PLAINTEXT), sealed := io.BytesIO(), keyset)
    (tmp_path / "object").write_bytes(sealed.getvalue())
    reader = runnel.open_encrypted(tmp_path / "object", "rb", keyset)
    writer = runnel.open_encrypted(tmp_path / "new", "wb", keyset)
    writer.write(PLAINTEXT)
    files = [SealedFileSystem(LocalFileSystem(), keyset).open(str(tmp_path / "object"))]
    keys = keyset.primary.new_file(b"aad")
    derived = [getattr(keys, name) for name in ("aes_key", "hmac_key") if hasattr(keys, name)]
    assert derived
    for each in derived:
        secrets |= known(each)
    work = Work("encrypt", parse(str(tmp_path / "object")), None, len(PLAINTEXT), b"", header=keys.header)
    alive = [keyset, keyset.primary, runnel.Passphrase(PASSPHRASE), reader, writer, files, keys, keys.cipher(), work]
    alive += [*public(tmp_path / "public" if (tmp_path / "public").mkdir() is None else tmp_path).values()]
    ours = [each for each in gc.get_objects() if str(type(each).__module__).startswith("runnel")]
    assert {type(keys), Key, runnel.Keyset, runnel.Passphrase, type(reader)} <= {type(each) for each in ours}
    assert not [leak for each in [*ours, *alive] for leak in leaks(each, secrets)]


def test_what_was_pickled_before_is_seen_by_this_test(monkeypatch, tmp_path):
    monkeypatch.delattr(HoldsKey, "__reduce__")
    assert [*leaks(keyset_of(), known(SECRET))] and [*leaks(runnel.Passphrase(PASSPHRASE), known(PASSPHRASE))]


def test_copies_in_the_process_are_the_object_itself():
    for thing in (keyset_of(), keyset_of().primary, runnel.Passphrase("words")):
        assert copy.copy(thing) is thing and copy.deepcopy(thing) is thing
    assert copy.deepcopy({"keys": [keyset_of()]}) == {"keys": [keyset_of()]}


# A file system that is sent to other processes


def sealed_in(folder: Path) -> str:
    name = str(folder / "a")
    with SealedFileSystem(LocalFileSystem(), keyset_of()).open(name, "wb") as file:
        file.write(PLAINTEXT)
    return name


def test_a_file_system_copies_within_a_process(tmp_path):
    name = sealed_in(tmp_path)
    for sealed in (
        SealedFileSystem(LocalFileSystem(), keyset_of()),
        SealedFileSystem(fsspec.filesystem("file"), keyset_of()),
    ):
        for double in (copy.copy, copy.deepcopy):
            assert double(sealed).cat_file(name) == PLAINTEXT


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_file_system_of_a_place_is_pickled_without_the_key(protocol, tmp_path, monkeypatch):
    name = sealed_in(tmp_path)
    keyset_of().save(tmp_path / "key.json")
    monkeypatch.setenv("OUR_KEYSET", keyset_of().to_json())
    monkeypatch.chdir(tmp_path)
    for place in (KeyPlace("key.json"), KeyPlace(variable="OUR_KEYSET")):
        sealed = SealedFileSystem(LocalFileSystem(auto_mkdir=True), place, b"", skip_instance_cache=True)
        assert sealed.cat_file(name) == PLAINTEXT
        for thing in (sealed, FSMap(str(tmp_path), sealed)):
            data = pickle.dumps(thing, protocol)
            assert not any(each in data for each in known(SECRET))
        data = pickle.dumps(sealed, protocol)
        code = "import pickle, sys; print(len(pickle.load(sys.stdin.buffer).cat_file(sys.argv[1])))"
        done = subprocess.run([sys.executable, "-c", code, name], input=data, capture_output=True, cwd="/")
        assert (done.stdout, done.stderr) == (b"%d\n" % len(PLAINTEXT), b"")


def test_another_process_without_the_key_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("OUR_KEYSET", keyset_of().to_json())
    data = pickle.dumps(SealedFileSystem(LocalFileSystem(), KeyPlace(variable="OUR_KEYSET")))
    monkeypatch.delenv("OUR_KEYSET")
    with pytest.raises(runnel.KeysetError, match="the environment has no variable OUR_KEYSET"):
        pickle.loads(data)
    with pytest.raises(runnel.KeysetError, match="names a file or a variable"):
        SealedFileSystem(LocalFileSystem(), KeyPlace())


def test_no_text_that_fsspec_makes_of_it_has_the_key():
    sealed = SealedFileSystem(LocalFileSystem(), keyset_of())
    texts = [repr(sealed), str(sealed), repr(sealed.storage_args), repr(sealed.storage_options)]
    for text_of in (sealed.to_dict, sealed.to_json):
        with pytest.raises(TypeError, match="not JSON serializable"):
            text_of()
    assert not [text for text in texts if any(each in text.encode() for each in known(SECRET))]
