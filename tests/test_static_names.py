# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Names at file scope in src/ begin with runnel_ or with the prefix of its folder, so that the single file of
tools/amalgamate includes files and needs to know no C."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import amalgamation

SRC = ROOT / "src"
FILES = sorted(path for path in SRC.rglob("*.[ch]") if "srtp" not in path.parts)


BEFORE = r"^(?:[A-Z]\w*(?:\([^()\n]*\))? )*(?:(?:static|inline|const|struct|unsigned|volatile) )*"
NAMED = [
    re.compile(BEFORE + r"(?!return|else)\w+[ *]+(?:RUNNEL_\w+ )*(\w+)\(", re.MULTILINE),
    re.compile(BEFORE + r"\w+[ *]+(\w+)(?:\[[^\]\n]*\])*(?: RUNNEL_\w+)?(?: = |;)", re.MULTILINE),
    re.compile(r"^\} (\w+);", re.MULTILINE),
    re.compile(r"^typedef [^{}();]*?(\w+)(?: __attribute__\(.*\))?;", re.MULTILINE),
    re.compile(r"^(?:typedef )?(?:struct|union|enum) (\w+) \{", re.MULTILINE),
    re.compile(r"^enum \{ (\w+)", re.MULTILINE),
]
"""Functions, data, types and the first of some constants, in C that is laid out as .clang-format says."""


def names(text: str) -> set[str]:
    code = re.sub(r"/\*.*?\*/|^#.*?(?<!\\)\n", "", text, flags=re.DOTALL | re.MULTILINE)
    found = {name for pattern in NAMED for name in pattern.findall(code) if not name.startswith("__")}
    return found - {name for name in NAMED[0].findall(code) if name.isupper()}  # of macros


def others(path: Path, text: str) -> set[str]:
    """List names that begin otherwise, and are not those of the folder or of a family of it. A template of another folder may
    ask for a name that begins with that one's."""
    asking = re.findall(r'#include "\w+/(\w+)/', text)
    own = re.compile(rf"(?:{'|'.join(['runnel', *amalgamation.prefixes_of(path), *asking])})(?:_|$)", re.IGNORECASE)
    folder = amalgamation.folders().get(amalgamation.folder_of(path))
    families = {folder.name, *folder.families} if folder else set()
    return {name for name in names(text) if not own.match(name)} - families


def test_names_at_file_scope_have_their_folders_prefix():
    found = {str(path.relative_to(SRC)): sorted(others(path, path.read_text())) for path in FILES}
    assert len(FILES) > 500 and sum(len(names(path.read_text())) for path in FILES) > 1500
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize(
    "line, name",
    [
        ("static void rounds(void)\n{\n}", "rounds"),
        ("INLINE __m128i rounds(const uint8_t *p)\n{\n    return *p;\n}", "rounds"),
        ("static const int table[2] = {1, 2};", "table"),
        ("typedef struct state {\n    int x;\n} state;", "state"),
        ("typedef uint32_t vec __attribute__((vector_size(16)));", "vec"),
        ("enum kind { LEA_ONE };", "kind"),
    ],
)
def test_one_without_it_is_found(line, name):
    path = SRC / "ciphers" / "lea" / "portable.c"
    assert others(path, f"static int lea_one(void)\n{{\n    return 1;\n}}\n\n{line}\n") == {name}
