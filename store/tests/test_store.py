# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Objects in a store: every byte against the local file's, every range, every cut; damage is refused, nothing overwritten."""

import os
import random

import pytest
import runnel
from cli_program import accepted
from runnel.sealed.formats import TEMPLATES
from runnel.sealed.gcm_hkdf import GcmHkdf
from runnel_store import objects, parts, plan
from runnel_store.objects import Options
from runnel_store.readers import reader_of
from runnel_store.urls import parse
from sealed_files import ONE_OF_EACH, SMALL, borders, keyset_of, replace, unseal
from store_objects import (  # noqa: F401  # fixtures
    LONG,
    PART,
    content,
    keyset,
    keyset_with_another_first,
    long,
    names,
    options,
    parts_sent,
    put,
    server,
    store,
    uploads,
)


@pytest.mark.parametrize("name", SMALL)
def test_parts_are_the_file_whatever_they_are(name):
    """Every way to cut a file, and back."""
    p = SMALL[name]
    keyset = keyset_of(p)
    for size in borders(p, 5):
        plaintext = random.randbytes(size)

        def read(start, end, plaintext=plaintext):
            return plaintext[start:end]

        keys = keyset.primary.new_file(b"a")
        count = p.segments(size)
        for step in range(1, count + 1):
            joined = b"".join(
                bytes(parts.seal(keys, first, min(first + step, count), size, read, step % 2 == 0))
                for first in range(0, count, step)
            )
            assert unseal(keyset, joined, b"a") == plaintext


@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("plain", [False, True])
def test_a_cut_keeps_the_rules_of_multipart_uploads(template, plain):
    p = TEMPLATES[template]
    for size in (0, 1, PART, PART + 1, 20 * PART + 7, 3 << 40, 40 << 40):
        if p.segments(size) > p.segments_max:
            continue
        cut = plan.cut(p, size, PART, plain=plain)
        assert 1 <= cut.parts <= plan.PARTS_MAX
        at = p.plaintext_at if plain else p.sealed_at
        assert cut.part(1).first == 0 and cut.part(cut.parts).after == p.segments(size)
        if cut.parts > 1:
            first, other = cut.part(1), cut.part(2)
            assert at(first.after) >= PART
            assert cut.parts == 2 or PART <= at(other.after) - at(other.first) <= plan.PART_BYTES_MAX


def test_a_cut_is_never_below_what_a_store_takes():
    """Also where parts of 5 MiB are whole segments, of which the first one holds less, and where shorter ones are asked
    for; an object that is too long for any store is refused before anything is read."""
    p = GcmHkdf(segment_bytes=(1 << 16) + 16, derived_key_bytes=16)
    for asked in (1, PART):
        for plain in (False, True):
            cut = plan.cut(p, 4 * PART, asked, plain=plain)
            assert (p.plaintext_at if plain else p.sealed_at)(cut.part(1).after) >= PART
            assert cut.part(cut.parts).after == p.segments(4 * PART)


@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("plain", [False, True])
def test_a_cut_keeps_the_longest_parts_and_their_number(template, plain):
    p = TEMPLATES[template]
    at = p.plaintext_at if plain else p.sealed_at
    cut = plan.cut(p, 12 << 30, plan.PART_BYTES_MAX, plain=plain)
    longest = max(at(part.after) - (at(part.first) if part.first else 0) for part in cut)
    assert 0.999 * plan.PART_BYTES_MAX < longest <= plan.PART_BYTES_MAX
    most = plan.PARTS_MAX * plan.PART_BYTES_MAX
    if p.segments(most) <= p.segments_max:
        assert plan.cut(p, int(0.999 * most), PART, plain=plain).parts <= plan.PARTS_MAX
        with pytest.raises(runnel.Error, match="10000 parts of 5 GiB"):
            plan.cut(p, most + 1, PART, plain=plain)


@pytest.mark.parametrize("template", ONE_OF_EACH)
def test_there_and_back(template, store, options, long, tmp_path):
    keyset = runnel.Keyset.generate(template)
    target = parse(f"{store}/folder/sealed")
    objects.encrypt(long, target, keyset, options)
    sealed = content(str(target))
    assert unseal(keyset, sealed) == LONG, "what a store holds is the file"
    assert len(sealed) == keyset.primary.parameters.sealed_bytes(len(LONG))
    objects.decrypt(target, parse(str(tmp_path / "again")), keyset, options)
    assert (tmp_path / "again").read_bytes() == LONG
    objects.decrypt(target, parse(f"{store}/plain"), keyset, options)
    assert content(f"{store}/plain") == LONG
    objects.encrypt(parse(f"{store}/plain"), parse(str(tmp_path / "sealed")), keyset, options)
    assert unseal(keyset, (tmp_path / "sealed").read_bytes()) == LONG
    assert objects.verify(target, keyset, options) == len(LONG)
    assert names(f"{store}/") == ["folder/sealed", "plain"] and not uploads(store)
    assert not os.listdir(tmp_path / "state")


@pytest.mark.parametrize("template", ONE_OF_EACH)
def test_a_rotation_between_keys_of_one_kind(template, store, options, tmp_path):
    """Both come into question for every object; the one that fits is found."""
    old, new = (runnel.Keyset.generate(template).primary for _ in range(2))
    (tmp_path / "plain").write_bytes(LONG[:100_000])
    where = parse(f"{store}/x")
    objects.encrypt(parse(str(tmp_path / "plain")), where, runnel.Keyset(old, (old,)), options)
    both = runnel.Keyset(new, (new, old))
    assert objects.rotate(where, both, options).changed and not objects.rotate(where, both, options).changed
    assert unseal(runnel.Keyset(new, (new,)), content(str(where))) == LONG[:100_000]


@pytest.mark.parametrize("template", ONE_OF_EACH)
def test_two_keys_of_one_number(template, tmp_path):
    """Of which none is the primary one: a keyset may have them, and `runnel decrypt` opens the files of both."""
    new, *old = (runnel.Keyset.generate(template).primary for _ in range(3))
    old = [replace(key, key_id=7) for key in old]
    runnel.Keyset(new, (new, *old)).save(tmp_path / "key.json")
    (tmp_path / "plain").write_bytes(LONG[:100_000])
    for number, key in enumerate(old):
        sealed, again = tmp_path / f"sealed{number}", tmp_path / f"again{number}"
        runnel.encrypt_file(tmp_path / "plain", sealed, runnel.Keyset(key, (key,)))
        for verb, *ends in (("verify", sealed), ("decrypt", sealed, again), ("rotate", sealed)):
            accepted("store", verb, "-k", tmp_path / "key.json", *ends)
        assert again.read_bytes() == LONG[:100_000]
        assert unseal(runnel.Keyset(new, (new,)), sealed.read_bytes()) == LONG[:100_000]


@pytest.mark.parametrize("size", [1000, len(LONG)])  # in one request, and in parts
def test_a_rotation_replaces_nothing_but_what_it_read(size, server, store, options, keyset, tmp_path):
    """The store is told which object that was: somebody may write one after the last look at it."""
    (tmp_path / "plain").write_bytes(LONG[:size])
    where = parse(f"{store}/x")
    objects.encrypt(parse(str(tmp_path / "plain")), where, keyset, options)
    _, etag = reader_of(where).identity()
    with server.counting() as requests:
        assert objects.rotate(where, keyset_with_another_first(keyset), options).changed
    (last,) = [each for each in requests if each.completes or (each.method == "PUT" and each.part is None)]
    assert last.if_match == etag


def test_what_runnel_and_tink_write_is_read(store, options, keyset, tmp_path):
    (tmp_path / "plain").write_bytes(LONG)
    runnel.encrypt_file(tmp_path / "plain", tmp_path / "sealed", keyset, aad=b"x")
    put(f"{store}/sealed", (tmp_path / "sealed").read_bytes())
    options = Options(aad=b"x", part_bytes=PART, threads=2)
    assert b"".join(map(bytes, objects.cat(parse(f"{store}/sealed"), keyset, options))) == LONG


def test_peers_open_what_a_store_holds(store, options, long):
    from cryptography import cobblestone
    from test_tink_peer import cleartext_keyset_handle, google, google_open

    keyset = runnel.Keyset.generate("cobblestone-256")
    objects.encrypt(long, parse(f"{store}/a"), keyset, options)
    theirs = cobblestone.Cobblestone256Decryptor(keyset.primary.secret, b"")
    assert theirs.update(content(f"{store}/a")) + theirs.finalize() == LONG
    keyset = runnel.Keyset.generate("AES256_CTR_HMAC_SHA256_1MB")
    objects.encrypt(long, parse(f"{store}/b"), keyset, options)
    handle = cleartext_keyset_handle.read(google.JsonKeysetReader(keyset.to_json()))
    assert google_open(handle, content(f"{store}/b"), b"") == LONG


def test_a_range_costs_two_requests_and_the_check_of_the_end_one(server, store, options, keyset, long):
    where = parse(f"{store}/sealed")
    objects.encrypt(long, where, keyset, options)
    for check_end, count in ((True, 3), (False, 2)):
        with server.counting() as requests:
            got = b"".join(map(bytes, objects.cat(where, keyset, options, 9_000_000, 9_000_100, check_end=check_end)))
        assert got == LONG[9_000_000:9_000_100] and len(requests) == count, requests
    for _ in range(20):
        start, end = sorted(random.choices(range(len(LONG) + 1), k=2))
        assert b"".join(map(bytes, objects.cat(where, keyset, options, start, end))) == LONG[start:end]


def test_damage_is_refused_and_nothing_is_released(store, options, keyset, long, tmp_path):
    where = f"{store}/sealed"
    objects.encrypt(long, parse(where), keyset, options)
    good = content(where)
    p = keyset.primary.parameters
    swapped = bytearray(good)
    one, two = (slice(p.sealed_at(n), p.sealed_at(n + 1)) for n in (3, 9))
    swapped[one], swapped[two] = good[two], good[one]
    foreign = unseal_header_of(keyset) + good[p.header_bytes :]
    for bad in (good[: p.sealed_at(7)], good[:-1], good + b"\0", bytes(swapped), foreign, good[: p.header_bytes]):
        put(where, bad)
        for call in (
            lambda: objects.verify(parse(where), keyset, options),
            lambda: objects.decrypt(parse(where), parse(str(tmp_path / "out")), keyset, options),
            lambda: objects.decrypt(parse(where), parse(f"{store}/out"), keyset, options),
            lambda: objects.rotate(parse(where), keyset_with_another_first(keyset), options),
        ):
            with pytest.raises(runnel.AuthenticationError):
                call()
        assert content(where) == bad
    assert not [each for each in os.listdir(tmp_path) if "out" in each] and names(f"{store}/") == ["sealed"]


def unseal_header_of(keyset):
    return keyset.primary.new_file(b"").header


def test_nothing_is_overwritten_unasked(server, store, options, keyset, long, tmp_path):
    where = f"{store}/there"
    put(where, b"precious")
    short = tmp_path / "short"
    short.write_bytes(b"short")
    for source in (long, parse(str(short))):
        with server.counting() as requests, pytest.raises(FileExistsError):
            objects.encrypt(source, parse(where), keyset, options)
        assert not parts_sent(requests), "a long object is not sent in vain"
    assert content(where) == b"precious"
    put(f"{store}/other", b"")

    def arrives(request):  # somebody else's object comes while ours is uploaded
        if request.completes:
            server.fault = None
            put(f"{store}/late", b"precious")

    with server.failing(arrives), pytest.raises(FileExistsError):
        objects.encrypt(long, parse(f"{store}/late"), keyset, options)
    assert content(f"{store}/late") == b"precious"
    objects.encrypt(long, parse(where), keyset, Options(part_bytes=PART, force=True, state=options.state))
    assert unseal(keyset, content(where)) == LONG


def test_the_output_is_not_the_input_in_any_spelling(store, keyset, long, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.symlink("long", tmp_path / "link")
    os.link(tmp_path / "long", tmp_path / "hard")
    put(f"{store}/a", LONG)
    options = Options(part_bytes=PART, force=True, state=str(tmp_path / "state"))
    spellings = [(long.text, other) for other in ("long", "./long", "link", "hard", f"file://{tmp_path}/./long")]
    spellings += [("link", long.text), (f"{store}/a", f"{store}/a"), (f"{store}/a", f"S3{store[2:]}/a")]
    for source, target in spellings:
        with pytest.raises(ValueError, match="are the same"):
            objects.encrypt(parse(source), parse(target), keyset, options)
    assert (tmp_path / "long").read_bytes() == LONG == content(f"{store}/a")
