# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The bills of materials: after the schema of CycloneDX, and true of the sources and of the pins. `make packages` names the
folder of those that it has written in RUNNEL_SBOM."""

import hashlib
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from c_programs import ROOT

PRODUCTS = {"gpu", "lab", "store"}
PACKAGES = {"debian", "javascript", "library", "python", "rust", *PRODUCTS}
# Files of requirements/ that neither end up in a package nor build one: tests, proofs, the demo, what makes the pins. The
# requirements of products are in their bills beside other things. A new file has to be put here or into a bill.
NO_PART = {"demo", "fuzz", "gpu", "proofs", "ray", "store", "test", "tools"}
PINS = {f"tools-{file.parent.name}": file for file in (ROOT / "packaging").glob("*/requirements.txt")} | {
    "python" if file.stem == "runtime" else f"tools-{file.stem}": file
    for file in (ROOT / "requirements").glob("*.txt")
    if file.stem not in NO_PART
}
NAMES = sorted(PACKAGES | PINS.keys())
# Sources that not all packages have, and those that they are in.
PART_OF = {
    "src/historic/lex/lex.c": set(),
    "src/srtp/packets.c": {"library", "python", "debian", "lab"},
    "include/runnel/srtp.h": {"library", "python", "debian", "lab"},
    "python/runnel/__init__.py": {"python", "debian"},
    "store/runnel_store/objects.py": {"store"},
    "gpu/runnel_gpu/cuda/aes_table.cu": {"gpu"},
    "lab/runnel_lab/speed.py": {"lab"},
    "lab/engine/speed.c": {"lab"},  # runnel-speed
    "lab/engine/peers/openssl.c": {"lab"},
    "lab/engine/peers/botan.cc": set(),
    "bench/srtp/packets.c": set(),
    "integrations/openssl/provider.c": {"debian"},
    "integrations/srtp/install.c": set(),
    "packaging/rust/runnel/src/lib.rs": {"rust"},
    "packaging/rust/runnel-sys/build.rs": {"rust"},
    "packaging/javascript/index.js": {"javascript"},
    "packaging/javascript/index.d.ts": {"javascript"},
    "packaging/javascript/module/module.c": {"javascript"},
}


def written(folder: Path) -> Path:
    subprocess.run([sys.executable, ROOT / "packaging" / "sbom" / "bill.py", folder], check=True)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return Path(os.environ.get("RUNNEL_SBOM") or written(tmp_path_factory.mktemp("sbom")))


@pytest.fixture
def bills(folder) -> dict[str, dict]:
    return {path.name.split(".")[0]: json.loads(path.read_text()) for path in folder.glob("*.cdx.json")}


def packages(bill: dict) -> dict[str, dict]:
    return {each["name"]: each for each in bill.get("components", [])}


def test_the_schema_is_followed(bills):
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import (
        JsonStrictValidator,
    )  # whose grammars take seconds, in every process that collects

    validator = JsonStrictValidator(SchemaVersion.V1_6)
    assert sorted(bills) == NAMES
    for bill in bills.values():
        if "RUNNEL_SBOM" not in os.environ:  # of the files, which are all of a kind and take long, a few
            del bill["metadata"]["component"].get("components", [])[1:]
        assert validator.validate_str(json.dumps(bill)) is None
    bill["metadata"]["component"]["type"] = "no such type"
    assert validator.validate_str(json.dumps(bill)) is not None


def test_every_source_is_there_with_its_hash(bills):
    for name in PACKAGES:
        bill = bills[name]
        files = {each["name"]: each["hashes"][0]["content"] for each in bill["metadata"]["component"]["components"]}
        own = {"store": 14, "gpu": 14}  # files, of those that have nothing of the library
        assert len(files) > own.get(name, 400) and ("src/core/driver.c" in files) == (name not in own)
        assert not [file for file in files if "/papers/" in file]
        assert all((file in files) == (name in found) for file, found in PART_OF.items())
        for file, content in files.items():
            assert hashlib.sha256((ROOT / file).read_bytes()).hexdigest() == content, file


def test_each_says_what_it_is_of(bills):
    version = (ROOT / "VERSION").read_text().strip()
    for name, bill in bills.items():
        subject = bill["metadata"]["component"]
        called = f"runnel-{name}" if name in PRODUCTS else "runnel"
        assert (subject["name"], subject["version"]) == (called, version)
        assert subject["licenses"] == [{"expression": "Apache-2.0 OR MIT"}]


@pytest.mark.parametrize("name", sorted(PINS))
def test_python_packages_are_those_that_are_pinned(bills, name):
    """Each with its version and the hashes of all its files: nothing is pinned without a bill."""
    found = {(each["name"], each["version"]): each for each in bills[name]["components"]}
    expected = {}
    for word in PINS[name].read_text().replace("\\\n", " ").splitlines():
        if pin := re.match(r"([\w.-]+)==(\S+)", word):
            expected[pin.groups()] = sorted(re.findall(r"--hash=sha256:(\w+)", word))
    assert expected and all(expected.values())
    assert {
        pin: sorted(h["content"] for h in each["externalReferences"][0]["hashes"]) for pin, each in found.items()
    } == expected


def test_python_packages_say_what_needs_them(bills):
    for name, user, used in (
        ("python", "", "click"),
        ("tools-build", "scikit-build-core", "pathspec"),
        ("tools-wheels", "scikit-build-core", "pathspec"),  # which its file names build.txt for too
        ("tools-zig", "", "ziglang"),
    ):
        found, bill = packages(bills[name]), bills[name]
        needs = {each["ref"]: each.get("dependsOn", []) for each in bill["dependencies"]}
        needing = found[user] if user else bill["metadata"]["component"]
        assert found[used]["bom-ref"] in needs[needing["bom-ref"]], (name, used)


def test_products_say_what_they_need(bills):
    """This version of runnel; of others what is pinned, with hashes, as far as it is."""
    version = (ROOT / "VERSION").read_text().strip()
    assert all(packages(bills[name])["runnel"]["version"] == version for name in PRODUCTS)
    store, gpu = (packages(bills[name]) for name in ("store", "gpu"))
    assert all(store[name]["externalReferences"][0]["hashes"] for name in ("obstore", "botocore", "click", "urllib3"))
    assert all(
        gpu[name]["externalReferences"][0]["hashes"] for name in ("cuda-core", "cuda-bindings", "nvidia-cuda-nvrtc")
    )
    assert packages(bills["lab"]).keys() == {"click", "runnel"}


def test_crates_are_those_that_are_locked(bills):
    found = packages(bills["rust"])
    locked = tomllib.loads((ROOT / "packaging" / "rust" / "Cargo.lock").read_text())["package"]
    checksums = {(each["name"], each["version"]): each.get("checksum") for each in locked}
    assert {"aead", "cc", "cipher", "zeroize", "runnel-sys"} <= found.keys() and "aes" not in found
    for name, each in found.items():
        expected = checksums[name, each["version"]]
        given = each["externalReferences"][0]["hashes"][0]["content"] if expected else None
        assert given == expected and (expected or name == "runnel-sys")


def test_other_packages_need_nothing_that_is_named(bills):
    assert packages(bills["library"]) == packages(bills["javascript"]) == {}
    assert packages(bills["debian"]).keys() == {"python3-click"}


MANIFESTS = ("pyproject.toml", "packaging/rust/runnel/Cargo.toml", "packaging/rust/runnel-sys/Cargo.toml")
MANIFESTS += ("packaging/javascript/package.json", "packaging/debian/debian/control")
MANIFESTS += tuple(f"{product}/pyproject.toml" for product in sorted(PRODUCTS))


def declared(root: Path) -> dict[str, set[str]]:
    """Return by bill what our packages say that they need, of others."""
    python, *crates, npm, debian, gpu, lab, store = ((root / name).read_text() for name in MANIFESTS)
    found = {name: set() for name in PACKAGES}
    found["python"] |= {re.match(r"[\w.-]+", each)[0] for each in tomllib.loads(python)["project"]["dependencies"]}
    for product, text in (("gpu", gpu), ("lab", lab), ("store", store)):
        fields = {each["field"]: each.get("result") for each in tomllib.loads(text)["tool"]["dynamic-metadata"]}
        found[product] |= {re.match(r"[\w.-]+", each)[0] for each in fields["dependencies"]}
    for crate in map(tomllib.loads, crates):
        found["rust"] |= crate.get("dependencies", {}).keys() | crate.get("build-dependencies", {}).keys()
    for kind in ("dependencies", "optionalDependencies", "peerDependencies", "bundleDependencies"):
        found["javascript"] |= set(json.loads(npm).get(kind, ()))
    ours = set(re.findall(r"^Package: (\S+)", debian, re.M))
    for line in re.findall(r"^(?:Pre-)?Depends: (.*)", re.sub(r"\n[ \t]+", " ", debian), re.M):
        names = {each.split()[0] for each in re.split(r"[,|]", line)}
        found["debian"] |= {each for each in names if not each.startswith("${")} - ours
    return found


def without_bill(root: Path, bills: dict[str, dict]) -> set[tuple[str, str]]:
    return {(bill, name) for bill, names in declared(root).items() for name in names - packages(bills[bill]).keys()}


def test_what_packages_declare_is_in_their_bills(bills, tmp_path):
    """And a dependency that somebody adds and no bill has is found."""
    assert without_bill(ROOT, bills) == set()
    assert {name for name, names in declared(ROOT).items() if names} == {"debian", "python", "rust", *PRODUCTS}
    added = (
        ("dependencies = [", 'dependencies = ["newcomer>=1", '),
        ("[dependencies]\n", '[dependencies]\nnewcomer = "1"\n'),
        ("[build-dependencies]\n", '[build-dependencies]\nbuilder = "1"\n'),
        ('"sideEffects"', '"dependencies": {"newcomer": "1"}, "sideEffects"'),
        ("Depends: python3-click", "Depends: libnewcomer1 | libother, python3-click"),
        *[('"runnel==', '"newcomer", "runnel==')] * len(PRODUCTS),
    )
    for name, (before, after) in zip(MANIFESTS, added):
        text = (ROOT / name).read_text()
        assert text.count(before) == 1, name
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text.replace(before, after))
    assert without_bill(tmp_path, bills) == {
        *[("python", "newcomer"), ("rust", "newcomer"), ("rust", "builder"), ("javascript", "newcomer")],
        *[("debian", "libnewcomer1"), ("debian", "libother")],
        *((product, "newcomer") for product in PRODUCTS),
    }


@pytest.mark.campaign
def test_the_same_sources_give_the_same_bytes(folder, tmp_path):
    again = written(tmp_path)
    for name in NAMES:
        assert (again / f"{name}.cdx.json").read_bytes() == (folder / f"{name}.cdx.json").read_bytes()
