# SPDX-License-Identifier: Apache-2.0 OR MIT
"""keygen, encrypt and decrypt, where scripts (tests/cli) do not reach: every byte, every template, permissions."""

import os
import tempfile
from pathlib import Path

import pytest
from cli_program import accepted, listing, output_of, refused
from runnel.sealed import keyset_forms
from runnel.sealed.formats import TEMPLATES
from runnel.sealed.keyset import Keyset
from sealed_files import SMALL, keyset_of


@pytest.mark.parametrize("kind", SMALL)
def test_every_byte_of_a_file_by_command(tmp_path, kind, monkeypatch):
    """Three segments, each byte changed in turn: status 3, one line, nothing left."""
    folder, p = tmp_path, SMALL[kind]
    monkeypatch.setattr(keyset_forms, "BY_TYPE_URL", {p.type_url: type(p)})
    (folder / "small").write_text(keyset_of(p).to_json())
    (folder / "short").write_bytes(bytes(p.plaintext_at(2) + 20))
    accepted("encrypt", "--key", folder / "small", folder / "short", folder / "three")
    sealed = (folder / "three").read_bytes()
    before = listing(folder)
    for at in range(len(sealed)):
        (folder / "three").write_bytes(sealed[:at] + bytes([sealed[at] ^ 4]) + sealed[at + 1 :])
        refused("decrypt", "--key", folder / "small", folder / "three", folder / "out", status=3)
    for length in range(len(sealed)):
        (folder / "three").write_bytes(sealed[:length])
        refused("decrypt", "--key", folder / "small", folder / "three", folder / "out", status=3)
    assert listing(folder) == before


@pytest.mark.parametrize("template", TEMPLATES)
def test_the_template_of_a_new_key(template):
    generated = Keyset.from_json(output_of("keygen", "--template", template, "-"))
    assert generated.primary.parameters == TEMPLATES[template]


def test_unreadable(tmp_path):
    """Permissions, which bind root only as somebody else."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        accepted("keygen", folder / "key")
        (folder / "plain").write_bytes(b"x")
        os.chmod(folder / "plain", 0)
        os.chmod(folder / "key", 0o644)
        os.chmod(folder, 0o755)
        root = os.geteuid() == 0
        if root:
            os.seteuid(65534)
        else:
            os.chmod(folder, 0o555)
        try:
            line = refused("encrypt", "--key", folder / "key", folder / "plain", folder / "out")
            assert line == f"{folder / 'plain'}: Permission denied"
            line = refused("encrypt", "--key", folder / "key", folder / "key", folder / "out")
            assert "the same file" in line or line == f"{folder / 'out'}: Permission denied"
        finally:
            if root:
                os.seteuid(0)
            os.chmod(folder, 0o755)
        assert listing(folder) == ["key", "plain"]
