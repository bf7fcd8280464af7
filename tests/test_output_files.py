# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Files as they are made: their mode and owner, what a killed run leaves, what a disk that fails does."""

import errno
import os
import random
import stat
import subprocess
import sys
import time

import pytest
import runnel
from cli_program import PROGRAM, accepted, listing, refused
from output_files import mode, write
from runnel.inputs import Inputs
from runnel.output import OutputFile, make_folders
from sealed_files import ONE_OF_EACH

PLAINTEXT = bytes(range(256)) * 20
ROOT = os.geteuid() == 0


@pytest.fixture
def template():
    """Return the format of the folder's files; a test of all formats has it as a parameter."""
    return ONE_OF_EACH[0]


@pytest.fixture
def folder(tmp_path, template):
    accepted("keygen", tmp_path / "key", "--template", template)
    (tmp_path / "plain").write_bytes(PLAINTEXT)
    accepted("encrypt", "--key", tmp_path / "key", tmp_path / "plain", tmp_path / "sealed")
    return tmp_path


def commands(folder):
    yield "encrypt", "--key", folder / "key", folder / "plain"
    yield "decrypt", "--key", folder / "key", folder / "sealed"
    yield "xor", "--cipher", "salsa20", "--key", "00" * 16, "--iv", "00" * 8, folder / "plain"


def temporaries(folder, name="out"):
    return [each for each in listing(folder) if each.startswith(f".{name}.") and each.endswith(".tmp")]


# Mode and owner


@pytest.mark.parametrize("umask", [0, 0o022, 0o077])
def test_a_replaced_file_keeps_its_mode(folder, umask):
    old = os.umask(umask)
    try:
        for command in commands(folder):
            for kept in (0o600, 0o400, 0o640, 0o644, 0o666, 0o755, 0):
                (folder / "out").touch()
                os.chmod(folder / "out", kept)
                accepted(*command, "--force", folder / "out")
                assert mode(folder / "out") == kept, command
            os.unlink(folder / "out")
            accepted(*command, folder / "out")
            assert mode(folder / "out") == 0o666 & ~umask
            os.unlink(folder / "out")
        (folder / "out").touch()
        os.chmod(folder / "out", 0o4755)
        accepted(*command, "--force", folder / "out")
        assert mode(folder / "out") == 0o755  # another program's rights are not for what it is replaced by
    finally:
        os.umask(old)


def test_a_replaced_file_keeps_its_owner(tmp_path):
    (tmp_path / "out").touch()
    if ROOT:
        os.chown(tmp_path / "out", 1234, 2345)
    before = os.stat(tmp_path / "out")
    write(tmp_path / "out", force=True)
    after = os.stat(tmp_path / "out")
    assert after.st_ino != before.st_ino
    assert (after.st_uid, after.st_gid, after.st_mode) == (before.st_uid, before.st_gid, before.st_mode)


def test_who_may_not_give_a_file_away_opens_it_to_nobody_new(tmp_path, monkeypatch):
    """If owner and group cannot be kept, the new group gets only what everybody had."""

    def fails(*_):
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "fchown", fails)
    real = os.stat

    def foreign(path, *arguments, **options):
        found = real(path, *arguments, **options)
        if os.fspath(path) != str(tmp_path / "out"):
            return found
        return os.stat_result([*found[:4], found.st_uid + 1, found.st_gid + 1, *found[6:]])

    for before, after in ((0o640, 0o600), (0o664, 0o644), (0o666, 0o666), (0o604, 0o604), (0o660, 0o600)):
        (tmp_path / "out").touch()
        os.chmod(tmp_path / "out", before)
        with monkeypatch.context() as patched:
            patched.setattr(os, "stat", foreign)
            write(tmp_path / "out", force=True)
        assert mode(tmp_path / "out") == after, oct(before)


@pytest.mark.parametrize("force", [False, True])
def test_nobody_else_reads_what_is_not_finished(tmp_path, force):
    """Neither before the end nor, at the end, with wider rights than the file that it replaces."""
    if force:
        (tmp_path / "out").touch()
        os.chmod(tmp_path / "out", 0o664)
    old = os.umask(0)
    try:
        with OutputFile(tmp_path / "out", inputs=Inputs(), force=force) as out:
            [temporary] = temporaries(tmp_path)
            assert mode(tmp_path / temporary) == 0o600
            out.commit()
    finally:
        os.umask(old)
    assert mode(tmp_path / "out") == (0o664 if force else 0o666)


# The working folder


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("name", ["out", "deeper/out", "../one/out"])
@pytest.mark.parametrize("end", ["commit", "close"])
def test_a_change_of_the_working_folder_moves_nothing(tmp_path, monkeypatch, force, name, end):
    for folder in ("one", "two"):
        (tmp_path / folder / "deeper").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "one")
    with OutputFile(name, inputs=Inputs(), force=force) as out:
        out.write_all(b"new")
        monkeypatch.chdir(tmp_path / "two")
        if end == "commit":
            out.commit()
    found = sorted(str(each.relative_to(tmp_path)) for each in tmp_path.rglob("*") if each.is_file())
    assert found == ([os.path.normpath(f"one/{name}")] if end == "commit" else [])


def test_names_are_printed_as_they_were_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write("out")
    with pytest.raises(FileExistsError) as caught:
        write("out")
    assert caught.value.filename == "out"
    with OutputFile("late", inputs=Inputs()) as out:
        write("late")
        with pytest.raises(FileExistsError) as caught:
            out.commit()
    assert caught.value.filename == "late"


# Leftovers of killed runs


@pytest.mark.parametrize("template", ONE_OF_EACH)
def test_killed_at_any_moment(folder):
    """Others cannot read the remains, the file is complete or absent, and the next run leaves nothing but it."""
    (folder / "work").mkdir()
    left = 0
    for verb in ("encrypt", "decrypt"):
        (folder / "big").write_bytes(bytes(60 << 20))
        source = folder / "big"
        if verb == "decrypt":
            accepted("encrypt", "--key", folder / "key", folder / "big", folder / "bigger")
            source = folder / "bigger"
        for _ in range(6):
            command = [*PROGRAM, verb, "--key", folder / "key", source, folder / "work" / "out"]
            process = subprocess.Popen(command, stderr=subprocess.PIPE, umask=0o022)
            while process.poll() is None and not temporaries(folder / "work"):
                pass
            time.sleep(random.random() * 0.05)
            process.kill()
            process.communicate()
            found = temporaries(folder / "work")
            left += len(found)
            assert len(found) < 2 and listing(folder / "work") in (found, ["out"], [*found, "out"])
            assert not [name for name in found if mode(folder / "work" / name) & 0o077]
            accepted(
                verb,
                "--key",
                folder / "key",
                folder / ("plain" if verb == "encrypt" else "sealed"),
                "--force",
                folder / "work" / "out",
            )
            assert listing(folder / "work") == ["out"]
            os.unlink(folder / "work" / "out")
    assert left


@pytest.mark.parametrize("name", ["out", "n" * 255, os.fsdecode(b"\xff\xfe"), "a.b*[c]\n"])
def test_only_what_is_stale_and_ours_is_removed(tmp_path, name):
    with OutputFile(tmp_path / name, inputs=Inputs()) as out:
        [pattern] = listing(tmp_path)
        prefix, suffix = pattern[: -len("0123456789ab.tmp")], ".tmp"
        (tmp_path / f"{prefix}000000000000{suffix}").touch()
        os.link(tmp_path / f"{prefix}000000000000{suffix}", tmp_path / "precious")
        keep = ["000000000001.tmpx", "00000000000g.tmp", "0000000001.tmp", "000000000002tmp", "00000000000A.tmp"]
        for each in keep:
            if len(os.fsencode(prefix + each)) <= 255:
                (tmp_path / f"{prefix}{each}").touch()
        (tmp_path / f".another{prefix[1:10]}.000000000003.tmp").touch()
        (tmp_path / f"{prefix}000000000004.tmp").symlink_to("precious")
        (tmp_path / f"{prefix}000000000005.tmp").symlink_to("nowhere")
        (tmp_path / f"{prefix}000000000006.tmp").mkdir()
        os.mkfifo(tmp_path / f"{prefix}000000000007.tmp")
        if ROOT:
            (tmp_path / f"{prefix}000000000008.tmp").touch()
            os.chown(tmp_path / f"{prefix}000000000008.tmp", 1234, 2345)
        before = listing(tmp_path)
        write(tmp_path / name)
        assert listing(tmp_path) == sorted({*before, name} - {f"{prefix}000000000000.tmp"})
        os.unlink(tmp_path / name)
        os.write(out.fileno(), b"alive")
        out.commit()
    assert (tmp_path / name).read_bytes() == b"alive" and not (tmp_path / pattern).exists()


def test_a_name_that_changes_hands_before_it_is_removed(tmp_path, monkeypatch):
    """A stale temporary that is replaced by another file between the lock and the removal."""
    import fcntl

    stale = tmp_path / ".out.000000000000.tmp"
    stale.write_bytes(b"stale")
    (tmp_path / "precious").write_bytes(b"precious")
    lock = fcntl.flock

    def locked(fd, operation):
        lock(fd, operation)
        if stale.exists() and os.path.samestat(os.fstat(fd), os.stat(stale)):
            os.replace(tmp_path / "precious", stale)

    monkeypatch.setattr(fcntl, "flock", locked)
    write(tmp_path / "out")
    assert listing(tmp_path) == [stale.name, "out"] and stale.read_bytes() == b"precious"


def test_concurrent_runs_do_not_disturb_each_other(tmp_path):
    """Processes and threads that make the same file again and again, while some of them are killed."""
    script = f"""
import os, sys, threading
from runnel.inputs import Inputs
from runnel.output import OutputFile, make_folders
def work():
    for n in range({{}}):
        with OutputFile({str(tmp_path / "out")!r}, inputs=Inputs(), force=True) as out:
            os.write(out.fileno(), bytes(4096))
            out.commit()
threads = [threading.Thread(target=work) for _ in range(3)]
failed = []
threading.excepthook = lambda args: failed.append(args.exc_value)
for thread in threads: thread.start()
for thread in threads: thread.join()
sys.exit(repr(failed) if failed else 0)
"""
    steady = [subprocess.Popen([sys.executable, "-c", script.format(100)], stderr=subprocess.PIPE) for _ in range(3)]
    killed = 0
    while any(process.poll() is None for process in steady):
        victim = subprocess.Popen([sys.executable, "-c", script.format(10**9)], stderr=subprocess.DEVNULL)
        time.sleep(0.2 + random.random() * 0.2)
        victim.kill()
        victim.wait()
        killed += 1
    for process in steady:
        _, stderr = process.communicate()
        assert process.returncode == 0, stderr
    write(tmp_path / "out", bytes(4096), force=True)
    assert killed and listing(tmp_path) == ["out"] and os.path.getsize(tmp_path / "out") == 4096


def test_where_nothing_can_be_locked(tmp_path, monkeypatch):
    """Outputs are made all the same; nothing is taken for stale."""
    import fcntl

    def fails(*_):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", fails)
    (tmp_path / ".out.000000000000.tmp").touch()
    write(tmp_path / "out")
    assert listing(tmp_path) == [".out.000000000000.tmp", "out"]


# Disks that fail


def failing_fsync(monkeypatch, number, folders):
    real = os.fsync

    def fsync(fd):
        if stat.S_ISDIR(os.fstat(fd).st_mode) == folders:
            raise OSError(number, os.strerror(number))
        real(fd)

    monkeypatch.setattr(os, "fsync", fsync)


@pytest.mark.parametrize("force", [False, True])
def test_a_folder_that_cannot_be_flushed(folder, monkeypatch, force):
    """The file is in place by then; the line says so."""
    failing_fsync(monkeypatch, errno.EIO, True)
    for command in commands(folder):
        if force:
            (folder / "out").write_bytes(b"old")
        before = {*listing(folder), "out"}
        line = refused(*command, *(["--force"] if force else []), folder / "out")
        assert (
            line == f"{folder / 'out'}: in place and complete, but its folder could not be flushed to disk: "
            "Input/output error"
        )
        assert set(listing(folder)) == before and os.path.getsize(folder / "out") > 1000
        os.unlink(folder / "out")
    assert "in place" in refused("keygen", folder / "new") and (folder / "new").stat().st_size


def test_a_temporary_that_cannot_be_looked_at_is_removed(tmp_path, monkeypatch):
    """Its file system failed after it was made."""
    lstat, before = os.lstat, len(os.listdir("/proc/self/fd"))

    def fails_once(path):
        monkeypatch.setattr(os, "lstat", lstat)
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    output = OutputFile(tmp_path / "out", inputs=Inputs())
    monkeypatch.setattr(os, "lstat", fails_once)
    with pytest.raises(OSError, match=os.strerror(errno.EIO)), output:
        pass
    assert listing(tmp_path) == [] and len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP])
def test_file_systems_that_flush_no_folders(folder, monkeypatch, number):
    failing_fsync(monkeypatch, number, True)
    for command in commands(folder):
        accepted(*command, "--force", folder / "out")


def test_a_folder_that_may_not_be_read(tmp_path, monkeypatch):
    """It takes files although nobody can list or flush it."""
    (tmp_path / "box").mkdir()
    os.chmod(tmp_path / "box", 0o333)
    monkeypatch.chdir(tmp_path / "box")  # before: the folders above are for this user alone
    if ROOT:
        os.seteuid(65534)
    try:
        with pytest.raises(PermissionError):
            os.listdir(".")
        write("out")
    finally:
        if ROOT:
            os.seteuid(0)
        os.chmod(tmp_path / "box", 0o755)
    assert listing(tmp_path / "box") == ["out"]


@pytest.mark.parametrize("template", ONE_OF_EACH)
@pytest.mark.parametrize("number", [errno.EIO, errno.ENOSPC, errno.EINVAL])
def test_a_file_that_cannot_be_flushed(folder, monkeypatch, number):
    (folder / "old").write_bytes(b"old")
    before = listing(folder)
    failing_fsync(monkeypatch, number, False)
    for command in commands(folder):
        assert refused(*command, folder / "out") == f"{folder / 'out'}: {os.strerror(number)}"
        assert refused(*command, "--force", folder / "old") == f"{folder / 'old'}: {os.strerror(number)}"
    assert listing(folder) == before and (folder / "old").read_bytes() == b"old"


ENDING = """
import sys, threading, time
from runnel.inputs import Inputs
from runnel.output import OutputFile
def make(number):
    while True:
        with OutputFile(f"{sys.argv[1]}/{number}", inputs=Inputs()):
            pass
for number in range(4):
    threading.Thread(target=make, args=[number], daemon=True).start()
time.sleep(0.05)
"""


def test_threads_that_run_until_the_process_ends_leave_nothing(tmp_path):
    for _ in range(5):
        subprocess.run([sys.executable, "-c", ENDING, tmp_path], check=True, timeout=60)
        assert list(tmp_path.iterdir()) == []


# A temporary that somebody else puts another file in the place of


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("what", ["replaced", "a link", "deleted", "moved"])
def test_an_exchanged_temporary_is_not_published(folder, monkeypatch, force, what):
    (folder / "foreign").write_bytes(b"foreign")
    real = os.fsync

    def fsync(fd):
        real(fd)
        for name in temporaries(folder):
            os.rename(folder / name, folder / "aside")
            if what != "moved":
                os.unlink(folder / "aside")
            if what in ("replaced", "moved"):
                os.link(folder / "foreign", folder / name)
            elif what == "a link":
                (folder / name).symlink_to("foreign")

    monkeypatch.setattr(os, "fsync", fsync)
    for command in commands(folder):
        if force:
            (folder / "out").write_bytes(b"old")
        if force or what != "moved":
            line = refused(*command, *(["--force"] if force else []), folder / "out")
            assert "exchanged" in line
            assert not force or (folder / "out").read_bytes() == b"old"
            assert force or not (folder / "out").exists()
        else:  # published by its descriptor, whatever its name stands for now
            accepted(*command, folder / "out")
            assert os.path.getsize(folder / "out") >= len(PLAINTEXT) and not (folder / "out").is_symlink()
            os.unlink(folder / "out")
        assert len(temporaries(folder)) == (what != "deleted")  # not ours: left alone
        for name in temporaries(folder):
            os.unlink(folder / name)
    assert (folder / "foreign").read_bytes() == b"foreign"


@pytest.mark.parametrize("missing", ["links by descriptor", "links"])
def test_file_systems_without_links(tmp_path, monkeypatch, missing):
    real = os.link

    def link(source, *arguments, **options):
        if missing == "links" or str(source).startswith("/proc/"):
            raise OSError(errno.EPERM, os.strerror(errno.EPERM))
        real(source, *arguments, **options)

    monkeypatch.setattr(os, "link", link)
    write(tmp_path / "out")
    assert listing(tmp_path) == ["out"] and (tmp_path / "out").read_bytes() == b"new"
    with pytest.raises(FileExistsError, match="already exists"):
        write(tmp_path / "out")
    with OutputFile(tmp_path / "late", inputs=Inputs()) as out:
        (tmp_path / "late").write_bytes(b"first")
        with pytest.raises(FileExistsError, match="already exists"):
            out.commit()
    assert (tmp_path / "late").read_bytes() == b"first" and listing(tmp_path) == ["late", "out"]


def test_a_file_that_comes_at_the_last_moment_stays(tmp_path, monkeypatch):
    """After the last look at the name, when the mode is given."""
    real = os.fchmod

    def comes(fd, mode):
        (tmp_path / "out").write_bytes(b"first")
        real(fd, mode)

    monkeypatch.setattr(os, "fchmod", comes)
    with pytest.raises(FileExistsError, match="already exists"):
        write(tmp_path / "out")
    assert listing(tmp_path) == ["out"] and (tmp_path / "out").read_bytes() == b"first"


# Outputs in place although something failed


@pytest.mark.parametrize("call", ["open", "unlink"])
def test_what_is_in_place_is_reported_as_such(folder, monkeypatch, call):
    """The folder that cannot be opened to flush it, or the temporary name that cannot be taken away."""
    real = getattr(os, call)

    def fails(path, *arguments, **options):
        if (call == "unlink" and str(path).endswith(".tmp")) or os.path.isdir(path):
            raise OSError(errno.EIO, os.strerror(errno.EIO), path)
        return real(path, *arguments, **options)

    for command in commands(folder):
        with monkeypatch.context() as patched:
            patched.setattr(os, call, fails)
            line = refused(*command, folder / "out")
        assert line.startswith(f"{folder / 'out'}: in place and complete, but its ") and line.endswith("output error")
        assert os.path.getsize(folder / "out") > 1000
        accepted(*command, "--force", folder / "out")  # which removes what was left
        assert temporaries(folder) == []
        os.unlink(folder / "out")


def test_others_may_read_it_only_when_all_is_on_disk(tmp_path, monkeypatch):
    calls = []
    for name in ("fchmod", "fsync", "link"):
        real = getattr(os, name)
        monkeypatch.setattr(
            os, name, lambda *a, name=name, real=real, **options: (calls.append(name), real(*a, **options))[1]
        )
    write(tmp_path / "out")
    assert calls == ["fsync", "fchmod", "link", "fsync"]


def test_a_forked_process_leaves_the_file_to_its_parent(tmp_path):
    with OutputFile(tmp_path / "out", inputs=Inputs()) as out:
        child = os.fork()
        if child == 0:
            refused_to_commit = False
            try:
                out.commit()
            except runnel.StateError:
                refused_to_commit = True
            finally:
                out.close()
                os._exit(0 if refused_to_commit else 1)
        assert os.waitpid(child, 0)[1] == 0
        out.write_all(b"whole")
        out.commit()
    assert listing(tmp_path) == ["out"] and (tmp_path / "out").read_bytes() == b"whole"


def test_folders_are_on_disk_too(tmp_path, monkeypatch):
    """Each that is made is flushed by the one above it, with the mode that was asked for."""
    flushed = []
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda fd: (flushed.append(os.readlink(f"/proc/self/fd/{fd}")), real(fd)))
    make_folders(str(tmp_path / "a" / "b" / "c"), 0o700)
    assert flushed == [str(tmp_path), str(tmp_path / "a"), str(tmp_path / "a" / "b")]
    assert mode(tmp_path / "a" / "b" / "c") == mode(tmp_path / "a") == 0o700
    make_folders(str(tmp_path / "a" / "b"))
    assert len(flushed) == 3
