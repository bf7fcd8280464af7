# SPDX-License-Identifier: Apache-2.0 OR MIT
"""keygen, encrypt, decrypt: files in the format that their key says."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from runnel.cli.file_work import FileWork
from runnel.cli.key_files import AGE, identities_in, keyset_in, people, recipients_in, write_key_file
from runnel.cli.options import (
    aad_option,
    examples,
    force_option,
    key_env_option,
    keyfile_option,
    kms_option,
    name_option,
    pass_inputs,
    quiet_option,
)
from runnel.cli.passphrase import PassphraseSource, passphrase_options
from runnel.cli.streams import STANDARD, associated_data, check_one_reader
from runnel.cli.values import Extent, FileName, KeyFileName, KnownName, Recipient
from runnel.imports import imported
from runnel.inputs import Inputs
from runnel.sealed.formats import DEFAULT_TEMPLATE, TEMPLATES, bound
from runnel.sealed.keyset import AnyOf, FileLock, Keys, Keyset, is_wrapped

if TYPE_CHECKING:
    from runnel.sealed.io import Source
    from runnel.sealed.opening import Lock, ReadAt


_several_keyfiles_option = click.option(
    "-k",
    "--key",
    "keyfile",
    type=KeyFileName(),
    multiple=True,
    metavar="FILE",
    help="The file with the keyset, from keygen or Tink; - is the standard input. If it is locked, the "
    "terminal prompts for the passphrase. May be repeated: the keysets are tried in turn.",
)


def _shared(key_option: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return the options and arguments that both commands have, with the --key of the command."""

    def decorate(function: Any) -> Any:
        for decorator in (
            click.argument("target", type=FileName(), metavar="OUT"),
            click.argument("source", type=FileName(), metavar="IN"),
            quiet_option,
            force_option,
            name_option,
            aad_option,
            kms_option,
            key_env_option,
            key_option,
            passphrase_options("Use a passphrase instead of a key file; the terminal prompts for it."),
        ):
            function = decorator(function)
        return function

    return decorate


@click.command(short_help="Make a new key.", epilog=examples("runnel keygen key.json"))
@click.option(
    "--template",
    type=KnownName("template", lambda: [*TEMPLATES, AGE]),
    metavar="NAME",
    default=DEFAULT_TEMPLATE,
    show_default=True,
    help="The format of the files: cobblestone-128 or cobblestone-256; or one of Tink's, by Tink's name, which says the "
    "AES key and the segments on disk: AES128_CTR_HMAC_SHA256_4KB, AES128_GCM_HKDF_4KB, and the same with AES256 and 1MB; or "
    "age: an identity, as age-keygen makes it, whose recipient runnel key recipient prints.",
)
@passphrase_options("Lock KEYFILE with a passphrase, which the terminal prompts for twice.")
@click.argument("keyfile", type=FileName(), metavar="KEYFILE")
@pass_inputs
def keygen(inputs: Inputs, template: str, passphrase: PassphraseSource, keyfile: str) -> None:
    """Make a new key in KEYFILE, which must not exist yet (- for the standard output).

    KEYFILE is a keyset in JSON that only its owner may read (mode 0600). Without a passphrase anyone who can read
    it can decrypt. The key determines the format of the files that it encrypts.
    """
    locked_with = passphrase.read(inputs, of=keyfile, new=True) if passphrase.given else None
    new = people().Identities.generate() if template == AGE else Keyset.generate(template)
    write_key_file(inputs, new, keyfile, locked_with)


@click.command(
    short_help="Encrypt a file or a stream, authenticated.",
    epilog=examples(
        "runnel encrypt --key key.json photos.tar photos.sealed",
        "tar c photos | runnel encrypt --key key.json --aad 'for Ann' - for-ann.sealed",
        "runnel encrypt --passphrase photos.tar photos.locked",
        "runnel encrypt --recipients-file team.txt photos.tar photos.age",
    ),
)
@_shared(keyfile_option)
@click.option(
    "-a", "--armor", is_flag=True, help="In age's format: write text, which may be pasted into a message, not bytes."
)
@click.option("--age", is_flag=True, help="With a passphrase: in age's format. (With recipients it always is.)")
@click.option(
    "-R",
    "--recipients-file",
    type=FileName(),
    multiple=True,
    metavar="FILE",
    help="Encrypt to the recipients in FILE, one a line; may be repeated.",
)
@click.option(
    "-r",
    "--recipient",
    type=Recipient(),
    multiple=True,
    metavar="AGE1...",
    help="Encrypt to anyone who has the identity that belongs to this recipient, in age's format, instead of with a key; may "
    "be repeated.",
)
@pass_inputs
def encrypt(inputs: Inputs, /, source: str, target: str, **values: Any) -> None:
    """Encrypt IN to OUT with the primary key of the keyset, with a passphrase, or to recipients; - is the standard input or
    output.

    OUT appears only when it is complete. The key determines its format; with recipients it is age's. It can be
    decrypted as a whole or in part.
    """
    lock = _lock_of_new_file(inputs, values, source, target)
    _work(inputs, values, source, target).encrypt(lock)


@click.command(
    short_help="Decrypt a file, a part of it, or a stream.",
    epilog=examples(
        "runnel decrypt --key key.json photos.sealed photos-again.tar",
        "runnel decrypt --key key.json --range 1M:2M photos.sealed - | wc -c",
        "runnel decrypt --passphrase photos.locked photos-again.tar",
        "runnel decrypt --identity identity.txt photos.age photos-again.tar",
    ),
)
@_shared(_several_keyfiles_option)
@click.option(
    "-i",
    "--identity",
    type=FileName(),
    multiple=True,
    metavar="FILE",
    help="The file with identities that keygen --template age or age-keygen made, for a file in age's format; may be "
    "repeated.",
)
@click.option(
    "--range",
    "extent",
    type=Extent(),
    metavar="START:END",
    default=":",
    help="Only these bytes of the plaintext, counted from 0, without the one at END; either may be empty, and 64M works "
    "too. An END beyond the plaintext means its end, a START beyond it is an error. IN must be able to seek; its last "
    "segment is verified too.",
)
@pass_inputs
def decrypt(inputs: Inputs, /, source: str, target: str, extent: tuple[int, int | None], **values: Any) -> None:
    """Decrypt IN to OUT with the matching key of the keyset, a passphrase or an identity; - is the standard input or output.

    Without --key or --identity a file that is locked with a passphrase is recognized, and the terminal prompts for
    the passphrase.

    OUT appears when it is complete and verified. The standard output gets verified segments as they come: until the
    exit status is 0, the end may be missing.
    """
    lock = _lock_of_file(inputs, values, source)
    _work(inputs, values, source, target).decrypt(lock, *extent)


_NO_KEY = "no key: use --key FILE, --key-env NAME, or --passphrase"


def _usage(message: str) -> click.UsageError:
    return click.UsageError(message, click.get_current_context())


def _lock_of_new_file(inputs: Inputs, values: dict[str, Any], source: str, target: str) -> Lock:
    """Return the keyset, or the new passphrase of the file called target."""
    keyfile, variable, passphrase = values["keyfile"], values["variable"], values["passphrase"]
    files = values["recipients_file"]
    check_one_reader(
        key=keyfile,
        passphrase_file=passphrase.file,
        recipients_file=STANDARD if STANDARD in files else None,
        aad=values["aad"],
        IN=source,
    )
    if keyfile is not None and variable is not None:
        raise _usage("use either --key or --key-env")
    has_key = keyfile is not None or variable is not None
    recipients = values["recipient"] or files
    _refuse_kms_without_key(values, has_key)
    if recipients and (has_key or passphrase.given):
        raise _usage("use either recipients, or a key or passphrase")
    if recipients or (values["age"] and passphrase.given and not has_key):
        _refuse_associated_data(values)
        if recipients:
            return recipients_in(inputs, values["recipient"], files, armor=values["armor"])
        lock: Lock = people().Recipients(passphrase.read(inputs, of=target, new=True), armor=values["armor"])
        return lock
    if values["age"] or values["armor"]:
        raise _usage("--age and --armor need --recipient or --passphrase, and no key")
    if keyfile is not None or variable is not None:
        return keyset_in(
            inputs, keyfile, variable, passphrase, kms_command=values["kms_command"], locked=passphrase.given
        )
    if not passphrase.given:
        raise _usage(_NO_KEY)
    given: Lock = passphrase.read(inputs, of=target, new=True)
    return given


def _refuse_kms_without_key(values: dict[str, Any], has_key: bool) -> None:
    if values["kms_command"] is not None and not has_key:
        raise _usage("--kms-command needs --key or --key-env")


def _refuse_associated_data(values: dict[str, Any]) -> None:
    if values["aad"] or values["name"] is not None:
        raise _usage("age's format has neither associated data (--aad) nor a name that it is bound to (--name)")


def _lock_of_file(inputs: Inputs, values: dict[str, Any], source: str) -> Lock:
    """Return the keysets, of which any may fit, or what opens the file called source with a passphrase."""
    keyfiles, variable, passphrase = values["keyfile"], values["variable"], values["passphrase"]
    if len(set(keyfiles)) < len(keyfiles):
        raise _usage("option '--key' is given more than once with the same file")
    identities = values["identity"]
    check_one_reader(
        key=STANDARD if STANDARD in keyfiles else None,
        identity=STANDARD if STANDARD in identities else None,
        passphrase_file=passphrase.file,
        aad=values["aad"],
        IN=source,
    )
    if identities:
        if keyfiles or variable is not None:
            raise _usage("use either --identity or a key")
        _refuse_associated_data(values)
        return identities_in(inputs, identities, passphrase)
    places: list[tuple[str | None, str | None]] = [(keyfile, None) for keyfile in keyfiles]
    if variable is not None:
        places.append((None, variable))
    locked = passphrase.given and len(places) == 1
    keysets = [
        keyset_in(inputs, keyfile, name, passphrase, kms_command=values["kms_command"], locked=locked)
        for keyfile, name in places
    ]
    _refuse_kms_without_key(values, bool(keysets))
    if keysets:
        return keysets[0] if len(keysets) == 1 else AnyOf(keysets)
    if passphrase.given:
        given: Lock = passphrase.read(inputs, of=source)
        return given
    return _AskedFor(inputs, passphrase)


class _AskedFor(FileLock):
    """The passphrase of a file that turns out to need one."""

    def source(self, source: Source) -> Source:
        return imported("runnel.sealed.age.armor").without_armor(source)  # type: ignore[no-any-return]

    def __init__(self, inputs: Inputs, passphrase: PassphraseSource) -> None:
        self._inputs = inputs
        self._passphrase = passphrase

    def keys_of_file(self, name: str, read: ReadAt) -> tuple[Keys, int]:
        header = imported("runnel.sealed.age.header")
        if header.begins(read):
            if not people().needs_passphrase(name, read):
                raise _usage("no identity: the file is encrypted to recipients: use --identity FILE")
        elif not is_wrapped(read):
            raise _usage(_NO_KEY)
        return self._passphrase.read(self._inputs, of=name).keys_of_file(name, read)


def _work(inputs: Inputs, values: dict[str, Any], source: str, target: str) -> FileWork:
    aad, name = associated_data(inputs, values["aad"]), values["name"]
    aad = aad if name is None else bound(aad, name)
    return FileWork(inputs, source, target, aad=aad, force=values["force"], quiet=values["quiet"])
