# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Manual pages: one for each command and each C interface, which man and mandoc read without a complaint."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("RUNNEL_BUILD_DIR", ROOT / "build"))
sys.path.insert(0, str(ROOT / "cmake"))
import manual

PAGES = {page.name: page for page in sorted((BUILD / "man").glob("man?/*"))}


def shown(name: str) -> str:
    """Return a page as man shows it, without what it overstrikes."""
    command = ["man", "-l", "-E", "UTF-8", PAGES[name]]
    environment = {**os.environ, "MANWIDTH": "200", "LC_ALL": "C.UTF-8", "MAN_KEEP_FORMATTING": ""}
    text = subprocess.run(
        command, cwd=BUILD / "man", check=True, capture_output=True, text=True, env=environment
    ).stdout
    return " ".join(re.sub(r".\x08|\x1b\[[0-9;]*m", "", text).split())


def test_a_command_has_its_summary_usage_options_and_example():
    text = shown("runnel-encrypt.1")
    assert text.index("NAME runnel-encrypt - encrypt ") < text.index("SYNOPSIS runnel encrypt [OPTIONS]")
    assert text.index("OPTIONS") < text.index("--aad") < text.index("EXAMPLES") < text.index("runnel encrypt --key")
    assert "runnel-key-export(1)" in shown("runnel-key.1")


def test_every_command_has_a_page():
    source = (ROOT / "docs" / "runnel.1").read_text()
    names = {name.replace(" ", "-").lower() for name in re.findall(r"^\.SH (RUNNEL .*)$", source, re.MULTILINE)}
    assert len(names) > 30 and {f"{name}.1" for name in names} | {"runnel.1"} == {p for p in PAGES if p.endswith(".1")}


def test_an_interface_has_its_functions_with_their_comments():
    text = shown("runnel_aes_gcm.3")
    assert (
        "- authenticated encryption (GCM, SP 800-38D) SYNOPSIS #include <runnel/aes.h> int runnel_aes_gcm_key(" in text
    )
    assert "runnel_aes_gcm_seal_batch, runnel_aes_gcm_open_batch Seal or open" in text
    assert text.count("runnel_aes_gcm_verify") >= 3 and "runnel_aes_ctr_xor" not in text
    assert PAGES["runnel_aes_gcm_seal.3"].read_text() == ".so man3/runnel_aes_gcm.3\n"


def test_every_function_of_the_installed_headers_has_a_page():
    headers = [*(ROOT / "include" / "runnel").glob("*.h"), *(BUILD / "generated" / "runnel").glob("*.h")]
    historic = {page.name for page in (BUILD / "historic-man").glob("man3/*")}
    declared = {f"{name}.3" for path in headers for name, _, _ in manual.functions(path.read_text())}
    assert len(declared) > 500 and declared <= set(PAGES) | historic and not historic & set(PAGES)


@pytest.mark.skipif(shutil.which("mandoc") is None, reason="needs mandoc")
def test_mandoc_has_no_warning_but_that_a_date_is_missing():
    """A date would make two builds of one source differ, or be that of another version."""
    pages = [page for page in PAGES.values() if not page.read_text().startswith(".so ")]
    done = subprocess.run(
        ["mandoc", "-T", "lint", "-W", "warning", *pages], cwd=BUILD / "man", capture_output=True, text=True
    )
    assert [line for line in done.stdout.splitlines() if "missing date" not in line] == []


def test_a_heading_that_is_no_command_is_left_to_the_whole_manual():
    pages = dict(manual.command_pages(".SH RUNNEL A\n.B runnel a\n.PP\nDo a. Then b.\n.SH ENVIRONMENT\nno\n", "1"))
    assert (
        list(pages) == ["runnel-a.1"]
        and "runnel\\-a \\- do a\n" in pages["runnel-a.1"]
        and "no" not in pages["runnel-a.1"]
    )
