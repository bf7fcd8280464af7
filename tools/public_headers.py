# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The text of a public header with the prototypes that it takes from include/runnel/verbs written out, as CMakeLists.txt
installs it."""

from __future__ import annotations

import re
from pathlib import Path

VERBS = Path(__file__).resolve().parent.parent / "include" / "runnel" / "verbs"
_FAMILY = re.compile(
    r"#define RUNNEL_FAMILY\(verb\) (\w+)##verb\n((?:#include <runnel/verbs/\w+\.h>\n)+)#undef RUNNEL_FAMILY\n"
)


def text_of(path: Path) -> str:
    return _FAMILY.sub(_declared, path.read_text(encoding="utf-8"))


def _declared(use: re.Match[str]) -> str:
    family, includes = use.groups()
    bodies = []
    for name in re.findall(r"\w+\.h", includes):
        _, _, body = (VERBS / name).read_text(encoding="utf-8").partition("\n\n")
        bodies.append(re.sub(r"RUNNEL_FAMILY\((\w*)\)", rf"{family}\1", body.replace("RUNNEL_CONTEXT", family)))
    return "".join(bodies)
