# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Run by the Python that a package was installed for: `check.py SOURCE KERNEL...`. Published vectors of the source tree
through it, some of each file, ciphers with every kernel that the processor has; a file sealed and opened; kernels that have
to be there. Prints what it did."""

import json
import os
import sys
import tempfile
from pathlib import Path

import runnel

SOURCE = Path(sys.argv[1])
KERNELS = set(sys.argv[2:])
PER_FILE = 25  # vectors: an emulator is slow


def paragraphs(text):
    """Yield the fields of each vector, as tests/vectors/README.md describes them."""
    kept = {}
    for paragraph in text.split("\n\n"):
        fields = [line.partition(": ")[::2] for line in paragraph.splitlines() if line[:1] not in ("", "#")]
        fields = [(name.rstrip(":"), value.strip()) for name, value in fields]
        kept |= {name: value for name, value in fields if name in ("source", "cipher")}
        if any(name == "name" for name, _ in fields):
            yield kept | dict(fields)


def evenly(found):
    """So many of a list, from all of it."""
    return found[:: max(1, len(found) // PER_FILE)]


def text_and_output(fields):
    """Return a position, the text from there, and what becomes of it."""
    if "output" in fields:
        words, output = fields["input"].split(), bytes.fromhex(fields["output"])
        return (
            int(fields.get("offset", 0)),
            bytes(len(output)) if words[0] == "zeros" else bytes.fromhex(words[0]),
            output,
        )
    at, expected = fields["keystream"].split()
    return int(at), bytes(len(expected) // 2), bytes.fromhex(expected)


def check_ciphers():
    ciphers, done, ran = runnel.ciphers(), 0, set()
    for path in sorted(SOURCE.glob("src/*/*/vectors.txt")):
        for fields in evenly(list(paragraphs(path.read_text()))):
            cipher = ciphers.get(fields.get("cipher"))
            if cipher is None or fields.get("layout") == "ecb" or not {"keystream", "output"} & set(fields):
                continue  # a MAC's; raw blocks, which the package does not show; digests
            start, given, expected = text_and_output(fields)
            for kernel in cipher.kernels:
                if not kernel.available:
                    continue
                key, iv = bytes.fromhex(fields["key"]), bytes.fromhex(fields["iv"])
                options = {"layout": fields.get("layout"), "kernel": kernel.name, "allow_broken": True}
                try:
                    stream = runnel.new(cipher.name, key, iv, **options)
                except runnel.KernelError:  # it takes keys of another length
                    continue
                with stream:
                    through = stream.encrypt if cipher.directional else stream.xor
                    through(bytes(start))
                    assert through(given) == expected, (cipher.name, kernel.name, fields["name"])
                done += 1
                ran.add(f"{cipher.name}/{kernel.name}")
    assert done > 500 and len(ran) > 60, (done, ran)
    print(f"{done} vectors of ciphers through {len(ran)} kernels")


def aead_name(cipher, mode, key_bytes):
    if mode == "AEAD":
        return cipher.lower()
    bits = 4 * key_bytes if mode == "SIV" else 8 * key_bytes
    return ("seed" if cipher == "SEED-128" else f"{cipher.lower()}-{bits}") + f"-{mode.lower()}"


def aead_holds(aead, v):
    """Return whether the vector is authentic, its bytes right then."""
    key, nonce, aad, text, ciphertext, tag = (
        bytes.fromhex(v[name]) for name in ("key", "iv", "aad", "plaintext", "ciphertext", "tag")
    )
    sealed = tag + ciphertext if aead.tag_first else ciphertext + tag
    try:
        sealer = runnel.aead(aead.name, key, tag_bytes=len(tag))
        opened = sealer.open(nonce, sealed, aad)
    except (runnel.AuthenticationError, runnel.TagLengthError, runnel.IVLengthError, runnel.KeyLengthError):
        return False
    assert opened == text and sealer.seal(nonce, text, aad=aad) == sealed, (aead.name, v)
    return True


def check_aeads():
    aeads, seen = runnel.aeads(), {}
    for path in sorted(SOURCE.glob("tests/vectors/aead/*.json")):
        data = json.loads(path.read_text())
        for v in evenly(data["vectors"]):
            aead = aeads.get(aead_name(data["cipher"], data["mode"], len(v["key"]) // 2))
            if aead is None or "aad_rule" in v or "mask_key" in v:
                continue
            assert aead_holds(aead, v) == (v["result"] != "invalid"), (aead.name, v)
            seen[aead.name] = seen.get(aead.name, 0) + 1
    assert set(seen) >= set(aeads), set(aeads) - set(seen)
    print(f"{sum(seen.values())} vectors of {len(seen)} AEADs")


def check_files():
    with tempfile.TemporaryDirectory() as folder:
        plain, sealed, opened = (os.path.join(folder, name) for name in ("plain", "sealed", "opened"))
        data = os.urandom(300_001)
        Path(plain).write_bytes(data)
        keyset = runnel.Keyset.generate()
        runnel.encrypt_file(plain, sealed, keyset, aad=b"for Ann")
        runnel.decrypt_file(sealed, opened, keyset, aad=b"for Ann")
        assert Path(opened).read_bytes() == data
        changed = bytearray(Path(sealed).read_bytes())
        changed[100_000] ^= 1
        Path(sealed).write_bytes(changed)
        try:
            runnel.decrypt_file(sealed, opened, keyset, aad=b"for Ann", force=True)
        except runnel.AuthenticationError:
            print("a file sealed and opened, and refused with one bit changed")
        else:
            raise AssertionError("a changed file was opened")


def main():
    assert runnel.__version__ == (SOURCE / "VERSION").read_text().strip()
    assert not Path(runnel.__file__).is_relative_to(SOURCE / "python"), "the source tree's own package"
    has = {kernel.name for cipher in runnel.ciphers().values() for kernel in cipher.kernels}
    assert has >= KERNELS, KERNELS - has
    print(f"{sys.version.split()[0]}; processor: {' '.join(runnel.cpu_features()) or 'no features'}; AES by"
          f" {runnel.new('aes-128-ctr', bytes(16), bytes(16)).kernel}")  # fmt: skip
    print("kernels: " + " ".join(sorted(has)))
    assert not [name for name, cipher in runnel.ciphers().items() if cipher.status == "broken"]
    check_ciphers()
    check_aeads()
    check_files()


main()
