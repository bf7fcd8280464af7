# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Options that mean the same in every command."""

from __future__ import annotations

import click

from runnel.cli.streams import CommandInputs
from runnel.cli.streams import standard_output as standard_output  # for packages that add commands
from runnel.cli.streams import write_standard_output as write_standard_output
from runnel.cli.values import Command, KeyFileName, ObjectName

quiet_option = click.option("-q", "--quiet", is_flag=True, help="No progress bar.")
json_option = click.option("--json", "as_json", is_flag=True, help="For programs.")
aad_option = click.option(
    "--aad",
    metavar="TEXT|@FILE",
    default="",
    help="Associated data: TEXT in UTF-8, or the bytes of FILE. It is not stored; decryption needs the same.",
)
name_option = click.option(
    "--name",
    type=ObjectName(),
    metavar="NAME",
    help="Bind the file to NAME as well, as runnel store does with --bind-names; decryption needs the same NAME.",
)
keyfile_option = click.option(
    "-k",
    "--key",
    "keyfile",
    type=KeyFileName(),
    metavar="FILE",
    help="The file with the keyset, from keygen or Tink; - is the standard input. If it is locked, the "
    "terminal prompts for the passphrase.",
)
key_env_option = click.option(
    "--key-env",
    "variable",
    metavar="NAME",
    help="The environment variable that holds the keyset, instead of --key; child processes do not inherit it.",
)
kms_option = click.option(
    "--kms-command",
    "kms_command",
    type=Command(),
    metavar="COMMAND",
    help="The keyset is encrypted with the key of a key management service: run COMMAND, which reads that ciphertext and "
    "prints the keyset, as the tools of AWS, Google and Vault do. No shell runs it.",
)
force_option = click.option(
    "-f", "--force", is_flag=True, help="Replace OUT if it exists; write binary data to a terminal."
)


def examples(*lines: str) -> str:
    """Return the end of a command's help: lines for the shell."""
    return "\n".join(["\b", "Example:" if len(lines) == 1 else "Examples:", *(f"  {line}" for line in lines)])


pass_inputs = click.make_pass_decorator(CommandInputs, ensure=True)
