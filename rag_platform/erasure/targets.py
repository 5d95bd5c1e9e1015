"""What is meant by a name that is to be forgotten, and all that goes with it."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl
import zstandard

from rag_platform.core.errors import NotFound, SettingsError
from rag_platform.core.ids import document_id
from rag_platform.core.principals import PUBLIC, private_readers
from rag_platform.erasure.packed_files import PackedFiles
from rag_platform.index.catalog.catalog import Catalog
from rag_platform.journal.references import known_principals
from rag_platform.provenance.inventory import KnownDocument, catalogs, find_documents, known_documents, only_one
from rag_platform.raw.suppression import KINDS, Entry, Kind, readers_of, target_hash
from rag_platform.storage.atomic import write_bytes
from rag_platform.workspace import Workspace

_ORIGIN = ("source", "doc_id", "uri", "raw_uri", "raw_sha256")


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
    archives: tuple[str, ...] = ()
    """Hashes of the bytes of archives that held a document: they go, also when a version has other files of them."""

    def save(self, path: Path) -> None:
        """Write it down, for whoever has to go on after a kill."""
        content = asdict(self) | {"doc_ids": sorted(self.doc_ids)}
        write_bytes(path, zstandard.compress(json.dumps(content).encode()))

    @classmethod
    def load(cls, path: Path) -> "Remains":
        """Read what `save` wrote."""
        content = json.loads(zstandard.decompress(path.read_bytes()))
        lists = {name: tuple(content[name]) for name in ("addresses", "texts", "archives")}
        return cls(frozenset(content["doc_ids"]), **lists, principal=content["principal"])


def recognise(workspace: Workspace, name: str, kind: str | None = None) -> Target:
    """Return what a name means; `NotFound` or `SettingsError` when that is not clear."""
    if kind not in (None, *KINDS):
        raise SettingsError(f"--kind {kind!r}: expected one of {', '.join(KINDS)}")
    if name == PUBLIC:
        raise SettingsError(f"{PUBLIC!r} is everyone; forget sources or documents instead")
    meanings: dict[Kind, Callable[[Workspace, str], bool]] = {
        "source": _is_source,
        "principal": _is_principal,
        "uri": _is_document,
    }
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
    addresses = tuple(sorted({one.uri for one in known}))
    held = (row for row in _of_versions(workspace) if row["doc_id"] in wanted and row["raw_uri"] != row["uri"])
    archives = tuple(sorted({row["raw_sha256"] for row in held}))
    return Remains(wanted, addresses, tuple(texts), principal, archives)


def principals(workspace: Workspace) -> set[str]:
    """Return everyone who may read something or has asked something."""
    of_settings = {name for source in workspace.settings.sources for name in source.principals}
    of_documents = {name for _, readers in _readers(workspace) for name in readers}
    known = of_settings | of_documents | known_principals(workspace.journal) | workspace.access.rules.principals()
    return known - {PUBLIC, ""}


def _is_source(workspace: Workspace, name: str) -> bool:
    known = {source.id for source in workspace.settings.sources}
    return name in known | {one.source for one in known_documents(workspace)}


def _is_principal(workspace: Workspace, name: str) -> bool:
    return name in principals(workspace)


def _is_document(workspace: Workspace, name: str) -> bool:
    return bool(find_documents(known_documents(workspace), name))


def _documents(workspace: Workspace, kind: Kind, name: str) -> Iterator[str]:
    if kind == "uri":
        yield from _with_what_is_in_it(workspace, only_one(find_documents(known_documents(workspace), name), name))
    elif kind == "source":
        yield from (one.doc_id for one in known_documents(workspace) if one.source == name)
    else:
        yield from _only_of(workspace, name)


def _with_what_is_in_it(workspace: Workspace, named: KnownDocument) -> Iterator[str]:
    """Name a document and, of an archive, those that are or were in it; `SettingsError` for one that is in an archive.

    Its bytes are the archive's: they could not be kept, nor be read again, without it. What has left its archive is
    only in versions, and is forgotten alone.
    """
    today = {row["doc_id"]: row["raw_uri"] for row in _of_tables(workspace) if row["raw_uri"] != row["uri"]}
    if archive := today.get(named.doc_id):
        raise SettingsError(
            f"{named.uri!r} lies in {archive!r} and cannot be forgotten alone: its bytes are the archive's. Take the "
            f"file out of the archive at its source, run `rag sync {named.source}`, and forget it then; or forget the "
            "archive with all that is in it"
        )
    yield named.doc_id
    for row in (*_of_tables(workspace), *_of_versions(workspace)):
        if document_id(row["source"], row["raw_uri"]) == named.doc_id:
            yield row["doc_id"]


def _of_tables(workspace: Workspace) -> Iterator[dict[str, Any]]:
    """Yield of each document of today source, doc_id, uri, raw_uri and raw_sha256."""
    for source in workspace.store.sources("documents"):
        documents = workspace.store.read("documents", source).with_columns(source=pl.lit(source))
        yield from documents.select(_ORIGIN).iter_rows(named=True)


def _of_versions(workspace: Workspace) -> Iterator[dict[str, Any]]:
    """Yield the same of the documents in the files of all versions."""
    for _, catalog in catalogs(workspace):
        yield from catalog.stored(*_ORIGIN, planted=True).iter_rows(named=True)


def _only_of(workspace: Workspace, principal: str) -> Iterator[str]:
    """Name the documents that nobody else may read.

    Who may read one is what its source says of it today, else what the source's settings say; of what no source has any
    more, what was said last.
    """
    rule = workspace.suppression.rule()
    rule = replace(rule, principals=rule.principals | {target_hash("principal", principal)})
    theirs = {doc_id: rule.nobody_left(readers) for doc_id, readers in _readers(workspace)}
    yield from (one.doc_id for one in known_documents(workspace) if theirs.get(one.doc_id, False))


def _readers(workspace: Workspace) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield (doc_id, principals) of every document, the newest statement last."""
    for state in (Catalog.stored, Catalog.documents):  # what lives was said after what does not
        for _, catalog in catalogs(workspace):
            yield from state(catalog, "doc_id", "principals").iter_rows()
    for source in workspace.store.sources("documents"):
        yield from workspace.store.read("documents", source).select("doc_id", "principals").iter_rows()
    for settings in workspace.settings.sources:
        raw = workspace.store.read("raw", settings.id).select("uri", "metadata")
        said = {uri: readers_of(metadata) or settings.principals for uri, metadata in raw.iter_rows()}
        yield from ((document_id(settings.id, uri), readers) for uri, readers in said.items())
        made = workspace.store.read("documents", settings.id).select("doc_id", "raw_uri", "private", "owner")
        for doc_id, whole, private, owner in made.iter_rows():
            if whole in said:
                yield doc_id, private_readers(said[whole], owner) if private else said[whole]


def _texts(workspace: Workspace, doc_ids: frozenset[str]) -> Iterator[str]:
    for frame in _frames(workspace):
        yield from frame.filter(pl.col("doc_id").is_in(list(doc_ids)))["text"]


def retained_texts(workspace: Workspace, doc_ids: frozenset[str]) -> Iterator[str]:
    """Yield the texts of all other documents, and what their raw bytes say beside them."""
    for frame in _frames(workspace):
        yield from frame.filter(~pl.col("doc_id").is_in(list(doc_ids)))["text"].drop_nulls().unique()
    packed = PackedFiles(workspace)
    for source in workspace.store.sources("raw"):
        raw = workspace.store.read("raw", source).filter(pl.col("sha256").is_not_null())
        for uri, sha256 in raw.select("uri", "sha256").iter_rows():
            if document_id(source, uri) not in doc_ids and workspace.store.blobs.has(sha256):
                yield workspace.store.blobs.get(sha256).decode("utf-8", "ignore")
                yield from packed.texts(workspace.store.blobs.file(sha256))


def _frames(workspace: Workspace) -> Iterator[pl.DataFrame]:
    for source in workspace.store.sources("documents"):
        yield workspace.store.read("documents", source)
    for _, catalog in catalogs(workspace):
        yield catalog.stored("doc_id", "text")
