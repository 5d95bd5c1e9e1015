"""What a workspace keeps: its tables, versions and secrets, who may read what, and its sources."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from rag_platform.access import Access
from rag_platform.access.rule_tables import ServerTables
from rag_platform.config.settings import FILE, Settings
from rag_platform.core.errors import SettingsError
from rag_platform.core.lazy import locked_cached_property
from rag_platform.index.releases.holds import Holds
from rag_platform.index.releases.versions import Versions
from rag_platform.raw.source_part import SourcePart
from rag_platform.raw.suppression import Suppression
from rag_platform.shards.shard_files import FOLDER as SHARDS
from rag_platform.shards.shard_files import ShardFiles
from rag_platform.storage.tables import Store
from rag_platform.validation.statistics_record import StatisticsRecord

if TYPE_CHECKING:
    from rag_platform.config.secrets import Secrets
    from rag_platform.config.sections.sources import SourceSettings
    from rag_platform.core import ports
    from rag_platform.core.ports import Locks, Pointer
    from rag_platform.monitoring.cost_ledger import CostLedger
    from rag_platform.monitoring.progress import ProgressNotes
    from rag_platform.sources.uploads.collections import Collections
    from rag_platform.storage.relational.app_database import Database
    from rag_platform.storage.relational.postgres import PostgresDatabase
    from rag_platform.storage.relational.shared_records import SharedRecords

POINTER = "index.sqlite"
RULES = "access.sqlite"
ON_SERVERS = ("app.sqlite", "alerts.sqlite", POINTER, RULES)
"""The files of data in whose place a schema of [scale] database stands; the pointer's is none."""
_RECORDS = "records.sqlite"
"""The same, of copies that lie in files too."""


class Stores:
    """What lies in a workspace's folder."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._records = self._shared_records()
        self.store = self._store()
        self.suppression = Suppression(settings.data / "forgotten.jsonl", self._records)
        self.interface = "python"
        """Through what people reach it, for the audit: "page", "api", "cli", "chat" or a program's own calls."""
        self.access = self._access()
        """Who may read what, now."""
        self.versions = Versions(
            settings.data / "index",
            exact_below=settings.index.exact_below,
            access=self.access,
            locks=self._locks("versions"),
            pointer=self._pointer(),
            store=None if settings.scale.store == "folder" else self._version_store,
        )
        self.holds = Holds(settings.data / "holds.sqlite")
        """Sources that are held at their live state."""
        self.statistics = StatisticsRecord(settings.data / "statistics.sqlite")
        """What each run found of each source, in numbers."""

    def _store(self) -> Store:
        """Return the tables and raw bytes: in the folder of data, or in an object store."""
        scale, locks = self.settings.scale, self._locks("writers")
        if not scale.objects:
            return Store(self.settings.data, locks, records=self._records)
        from rag_platform.storage.objects.object_store import ObjectStore
        from rag_platform.storage.objects.shared_tables import SharedStore

        objects = ObjectStore(scale.objects, self._objects_options)
        return SharedStore(self.settings.data, locks, objects, records=self._records)

    def _shared_records(self) -> SharedRecords | None:
        """Return what machines without the folder need to know who may read what; None: all have the folder."""
        if not self.settings.scale.database:
            return None
        from rag_platform.storage.relational.shared_records import MIGRATIONS, SharedRecords

        return SharedRecords(lambda: self.database(_RECORDS, MIGRATIONS))

    def _options(self, setting: str) -> dict[str, Any]:
        """Return the options of [scale] that are called so, with what is secret in them."""
        from rag_platform.config.variables import Variables

        options = getattr(self.settings.scale, setting)
        stored = self.secrets if any("${secret:" in str(value) for value in options.values()) else None
        known = Variables(self.settings.variables, stored)
        return {
            name: known.expand(value, f"[scale] {setting} {name}") if isinstance(value, str) else value
            for name, value in options.items()
        }

    def _objects_options(self) -> dict[str, Any]:
        given = self._options("objects_options")
        if endpoint := given.pop("endpoint_url", None):
            given["client_kwargs"] = {"endpoint_url": endpoint}
        return given

    def _locks(self, purpose: str) -> Locks | None:
        """Return the locks of all machines, None: files are enough."""
        if not self.settings.scale.database:
            return None
        from rag_platform.storage.relational.postgres_locks import PostgresLocks

        return PostgresLocks(lambda: self.database_url or "", self.settings.scale.schema_name, purpose)

    def _pointer(self) -> Pointer | None:
        if not self.settings.scale.database:
            return None
        from rag_platform.index.releases.pointers import MIGRATIONS, PostgresPointer

        return PostgresPointer(lambda: self.database(POINTER, MIGRATIONS), self.settings.data / "index")

    def _version_store(self) -> ports.VersionStore:
        """Connect to the engine that published versions are read from."""
        if self.settings.scale.store == "lance":
            return self._lance_store()
        scale, url = self.settings.scale, self.database_url
        schema = scale.schema_of("versions")
        if scale.store == "milvus":
            from rag_platform.index.stores.milvus.milvus_store import MilvusStore

            assert url is not None and scale.milvus is not None  # the settings say so
            return MilvusStore(url, schema, scale.milvus, self._options("milvus_options"))
        from rag_platform.index.stores.postgres.postgres_store import PostgresStore

        assert url is not None  # the settings say so
        return PostgresStore(url, schema)

    def _lance_store(self) -> ports.VersionStore:
        from rag_platform.index.stores.lance.lance_store import LanceStore
        from rag_platform.storage.locks import FileLocks

        address = self.settings.scale.lance
        assert address is not None  # the settings say so
        if "://" not in address:
            address = str(self.settings.home / address)
        locks = self._locks("lance") or FileLocks(self.settings.data / "index" / "lance")
        return LanceStore(address, self._options("lance_options"), locks)

    def _access(self) -> Access:
        forgotten = (self.suppression.path, lambda: self.suppression.rule().doc_ids)
        rules = ServerTables(self._rules_on_server) if self.settings.scale.database else None
        return Access(
            self.settings,
            forgotten=forgotten,
            rules=rules,
            records=self._records,
            collections_of=self._readers_of_collections,
        )

    def _rules_on_server(self) -> Database:
        """Return the tables of rules, with those of the file that was there before them."""
        from rag_platform.access.migrations import MIGRATIONS
        from rag_platform.storage.relational.copied_tables import take_over

        return take_over(self.database(RULES, MIGRATIONS), self.settings.data / RULES, MIGRATIONS)

    def _readers_of_collections(self, source: SourceSettings) -> tuple[Path, Callable[[], dict[str, Any]]] | None:
        """Return the database of a source that people fill, and how it says who may read each collection."""
        if source.kind != "upload":
            return None
        from rag_platform.sources.uploads.source import UploadSource, collections_of

        assert isinstance(source, UploadSource)
        opened = collections_of(source, self.settings.data)
        return opened.database_path, lambda: {one.id: one.principals for one in opened.list()}

    def shards(self, stage: str, source_id: str) -> ports.ShardExecutor:
        """Return who computes the shards of a stage of a source; its place for them is cleared by the stage."""
        from rag_platform.documents.sandbox.pool import WORKERS
        from rag_platform.shards.local_executor import LocalExecutor

        served = self.settings.vision.base_url or self.settings.transcription.base_url  # reached from this machine
        elsewhere = None if served else self.shards_elsewhere(stage, source_id)
        return elsewhere or LocalExecutor(WORKERS, self._shard_files(stage, source_id))

    def shards_elsewhere(self, stage: str, source_id: str) -> ports.ShardExecutor | None:
        """Return who computes them on other machines; None: nobody does."""
        scale = self.settings.scale
        if scale.executor == "local":
            return None
        from rag_platform.shards.ray_executor import RayExecutor

        return RayExecutor(self._shard_files(stage, source_id), scale.ray_address, scale.task_memory_mb << 20)

    def _shard_files(self, stage: str, source_id: str) -> ShardFiles:
        return ShardFiles(self.settings.data / SHARDS / source_id / stage)

    def source(self, source_id: str) -> ports.Source:
        """Open a source.

        Raises:
            SettingsError: There is none of that id, or it would send a password unencrypted.
        """
        from rag_platform.config.source_kinds import CACHES, Context, open_source
        from rag_platform.raw.last_fetch import LastFetches

        settings = self.settings.source(source_id)
        last = LastFetches(self.store, source_id)
        context = Context(
            self.settings.home,
            last,
            last.any_below,
            secrets=self.secrets,
            sessions=self.sessions,
            cache=self.settings.data / CACHES / source_id,
            environ=self.settings.variables,
            browser=self.settings.browser,
        )
        opened = open_source(settings, context)
        return SourcePart(opened, source_id, settings.part) if settings.part else opened

    def collections(self, source_id: str | None = None) -> Collections:
        """Open the collections of a source of the kind `upload`; None: of the only one there is."""
        from rag_platform.sources.uploads.source import UploadSource, collections_of

        sources = [source for source in self.settings.sources if isinstance(source, UploadSource)]
        chosen = [source for source in sources if source_id in (None, source.id)]
        if len(chosen) != 1:
            known = ", ".join(source.id for source in sources) or "none"
            raise SettingsError(
                f"{self.settings.home / FILE}: "
                + (f"{source_id!r} is no source of the kind upload" if source_id else "which source is meant?")
                + f" Expected one of: {known}. "
                + ("Name it." if sources else "Add a [[sources]] table with kind = 'upload'; see docs/sources.md.")
            )
        return collections_of(chosen[0], self.settings.data, self.access.asker)

    def titles(self, principals: Sequence[str]) -> dict[str, str]:
        """Return what people call the collections of uploads that these principals may see, by id."""
        from rag_platform.sources.uploads.source import UploadSource, collections_of

        found = {}
        for source in self.settings.sources:
            if isinstance(source, UploadSource):
                for one in collections_of(source, self.settings.data, self.access.asker).list(principals):
                    found[one.id] = f"{one.title}: {one.description}" if one.description else one.title
        return found

    def database(self, name: str, migrations: Sequence[str]) -> Database:
        """Return the tables of that file in data, or those that [scale] database has in its place."""
        if (url := self.database_url) is None:
            from rag_platform.storage.sqlite import SqliteFile

            return SqliteFile(self.settings.data / name, migrations)
        from rag_platform.storage.relational.postgres import PostgresDatabase

        return PostgresDatabase(url, self.settings.scale.schema_of(name), migrations)

    def server_tables(self) -> list[PostgresDatabase]:
        """Return the schemas that stand in the place of files of data, as they are; none: all lies in files."""
        if (url := self.database_url) is None:
            return []
        from rag_platform.storage.relational.postgres import PostgresDatabase

        scale = self.settings.scale
        return [PostgresDatabase(url, scale.schema_of(name), None) for name in ON_SERVERS]

    @property
    def database_url(self) -> str | None:
        """The address of the server of app data, with what is secret in it; None: it lies in files."""
        from rag_platform.config.placeholders import expand

        given = self.settings.scale.database
        stored = self.secrets if given and "${secret:" in given else None
        escape = lambda text, place: quote(text, safe="") if place else text  # noqa: E731  0: it is the whole address
        return given and expand(given, stored, self.settings.variables, escape).value

    @locked_cached_property
    def secrets(self) -> Secrets:
        """Passwords and keys by name."""
        from rag_platform.config.secrets import open_secrets

        settings = self.settings
        path = settings.data / "secrets.enc"
        return open_secrets(settings.secrets.store, settings.home, path, settings.secrets_key)

    @locked_cached_property
    def sessions(self) -> Secrets:
        """The cookies of portals, by source: too large for a keyring."""
        from rag_platform.config.vault import Vault

        return Vault(self.settings.data / "sessions.enc", self.settings.secrets_key)

    @locked_cached_property
    def costs(self) -> CostLedger:
        """What each stage of each run did and took."""
        from rag_platform.monitoring.cost_ledger import CostLedger

        return CostLedger(self.settings.data / "ledger.jsonl")

    @locked_cached_property
    def activity(self) -> ProgressNotes:
        """The progress of what this process does here."""
        from rag_platform.monitoring.progress import ProgressNotes

        return ProgressNotes(self.settings.data / "progress")
