"""Searching for what was removed: as anyone could, through every way of searching, and byte by byte in every file."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import zstandard

from rag_platform.config.settings import MODES, Mode
from rag_platform.core.errors import ModelError
from rag_platform.core.hits import Filters
from rag_platform.core.ids import digest
from rag_platform.erasure.packed_files import PackedFiles
from rag_platform.erasure.targets import Remains, principals
from rag_platform.erasure.text_fingerprints import Fingerprints
from rag_platform.index.releases.versions import Versions
from rag_platform.index.vectors.spaces import stored_spaces
from rag_platform.storage.columnar.duckdb_instance import opened
from rag_platform.storage.relational.copied_tables import texts_of
from rag_platform.text.sentences import split_sentences
from rag_platform.workspace import Workspace

_SENTENCES = 20
"""Sentences searched for, the longest of each text first."""
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class Proof:
    """What was looked for, where, and what was found."""

    sentences: tuple[str, ...]
    """Hashes of the removed documents' own sentences that were searched for."""
    modes: tuple[str, ...]
    versions: tuple[str, ...]
    searches: int
    hits: int
    found_by_search: tuple[str, ...]
    """"<version> <mode> <hash of the sentence>" of each search that found something of a removed document."""
    passages: int
    """Hashes of passages that no other document has, for which the files were read."""
    files: int
    bytes: int
    """Read, after decompression."""
    found_in_files: tuple[str, ...]
    unread: tuple[str, ...]
    """Files that could not be read, with the reason."""
    notes: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing was found and everything was read."""
        return not (self.found_by_search or self.found_in_files or self.unread)

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return asdict(self) | {"holds": self.holds}


def prove(workspace: Workspace, remains: Remains, prints: Fingerprints, *, ignore: Path | None = None) -> Proof:
    """Search for what was removed in every kept version and in every file below data/ but `ignore`."""
    sentences = _sentences(remains.texts)
    modes, notes = _modes(workspace, sentences)
    searched, hits, found = 0, 0, []
    everyone = Filters(principals=tuple(sorted(principals(workspace))))
    unguarded = workspace.retriever_of(None)  # who may read is left aside: nobody may, once something is forgotten
    unguarded.versions = Versions(workspace.versions.folder, exact_below=workspace.settings.index.exact_below)
    for version, mode, sentence in _searches(workspace, modes, sentences):
        result = unguarded.search(sentence, k=10, mode=mode, version=version, filters=everyone)
        searched, hits = searched + 1, hits + len(result.hits)
        if any(hit.doc_id in remains.doc_ids or prints.quotes(hit.text) for hit in result.hits):
            found.append(f"{version} {mode} {digest(sentence)}")
    workspace.store.bring_here()
    files = [path for path in sorted(workspace.settings.data.rglob("*")) if path.is_file() and path != ignore]
    packed = PackedFiles(workspace)
    read, quoting, unread = _scan([path for path in files if not _is_benchmark(workspace, path)], prints, packed)
    notes += packed.notes()
    names = [path.relative_to(workspace.settings.data).as_posix() for path in quoting]
    for schema in workspace.server_tables():
        texts = [*texts_of(schema)]
        read += sum(map(len, texts))
        names += [f"schema {schema.schema} of [scale] database"] if any(map(prints.quotes, texts)) else []
    return Proof(
        sentences=tuple(map(digest, sentences)),
        modes=tuple(modes),
        versions=tuple(workspace.versions.ids()),
        searches=searched,
        hits=hits,
        found_by_search=tuple(found),
        passages=len(prints),
        files=len(files),
        bytes=read,
        found_in_files=tuple(names),
        unread=tuple(unread),
        notes=tuple(notes),
    )


def readable_texts(path: Path) -> Iterator[str]:
    """Yield all that can be read in a file, whatever it is packed in; its own bytes too."""
    if path.suffix == ".zst":
        yield zstandard.decompress(path.read_bytes()).decode("utf-8", "ignore")
    elif path.suffix == ".parquet":
        yield from _columns(pl.read_parquet(path))
    elif path.suffix == ".duckdb":
        with opened(path, read_only=True) as connection:
            for (table,) in connection.execute("from (show tables) select name").fetchall():
                yield from _columns(connection.sql(f'select * from "{table}"').pl())
    else:
        content = path.read_bytes()
        if content.startswith(b"SQLite format 3\0"):
            yield from _rows(path)
        text = content.decode("utf-8", "ignore")
        yield text
        if "\\u" in text:  # JSON that was written in ASCII
            yield content.decode("raw_unicode_escape", "ignore")


def _columns(frame: pl.DataFrame) -> Iterator[str]:
    for name, kind in frame.schema.items():
        if kind == pl.String:
            yield "\n".join(frame[name].drop_nulls())


def _rows(path: Path) -> Iterator[str]:
    with closing(sqlite3.connect(path)) as connection:
        tables = connection.execute("select name from sqlite_master where type = 'table'").fetchall()
        for (table,) in tables:
            for row in connection.execute(f'select * from "{table}"'):
                yield "\n".join(value for value in row if isinstance(value, str))


def _scan(paths: Sequence[Path], prints: Fingerprints, packed: PackedFiles) -> tuple[int, list[Path], list[str]]:
    read, quoting, unread = 0, [], []
    for path in paths:
        try:
            for text in chain(readable_texts(path), packed.texts(path)):
                read += len(text)
                if prints.quotes(text):
                    quoting.append(path)
                    break
        except FileNotFoundError:
            continue  # a log of SQLite that was checkpointed meanwhile
        except (OSError, zstandard.ZstdError, pl.exceptions.PolarsError, duckdb.Error, sqlite3.Error) as error:
            unread.append(f"{path}: {error}")
    return read, quoting, unread


def _is_benchmark(workspace: Workspace, path: Path) -> bool:
    return path.is_relative_to(workspace.settings.data / "evals" / "beir")


def _sentences(texts: Sequence[str]) -> list[str]:
    """Return the longest sentences of each text in turn, until there are enough."""
    queues = [sorted(_of_text(text), key=len, reverse=True) for text in texts[:_SENTENCES]]
    chosen: dict[str, None] = {}
    for place in range(_SENTENCES):
        chosen |= {queue[place]: None for queue in queues if place < len(queue)}
    return [*chosen][:_SENTENCES]


def _of_text(text: str) -> Iterator[str]:
    for sentence in split_sentences(text[:100_000]):
        yield " ".join(text[sentence.start : sentence.end].split())[:_LONGEST]


def _modes(workspace: Workspace, sentences: Sequence[str]) -> tuple[Sequence[Mode], list[str]]:
    """Return the ways of searching that are possible here."""
    if not sentences or not workspace.versions.ids():
        return (), ["nothing was searched for: no text or no version was there"]
    try:
        _ = workspace.embedder
    except ModelError as error:
        return ("lexical",), [f"only the lexical search could be tried: {error}"]
    return MODES, []


def _searches(workspace: Workspace, modes: Sequence[Mode], sentences: Sequence[str]) -> Iterator[tuple[str, Mode, str]]:
    for version in workspace.versions.ids():
        same = len(modes) > 1 and workspace.embedders.serve(
            space.model for space in stored_spaces(workspace.versions.manifest(version))
        )
        for mode in modes:
            if mode == "lexical" or same:  # vectors of a model that is not here cannot be asked
                yield from ((version, mode, sentence) for sentence in sentences)
