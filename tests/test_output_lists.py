# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Access control lists of files as they are made. Their bytes are written here by hand: no program for them is needed."""

import errno
import os
import struct

import pytest
from output_files import mode, write
from runnel.inputs import Inputs
from runnel.output import OutputFile

OWNER, USER, GROUP, SOME_GROUP, MASK, OTHERS = 0x01, 0x02, 0x04, 0x08, 0x10, 0x20


ACCESS, DEFAULT = "system.posix_acl_access", "system.posix_acl_default"


def access_list(owner, user, group, some_group, mask, others):
    """Return an access list, also of a user 1234 and a group 2345; None: without that entry."""
    nobody = 0xFFFFFFFF
    entries = ((OWNER, owner, nobody), (USER, user, 1234), (GROUP, group, nobody), (SOME_GROUP, some_group, 2345))
    entries += ((MASK, mask, nobody), (OTHERS, others, nobody))
    packed = (struct.pack("<HHI", *entry) for entry in entries if entry[1] is not None)
    return struct.pack("<I", 2) + b"".join(packed)


def set_list(path, attribute, data):
    try:
        os.setxattr(path, attribute, data)
    except OSError as error:
        pytest.skip(f"the file system has no access control lists: {error.strerror}")


def list_of(path):
    try:
        return os.getxattr(path, ACCESS)
    except OSError as error:
        assert error.errno == errno.ENODATA
        return None


@pytest.mark.parametrize(
    "default",
    [
        (7, 6, 0, None, 6, 0),
        (7, 6, 5, 4, 7, 0),
        (6, 7, 7, 7, 0, 5),
        (7, None, 5, None, None, 0),
        (7, None, 0, None, None, 4),
    ],
    ids=str,
)
@pytest.mark.parametrize("umask", [0, 0o077])
@pytest.mark.parametrize("asked", [0o666, 0o600])
def test_a_new_file_gets_what_its_folder_gives(tmp_path, default, umask, asked):
    """As a file that the kernel makes with the same mode: the umask does not count then."""
    set_list(tmp_path, DEFAULT, access_list(*default))
    old = os.umask(umask)
    try:
        os.close(os.open(tmp_path / "kernel's", os.O_CREAT | os.O_WRONLY, asked))
        write(tmp_path / "out", mode=asked)
    finally:
        os.umask(old)
    assert mode(tmp_path / "out") == mode(tmp_path / "kernel's")
    assert list_of(tmp_path / "out") == list_of(tmp_path / "kernel's")


def test_a_folder_whose_list_comes_meanwhile(tmp_path):
    """The file has no users and groups of the list, so what these may have is not for its own group."""
    with OutputFile(tmp_path / "out", inputs=Inputs()) as out:
        set_list(tmp_path, DEFAULT, access_list(7, 6, 0, None, 6, 0))
        out.commit()
    assert mode(tmp_path / "out") == 0o600 and list_of(tmp_path / "out") is None


@pytest.mark.parametrize("kept", [(6, 4, 0, None, 4, 0), (6, 6, 4, 2, 6, 4), None], ids=str)
@pytest.mark.parametrize("default", [(7, 6, 0, 7, 7, 0), None], ids=str)
def test_a_replaced_file_keeps_its_list(tmp_path, kept, default):
    (tmp_path / "out").touch()
    os.chmod(tmp_path / "out", 0o640)
    if kept is not None:
        set_list(tmp_path / "out", ACCESS, access_list(*kept))
    if default is not None:
        set_list(tmp_path, DEFAULT, access_list(*default))
    before = mode(tmp_path / "out"), list_of(tmp_path / "out")
    write(tmp_path / "out", force=True)
    assert (tmp_path / "out").read_bytes() == b"new"
    assert (mode(tmp_path / "out"), list_of(tmp_path / "out")) == before


def test_a_list_that_cannot_be_kept_opens_the_file_to_nobody_new(tmp_path, monkeypatch):
    """The mode's bits for the group are those of the list's mask; the file's own group may have had less."""

    def fails(*_):
        raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP))

    (tmp_path / "out").touch()
    set_list(tmp_path / "out", ACCESS, access_list(6, 6, 4, None, 6, 0))
    monkeypatch.setattr(os, "setxattr", fails)
    write(tmp_path / "out", force=True)
    assert (mode(tmp_path / "out"), list_of(tmp_path / "out")) == (0o640, None)


def test_a_list_of_a_file_whose_group_cannot_be_kept(tmp_path, monkeypatch):
    """Then all in the list get what everybody had."""

    def fails(*_):
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    (tmp_path / "out").touch()
    set_list(tmp_path / "out", ACCESS, access_list(6, 6, 6, None, 6, 4))
    real = os.fstat

    def foreign(fd):
        found = real(fd)
        return os.stat_result([*found[:5], found.st_gid + 1, *found[6:]])

    monkeypatch.setattr(os, "fchown", fails)
    monkeypatch.setattr(os, "fstat", foreign)
    monkeypatch.setattr("runnel.output._names", lambda path, fd: True)
    write(tmp_path / "out", force=True)
    assert list_of(tmp_path / "out") == access_list(6, 6, 6, None, 4, 4)
