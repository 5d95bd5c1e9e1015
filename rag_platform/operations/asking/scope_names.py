"""What can be named in a question: the collections and documents that somebody may read, as they are called."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rag_platform.operations.search_scope import readable_facets
from rag_platform.people.chat_scopes import ChatScope
from rag_platform.workspace import Workspace

Kind = Literal["collection", "document"]
_PLAIN = re.compile(r"\w(?:[\w./-]*\w)?")


@dataclass(frozen=True, slots=True)
class ScopeName:
    """Something that a question may be answered from."""

    kind: Kind
    id: str
    title: str
    """As people call it."""
    sign: str
    """What names it in a question."""


def complete(workspace: Workspace, typed: str, principals: Sequence[str], most: int = 8) -> list[ScopeName]:
    """Return what somebody may mean who typed `#` or `@` and some letters; anything else means nothing."""
    words = typed[1:].strip().strip('"')
    if typed.startswith("#"):
        return _collections(workspace, words, principals)[:most]
    if not typed.startswith("@"):
        return []
    found = workspace.versions.live().catalog.titled(words, principals, most)
    return [_document(row["doc_id"], row["title"] or row["uri"]) for row in found]


def named(workspace: Workspace, scope: ChatScope, principals: Sequence[str]) -> list[ScopeName]:
    """Return what a scope names, as far as these principals may read it."""
    catalog = workspace.versions.live().catalog
    known = {one.id: one for one in _collections(workspace, "", principals)} if scope.collections else {}
    readable = sorted(catalog.readable(scope.documents, principals)) if scope.documents else []
    rows = catalog.rows_of("documents", readable, "doc_id", "title", "uri").to_dicts() if readable else []
    titles = {row["doc_id"]: row["title"] or row["uri"] for row in rows}
    documents = [_document(one, titles[one]) for one in scope.documents if one in titles]
    return [known[one] for one in scope.collections if one in known] + documents


def _collections(workspace: Workspace, words: str, principals: Sequence[str]) -> list[ScopeName]:
    held, titles = readable_facets(workspace, principals)["collection"], workspace.titles(principals)
    found = [
        ScopeName("collection", one, titles.get(one, one).partition(": ")[0], f"#{_quoted(one)}") for one in held if one
    ]
    folded = words.casefold()
    return [one for one in found if folded in one.id.casefold() or folded in one.title.casefold()]


def _document(doc_id: str, title: str) -> ScopeName:
    return ScopeName("document", doc_id, title, "@" + (doc_id if '"' in title else _quoted(title)))


def _quoted(name: str) -> str:
    return name if _PLAIN.fullmatch(name) else f'"{name}"'
