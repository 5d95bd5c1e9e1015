"""The versions of a workspace, the pointer to the live one, and what may be removed."""

import json
import logging
import os
import shutil
import threading
from collections import OrderedDict
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import Any

from rag_platform.access import Access
from rag_platform.core.errors import NothingPublished, VersionError
from rag_platform.index.catalog.catalog import Catalog
from rag_platform.index.releases.open_version import CATALOG, EVALUATION, OpenVersion, read_manifest
from rag_platform.index.releases.release_log import Kind, MoveLog, live_at, rollback_targets
from rag_platform.storage.atomic import write_bytes
from rag_platform.storage.locks import locked

_OPEN = 4
"""Versions held open by one process: the live one, the last one, and two that are compared."""


class Decision(Enum):
    """Who decides on a promotion, if not a gate that compared the version with the live one."""

    BY_HAND = "by hand"
    """A person, whatever is live."""


class Versions:
    """The folder of versions; each process opens its own view and follows the pointer."""

    def __init__(self, folder: Path, *, exact_below: int = 50_000, access: Access | None = None) -> None:
        """Follow a folder; `access` tells who may read now, None: whom the documents of a version name."""
        self.folder = folder
        self._access = access
        self._exact_below = exact_below
        self._opened: OrderedDict[str, Future[OpenVersion]] = OrderedDict()
        self._lock = threading.Lock()
        self._log = MoveLog(folder / "log.jsonl")

    # --- what there is ---------------------------------------------------------------------------------

    def path(self, version: str) -> Path:
        """Return the folder of a version."""
        return self.folder / "versions" / version

    def ids(self) -> list[str]:
        """Name the versions, oldest first."""
        return sorted(path.parent.name for path in (self.folder / "versions").glob("v*/manifest.json"))

    def manifests(self) -> list[dict[str, Any]]:
        """Return what is known of each version, oldest first; of one whose manifest is damaged nothing is."""
        return [manifest for version in self.ids() if (manifest := self._readable(version))]

    def manifest(self, version: str) -> dict[str, Any]:
        """Return what is known of a version."""
        return read_manifest(self.path(version))

    def live_id(self) -> str | None:
        """Name the live version; None before the first publication."""
        return self._pointer("CURRENT")

    def candidate_id(self) -> str | None:
        """Name the version built last; None before the first build."""
        return self._pointer("CANDIDATE")

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

    # --- reading ---------------------------------------------------------------------------------------

    def live(self) -> OpenVersion:
        """Open the live version. Whoever holds it keeps it, also when the pointer moves."""
        while True:
            version = self.live_id()
            if version is None:
                raise NothingPublished("no index version has been published yet; run `rag sync`")
            try:
                return self.open(version)
            except VersionError:
                if self.live_id() == version:  # else it was replaced and removed between two of our steps
                    raise

    def open(self, version: str) -> OpenVersion:
        """Open a version, or return the one that is open; only who asks for that version waits while it is opened."""
        version = self.form(version)
        opened, mine = self._reserve(version)
        if mine:
            try:
                opened.set_result(OpenVersion(self.path(version), exact_below=self._exact_below, access=self._access))
            except BaseException as error:  # noqa: BLE001 - raised again below, and for all who wait
                with self._lock:  # the next who asks tries again
                    if self._opened.get(version) is opened:
                        del self._opened[version]
                opened.set_exception(error)
        return opened.result()

    def catalog(self, version: str) -> Catalog:
        """Open the catalog of a version alone, which takes less than all of it; a damaged one raises `duckdb.Error`."""
        return Catalog(self.path(version) / CATALOG, self._access)

    def _reserve(self, version: str) -> tuple[Future[OpenVersion], bool]:
        """Return where a version is or will be opened, and whether it is the caller who opens it."""
        with self._lock:
            for removed in [one for one in self._opened if not self.path(one).exists()]:
                del self._opened[removed]  # what was removed is not read again
            mine = version not in self._opened
            if mine:
                self._opened[version] = Future()
                if len(self._opened) > _OPEN:
                    self._opened.popitem(last=False)  # closed when its last holder lets go
            self._opened.move_to_end(version)
            return self._opened[version], mine

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

    # --- moving the pointer ----------------------------------------------------------------------------

    def nominate(self, version: str) -> None:
        """Make a built version the candidate."""
        write_bytes(self.folder / "CANDIDATE", version.encode())

    def refuse_unfit(self, version: str, *, force: bool = False) -> None:
        """Raise `VersionError` when a version is damaged or, without `force`, did not pass the gate."""
        verdict = self.manifest(version).get("verdict")
        if not force and not (verdict and verdict["passed"]):
            reason = f"was refused by the gate: {' '.join(verdict['reasons'])}" if verdict else "has not been judged."
            raise VersionError(f"{version} {reason} It stays as it is; to make it live all the same, add --force")
        self.open(version)

    def promote(
        self,
        version: str,
        why: str,
        *,
        judged_against: str | Decision | None = Decision.BY_HAND,
        run_id: str | None = None,
        who: str = "",
    ) -> str | None:
        """Make a version the live one by one atomic move; returns the one that was live.

        Args:
            version: the version.
            why: for the log.
            judged_against: what was live when the gate compared `version` with it; None: nothing was. The pointer
                moves only if that is live still, and no rollback holds publication. By default a person decides,
                also to bring an older version back, and thereby ends a hold.
            run_id: for the log.
            who: for the log; empty: the user who runs this process.

        Raises:
            VersionError: there is no such version, or its judgement does not count (any more).
        """
        with self._moving():
            if not isinstance(judged_against, Decision):
                self._refuse_outdated(version, judged_against)
            before = self.live_id()
            if before != version or self.held():
                self._move(version, "promote", why, run_id, who)
            return before

    def _refuse_outdated(self, version: str, judged_against: str | None) -> None:
        """Raise `VersionError` when a version was judged against another than the live one, or publication is held."""
        live, held = self.live_id(), self.held()
        if held:
            raise VersionError(
                f"{version} was not published: publication is held since the rollback to {held['version']} "
                f"({held['why']}); `rag index promote` publishes it and lets publication go on"
            )
        if live != (judged_against and self.form(judged_against)):
            raise VersionError(
                f"{version} was judged against {judged_against or 'no live version'}, but {live or 'nothing'} is live; "
                f"it was not published: evaluate it again, or publish it all the same with `rag index promote`"
            )

    def _move(self, version: str, kind: Kind, why: str, run_id: str | None, who: str) -> None:
        if not self.path(version).exists():
            raise VersionError(f"there is no version {version!r}; known: {', '.join(self.ids()) or 'none'}")
        self._log.intend(version=version, before=self.live_id(), kind=kind, why=why, run_id=run_id, who=who)
        write_bytes(self.folder / "CURRENT", version.encode())

    def replace(self, version: str, form: str | None, why: str) -> None:
        """Put another form of a version wherever it stands, and remove it; None: nothing is left of it."""
        with self._moving():
            if self.candidate_id() == version:
                self._point("CANDIDATE", form)
            pins = {form if one == version else one: pin for one, pin in self.pins().items()}
            if pins != self.pins():
                self._write_pins({one: pin for one, pin in pins.items() if one})
            if self.live_id() == version:
                self._log.intend(version=form, before=version, kind="redact", why=why, run_id=None)
                self._point("CURRENT", form)
            self.remove(version)

    def rollback(self, version: str | None = None, *, why: str, run_id: str | None = None, who: str = "") -> str:
        """Go back to a version, by default the one that was live before; returns its id.

        From then on nothing is published by itself (`held`) until somebody promotes a version: whoever goes back
        has seen what the gate had not.
        """
        while True:
            target = self._rollback_target(version)
            self.open(target)  # one that is damaged must not go live; it takes too long to be done within the lock
            with self._moving():
                if self._rollback_target(version) == target:  # else the pointer moved meanwhile
                    self._move(target, "rollback", why, run_id, who)
                    return target

    def _rollback_target(self, version: str | None) -> str:
        live, target = self.live_id(), version or self.previous()
        if target is None or target == live:
            raise VersionError(
                f"there is nothing to go back to from {live or 'no live version'}; `rag index list` names what there is"
            )
        return target

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

    # --- what stays ------------------------------------------------------------------------------------

    def record_evaluation(self, version: str, scores: dict[str, Any], verdict: dict[str, Any]) -> None:
        """Store a version's scores and the gate's verdict; `VersionError` when it was removed meanwhile."""
        if not self.path(version).exists():
            raise VersionError(f"version {version} was removed while it was scored; sync again")
        content = json.dumps({"scores": scores, "verdict": verdict}, indent=1, sort_keys=True, ensure_ascii=False)
        write_bytes(self.path(version) / EVALUATION, content.encode())

    def pins(self) -> dict[str, dict[str, Any]]:
        """Return the versions that are kept for good, each with `at` and `why`."""
        path = self.folder / "pins.json"
        return json.loads(path.read_bytes()) if path.exists() else {}

    def pin(self, version: str, why: str) -> None:
        """Keep a version for good."""
        with self._moving():
            if not self.path(version).exists():
                raise VersionError(f"there is no version {version!r}; known: {', '.join(self.ids()) or 'none'}")
            self._write_pins(self.pins() | {version: {"at": datetime.now(UTC).isoformat(), "why": why}})

    def unpin(self, version: str) -> None:
        """Let a version be removed when it is old."""
        with self._moving():
            self._write_pins({one: pin for one, pin in self.pins().items() if one != version})

    def removable(self, keep: int) -> list[str]:
        """Name what `gc` removes: neither the live, previous, candidate and pinned ones, nor those built last.

        Of those that were live once the last `keep` stay, and as many of the others, so that a row of refused ones does
        not push out what one may want to go back to.
        """
        needed = {self.live_id(), self.candidate_id(), self.previous(), *self.pins()}
        served = {self.form(move["version"]) for move in self.moves() if move["version"]}
        groups = [version for version in self.ids() if version in served], [v for v in self.ids() if v not in served]
        old = {version for group in groups for version in group[:-keep]}
        return [version for version in self.ids() if version in old - needed]

    def gc(self, keep: int) -> list[str]:
        """Remove old versions (see `removable`); returns those removed. Whoever reads one may finish reading."""
        with self._moving():
            removed = self.removable(keep)
            for version in removed:
                self.remove(version)
        return removed

    def remove(self, version: str) -> None:
        """Remove a version's folder: gone in one step, whatever happens while its files are deleted."""
        going = self.path(f".{version}.gone")
        shutil.rmtree(going, ignore_errors=True)
        os.replace(self.path(version), going)
        shutil.rmtree(going)

    def sweep(self) -> None:
        """Delete what killed processes left of files and versions half written or removed; nobody may be building."""
        with self._moving():
            for path in (self.folder / "versions").glob(".v*"):
                shutil.rmtree(path, ignore_errors=True)
            for path in (*self.folder.glob(".*.new"), *self.folder.glob("versions/v*/.*.new")):
                path.unlink(missing_ok=True)

    def _write_pins(self, pins: dict[str, dict[str, Any]]) -> None:
        write_bytes(self.folder / "pins.json", json.dumps(pins, indent=1, ensure_ascii=False).encode())

    def _readable(self, version: str) -> dict[str, Any] | None:
        try:
            return read_manifest(self.path(version))
        except VersionError as error:  # one damaged version must not stop the building of others
            logging.getLogger(__name__).warning("%s", error)
            return None

    def _point(self, name: str, version: str | None) -> None:
        if version:
            write_bytes(self.folder / name, version.encode())
        else:
            (self.folder / name).unlink(missing_ok=True)

    def _pointer(self, name: str) -> str | None:
        try:
            return (self.folder / name).read_text(encoding="utf-8").strip()
        except FileNotFoundError:
            return None

    @contextmanager
    def _moving(self) -> Iterator[None]:
        """Let one process at a time decide what is live and what goes; it takes milliseconds, so others wait."""
        with locked(self.folder / "moves.lock"):
            yield
