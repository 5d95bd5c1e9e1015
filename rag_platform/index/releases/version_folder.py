"""The folder of versions: what there is, what the pointers name, and how the live version moved."""

import logging
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from rag_platform.core.errors import SettingsError, VersionError
from rag_platform.core.ports import Locks, Pointer
from rag_platform.index.releases.pins import PinFile
from rag_platform.index.releases.pointers import CURRENT, LOG, FilePointer
from rag_platform.index.releases.release_log import live_at, moves_made, rollback_targets
from rag_platform.index.releases.version_files import read_manifest
from rag_platform.storage.locks import FileLocks

MOVING, COPIED = "moves", "copied"
"""The locks of whoever decides what is live and what goes, for milliseconds, and of whoever copies the versions."""
_BESIDE = ("CANDIDATE", "pins.json", "pins.copy.json")
POINTERS = (CURRENT, LOG, *_BESIDE)
_ID = re.compile(r"v\d{6,}-[0-9a-f]{8}")


class VersionFolder:
    """What can be known of versions without opening one."""

    def __init__(self, folder: Path, locks: Locks | None = None, pointer: Pointer | None = None) -> None:
        """`locks` and `pointer`: of all who share the versions; None: files of the folder."""
        self.folder = folder
        self.locks = locks or FileLocks(folder)
        self.pointer = pointer or FilePointer(folder)
        self._pins = PinFile(folder)

    @contextmanager
    def kept_for_copying(self) -> Iterator[None]:
        """Let no version be removed by its age while the block runs; one that is forgotten goes all the same."""
        with ExitStack() as held:
            with self.locks.wait(MOVING):  # after a removal that has begun
                held.enter_context(self.locks.hold(COPIED))
            yield

    def pointers_at_once(self) -> dict[str, bytes]:
        """Return the pointers, the pins and the log of moves, by file, as they are at one moment."""
        with self.locks.wait(MOVING):
            beside = {name: (self.folder / name).read_bytes() for name in _BESIDE if (self.folder / name).exists()}
            return self.pointer.files() | beside

    def path(self, version: str) -> Path:
        """Return the folder of a version."""
        return self.folder / "versions" / version

    def ids(self) -> list[str]:
        """Name the versions, oldest first."""
        return sorted(path.name for path in (self.folder / "versions").glob("v*") if path.is_dir())

    def manifests(self) -> list[dict[str, Any]]:
        """Return what is known of each version, oldest first; of one whose manifest is damaged nothing is."""
        return [manifest for version in self.ids() if (manifest := self._readable(version))]

    def manifest(self, version: str) -> dict[str, Any]:
        """Return what is known of a version."""
        return read_manifest(self.path(version))

    def live_id(self) -> str | None:
        """Name the live version; None before the first publication. The log tells it where the pointer is damaged."""
        named = _known_form(self.pointer.read())
        if named and self.path(named).exists():
            return named
        logged = [entry["version"] for entry in self.pointer.entries()[-1:]]
        return self.form(logged[0]) if any(logged) else named

    def candidate_id(self) -> str | None:
        """Name the version built last; None before the first build, and when it is not there any more."""
        try:
            named = _known_form((self.folder / "CANDIDATE").read_text(encoding="utf-8", errors="replace").strip())
        except OSError:
            return None
        return named if named and self.path(named).exists() else None

    def resolve(self, name: str) -> str:
        """Return the id that is meant by "live", "candidate", an id, the beginning of one, or its number."""
        pointer = {"live": self.live_id, "candidate": self.candidate_id}.get(name)
        if pointer and (version := pointer()):
            return version
        ids, form = self.ids(), self.form(name)
        if form in ids:
            return form
        begun = [version for version in ids if name and version.startswith(name)]
        numbered = f"v{name.removeprefix('v').zfill(6)}-"
        found = begun or [version for version in ids if version.startswith(numbered)]
        if len(found) == 1:
            return found[0]
        if found:
            raise VersionError(f"{name!r} is the beginning of more than one version: {', '.join(found)}")
        raise VersionError(f"there is no version {name!r}; known: {', '.join(ids) or 'none'}")

    def form(self, version: str) -> str:
        """Return a version's present form: another id since documents of it were forgotten, else its own."""
        if self.path(version).exists():
            return version
        made = (manifest["id"] for manifest in self.manifests() if version in manifest.get("redacts", ()))
        return next(made, version)

    def at(self, moment: datetime) -> str:
        """Name the version that was live at that moment."""
        move = live_at(self.moves(), moment)
        if move is None or move["version"] is None:
            first = next((move["at"] for move in self.moves()), None)
            since = f"the first was published at {first}" if first else "nothing has been published yet"
            raise VersionError(f"no version was live at {moment.isoformat()}: {since}")
        version = self.form(move["version"])
        if not self.path(version).exists():
            raise VersionError(
                f"{move['version']} was live at {moment.isoformat()} and has been removed since; "
                f"versions that should stay are pinned (`rag index pin`). Still there: {', '.join(self.ids())}"
            )
        return version

    def as_of(self, named: str | date) -> str:
        """Name the version that was live then: at a moment, or at the end of a day (UTC); or the version of that name.

        Raises:
            SettingsError: it is neither a date nor a version.
            VersionError: none was live then, or it is no longer there.
        """
        given = named if isinstance(named, str) else named.isoformat()
        try:
            return self.resolve(given)
        except VersionError as unknown:
            moment = _moment(given)
            if moment is None:
                expected = f"expected a date such as 2026-05-31, or a version; {unknown}"
                raise SettingsError(f"as of {given!r}: {expected}") from None
        day = len(given) == len("2026-05-31")
        return self.at(moment + timedelta(days=1, microseconds=-1) if day else moment)

    def previous(self) -> str | None:
        """Name the version that a rollback goes back to."""
        before = (self.form(version) for version in rollback_targets(self.moves())[-2::-1])
        return next((version for version in before if self.path(version).exists()), None)

    def held(self) -> dict[str, Any] | None:
        """Return the rollback since which nothing is published by itself; None: publication goes on."""
        last = next((move for move in reversed(self.moves()) if move["kind"] != "redact"), None)
        return last if last and last["kind"] == "rollback" else None

    def moves(self) -> list[dict[str, Any]]:
        """Return every move of the pointer, oldest first: at, who, kind, version, before, why and run_id."""
        return moves_made(self.pointer.entries(), self.live_id())

    def pin_problems(self) -> dict[str, str]:
        """Say what is wrong with the files of pins, by name."""
        return self._pins.problems()

    def _readable(self, version: str) -> dict[str, Any] | None:
        try:
            return self.manifest(version)
        except VersionError as error:  # one damaged version must not stop the building of others
            logging.getLogger(__name__).warning("%s", error)
            return None


def _known_form(named: str | None) -> str | None:
    return named if named and _ID.fullmatch(named) else None


def _moment(given: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(given)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
