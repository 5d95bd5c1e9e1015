"""What is meant by a name that is to be forgotten, and all that goes with it."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import polars as pl
import zstandard

from rag_platform.errors import NotFound, SettingsError
from rag_platform.forgetting.suppression import KINDS, Entry, Kind, target_hash
from rag_platform.inventory import catalogs, find_documents, known_documents, only_one
from rag_platform.parts import Workspace
from rag_platform.records import PUBLIC, document_id
from rag_platform.store import write_bytes


@dataclass(frozen=True, slots=True)
class Target:
    """What was named."""

    kind: Kind
    name: str
    doc_ids: frozenset[str]


@dataclass(frozen=True, slots=True)
class Remains:
    """What there is to look for. It holds what is to be forgotten, so it lies in a file only until that is done."""

    doc_ids: frozenset[str]
    addresses: tuple[str, ...]
    texts: tuple[str, ...]
    """Every text that a document had, in the tables and in the versions."""
    principal: str | None
    """Whose answers, chats and feedback go too."""

    def save(self, path: Path) -> None:
        """Write it down, for whoever has to go on after a kill."""
        content = asdict(self) | {"doc_ids": sorted(self.doc_ids)}
        write_bytes(path, zstandard.compress(json.dumps(content).encode()))

    @classmethod
    def load(cls, path: Path) -> "Remains":
        """Read what `save` wrote."""
        content = json.loads(zstandard.decompress(path.read_bytes()))
        lists = {name: tuple(content[name]) for name in ("addresses", "texts")}
        return cls(frozenset(content["doc_ids"]), **lists, principal=content["principal"])


def recognise(workspace: Workspace, name: str, kind: str | None = None) -> Target:
    """Tell what a name means; `NotFound` or `SettingsError` when that is not clear."""
    if kind not in (None, *KINDS):
        raise SettingsError(f"--kind {kind!r}: expected one of {', '.join(KINDS)}")
    if name == PUBLIC:
        raise SettingsError(f"{PUBLIC!r} is everyone; forget sources or documents instead")
    meanings = {"source": _is_source, "principal": _is_principal, "uri": _is_document}
    meant = [one for one, fits in meanings.items() if kind in (None, one) and fits(workspace, name)]
    if len(meant) > 1:
        raise SettingsError(f"{name!r} is the name of a {' and of a '.join(meant)}; say which with --kind")
    if not meant:
        what = {"source": "source", "principal": "principal", "uri": "document"}
        raise NotFound(
            f"{name!r} is no {' and no '.join(what[one] for one in ([kind] if kind else meanings))} known here"
        )
    return Target(meant[0], name, frozenset(_documents(workspace, meant[0], name)))


def remains(workspace: Workspace, entry: Entry) -> Remains:
    """Gather what is still there of what an entry names."""
    wanted = frozenset(entry.doc_ids)
    known = [one for one in known_documents(workspace) if one.doc_id in wanted]
    texts = {text: None for text in _texts(workspace, wanted) if text}
    principal = None
    if entry.kind == "principal":
        named = (name for name in principals(workspace) if target_hash("principal", name) == entry.target)
        principal = next(named, None)
    return Remains(wanted, tuple(sorted({one.uri for one in known})), tuple(texts), principal)


def principals(workspace: Workspace) -> set[str]:
    """Name everyone who may read something or has asked something."""
    of_settings = {name for source in workspace.settings.sources for name in source.principals}
    of_documents = {name for _, readers in _readers(workspace) for name in readers}
    return (of_settings | of_documents | workspace.journal.principals()) - {PUBLIC, ""}


def _is_source(workspace: Workspace, name: str) -> bool:
    known = {source.id for source in workspace.settings.sources}
    return name in known | {one.source for one in known_documents(workspace)}


def _is_principal(workspace: Workspace, name: str) -> bool:
    return name in principals(workspace)


def _is_document(workspace: Workspace, name: str) -> bool:
    return bool(find_documents(known_documents(workspace), name))


def _documents(workspace: Workspace, kind: Kind, name: str) -> Iterator[str]:
    if kind == "uri":
        yield only_one(find_documents(known_documents(workspace), name), name).doc_id
    elif kind == "source":
        yield from (one.doc_id for one in known_documents(workspace) if one.source == name)
    else:
        yield from _only_of(workspace, name)


def _only_of(workspace: Workspace, principal: str) -> Iterator[str]:
    """Name the documents that nobody else may read, as the settings say today or, of former sources, said last."""
    rule = workspace.suppression.rule()
    rule = replace(rule, principals=rule.principals | {target_hash("principal", principal)})
    today = {source.id: rule.nobody_left(source.principals) for source in workspace.settings.sources}
    theirs = {doc_id: rule.nobody_left(readers) for doc_id, readers in _readers(workspace)}
    for one in known_documents(workspace):
        if today.get(one.source, theirs.get(one.doc_id, False)):
            yield one.doc_id


def _readers(workspace: Workspace) -> Iterator[tuple[str, list[str]]]:
    """Yield (doc_id, principals) of every document, the newest statement last."""
    for catalog in catalogs(workspace):
        yield from catalog.addresses().select("doc_id", "principals").iter_rows()
    for source in workspace.store.sources("documents"):
        yield from workspace.store.read("documents", source).select("doc_id", "principals").iter_rows()


def _texts(workspace: Workspace, doc_ids: frozenset[str]) -> Iterator[str]:
    for frame in _frames(workspace):
        yield from frame.filter(pl.col("doc_id").is_in(list(doc_ids)))["text"]


def kept_texts(workspace: Workspace, doc_ids: frozenset[str]) -> Iterator[str]:
    """Yield the texts of all other documents, and what their raw bytes say beside them."""
    for frame in _frames(workspace):
        yield from frame.filter(~pl.col("doc_id").is_in(list(doc_ids)))["text"].drop_nulls().unique()
    for source in workspace.store.sources("raw"):
        raw = workspace.store.read("raw", source).filter(pl.col("sha256").is_not_null())
        for uri, sha256 in raw.select("uri", "sha256").iter_rows():
            if document_id(source, uri) not in doc_ids and workspace.store.blobs.path(sha256).exists():
                yield workspace.store.blobs.get(sha256).decode("utf-8", "ignore")


def _frames(workspace: Workspace) -> Iterator[pl.DataFrame]:
    for source in workspace.store.sources("documents"):
        yield workspace.store.read("documents", source)
    for catalog in catalogs(workspace):
        yield catalog.documents()
