# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Everything that this build can link is linked in every run of the tests, also what only a longer target runs."""

import re
import subprocess

from c_programs import BUILD, build


def ninja(*command: str) -> str:
    return subprocess.run(["ninja", "-C", BUILD, "-t", *command], check=True, text=True, capture_output=True).stdout


def test_all_that_can_be_linked_is():
    build(BUILD)
    linked = set(
        re.findall(r"^(\S+): \w+_(?:EXECUTABLE|SHARED_LIBRARY|MODULE_LIBRARY)_LINKER", ninja("targets", "all"), re.M)
    )
    editions = {name for name in linked if name.startswith(("plain/", "historic/"))}  # test_install.py installs them
    assert len(linked - editions) > 25
    commands = ninja("commands", "runnel_tests")
    not_linked = {name for name in linked - editions if f" -o {name} " not in commands}
    assert not_linked == {"tests/runnel-fuzz"}  # which test_fuzz.py builds with sanitizers
