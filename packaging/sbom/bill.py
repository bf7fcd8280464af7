# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The contents of the C library and of the packages for Python (runnel and the products on top of it), Rust, npm and
Debian: a bill of materials in CycloneDX's JSON for each, of our own sources and of what it needs when it runs, with versions
and hashes from the files that pin them. And a bill of the tools for each environment of pip's in which packages are built
and checked. The same bytes for the same sources.

bill.py FOLDER: writes one file for each into the folder."""

from __future__ import annotations

import email.utils
import hashlib
import re
import sys
import tomllib
import uuid
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path

from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, Property, XsUri
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

ROOT = Path(__file__).resolve().parent.parent.parent
LICENCE = "Apache-2.0 OR MIT"
SPACE = uuid.UUID("6f0a1f0e-6c1b-5d5c-9d0e-2f6f1d1a3b77")
"""Of the bills' serial numbers, which follow from the contents."""
# Patterns of what is in a package, and behind ! the beginning of what is not.
ALL = ("include/**/*", "src/**/*")
LIBRARY = (*ALL, "!src/historic/")
"""As `make install` has it."""
SINGLE = (*LIBRARY, "!src/srtp/", "!include/runnel/srtp.h")
"""The output of tools/amalgamate for all families."""
PYTHON = (*LIBRARY, "python/**/*")
STORE = ("store/runnel_store/**/*",)
GPU = ("gpu/runnel_gpu/**/*",)
LAB = (*LIBRARY, "lab/runnel_lab/**/*", "lab/engine/*.[ch]", "lab/engine/peers/*.[ch]")
"""With the measuring engine, and the library that is linked into it."""
DEBIAN = (*PYTHON, "integrations/openssl/*")
RUST = (*SINGLE, "packaging/rust/runnel/**/*", "packaging/rust/runnel-sys/**/*")
JAVASCRIPT = (*SINGLE, "packaging/javascript/*.[jt]s", "packaging/javascript/module/*")
SOURCES = {".c", ".h", ".S", ".inc", ".cu", ".cuh", ".py", ".pyi", ".rs", ".js", ".ts"}
TOOLS = [ROOT / "requirements" / f"{name}.txt" for name in ("build", "site")]
TOOLS += sorted((ROOT / "packaging").glob("*/requirements.txt"))


def version() -> str:
    return (ROOT / "VERSION").read_text().strip()


def date() -> datetime:
    """Return the date of the newest entry of Debian's changelog, which every version has."""
    line = re.search(r"^ -- .*>  (.*)$", (ROOT / "packaging/debian/debian/changelog").read_text(), re.MULTILINE)
    assert line is not None
    return email.utils.parsedate_to_datetime(line[1])


def sources(patterns: Iterable[str]) -> list[Component]:
    """Files of ours; kernels of papers, which no package has, stay out."""
    found = []
    chosen = [each for each in patterns if not each.startswith("!")]
    without = tuple(each[1:] for each in patterns if each.startswith("!"))
    for path in sorted(path for pattern in chosen for path in ROOT.glob(pattern) if path.is_file()):
        name = path.relative_to(ROOT)
        if path.suffix in SOURCES and "papers" not in name.parts and not str(name).startswith(without):
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            found.append(
                Component(
                    type=ComponentType.FILE,
                    name=str(name),
                    bom_ref=f"file:{name}",
                    hashes=[HashType(alg=HashAlgorithm.SHA_256, content=content)],
                )
            )
    return found


def needed(kind: str, name: str, exact: str | None, hashes: Iterable[str] = (), asked: str = "") -> Component:
    """Return a package of others. exact: its version where one is pinned; asked: what of it will do."""
    namespace = "debian" if kind == "deb" else None
    purl = PackageURL(type=kind, namespace=namespace, name=name, version=exact)
    files = [HashType(alg=HashAlgorithm.SHA_256, content=each) for each in sorted(hashes)]
    # Each hash is that of one file of the release: a wheel for one system, or the source.
    release = ExternalReference(type=ExternalReferenceType.DISTRIBUTION, url=XsUri(str(purl)), hashes=files)
    return Component(
        type=ComponentType.LIBRARY,
        name=name,
        version=exact,
        purl=purl,
        bom_ref=str(purl),
        external_references=[release] if files else [],
        properties=[Property(name="runnel:accepts", value=asked)] if asked else [],
    )


def pinned(file: Path, wanted: Mapping[str, str] = {}) -> tuple[list[Component], dict[str, list[str]]]:
    """Return the packages that a file of pip's pins, and what each is there for; "-r runtime.in" is ourselves.
    wanted: what of each will do."""
    found, users = [], {}
    for block in re.findall(r"^[\w.-]+==.*(?:\n +.*)*", file.read_text(), re.MULTILINE):
        name, exact = re.match(r"([\w.-]+)==([\w.]+)", block).groups()  # type: ignore[union-attr, misc]
        found.append(needed("pypi", name, exact, re.findall(r"sha256:(\w+)", block), wanted.get(name, "")))
        via = re.findall(r"# via (.*)$", block, re.MULTILINE)[0].split(", ")
        users[name] = [each for each in via if not each.startswith("-c ")]
    return found, users


def python_needs() -> tuple[list[Component], dict[str, list[str]]]:
    wanted = dict(
        re.match(r"([\w.-]+)(.*)", each).groups()  # type: ignore[union-attr, misc]
        for each in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    )
    return pinned(ROOT / "requirements" / "runtime.txt", wanted)


def product_needs(product: str, *pins: str, extra: str = "") -> tuple[list[Component], dict[str, list[str]]]:
    """Return what a product and one of its extras require: runnel, and each requirement that a file of pins has with its
    hashes."""
    metadata = tomllib.loads((ROOT / product / "pyproject.toml").read_text())["tool"]["dynamic-metadata"]
    fields = {each["field"]: each["result"] for each in metadata if "result" in each}
    declared = fields["dependencies"] + (fields["optional-dependencies"][extra] if extra else [])
    wanted = dict(re.match(r"([\w.-]+)(.*)", each).groups() for each in declared)  # type: ignore[union-attr, misc]
    del wanted["runnel"]
    found, users = [needed("pypi", "runnel", version())], {"runnel": [""]}
    for name in pins:
        more, via = pinned(ROOT / "requirements" / f"{name}.txt", wanted)
        found, users = found + more, users | via
    for name in wanted.keys() - users.keys():
        found.append(needed("pypi", name, None, asked=wanted[name]))
        users[name] = [""]
    return sorted(found, key=lambda each: each.name), users


def rust_needs() -> tuple[list[Component], dict[str, list[str]]]:
    """Crates that the crate `runnel` is built with, and those that they may bring, as Cargo.lock has them."""
    home = ROOT / "packaging" / "rust"
    locked = {each["name"]: each for each in tomllib.loads((home / "Cargo.lock").read_text())["package"]}
    users: dict[str, list[str]] = {}
    todo = [(name, "") for name in tomllib.loads((home / "runnel/Cargo.toml").read_text())["dependencies"]]
    while todo:
        name, user = todo.pop()
        if name not in users:
            todo += [(each.split()[0], name) for each in locked[name].get("dependencies", [])]
        users.setdefault(name, []).append(user)
    found = [
        needed("cargo", name, locked[name]["version"], [locked[name]["checksum"]] if "checksum" in locked[name] else [])
        for name in sorted(users)
    ]
    return found, users


def debian_needs() -> tuple[list[Component], dict[str, list[str]]]:
    """Packages of Debian's that ours name; shared libraries that the build finds are named by it (${shlibs:Depends})."""
    text = re.sub(r"\n[ \t]+", " ", (ROOT / "packaging/debian/debian/control").read_text())
    asked = dict(
        re.findall(r"\b(python3-(?!runnel)[\w-]+) \((.*?)\)", "\n".join(re.findall(r"^Depends:.*", text, re.M)))
    )
    return [needed("deb", name, None, asked=rule) for name, rule in sorted(asked.items())], {n: [""] for n in asked}


def bill(
    name: str,
    kind: str,
    files: Iterable[str],
    needs: tuple[list[Component], dict[str, list[str]]],
    package: str = "runnel",
) -> Bom:
    """needs: packages, and for each the names of those that need it; what is no package is the bill's own subject."""
    purl = PackageURL(type=kind, namespace="debian" if kind == "deb" else None, name=package, version=version())
    subject = Component(
        type=ComponentType.LIBRARY,
        name=package,
        version=version(),
        purl=purl,
        bom_ref=str(purl),
        description=name,
        licenses=[LicenseExpression(LICENCE)],
        components=sources(files),
    )
    components, users = needs
    result = Bom(components=components)
    result.metadata.component = subject
    result.metadata.timestamp = date()
    by_name = {each.name: each for each in components}
    for each in components:
        for user in users[each.name]:
            result.register_dependency(by_name.get(user, subject), [each])
    everything = [*subject.components, *components]
    contents = "\n".join(sorted(f"{each.bom_ref} {[h.content for h in each.hashes]}" for each in everything))
    result.serial_number = uuid.uuid5(SPACE, f"{purl}\n{contents}")
    return result


NOTHING: tuple[list[Component], dict[str, list[str]]] = ([], {})


def bills() -> dict[str, Bom]:
    """Return the bills by the name of the file."""
    tools = {
        f"tools-{name}.cdx.json": bill(f"tools of pip's: {name}", "generic", (), pinned(file))
        for file in TOOLS
        for name in [file.parent.name if file.stem == "requirements" else file.stem]
    }
    return tools | {
        "library.cdx.json": bill("the C library", "generic", LIBRARY, NOTHING),
        "python.cdx.json": bill("the Python package", "pypi", PYTHON, python_needs()),
        "store.cdx.json": bill(
            "the Python package for stores", "pypi", STORE, product_needs("store", "runtime", "store"), "runnel-store"
        ),
        "gpu.cdx.json": bill(
            "the Python package for GPUs", "pypi", GPU, product_needs("gpu", "gpu", extra="cu13"), "runnel-gpu"
        ),
        "lab.cdx.json": bill("the lab", "pypi", LAB, product_needs("lab", "runtime"), "runnel-lab"),
        "rust.cdx.json": bill("the crates runnel and runnel-sys", "cargo", RUST, rust_needs()),
        "javascript.cdx.json": bill("the npm package", "npm", JAVASCRIPT, NOTHING),
        "debian.cdx.json": bill("the Debian packages", "deb", DEBIAN, debian_needs()),
    }


def main(folder: Path) -> None:
    for name, each in bills().items():
        (folder / name).write_text(JsonV1Dot6(each).output_as_string(indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
