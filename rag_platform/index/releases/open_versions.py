"""The versions that a process reads: opened once, watched for damage, the live one followed as it moves."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from rag_platform.access import Access
from rag_platform.core.errors import DamagedVersion, NothingPublished, VersionError
from rag_platform.core.lazy import locked_cached_property
from rag_platform.core.ports import Locks, Pointer, VersionReader, VersionStore
from rag_platform.index.catalog.catalog import Catalog
from rag_platform.index.releases.embedded_version import EmbeddedVersion
from rag_platform.index.releases.failed_openings import FailedOpenings
from rag_platform.index.releases.following import Follower, Warm
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.index.releases.release_log import rollback_targets
from rag_platform.index.releases.version_files import MEND, distrust
from rag_platform.index.releases.version_folder import VersionFolder

_OPEN = 4
"""Versions held open by one process: the live one, the last one, and two that are compared."""


class OpenVersions(VersionFolder):
    """The versions that a process holds open: it opens its own view, and follows the pointer."""

    def __init__(
        self,
        folder: Path,
        *,
        exact_below: int = 50_000,
        access: Access | None = None,
        locks: Locks | None = None,
        pointer: Pointer | None = None,
        store: Callable[[], VersionStore] | None = None,
    ) -> None:
        """Follow a folder.

        Args:
            folder: where versions are built. One in which there are none follows the store alone.
            exact_below: as of `JoinedVectors`.
            access: tells who may read now; None: whom the documents of a version name.
            locks: of all who share the versions; None: files of the folder.
            pointer: to the live version; None: a file of the folder.
            store: connects to the engine that published versions are read from; None: they are read from the folder.
        """
        super().__init__(folder, locks, pointer)
        self._connect = store
        self._access = access
        self._exact_below = exact_below
        self._opened: OrderedDict[str, Future[OpenVersion]] = OrderedDict()
        self._lock = threading.Lock()
        self._failed = FailedOpenings()
        self._standing_in: tuple[str, str, str] | None = None
        """The live version, the one that answers in its place, and what is to be said of it."""
        self._follower: Follower | None = None

    @locked_cached_property
    def store(self) -> VersionStore | None:
        """The engine that published versions are read from; None: the folder is."""
        return self._connect() if self._connect else None

    def built_here(self, version: str | None) -> Self:
        """Return the versions as they lie in the folder, to compare one with others; where it is not, these."""
        return self._files if self._connect and version and not self._away(version) else self

    @locked_cached_property
    def _files(self) -> Self:
        return type(self)(self.folder, exact_below=self._exact_below, access=self._access)

    def ids(self) -> list[str]:
        """Name the versions, oldest first: of the store, where the folder has none."""
        return super().ids() or (self.store.ids() if self.store else [])

    def manifest(self, version: str) -> dict[str, Any]:
        """Return what is known of a version."""
        return self.store.manifest(version) if self.store and self._away(version) else super().manifest(version)

    def live_id(self) -> str | None:
        """Name the live version: where the folder names none, that of the store."""
        return super().live_id() or (self.store.live() if self.store else None)

    def _away(self, version: str) -> bool:
        """Tell whether only the store can have a version."""
        return not self.path(version).exists()

    def follow(self, warm: Warm) -> None:
        """Open and `warm` what other processes publish beside the version that answers, which answers until then."""
        self._follower = Follower(self, warm)

    def catch_up(self, seconds: float = 30.0) -> None:
        """Wait until what is live answers, for somebody who is told that it was published."""
        if self._follower and (live := self.live_id()):
            self._follower.catch_up(live, seconds)

    def live(self) -> OpenVersion:
        """Open the live version. Whoever holds it keeps it, also when the pointer moves.

        In place of one that is damaged the newest sound one answers that was live before; `notice` says so.
        """
        while True:
            version = self.live_id()
            if version is None:
                raise NothingPublished("no index version has been published yet; run `rag sync`")
            if self._follower and (before := self._follower.stand_in(version)):
                return before
            try:
                return self.open(version)
            except VersionError as error:
                if self.live_id() != version:
                    continue  # it was replaced and removed between two of our steps
                if (sound := self.newest_sound()) is None:
                    raise
                said = f"answering from {sound.id}, because {str(error).removesuffix(MEND)}; run `rag repair`"
                self._standing_in = (version, sound.id, said)
                return sound

    def newest_sound(self) -> OpenVersion | None:
        """Open the newest version that was live before the live one and can be opened; None: there is none."""
        live = self.live_id()
        for version in map(self.form, rollback_targets(self.moves())[::-1]):
            if version != live:
                with suppress(VersionError):
                    return self.open(version)
        return None

    def notice(self, version: str) -> str | None:
        """Say that a version answers in place of the live one, which is damaged; None: it does not."""
        standing_in = self._standing_in
        return standing_in[2] if standing_in and standing_in[:2] == (self.live_id(), version) else None

    def live_notice(self) -> str | None:
        """Say which version answers in place of the live one, or why none does; None: it does, or there is none."""
        try:
            return self.notice(self.live().id)
        except NothingPublished:
            return None
        except VersionError as error:
            return str(error)

    def live_is_known_damaged(self) -> bool:
        """Return whether this process has found the live version damaged; nothing is opened or read for that."""
        live = self.live_id()
        return live is not None and self._failed.problem(self.path(live)) is not None

    def distrust(self, version: str) -> None:
        """Have a version checked from the beginning when it is opened the next time: reading it has failed."""
        distrust(self.path(version))
        self._failed.forget(self.path(version))
        with self._lock:
            self._opened.pop(version, None)

    def open(self, version: str) -> OpenVersion:
        """Open a version, or return the one that is open; only who asks for that version waits while it is opened."""
        if not (self._connect and version in self._opened):  # else the store would be asked at each question
            version = self.form(version)
        if problem := self._failed.problem(self.path(version)):
            raise DamagedVersion(problem)
        opened, mine = self._reserve(version)
        if mine:
            try:
                opened.set_result(OpenVersion(self._reader(version), self._access))
            except BaseException as error:  # noqa: BLE001 - raised again below, and for all who wait
                with self._lock:  # the next who asks tries again
                    if self._opened.get(version) is opened:
                        del self._opened[version]
                if isinstance(error, DamagedVersion):
                    self._failed.add(self.path(version), error)
                opened.set_exception(error)
        found = opened.result()
        if mine or found.intact:
            return found
        with self._lock:  # somebody has written to its files, or removed it
            if self._opened.get(version) is opened:
                del self._opened[version]
        return self.open(version)

    def open_folder(self, version: str) -> OpenVersion:
        """Open a version from its folder, whatever else holds it: for those that make other versions of its files."""
        return self._files.open(version) if self._connect else self.open(version)

    def catalog(self, version: str) -> Catalog:
        """Return the catalog of a version that is open, or open it alone; a damaged one raises `VersionError`."""
        with self._lock:
            opened = self._opened.get(version)
        if opened and opened.done() and not opened.exception() and opened.result().intact:
            return opened.result().catalog
        return (
            self.open(version).catalog if self._away(version) else Catalog.of_folder(self.path(version), self._access)
        )

    def _reader(self, version: str) -> VersionReader:
        if self.store and (self._away(version) or version in self.store.ids()):
            return self.store.open(version)
        return EmbeddedVersion(self.path(version), exact_below=self._exact_below)

    def _reserve(self, version: str) -> tuple[Future[OpenVersion], bool]:
        """Return where a version is or will be opened, and whether it is the caller who opens it."""
        with self._lock:
            for removed in [one for one in self._opened if self._away(one) and not self._connect]:
                del self._opened[removed]  # what was removed is not read again
            mine = version not in self._opened
            if mine:
                self._opened[version] = Future()
                if len(self._opened) > _OPEN:
                    self._opened.popitem(last=False)  # closed when its last holder lets go
            self._opened.move_to_end(version)
            return self._opened[version], mine
