"""A refused version to one that is as good as the live one: what made the loss is held, the rest goes on."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime

from rag_platform.core.errors import ModelError
from rag_platform.core.ports import Gate, Judgement, Progress, silent
from rag_platform.index.releases.holds import Hold
from rag_platform.index.releases.version_diff import difference
from rag_platform.pipeline.release import Candidate, build_candidate, judge
from rag_platform.pipeline.screening import newest_state
from rag_platform.workspace import Workspace

_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Settled:
    """What came of judging a version and, if it was refused, of holding what made the loss."""

    candidate: Candidate
    """The version that passed; else the one that was refused as a whole."""
    judgement: Judgement
    """Of the candidate."""
    refused: Judgement | None = None
    """Of the version of all that is new; None: it passed."""


def settle(
    workspace: Workspace, gate: Gate, candidate: Candidate, *, run_id: str = "", progress: Progress = silent
) -> Settled:
    """Judge a candidate; of a refused one, hold the sources that made the loss at their live state, and judge the rest.

    First those to which the gate lays the loss. Where it lays it to none, or that does not help, those without whose
    changes a version passes, found by halving the changed sources: of n sources of which one is to blame, in about
    2 log n judgements (the idea of delta debugging: Zeller and Hildebrandt, "Simplifying and Isolating
    Failure-Inducing Input", IEEE Transactions on Software Engineering, 2002). When nothing helps the version is refused
    as a whole, and what is live stays. A source whose newest state is in the version that passed is held no longer.

    Raises:
        RagError: a version could not be built or judged.
    """
    return _Settling(workspace, gate, candidate, run_id, progress).run()


@dataclass
class _Settling:
    workspace: Workspace
    gate: Gate
    first: Candidate
    run_id: str
    progress: Progress
    tried: dict[frozenset[str], tuple[Candidate, Judgement]] = field(default_factory=dict)
    """By the sources that were held besides those that the brake and people hold."""

    def run(self) -> Settled:
        refused = self._judged(_NONE)
        held = _NONE if refused.passed else self._helpful(refused)
        if held is None:
            self.workspace.versions.nominate(self.first.version)
            self._clear_away({self.first.version})
            return Settled(self.first, refused, refused)
        self._hold(held, refused)
        chosen, judgement = self.tried[held]
        self.workspace.versions.nominate(chosen.version)
        self._clear_away({self.first.version, chosen.version})
        return Settled(chosen, judgement, refused if held else None)

    def _helpful(self, refused: Judgement) -> frozenset[str] | None:
        """Return the sources without whose newest state the version passes; None when there is no telling."""
        units = self._units()
        return self._blamed(units, refused) or self._found_by_halves(units)

    def _blamed(self, units: Sequence[frozenset[str]], judgement: Judgement) -> frozenset[str] | None:
        held = _NONE
        while more := _joined(unit for unit in units if not unit <= held and _fails(unit, judgement)):
            held |= more
            judgement = self._judged(held)
            if judgement.passed:
                return held
        return None

    def _found_by_halves(self, units: Sequence[frozenset[str]]) -> frozenset[str] | None:
        changed = _joined(units)
        kept = self._good(units, _NONE, changed) if len(units) > 1 else _NONE
        return changed - kept if kept else None

    def _good(self, units: Sequence[frozenset[str]], kept: frozenset[str], changed: frozenset[str]) -> frozenset[str]:
        """Return what of these units can join those that are kept, and those."""
        more = kept | _joined(units)
        if self._judged(changed - more).passed:
            return more
        if len(units) == 1:
            return kept
        middle = len(units) // 2
        return self._good(units[middle:], self._good(units[:middle], kept, changed), changed)

    def _judged(self, held: frozenset[str]) -> Judgement:
        if held not in self.tried:
            self.tried[held] = self._trial(held) if held else (self.first, self._judgement(self.first, trial=False))
        return self.tried[held][1]

    def _trial(self, held: frozenset[str]) -> tuple[Candidate, Judgement]:
        """Build a version without the newest state of these sources and judge it; what cannot be built fails."""
        try:
            candidate = self._without(held)
        except ModelError as error:  # no model here gives the vectors of what is live: it cannot be built upon
            return self.first, Judgement(self.first.version, passed=False, reasons=(str(error),))
        return candidate, self._judgement(candidate, trial=True)

    def _judgement(self, candidate: Candidate, *, trial: bool) -> Judgement:
        version = candidate.version
        if trial and version == self.workspace.versions.live_id():  # nothing that is new is left
            return Judgement(version, passed=True, reasons=())
        if candidate.problems:
            return Judgement(version, passed=False, reasons=candidate.problems)
        return judge(self.workspace, self.gate, version, run_id=self.run_id, progress=self.progress)

    def _without(self, held: Collection[str]) -> Candidate:
        """Build a version in which these sources are held too."""
        refused = self.tried[_NONE][1]
        also = {source: self._hold_of(source, refused) for source in held}
        return build_candidate(self.workspace, run_id=self.run_id, held={**self.first.held, **also})

    def _units(self) -> list[frozenset[str]]:
        """Name the sources that are not in the refused version as they are live; those held together as one."""
        versions, live = self.workspace.versions, self.workspace.versions.live_id()
        if live is None:
            return []
        made = difference(versions.open(live), versions.open(self.first.version))
        changed = made.sources & {source.id for source in self.workspace.settings.sources}
        together = changed if made.chunker_differs else changed & made.moved
        return [*([together] if together else []), *(frozenset({source}) for source in sorted(changed - together))]

    def _hold(self, held: Collection[str], refused: Judgement) -> None:
        """Hold these, and end the holds of an evaluation whose sources are in the version that passed."""
        holds = self.workspace.holds
        for source in held:
            holds.hold(self._hold_of(source, refused))
        for source, hold in holds.active().items():
            if hold.cause == "evaluation" and source not in held:
                holds.end(source, why="a version with its newest state passed", run_id=self.run_id)

    def _hold_of(self, source: str, refused: Judgement) -> Hold:
        said = refused.sources.get(source)
        said = None if said is None or said.passed else said
        why = " ".join(said.reasons) if said else f"Without its newest state the version passes. {refused.reasons[0]}"
        return Hold(
            source,
            "evaluation",
            why,
            datetime.now(UTC),
            newest_state(self.workspace, source),
            version=refused.version,
            run_id=self.run_id,
            about=asdict(said) if said else {"reasons": list(refused.reasons)},
        )

    def _clear_away(self, kept: Collection[str]) -> None:
        """Remove the versions that were built for trial alone."""
        versions = self.workspace.versions
        for candidate, _ in self.tried.values():
            if candidate.new and candidate.version not in {*kept, versions.live_id()}:
                versions.remove(candidate.version)


def _joined(units: Iterable[frozenset[str]]) -> frozenset[str]:
    return _NONE.union(*units)


def _fails(unit: frozenset[str], judgement: Judgement) -> bool:
    return any(source in unit and not one.passed for source, one in judgement.sources.items())
