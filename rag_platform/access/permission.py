"""The way in: what holds now, read anew as soon as anything that decides on it has changed."""

import logging
import threading
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path

import polars as pl

from rag_platform.access.access_rules import AccessRules, memberships
from rag_platform.access.document_access import DocumentAccess
from rag_platform.access.policy import CollectionReaders, Policy
from rag_platform.access.rule_tables import FileTables, RuleTables
from rag_platform.access.ruled import COLUMNS
from rag_platform.config.sections.sources import SourceSettings
from rag_platform.config.settings import FILE, Settings
from rag_platform.config.settings_file import load_settings
from rag_platform.core.errors import DatabaseUnavailable, RagError, StorageError
from rag_platform.core.ids import digest, document_id
from rag_platform.core.schemas import ACCESS
from rag_platform.storage.relational.shared_records import FORGOTTEN, Key, SharedRecords
from rag_platform.storage.sqlite_reader import SqliteReader
from rag_platform.storage.tables import READERS, Store
from rag_platform.storage.user_cache import file_state


@dataclass(frozen=True, slots=True)
class Listed:
    """What a listing says of an item: its own readers, if any, and its collection."""

    principals: Sequence[str] = ()
    collection: str = ""


CollectionsOf = Callable[[SourceSettings], tuple[Path, Callable[[], CollectionReaders]] | None]
"""Of a source that people fill: the database of its collections, and who may read them; None: it is another one."""


_ASKED: ContextVar[dict["Access", Policy] | None] = ContextVar("asked", default=None)


@contextmanager
def asking_once() -> Iterator[None]:
    """Ask once for what holds: a search asks nine times, which a database on another machine makes felt.

    All of it is of one moment then. Threads that are started within ask for themselves.
    """
    token = _ASKED.set({})
    try:
        yield
    finally:
        _ASKED.reset(token)


class Access:
    """Who may read what, in one workspace. Safe to ask from many threads."""

    def __init__(
        self,
        settings: Settings,
        *,
        forgotten: tuple[Path, Callable[[], frozenset[str]]],
        rules: RuleTables | None = None,
        records: SharedRecords | None = None,
        collections_of: CollectionsOf = lambda _: None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Read what decides from these places.

        Args:
            settings: of the workspace; its rag.toml is read again when it changes.
            forgotten: the file of what was forgotten, and how the ids of those documents are read.
            rules: what people decided; None: it lies in data.
            records: in which all machines find what sources said, and what was forgotten; None: it lies in data.
            collections_of: opens the collections of a source.
            clock: tells when rules end.
        """
        self._file = settings.data / "access.sqlite"
        self.rules = AccessRules(rules or FileTables(self._file))
        self._store, self._records = Store(settings.data, records=records), records
        self._marks: Mapping[Key, str] = {}
        self._home, self._settings_file = settings.home, settings.home / FILE
        self._toml = file_state(self._settings_file)
        self._path_of = cache(partial(self._store.path, "access"))  # asked thousands of times in an evaluation
        self._forgotten = forgotten
        self._collections_of, self._clock = collections_of, clock
        self._lock = threading.RLock()
        self._take(settings.sources)
        self._known: tuple[Hashable, Policy] | None = None
        self._tables: dict[str, tuple[Sequence[Hashable], pl.DataFrame]] = {}

    def documents(self, documents: pl.DataFrame) -> DocumentAccess:
        """Return who may read these documents: doc_id, uri, source, collection, revision, principals and type."""
        return DocumentAccess(self, documents)

    def of_read(self, source: str, rows: pl.DataFrame, principals: Collection[str]) -> set[str]:
        """Return the ids of those rows of a source's documents table that these principals may know of."""
        documents = rows.with_columns(source=pl.lit(source)).select(COLUMNS)
        return set(documents.filter(pl.Series(self.documents(documents).readable(principals).documents))["doc_id"])

    def of_listed(self, source: str, listed: Mapping[str, Listed], principals: Collection[str]) -> set[str]:
        """Return those addresses of a source's listing that these principals may know of."""
        ids = {document_id(source, uri): uri for uri in listed}
        own = [list(one.principals) or None for one in listed.values()]
        said = pl.DataFrame({"doc_id": [*ids], "principals": own}, schema_overrides=ACCESS)
        said = pl.concat([pl.DataFrame(schema=ACCESS), said], how="diagonal").with_columns(revision=pl.lit(""))
        documents = said.with_columns(
            uri=pl.Series([*listed], dtype=pl.String),
            source=pl.lit(source),
            collection=pl.Series([one.collection for one in listed.values()], dtype=pl.String),
            principals=pl.lit(None, pl.List(pl.String)),
            type=pl.lit(""),
        )
        readable = DocumentAccess(self, documents, said=said).readable(principals).documents
        return {ids[doc_id] for doc_id in documents.filter(pl.Series(readable))["doc_id"]}

    def asker(self, principals: Collection[str]) -> frozenset[str]:
        """Return who asks: the principals, everyone, and all groups that hold one of them now."""
        return self.policy().asker(principals)

    def digest(self) -> str:
        """Return a mark of what people decided and of what the settings say: equal while searches find the same."""
        policy = self.policy()
        groups = sorted((member, *sorted(names)) for member, names in policy.groups.items())
        decided = (policy.rules, policy.until, sorted(policy.quarantined), sorted(policy.sources.items()), groups)
        return digest(*map(repr, decided))

    def policy(self) -> Policy:
        """Return what holds now; the same object while nothing changes, and within `asking_once`.

        Raises:
            StorageError: what decides is missing or damaged: nothing may be shown.
        """
        asked = _ASKED.get()
        if asked is None:
            return self._current()
        if self not in asked:
            asked[self] = self._current()
        return asked[self]

    def _current(self) -> Policy:
        now = self._clock()
        with self._lock, self._explained():
            self._follow_settings()
            state = self._state()
            if self._known is None or self._known[0] != state or not self._known[1].holds(now):
                self._known = (state, self._read(now))
            return self._known[1]

    def _state(self) -> Hashable:
        """Return what is another one when anything that decides has changed."""
        rules, self._marks = self.rules.state(), self._records.marks() if self._records else {}
        if rules is None and self._store.sources("access"):  # there was a file when these were written
            raise StorageError(f"{self._file} is missing")
        collections = (reader.state() for reader, _ in self._collections.values())
        forgotten = (self._marks.get(FORGOTTEN), *(file_state(self._forgotten[0]) or ()))
        return rules, *collections, *forgotten, *(self._toml or ())

    def table(self, source: str) -> tuple[Sequence[Hashable], pl.DataFrame]:
        """Return what a source said last of each document (columns `ACCESS`), and what changes with it.

        Where all machines find it in one place, it is what was there when `policy` was asked last, or newer.

        Raises:
            StorageError: it is missing or damaged.
        """
        path = self._path_of(source)
        with self._lock, self._explained():
            mark = self._marks.get((READERS, source))
            state = [mark] if mark else file_state(path)
            if state is None:
                raise StorageError(f"{path} is missing")
            if source not in self._tables or self._tables[source][0] != state:
                self._tables[source] = (state, self._store.read("access", source))
            return self._tables[source]

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except DatabaseUnavailable:  # nothing is shown either, and nothing is damaged
            raise
        except StorageError as error:
            raise StorageError(
                f"{error}. Who may read what is not known, so nothing is shown; `rag repair` mends it"
            ) from error

    def _read(self, now: datetime) -> Policy:
        rules = self.rules.list()
        return Policy(
            rules=rules,
            moment=now,
            until=min((rule.until for rule in rules if rule.until and rule.until > now), default=None),
            groups=memberships(self.rules.members()),
            quarantined={one.doc_id: one for one in self.rules.held()},
            forgotten=self._forgotten[1](),
            sources=self._sources,
            collections={source: read() for source, (_, read) in self._collections.items()},
        )

    def _follow_settings(self) -> None:
        """Read rag.toml again when it has changed; one that is no good leaves what was said before."""
        state = file_state(self._settings_file)
        if state is None or state == self._toml:
            return
        try:
            self._take(load_settings(self._home).sources)
        except RagError as error:
            logging.getLogger(__name__).warning("who may read stays as it was: %s", error)
        self._toml = state

    def _take(self, sources: Sequence[SourceSettings]) -> None:
        self._sources: Mapping[str, Sequence[str]] = {source.id: source.principals for source in sources}
        opened = {source.id: self._collections_of(source) for source in sources}
        self._collections = {name: (SqliteReader(one[0]), one[1]) for name, one in opened.items() if one}
