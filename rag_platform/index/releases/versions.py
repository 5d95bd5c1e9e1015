"""The versions of a workspace: which one is live, and what may be removed."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from typing import Any

from rag_platform.core.errors import VersionError
from rag_platform.index.releases.open_versions import OpenVersions
from rag_platform.index.releases.pins import Pins, pin
from rag_platform.index.releases.release_log import Kind, entry_of
from rag_platform.index.releases.version_files import EVALUATION, damaged, damaged_files
from rag_platform.index.releases.version_folder import COPIED, MOVING
from rag_platform.index.segments import shared_segments
from rag_platform.storage.atomic import write_bytes
from rag_platform.storage.hashed.sealed import sealed


class Decision(Enum):
    """Who decides on a promotion, if not a gate that compared the version with the live one."""

    BY_HAND = "by hand"
    """A person, whatever is live."""


class Versions(OpenVersions):
    """The folder of versions."""

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
        self.refuse_damaged(version)

    def refuse_damaged(self, version: str, *, proven: bool = False) -> None:
        """Raise `VersionError` unless every file of a version, read now, is the one that was built, and it opens.

        `proven`: segments that it shares with the version that it was made from are not read, as those were, once.
        """
        folder, manifest = self.path(version), self.manifest(version)
        shared = shared_segments(manifest) if proven else ()
        if problems := damaged_files(folder, manifest["files"], thorough=True, proven=shared):
            raise damaged(folder, "; ".join(problems))
        opened = self.open(version)
        if self._follower:
            self._follower.warm(opened)

    def is_sound(self, version: str) -> bool:
        """Return whether a version can be opened; files that were checked are not read again."""
        try:
            self.open_folder(version)
        except VersionError:
            return False
        return True

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
            VersionError: there is no such version, it is damaged, or its judgement does not count (any more).
        """
        self.refuse_damaged(version, proven=True)  # before the lock: it takes seconds for a million new chunks
        self.hand_over(version)
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
        self.hand_over(version)
        self._write_move(version, kind, why, run_id, who)
        if self._follower:
            self._follower.stand_down()

    def _write_move(self, version: str | None, kind: Kind, why: str, run_id: str | None = None, who: str = "") -> None:
        """Move the pointer, then that of the store, which the next sync moves where this process ends between them."""
        entry = entry_of(kind, version=version, before=self.live_id(), why=why, run_id=run_id, who=who)
        self.pointer.move(entry, self.pointer.read())
        if self.store:
            self.store.publish(version)

    def hand_over(self, version: str) -> None:
        """Have a version in the store, where there is one: what it shares with others is there already."""
        if self.store is None:
            return
        there = version in self.store.ids()
        self.store.put(version, self.open_folder(version).reader, self.path(version))
        if not there:
            with self._lock:  # the next who asks reads it from there
                self._opened.pop(version, None)

    def replace(self, version: str, form: str | None, why: str) -> None:
        """Put another form of a version wherever it stands, and remove it; None: nothing is left of it."""
        with self._moving():
            if self.candidate_id() == version:
                self._nominate(form)
            pins = {form if one == version else one: noted for one, noted in self.pins().items()}
            if pins != self.pins():
                self._pins.write({one: noted for one, noted in pins.items() if one})
            if form and self.store and version in self.store.ids():
                self.hand_over(form)
            if self.live_id() == version:
                self._write_move(form, "redact", why)
            if self.store:
                self.store.remove(version, erase=True)
            self.remove(version)

    def repair(self, version: str, *, why: str) -> None:
        """Make a sound version the live one in the place of a damaged one; publication goes on."""
        with self._moving():
            self._move(version, "repair", why, None, "")

    def write_pins(self, pins: Pins) -> None:
        """Write the pins anew, to both of their files."""
        with self._moving():
            self._pins.write(pins)

    def rollback(self, version: str | None = None, *, why: str, run_id: str | None = None, who: str = "") -> str:
        """Go back to a version, by default the one that was live before; returns its id.

        From then on nothing is published by itself (`held`) until somebody promotes a version: whoever goes back
        has seen what the gate had not.
        """
        while True:
            target = self._rollback_target(version)
            self.refuse_damaged(target)  # it takes too long to be done within the lock
            self.hand_over(target)
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

    # --- what stays ------------------------------------------------------------------------------------

    def record_evaluation(self, version: str, scores: dict[str, Any], verdict: dict[str, Any]) -> None:
        """Store a version's scores and the gate's verdict; `VersionError` when it was removed meanwhile."""
        if not self.path(version).exists():
            raise VersionError(f"version {version} was removed while it was scored; sync again")
        write_bytes(self.path(version) / EVALUATION, sealed({"scores": scores, "verdict": verdict}))

    def pins(self) -> Pins:
        """Return the versions that are kept for good, each with `at` and `why`."""
        return self._pins.read()

    def pin(self, version: str, why: str) -> None:
        """Keep a version for good."""
        with self._moving():
            if not self.path(version).exists():
                raise VersionError(f"there is no version {version!r}; known: {', '.join(self.ids()) or 'none'}")
            self._pins.write(self.pins() | {version: pin(why)})

    def unpin(self, version: str) -> None:
        """Let a version be removed when it is old."""
        with self._moving():
            self._pins.write({one: noted for one, noted in self.pins().items() if one != version})

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
        """Remove old versions (see `removable`), unless a backup copies them; returns those removed.

        Whoever reads one may finish reading.
        """
        with self._moving():
            removed = [] if self.locks.is_held(COPIED) else self.removable(keep)
            for version in removed:
                self.remove(version)
            if store := self.store:
                for version in {*store.ids()} - {*self.ids()}:
                    store.remove(version)
        return removed

    def remove(self, version: str) -> None:
        """Remove a version's folder: gone in one step, whatever happens while its files are deleted."""
        going = self.path(f".{version}.gone")
        shutil.rmtree(going, ignore_errors=True)
        os.replace(self.path(version), going)
        shutil.rmtree(going)

    def sweep(self) -> None:
        """Delete what killed processes left of files and versions half written or removed; nobody may be building.

        Where one ended between the two moves of the pointer, the store follows the folder.
        """
        with self._moving():
            live = self.pointer.read()
            if self.store and live and not self._away(live) and self.store.live(now=True) != live:
                self.hand_over(live)
                self.store.publish(live)
            for path in (self.folder / "versions").glob(".v*"):
                shutil.rmtree(path, ignore_errors=True)
            for path in (*self.folder.glob(".*.new"), *self.folder.glob("versions/v*/.*.new")):
                path.unlink(missing_ok=True)

    def _nominate(self, version: str | None) -> None:
        if version:
            self.nominate(version)
        else:
            (self.folder / "CANDIDATE").unlink(missing_ok=True)

    @contextmanager
    def _moving(self) -> Iterator[None]:
        """Let one process at a time decide what is live and what goes; it takes milliseconds, so others wait."""
        with self.locks.wait(MOVING):
            self.pointer.read(fresh=True)
            yield
