# SPDX-License-Identifier: Apache-2.0 OR MIT
"""--kms-command: another program decrypts a keyset that is encrypted with the key of a key management service."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Callable

from runnel.errors import Error
from runnel.sealed.keyset import KEYSET_BYTES_MAX

SECONDS_MAX = 120
"""Somebody may have to confirm it on another device meanwhile."""
_OF_A_SHELL = re.compile(r"\|\|?|&&?|;|[0-9]?[<>]{1,2}(&[0-9])?")


def words_of(command: str) -> list[str]:
    """Return the program and its arguments, which quotes hold together. Raises ValueError: no command, or one for a shell."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(str(error).lower()) from None
    if not words:
        raise ValueError("no command")
    for word in words:
        if _OF_A_SHELL.fullmatch(word):
            raise ValueError(f"{word} is for a shell, and none runs the command; name a script")
    return words


def decrypting(command: str) -> Callable[[bytes], bytes]:
    """Return a function that runs the command: the ciphertext is its standard input, the keyset its standard output."""

    def decrypt(ciphertext: bytes) -> bytes:
        program = words_of(command)
        try:
            done = subprocess.run(
                program, input=ciphertext, stdout=subprocess.PIPE, timeout=SECONDS_MAX, check=False, close_fds=True
            )
        except subprocess.TimeoutExpired:
            raise Error(f"--kms-command: no answer within {SECONDS_MAX} seconds") from None
        except OSError as error:
            raise Error(f"--kms-command: {program[0]}: {error.strerror}") from None
        if done.returncode:
            how = f"status {done.returncode}" if done.returncode > 0 else f"signal {-done.returncode}"
            raise Error(f"--kms-command: {program[0]} ended with {how}")
        if len(done.stdout) > KEYSET_BYTES_MAX:
            raise Error("--kms-command: more than 1 MiB is no keyset")
        return done.stdout

    return decrypt
