# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Small faults that code can have, made of its syntax: another operator, a limit that is off by one, a condition that is
turned round, a statement that is left out, two arguments that change places.

Why no tool that there is: mutmut and cosmic-ray run a suite in their own process or in the working tree, where ours starts
commands of an installed package with a compiled part, and neither knows C. Here one engine does for both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from tree_sitter import Node

from mutation import syntax

# Each operator with what it becomes. Where both of a pair would be wrong in the same way, one is enough.
OPERATORS = {
    "+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "//": "*", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "|",
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "and": "or", "or": "and",
    "+=": "-=", "-=": "+=", "*=": "+=", "^=": "|=", "|=": "&=", "&=": "|=", "<<=": ">>=", ">>=": "<<=",
    "++": "--", "--": "++", "is": "is not", "is not": "is", "in": "not in", "not in": "in",
}  # fmt: skip
WITH_OPERATOR = {
    "binary_expression", "assignment_expression", "update_expression", "binary_operator", "boolean_operator",
    "comparison_operator", "augmented_assignment",
}  # fmt: skip
CONDITIONAL = {
    "if_statement", "while_statement", "do_statement", "for_statement", "conditional_expression", "elif_clause",
}  # fmt: skip
# Nodes that say nothing about what the code does.
SILENT = {"type", "type_descriptor", "gnu_asm_expression", "attribute_specifier", "decorator", "string", "comment"}
NOT_COUNTED = {"static_assert", "_Static_assert", "TYPE_CHECKING"}


@dataclass(frozen=True)
class Mutant:
    """One fault in a file."""

    path: str
    function: str
    line: int
    what: str
    start: int
    end: int
    new: bytes

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.function}: {self.what}"

    def applied(self, text: bytes) -> bytes:
        return text[: self.start] + self.new + text[self.end :]


class _Span:
    """From one node to another."""

    def __init__(self, first: Node, last: Node) -> None:
        self.start_byte, self.end_byte = first.start_byte, last.end_byte


Change = tuple[Node | _Span, str, str]
"""Replaced text, replacement, and how that is called."""


def _text(node: Node) -> str:
    return node.text.decode() if node.text is not None else ""


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 60 else words[:57] + "..."


def _operators(node: Node) -> Iterator[Change]:
    if node.type in WITH_OPERATOR:
        for child in node.children:
            if (new := OPERATORS.get(child.type)) is not None and not child.is_named:
                yield child, new, f"{child.type} becomes {new} in {_short(_text(node))}"


def _constants(node: Node) -> Iterator[Change]:
    if node.type in ("number_literal", "integer"):
        text = _text(node)
        digits = text.rstrip("uUlL")
        if (new := _next(digits)) is not None:
            yield node, new + text[len(digits) :], f"{text} becomes {new}"
    elif node.type in ("true", "false"):
        new = {"true": "false", "false": "true", "True": "False", "False": "True"}[_text(node)]
        yield node, new, f"{_text(node)} becomes {new}"


def _next(digits: str) -> str | None:
    try:
        number = int(digits, 0)
    except ValueError:  # an octal number of C's, or a fraction
        return None
    return hex(number + 1) if digits[:2].lower() == "0x" else str(number + 1)


def _conditions(node: Node, language: syntax.Language) -> Iterator[Change]:
    turned = "not ({})" if language is syntax.python() else "!({})"
    if node.type in CONDITIONAL:
        condition = node.child_by_field_name("condition")
        if node.type == "conditional_expression" and condition is None:  # Python: what, if, condition, else, what else
            condition = node.named_children[1] if len(node.named_children) == 3 else None
        if condition is not None and _text(condition) != "1" and not _turned_by_its_operator(condition):
            new = turned.format(_text(condition))
            new = f"({new})" if condition.type == "parenthesized_expression" and language is syntax.c() else new
            yield condition, new, f"{_short(_text(condition))} is turned round"
    elif node.type == "not_operator" or (node.type == "unary_expression" and node.children[0].type in ("!", "~", "-")):
        argument = node.child_by_field_name("argument")
        if argument is not None:
            yield node, _text(argument), f"{_short(_text(node))} loses its sign"


def _turned_by_its_operator(condition: Node) -> bool:
    """Another operator, or none, does the same to it."""
    inner = condition
    while inner.type == "parenthesized_expression" and len(inner.named_children) == 1:
        inner = inner.named_children[0]
    return inner.type == "not_operator" or any(
        child.type in ("==", "!=", "is", "is not", "in", "not in", "!") for child in inner.children
    )


LEFT_OUT = {"expression_statement", "break_statement", "continue_statement", "raise_statement"}


def _deleted(node: Node, language: syntax.Language) -> Iterator[Change]:
    nothing = "pass" if language is syntax.python() else ";"
    early = node.type == "return_statement" and node.parent is not None and _is_early(node.parent)
    is_text = bool(node.named_children) and node.named_children[0].type == "string"
    if early or (node.type in LEFT_OUT and not is_text):
        yield node, nothing, f"{_short(_text(node))} is left out"


def _is_early(parent: Node) -> bool:
    """Tell whether a return there does not end its function."""
    within: Node | None = parent
    while within is not None and within.type in ("compound_statement", "block", "else_clause"):
        within = within.parent
    return within is not None and within.type in ("if_statement", "elif_clause", "while_statement", "for_statement")


IN_ANY_ORDER = {"min", "max"}


def _swapped(node: Node) -> Iterator[Change]:
    function = node.child_by_field_name("function")
    if function is not None and _text(function) not in IN_ANY_ORDER and node.type in ("call_expression", "call"):
        arguments = node.child_by_field_name("arguments")
        given = arguments.named_children if arguments is not None and arguments.type == "argument_list" else []
        for first, second in pairwise(given):
            kinds = {first.type, second.type}
            if first.text != second.text and not kinds & {
                "keyword_argument",
                "list_splat",
                "dictionary_splat",
                "comment",
            }:
                new = f"{_text(second)}, {_text(first)}"
                yield _Span(first, second), new, f"{_short(_text(first))} and {_short(_text(second))} change places"
                return


def _changes(node: Node, language: syntax.Language) -> Iterator[Change]:
    if node.type in SILENT or (node.type in ("call_expression", "call") and _text(node).startswith(tuple(NOT_COUNTED))):
        return
    yield from _operators(node)
    yield from _constants(node)
    yield from _conditions(node, language)
    yield from _deleted(node, language)
    yield from _swapped(node)
    condition = node.child_by_field_name("condition") if node.type.startswith("preproc_") else None
    for child in node.children:
        if child != condition:
            yield from _changes(child, language)


def mutants(path: str, text: bytes) -> list[Mutant]:
    """Return all small faults of a file's functions and macros, one after the other; tables are left out."""
    language = syntax.language_of(Path(path))
    found = {}
    for function in syntax.functions(text, language):
        if function.node.type == "declaration":
            continue
        for node, new, what in _changes(function.node, language):
            start, end = function.at + node.start_byte, function.at + node.end_byte
            if new.encode() != text[start:end]:
                line = text.count(b"\n", 0, start) + 1
                found[start, end, new] = Mutant(path, function.name, line, what, start, end, new.encode())
    return list(found.values())
