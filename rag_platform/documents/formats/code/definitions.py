"""The functions, classes and other definitions of a program, by their lines."""

import ast
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

_GRAMMARS = {
    "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "java": ("tree_sitter_java", "language"),
    "go": ("tree_sitter_go", "language"),
    "rust": ("tree_sitter_rust", "language"),
    "c": ("tree_sitter_c", "language"),
    "cpp": ("tree_sitter_cpp", "language"),
    "csharp": ("tree_sitter_c_sharp", "language"),
    "ruby": ("tree_sitter_ruby", "language"),
    "php": ("tree_sitter_php", "language_php"),
}
_FUNCTIONS = frozenset(
    ("function_declaration", "generator_function_declaration", "function_definition", "method_definition", "method",
     "method_declaration", "constructor_declaration", "destructor_declaration", "operator_declaration", "function_item",
     "singleton_method", "local_function_statement", "property_declaration", "delegate_declaration", "macro_definition")
)  # fmt: skip
_CONTAINERS = frozenset(
    ("class_declaration", "class_definition", "class_specifier", "struct_specifier", "union_specifier",
     "enum_specifier",
     "interface_declaration", "abstract_class_declaration", "impl_item", "trait_item", "mod_item", "struct_item",
     "enum_item", "union_item", "namespace_definition", "namespace_declaration", "internal_module", "module", "class",
     "enum_declaration", "record_declaration", "struct_declaration", "trait_declaration", "type_alias_declaration",
     "annotation_type_declaration", "type_spec")
)  # fmt: skip
_VALUES = frozenset(("arrow_function", "function_expression", "function", "class", "generator_function"))
_COMMENT = re.compile(r"\s*(?:#(?!\s*(?:include|define|if|endif|pragma))|//|/\*|\*|@\w|///|--|\[\w)")
_LIKELY = re.compile(
    r"(?:[\w@]+[ \t]+){0,4}(?:def|class|function|func|fun|fn|sub|module|defmodule|interface|trait|struct|object"
    r"|protocol|message|service|resource|extension|enum)[ \t]+[\"']?([\w.:]+)"
    r"|create[ \t]+(?:or[ \t]+replace[ \t]+)?(?:table|view|function|procedure|trigger|index)[ \t]+"
    r"(?:if[ \t]+not[ \t]+exists[ \t]+)?([\w.\"`]+)"
    r"|([A-Za-z_][\w-]*)[ \t]*\(\)[ \t]*\{"
    r"|([A-Za-z_.][\w.]*)[ \t]*(?:<-|=)[ \t]*function\b"
    r"|\[+([\w.-]+)\]+[ \t]*$",
    re.IGNORECASE,
)
"""How a definition may begin in languages that no parser is at hand for."""
_DEEPEST = 60


@dataclass(frozen=True, slots=True)
class Definition:
    """A function, class or the like, with those within it."""

    name: str
    start: int
    """Its first line, from 0, comments and decorators directly above included."""
    end: int
    """The line after its last."""
    inner: tuple["Definition", ...] = ()


def find_definitions(text: str, language: str) -> list[Definition]:
    """Return the definitions of a program in order; they do not overlap."""
    lines = text.split("\n")
    found: list[Definition] | None = None
    if language == "python":
        found = _python(text, lines)
    elif language in _GRAMMARS:
        found = _parsed(text, lines, language)
    return _guessed(lines) if found is None else found


def _python(text: str, lines: Sequence[str]) -> list[Definition] | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes in its strings, which are not ours to mend
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return _python_inner(tree, lines, 0)


def _python_inner(node: ast.AST, lines: Sequence[str], floor: int) -> list[Definition]:
    found: list[Definition] = []
    for one in getattr(node, "body", ()):
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            first = min([one.lineno, *(mark.lineno for mark in one.decorator_list)]) - 1
            start, end = _with_comments(lines, first, floor), one.end_lineno or one.lineno
            inner = _python_inner(one, lines, one.lineno) if isinstance(one, ast.ClassDef) else []
            if start >= floor:
                found.append(Definition(one.name, start, end, tuple(inner)))
                floor = end
        elif isinstance(one, ast.If | ast.Try):  # definitions that depend on a version or a package
            inner = _python_inner(one, lines, max(floor, one.lineno))
            found += inner
            floor = max([floor, *(each.end for each in inner)])
    return found


def _parsed(text: str, lines: Sequence[str], language: str) -> list[Definition] | None:
    try:
        from tree_sitter import Language, Parser

        module, function = _GRAMMARS[language]
        grammar = Language(getattr(import_module(module), function)())
    except ImportError:
        return None
    tree = Parser(grammar).parse(text.encode("utf-8", "replace"))
    return _nodes(tree.root_node, lines, 0, 0)


def _nodes(node: Any, lines: Sequence[str], floor: int, depth: int) -> list[Definition]:
    """Return the definitions below a node; those of a function's body are part of it."""
    found: list[Definition] = []
    for one in node.named_children if depth < _DEEPEST else ():
        name = _name(one)
        if not name:
            inner = _nodes(one, lines, floor, depth + 1) if one.type not in _FUNCTIONS else []
            found += inner
            floor = max([floor, *(each.end for each in inner)])
            continue
        first, end = one.start_point[0], one.end_point[0] + (one.end_point[1] > 0)
        start = _with_comments(lines, first, floor)
        if first < floor or end <= start:
            continue
        within = _nodes(one, lines, first + 1, depth + 1) if one.type in _CONTAINERS else []
        found.append(Definition(name, start, end, tuple(each for each in within if each.end <= end)))
        floor = end
    return found


def _name(node: Any) -> str:
    """Return the name that a node defines; "" when it defines nothing."""
    if node.type == "impl_item":
        of, trait = (node.child_by_field_name(field) for field in ("type", "trait"))
        return f"{_text(trait)} for {_text(of)}" if trait else _text(of)
    if node.type in ("lexical_declaration", "variable_declaration", "public_field_definition", "field_definition"):
        one = node if node.child_by_field_name("value") else next(iter(node.named_children), None)
        value = one.child_by_field_name("value") if one else None
        named = one.child_by_field_name("name") or one.child_by_field_name("property") if one else None
        return _text(named) if value and value.type in _VALUES else ""
    if node.type not in _FUNCTIONS and node.type not in _CONTAINERS:
        return ""
    if node.type.endswith("_specifier") and not node.child_by_field_name("body"):
        return ""  # a type that is mentioned
    named = node.child_by_field_name("name")
    declared = node.child_by_field_name("declarator")
    while named is None and declared is not None:
        inner = declared.child_by_field_name("declarator")
        named, declared = (declared, None) if inner is None else (None, inner)
    receiver = node.child_by_field_name("receiver")
    owner = re.search(r"(\w+)(?:\[[^\]]*\])?\s*\)$", _text(receiver)) if receiver else None
    return f"{owner[1]}.{_text(named)}" if owner else _text(named)


def _text(node: Any) -> str:
    return " ".join(node.text.decode("utf-8", "replace").split())[:120] if node is not None else ""


def _guessed(lines: Sequence[str]) -> list[Definition]:
    starts = [
        (number, next(filter(None, match.groups())))
        for number, line in enumerate(lines)
        if (match := _LIKELY.match(line)) and any(match.groups())
    ]
    found: list[Definition] = []
    floor = 0
    ends = [*(number for number, _ in starts[1:]), len(lines)]
    for (number, name), end in zip(starts, ends, strict=False):
        start = _with_comments(lines, number, floor)
        stop = _with_comments(lines, end, number + 1) if end < len(lines) else end
        found.append(Definition(name.strip("\"`'"), start, stop))
        floor = stop
    return found


def _with_comments(lines: Sequence[str], first: int, floor: int) -> int:
    """Return the first of the comment lines directly above a line, not before `floor`."""
    while first > floor and _COMMENT.match(lines[first - 1]):
        first -= 1
    return first
