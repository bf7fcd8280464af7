# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Why a proof is refused."""


class Refusal(Exception):
    """The claim was not shown."""


class SecretError(Refusal):
    """A secret reaches an address, a branch, or an instruction whose time depends on it."""


class MemoryAccessError(Refusal):
    """Memory is read or written that the contract does not allow, or read before it is written."""


class UnknownInstructionError(Refusal):
    """There are no semantics for an instruction."""
