"""The folder of versions: what there is, what the pointers name, and how the live version moved."""

import logging
import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from rag_platform.core.errors import SettingsError, VersionError
from rag_platform.index.releases.pins import PinFile
from rag_platform.index.releases.release_log import MoveLog, live_at, rollback_targets
from rag_platform.index.releases.version_files import read_manifest

_ID = re.compile(r"v\d{6,}-[0-9a-f]{8}")


class VersionFolder:
    """What can be known of versions without opening one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._log = MoveLog(folder / "log.jsonl")
        self._pins = PinFile(folder)

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
        named = self._pointer("CURRENT")
        if named and self.path(named).exists():
            return named
        logged = self._log.last()
        return self.form(logged) if logged else named

    def candidate_id(self) -> str | None:
        """Name the version built last; None before the first build, and when it is not there any more."""
        named = self._pointer("CANDIDATE")
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
        return self._log.moves(self.live_id())

    def pin_problems(self) -> dict[str, str]:
        """Say what is wrong with the files of pins, by name."""
        return self._pins.problems()

    def _readable(self, version: str) -> dict[str, Any] | None:
        try:
            return self.manifest(version)
        except VersionError as error:  # one damaged version must not stop the building of others
            logging.getLogger(__name__).warning("%s", error)
            return None

    def _pointer(self, name: str) -> str | None:
        try:
            named = (self.folder / name).read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            return None
        return named if _ID.fullmatch(named) else None


def _moment(given: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(given)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
