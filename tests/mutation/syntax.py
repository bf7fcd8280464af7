# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Functions of a file in C or Python, and patterns over their syntax.

A pattern is an expression or some statements, in which `$name` stands for any part of the syntax (the same part wherever the
name comes again) and `$$name` for any number of parts: `if ($a == 0) $then;`. Since names of the code need not be in it, a
fault that is planted by a pattern stays where it is when something is renamed or laid out anew."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import tree_sitter
import tree_sitter_c
import tree_sitter_python
from tree_sitter import Node

ANY = re.compile(r"\$(\$?)([a-z]\w*)")
HOLE = re.compile(rb"(ANY|MANY)_(\w+)_")
BODY = b"void body(void) {"  # what the body of a macro is parsed in
Bound = dict[str, bytes]


class NotFound(Exception):
    """A pattern fits nothing, or more than one place."""


@dataclass(frozen=True)
class Language:
    parser: tree_sitter.Parser
    before: str
    """Text before statements, so that they are a function."""
    statements: str
    """The type of the node that has them."""

    def parse(self, text: bytes) -> Node:
        return self.parser.parse(text).root_node


@functools.cache
def c() -> Language:
    return Language(
        tree_sitter.Parser(tree_sitter.Language(tree_sitter_c.language())), "void f(void) {", "compound_statement"
    )


@functools.cache
def python() -> Language:
    return Language(tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language())), "", "module")


def language_of(path: Path) -> Language:
    return python() if path.suffix == ".py" else c()


@dataclass(frozen=True)
class Function:
    """A function, a macro with parameters, or a table: whatever has code of its own."""

    name: str
    node: Node
    """Its syntax. A macro's body is parsed apart, and its nodes begin at 0."""
    at: int = 0
    """Offset from positions of nodes to those in the file."""


def nodes_below(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from nodes_below(child)


def functions(text: bytes, language: Language) -> list[Function]:
    """Return all functions of a file; those of a class are called Class.function."""
    root = language.parse(text)
    if language is python():
        return list(_of_python(root, ""))
    return [function for node in _outer(root) for function in _of_c(node, text)]


def _of_python(node: Node, prefix: str) -> Iterator[Function]:
    for child in node.named_children:
        if child.type == "function_definition":
            yield Function(prefix + _text(child.child_by_field_name("name")), child)
        elif child.type == "class_definition":
            name = _text(child.child_by_field_name("name"))
            yield from _of_python(child, f"{prefix}{name}.")
        else:
            yield from _of_python(child, prefix)


def _outer(node: Node) -> Iterator[Node]:
    """Return what is outside of all functions, also in the parts of an #if."""
    for child in node.named_children:
        if child.type.startswith("preproc_") and child.type not in ("preproc_def", "preproc_function_def"):
            yield from _outer(child)
        else:
            yield child


def _of_c(node: Node, text: bytes) -> Iterator[Function]:
    if node.type == "function_definition":
        yield Function(_declared(node), node)
        for child in nodes_below(node):
            if child.type == "preproc_function_def":
                yield from _of_c(child, text)
    elif node.type == "preproc_function_def" and (body := node.child_by_field_name("value")) is not None:
        joined = text[body.start_byte : body.end_byte].replace(b"\\\n", b" \n")
        parsed = c().parse(BODY + joined + b";}")
        yield Function(_text(node.child_by_field_name("name")), parsed, body.start_byte - len(BODY))
    elif node.type == "declaration" and any(child.type == "init_declarator" for child in node.children):
        yield Function(_declared(node), node)


def _declared(node: Node) -> str:
    """Return the name of what is declared: of macros before it the grammar does not know that they are none."""
    declarator: Node | None = node
    while declarator is not None and declarator.type != "identifier":
        inner = declarator.child_by_field_name("declarator")
        names = [child for child in declarator.named_children if child.type == "identifier"]
        declarator = inner if inner is not None else (names[0] if names else None)
    return _text(declarator) if declarator is not None else "?"


def _text(node: Node | None) -> str:
    return node.text.decode() if node is not None and node.text is not None else "?"


# --- patterns ----------------------------------------------------------------------------------------------------------


def _significant(node: Node) -> list[Node]:
    return [child for child in node.children if not child.is_extra]


def _pattern(text: str, language: Language) -> list[Node]:
    """Return the nodes of a pattern: one expression, or statements."""
    holes = ANY.sub(lambda found: f"{'MANY' if found[1] else 'ANY'}_{found[2]}_", text.strip())
    if language is python():
        return language.parse(holes.encode()).named_children
    if holes.startswith("{"):
        before, after, wanted = "int x[] = ", ";", "initializer_list"
    elif holes.endswith((";", "}")):
        before, after, wanted = language.before, "}", language.statements
    else:
        before, after, wanted = f"{language.before} x = (", ");}", "parenthesized_expression"
    root = language.parse(f"{before}{holes}{after}".encode())
    node = next(each for each in nodes_below(root) if each.type == wanted)
    return [node] if wanted == "initializer_list" else node.named_children


def _hole(pattern: Node) -> tuple[str, str] | None:
    """Return the kind and name of a hole."""
    inner = pattern
    while (
        inner.type in ("expression_statement", "parenthesized_expression", "block") and len(inner.named_children) == 1
    ):
        if inner.type == "parenthesized_expression":
            break
        inner = inner.named_children[0]
    found = HOLE.fullmatch(inner.text or b"") if not inner.named_children else None
    return (found[1].decode(), found[2].decode()) if found else None


def _fits(pattern: Node, node: Node, bound: Bound) -> Bound | None:
    hole = _hole(pattern)
    if hole is not None and node.is_named:
        text = node.text or b""
        if pattern.type != "expression_statement" and node.type == "expression_statement":
            return None
        return bound | {hole[1]: text} if bound.get(hole[1], text) == text else None
    if pattern.type != node.type:
        return None
    ours, theirs = _significant(pattern), _significant(node)
    if not ours and not theirs:
        return bound if pattern.text == node.text else None
    return _fit_all(ours, theirs, bound)


def _fit_all(patterns: Sequence[Node], nodes: Sequence[Node], bound: Bound) -> Bound | None:
    """Match the patterns with all of the nodes, one after the other."""
    if not patterns:
        return bound if not nodes else None
    hole = _hole(patterns[0])
    if hole is not None and hole[0] == "MANY":
        for count in range(len(nodes) + 1):
            if any(not each.is_named and each.type in "){}(]" for each in nodes[:count]):
                return None
            whole = nodes[0].parent
            text = b""
            if count and whole is not None and whole.text is not None:
                begins = nodes[0].start_byte - whole.start_byte
                text = whole.text[begins : nodes[count - 1].end_byte - whole.start_byte]
            rest = _fit_all(patterns[1:], nodes[count:], bound | {hole[1]: text})
            if rest is not None:
                return rest
        return None
    if not nodes:
        return None
    first = _fits(patterns[0], nodes[0], bound)
    return _fit_all(patterns[1:], nodes[1:], first) if first is not None else None


@dataclass(frozen=True)
class Place:
    """Where a pattern fits, in the file, and what its holes stand for."""

    function: str
    start: int
    end: int
    bound: tuple[tuple[str, bytes], ...]


def _places(function: Function, patterns: Sequence[Node]) -> Iterator[Place]:
    for node in nodes_below(function.node):
        children = [child for child in node.named_children if not child.is_extra]
        for i in range(len(children) - len(patterns) + 1):
            run = children[i : i + len(patterns)]
            bound: Bound | None = {}
            for pattern, child in zip(patterns, run, strict=True):
                bound = _fits(pattern, child, bound) if bound is not None else None
            if bound is not None:
                start, end = run[0].start_byte, run[-1].end_byte
                yield Place(function.name, function.at + start, function.at + end, tuple(sorted(bound.items())))


def find(text: bytes, language: Language, function: str, pattern: str) -> Place:
    """Find the only place where a pattern fits: in the function of that name; where none is called so any more, in the file.
    Raises NotFound."""
    patterns = _pattern(pattern, language)
    all_ = functions(text, language)
    named = [each for each in all_ if each.name.rpartition(".")[2] == function]
    places = {place for each in named or all_ for place in _places(each, patterns)}
    spans = {(place.start, place.end) for place in places}
    if len(spans) != 1:
        raise NotFound(f"{len(spans)} places have: {pattern}")
    return places.pop()


def replaced(text: bytes, place: Place, new: str) -> bytes:
    """Return the text in which `new`, with what the holes stand for, is at the place of the pattern."""
    column = place.start - (text.rfind(b"\n", 0, place.start) + 1)
    lines = new.strip().replace("\n", "\n" + " " * column)
    bound = dict(place.bound)
    whole = ANY.sub(lambda found: bound[found[2]].decode(), lines).encode()
    return text[: place.start] + whole + text[place.end :]


def patched(text: bytes, language: Language, function: str, old: str, new: str) -> bytes:
    """Return the text with a pattern's only place in a function changed. Raises NotFound."""
    return replaced(text, find(text, language, function, old), new)


def patch(path: Path, function: str, old: str, new: str) -> None:
    """Change a file as `patched` says. Raises NotFound."""
    path.write_bytes(patched(path.read_bytes(), language_of(path), function, old, new))


def names(functions_: Iterable[Function]) -> list[str]:
    return [function.name for function in functions_]
