# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Faults of other libraries, planted in ours, are seen, wherever names have changed; and what generates small faults in the
campaign finds those that no test sees."""

import keyword
import random
import re
import subprocess
import textwrap

import pytest
import selection
from c_programs import ROOT
from mutation import areas, incidents, operators, score, syntax
from mutation.trial import Checks, Verdict, tried
from skips import processor_has

FOLDERS = {str(folder.relative_to(ROOT)): folder.name for folder in selection.names_by_folder()}
INCIDENTS = [each for each in incidents.incidents().values() if each.runs]
C_WORDS = """auto break case char const continue default do double else enum extern float for goto if inline int long register
    restrict return short signed sizeof static struct switch typedef union unsigned void volatile while define undef include
    ifdef ifndef elif endif defined pragma NULL"""


def about(path: str) -> list[pytest.MarkDecorator]:
    """Return the cipher, MAC or AEAD whose folder the file is in."""
    folder = "/".join(path.split("/")[:3])
    return [pytest.mark.of(FOLDERS[folder])] if folder in FOLDERS else []


def parameters(listed: list) -> list:
    return [pytest.param(each, id=str(each), marks=about(each.file)) for each in listed]


def needed(incident: incidents.Incident) -> None:
    if lacking := incident.needs - processor_has():
        pytest.skip(f"this CPU lacks one of: {', '.join(sorted(lacking))}")


def way_of(incident: incidents.Incident) -> tuple[str, str]:
    """Return how its code is built and tried: the program or file of tests, and the top folder."""
    return incident.runs[0].split()[0].partition("::")[0], incident.file.partition("/")[0]


# The same runs see many of them. Each run also has its place among the other tests: a trial adds only the way to start it.
SOUND = list({(each.runs, each.programs, way_of(each)): each for each in INCIDENTS}.values())
FIRST_OF_A_WAY = {way_of(each): each for each in reversed(SOUND)}.values()


# A third of them in every run, every way of building and trying among these; all in the campaign.
@pytest.mark.slow
@pytest.mark.parametrize(
    "incident",
    [
        pytest.param(
            each,
            id=str(each),
            marks=[*about(each.file), *([] if i % 3 == 0 or each in FIRST_OF_A_WAY else [pytest.mark.campaign])],
        )
        for i, each in enumerate(INCIDENTS)
    ],
)
def test_incident_is_seen(incident):
    needed(incident)
    result = incident.result()
    assert result.verdict is Verdict.SEEN, result


@pytest.mark.slow
@pytest.mark.parametrize(
    "incident",
    [
        pytest.param(
            each, id=str(each), marks=[*about(each.file), *([] if each in FIRST_OF_A_WAY else [pytest.mark.campaign])]
        )
        for each in SOUND
    ],
)
def test_the_unbroken_code_survives(incident):
    """Or runs that fail wherever a fault is tried would see them all."""
    needed(incident)
    result = tried(incident.file, incident.tests, None)
    assert result.verdict is Verdict.SURVIVED, result


def renamed(text: str, kept: set[str]) -> str:
    """Return a text in which every name is another one, except those that are kept."""
    kept = kept | {*C_WORDS.split(), *keyword.kwlist}
    return re.sub(r"\b[A-Za-z_]\w*\b", lambda found: found[0] if found[0] in kept else f"{found[0]}_renamed", text)


@pytest.mark.parametrize("incident", parameters([*incidents.incidents().values()]))
def test_a_fault_stays_where_it_is_when_all_is_renamed(incident):
    text = (ROOT / incident.file).read_text(encoding="utf-8")
    kept = {*re.findall(r"\w+", incident.old)}
    language = syntax.language_of(ROOT / incident.file)
    there = syntax.find(text.encode(), language, incident.function, incident.old)
    elsewhere = syntax.find(renamed(text, kept).encode(), language, incident.function, incident.old)
    assert elsewhere.function == f"{there.function}_renamed".replace(".", "_renamed.")


# --- what generates faults --------------------------------------------------------------------------------------------

CODE = """
#include <stdint.h>
#define TWICE(x) ((x) + (x))
static int unused(int a) { return a; }
int watched(int n, int most)
{
    if (n > most) /* a limit */
        return -1;
#ifdef NOWHERE
    n += 7;
#endif
    return TWICE(n) + 0 * unused(n);
}
int unwatched(int n)
{
    return n * 3;
}
"""
MAIN = """
int watched(int, int);
int main(void) { return watched(9, 9) != 18 || watched(8, 9) != 16 || watched(10, 9) != -1; }
"""


def verdict_of(folder, mutant: operators.Mutant | None) -> Verdict:
    """Return trial.py's verdict for a program of two files."""
    calls = []
    for name, text in (
        ("as_it_is.c", CODE.encode()),
        ("code.c", mutant.applied(CODE.encode()) if mutant else CODE.encode()),
    ):
        (folder / "code.c").write_bytes(text)
        done = subprocess.run(["cc", "-O2", "-w", "-c", "code.c", "-o", f"{name}.o"], cwd=folder, capture_output=True)
        if done.returncode:
            return Verdict.NO_PROGRAM
        calls.append((folder / f"{name}.o").read_bytes())
    if mutant and calls[0] == calls[1]:
        return Verdict.SAME
    (folder / "main.c").write_text(MAIN)
    subprocess.run(["cc", "-w", "main.c", "code.c.o", "-o", "program"], cwd=folder, check=True)
    return Verdict.SEEN if subprocess.run([folder / "program"]).returncode else Verdict.SURVIVED


def test_generated_faults_get_a_verdict(tmp_path):
    """Those that a program's test sees, those in a function that it does not call, and those that change nothing."""
    assert verdict_of(tmp_path, None) is Verdict.SURVIVED
    found = {
        f"{each.function}: {each.what}": verdict_of(tmp_path, each) for each in operators.mutants("x.c", CODE.encode())
    }
    assert found["watched: > becomes >= in n > most"] is Verdict.SEEN
    assert found["watched: return -1; is left out"] is Verdict.SEEN
    assert found["TWICE: + becomes - in (x) + (x)"] is Verdict.SEEN
    assert found["watched: n += 7; is left out"] is Verdict.SAME
    assert found["unwatched: * becomes + in n * 3"] is Verdict.SURVIVED
    assert found["unwatched: 3 becomes 4"] is Verdict.SURVIVED
    assert {what for what, verdict in found.items() if verdict is Verdict.SURVIVED} <= {
        *(what for what in found if what.startswith("unwatched: ")), "watched: 0 becomes 1"
    }  # fmt: skip


PYTHON = '''
class Reader:
    def ends(self, at: int | None, size: int = 4) -> bool:
        """Whether it ends."""
        if at is None or not size:
            raise ValueError(at)
        self.at = min(at, size)
        return at >= size
'''


def test_generated_faults_of_python():
    what = {each.what for each in operators.mutants("x.py", PYTHON.encode())}
    assert {each.function for each in operators.mutants("x.py", PYTHON.encode())} == {"Reader.ends"}
    assert what == {
        "4 becomes 5", "at is None or not size is turned round", "or becomes and in at is None or not size",
        "is becomes is not in at is None", "not size loses its sign", "raise ValueError(at) is left out",
        "self.at = min(at, size) is left out", "at and size change places", ">= becomes > in at >= size",
    }  # fmt: skip
    for each in operators.mutants("x.py", PYTHON.encode()):
        compile(each.applied(PYTHON.encode()), "x.py", "exec")


def area_file(path: str) -> areas.File:
    return next(file for file in areas.files() if file.path == path)


@pytest.mark.slow
def test_generated_faults_are_seen_and_listed():
    """A few of one small file of the core; and of the same file, with a run that has nothing to do with it."""
    path = "src/core/encrypt_decrypt.c"
    file = areas.File("core", path, Checks(("runnel-properties all --cipher hight-cfb --scale 400",)))
    chosen = random.Random(1).sample(file.mutants(), 6)
    limits = score.Limits()
    limits.measure(file)
    result = score.Score()
    for outcome in score.outcomes([(file, each) for each in chosen], limits):
        result.add(outcome)
    assert limits.wrong == [] and result.by_area["core"][Verdict.SEEN] >= 3
    blind = areas.File("core", file.path, Checks(("runnel-vectors src/ciphers/grain128/vectors.txt",)))
    limits.measure(blind)
    for outcome in score.outcomes([(blind, each) for each in chosen[:2]], limits):
        result.add(outcome)
    assert result.survivors and all(any(each.what in line for line in result.lines()) for each in result.survivors)


def test_every_area_is_tried_by_something():
    assert {"core", "modes", "sealed files", "stores"} <= set(areas.names())
    for file in areas.files():
        assert all(run for run in file.tests.runs)
        for run in file.tests.runs:
            for test in re.findall(r"(?:\w+/)?tests/test_\w+\.py", run):
                assert (ROOT / test).exists(), run


def test_what_is_to_be_scored_has_an_area():
    """Find an area for every file of core, modes and the package, of C those that hosts compile."""
    listed = {file.path for file in areas.files()}
    scored = [*(ROOT / "src" / "core").glob("*.[ch]"), *(ROOT / "src" / "modes").glob("*.h")]
    scored += [*(ROOT / "src" / "modes").glob("*/*.[ch]"), *(ROOT / "python" / "runnel").rglob("*.py")]
    names = {str(path.relative_to(ROOT)) for path in scored}
    assert sorted(names - listed) == []


@pytest.mark.campaign  # what is rewritten may have other faults: the score is the campaign's
def test_faults_that_no_test_can_see_are_there():
    for path in {path for path, *_ in areas.equivalents()}:
        there = {areas.key_of(each) for each in area_file(path).mutants()}
        assert [each for each in areas.equivalents() if each[0] == path and each not in there] == []


def test_patterns():
    code = textwrap.dedent("""
        static int f(const char *s, int n)
        {
            if (n == 0) { /* nothing */
                log(s, n, 1);
                return 0;
            }
            log(n, s);
            return g(s)[n + 1];
        }
    """).encode()
    c = syntax.c()
    assert b"if (n < 1) return 0;" in syntax.patched(
        code, c, "f", "if ($n == 0) { $log($$all); return 0; }", "if ($n < 1) return 0;"
    )
    assert b"return g(s)[n];" in syntax.patched(code, c, "called otherwise", "$a[$n + 1]", "$a[$n]")
    for nowhere in ("$log($s, $s)", "$log($$all);", "$n == 1"):
        with pytest.raises(syntax.NotFound):
            syntax.find(code, c, "f", nowhere)


@pytest.mark.slow
def test_what_is_no_program_or_the_same_is_told():
    tests = Checks(("runnel-properties dispatch",))
    result = tried("src/core/choose.c", tests, lambda text: text + b"int")
    assert result.verdict is Verdict.NO_PROGRAM
    assert tried("src/core/choose.c", tests, lambda text: text + b"\n/* */").verdict is Verdict.SAME


@pytest.mark.slow
def test_what_does_not_end_is_seen():
    run = "runnel-properties dispatch"
    result = tried("src/core/choose.c", Checks((run,)), lambda text: text + b"\nint runnel_more = 1;\n", {run: 0.001})
    assert result.verdict is Verdict.SEEN and "did not end" in result.by
