# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`runnel report`: one file with charts, which has the figures that were measured and asks nobody for anything."""

import json
import re
import subprocess

import pytest
from cli_program import PROGRAM, accepted, one_line, refused, runnel
from runnel_lab import report


@pytest.fixture(scope="module")
def figures(tmp_path_factory):
    """Return a speed measurement that is no speed: a moment of two ciphers."""
    file = tmp_path_factory.mktemp("figures") / "speed.json"
    names = ("--cipher", "aes-128-ctr", "--cipher", "aes-128-gcm")
    file.write_bytes(runnel("speed", "--seconds", "0", "--json", *names).stdout)
    return file


def test_the_page_has_what_was_measured(figures, tmp_path):
    accepted("report", "--figures", figures, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    result = json.loads(figures.read_text())
    for row in result["rows"]:
        if (row["operation"], row["bytes"]) == ("message", 16384) and row["implementation"] == "runnel":
            assert f">{row['gb_per_s']:.2f}</text>" in page and f"<td>{row['gb_per_s']:.2f}</td>" in page
    for machine in report.recorded():
        assert f">{machine['title']}</text>" in page
        if "aes-128-gcm" in machine["gb_per_s"]:
            assert f">{machine['gb_per_s']['aes-128-gcm']:.2f}</text>" in page
    assert page.count("<svg") == 2 and ">here</text>" in page and result["machine"]["cpu"].replace("&", "&amp;") in page


def test_it_needs_nothing_else(figures, tmp_path):
    accepted("report", "--figures", figures, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert not re.search(r"<script|<link|<img|src=|url\(|@import|https?://(?!www\.w3\.org)", page)


def test_it_measures_where_no_figures_are_given(tmp_path):
    done = runnel("report", "--seconds", "0", "--cipher", "rabbit", tmp_path / "page.html")
    assert done.stdout == b"" and "rabbit" in (tmp_path / "page.html").read_text()


def test_the_page_goes_to_the_standard_output_too(figures, tmp_path):
    accepted("report", "--figures", figures, tmp_path / "page.html")
    done = runnel("report", "--figures", figures, "-", cwd=tmp_path)
    assert done.stdout == (tmp_path / "page.html").read_bytes() and not (tmp_path / "-").exists()


def test_a_closed_output_is_noticed_before_anything_is_measured(tmp_path):
    """It would take longer than the test waits."""
    command = ["sh", "-c", '"$@" >&-', "sh", *PROGRAM, "report", "-q", "--seconds", "3600", "--cipher", "rabbit", "-"]
    done = subprocess.run(command, stderr=subprocess.PIPE, check=False, timeout=30)
    assert (done.returncode, one_line(done.stderr)) == (1, "runnel: stdout: is closed\n")


def test_what_is_refused(figures, tmp_path):
    (tmp_path / "there.html").write_text("mine")
    assert "already exists" in refused("report", "--figures", figures, tmp_path / "there.html")
    assert (tmp_path / "there.html").read_text() == "mine"
    accepted("report", "-f", "--figures", figures, tmp_path / "there.html")
    for other in ("[]", '{"machine": {}, "rows": []}', '{"machine": {}, "rows": [1]}', "[" * 100_000):
        (tmp_path / "other.json").write_text(other)
        message = refused("report", "--figures", tmp_path / "other.json", tmp_path / "new.html")
        assert message.endswith("other.json: is not what runnel speed --json prints"), message
        assert not (tmp_path / "new.html").exists()
    surrogate = figures.read_text().replace('"machine": {', '"machine": {"cpu": "\\ud800", ', 1)
    (tmp_path / "other.json").write_text(
        re.sub(r'("cpu": "\\ud800", .*?)"cpu": "[^"]*",', r"\1", surrogate, flags=re.DOTALL)
    )
    message = refused("report", "--figures", tmp_path / "other.json", tmp_path / "new.html")
    assert message.endswith("other.json: is not what runnel speed --json prints"), message
    assert refused("report", "-f", "--figures", figures, figures)  # the input would be the output
    assert json.loads(figures.read_text())["rows"]
