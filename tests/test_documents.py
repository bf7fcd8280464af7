# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Documents are written by hand, and true: links lead somewhere, names are those of the sources, READMEs of ciphers have one
shape and every kernel. What is generated, README's chart and the chooser's data, is what the results say now."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "site"), str(ROOT / "tools")]
import documents
import file_formats
import generated
import headline
import inventory
import runnel
from figures import folders
from figures.ciphers import belongs

READMES = sorted(ROOT.glob("src/*/*/README.md"))
SECTIONS = ["What it is", "When to use it", "Kernels", "Vectors and figures"]
KEPT = subprocess.run(
    ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"],
    capture_output=True,
    text=True,
    check=False,
).stdout.split("\0")[:-1]
DOCUMENTS = [ROOT / name for name in KEPT if (ROOT / name).exists()] or sorted(ROOT.glob("[!.b]*/**/*.md"))
PAGES = [ROOT / name for name in KEPT if (ROOT / name).exists() and not name.startswith("site/pages/")] or sorted(
    ROOT.glob("[!.b]*/**/*.md")
)
"""The site's own pages link to each other as they lie there: `make site` refuses one that leads nowhere."""


@pytest.mark.parametrize("place", documents.PLACES, ids=lambda place: place.name)
def test_what_is_generated_is_fresh(place):
    assert place.now() == place.wanted(), "run `make tables`"


def test_stale_text_is_named(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- x: begin -->\nold\n<!-- x: end -->\nafter\n")
    monkeypatch.setattr(generated, "ROOT", tmp_path)
    place = generated.Place(page, "x", lambda: "new")
    assert generated.stale([place]) == ["page.md, x"]
    place.write()
    assert generated.stale([place]) == []
    assert page.read_text() == "before\n<!-- x: begin -->\nnew\n<!-- x: end -->\nafter\n"


def test_a_page_without_markers_is_refused(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("<!-- x: begin -->\nold\n")
    with pytest.raises(ValueError, match="no markers for x"):
        generated.Place(page, "x", lambda: "new").write()
    assert page.read_text() == "<!-- x: begin -->\nold\n"


@pytest.mark.parametrize("readme", READMES, ids=lambda readme: readme.parent.name)
def test_readmes_of_ciphers_have_one_shape(readme):
    first, second, *_ = lines = readme.read_text().splitlines()
    assert first.startswith("<!-- SPDX-License-Identifier:") and second.startswith("# ")
    assert [line.removeprefix("## ") for line in lines if line.startswith("## ")] == SECTIONS
    assert len(lines) <= 60


@pytest.mark.parametrize("readme", READMES, ids=lambda readme: readme.parent.name)
def test_readmes_name_every_kernel(readme):
    if (readme.parent / "kernels.inc").exists():
        section = readme.read_text().partition("## Kernels\n")[2].partition("\n## ")[0]
        named = set(re.findall(r"`([a-z0-9-]+)`", section))
        listed = inventory.load(ROOT).of(str(readme.parent.relative_to(ROOT / "src")))
        assert {kernel.name for kernel in listed} <= named


def test_nothing_else_is_generated_into_documents():
    marked = {page: re.findall(r"^<!-- (\w+): begin -->$", page.read_text(), re.MULTILINE) for page in DOCUMENTS}
    assert {page: marks for page, marks in marked.items() if marks} == {ROOT / "README.md": ["chart"]}


def test_every_cipher_has_a_folder_and_every_folder_a_readme():
    there = {
        path for kind in ("ciphers", "historic", "macs") for path in (ROOT / "src" / kind).iterdir() if path.is_dir()
    }
    assert there <= set(folders())
    ciphers = {belongs(name) for name in runnel.ciphers()}
    assert {folder for folder in there if folder.parent.name != "macs"} <= ciphers


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    targets = [target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text)]
    local = [target for target in targets if target and "://" not in target and not target.startswith("mailto:")]
    assert [target for target in local if not (page.parent / target).exists()] == []


def words(pattern: str, *places: str) -> set[str]:
    """Return the names in what the pattern finds, of the sources in these places."""
    found = [
        text for place in places for file in ROOT.glob(place) for text in re.findall(pattern, file.read_text(), re.M)
    ]
    return {word for text in found for word in re.findall(r"\bRUNNEL_\w+", text)}


@pytest.fixture(scope="module")
def knobs() -> set[str]:
    """Return what a build asks about: the preprocessor, CMake."""
    asked = words(r"^# *(?:if|elif).*", "include/**/*.h", "src/**/*.[chS]", "src/**/*.inc", "integrations/**/*.[ch]")
    return asked | words(r".*", "CMakeLists.txt", "*/CMakeLists.txt", "cmake/*.*")


@pytest.fixture(scope="module")
def names() -> set[str]:
    """Return every word of ours outside documents."""
    kinds = ("c", "h", "S", "inc", "py", "rs", "mk", "in", "cmake", "toml", "js")
    places = [
        f"{place}/**/*.{kind}"
        for place in ("include", "integrations", "lab", "packaging", "python", "src", "tests")
        for kind in kinds
    ]
    return words(r".*", *places, "Makefile", "CMakeLists.txt", "cmake/*.*", "tools/*.py")


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: str(page.relative_to(ROOT)))
def test_names_in_documents_are_those_of_the_sources(page, knobs, names):
    """And what a build sets with -D is asked about. NAME stands for any folder."""
    text = page.read_text()
    assert {word for word in re.findall(r"\bRUNNEL_[A-Z0-9_]+\b", text) if "NAME" not in word} <= names
    assert {word for word in re.findall(r"-D *(RUNNEL_\w+)", text) if "NAME" not in word} <= knobs


def test_losses_come_first_and_have_a_reason(monkeypatch):
    """In the chart and in the table of what a library does faster."""
    chart = headline.newest_chart()
    assert [line.times for line in chart.lines] == sorted(line.times for line in chart.lines)
    assert {line.cipher for line in chart.lines} == set(headline.chart.CIPHERS)
    assert headline.reason("hc-128", ("message", 16), "Crypto++ 8.7", 0.73).startswith("constant time")
    assert headline.reason("no-cipher", ("message", 16384), "OpenSSL 3", 0.99) == "within what repeats"
    assert headline.reason("no-cipher", ("message", 16384), "OpenSSL 3", 0.5) == "not explained"
    worst = [float(re.search(r"\d\.\d\d", row)[0]) for row in headline.slower().splitlines() if row.startswith("| `")]
    assert worst[0] == min(worst)


def test_programs_for_files_that_are_faster_come_first_with_a_reason():
    def seconds(encrypt: float, decrypt: float) -> dict[str, list[float]]:
        return {"encrypt": [encrypt, encrypt], "decrypt": [decrypt, decrypt]}

    ours = {f"runnel {template}": seconds(1, 1) for template in file_formats.SHOWN}
    others = {
        "pyca cobblestone-256": seconds(0.5, 2),
        "Tink AES256_GCM_HKDF_1MB": seconds(2, 2),
        "age 1": seconds(9, 0.99),
    }
    found = file_formats.faster({"1": ours | others, "2": ours | others | {"age 1": seconds(9, 9)}})
    what = "encrypt, ns/B 0.50; encrypt, GB/s, one core 0.50; encrypt, GB/s, 2 cores 0.50"
    assert found[0] == ["`cobblestone-256`", what, "pyca cobblestone-256", file_formats.WHY["pyca"]]
    rest = [["decrypt, ns/B 0.99; decrypt, GB/s, one core 0.99", "age 1", "within what repeats"]] * len(
        file_formats.SHOWN
    )
    assert [row[1:] for row in found[1:]] == rest
    text = file_formats.document()
    assert "1 runs" not in text and headline.NOT_EXPLAINED not in text
    assert text.index("| pyca cobblestone-256 |") < text.index("| `cobblestone-256` | 0")


def test_what_is_recorded_of_files_is_not_exchanged_for_a_part(monkeypatch, capsys):
    def measures(*_: object) -> None:
        raise AssertionError("it measures")

    monkeypatch.setattr(file_formats.encrypt_file, "make_plaintext", measures)
    monkeypatch.setattr(sys, "argv", ["file_formats.py", "--only", "age", "--write"])
    with pytest.raises(SystemExit):
        file_formats.main()
    assert "--write keeps all programs" in capsys.readouterr().err


def test_a_file_that_others_write_to_a_disk_faster_is_named(tmp_path):
    file = tmp_path / "encrypt_file.json"
    assert headline.slower_on_disk(tmp_path) == []
    seconds = {"with_fsync": 4.0, "without_fsync": 1.0, "tink": 3.0}
    file.write_text(json.dumps({"mib": 7, "disk_seconds": seconds}))
    [sentence] = headline.slower_on_disk(tmp_path)
    assert "0.75 times" in sentence and "4.00 s to 3.00 s" in sentence and "without waiting it takes 1.00 s" in sentence
    file.write_text(json.dumps({"mib": 7, "disk_seconds": seconds | {"tink": 4.5}}))
    assert headline.slower_on_disk(tmp_path) == []


def test_the_highest_figures_known_are_beside_ours():
    """Newer libraries than the machine's count in the chart too; where they are faster, the reason is given."""
    chart = headline.newest_chart()
    runs = [headline.tables.load(folder / "speed.json") for folder in headline.tables.newest_first()]
    result = next(run for run in runs if run["machine"] == chart.machine)
    known = headline.newest.best(result, headline.CELL)
    assert all(line.times <= known[line.cipher].times for line in chart.lines if line.cipher in known)
    assert any(run["machine"].get("newest") for run in runs) or known, (
        "nothing newer than Debian's was measured anywhere"
    )
    for folder in headline.tables.newest_first():
        found = headline.newest.recorded(headline.tables.load(folder / "speed.json"))
        assert [each for each in found if each.times < headline.REPEATS and not each.why] == []
    rows = [row.split(" | ") for row in headline.newer().partition("\n\n**")[0].splitlines() if row.startswith("| `")]
    times = [float(row[-1].rstrip(" |")) for row in rows]
    assert times == sorted(times) and times
